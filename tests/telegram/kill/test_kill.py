"""Killed without warning and started again, the bot has counted every press once, and asks the same question.

Real processes on the real clock. Nothing here depends on speed: what is waited for are requests that come, and the
quiz is played without a clock.
"""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from tests.playing import write_haste
from tests.seed import SEED
from tests.telegram.kill.process import Killable, killable
from tests.telegram.server import NO_LIMITS, BotApi, Group, Message, Person, Press
from tests.telegram.study import at_once, by_both, key_of

QUESTIONS = 3
MOST_STEPS = 40
GO_ON_KILLED = 0.5
"""How probably the bot is killed, too, while it goes on to the next question."""

NAMES = ("Ann", "Bob", "Cem", "Dan")

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this operating system kills in another way")


@pytest.fixture
async def server() -> AsyncIterator[BotApi]:
    """On the real clock, as the program is. A bot that comes back does not know what it sent before."""
    async with BotApi(limits=NO_LIMITS) as running:
        yield running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With a quiz whose right options end in 0."""
    write_haste(tmp_path, QUESTIONS)
    return tmp_path


def at_home(server: BotApi) -> tuple[list[Person], Group]:
    people = [server.person(name) for name in NAMES]
    return people, server.supergroup("Study", people, [server.person("Owner")])


async def first_question(people: list[Person], group: Group) -> Message:
    """A quiz without a clock, just begun."""
    await people[0].write(group, "/quiz haste")
    card = await group.shows("Feedback")
    for label in ("Settings", "Relaxed", "Start"):
        await (await people[0].press(card, label)).answered()
        if label != "Start":
            await group.shows(lambda _: any("Relaxed" in text for row in card.keyboard for text in row))
    return await group.shows("Question 1 of 3")


def chosen(bot: Killable) -> list[tuple[int, str]]:
    """(question, person) of every response."""
    return bot.rows("SELECT question, person FROM response ORDER BY question, person")


def of(at: int, *people: Person) -> list[tuple[int, str]]:
    return sorted((at, f"telegram:{person.id}") for person in people)


async def taken(server: BotApi, bot: Killable, *, webhook: bool) -> None:
    """Wait until the bot has the update that is pending, which it cannot commit."""
    if webhook:
        # What was delivered later, and needs no database, has been accepted.
        later = server.push_raw({"unheard_of": {}})
        await server.until(lambda: later not in server.world.updates.pending)
        return
    seen = len(server.requests)
    await server.until(
        lambda: any(call.method == "getUpdates" and not call.params["timeout"] for call in server.requests[seen:])
    )


@by_both
async def test_killed_before_the_commit_a_press_comes_again_and_counts(
    server: BotApi, folder: Path, *, webhook: bool
) -> None:
    people, group = at_home(server)
    ann, bob, *_ = people
    async with killable(server, folder, webhook=webhook) as bot:
        question = await first_question(people, group)
        with bot.database_busy():
            press = await ann.press(question, key_of(question))
            await taken(server, bot, webhook=webhook)
            await bot.kill()
        assert chosen(bot) == []
        assert press.answer is None
        await bot.start()
        assert (await press.answered()).text.startswith("✓ Right.")
        assert chosen(bot) == of(0, ann)
        assert (await (await bob.press(question, key_of(question))).answered()).text.startswith("✓ Right.")
        await server.confirmed()
        assert chosen(bot) == of(0, ann, bob)


@by_both
async def test_killed_between_commit_and_acknowledgement_a_press_has_counted_once(
    server: BotApi, folder: Path, *, webhook: bool
) -> None:
    people, group = at_home(server)
    ann, bob, *_ = people
    async with killable(server, folder, webhook=webhook) as bot:
        question = await first_question(people, group)
        with server.hold("answerCallbackQuery") as acknowledging:
            press = await ann.press(question, key_of(question))
            await acknowledging.reached()
            await bot.kill()
        assert chosen(bot) == of(0, ann)
        await bot.start()
        await server.confirmed()
        assert chosen(bot) == of(0, ann)
        again = await (await ann.press(question, "A")).answered()
        assert again.text == f"You chose {key_of(question)}; the first choice counts."
        assert press.answer is None or press.answer.text[:3] in ("✓ R", "You")
        assert (await (await bob.press(question, key_of(question))).answered()).text.startswith("✓ Right.")
        assert chosen(bot) == of(0, ann, bob)


@by_both
async def test_killed_before_its_start_card_has_come_a_command_that_comes_again_starts_one_quiz(
    server: BotApi, folder: Path, *, webhook: bool
) -> None:
    people, group = at_home(server)
    async with killable(server, folder, webhook=webhook) as bot:
        with server.hold("sendMessage") as sending:
            await people[0].write(group, "/quiz haste")
            command = server.last_update
            await sending.reached()
            await bot.kill()
        await bot.start()
        card = await group.shows("Feedback")
        server.repeat(command)
        await (await people[0].press(card, "Start")).answered()
        await group.shows("Question 1 of 3")
        assert len(bot.rows("SELECT id FROM session")) == 1
        assert not any("already" in message.said.text for message in group.messages)


class Evening:
    """A quiz during which the bot is killed again and again, each time after a few of its requests."""

    def __init__(self, bot: Killable, people: list[Person], group: Group, lots: Random) -> None:
        self.bot = bot
        self.people = people
        self.group = group
        self.lots = lots
        self.kills = 0

    async def survive(self) -> None:
        """Kill the bot after some of its next requests, and start it again."""
        server = self.bot.server
        last = len(self._work()) + self.lots.randint(1, 4)
        await server.until(lambda: len(self._work()) >= last or not server.world.updates.pending)
        await self.bot.kill()
        self.kills += 1
        await self.bot.start()

    def _work(self) -> list[object]:
        """Requests so far, but for those that tell Telegram about the bot."""
        return [call for call in self.bot.server.requests if "My" not in call.method]

    def _seen(self) -> list[tuple[int, int]]:
        return [(message.id, message.edits) for message in self.group.messages]

    async def _differs(self, before: list[tuple[int, int]]) -> None:
        await self.bot.server.until(lambda: self._seen() != before)

    async def answer_all(self, question: Message) -> None:
        presses = [await person.press(question, key_of(question)) for person in self.people]
        await self.survive()
        await self.bot.server.confirmed()
        told = await self._acknowledged(presses)
        assert all(text[:3] in ("✓ R", "You") for text in told), told

    async def _acknowledged(self, presses: list[Press]) -> list[str]:
        """What was said to them; whoever heard nothing presses once more."""
        unheard = [press for press in presses if press.answer is None]
        again = [await press.person.press_data(press.message, press.data) for press in unheard]
        assert all(text.startswith("You chose") for text in await at_once(again))
        return [press.answer.text for press in presses if press.answer]

    async def go_on(self, number: int) -> Message:
        """Press Next until question `number` is there, or the results are."""
        wanted = f"Question {number} of {QUESTIONS}" if number <= QUESTIONS else "Results"
        for _ in range(MOST_STEPS):
            last = self.group.last
            if last.said.text.startswith(wanted):
                return last
            label = next(label for row in last.keyboard for label in row if label in ("Next", "Show the results"))
            before = self._seen()
            await self.people[0].press(last, label)
            if self.lots.random() < GO_ON_KILLED:
                await self.survive()
            await self.bot.server.confirmed()
            await self._differs(before)
        raise AssertionError(f"{wanted} never came\n{self.group.transcript()}")


@pytest.mark.parametrize("seed", [SEED], ids="seed {}".format)
@by_both
async def test_killed_at_any_moment_of_a_session_it_loses_nothing_and_counts_nothing_twice(
    server: BotApi, folder: Path, seed: int, *, webhook: bool
) -> None:
    people, group = at_home(server)
    async with killable(server, folder, webhook=webhook) as bot:
        evening = Evening(bot, people, group, Random(seed))
        question = await first_question(people, group)
        for number in range(1, QUESTIONS + 1):
            await evening.answer_all(question)
            assert chosen(bot) == [row for at in range(number) for row in of(at, *people)]
            question = await evening.go_on(number + 1)
        results = question.said.text
        assert all(f"{name} — 3 of 3 right" in results for name in NAMES)
        assert {row[0] for row in bot.rows("SELECT points FROM player")} == {300}
        await bot.stop()
        assert evening.kills >= QUESTIONS
        assert bot.exits == [-signal.SIGKILL] * evening.kills + [0]
        assert "Traceback" not in bot.log.read_text()
