"""Questions with several right options: select, then send."""

from __future__ import annotations

import pytest

from bot.core.effects import Noted, Reason, Selected, Told, Verdict
from bot.core.events import Chosen, Sent, Toggled
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


def choose(room: Room, by: Actor, *options: int) -> Decision:
    return room.feed(Chosen(room.key(), by, room.session.id, room.session.at, options, room.now))


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


# All at once


def test_options_that_are_chosen_at_once_take_the_place_of_those_before_and_count_once_they_are_sent() -> None:
    room = started()
    replies = [choose(room, ANN, *options).reply for options in ((1, 3), (2, 0), ())]
    assert replies == [Selected(FIRST, chosen) for chosen in ((1, 3), (0, 2), ())]
    assert room.session.answered == room.session.players == 0
    assert room.responses == []
    choose(room, ANN, 2, 0)
    assert send(room, ANN).reply == Verdict(FIRST, (0, 2), right=True, points=100, quiz="digest")


def test_an_option_that_is_chosen_twice_is_chosen_once() -> None:
    assert choose(started(), ANN, 2, 2, 1).reply == Selected(FIRST, (1, 2))


def test_what_was_chosen_at_once_can_be_toggled_further_and_the_other_way_round() -> None:
    room = started()
    choose(room, ANN, 0, 1)
    assert toggle(room, ANN, 1).reply == Selected(FIRST, (0,))
    assert choose(room, ANN, 3).reply == Selected(FIRST, (3,))
    assert send(room, ANN).reply == Verdict(FIRST, (3,), right=False, points=0, quiz="digest")


def test_a_choice_that_comes_again_later_brings_nothing_back() -> None:
    room = started()
    first = Chosen(room.key(), ANN, room.session.id, 0, (0, 2), room.now)
    room.feed(first)
    choose(room, ANN, 1)
    assert room.feed(first).reply == Selected(FIRST, (1,))


def test_choices_are_remembered_only_so_far_back() -> None:
    room = started()
    for _ in range(TOGGLES_REMEMBERED + 6):
        choose(room, ANN, 1)
    player = room.player("ann")
    assert player is not None
    assert len(player.toggles) == TOGGLES_REMEMBERED


@pytest.mark.parametrize("options", [(-1,), (4,), (0, 4), (99_999, 0)])
def test_a_choice_with_a_made_up_option_is_refused_whole(options: tuple[int, ...]) -> None:
    room = started()
    assert choose(room, ANN, *options).reply == Told(Reason.INVALID)
    assert room.player("ann") is None
    choose(room, BOB, 1)
    assert choose(room, BOB, *options).reply == Told(Reason.INVALID)
    assert send(room, BOB).reply == Verdict(FIRST, (1,), right=False, points=0, quiz="digest")


def test_nothing_is_chosen_at_once_of_a_question_with_one_right_option() -> None:
    room = Room()
    room.start()
    assert choose(room, ANN, 0).reply == Told(Reason.INVALID)
    assert send(room, ANN).reply == Told(Reason.NOTHING_SELECTED)


def test_a_choice_after_the_answer_or_the_close_changes_nothing() -> None:
    room = started()
    choose(room, ANN, 1)
    send(room, ANN)
    assert choose(room, ANN, 0, 2).reply == Noted(FIRST, (1,), again=True)
    room.wait(LIMIT)
    assert choose(room, BOB, 0, 2).reply == Told(Reason.LATE)
    assert [response.options for response in room.responses] == [(1,)]


def test_a_choice_never_lands_on_the_next_question() -> None:
    room = started()
    choose(room, ANN, 2)
    room.wait(LIMIT + READING)
    assert send(room, ANN).reply == Told(Reason.NOTHING_SELECTED)
    assert toggle(room, ANN, 1).reply == Selected(Drawn(1, (0, 1, 2, 3)), (1,))


def test_a_stranger_chooses_nothing_in_a_private_session() -> None:
    room = Room(quiz_of(question("two", right=[0, 2])))
    room.start(private=True)
    assert choose(room, BOB, 0).reply == Told(Reason.NOT_ALLOWED)
