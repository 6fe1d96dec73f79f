"""Drawing lots: every order is as likely as every other, pinned options stay, and a seed gives the same again."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from bot.core.quiz import Question
from bot.core.session import Actor, Pace
from bot.library import Library
from bot.presses import MOST_BYTES, Choose, dump, load
from bot.starting import draw, session_id, shuffled, started, usual_settings
from tests.core.building import plain_quiz, question, quiz_of

ANN = Actor("telegram:1", "Ann")
DRAWS = 1000


def with_last_pinned(name: str) -> Question:
    asked = question(name)
    return replace(asked, options=(*asked.options[:-1], replace(asked.options[-1], pinned=True)))


def test_the_right_option_comes_at_each_position_as_often() -> None:
    lots = Random(31)
    options = question("q").options
    places = Counter(shuffled(options, lots).index(0) for _ in range(DRAWS))
    assert set(places) == {0, 1, 2, 3}
    assert all(abs(count / DRAWS - 0.25) < 0.04 for count in places.values())


def test_a_pinned_option_stays_and_the_others_share_the_rest() -> None:
    lots = Random(32)
    options = with_last_pinned("q").options
    orders = [shuffled(options, lots) for _ in range(DRAWS)]
    assert {order[3] for order in orders} == {3}
    places = Counter(order.index(0) for order in orders)
    assert all(abs(count / DRAWS - 1 / 3) < 0.05 for count in places.values())


def test_every_question_is_drawn_once_and_each_position_as_often() -> None:
    quiz, lots = plain_quiz(4), Random(33)
    orders = [tuple(drawn.question for drawn in draw(quiz, lots)) for _ in range(DRAWS)]
    assert all(sorted(order) == [0, 1, 2, 3] for order in orders)
    places = Counter(order.index(0) for order in orders)
    assert all(abs(count / DRAWS - 0.25) < 0.04 for count in places.values())


def test_each_question_has_an_order_of_its_own_options() -> None:
    quiz = quiz_of(question("two", options=2), question("ten", options=10))
    for drawn in draw(quiz, Random(34)):
        assert sorted(drawn.options) == list(range(len(quiz.questions[drawn.question].options)))


def test_the_same_seed_draws_the_same() -> None:
    quiz = plain_quiz(5)
    assert draw(quiz, Random(7)) == draw(quiz, Random(7))
    assert draw(quiz, Random(7)) != draw(quiz, Random(8))


def test_a_session_is_called_the_same_however_often_its_update_comes() -> None:
    assert session_id("telegram:update:1") == session_id("telegram:update:1") == "z5EFxuyH12Y"
    names = {session_id(f"update {number}") for number in range(DRAWS)}
    assert len(names) == DRAWS
    assert {len(name) for name in names} == {11}


def test_the_name_of_a_session_fits_into_the_data_of_a_button() -> None:
    press = Choose(session_id("telegram:update:1"), question=999, option=9)
    assert len(dump(press).encode()) <= MOST_BYTES
    assert load(dump(press)) == press


@pytest.mark.parametrize(("private", "pace"), [(True, Pace.RELAXED), (False, Pace.STEADY)])
def test_alone_there_is_no_clock_and_among_others_there_is(private: bool, pace: Pace) -> None:
    settings = usual_settings(plain_quiz(5), private=private)
    assert (settings.pace, settings.count) == (pace, 5)


def test_a_start_names_quiz_place_and_person_and_brings_its_draw() -> None:
    quiz = plain_quiz()
    edition = Library([quiz]).edition("colours")
    assert edition is not None
    event = started(edition, ANN, "update 1", Random(1), private=False, card=True)
    assert (event.key, event.quiz, event.by) == (session_id("update 1"), edition.digest, ANN)
    assert event.draw == draw(quiz, Random(1))
    assert event.settings == usual_settings(quiz, private=False)
    assert (event.private, event.card) == (False, True)
