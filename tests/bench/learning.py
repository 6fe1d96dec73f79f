"""What learning costs: leaderboards as they grow, score rows, practice, pictures. Puts the parts together."""

from __future__ import annotations

from pathlib import Path

from tests.bench import learning_boards, learning_pictures, learning_practice, learning_writing


async def measure(folder: Path) -> None:
    """Measure everything, and print the figures of each part when they are there."""
    await learning_boards.sizes(folder)
    fresh = (folder / f"writing-{number}.sqlite3" for number in range(10_000))
    learning_writing.report(await learning_writing.measure(fresh))
    learning_practice.report(await learning_practice.measure(folder))
    learning_pictures.report(await learning_pictures.measure(folder))
