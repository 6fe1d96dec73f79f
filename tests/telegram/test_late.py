"""Presses that come too late, from elsewhere, or from nowhere: a kind line to whoever pressed, and nothing changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from bot.presses import Choose, Next, Pick, Send, Toggle, dump
from tests.clock import VirtualClock
from tests.core.building import LIMIT, READING, plain_quiz
from tests.telegram.playing import Playing, playing
from tests.telegram.server import BotApi
from tests.telegram.study import Study, at_once, by_both, study_group

LATE = "Sorry, that was too late: the question has closed already."
OLDER = "This button is from an older message and no longer works; /quiz brings new ones."


async def everything(bot: Playing) -> list[object]:
    """What the database holds of sessions, players and responses."""
    return [
        await bot.rows("SELECT id, state FROM session ORDER BY id"),
        await bot.rows("SELECT session, person, points, answered FROM player ORDER BY session, person"),
        await bot.responses(),
    ]


@by_both
async def test_a_millisecond_after_the_close_is_too_late_and_before_it_is_not(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    async with playing(server, clock, webhook=webhook) as bot:
        study = Study(bot, study_group(server, "Study", [ann, bob]), ann)
        question = await study.begin()
        letter = question.button("A")["callback_data"]
        opened = await bot.rows("SELECT wake_at FROM session")
        left = opened[0][0] / 1000 - clock.now().timestamp()
        await bot.wait(left - 0.001)
        assert (await study.press(ann, "A")).endswith("You chose A.")
        await bot.wait(0.002)
        assert await study.told(await bob.press_data(question, letter)) == LATE
        assert [row[1] for row in await bot.responses()] == [f"telegram:{ann.id}"]


@by_both
async def test_presses_held_back_by_the_phone_are_each_judged_by_their_own_question(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    """Telegram's presses carry no time of their own: what counts is which question they were made for."""
    people = [server.person(name) for name in ("Ann", "Bob", "Cem", "Dan", "Eva", "Fay")]
    async with playing(server, clock, webhook=webhook) as bot:
        study = Study(bot, study_group(server, "Study", people), people[0])
        first = await study.begin()
        old = first.button("B")["callback_data"]
        await study.answer(people[5])
        await bot.wait(LIMIT + READING)
        second = study.question
        assert second is not first
        burst = [await person.press_data(first, old) for person in people[:5]]
        burst.append(await people[5].press(second, "A"))
        told = await at_once(burst)
        assert told[:5] == [LATE] * 5
        assert told[5].endswith("You chose A.")
        assert [row[:2] for row in await bot.responses()] == [(at, f"telegram:{people[5].id}") for at in (0, 1)]


FORGED: Mapping[str, Callable[[str], str]] = {
    "an option that there is not": lambda session: dump(Choose(session, 0, 9)),
    "a question that there is not": lambda session: dump(Choose(session, 99, 0)),
    "a question that is to come": lambda session: dump(Choose(session, 1, 0)),
    "a selection where one option is right": lambda session: dump(Toggle(session, 0, 1)),
    "a selection that was never made": lambda session: dump(Send(session, 0)),
    "another session": lambda session: dump(Choose("another", 0, 0)),
    "a quiz that there is not": lambda session: dump(Pick("constructor")),
    "another version": lambda session: f"0:a:{session}:0:0",
    "made by hand": lambda session: "a:1:99999:-1",
    "too long": lambda session: "x" * 65,
    "an emoji": lambda session: "🦊",
    "a null byte": lambda session: "1:a:\0:0:0",
    "nothing but colons": lambda session: ":::::",
    "a number without end": lambda session: f"1:a:{session}:{'9' * 30}:0",
}


@pytest.mark.parametrize("kind", FORGED)
async def test_forged_presses_get_a_kind_line_and_change_nothing(
    kind: str, server: BotApi, clock: VirtualClock
) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    async with playing(server, clock) as bot:
        study = Study(bot, study_group(server, "Study", [ann, bob]), ann)
        question = await study.begin()
        await study.answer(ann)
        before, calls = await everything(bot), len(server.calls())
        ((session,),) = await bot.rows("SELECT id FROM session")
        said = await study.told(await bob.press_data(question, FORGED[kind](session)))
        assert said
        assert said[-1] in ".!"
        assert await everything(bot) == before
        others = {call.method for call in server.calls()[calls:]} - {"getUpdates"}
        assert others == {"answerCallbackQuery"}
        assert (await study.answer(bob)).startswith("✓")


@by_both
async def test_buttons_of_last_week_say_so_wherever_they_are_pressed(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    async with playing(server, clock, plain_quiz(2), webhook=webhook) as bot:
        study = Study(bot, study_group(server, "Study", [ann, bob]), ann)
        question = await study.begin()
        old = {label: question.button(label)["callback_data"] for label in ("A", "Next")}
        await study.answer(ann)
        await study.write(ann, "/stop")
        clock.advance(7 * 24 * 3600)
        await bot.quiet()
        assert await study.told(await bob.press_data(question, old["A"])) == "This quiz is over."
        assert await study.told(await bob.press_data(question, old["Next"])) == "This quiz is over."
        await study.begin()
        before = await everything(bot)
        for label, press in old.items():
            # Of messages that are older than two days Telegram itself tells no text any more.
            told = await study.told(await bob.press_data(question, press, inaccessible=label == "A"))
            assert told == "This button belongs to another quiz."
        assert await everything(bot) == before


@by_both
async def test_nobody_plays_or_steers_somebody_elses_quiz(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    """Eve, who forges what her phone sends, presses in her own chat the buttons of Ann's."""
    ann, eve = server.person("Ann"), server.person("Eve")
    async with playing(server, clock, webhook=webhook) as bot:
        hers, study = Study(bot, eve.private, eve), Study(bot, ann.private, ann)
        await study.begin()
        ((session,),) = await bot.rows("SELECT id FROM session")
        await hers.choose()
        for press in (Choose(session, 0, 0), Next(session, 0)):
            said = await hers.told(await eve.press_data(hers.last, dump(press)))
            assert said == "This button belongs to another quiz."
        assert await bot.responses() == []


@by_both
async def test_an_acknowledgement_that_comes_too_late_for_telegram_costs_nobody_the_answer(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    async with playing(server, clock, webhook=webhook) as bot:
        study = Study(bot, study_group(server, "Study", [ann, bob]), ann)
        question = await study.begin()
        with server.hold("answerCallbackQuery") as acknowledging:
            press = await ann.press(question, "A")
            await acknowledging.reached()
            await bot.wait(1)
            assert not server.world.updates.pending, "what is durable is confirmed, acknowledged or not"
            clock.advance(15)
        refused = (await server.called("answerCallbackQuery", 3))[-1]
        assert (refused.status, press.answer) == (400, None)
        await bot.quiet()
        assert (await study.press(ann, "A", question)).startswith("You chose A")
        assert (await study.answer(bob)).startswith("✓")
        await bot.wait(120)
        assert len(await bot.responses()) == 2
        assert not bot.task.done()
