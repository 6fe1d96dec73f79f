"""Quizzes as values: what cannot be one is refused, and who reads which language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.core.quiz import NEUTRAL, LocalisedText, Option, Origin, Question, QuestionRef, Quiz
from tests.core.building import plain_quiz, question, quiz_of, text

BOTH = LocalisedText({"en": "red", "bg": "червено"})
NUMBER = LocalisedText({NEUTRAL: "32"})


def bilingual(*, note: LocalisedText | None = BOTH, explanation: LocalisedText | None = BOTH) -> Question:
    options = (Option(BOTH, right=True, note=note), Option(NUMBER))
    return Question("q", BOTH, options, explanation)


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        (lambda: LocalisedText({}), "at least one language"),
        (lambda: LocalisedText({"en": "red", "bg": " "}), "no empty text"),
        (lambda: question("q", options=1), "1 options; 2 to 10"),
        (lambda: question("q", options=11), "11 options; 2 to 10"),
        (lambda: question("q", right=[]), "no right option"),
        (lambda: question("q", seconds=0), "0 seconds"),
        (quiz_of, "needs a language and a question"),
        (lambda: replace(plain_quiz(), languages=()), "needs a language and a question"),
        (lambda: quiz_of(question("q"), question("q")), "share an id"),
        (lambda: replace(plain_quiz(), languages=("bg",)), "not complete in its source language bg"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_reason(broken: Callable[[], object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        broken()


def test_a_text_is_given_in_a_language_it_has_or_as_the_neutral_one() -> None:
    assert BOTH["bg"] == "червено"
    assert NUMBER["bg"] == "32"
    with pytest.raises(KeyError):
        BOTH["ro"]


@pytest.mark.parametrize(
    ("asked", "language", "speaks"),
    [
        (bilingual(), "bg", True),
        (bilingual(), "ro", False),
        (bilingual(note=text("why")), "bg", False),
        (bilingual(explanation=text("why")), "bg", False),
        (bilingual(note=None, explanation=None), "bg", True),
    ],
)
def test_a_question_speaks_a_language_only_when_all_of_it_does(asked: Question, language: str, speaks: bool) -> None:
    assert asked.speaks(language) is speaks


def test_a_half_translated_question_is_shown_in_the_source_language() -> None:
    whole, half = bilingual(), replace(bilingual(explanation=text("why")), id="half")
    quiz = Quiz("colours", text("Colours"), ("en", "bg"), (whole, half))
    assert [quiz.language_for(asked, "bg") for asked in quiz.questions] == ["bg", "en"]


def test_lengths_count_the_longest_language_and_the_longest_note() -> None:
    asked = bilingual()
    assert asked.length == len("червено") * 2 + len("32")
    assert asked.review_length == len("червено") * 2
    assert bilingual(note=None, explanation=None).review_length == 0


def test_the_key_is_every_right_option_and_more_than_one_means_selecting() -> None:
    one, two = question("q"), question("q", right=[1, 3])
    assert (one.key, one.several) == (frozenset({0}), False)
    assert (two.key, two.several) == (frozenset({1, 3}), True)


# What is remembered of a question


def fingerprint(asked: Question, *languages: str) -> str:
    quiz = Quiz("colours", text("Colours"), languages or ("en",), (asked,))
    return quiz.fingerprint(asked)


def test_a_question_is_called_by_its_quiz_and_its_id_in_a_mix_as_well() -> None:
    asked = question("q")
    quiz = Quiz("colours", text("Colours"), ("en",), (asked,))
    mixed = replace(asked, id="colours/q", origin=Origin(quiz.ref(asked), "en"))
    mix = Quiz("mix", text("Mix"), ("en",), (mixed,))
    assert (quiz.mixed, mix.mixed) == (False, True)
    assert mix.ref(mixed) == quiz.ref(asked) == QuestionRef("colours", "q")
    assert mix.fingerprint(mixed) == quiz.fingerprint(asked)


def test_a_question_of_a_mix_falls_back_to_the_language_of_its_own_quiz() -> None:
    bulgarian = replace(question("q"), stem=LocalisedText({"bg": "червено?"}), explanation=BOTH)
    options = tuple(replace(option, text=BOTH) for option in bulgarian.options)
    asked = replace(bulgarian, options=options, origin=Origin(QuestionRef("cherveno", "q"), "bg"))
    mix = Quiz("mix", text("Mix"), ("en", "bg"), (question("other"), asked))
    assert [mix.language_for(each, "en") for each in mix.questions] == ["en", "bg"]


def test_a_question_is_another_one_when_its_stem_or_a_right_option_changes() -> None:
    asked = question("q", right=[1, 3])
    first, second, *rest = asked.options
    others = [
        replace(asked, stem=text("Another?")),
        replace(asked, options=(first, replace(second, text=text("another")), *rest)),
        replace(asked, options=(replace(first, right=True), second, *rest)),
        replace(asked, options=(first, replace(second, right=False), *rest)),
    ]
    assert len({fingerprint(each) for each in [asked, *others]}) == 5


def test_a_question_stays_the_same_whatever_else_changes() -> None:
    asked = question("q", right=[1, 3])
    first, *rest = asked.options
    others = [
        replace(asked, id="renamed", explanation=text("why"), topics=("red",), seconds=30),
        replace(asked, options=(replace(first, text=text("another")), *rest)),
        replace(asked, options=asked.options[::-1]),
        replace(asked, options=tuple(replace(option, note=text("why"), pinned=True) for option in asked.options)),
    ]
    assert {fingerprint(each) for each in others} == {fingerprint(asked)}


def test_a_translation_changes_nothing_about_what_there_is_to_know() -> None:
    asked = question("q")
    translated = replace(asked, stem=LocalisedText({"en": asked.stem["en"], "bg": "червено?"}))
    assert fingerprint(translated, "en", "bg") == fingerprint(asked)
