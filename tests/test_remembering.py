"""A memory that is full forgets what was set longest ago, and nothing else."""

from __future__ import annotations

from bot.remembering import Remembered


def _full() -> Remembered[str, int]:
    remembered: Remembered[str, int] = Remembered(3)
    for number, key in enumerate("abc"):
        remembered[key] = number
    return remembered


def test_what_fits_is_remembered() -> None:
    assert dict(_full()) == {"a": 0, "b": 1, "c": 2}


def test_of_more_than_fits_the_oldest_are_forgotten() -> None:
    remembered = _full()
    remembered["d"] = 3
    remembered.setdefault("e", 4)
    remembered.update(f=5)
    assert list(remembered.items()) == [("d", 3), ("e", 4), ("f", 5)]


def test_what_is_set_again_is_new_again_and_costs_nobody_their_place() -> None:
    remembered = _full()
    remembered["a"] = 9
    assert list(remembered.items()) == [("b", 1), ("c", 2), ("a", 9)]
    remembered["d"] = 3
    assert list(remembered) == ["c", "a", "d"]


def test_reading_makes_nothing_newer() -> None:
    remembered = _full()
    assert (remembered["a"], remembered.get("a"), remembered.setdefault("a", 7)) == (0, 0, 0)
    remembered["d"] = 3
    assert "a" not in remembered


def test_what_was_taken_out_leaves_room() -> None:
    remembered = _full()
    assert remembered.pop("b") == 1
    assert remembered.pop("b", None) is None
    remembered["d"] = 3
    assert list(remembered) == ["a", "c", "d"]
