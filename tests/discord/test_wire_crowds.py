"""Many people at once: each is counted and acknowledged, and the channel sees no more messages than it has to."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from itertools import pairwise

from tests.clock import VirtualClock
from tests.core.building import LIMIT, READING, plain_quiz
from tests.discord.conversing import CALLBACK, LETTERS, SEND, Study, edits_of, key_of, study_group, writes
from tests.discord.playing import playing
from tests.discord.server import Discord, Interaction, Message, components

COUNTER_EVERY = timedelta(seconds=5)
PATIENCE = timedelta(seconds=0.5)


def counters(server: Discord, message: Message) -> list[tuple[datetime, str]]:
    """When the open question was changed, and the line that says how many have answered."""
    return [
        (call.at, line)
        for call in edits_of(server, message)
        for text in components.texts(call.data["components"])
        for line in text.splitlines()
        if line.endswith("answered")
    ]


def late(presses: list[Interaction]) -> list[Interaction]:
    """Those who were not answered soon, or not alone."""
    return [
        press
        for press in presses
        if not press.ephemeral or press.answered_at is None or press.answered_at - press.at > PATIENCE
    ]


async def test_fifty_people_press_in_one_tick_and_all_are_counted_and_acknowledged(
    server: Discord, clock: VirtualClock
) -> None:
    """Field case 20."""
    channel, people = study_group(server, *(f"Person {number}" for number in range(50)))
    async with playing(server, clock) as bot:
        study = Study(bot, channel, people[0])
        question = await study.begin()
        presses = [person.press(question, LETTERS[number % 4]) for number, person in enumerate(people)]
        told = await study.told(presses)
        right = len(people[LETTERS.index(key_of(question)) :: 4])
        assert Counter(text[0] for text in told) == {"✓": right, "✗": 50 - right}
        assert late(presses) == []
        await bot.wait(10)
        assert len(await bot.responses()) == 50
        assert "50 answered" in question.text
        assert len(counters(server, question)) <= 2
        await bot.wait(LIMIT)
        assert "of 50 got it right" in question.text
    assert [call for call in server.calls() if call.status >= 400] == []


async def test_a_thousand_people_press_within_a_second_and_the_last_counter_is_right(
    server: Discord, clock: VirtualClock
) -> None:
    """Field case 20."""
    channel, people = study_group(server, *(f"Person {number}" for number in range(1000)))
    async with playing(server, clock) as bot:
        study = Study(bot, channel, people[0])
        question = await study.begin()
        presses: list[Interaction] = []
        for tenth in range(10):
            presses += [person.press(question, "A") for person in people[tenth::10]]
            await bot.quiet()
            clock.advance(0.1)
        assert late(presses) == []
        assert {press.text.split(" You chose")[0] for press in presses} <= {"✓ Right.", "✗ Wrong."}
        await bot.wait(11)
        assert len(await bot.responses()) == 1000
        seen = counters(server, question)
        assert all(later - earlier >= COUNTER_EVERY for (earlier, _), (later, _) in pairwise(seen))
        assert "1,000 answered" in question.text
        await bot.wait(LIMIT)
        assert "of 1,000 got it right" in question.text
    assert [call for call in server.calls() if call.status >= 400] == []


async def test_a_session_of_eight_stays_within_its_budget_of_messages(server: Discord, clock: VirtualClock) -> None:
    """One send and one closing edit a question, and between them at most one counter in five seconds."""
    channel, people = study_group(server, "Ann", "Bob", "Cem", "Dan", "Eva", "Fay", "Gus", "Hal")
    server.floods.most = 5
    async with playing(server, clock, plain_quiz(8)) as bot:
        study = Study(bot, channel, people[0])
        await study.begin()
        questions = []
        for number in range(8):
            questions.append(study.question)
            for person in people:
                await study.answer(person)
                await bot.wait(2)
            # The first one closes by the clock, the others with the last answer.
            await bot.wait(READING + (-2 if number else LIMIT - 16))
        assert study.last.text.startswith("Results")
        for question in questions:
            edits = edits_of(server, question)
            assert len(edits) - 1 == len(counters(server, question)) <= 16 / 5 + 1
            assert all(later.at - earlier.at >= COUNTER_EVERY for earlier, later in pairwise(edits[:-1]))
        assert len(server.calls("POST", SEND)) == 8 + 2  # the start card and the results
        assert len(server.calls("POST", CALLBACK)) == 64 + 2
        assert len(writes(server, channel)) <= 8 * 6 + 3
    assert server.floods.refused == 0


async def test_a_channel_that_may_have_nothing_for_a_while_holds_up_no_other_and_no_answer(
    server: Discord, clock: VirtualClock
) -> None:
    """Field case 25. What waits is longer than the library would wait for."""
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    elsewhere, (cem, dan) = study_group(server, "Cem", "Dan", title="Elsewhere")
    async with playing(server, clock) as bot:
        here, there = Study(bot, channel, ann), Study(bot, elsewhere, cem)
        for study in (here, there):
            await study.begin()
        first = here.question
        await bot.wait(4)
        server.throttle("*", rf"^/channels/{channel.id}/", 90.0)
        presses = [person.press(first, "A") for person in (ann, bob)]
        presses += [person.press(there.question, "A") for person in (cem, dan)]
        await study.told(presses)
        assert late(presses) == []
        await bot.wait(LIMIT + READING - 4)
        assert there.question.text.startswith("Question 2 of 3")
        assert "A" in first.buttons
        line = await here.ask("next", bob)
        assert line == "Only the host or a moderator can do this."
        assert [call for call in writes(server, channel) if call.status == 429] == writes(server, channel)[-1:]
        await bot.wait(90)
        assert "2 answered" in first.text or "of 2 got it right" in first.text
        assert here.question.text.startswith("Question 2 of 3")
        assert len(await bot.responses()) == 4
