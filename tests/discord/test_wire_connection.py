"""The connection is lost in the middle of a quiz, in every way there is: the quiz goes on, and whoever presses counts.

What the library waits for by itself, before it connects again, passes on the test's clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.discord.client import MOST_LAUNCHES
from tests.clock import VirtualClock
from tests.core.building import LIMIT, READING
from tests.discord.conversing import Study, on_the_clock, study_group
from tests.discord.playing import Playing, playing
from tests.discord.server import Discord, Message
from tests.discord.talking import comes

CHOSEN = "You chose A; the first choice counts."
FIVE_MINUTES = 300


@pytest.fixture(autouse=True)
def _timed(clock: VirtualClock) -> Iterator[None]:
    with on_the_clock(clock):
        yield


async def away(server: Discord, bot: Playing) -> None:
    """Wait until nobody is connected."""
    await server.until(lambda: not server.gateway.connected)


async def back(bot: Playing, sessions: int = 1) -> None:
    """Let time pass until the bot is connected again, for as long as a start may take at most."""
    gateway = bot.server.gateway
    for _ in range(FIVE_MINUTES + 30):
        await bot.quiet()
        if len(gateway.connected) >= sessions:
            return
        await bot.wait(1)
    raise AssertionError(f"not connected: {len(gateway.connected)} of {sessions}")


async def steered(study: Study, question: Message) -> None:
    """The session can be answered and stopped as if nothing had been."""
    assert study.question is question
    assert (await study.answer(study.host)).startswith(("✓ Right.", "You chose"))
    await study.ask("stop")
    await study.bot.quiet()
    assert "Results" in study.last.text
    assert [text.split("\n")[0] for text in study.texts] == ["Colours", "Question 1 of 3", "Results — Colours"]


LOSSES: dict[str, Callable[[Discord], None]] = {
    **{str(code): lambda server, code=code: server.gateway.drop(code) for code in (4000, 4001, 4002, 4008)},  # type: ignore[misc]
    "1001": lambda server: server.gateway.drop(1001),
    "a wish to connect anew": lambda server: server.gateway.ask_to_reconnect(),
    "an invalid session that can be resumed": lambda server: server.gateway.invalidate(resumable=True),
}


@pytest.mark.parametrize("loss", LOSSES)
async def test_what_was_pressed_while_the_line_was_down_is_brought_after_it_and_counts(
    loss: str, server: Discord, clock: VirtualClock
) -> None:
    """Field case 9, with RESUME."""
    channel, (ann, bob, cem) = study_group(server, "Ann", "Bob", "Cem")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        question = await study.begin()
        LOSSES[loss](server)
        await away(server, bot)
        presses = [bob.press(question, "A"), cem.press(question, "B"), bob.press(question, "C")]
        await back(bot)
        told = await study.told(presses)
        assert told[0].startswith(("✓", "✗"))
        assert told[1].startswith(("✓", "✗"))
        assert told[2] == CHOSEN
        assert server.gateway.identified == 1
        assert server.gateway.resumed == 1
        assert len(await bot.responses()) == 2
        await steered(study, question)


async def test_pressed_too_long_before_the_line_was_back_it_counts_and_nobody_hears(
    server: Discord, clock: VirtualClock
) -> None:
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        question = await study.begin()
        server.gateway.refuse()
        server.gateway.drop()
        await away(server, bot)
        press = bob.press(question, "A", at=clock.now() - timedelta(seconds=4))
        await back(bot)
        assert server.gateway.resumed == 1
        assert press.failed
        assert (await study.press(bob, "B", question)) == CHOSEN
        assert [call.answer["code"] for call in server.calls("POST", rf"/interactions/{press.id}/")] == [10062]
        await steered(study, question)


async def test_after_an_invalid_session_what_was_pressed_meanwhile_is_lost_and_people_press_again(
    server: Discord, clock: VirtualClock
) -> None:
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        question = await study.begin()
        server.gateway.invalidate()
        await away(server, bot)
        lost = bob.press(question, "A")
        await back(bot)
        await bot.quiet()
        assert lost.kind is None
        assert await bot.responses() == []
        assert (await study.press(bob, "A", question)).startswith(("✓", "✗"))
        assert server.gateway.identified == 2
        await steered(study, question)


@pytest.mark.parametrize("resumable", [True, False])
async def test_a_question_closes_in_time_while_nothing_comes_in(
    resumable: bool, server: Discord, clock: VirtualClock
) -> None:
    """The way out is another than the way in."""
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        question = await study.begin()
        await study.answer(ann)
        server.gateway.refuse(times=2)
        server.gateway.drop(resumable=resumable)
        await away(server, bot)
        await bot.wait(LIMIT)
        assert "1 of 1 got it right" in question.text
        await bot.wait(READING)
        await back(bot)
        assert (await study.answer(bob)).startswith("✓ Right.")


@pytest.mark.parametrize("code", [4003, 4005, 4007, 4009, 4010, 4011, 4012, 1000])
async def test_whatever_the_gateway_closes_with_the_bot_comes_back(
    code: int, server: Discord, clock: VirtualClock
) -> None:
    """Some of it the library does not survive: then a fresh client begins anew."""
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    async with playing(server, clock, supervised=True) as bot:
        study = Study(bot, channel, ann)
        question = await study.begin_relaxed()
        server.gateway.drop(code, resumable=False)
        await away(server, bot)
        await back(bot)
        assert (await study.answer(bob)).startswith("✓ Right.")
        await steered(study, question)


async def test_a_first_handshake_that_fails_again_and_again_is_followed_by_a_fresh_client(
    server: Discord, clock: VirtualClock, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    """What has to be shown meanwhile is shown, for only the way in is barred."""
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    path = tmp_path / "quizbot.sqlite3"
    async with playing(server, clock, path=path) as bot:
        question = await Study(bot, channel, ann).begin_relaxed()
    server.gateway.refuse(times=2 * MOST_LAUNCHES)
    logins = len(server.calls("GET", "/users/@me$"))
    async with playing(server, clock, path=path, supervised=True, serves=False) as bot:
        await back(bot)
        assert len(server.calls("GET", "/users/@me$")) - logins == 3
        assert caplog.text.count("it is started again in") == 2
        study = Study(bot, channel, ann)
        assert (await study.answer(bob)).startswith("✓ Right.")
        await steered(study, question)


@pytest.mark.parametrize(
    ("code", "advice"), [(4004, "Reset Token"), (4013, "refuses the intents"), (4014, "refuses the intents")]
)
async def test_a_gateway_that_closes_for_good_in_the_middle_of_a_quiz_ends_the_bot_and_the_quiz_waits_for_the_next(
    code: int, advice: str, server: Discord, clock: VirtualClock, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    path = tmp_path / "quizbot.sqlite3"
    async with playing(server, clock, path=path, supervised=True) as bot:
        study = Study(bot, channel, ann)
        question = await study.begin_relaxed()
        server.gateway.drop(code)
        await comes(bot.task.done)
        assert advice in caplog.text
        assert "discord is not served any more" in caplog.text
        assert server.gateway.connected == []
        requests = len(server.requests)
        await bot.wait(60)
        assert len(server.requests) == requests
    async with playing(server, clock, path=path) as bot:
        study = Study(bot, channel, ann)
        assert (await study.answer(bob)).startswith("✓ Right.")
        await steered(study, question)
