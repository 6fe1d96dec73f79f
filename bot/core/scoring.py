"""Points and standings. Knows nothing of chats, messages or time zones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from bot.core.session import Player

POINT = 100
"""Points are kept in hundredths, so that a speed bonus adds up exactly."""

BEST_BONUS = POINT // 2


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings. Equal points share a rank, and the next rank counts them: 1, 2, 2, 4."""

    rank: int
    person: str
    name: str
    points: int
    right: int
    answered: int
    taken: int


def points(*, right: bool, left: timedelta, limit: timedelta | None) -> int:
    """Hundredths for one response: a point if right, and with a `limit` up to half a point for the time left of it."""
    if not right:
        return 0
    if limit is None:
        return POINT
    share = min(max(left / limit, 0.0), 1.0)
    return POINT + int(BEST_BONUS * share)


def standings(players: Iterable[Player]) -> tuple[Standing, ...]:
    """Everyone who responded at least once, most points first; ties in the order of names, which ranks do not show."""
    playing = [player for player in players if player.answered]
    playing.sort(key=lambda player: (-player.points, player.name.casefold(), player.person))
    lines: list[Standing] = []
    for place, player in enumerate(playing, 1):
        tied = bool(lines) and lines[-1].points == player.points
        lines.append(
            Standing(
                rank=lines[-1].rank if tied else place,
                person=player.person,
                name=player.name,
                points=player.points,
                right=player.right,
                answered=player.answered,
                taken=player.taken,
            )
        )
    return tuple(lines)
