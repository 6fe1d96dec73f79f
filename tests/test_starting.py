"""Drawing lots: every order is as likely as every other, what a chat has not seen comes first, and a seed gives the
same again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import groupby, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.boards import Served
from bot.core.quiz import Question, QuestionRef, Quiz
from bot.core.session import Actor, Drawn, Pace
from bot.library import Library
from bot.presses import MOST_BYTES, Choose, dump, load
from bot.starting import draw, session_id, started, usual_settings
from tests.core.building import NOON, plain_quiz, question, quiz_of

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


# What a chat has seen

COUNTS = st.integers(0, 4)
FARED = st.dictionaries(
    st.integers(0, 11), st.tuples(COUNTS, COUNTS, st.integers(0, 3)).map(lambda fared: (max(fared[:2]), *fared[1:]))
)
"""Of some of twelve questions: how many answered, how many of them right, and how many days ago that was."""


def fared(quiz: Quiz, given_: Mapping[int, tuple[int, int, int]]) -> dict[QuestionRef, Served]:
    refs = {number: quiz.ref(quiz.questions[number]) for number in given_}
    return {
        refs[number]: Served("c", refs[number], answered, min(right, answered), NOON - timedelta(days=ago))
        for number, (answered, right, ago) in given_.items()
    }


def order(quiz: Quiz, served: Mapping[QuestionRef, Served], seed: int = 1) -> list[str]:
    return [quiz.questions[drawn.question].id for drawn in draw(quiz, Random(seed), served)]


@given(FARED, st.integers())
def test_every_question_is_drawn_once_and_the_unseen_come_before_the_seen(
    given_: Mapping[int, tuple[int, int, int]], seed: int
) -> None:
    quiz = plain_quiz(12)
    served = fared(quiz, given_)
    drawn = order(quiz, served, seed)
    assert sorted(drawn) == sorted(asked.id for asked in quiz.questions)
    seen = [QuestionRef("colours", name) in served for name in drawn]
    assert seen == sorted(seen)


@given(FARED, st.integers())
def test_of_those_seen_the_ones_missed_most_come_first_and_of_equals_those_of_longest_ago(
    given_: Mapping[int, tuple[int, int, int]], seed: int
) -> None:
    quiz = plain_quiz(12)
    served = fared(quiz, given_)
    seen = [served[ref] for name in order(quiz, served, seed) if (ref := QuestionRef("colours", name)) in served]
    right = [each.right / each.answered if each.answered else 0.0 for each in seen]
    assert right == sorted(right)
    for _, equals in groupby(zip(right, seen, strict=True), lambda each: each[0]):
        times = [each.at for _, each in equals]
        assert times == sorted(times)


def test_a_question_that_nobody_answered_was_missed_by_everybody() -> None:
    quiz = plain_quiz(3)
    assert order(quiz, fared(quiz, {0: (9, 1, 0), 1: (0, 0, 0), 2: (9, 0, 1)})) == ["q2", "q1", "q0"]


def test_the_unseen_and_those_that_fared_alike_come_in_any_order() -> None:
    quiz = plain_quiz(6)
    served = fared(quiz, dict.fromkeys((0, 1, 2), (2, 1, 0)))
    orders = {tuple(order(quiz, served, seed)) for seed in range(500)}
    assert {found[:3] for found in orders} == set(permutations(("q3", "q4", "q5")))
    assert {found[3:] for found in orders} == set(permutations(("q0", "q1", "q2")))


@given(st.integers(1, 12), st.integers(1, 12), st.integers())
def test_session_after_session_every_question_is_served_before_one_comes_again(
    questions: int, count: int, seed: int
) -> None:
    quiz, lots = plain_quiz(questions), Random(seed)
    served: dict[QuestionRef, Served] = {}
    asked: list[str] = []
    while len(asked) < questions:
        for drawn in draw(quiz, lots, served)[: min(count, questions)]:
            ref = quiz.ref(quiz.questions[drawn.question])
            asked.append(ref.question)
            answered = lots.randrange(4)
            served[ref] = Served("c", ref, answered, lots.randint(0, answered), NOON)
    assert len(set(asked[:questions])) == questions


def test_a_mix_goes_by_what_its_questions_are_called_in_their_own_quizzes() -> None:
    library = Library([plain_quiz(2), replace(plain_quiz(2), slug="rivers")])
    mix = library.mix(plain_quiz().title, library.blend(["colours", "rivers"]), ["colours", "rivers"])
    assert mix is not None
    colours = fared(plain_quiz(2), {0: (1, 1, 0), 1: (1, 0, 0)})
    assert order(mix.quiz, colours)[2:] == ["colours/q1", "colours/q0"]


@pytest.mark.parametrize(("questions", "count"), [(3, 3), (10, 10), (11, 10), (60, 10)])
def test_a_mix_asks_ten_questions_where_nobody_has_chosen_how_many(questions: int, count: int) -> None:
    library = Library([plain_quiz(questions)])
    mix = library.mix(plain_quiz().title, library.blend(["colours"]), ["colours"])
    assert mix is not None
    assert usual_settings(mix.quiz, private=False).count == count
    assert usual_settings(plain_quiz(questions), private=False).count == questions


# Starting


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
