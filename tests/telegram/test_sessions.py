"""Whole sessions as people live through them: alone, in a group, in two at once, in a topic and beside it."""

from __future__ import annotations

from collections import Counter

from tests.clock import VirtualClock
from tests.core.building import LIMIT, READING, plain_quiz
from tests.telegram.playing import playing
from tests.telegram.server import BotApi
from tests.telegram.study import MOMENT, Study, by_both, key_of, study_group

EIGHT = ("Ann", "Bob", "Cem", "Dan", "Eva", "Fay", "Gus", "Hal")
KNOWS = (1, 2, 2, 2, 3, 3, 3, 3)
"""The number of the first question that each of the eight answers rightly, as all after it."""


@by_both
async def test_alone_an_answer_turns_the_question_into_the_verdict_and_next(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    ann = server.person("Ann")
    async with playing(server, clock, webhook=webhook) as bot:
        study = Study(bot, ann.private, ann)
        await study.begin()
        for number, right in enumerate((True, False, True), 1):
            question = study.question
            assert question.said.text.startswith(f"Question {number} of 3")
            assert "Time" not in question.said.text
            pop_up = await study.answer(ann, right=right)
            await bot.wait(MOMENT)
            assert study.last is question
            assert ("✓ Right." if right else "✗ Wrong.") in question.said.text.splitlines()
            assert pop_up.startswith("✓ Right." if right else "✗ Wrong.")
            assert question.keyboard == [["Next" if number < 3 else "Show the results", "Report"]]
            await study.press(ann, question.keyboard[0][0])
            await bot.wait(MOMENT)
        assert "You got 2 of 3 right." in study.last.said.text
        assert study.last.keyboard == [["Again", "Another quiz"], ["Practise my mistakes"]]
        assert len(await bot.responses()) == 3


@by_both
async def test_eight_people_play_to_the_end_and_ties_share_a_rank(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    people = [server.person(name) for name in EIGHT]
    group = study_group(server, "Study", people)
    async with playing(server, clock, webhook=webhook) as bot:
        study = Study(bot, group, people[0])
        await study.begin()
        for number in range(1, 4):
            question = study.question
            assert question.said.text.startswith(f"Question {number} of 3")
            for person, knows in zip(people, KNOWS, strict=True):
                await study.answer(person, right=number >= knows)
            # Who is there is known only once a question has closed; from then on it closes with the last answer.
            await bot.wait(LIMIT if number == 1 else 0)
            assert f"{sum(number >= knows for knows in KNOWS)} of 8 got it right" in question.said.text
            assert question.keyboard == [["Report"]]
            await bot.wait(READING)
        lines = [line for line in study.last.said.text.splitlines() if "right" in line and "Most" not in line]
        ranks = [line.split(". ")[0].split()[-1] for line in lines[:8]]
        assert ranks == ["1", "2", "2", "2", "5", "5", "5", "5"]
        assert all(any(name in line for line in lines) for name in EIGHT)
        assert len(await bot.responses()) == 24
    assert server.floods == 0


@by_both
async def test_two_groups_play_the_same_quiz_at_once_and_know_nothing_of_each_other(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    async with playing(server, clock, webhook=webhook) as bot:
        here, there = (
            Study(bot, study_group(server, title, [host]), host) for title, host in (("Here", ann), ("There", bob))
        )
        await here.begin()
        await bot.wait(5)
        await there.begin()
        # One person is in both, and answers each where it is asked.
        assert (await here.answer(ann)).startswith("✓")
        assert (await there.answer(ann, right=False)).startswith("✗")
        await here.write(ann, "/stop")
        assert "Ann — 1 of 1 right" in here.last.said.text
        assert there.last is there.question
        await bot.wait(120)
        assert "Ann — 0 of 3 right" in there.last.said.text
        assert Counter(row[1] for row in await bot.responses()) == {f"telegram:{ann.id}": 2}


@by_both
async def test_a_topic_and_general_beside_it_each_have_their_own_quiz(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    forum = server.supergroup("Study", [ann, bob], [server.person("Owner")], topics=["Algebra"])
    async with playing(server, clock, webhook=webhook) as bot:
        algebra, general = Study(bot, forum, ann, "Algebra"), Study(bot, forum, bob)
        await algebra.begin()
        assert general.messages == []
        await general.begin()
        assert (await algebra.answer(bob)).startswith("✓")
        assert (await general.answer(bob, right=False)).startswith("✗")
        await bot.wait(120)
        assert "Bob — 1 of 3 right" in algebra.last.said.text
        assert "Bob — 0 of 3 right" in general.last.said.text
        assert {text.splitlines()[0] for text in general.texts} >= {f"Question {number} of 3" for number in (1, 2, 3)}
    threads = {call.params.get("message_thread_id") for call in server.calls("sendMessage", forum)}
    assert threads == {None, forum.named_topic("Algebra").id}


@by_both
async def test_again_and_another_quiz_go_on_from_the_results(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    async with playing(server, clock, plain_quiz(1), webhook=webhook) as bot:
        study = Study(bot, study_group(server, "Study", [ann, bob]), ann)
        await study.begin()
        await study.answer(ann)
        await bot.wait(60)
        results = study.last
        # Whoever presses Again is the host of what comes then.
        await study.press(bob, "Again", results)
        assert "Host: Bob" in study.last.said.text
        await study.press(bob, "Start")
        assert study.last.said.text.startswith("Question 1 of 1")
        await bot.wait(60)
        await study.press(ann, "Another quiz")
        assert study.last.said.text.startswith("Choose a quiz")
        await study.press(ann, "1")
        assert "Host: Ann" in study.last.said.text
        # What was asked for from the results stays where it is; the picker has done its work.
        assert results.keyboard == [["Again", "Another quiz"]]
        assert not any(text.startswith("Choose") for text in study.texts)


@by_both
async def test_settings_fold_out_on_the_start_card_and_hold_in_the_session(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    async with playing(server, clock, plain_quiz(5), webhook=webhook) as bot:
        study = Study(bot, study_group(server, "Study", [ann, bob]), ann)
        card = await study.choose()
        await study.press(ann, "Settings")
        for label in ("3", "Brisk", "At the end"):
            assert any(label in row for row in card.keyboard)
            await study.press(ann, label)
            await bot.wait(MOMENT)
            assert any(f"✓ {label}" in row for row in card.keyboard)
        before = card.said.text
        assert "host" in await study.press(bob, "Steady", card)
        assert card.said.text == before
        await study.press(ann, "Hide settings")
        assert card.keyboard == [["Start", "Settings"]]
        await study.press(ann, "Start")
        question = study.question
        assert question.said.text.startswith("Question 1 of 3")
        assert "Time: 10 seconds" in question.said.text
        assert await study.answer(bob) == f"Noted: {key_of(question)}."
        await bot.wait(10.001)
        assert "✓" not in question.said.text
        await bot.wait(120)
        assert "Bob — 1 of 3 right" in study.last.said.text
        assert "✓ right" in question.said.text


@by_both
async def test_two_silent_questions_pause_it_until_somebody_resumes_and_stop_keeps_the_scores(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    async with playing(server, clock, plain_quiz(6), webhook=webhook) as bot:
        study = Study(bot, study_group(server, "Study", [ann, bob]), ann)
        await study.begin()
        await study.answer(bob)
        await bot.wait(120)
        pause = study.last
        assert pause.keyboard == [["Resume", "Stop"]]
        silent = [text for text in study.texts if "Nobody answered" in text]
        assert len(silent) == 2
        count = len(study.messages)
        await bot.wait(300)
        assert len(study.messages) == count
        # Everybody may go on; only the host may end it.
        assert "host" in await study.press(bob, "Stop")
        await study.press(bob, "Resume")
        assert not pause.keyboard
        assert study.last.said.text.startswith("Question 4 of 6")
        await bot.wait(120)
        await study.press(ann, "Stop")
        assert "Stopped early, after 5 of 6 questions." in study.last.said.text
        assert "Bob — 1 of 5 right" in study.last.said.text
        count = len(server.requests)
        await bot.wait(120)
        assert [call.method for call in server.requests[count:] if call.method != "getUpdates"] == []
