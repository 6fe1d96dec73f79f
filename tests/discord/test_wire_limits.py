"""Too many requests, and a Discord that is out of order: what waits, what goes on, and that nothing comes twice.

What the library waits for by itself, before it tries again, passes on the test's clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest

from tests.clock import VirtualClock
from tests.core.building import LIMIT, READING
from tests.discord.conversing import CALLBACK, SEND, Study, edits_of, idle, on_the_clock, study_group
from tests.discord.playing import Playing, playing
from tests.discord.server import Answer, Discord, Interaction

EDIT = r"^/channels/\d+/messages/\d+$"
NOT_GIVEN_BACK = 2
"""Seconds that a question may be late without having its time counted anew."""

SILENCE = 900
"""Seconds for which nothing is sent once Discord has shut the bot out."""

NOT_CARRIED_OUT: dict[str, Callable[[Discord, str, str], None]] = {
    "500": lambda server, method, path: server.fail(method, path, 500),
    "502": lambda server, method, path: server.garbage(method, path, status=502),
    "503": lambda server, method, path: server.fail(method, path, 503),
    "a connection that breaks": lambda server, method, path: server.drop(method, path),
}
FAULTS = NOT_CARRIED_OUT | {
    "an answer that is lost": lambda server, method, path: server.lose(method, path),
}


@pytest.fixture(autouse=True)
def _timed(clock: VirtualClock) -> Iterator[None]:
    with on_the_clock(clock):
        yield


# Too many


@pytest.mark.parametrize("wait", [2.0, 25.0, 45.0, 300.0])
async def test_a_question_that_has_to_wait_comes_once_and_with_all_its_time(
    wait: float, server: Discord, clock: VirtualClock
) -> None:
    """Short waits are the library's, long ones the outbox's."""
    channel, (ann,) = study_group(server, "Ann")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        card = await study.choose()
        server.throttle("POST", SEND, wait)
        asked = clock.now()
        await study.press(ann, "Start", card)
        await bot.wait(wait - 1.5)
        assert len(channel.messages) == 1
        question = await bot.shows(channel, "Question 1 of 3")
        waited = (question.at - asked).total_seconds()
        assert wait <= waited <= wait + 1
        await bot.wait(LIMIT - NOT_GIVEN_BACK - 0.5)
        assert "A" in question.buttons
        await study.answer(ann)
        await bot.wait(NOT_GIVEN_BACK + READING + 0.5)
        assert [text.startswith("Question 1 of 3") for text in study.texts].count(True) == 1
        assert [call.status for call in server.calls("POST", SEND)][:3] == [200, 429, 200]


async def test_a_limit_for_all_routes_delays_posts_and_no_answer(server: Discord, clock: VirtualClock) -> None:
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        question = await study.begin()
        server.throttle("PATCH", EDIT, 20.0, everywhere=True)
        await study.answer(ann)
        await bot.wait(6)
        (refused,) = edits_of(server, question)
        assert refused.status == 429
        pressed = await bot.answer(bob.press(question, "A"))
        assert pressed.answered_at == pressed.at
        assert pressed.ephemeral
        await bot.wait(21)
        assert "of 2 got it right" in question.text


async def test_shut_out_it_is_silent_for_a_quarter_of_an_hour_and_goes_on_with_all_that_was_pressed(
    server: Discord, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    """A 429 that does not come from Discord itself, which has no Via."""
    channel, (ann, bob, cem) = study_group(server, "Ann", "Bob", "Cem")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        question = await study.begin()
        await study.answer(ann)
        server.ban("PATCH", EDIT)
        await bot.wait(5)
        assert caplog.text.count("Discord has shut this machine out for too many requests") == 1
        before = len(server.requests)
        presses = [person.press(question, "A") for person in (bob, cem)]
        commands = [ann.slash(channel, "help"), bob.slash(channel, "quiz", quiz="")]
        await bot.wait(60)
        await idle(bot, SILENCE - 62)
        assert server.requests[before:] == []
        assert [press.kind for press in (*presses, *commands)] == [None] * 4
        assert len(await bot.responses()) == 3
        await bot.wait(2 + READING)
        assert "of 3 got it right" in question.text
        assert study.question.text.startswith("Question 2 of 3")
        assert (await study.answer(ann)).startswith("✓ Right.")


async def test_shut_out_by_an_answer_nothing_else_is_sent_either(server: Discord, clock: VirtualClock) -> None:
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        question = await study.begin()
        server.ban("POST", CALLBACK)
        unheard = ann.press(question, "A")
        await bot.quiet()
        before = len(server.requests)
        bob.press(question, "B")
        await bot.wait(30)
        await idle(bot, SILENCE - 31)
        assert unheard.kind is None
        assert server.requests[before:] == []
        await bot.wait(2)
        assert "of 2 got it right" in question.text


# Out of order


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("times", [1, 7])
async def test_a_question_that_does_not_get_through_comes_once_and_with_all_its_time(
    fault: str, times: int, server: Discord, clock: VirtualClock
) -> None:
    channel, (ann,) = study_group(server, "Ann")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        card = await study.choose()
        for _ in range(times):
            FAULTS[fault](server, "POST", SEND)
        await study.press(ann, "Start", card)
        # The first one sent is the start card.
        await comes(bot, lambda: any(call.status == 200 and not call.lost for call in server.calls("POST", SEND)[1:]))
        question = study.question
        await bot.wait(LIMIT - NOT_GIVEN_BACK - 1)
        assert "A" in question.buttons
        await study.answer(ann)
        await bot.wait(NOT_GIVEN_BACK + 1 + READING)
        assert "1 of 1 got it right" in question.text
        assert [text.split("\n")[0] for text in study.texts] == ["Colours", "Question 1 of 3", "Question 2 of 3"]
        assert len(server.calls("POST", SEND)) == 1 + times + 2


async def comes(bot: Playing, condition: Callable[[], bool]) -> None:
    """Let time pass until a condition holds, ten minutes at most."""
    for _ in range(600):
        if condition():
            return
        await bot.wait(1)
    raise AssertionError("it never comes about")


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_closing_that_does_not_get_through_comes_before_the_next_question(
    fault: str, server: Discord, clock: VirtualClock
) -> None:
    channel, (ann,) = study_group(server, "Ann")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        question = await study.begin()
        await study.answer(ann)
        await bot.wait(LIMIT - 1)
        for _ in range(6):
            FAULTS[fault](server, "PATCH", EDIT)
        await bot.shows(channel, "Question 2 of 3")
        assert "1 of 1 got it right" in question.text
        assert len(server.calls("PATCH", EDIT)) >= 7


@pytest.mark.parametrize("fault", FAULTS)
async def test_an_answer_that_does_not_get_through_counts_all_the_same(
    fault: str, server: Discord, clock: VirtualClock
) -> None:
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        question = await study.begin()
        FAULTS[fault](server, "POST", CALLBACK)
        press = ann.press(question, "A")
        await bot.wait(4)
        assert len(await bot.responses()) == 1
        assert press.kind in (None, Answer.MESSAGE)
        assert (await study.press(ann, "B", question)) == "You chose A; the first choice counts."
        assert (await study.press(bob, "A", question)).startswith(("✓", "✗"))
        await bot.wait(2)
        assert "2 answered" in question.text


async def test_an_answer_that_finds_the_server_busy_is_given_again_before_nobody_waits_for_it(
    server: Discord, clock: VirtualClock
) -> None:
    channel, (ann,) = study_group(server, "Ann")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        question = await study.begin()
        server.fail("POST", CALLBACK, 503)
        pressed = await bot.answer(ann.press(question, "A"))
        assert pressed.text.startswith(("✓", "✗"))
        assert took(pressed) == timedelta(seconds=1)


async def test_ten_minutes_in_which_discord_takes_nothing_costs_nobody_anything(
    server: Discord, clock: VirtualClock
) -> None:
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        first = await study.begin()
        await study.everyone((ann, bob))
        server.fail("*", "^/channels/", 503, times=10_000)
        await bot.wait(600)
        server.mend()
        second = await bot.shows(channel, "Question 2 of 3")
        assert "2 of 2 got it right" in first.text
        await bot.wait(LIMIT - 1)
        assert "A" in second.buttons
        assert all(text.startswith("✓ Right.") for text in await study.everyone((ann, bob)))
        assert not any("paused" in text for text in study.texts)


def took(press: Interaction) -> timedelta:
    assert press.answered_at is not None
    return press.answered_at - press.at
