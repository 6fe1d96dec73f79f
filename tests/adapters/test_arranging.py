"""What of a card stands together, in a chat of any platform."""

from __future__ import annotations

import pytest

from adapters.arranging import belongs, punctuated, split
from bot.messages import Block, Role


@pytest.mark.parametrize(
    ("before", "block", "together"),
    [
        (Block(Role.OPTION, "8", lead="A"), Block(Role.OPTION, "32", lead="B"), True),
        (Block(Role.FACT, "30 seconds"), Block(Role.FACT, "3 answered"), True),
        (Block(Role.LINE, "I do this."), Block(Role.LINE, "Help", lead="/help"), False),
        (Block(Role.TITLE, "Results"), Block(Role.REMARK, "Not translated"), True),
        (Block(Role.VERDICT, "Wrong."), Block(Role.NOTE, "Because", lead="C"), True),
        (Block(Role.NOTE, "Because", lead="C"), Block(Role.VERDICT, "Wrong."), False),
        (Block(Role.STEM, "Why?"), Block(Role.OPTION, "8", lead="A"), False),
    ],
)
def test_what_is_listed_and_what_follows_from_it_stand_together(before: Block, block: Block, *, together: bool) -> None:
    assert belongs(before, block) is together


@pytest.mark.parametrize(
    ("role", "lead", "said"),
    [
        (Role.OPTION, "A", "A."),
        (Role.STANDING, "🥇 1.", "🥇 1."),
        (Role.NOTE, "B", "B:"),
        (Role.LINE, "/help", "/help"),
        (Role.LINE, "•", "•"),
        (Role.LINE, "", ""),
    ],
)
def test_a_lead_ends_as_it_is_read(role: Role, lead: str, said: str) -> None:
    assert punctuated(Block(role, "text", lead=lead)) == said


@pytest.mark.parametrize(("count", "rows"), [(0, []), (1, [1]), (5, [5]), (6, [3, 3]), (11, [4, 4, 3]), (25, [5] * 5)])
def test_a_row_is_split_evenly(count: int, rows: list[int]) -> None:
    parts = split(range(count), 5)
    assert [len(part) for part in parts] == rows
    assert [number for part in parts for number in part] == list(range(count))
