"""Drawing lots: every order is as likely as every other, pinned options stay, and a seed gives the same again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from bot.core.quiz import Question, Quiz
from bot.core.session import Actor, Drawn, Pace
from bot.library import Library
from bot.presses import MOST_BYTES, Choose, dump, load
from bot.starting import draw, session_id, started, usual_settings
from tests.core.building import plain_quiz, question, quiz_of

ANN = Actor("telegram:1", "Ann")
DRAWS = 1000


def pinned(asked: Question, position: int) -> Question:
    options = list(asked.options)
    options[position] = replace(options[position], pinned=True)
    return replace(asked, options=tuple(options))


def draws(quiz: Quiz, seed: int) -> list[tuple[Drawn, ...]]:
    lots = Random(seed)
    return [draw(quiz, lots) for _ in range(DRAWS)]


def option_orders(asked: Question, seed: int) -> list[tuple[int, ...]]:
    return [drawn.options for (drawn,) in draws(quiz_of(asked), seed)]


def each_as_often(found: Iterable[object], among: Sequence[object]) -> bool:
    """Whether each of these, and nothing else, is found as often as every other, give or take 4 % of all draws."""
    times = Counter(found)
    return set(times) == set(among) and all(abs(times[one] / DRAWS - 1 / len(among)) <= 0.04 for one in among)


@pytest.mark.parametrize("option", range(4))
def test_every_option_comes_at_each_position_as_often(option: int) -> None:
    orders = option_orders(question("q"), seed=31)
    assert each_as_often((order.index(option) for order in orders), range(4))


def test_every_order_of_options_comes_as_often() -> None:
    orders = option_orders(question("q", options=3), seed=32)
    assert each_as_often(orders, list(permutations(range(3))))


def test_an_option_pinned_last_stays_last_and_the_others_share_the_rest() -> None:
    orders = option_orders(pinned(question("q"), 3), seed=33)
    assert {order[3] for order in orders} == {3}
    assert all(each_as_often((order.index(option) for order in orders), range(3)) for option in range(3))


def test_an_option_pinned_in_between_stays_there_and_the_others_change_over_it() -> None:
    orders = option_orders(pinned(question("q"), 1), seed=34)
    assert {order[1] for order in orders} == {1}
    assert all(each_as_often((order.index(option) for order in orders), (0, 2, 3)) for option in (0, 2, 3))


def test_every_question_is_drawn_once_and_comes_at_each_position_as_often() -> None:
    orders = [tuple(drawn.question for drawn in drawing) for drawing in draws(plain_quiz(4), seed=35)]
    assert all(sorted(order) == [0, 1, 2, 3] for order in orders)
    assert all(each_as_often((order.index(asked) for order in orders), range(4)) for asked in range(4))


def test_where_the_right_option_is_in_one_question_says_nothing_about_the_next() -> None:
    drawings = draws(plain_quiz(2), seed=36)
    steps = ((second.options.index(0) - first.options.index(0)) % 4 for first, second in drawings)
    assert each_as_often(steps, range(4))


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
