"""A file that goes away, and a disk that takes its time: what players are told is durable, and none of them presses in
vain."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.ports import StoreError
from tests.engine.world import ANN, BOB, LIMIT, READING, opened, players


async def test_while_the_file_is_away_nothing_counts_and_when_it_is_back_everybody_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "quizbot.sqlite3"
    async with opened(path) as world:
        await world.start()
        path.rename(tmp_path / "away.sqlite3")
        with pytest.raises(StoreError, match="not there any more: put it back"):
            await world.answer(ANN)
        (tmp_path / "away.sqlite3").rename(path)
        await world.answer(ANN)
        await world.answer(BOB)
        await world.wait(LIMIT + READING)
        assert [(question, person) for question, person, _ in await world.responses()] == [
            (0, ANN.person),
            (0, BOB.person),
        ]
        assert (await world.stage())[0] == 1


async def test_a_disk_that_takes_its_time_makes_presses_wait_and_costs_none(tmp_path: Path) -> None:
    async with opened(tmp_path / "quizbot.sqlite3") as world:
        await world.start()
        presses = [await world.answering(person) for person in players(100)]
        world.driver.slow = asyncio.Event()
        before = world.driver.commits
        told = [world.engine.handle("test:1", press) for press in presses[:50]]
        await asyncio.sleep(0)
        later = [world.engine.handle("test:1", press) for press in presses[50:]]
        await asyncio.sleep(0)
        assert not any(future.done() for future in told + later)
        world.driver.slow.set()
        assert all(await asyncio.gather(*told, *later))
        assert len(await world.responses()) == 100
        assert world.driver.commits - before <= 3, "whoever waits shares a transaction"
