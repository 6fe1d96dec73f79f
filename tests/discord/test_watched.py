"""What whoever watches learns of Discord: how quickly people are answered, what was too much, whether it is there; and
from the log which session a fault is about, and never who."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from bot.vitals import Connection
from tests.clock import VirtualClock
from tests.core.building import LIMIT, READING
from tests.discord.conversing import CALLBACK, SEND, Study, on_the_clock, study_group
from tests.discord.playing import Playing, playing
from tests.discord.server import Discord
from tests.listening import listening
from tests.scraping import Since

ANN, BOB = "Ann-Kathrin Feldhaus", "Bobojon Rahimov"
DISCORD = "discord"


@pytest.fixture(autouse=True)
def _timed(clock: VirtualClock) -> Iterator[None]:
    with on_the_clock(clock):
        yield


async def test_an_answer_is_timed_from_when_discord_made_the_interaction(server: Discord, clock: VirtualClock) -> None:
    channel, (ann,) = study_group(server, ANN)
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        await study.begin()
        since = Since()
        hold = server.hold("POST", CALLBACK)
        pressed = ann.press(study.question, "A")
        await bot.quiet()
        clock.advance(1.5)
        hold.release()
        await bot.answer(pressed)
        await bot.quiet()
    assert since("acknowledgement_seconds_count", platform=DISCORD) == 1
    assert since("acknowledgement_seconds_sum", platform=DISCORD) == pytest.approx(1.5, abs=0.01)


async def test_every_request_that_is_too_much_is_counted_also_those_that_the_library_repeats(
    server: Discord, clock: VirtualClock
) -> None:
    channel, (ann,) = study_group(server, ANN)
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        card = await study.choose()
        since = Since()
        server.throttle("POST", SEND, 2.0, times=2)
        await study.press(ann, "Start", card)
        await bot.wait(6)
        assert study.question.text
    assert since("rate_limited_total", platform=DISCORD) == 2


async def test_a_connection_that_is_lost_makes_it_unreachable_until_it_is_there_again(
    server: Discord, clock: VirtualClock
) -> None:
    async with playing(server, clock) as bot:
        states = [_connection(bot)]
        server.gateway.refuse()
        server.gateway.drop()
        await server.until(lambda: not server.gateway.connected)
        await bot.quiet()
        states.append(_connection(bot))
        await bot.wait(60)
        states.append(_connection(bot))
    assert states == [Connection.CONNECTED, Connection.UNREACHABLE, Connection.CONNECTED]


def _connection(bot: Playing) -> Connection:
    return bot.service.vitals.platforms[DISCORD]


async def test_every_line_about_a_session_says_which_and_none_says_who(server: Discord, clock: VirtualClock) -> None:
    channel, (ann, bob) = study_group(server, ANN, BOB)
    with listening() as log:
        async with playing(server, clock) as bot:
            study = Study(bot, channel, ann)
            await study.begin()
            session = await bot.store.session(f"discord:#{channel.id}")
            assert session is not None
            server.fail("POST", CALLBACK, 400, 10062, "Unknown interaction")
            bob.press(study.question, "A")
            await bot.quiet()
            server.fail("POST", CALLBACK, 400, 50035, "Invalid Form Body", times=2)
            ann.press(study.question, "B")
            await bot.wait(LIMIT)
            server.fail("POST", SEND, 400, 50035, "Invalid Form Body", times=2)
            await bot.wait(LIMIT + READING)
            server.fail("POST", SEND, 403, 50007, "Cannot send messages to this user", times=2)
            await bot.answer(bob.slash(bob.direct, "quiz", at=None, quiz="colours"))
            await bot.wait(LIMIT + READING)
    for words in ("too late for interaction", "could not be answered", "was refused in chat"):
        assert session.id in {line.get("session") for line in log.about(words)}, words
        assert all("session" in line for line in log.about(words)), words
    for person in (ann, bob):
        for told in (str(person.id), person.name, *person.name.split()):
            assert not [line for line in log.lines if re.search(rf"\b{re.escape(told)}\b", str(line), re.IGNORECASE)], (
                told
            )
