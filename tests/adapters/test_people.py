"""Whatever people are called and write goes in as something that every database takes, and not without end."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.people import LONGEST_NAME, LONGEST_TEXT, called, written

ANYTHING = st.text(st.characters(exclude_categories=()) | st.sampled_from("\0\ud800\udfff\n\u202e\u2066 "))


@given(ANYTHING)
def test_a_name_is_one_line_that_can_be_stored(name: str) -> None:
    kept = called(name)
    assert kept.encode() is not None
    assert not set("\0\n\r") & set(kept)
    assert len(kept) <= LONGEST_NAME
    assert called(kept) == kept


@given(ANYTHING)
def test_what_is_written_can_be_stored(text: str) -> None:
    kept = written(text)
    with sqlite3.connect(":memory:") as database:
        assert database.execute("SELECT ?", [kept]).fetchone() == (kept,)
    database.close()
    assert "\0" not in kept
    assert written(kept) == kept


@pytest.mark.parametrize(
    "name", ["Анна-Мария", "Ștefan", "李 小龍", "🧑‍🚀", "فاطمة", "O'Brien (she/her) #1", "\u202edrow"]
)
def test_a_name_of_letters_stays_what_it_is(name: str) -> None:
    assert called(name) == name.replace("\u202e", "")


def test_what_is_endless_is_cut() -> None:
    assert len(called("x" * 100_000)) == LONGEST_NAME
    assert len(written("x" * 100_000)) == LONGEST_TEXT
