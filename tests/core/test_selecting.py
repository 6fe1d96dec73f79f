"""Questions with several right options: select, then send."""

from __future__ import annotations

import pytest

from bot.core.effects import Noted, Reason, Selected, Told, Verdict
from bot.core.events import Sent, Toggled
from bot.core.pressing import TOGGLES_REMEMBERED
from bot.core.rules import Decision
from bot.core.session import Actor, Drawn
from tests.core.building import ANN, BOB, LIMIT, READING, Room, question, quiz_of

FIRST = Drawn(0, (0, 1, 2, 3))


def started() -> Room:
    room = Room(quiz_of(question("two", right=[0, 2]), question("three", right=[1, 2, 3]), question("one")))
    room.start()
    return room


def toggle(room: Room, by: Actor, option: int) -> Decision:
    return room.feed(Toggled(room.key(), by, room.session.id, room.session.at, option, room.now))


def send(room: Room, by: Actor) -> Decision:
    return room.feed(Sent(by, room.session.id, room.session.at, room.now))


def test_a_selection_grows_and_shrinks_and_counts_only_once_it_is_sent() -> None:
    room = started()
    replies = [toggle(room, ANN, option).reply for option in (2, 1, 0, 1)]
    assert replies == [Selected(FIRST, chosen) for chosen in ((2,), (1, 2), (0, 1, 2), (0, 2))]
    assert room.session.answered == room.session.players == 0
    assert send(room, ANN).reply == Verdict(FIRST, (0, 2), right=True, points=100, quiz="digest")
    assert room.session.tally == (1, 0, 1, 0)
    assert room.session.players == 1


@pytest.mark.parametrize("chosen", [(0,), (0, 1), (0, 1, 2), (1, 3)])
def test_a_part_of_the_key_or_more_than_it_is_wrong(chosen: tuple[int, ...]) -> None:
    room = started()
    for option in chosen:
        toggle(room, ANN, option)
    assert send(room, ANN).reply == Verdict(FIRST, chosen, right=False, points=0, quiz="digest")


def test_the_same_toggle_delivered_twice_is_one_toggle() -> None:
    room = started()
    event = Toggled(room.key(), ANN, room.session.id, 0, 2, room.now)
    assert room.feed(event).reply == room.feed(event).reply == Selected(FIRST, (2,))


def test_toggles_are_remembered_only_so_far_back() -> None:
    room = started()
    for _ in range(TOGGLES_REMEMBERED + 6):
        toggle(room, ANN, 1)
    player = room.player("ann")
    assert player is not None
    assert len(player.toggles) == TOGGLES_REMEMBERED


@pytest.mark.parametrize("emptied", [False, True])
def test_sending_nothing_is_no_answer(emptied: bool) -> None:
    room = started()
    if emptied:
        toggle(room, ANN, 1)
        toggle(room, ANN, 1)
    assert send(room, ANN).reply == Told(Reason.NOTHING_SELECTED)
    assert room.responses == []


def test_once_sent_nothing_can_be_selected_any_more() -> None:
    room = started()
    toggle(room, ANN, 1)
    send(room, ANN)
    assert toggle(room, ANN, 2).reply == Noted(FIRST, (1,), again=True)
    assert send(room, ANN).reply == Noted(FIRST, (1,), again=True)
    assert len(room.responses) == 1


def test_a_selection_never_lands_on_the_next_question() -> None:
    room = started()
    toggle(room, ANN, 2)
    room.wait(LIMIT + READING)
    assert send(room, ANN).reply == Told(Reason.NOTHING_SELECTED)
    assert toggle(room, ANN, 1).reply == Selected(Drawn(1, (0, 1, 2, 3)), (1,))


def test_people_select_apart_from_each_other() -> None:
    room = started()
    toggle(room, ANN, 0)
    assert toggle(room, BOB, 3).reply == Selected(FIRST, (3,))
    send(room, BOB)
    assert toggle(room, ANN, 2).reply == Selected(FIRST, (0, 2))


@pytest.mark.parametrize("option", [-1, 4, 99_999])
def test_a_made_up_option_is_refused(option: int) -> None:
    room = started()
    assert toggle(room, ANN, option).reply == Told(Reason.INVALID)
    assert room.player("ann") is None


def test_there_is_nothing_to_select_in_a_question_with_one_right_option() -> None:
    room = Room()
    room.start()
    assert toggle(room, ANN, 0).reply == Told(Reason.INVALID)
    assert send(room, ANN).reply == Told(Reason.NOTHING_SELECTED)


def test_a_selection_after_the_close_is_late() -> None:
    room = started()
    room.wait(LIMIT)
    assert toggle(room, ANN, 0).reply == Told(Reason.LATE)
    assert send(room, ANN).reply == Told(Reason.LATE)
