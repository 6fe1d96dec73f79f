"""Practising: where it is done, what is said before it and when there is nothing, and how it went."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot import present
from bot.core.effects import Ended, Post, Reminded
from bot.core.session import Ending, Result
from bot.messages import Block, Card, Link, Role
from bot.present import post
from bot.presses import Browse, Personal, Practise, ShowStats, dump, load
from bot.words import languages
from tests.present.plain import buttons, plain
from tests.present.sample import QUIZ, quiz_of, result, same
from tests.present.scenes import PRACTISED

every_language = pytest.mark.parametrize("language", languages())

WRONG_BATCH, WRONG_LAYERS = result(0, 0, 1, 0, 0, answered=1, right=0), result(1, 1, 0, 0, answered=1, right=0)
RIGHT_BATCH, RIGHT_LAYERS = result(0, 1, 0, 0, 0, answered=1, right=1), result(1, 1, 1, 0, answered=1, right=1)
RIGHT_SUM, LET_PASS = result(2, 1, 0, answered=1, right=1), result(2, 0, 0, answered=0, right=0)


def _said(card: Card, role: Role = Role.LINE) -> list[str]:
    return [block.text for block in card.blocks if block.role is role]


def _missed(card: Card) -> list[Block]:
    return [block for block in card.blocks if block.lead]


def _end(*results: Result, ending: Ending = Ending.COMPLETED) -> Card:
    return post(replace(PRACTISED, results=results, total=len(results), ending=ending), QUIZ, "en")


# Where


def test_practising_in_private_is_a_link_or_else_explained() -> None:
    linked, explained = (present.practise_in_private("en", link) for link in ("https://example.org", None))
    assert linked.buttons == ((Link("Open the private chat", "https://example.org"),),)
    assert "/practice" not in plain(linked)
    assert not explained.buttons
    assert "send /practice there" in plain(explained)


# What comes


@pytest.mark.parametrize(
    ("reviews", "new", "said"),
    [
        (7, 3, "Practice: 7 reviews, 3 new questions."),
        (1, 0, "Practice: 1 review."),
        (0, 1, "Practice: 1 new question."),
    ],
)
def test_what_comes_is_said_and_nothing_of_what_does_not(reviews: int, new: int, said: str) -> None:
    assert _said(present.practice_begins("en", reviews, new)) == [said]


@every_language
def test_practising_has_a_title_in_every_language_and_that_of_its_quiz_beside_it(language: str) -> None:
    everything, one = present.practice_title(), present.practice_title(QUIZ)
    assert everything.speaks(language)
    assert one[language] == f"{everything[language]}: {QUIZ.title[language]}"


def test_a_title_that_shows_nothing_or_runs_backwards_does_no_harm() -> None:
    titles = [present.practice_title(quiz_of(*QUIZ.questions, title=same(name))) for name in ("\u200b", "דנה")]
    assert [title["en"] for title in titles] == ["Practice: \u200b", "Practice: \u2068דנה\u2069"]


# When there is nothing


@pytest.mark.parametrize(
    ("upcoming", "said"),
    [
        ((1, 1), "Next: 1 review tomorrow."),
        ((3, 1), "Next: 3 reviews tomorrow."),
        ((3, 2), "Next: 3 reviews in 2 days."),
        ((1, 365), "Next: 1 review in 365 days."),
    ],
)
def test_what_comes_next_and_when_is_said(upcoming: tuple[int, int], said: str) -> None:
    assert _said(present.nothing_to_practise("en", (), upcoming=upcoming)) == ["Nothing is due today.", said]


def test_where_nothing_comes_next_nothing_is_said_of_it() -> None:
    assert _said(present.nothing_to_practise("en", ())) == ["Nothing is due today."]


def test_of_one_quiz_nothing_is_due_but_there_may_be_something_else() -> None:
    card = present.nothing_to_practise("en", (), quiz=QUIZ)
    assert _said(card) == ["Nothing of “Gradient accumulation” is due today."]
    assert [button.press for button in card.all_buttons] == [Practise(), ShowStats()]


def test_whoever_is_reminded_already_is_not_asked_whether_they_want_it() -> None:
    asked, silent = (present.nothing_to_practise("en", (), reminders=wanted) for wanted in (True, False))
    evening = Personal("reminders", "evening")
    assert evening in [button.press for button in asked.all_buttons]
    assert evening not in [button.press for button in silent.all_buttons]


@pytest.mark.parametrize("count", [0, 1, 4, 5, 8, 9, 30])
@pytest.mark.parametrize("say", [present.nothing_to_practise, present.first_practice])
@every_language
def test_at_most_eight_quizzes_are_offered_and_each_can_be_practised(say: object, count: int, language: str) -> None:
    assert callable(say)
    quizzes = [replace(QUIZ, slug=f"quiz-{number}") for number in range(count)]
    card: Card = say(language, quizzes)
    offered = [button.press for button in card.all_buttons if isinstance(button.press, Practise)]
    assert offered == [Practise(f"quiz-{number}") for number in range(min(count, 8))]
    assert len([block for block in card.blocks if block.lead]) == len(offered)
    assert ("/quizzes" in plain(card)) == (count > 8)
    assert all(0 < len(row) <= 4 for row in buttons(card))
    assert all(load(dump(button.press)) == button.press for button in card.all_buttons)


def test_without_any_quiz_there_is_nothing_to_begin_with() -> None:
    assert _said(present.first_practice("en", ())) == ["There is no quiz here yet."]


def test_a_quiz_that_there_is_not_leads_to_practising_those_that_are_called_much_like_it() -> None:
    near = present.no_such_practice("en", "gradients", [QUIZ])
    assert near.blocks == present.no_such_quiz("en", "gradients", [QUIZ]).blocks
    assert [button.press for button in near.all_buttons] == [Practise(QUIZ.slug)]
    assert [button.press for button in present.no_such_practice("en", "x", []).all_buttons] == [Browse()]


# How it went


def test_the_score_counts_how_each_question_went_the_first_time() -> None:
    card = _end(WRONG_BATCH, WRONG_LAYERS, RIGHT_SUM, RIGHT_SUM, WRONG_BATCH, RIGHT_LAYERS, RIGHT_BATCH)
    assert _said(card)[0] == "You got 1 of 3 right the first time."


def test_what_was_missed_is_listed_once_under_its_first_number() -> None:
    card = _end(RIGHT_SUM, WRONG_BATCH, WRONG_LAYERS, WRONG_BATCH, RIGHT_LAYERS, RIGHT_BATCH)
    assert [(block.lead, block.tail) for block in _missed(card)] == [
        ("2.", "Right answer: B. 32"),
        ("3.", "Right answers: A. GroupNorm; C. LayerNorm"),
    ]
    assert _said(card, Role.REMARK) == ["What you missed comes back until you know it."]


def test_without_a_mistake_that_is_said_and_nothing_listed() -> None:
    card = _end(RIGHT_BATCH, RIGHT_SUM)
    assert _said(card) == ["You got 2 of 2 right the first time.", "Not one mistake!"]
    assert not _missed(card) + _said(card, Role.REMARK)


def test_what_was_let_pass_with_next_is_missed() -> None:
    card = _end(RIGHT_BATCH, LET_PASS)
    assert "You got 1 of 2 right" in plain(card)
    assert [block.lead for block in _missed(card)] == ["2."]


@pytest.mark.parametrize("ending", [Ending.STOPPED, Ending.EXPIRED])
def test_the_question_that_was_open_at_the_end_counts_for_nothing(ending: Ending) -> None:
    assert "You got 1 of 2 right" in plain(_end(RIGHT_BATCH, WRONG_LAYERS, LET_PASS, ending=ending))
    assert "No question was answered." in plain(_end(LET_PASS, ending=ending))
    assert "You got 1 of 2 right" in plain(_end(RIGHT_BATCH, WRONG_LAYERS, ending=ending))


def test_how_it_came_to_its_end_is_said_where_that_was_early() -> None:
    early = {ending: _said(_end(RIGHT_SUM, ending=ending))[0] for ending in Ending}
    assert early[Ending.COMPLETED].startswith("You got")
    assert early[Ending.STOPPED] == "Stopped early; what was left waits for you."
    assert early[Ending.EXPIRED] == "Nothing happened for a day, so practising has ended."


@every_language
def test_after_practising_one_can_go_on_see_how_one_does_or_be_reminded(language: str) -> None:
    card = post(PRACTISED, QUIZ, language)
    assert [button.press for button in card.all_buttons] == [Practise(), ShowStats(), Personal("reminders", "evening")]


def test_at_the_end_whoever_is_reminded_already_is_not_asked_whether_they_want_it() -> None:
    card = post(replace(PRACTISED, reminded=True), QUIZ, "en")
    assert [button.press for button in card.all_buttons] == [Practise(), ShowStats()]


def test_practising_has_no_standings() -> None:
    ends: list[Ended] = [PRACTISED, replace(PRACTISED, results=(), total=0)]
    for effect in ends:
        assert not _said(post(effect, QUIZ, "en"), Role.STANDING)


# Reminders


@every_language
def test_a_reminder_needs_no_quiz_and_can_be_stopped_with_one_button(language: str) -> None:
    reminder: Post = Reminded("day", 3)
    card = post(reminder, None, language)
    assert "3" in _said(card)[0]
    assert [button.press for button in card.all_buttons] == [Practise(), Personal("reminders", "off")]
