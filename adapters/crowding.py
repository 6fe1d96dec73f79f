"""How much of one person, and of all people, is under way at once: who asks for more is not heard until some is done.

So a flood fills no memory, and nobody waits for more than a few things of each person before them. Knows no platform,
and nothing of what is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

MOST_OF_ONE = 20
"""Far more than anybody means, be it with a slow database and quick fingers."""

MOST_OF_ALL = 20_000
"""Some kilobytes each: a thousand people with twenty each, or twenty thousand with one."""


class Crowd:
    """Counts what is under way, by whom."""

    def __init__(self) -> None:
        self._under_way: Counter[str] = Counter()
        self._all = 0

    def __len__(self) -> int:
        """Of how many people something is under way."""
        return len(self._under_way)

    def has_room(self, person: str) -> bool:
        """Whether another thing of this person may begin."""
        return self._fits(person, MOST_OF_ONE)

    def has_time(self, person: str) -> bool:
        """Whether somebody for whom there is no room can still be told so: that takes a moment as well."""
        return self._fits(person, 2 * MOST_OF_ONE)

    def _fits(self, person: str, most: int) -> bool:
        return self._all < MOST_OF_ALL and self._under_way[person] < most

    def enter(self, person: str) -> None:
        """Something of this person begins."""
        self._under_way[person] += 1
        self._all += 1

    def leave(self, person: str) -> None:
        """It has ended."""
        self._all -= 1
        self._under_way[person] -= 1
        if not self._under_way[person]:
            del self._under_way[person]

    @contextmanager
    def inside(self, person: str) -> Iterator[None]:
        """Something of this person, from its beginning to its end."""
        self.enter(person)
        try:
            yield
        finally:
            self.leave(person)
