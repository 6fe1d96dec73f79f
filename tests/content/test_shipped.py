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
from bot.content.schema import SCHEMA_FILE, write
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
