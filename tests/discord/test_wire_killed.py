"""Killed without warning and started again, the bot has counted every press once, and asks the same question once.

Real processes on the real clock. Nothing here depends on speed: what is waited for are requests that come, and the
quiz is played without a clock.
"""

from __future__ import annotations

import asyncio
import itertools
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from tests.discord.conversing import CALLBACK, key_of
from tests.discord.running import SECRETS, Killable, database_busy, killable
from tests.discord.server import Discord, GuildChannel, Message, Person
from tests.playing import write_haste
from tests.program import PATIENCE
from tests.seed import SEED
from tests.serving import check_log

QUESTIONS = 2
NAMES = ("Ann", "Bob", "Cem", "Dan")

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this operating system kills in another way")


@pytest.fixture
async def discord() -> AsyncIterator[Discord]:
    """On the real clock, as the program is."""
    async with Discord() as server:
        yield server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With a quiz whose right options end in 0."""
    write_haste(tmp_path, QUESTIONS)
    return tmp_path


async def start_card(host: Person, channel: GuildChannel) -> Message:
    """A quiz without a clock that waits to begin."""
    await host.slash(channel, "quiz", quiz="haste")
    card = await channel.shows("Feedback")
    form = await host.press(card, "Settings")
    await host.submit(form, _2="Relaxed")
    await channel.shows("No clock")
    return card


def of(at: int, *people: Person) -> list[tuple[int, str]]:
    return sorted((at, f"discord:{person.id}") for person in people)


def questions(channel: GuildChannel, number: int) -> list[Message]:
    """The messages that show a question, of which there should be one."""
    return [message for message in channel.messages if message.text.startswith(f"Question {number} of")]


async def test_killed_at_every_step_of_a_press_it_has_counted_once_or_can_be_made_again(
    discord: Discord, folder: Path
) -> None:
    """Discord brings nothing a second time: what was not stored is pressed again, and what was stored stays."""
    people = discord.people(*NAMES)
    ann, bob, cem, dan = people
    channel = discord.guild("Study", *people).channel("quiz")
    async with killable(discord, folder) as bot:
        card = await start_card(ann, channel)
        # The question has arrived, and nobody has heard of it.
        with discord.hold("POST", rf"^/channels/{channel.id}/messages$", answer_only=True) as sending:
            ann.press(card, "Start")
            await sending.reached()
            await bot.kill()
        await bot.start()
        await discord.called("POST", rf"^/channels/{channel.id}/messages$", 3)
        (question,) = questions(channel, 1)
        key = key_of(question)
        # Stored, and not acknowledged.
        with discord.hold("POST", CALLBACK) as acknowledging:
            stored = ann.press(question, key)
            await acknowledging.reached()
            await bot.kill()
        assert bot.responses() == of(0, ann)
        # Pressed while nobody is there.
        missed = cem.press(question, key)
        await bot.start()
        assert (await ann.press(question, "A")).text == f"You chose {key}; the first choice counts."
        # Not stored.
        with database_busy(folder):
            lost = bob.press(question, key)
            await discord.gateway.heard()
            await bot.kill()
        assert bot.responses() == of(0, ann)
        await bot.start()
        for person in (bob, cem, dan):
            assert (await person.press(question, key)).text.startswith("✓ Right.")
        assert bot.responses() == of(0, *people)
        assert [press.kind for press in (missed, lost)] == [None, None]
        assert stored.tries <= 1
        assert len(questions(channel, 1)) == 1
        assert await bot.stop() == 0
    assert "Traceback" not in bot.log
    check_log(bot.log, *SECRETS)


class Evening:
    """A quiz during which the bot is killed again and again, each time after a few of its requests."""

    def __init__(self, bot: Killable, people: list[Person], channel: GuildChannel, lots: Random) -> None:
        self.bot = bot
        self.people = people
        self.channel = channel
        self.lots = lots

    async def survive(self, most: int) -> None:
        """Kill the bot after some of its next requests, `most` at most, and start it again."""
        last = len(self._work()) + self.lots.randint(0, most)
        await self.bot.discord.until(lambda: len(self._work()) >= last)
        await self.bot.kill()
        await self.bot.start()

    def _work(self) -> list[object]:
        return [call for call in self.bot.discord.requests if call.method in ("POST", "PATCH")]

    async def answer_all(self, question: Message) -> None:
        """Everybody presses; whoever has heard nothing presses once more."""
        key = key_of(question)
        presses = [person.press(question, key) for person in self.people]
        await self.survive(len(presses))
        for press in presses:
            again = press if press.kind else await press.person.forge(question, press.data["custom_id"])
            said = again.text
            assert said.startswith(("✓ Right.", "You chose")), said

    async def go_on(self, number: int) -> Message:
        """Press Next until question `number` is there, or the results are. What was pressed may have been lost."""
        wanted = f"Question {number} of {QUESTIONS}" if number <= QUESTIONS else "Results"
        killed = self.lots.randint(0, 1)
        async with asyncio.timeout(PATIENCE):
            for step in itertools.count():
                last = self.channel.last
                if last.text.startswith(wanted):
                    return last
                label = next(label for label in last.buttons if label in ("Next", "Show the results"))
                press = self.people[0].press(last, label)
                await (self.survive(1) if step == killed else press)
        raise AssertionError


@pytest.mark.parametrize("seed", [SEED], ids="seed {}".format)
async def test_killed_at_any_moment_of_a_session_it_loses_nothing_and_counts_nothing_twice(
    discord: Discord, folder: Path, seed: int
) -> None:
    people = discord.people(*NAMES)
    channel = discord.guild("Study", *people).channel("quiz")
    async with killable(discord, folder) as bot:
        card = await start_card(people[0], channel)
        await people[0].press(card, "Start")
        question = await channel.shows(f"Question 1 of {QUESTIONS}")
        evening = Evening(bot, people, channel, Random(seed))
        for number in range(1, QUESTIONS + 1):
            await evening.answer_all(question)
            assert bot.responses() == [row for at in range(number) for row in of(at, *people)]
            assert len(questions(channel, number)) == 1
            question = await evening.go_on(number + 1)
        results = question.text
        assert all(f"{name} — {QUESTIONS} of {QUESTIONS} right" in results for name in NAMES)
        assert {row[0] for row in bot.rows("SELECT points FROM player")} == {QUESTIONS * 100}
        assert await bot.stop() == 0
    assert "Traceback" not in bot.log
    check_log(bot.log, *SECRETS)
