"""Many people at once: each is counted and acknowledged, and the chat sees no more messages than it has to."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from itertools import pairwise

from tests.clock import VirtualClock
from tests.core.building import LIMIT, READING, plain_quiz
from tests.telegram.playing import playing
from tests.telegram.server import BotApi, Message
from tests.telegram.study import LETTERS, Study, at_once, by_both, key_of, study_group

COUNTER_EVERY = timedelta(seconds=5)


def counters(server: BotApi, message: Message) -> list[tuple[datetime, str]]:
    """When the open question was changed, and the line that says how many have answered."""
    edits = [call for call in server.calls("editMessageText", message.chat) if call.params["message_id"] == message.id]
    return [
        (call.at, line)
        for call in edits
        for line in call.params["text"].splitlines()
        if line.strip("</i>").endswith("answered")
    ]


def key_number(question: Message) -> int:
    """Which of the letters is right."""
    return LETTERS.index(key_of(question))


@by_both
async def test_fifty_people_press_in_one_tick_and_all_are_counted_and_acknowledged(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    people = [server.person(f"Person {number}") for number in range(50)]
    async with playing(server, clock, webhook=webhook) as bot:
        study = Study(bot, study_group(server, "Study", people), people[0])
        question = await study.begin()
        presses = [await person.press(question, LETTERS[number % 4]) for number, person in enumerate(people)]
        told = await at_once(presses)
        right = len(people[key_number(question) :: 4])
        assert Counter(text[0] for text in told) == {"✓": right, "✗": 50 - right}
        await bot.wait(10)
        assert len(await bot.responses()) == 50
        assert "50 answered" in question.said.text
        assert len(counters(server, question)) <= 2
        await bot.wait(LIMIT)
        assert "of 50 got it right" in question.said.text
    assert server.floods == 0


async def test_a_thousand_people_press_within_a_second_and_the_last_counter_is_right(
    server: BotApi, clock: VirtualClock
) -> None:
    people = [server.person(f"Person {number}") for number in range(1000)]
    async with playing(server, clock) as bot:
        study = Study(bot, study_group(server, "Study", people), people[0])
        question = await study.begin()
        presses = []
        for tenth in range(10):
            presses += [await person.press(question, "A") for person in people[tenth::10]]
            clock.advance(0.1)
        # Telegram hands out a hundred updates at a time.
        await bot.quiet()
        told = await at_once(presses)
        assert {text.split(" You chose")[0] for text in told} <= {"✓ Right.", "✗ Wrong."}
        await bot.wait(11)
        assert len(await bot.responses()) == 1000
        seen = counters(server, question)
        assert all(later - earlier >= COUNTER_EVERY for (earlier, _), (later, _) in pairwise(seen))
        assert "1,000 answered" in question.said.text
        await bot.wait(LIMIT)
        assert "of 1,000 got it right" in question.said.text
    assert server.floods == 0


@by_both
async def test_a_session_of_eight_stays_within_its_budget_of_messages(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    """One send and one closing edit a question, and between them at most one counter in five seconds."""
    people = [server.person(name) for name in ("Ann", "Bob", "Cem", "Dan", "Eva", "Fay", "Gus", "Hal")]
    async with playing(server, clock, plain_quiz(8), webhook=webhook) as bot:
        study = Study(bot, study_group(server, "Study", people), people[0])
        await study.begin()
        questions = []
        for _ in range(8):
            questions.append(study.question)
            for person in people:
                await study.answer(person)
                await bot.wait(2)
            # The first one closes by the clock, the others with the last answer.
            await bot.wait(READING + (LIMIT - 16 if len(questions) == 1 else -2))
        assert study.last.said.text.startswith("Results")
        for question in questions:
            edits = [call for call in server.calls("editMessageText") if call.params["message_id"] == question.id]
            assert len(edits) - 1 == len(counters(server, question)) <= 16 / 5 + 1
            assert all(later.at - earlier.at >= COUNTER_EVERY for earlier, later in pairwise(edits[:-1]))
        assert len(server.calls("sendMessage")) == 8 + 3  # the picker, the start card and the results
        assert len(server.calls("answerCallbackQuery")) == 64 + 2
    assert server.floods == 0
    assert [call for call in server.calls() if call.status == 429] == []
