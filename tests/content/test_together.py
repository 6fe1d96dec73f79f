"""No fault hides another: a file with several says exactly what is said of each alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.content import Severity, load_file
from bot.content.values import LONGEST_OPTION, LONGEST_TELLING, LONGEST_TITLE, MOST_TOPICS
from tests.content.writing import BILINGUAL, GOOD, HEAD, PNG, assert_said, load

Quiz = dict[str, Any]
Change = Callable[[Quiz], None]
Step = str | int


def choice(name: str) -> dict[str, Any]:
    """A question in which every key of the format is used and nothing is to be mended."""
    return {
        "id": name,
        "topics": ["sets"],
        "stem": {"en": "Which of 3 letters?", "bg": "Коя от 3 букви?"},
        "seconds": "30",
        "image": {"path": "a.png", "alt": "letters"},
        "options": [
            {"text": {"en": "first", "bg": "първа"}, "right": "true"},
            {"text": "second", "note": {"en": "n", "bg": "н"}},
            {"text": {"en": "thirds", "bg": "трета"}, "note": "n", "pinned": "true"},
            {"text": "fourth", "note": "n"},
        ],
        "explanation": {"en": "because", "bg": "защото"},
        "sources": [{"url": "https://example.org", "title": "Book"}, {"url": "https://example.com"}],
    }


SOUND: Quiz = {
    "title": {"en": "Letters", "bg": "Букви"},
    "intro": "hello",
    "languages": ["en", "bg"],
    "topics": ["alphabet"],
    "questions": [
        choice("one"),
        choice("two"),
        {"id": "three", "statement": "S", "answer": "true", "note": "n", "explanation": "e"},
    ],
}


def put(value: object, *way: Step) -> Change:
    def change(quiz: Quiz) -> None:
        where(quiz, way)[way[-1]] = value

    return change


def drop(*way: Step) -> Change:
    def change(quiz: Quiz) -> None:
        del where(quiz, way)[way[-1]]

    return change


def renamed(name: str, *way: Step) -> Change:
    def change(quiz: Quiz) -> None:
        where(quiz, way)[name] = where(quiz, way).pop(way[-1])

    return change


def longer(by: list[Any], *way: Step) -> Change:
    def change(quiz: Quiz) -> None:
        where(quiz, way)[way[-1]].extend(by)

    return change


def where(quiz: Quiz, way: tuple[Step, ...]) -> Any:
    at: Any = quiz
    for step in way[:-1]:
        at = at[step]
    return at


ONE, TWO, THREE = ("questions", 0), ("questions", 1), ("questions", 2)

# In the order in which they are made: a key is renamed after what stands under it has changed.
FAULTS: dict[str, Change] = {
    "a title that is too long": put("x" * (LONGEST_TITLE + 1), "title", "en"),
    "a title in a language not on offer": put("Buchstaben", "title", "de"),
    "a title with an empty translation": put(" ", "title", "bg"),
    "an introduction that is a list": put(["x"], "intro"),
    "a language twice": longer(["en"], "languages"),
    "a topic that is none": put("Big Letters", "topics", 0),
    "too many topics": longer([f"topic-{number}" for number in range(MOST_TOPICS)], "topics"),
    "an unknown key": put("x", "author"),
    "a question that is none": longer(["hello"], "questions"),
    "too little time": put("3", *ONE, "seconds"),
    "equal options": put({"en": "SECOND", "bg": "трета"}, *ONE, "options", 2, "text"),
    "numbers that differ": put("Коя от 4 букви?", *ONE, "stem", "bg"),
    "a picture outside": put("../x.png", *ONE, "image", "path"),
    "a picture without words": drop(*ONE, "image", "alt"),
    "an unknown key of a picture": put("x", *ONE, "image", "width"),
    "an explanation that points": put("answer B", *ONE, "explanation", "en"),
    "an explanation with an empty translation": put("", *ONE, "explanation", "bg"),
    "a right option that is no switch": put("yes", *ONE, "options", 0, "right"),
    "a note that is too long": put("n" * (LONGEST_TELLING + 1), *ONE, "options", 2, "note"),
    "an option without a note": drop(*ONE, "options", 1, "note"),
    "an unknown key of an option": put("x", *ONE, "options", 1, "why"),
    "no address": put("example.org", *ONE, "sources", 0, "url"),
    "a source title that is too long and has two lines": put("x\n" * LONGEST_TITLE, *ONE, "sources", 0, "title"),
    "a source without an address": drop(*ONE, "sources", 1, "url"),
    "a topic of a question that is a list": longer([["x"]], *ONE, "topics"),
    "an id that is none": put("A b", *TWO, "id"),
    "a stem that is not translated": drop(*TWO, "stem", "bg"),
    "an option that is too long": put("x" * (LONGEST_OPTION + 1), *TWO, "options", 1, "text"),
    "no right option": drop(*TWO, "options", 0, "right"),
    "an option that is empty": put("", *ONE, "options", 3, "text"),
    "a note that is a list": put([], *TWO, "options", 2, "note"),
    "options about the others": put("all of the above", *TWO, "options", 3, "text"),
    "too many options": longer([{"text": f"option {number}", "note": "n"} for number in range(7)], *TWO, "options"),
    "no explanation": drop(*TWO, "explanation"),
    "a slip in the key of a picture": renamed("img", *TWO, "image"),
    "a slip in the key of a stem": renamed("question", *TWO, "stem"),
    "a slip in the key of the options": renamed("optoins", *TWO, "options"),
    "an id used twice": put("one", *THREE, "id"),
    "an answer that is no switch": put("maybe", *THREE, "answer"),
    "a statement only translated": put({"bg": "С"}, *THREE, "statement"),
    "a note that is a mapping of lists": put({"en": ["x"]}, *THREE, "note"),
    "an answer beside options": put("true", *ONE, "answer"),
    "a slip in the key of the questions": renamed("question", "questions"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("content")
    (path / "a.png").write_bytes(PNG)
    return path


def found(folder: Path, names: frozenset[str]) -> Counter[tuple[Severity, str]]:
    """How often each thing is said of the sound quiz with these faults."""
    quiz = deepcopy(SOUND)
    for name, change in FAULTS.items():
        if name in names:
            change(quiz)
    path = folder / "quiz.yaml"
    # JSON is YAML too, and is written faster.
    path.write_text(json.dumps(quiz, ensure_ascii=False))
    return Counter((problem.severity, problem.message) for problem in load_file(path).problems)


@cache
def alone(folder: Path, name: str) -> Counter[tuple[Severity, str]]:
    return found(folder, frozenset({name}))


def union(folder: Path, names: frozenset[str]) -> Counter[tuple[Severity, str]]:
    return sum((alone(folder, name) for name in names), Counter())


def test_the_quiz_that_the_faults_are_put_into_has_none(folder: Path) -> None:
    assert found(folder, frozenset()) == Counter()


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_found_alone_and_beside_every_other(folder: Path, name: str) -> None:
    assert alone(folder, name)
    for other in list(FAULTS)[list(FAULTS).index(name) + 1 :]:
        both = frozenset({name, other})
        assert found(folder, both) == union(folder, both), other


@given(names=st.frozensets(st.sampled_from(sorted(FAULTS)), min_size=3))
@settings(max_examples=150, deadline=None)
def test_any_faults_together_say_exactly_what_each_says_alone(folder: Path, names: frozenset[str]) -> None:
    assert found(folder, names) == union(folder, names)


def test_all_faults_together_say_what_each_says_alone(folder: Path) -> None:
    assert found(folder, frozenset(FAULTS)) == union(folder, frozenset(FAULTS))


TWICE = """\
- id: a
  seconds: 3
  stem: S
  options: [{text: x, right: true}, X]
- id: a
  statement: S
  answer: maybe
  image: {path: ../x.png, alt: A}
"""


def test_two_questions_with_several_faults_each_say_all_of_them_in_their_places(tmp_path: Path) -> None:
    loaded = load(tmp_path, HEAD + TWICE)
    assert_said(
        loaded,
        Severity.ERROR,
        "5:12: 3 seconds",
        "7:37: reads like option 1",
        "8:7: the id 'a' is already that of question 1",
        "10:11: neither true nor false",
        "11:17: the picture '../x.png' is outside",
    )
    assert_said(loaded, Severity.WARNING, "4:3: no explanation", "7:37: nothing says why", "8:3: no explanation")


DEPENDENT = {
    "what a broken language may be": (
        "title: {en: T, de: T}\nlanguages: [en, german]\nquestions:\n" + GOOD,
        ["2:17: 'german' is not a language tag"],
    ),
    "what a broken source language may be": (
        "title: {de: T}\nlanguages: [english, de]\nquestions:\n" + GOOD,
        ["2:13: 'english' is not a language tag"],
    ),
    "what language a broken tag in a text may be": (
        BILINGUAL + GOOD.replace("stem: S", "stem: {en: S, bulgarian: S}"),
        ["4:28: 'bulgarian' is not a language tag"],
    ),
    "whether an option is right whose switch is broken": (
        HEAD + GOOD.replace("right: true", "right: yes"),
        ["4:50: neither true nor false"],
    ),
    "whether an option is right that is an alias": (
        HEAD + GOOD.replace("{text: a, right: true}", "*x"),
        ["4:33: an alias '*x'"],
    ),
    "whether a broken id is used twice": (
        HEAD + GOOD.replace("good", "A b") * 2,
        ["4:8: 'A b' is not a question id", "5:8: 'A b' is not a question id"],
    ),
    "whether there is a note that cannot be read": (
        HEAD + GOOD.replace("note: n", "note: [n]"),
        ["4:73: a list where a text belongs"],
    ),
    "whether an option is shuffled whose pin is broken": (
        HEAD + "- {id: a, stem: S, options: [{text: a, right: true, pinned: true},\n"
        "    {text: b, note: n, pinned: x}], explanation: answer B}",
        ["5:32: neither true nor false"],
    ),
}


@pytest.mark.parametrize(("written", "starts"), DEPENDENT.values(), ids=DEPENDENT.keys())
def test_nothing_is_said_that_depends_on_what_cannot_be_read(tmp_path: Path, written: str, starts: list[str]) -> None:
    assert_said(load(tmp_path, written), Severity.ERROR, *starts)
    assert_said(load(tmp_path, written), Severity.WARNING)


def test_how_often_the_longest_option_is_right_is_counted_only_when_all_of_them_can_be_read(tmp_path: Path) -> None:
    telling = [GOOD.replace("good", f"q{number}").replace("text: a", "text: aa") for number in range(6)]
    warned = "3:1: in 'en' the right option is the longest in"
    assert_said(load(tmp_path, HEAD + "".join(telling)), Severity.WARNING, warned)
    elsewhere = telling[0].replace("stem: S", "stem: S, seconds: 3")
    assert_said(load(tmp_path, HEAD + elsewhere + "".join(telling[1:])), Severity.WARNING, warned)
    for unread in ("- x\n", telling[0].replace("text: b", "text: [b]"), telling[0].replace("true", "yes")):
        assert_said(load(tmp_path, HEAD + unread + "".join(telling[1:])), Severity.WARNING)
