"""What a sound file becomes: the core's quiz, with every key of the format in its place."""

from __future__ import annotations

from pathlib import Path

from bot.content import Severity
from bot.core.quiz import NEUTRAL, Image, LocalisedText, Option, Question, Quiz, Source
from bot.words import true_false
from tests.content.writing import PNG, load, said

EVERY_KEY = """\
title: {en: T, bg: Т}
intro: |
  one
  two
languages: [en, bg]
topics: [maths, sets]
questions:
- id: first
  topics: [sets, finite]
  stem: {en: S, bg: С}
  seconds: 30
  image: {path: a.png, alt: A}
  options:
  - {text: {en: x, bg: х}, right: true, note: N}
  - '32'
  - {text: none of these, right: true, pinned: true}
  explanation: E
  sources:
  - url: https://example.org/a?b=c#d
    title: {en: Book, bg: Книга}
  - url: http://example.org
"""


def true_or_false(folder: Path, languages: str, answer: str = "true", note: str = "") -> Question:
    text = f"title: T\nlanguages: {languages}\nquestions:\n- {{id: a, statement: S, answer: {answer}{note}}}\n"
    quiz = load(folder, text).quiz
    assert quiz is not None
    return quiz.questions[0]


def neutral(text: str) -> LocalisedText:
    return LocalisedText({NEUTRAL: text})


def test_every_key_of_the_format_arrives(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(PNG)
    loaded = load(tmp_path, EVERY_KEY, "number-theory.yaml")
    assert said(loaded, Severity.ERROR) == []
    question = Question(
        id="first",
        stem=LocalisedText({"en": "S", "bg": "С"}),
        options=(
            Option(LocalisedText({"en": "x", "bg": "х"}), right=True, note=neutral("N")),
            Option(neutral("32")),
            Option(neutral("none of these"), right=True, pinned=True),
        ),
        explanation=neutral("E"),
        topics=("maths", "sets", "finite"),
        sources=(
            Source("https://example.org/a?b=c#d", LocalisedText({"en": "Book", "bg": "Книга"})),
            Source("http://example.org"),
        ),
        seconds=30,
        image=Image("a.png", neutral("A")),
    )
    title = LocalisedText({"en": "T", "bg": "Т"})
    assert loaded.quiz == Quiz("number-theory", title, ("en", "bg"), (question,), neutral("one\ntwo"))


def test_a_statement_has_two_pinned_options_true_before_false(tmp_path: Path) -> None:
    question = true_or_false(tmp_path, "[en, bg, ro]")
    true, false = true_false()
    assert [option.text["bg"] for option in question.options] == [true["bg"], false["bg"]]
    assert [option.right for option in question.options] == [True, False]
    assert all(option.pinned for option in question.options)


def test_the_note_of_a_statement_is_for_those_who_chose_the_wrong_one(tmp_path: Path) -> None:
    right_is_true = true_or_false(tmp_path, "[en]", "true", ", note: N")
    right_is_false = true_or_false(tmp_path, "[en]", "false", ", note: N")
    assert [option.note for option in right_is_true.options] == [None, neutral("N")]
    assert [option.note for option in right_is_false.options] == [neutral("N"), None]


def test_true_and_false_are_english_in_a_language_without_words_and_follow_the_base_language(tmp_path: Path) -> None:
    question = true_or_false(tmp_path, "[eo, bg-BG]")
    english, bulgarian = true_false()[0]["en"], true_false()[0]["bg"]
    assert (question.options[0].text["eo"], question.options[0].text["bg-BG"]) == (english, bulgarian)
    assert question.speaks("eo")
