"""What is shipped beside the code holds: the quizzes, the schema for editors and the examples of the reference."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from bot.content import load_folder, schema_text
from bot.content.parallel import identifiers, numbers
from bot.content.schema import SCHEMA_FILE, write
from bot.core.quiz import NEUTRAL, LocalisedText, Question, Quiz
from tests.content.writing import GOOD, HEAD, PNG, load, said

ROOT = Path(__file__).parents[2]
CONTENT = ROOT / "content"
EXAMPLES = re.findall(
    r"^```yaml\n(.*?)^```", (ROOT / "docs" / "content.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
)
WHOLE_FILES = [example for example in EXAMPLES if example.startswith(("title:", "# yaml-language-server"))]
PARTS = [example for example in EXAMPLES if example not in WHOLE_FILES]


def validator() -> jsonschema.Draft202012Validator:
    schema = json.loads(schema_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def complaints(written: str) -> list[str]:
    return [error.message for error in validator().iter_errors(yaml.safe_load(written))]


def test_the_shipped_quizzes_have_no_problem_at_all() -> None:
    loaded = load_folder(CONTENT)
    assert [str(problem) for file in loaded for problem in file.problems] == []
    assert {file.path.stem for file in loaded} >= {"gradient-accumulation", "gradient-checkpointing"}


@pytest.mark.parametrize("path", sorted(CONTENT.glob("*.yaml")), ids=lambda path: path.stem)
def test_the_shipped_quizzes_are_what_editors_expect(path: Path) -> None:
    assert complaints(path.read_text("utf-8")) == []


def shipped() -> list[Quiz]:
    return [file.quiz for file in load_folder(CONTENT) if file.quiz]


def by_language(quiz: Quiz) -> list[Any]:
    return [pytest.param(quiz, language, id=f"{quiz.slug}-{language}") for language in quiz.languages]


QUIZZES = shipped()
IN_EACH_LANGUAGE = [case for quiz in QUIZZES for case in by_language(quiz)]


def lengths(question: Question, language: str) -> tuple[list[int], list[int]]:
    """Characters of the right options and of the wrong ones."""
    written = [(option.right, len(option.text[language])) for option in question.options]
    return [length for right, length in written if right], [length for right, length in written if not right]


@pytest.mark.parametrize(("quiz", "language"), IN_EACH_LANGUAGE)
def test_no_more_than_two_in_five_right_options_are_the_longest(quiz: Quiz, language: str) -> None:
    measured = [(keys, wrong) for keys, wrong in (lengths(question, language) for question in quiz.questions) if wrong]
    longest = [key > max(wrong) for keys, wrong in measured for key in keys]
    assert sum(longest) <= 0.4 * len(longest)


@pytest.mark.parametrize(("quiz", "language"), IN_EACH_LANGUAGE)
def test_no_right_option_however_short_is_far_longer_than_the_wrong_ones(quiz: Quiz, language: str) -> None:
    for question in quiz.questions:
        keys, wrong = lengths(question, language)
        assert all(key <= 1.5 * sum(wrong) / len(wrong) for key in keys if wrong), question.id


def localised(quiz: Quiz) -> list[LocalisedText]:
    """Every text of a quiz that is written by language."""
    found = [quiz.title, quiz.intro]
    for question in quiz.questions:
        told = [part for option in question.options for part in (option.text, option.note)]
        pictured = question.image.alt if question.image else None
        found += [question.stem, question.explanation, pictured, *told, *(source.title for source in question.sources)]
    return [text for text in found if text and NEUTRAL not in text.texts]


@pytest.mark.parametrize("quiz", QUIZZES, ids=lambda quiz: quiz.slug)
def test_every_bulgarian_text_is_written_in_cyrillic(quiz: Quiz) -> None:
    texts = [text["bg"] for text in localised(quiz)]
    assert len(texts) > len(quiz.questions)
    assert [text for text in texts if not re.search("[А-Яа-я]", text)] == []


@pytest.mark.parametrize("quiz", QUIZZES, ids=lambda quiz: quiz.slug)
def test_only_code_and_numbers_are_the_same_in_every_language(quiz: Quiz) -> None:
    options = [option.text.texts for question in quiz.questions for option in question.options]
    neutral = [texts[NEUTRAL] for texts in options if NEUTRAL in texts]
    assert [text for text in neutral if not (identifiers(text) or numbers(text) or re.fullmatch(r"\W*", text))] == []
    notes = [option.note for question in quiz.questions for option in question.options if option.note]
    told = [quiz.title, *notes, *(part for asked in quiz.questions for part in (asked.stem, asked.explanation) if part)]
    assert [text for text in told if NEUTRAL in text.texts] == []


@pytest.mark.parametrize("quiz", QUIZZES, ids=lambda quiz: quiz.slug)
def test_identifiers_are_the_same_in_every_language(quiz: Quiz) -> None:
    for text in localised(quiz):
        assert set(text.texts) == set(quiz.languages)
        assert len({identifiers(written) for written in text.texts.values()}) == 1, text.texts


def test_the_schema_file_is_current() -> None:
    assert (CONTENT / "quiz.schema.json").read_text("utf-8") == schema_text(), "run python -m bot.content.schema"


def test_the_schema_file_is_written_as_it_is_shipped(tmp_path: Path) -> None:
    write(tmp_path / SCHEMA_FILE.name)
    assert SCHEMA_FILE.parent == CONTENT
    assert (tmp_path / SCHEMA_FILE.name).read_bytes() == SCHEMA_FILE.read_bytes()


def test_the_schema_takes_a_text_that_editors_read_as_a_number_or_a_switch() -> None:
    options = "options: [{text: 010, right: true}, No, 1e3, 12:30, 0.5]"
    assert (
        complaints(f"{HEAD}- {{id: 1, stem: 7, {options}, seconds: 30}}\n- {{id: b, statement: S, answer: false}}")
        == []
    )


@pytest.mark.parametrize(
    "question",
    [
        "{id: a, stem: S}",
        "{id: a, stem: S, options: [a]}",
        "{id: a, stem: S, options: [{text: a, rigth: true}, b]}",
        "{id: a, stem: S, options: [{text: a, right: 1}, b]}",
        "{id: a, stem: {english: S}, options: [a, b]}",
        "{id: a, stem: {en: null}, options: [a, b]}",
        "{id: a, stem: S, options: [a, b], seconds: 3}",
        "{id: a, stem: S, options: [a, b], explanation: null}",
        "{id: A, stem: S, options: [a, b]}",
        "{id: a, statement: S, answer: B}",
        "{id: a, statement: S, answer: true, options: [a, b]}",
        "{id: a, stem: S, options: [a, b], sources: [{url: example.org}]}",
    ],
)
def test_the_schema_shows_a_slip_while_it_is_written(question: str) -> None:
    assert complaints(HEAD + GOOD) == []
    assert complaints(f"{HEAD}- {question}") != []


def test_the_schema_describes_every_key_for_whoever_hovers_over_it() -> None:
    schema: dict[str, Any] = json.loads(schema_text())
    for shape in (schema, *schema["$defs"].values()):
        assert [key for key, value in shape["properties"].items() if not value.get("description")] == []


def test_the_reference_has_examples_of_whole_files_and_of_parts() -> None:
    assert len(WHOLE_FILES) >= 2
    assert len(PARTS) >= 3


@pytest.mark.parametrize("example", WHOLE_FILES)
def test_every_whole_file_in_the_reference_loads_without_a_problem(tmp_path: Path, example: str) -> None:
    (tmp_path / "img").mkdir()
    (tmp_path / "img" / "graph.png").write_bytes(PNG)
    loaded = load(tmp_path, example)
    assert said(loaded) == []
    assert complaints(example) == []


@pytest.mark.parametrize("example", PARTS)
def test_every_part_in_the_reference_loads_without_a_problem_inside_a_quiz(tmp_path: Path, example: str) -> None:
    (tmp_path / "img").mkdir()
    (tmp_path / "img" / "graph.png").write_bytes(PNG)
    written = f"title: T\nlanguages: [en, de]\nquestions:\n{example}"
    assert said(load(tmp_path, written)) == []
    assert complaints(written) == []
