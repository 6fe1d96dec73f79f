"""Quizzes that are chosen, wanted in vain, or shared: which buttons lead where."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot import present
from bot.core.quiz import NEUTRAL, LocalisedText
from bot.messages import Button, Link, Role
from bot.presses import Browse, Pick, dump, load
from bot.words import languages
from tests.present.plain import labels, plain
from tests.present.sample import QUIZ, quiz_of, same

ALONE, TOGETHER = "https://example.org/alone", "https://example.org/together"


def test_of_the_quizzes_that_were_perhaps_meant_three_can_be_picked() -> None:
    near = [replace(QUIZ, slug=f"quiz-{number}", title=same(f"Quiz {number}")) for number in range(5)]
    card = present.no_such_quiz("en", "quix", near)
    assert card.buttons == tuple((Button(f"Quiz {number}", Pick(f"quiz-{number}")),) for number in range(3))


def test_where_none_is_near_the_list_of_all_is_offered() -> None:
    card = present.no_such_quiz("en", "quix", [])
    assert [button.press for button in card.all_buttons] == [Browse()]


def test_quizzes_with_titles_that_look_alike_are_offered_by_their_slugs() -> None:
    long = same("The same beginning of a long title, part " + "one")
    near = [replace(QUIZ, slug="part-1", title=long), replace(QUIZ, slug="part-2", title=long)]
    assert labels(present.no_such_quiz("en", "part", near)) == (("part-1",), ("part-2",))


@pytest.mark.parametrize("title", ["T" * 300, "word " * 60, "א" * 300, "ב " * 150])
def test_a_long_title_is_cut_to_what_a_button_holds(title: str) -> None:
    card = present.no_such_quiz("en", "x", [replace(QUIZ, title=same(title))])
    ((label,),) = labels(card)
    assert 20 < len(label) <= 38


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [
        ("{0.__class__}", "{0.__class__}"),
        ("<b>", "<b>"),
        ("../etc/passwd", "../etc/passwd"),
        ("a\nb", "a b"),
        ("\u202e", "…"),
        ("x" * 5000, "x" * 35 + "…"),
        ("דנה", "\u2068דנה\u2069"),
    ],
)
def test_what_was_wanted_is_shown_as_it_was_typed_and_briefly(wanted: str, shown: str) -> None:
    assert present.no_such_quiz("en", wanted, []).blocks[0].text == f"There is no quiz “{shown}”."


def test_a_shared_quiz_leads_to_where_it_is_played() -> None:
    card = present.shared(QUIZ, "en", alone=ALONE, together=TOGETHER)
    assert card.buttons == ((Link("Play alone", ALONE), Link("Play in a group", TOGETHER)),)
    assert not card.all_buttons


@pytest.mark.parametrize(("alone", "together"), [(ALONE, None), (None, TOGETHER), (None, None)])
def test_an_address_that_a_platform_does_not_have_is_left_out(alone: str | None, together: str | None) -> None:
    card = present.shared(QUIZ, "en", alone=alone, together=together)
    shown = [link.url for row in card.buttons for link in row if isinstance(link, Link)]
    assert shown == [url for url in (alone, together) if url]
    assert all(card.buttons)


@pytest.mark.parametrize("language", languages())
def test_a_shared_quiz_that_is_not_translated_says_so(language: str) -> None:
    german = quiz_of(*QUIZ.questions[2:3], languages=("en",), title=LocalisedText({"en": "Sums"}))
    remarks = [b for b in present.shared(german, language, alone=ALONE, together=None).blocks if b.role is Role.REMARK]
    assert bool(remarks) == (language != "en")


def test_a_quiz_is_summed_up_in_its_title_its_size_and_its_languages() -> None:
    assert present.summary(QUIZ, "en") == ("Gradient accumulation", "4 questions · English, Bulgarian, Romanian")
    assert present.summary(QUIZ, "ro") == ("Acumularea gradienților", "4 întrebări · engleză, bulgară, română")


def test_a_summary_of_a_quiz_in_no_language_leaves_the_languages_out() -> None:
    neutral = replace(QUIZ, questions=QUIZ.questions[:1], languages=("en",))
    assert present.summary(replace(neutral, languages=("en", NEUTRAL)), "en")[1] == "1 question · English"


def test_a_summary_is_brief_and_on_one_line() -> None:
    title, _ = present.summary(replace(QUIZ, title=same("word\n" * 100)), "en")
    assert len(title) <= 100
    assert "\n" not in title


@pytest.mark.parametrize("title", ["{0.__class__}", "<b>", "@everyone", "%s"])
def test_a_title_is_shown_as_it_is_wherever_it_stands(title: str) -> None:
    quiz = replace(QUIZ, title=same(title), intro=same(title))
    assert plain(present.shared(quiz, "en", alone=ALONE, together=None)).count(title) == 2
    assert present.summary(quiz, "en")[0] == title
    ((label,),) = labels(present.no_such_quiz("en", "x", [quiz]))
    assert label == title


def test_a_quiz_that_was_perhaps_meant_is_picked_by_a_button_that_is_read_as_written() -> None:
    for button in present.no_such_quiz("en", "x", [replace(QUIZ, slug="s" * 40)]).all_buttons:
        assert load(dump(button.press)) == button.press
