"""`quizbot run` as real processes: two with one token, and one that is told to stop while it answers."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.discord.conversing import CALLBACK
from tests.discord.running import SECRETS, database_busy, program, rows, serves
from tests.discord.server import Answer, Discord, Interaction
from tests.serving import check_log, posix, started

NAMES = ("Ann", "Bob", "Cem", "Dan")

pytestmark = posix


@pytest.fixture
async def discord() -> AsyncIterator[Discord]:
    """On the real clock, as the program is."""
    async with Discord() as server:
        yield server


# Two with one token


async def test_two_processes_with_one_token_answer_each_press_once_and_say_that_something_is_wrong(
    discord: Discord, tmp_path: Path
) -> None:
    ann = discord.person("Ann")
    channel = discord.guild("Study", ann).channel("quiz")
    programs = [program(tmp_path / name, discord) for name in ("one", "two")]
    async with started(programs[0]) as one, started(programs[1]) as two:
        await serves(one, discord)
        await serves(two, discord, 2)
        asked = [await ann.slash(channel, "quiz", quiz="rivers")]
        card = await channel.shows("Three questions about water.")
        asked.append(await ann.press(card, "Start"))
        # Of so many, one of the two comes too late to ten at least.
        asked += [await ann.slash(channel, "help") for _ in range(18)]
        await discord.called("POST", CALLBACK, 2 * len(asked))
        ran = [await serving.end(signal.SIGTERM) for serving in (one, two)]
    assert all(press.tries == 2 for press in asked)
    assert [sorted(answers(discord, press)) for press in asked] == [[200, 400]] * len(asked)
    assert [each.code for each in ran] == [0, 0]
    log = "".join(each.err for each in ran)
    assert "does another program use this token?" in log
    assert "Traceback" not in log
    for each in ran:
        check_log(each.err, *SECRETS)


def answers(discord: Discord, press: Interaction) -> list[int]:
    """The statuses of the callbacks of an interaction."""
    return [call.status for call in discord.calls("POST", rf"/interactions/{press.id}/")]


# Told to stop


@pytest.mark.parametrize("under_way", ["stored", "answered"])
async def test_told_to_stop_it_answers_whoever_has_pressed_and_says_good_bye(
    under_way: str, discord: Discord, tmp_path: Path
) -> None:
    people = discord.people(*NAMES)
    channel = discord.guild("Study", *people).channel("quiz")
    async with started(program(tmp_path, discord)) as serving:
        await serves(serving, discord)
        await people[0].slash(channel, "quiz", quiz="rivers")
        card = await channel.shows("Three questions about water.")
        await people[0].press(card, "Start")
        question = await channel.shows("Question 1 of 3")
        held = database_busy(tmp_path) if under_way == "stored" else discord.hold("POST", CALLBACK)
        with held as answering:
            presses = [person.press(question, "A") for person in people]
            await (answering.reached(len(people)) if answering else discord.gateway.heard())
            serving.process.send_signal(signal.SIGTERM)
            await serving.until("Stopping")
            await discord.until(lambda: not discord.gateway.connected)
        ran = await serving.end()
    assert [press.kind for press in presses] == [Answer.MESSAGE] * len(people)
    assert discord.gateway.sessions == {}
    assert (ran.out, ran.code) == ("", 0)
    assert ran.err.endswith("Stopped")
    assert " WARNING " not in ran.err
    assert rows(tmp_path, "SELECT count(*) FROM response") == [(len(people),)]
