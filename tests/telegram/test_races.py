"""Two things at once: starts, presses, repeated updates. Each counts once."""

from __future__ import annotations

import pytest

from tests.clock import VirtualClock
from tests.core.building import plain_quiz
from tests.playing import slow_store
from tests.telegram.playing import playing
from tests.telegram.server import BotApi
from tests.telegram.study import LETTERS, MOMENT, Study, at_once, by_both, key_of, study_group

# Starting


@by_both
async def test_two_starts_in_the_same_instant_over_a_slow_read_are_one_session_and_a_link_to_it(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    async with playing(server, clock, webhook=webhook) as bot:
        study = Study(bot, study_group(server, "Study", [ann, bob]), ann)
        await study.write(ann, "/quiz")
        picker = study.last
        async with slow_store(bot) as free:
            presses = [await person.press(picker, "1") for person in (ann, bob, ann)]
            await ann.write(study.chat, "/quiz colours")
            free.set()
            told = await at_once(presses)
        await bot.wait(1)
        assert len(await bot.rows("SELECT id FROM session")) == 1
        assert [text.splitlines()[0] for text in study.texts].count("Colours") == 1
        # By webhook they come side by side, so the command may have been the first.
        by_command = webhook and all(told)
        assert by_command or sorted(map(bool, told)) == [False, True, True]
        (refusal,) = {text for text in told if text}
        assert refusal == "A quiz is waiting here; its host or a moderator can press Start, or /stop it."
        link = f"t.me/c/{-study.chat.id - 10**12}/{study.messages[0].id}"
        assert by_command or link in study.last.html
        await study.press(ann, "Start", study.messages[0])
        assert study.question.said.text.startswith("Question 1 of 3")


async def test_the_loser_in_a_basic_group_which_has_no_links_is_answered_under_the_running_quiz(
    server: BotApi, clock: VirtualClock
) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    async with playing(server, clock) as bot:
        study = Study(bot, server.group("Study", [ann, bob]), ann)
        question = await study.begin()
        await study.write(bob, "/quiz colours")
        assert "at question 1 of 3" in study.last.said.text
        assert study.last.reply_to is question


@pytest.mark.parametrize("moment", ["start card", "question", "between questions", "pause"])
async def test_a_second_start_is_refused_in_every_phase(moment: str, server: BotApi, clock: VirtualClock) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    async with playing(server, clock, plain_quiz(4)) as bot:
        study = Study(bot, study_group(server, "Study", [ann, bob]), ann)
        await (study.choose() if moment == "start card" else study.begin())
        await bot.wait({"start card": 0, "question": 0, "between questions": 21, "pause": 90}[moment])
        standing = study.last
        await study.write(bob, "/quiz colours")
        expected = {
            "start card": "A quiz is waiting here;",
            "question": "A quiz is running here already, at question 1 of 4.",
            "between questions": "A quiz is running here already, at question 1 of 4.",
            "pause": "A quiz is paused here after question 2 of 4.",
        }
        assert study.last.said.text.startswith(expected[moment])
        assert f"/{standing.id}" in study.last.html
        assert len(await bot.rows("SELECT id FROM session")) == 1


# Answering


@by_both
async def test_two_right_presses_back_to_back_advance_once_and_neither_lands_on_the_next_question(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    ann = server.person("Ann")
    async with playing(server, clock, webhook=webhook) as bot:
        study = Study(bot, ann.private, ann)
        first = await study.begin()
        told = await at_once([await ann.press(first, key_of(first)) for _ in range(2)])
        assert sorted(text[:1] for text in told) == ["Y", "✓"]
        await bot.wait(MOMENT * 3)
        skips = await at_once([await ann.press(first, "Next") for _ in range(2)])
        assert "" in skips
        await bot.wait(MOMENT)
        assert study.question.said.text.startswith("Question 2 of 3")
        assert [row[0] for row in await bot.responses()] == [0]


@by_both
async def test_the_same_update_twice_and_five_presses_in_one_tick_are_one_response(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    async with playing(server, clock, webhook=webhook) as bot:
        study = Study(bot, study_group(server, "Study", [ann, bob]), ann)
        question = await study.begin()
        key = key_of(question)
        assert (await study.press(ann, key)).startswith("✓")
        server.repeat(server.last_update)
        await bot.quiet()
        told = await at_once([await bob.press(question, key) for _ in range(5)])
        assert sorted(text[:2] for text in told) == ["Yo"] * 4 + ["✓ "]
        assert {text for text in told if text[0] == "Y"} == {f"You chose {key}; the first choice counts."}
        server.repeat(server.last_update)
        await bot.wait(6)
        assert [row[1] for row in await bot.responses()] == [f"telegram:{ann.id}", f"telegram:{bob.id}"]
        assert "2 answered" in question.said.text


async def test_a_command_that_is_delivered_twice_starts_one_session(server: BotApi, clock: VirtualClock) -> None:
    ann = server.person("Ann")
    async with playing(server, clock) as bot:
        study = Study(bot, ann.private, ann)
        await study.write(ann, "/quiz colours")
        server.repeat(server.last_update)
        await bot.quiet()
        assert len(study.messages) == 1
        assert len(await bot.rows("SELECT id FROM session")) == 1


@by_both
async def test_whoever_presses_one_letter_after_the_other_has_chosen_the_first(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    ann = server.person("Ann")
    async with playing(server, clock, webhook=webhook) as bot:
        study = Study(bot, study_group(server, "Study", [ann]), ann)
        question = await study.begin()
        presses = [await ann.press(question, letter) for letter in LETTERS]
        told = await at_once(presses)
        assert told[0].endswith("You chose A.")
        assert told[1:] == ["You chose A; the first choice counts."] * 3
        ((_, _, options),) = await bot.responses()
        (chosen,) = [number for number in range(4) if int(options) >> number & 1]
        assert f"A. q0 {chosen}" in question.said.text
