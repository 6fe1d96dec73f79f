"""A folder of quiz files: sorted, complete, and clear about what is not one."""

from __future__ import annotations

from pathlib import Path

from bot.content import Severity, load_folder
from tests.content.writing import GOOD, HEAD, said


def test_quizzes_are_sorted_by_slug_and_one_bad_file_hides_no_other(tmp_path: Path) -> None:
    for name in ("b.yaml", "a-b.yaml", "a.yaml", "c.yaml"):
        (tmp_path / name).write_text(HEAD + GOOD)
    (tmp_path / "b.yaml").write_text("title: [")
    found = load_folder(tmp_path)
    assert [loaded.path.name for loaded in found] == ["a.yaml", "a-b.yaml", "b.yaml", "c.yaml"]
    assert [loaded.quiz is not None for loaded in found] == [True, True, False, True]


def test_other_endings_of_yaml_are_to_be_renamed_and_other_files_left_alone(tmp_path: Path) -> None:
    for name in ("a.yml", "b.YAML", "notes.txt", "quiz.schema.json", ".#c.yaml", "._d.yaml"):
        (tmp_path / name).write_text(HEAD + GOOD)
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "inner.yaml").write_text(HEAD + GOOD)
    found = load_folder(tmp_path)
    assert [(loaded.quiz, said(loaded, Severity.ERROR)) for loaded in found] == [
        (None, ["1:1: a quiz file ends in .yaml; rename it to 'a.yaml'"]),
        (None, ["1:1: a quiz file ends in .yaml; rename it to 'b.yaml'"]),
    ]


def test_a_missing_folder_is_one_clear_problem(tmp_path: Path) -> None:
    (found,) = load_folder(tmp_path / "none")
    assert said(found) == [
        "1:1: the content folder cannot be read (No such file or directory); check its name and its permissions"
    ]


def test_a_file_instead_of_a_folder_is_one_clear_problem(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (found,) = load_folder(tmp_path / "file")
    assert said(found)[0].startswith("1:1: the content folder cannot be read (Not a directory)")


def test_an_empty_folder_holds_no_quiz_and_no_problem(tmp_path: Path) -> None:
    assert load_folder(tmp_path) == ()
