"""One person has so much under way and no more, however much they ask; others have their own."""

from __future__ import annotations

import pytest

from adapters import crowding
from adapters.crowding import MOST_OF_ONE, Crowd


def filled(crowd: Crowd, person: str, number: int) -> None:
    for _ in range(number):
        crowd.enter(person)


def test_one_person_has_so_much_under_way_and_no_more() -> None:
    crowd = Crowd()
    filled(crowd, "ann", MOST_OF_ONE - 1)
    assert crowd.has_room("ann")
    crowd.enter("ann")
    assert not crowd.has_room("ann")
    crowd.leave("ann")
    assert crowd.has_room("ann")


def test_others_have_room_of_their_own() -> None:
    crowd = Crowd()
    filled(crowd, "ann", MOST_OF_ONE)
    assert crowd.has_room("bob")


def test_whoever_has_no_room_is_told_so_for_a_while_and_then_no_more() -> None:
    crowd = Crowd()
    filled(crowd, "ann", 2 * MOST_OF_ONE - 1)
    assert crowd.has_time("ann")
    crowd.enter("ann")
    assert not crowd.has_time("ann")


def test_all_together_have_an_end_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowding, "MOST_OF_ALL", 3)
    crowd = Crowd()
    for person in ("ann", "bob", "cat"):
        assert crowd.has_room(person)
        crowd.enter(person)
    assert not crowd.has_room("dan")
    assert not crowd.has_time("dan")
    crowd.leave("bob")
    assert crowd.has_room("dan")


def test_what_fails_has_ended_and_nobody_is_remembered() -> None:
    crowd = Crowd()

    def failing() -> None:
        with crowd.inside("ann"):
            assert len(crowd) == 1
            raise ValueError("a bug")

    with pytest.raises(ValueError, match="a bug"):
        failing()
    assert len(crowd) == 0
    assert crowd.has_room("bob")
    assert len(crowd) == 0
