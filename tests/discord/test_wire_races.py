"""Presses and commands at once, twice, too early and too late: each counts once, and is judged by its own question."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.clock import VirtualClock
from tests.core.building import LIMIT, READING
from tests.discord.conversing import LETTERS, QUIZ, SEND, Study, key_of, study_group
from tests.discord.playing import Playing, playing
from tests.discord.server import Discord, Interaction

FIRST_COUNTS = "the first choice counts."
AT_ONCE = timedelta(seconds=0.5)
LATE = "Sorry, that was too late: the question has closed already."


async def repeat(bot: Playing, asked: Interaction) -> None:
    """The gateway brings an interaction once more, as it may after a RESUME."""
    for session in bot.server.gateway.connected:
        for number, event, data in session.sent:
            if event == "INTERACTION_CREATE" and data["id"] == asked.id and session.connection:
                session.connection.dispatch(number, event, data)
    await bot.quiet()


def answers_to(server: Discord, asked: Interaction) -> list[int]:
    """The statuses of the callbacks of an interaction."""
    return [call.status for call in server.calls("POST", rf"/interactions/{asked.id}/")]


async def test_two_right_presses_back_to_back_advance_once_and_neither_lands_on_the_next_question(
    server: Discord, clock: VirtualClock
) -> None:
    """Field case 12."""
    ann = server.person("Ann")
    async with playing(server, clock) as bot:
        study = Study(bot, ann.direct, ann)
        first = await study.begin()
        key = key_of(first)
        edit, line = await study.told([ann.press(first, key) for _ in range(2)])
        assert "✓ right · your answer" in edit
        assert line == f"You chose {key}; {FIRST_COUNTS}"
        assert first.buttons == ["Next", "Report"]
        skips = [ann.press(first, "Next") for _ in range(2)]
        await study.told(skips)
        await bot.wait(2)
        assert study.question.text.startswith("Question 2 of 3")
        assert [row[0] for row in await bot.responses()] == [0]
        assert sum(text.startswith("Question") for text in study.texts) == 2


async def test_in_a_channel_the_last_two_presses_close_the_question_once(server: Discord, clock: VirtualClock) -> None:
    """Field case 12."""
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        await study.begin()
        await study.everyone((ann, bob))
        await bot.wait(LIMIT + READING)
        second = study.question
        told = await study.told([person.press(second, key_of(second)) for person in (ann, bob, ann, bob)])
        assert sorted(text.startswith("✓ Right.") for text in told) == [False, False, True, True]
        await bot.wait(READING)
        assert study.question.text.startswith("Question 3 of 3")
        assert [row[0] for row in await bot.responses()] == [0, 0, 1, 1]


async def test_the_same_interaction_twice_and_five_presses_in_one_tick_are_one_response(
    server: Discord, clock: VirtualClock
) -> None:
    """Field case 13."""
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        question = await study.begin()
        key = key_of(question)
        pressed = await bot.answer(ann.press(question, key))
        assert pressed.text.startswith("✓ Right.")
        await repeat(bot, pressed)
        assert answers_to(server, pressed) == [200, 400]
        assert pressed.text.startswith("✓ Right.")
        told = await study.told([bob.press(question, key) for _ in range(5)])
        assert [text.splitlines()[0] for text in told] == [
            f"✓ Right. You chose {key}.",
            *[f"You chose {key}; {FIRST_COUNTS}"] * 4,
        ]
        await bot.wait(6)
        assert [row[1] for row in await bot.responses()] == [f"discord:{ann.id}", f"discord:{bob.id}"]
        assert "2 answered" in question.text


async def test_a_command_that_is_brought_twice_starts_one_session(server: Discord, clock: VirtualClock) -> None:
    """Field case 13."""
    channel, (ann,) = study_group(server, "Ann")
    async with playing(server, clock) as bot:
        asked = await bot.answer(ann.slash(channel, "quiz", quiz=QUIZ))
        await repeat(bot, asked)
        assert len(channel.messages) == 1
        assert len(await bot.rows("SELECT id FROM session")) == 1


async def test_a_press_before_the_question_was_heard_to_have_arrived_counts_and_takes_no_negative_time(
    server: Discord, clock: VirtualClock
) -> None:
    """Field case 15. Everybody sees the question; only the bot does not know yet that it is there."""
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        card = await study.choose()
        with server.hold("POST", SEND, answer_only=True) as sending:
            started = ann.press(card, "Start")
            await sending.reached()
            question = study.question
            early = clock.now() - timedelta(seconds=1)  # the two clocks differ
            told = await study.told([ann.press(question, "A"), bob.press(question, "B", at=early)])
            assert all(text.startswith(("✓ Right.", "✗ Wrong.")) for text in told)
        await bot.answer(started)
        await bot.quiet()
        assert len(await bot.responses()) == 2
        assert all(taken >= 0 for (taken,) in await bot.rows("SELECT taken FROM player"))
        await bot.wait(LIMIT - 0.001)
        assert "A" in question.buttons
        await bot.wait(READING + 0.001)
        assert "answered" not in question.text
        assert study.question.text.startswith("Question 2 of 3")


async def test_somebodys_time_is_that_of_their_press_however_late_it_gets_here(
    server: Discord, clock: VirtualClock
) -> None:
    """Field case 15."""
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        question = await study.begin()
        await bot.wait(5)
        await study.told([ann.press(question, "A", at=clock.now() - timedelta(seconds=2)), bob.press(question, "A")])
        taken: dict[str, int] = dict(await bot.rows("SELECT person, taken FROM player"))
        assert taken == {f"discord:{ann.id}": 3000, f"discord:{bob.id}": 5000}


async def test_while_the_next_question_is_loaded_everybody_else_is_answered_at_once(
    server: Discord, clock: VirtualClock
) -> None:
    """Field case 18."""
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    elsewhere, (cem,) = study_group(server, "Cem", title="Elsewhere")
    async with playing(server, clock) as bot:
        here, there = Study(bot, channel, ann), Study(bot, elsewhere, cem)
        first, other = await here.begin_relaxed(), await there.begin()
        chosen = first.button("A").custom_id or ""
        await here.answer(ann)
        await here.press(ann, "Next", first)
        with server.hold("POST", rf"^/channels/{channel.id}/messages$") as loading:
            onward = ann.press(first, "Next")
            await loading.reached()
            presses = [bob.forge(first, chosen), bob.slash(channel, "help"), cem.press(other, "A")]
            await bot.quiet()
            await bot.wait(5)
        assert all(press.answered_at is not None for press in (*presses, onward))
        assert all(took(press) <= AT_ONCE for press in presses)
        assert took(onward) <= timedelta(seconds=1)
        assert presses[0].text == LATE
        assert presses[-1].text.startswith(("✓ Right.", "✗ Wrong."))
        await bot.quiet()
        assert here.question.text.startswith("Question 2 of 3")


def took(press: Interaction) -> timedelta:
    """How long somebody has waited for the answer."""
    assert press.answered_at is not None
    return press.answered_at - press.at


@pytest.mark.parametrize("held_back_by", ["the phone", "the gateway"])
async def test_presses_that_were_held_back_are_each_judged_by_their_own_question(
    held_back_by: str, server: Discord, clock: VirtualClock
) -> None:
    """Field case 21."""
    channel, (ann, *others) = study_group(server, "Ann", "Bob", "Cem", "Dan", "Eva", "Fay")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        first = await study.begin()
        buttons = {letter: first.button(letter).custom_id or "" for letter in LETTERS}
        await study.answer(ann)
        await bot.wait(LIMIT + 1)
        assert "A" not in first.buttons
        # A press has its time from Discord, which the phone has reached only now.
        at = clock.now() - timedelta(seconds=2) if held_back_by == "the gateway" else None
        burst = [person.forge(first, buttons["A"], at=at) for person in others]
        assert await study.told(burst) == [LATE] * 5
        await bot.wait(READING)
        second = study.question
        bob, cem, *_ = others
        old, new = await study.told([bob.forge(first, buttons["B"]), cem.press(second, key_of(second))])
        assert old == LATE
        assert new.startswith("✓ Right.")
        assert [(at, person) for at, person, _ in await bot.responses()] == [
            (0, f"discord:{ann.id}"),
            (1, f"discord:{cem.id}"),
        ]
