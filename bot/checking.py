"""`quizbot check`: the problems of quiz files, said as compilers do. Knows nothing of what the problems are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import click

from bot.content import Loaded, Problem, Severity, load_file, load_folder


def check(paths: Sequence[Path], *, strict: bool) -> int:
    """Print every problem of these files and folders, and a summary on stderr; the exit code."""
    loaded = [each for path in paths for each in _load(path)]
    problems = [problem for each in loaded for problem in each.problems]
    for problem in problems:
        click.echo(str(replace(problem, path=_from_here(problem.path))))
    click.echo(_summary(loaded, problems), err=True)
    wrong = any(strict or problem.severity is Severity.ERROR for problem in problems)
    return int(wrong)


def _load(path: Path) -> Iterable[Loaded]:
    if not path.is_dir():
        return (load_file(path),)
    nothing = Problem(path, 1, 1, Severity.WARNING, "no quiz file here; a quiz file ends in .yaml")
    return load_folder(path) or (Loaded(path, None, (nothing,)),)


def _from_here(path: Path) -> Path:
    """Relative to the current folder for what lies in it."""
    try:
        return path.absolute().relative_to(Path.cwd())
    except ValueError:
        return path


def _summary(loaded: Sequence[Loaded], problems: Sequence[Problem]) -> str:
    quizzes = [each.quiz for each in loaded if each.quiz]
    questions = sum(len(quiz.questions) for quiz in quizzes)
    errors = sum(problem.severity is Severity.ERROR for problem in problems)
    found = [_counted(count, name) for count, name in ((errors, "error"), (len(problems) - errors, "warning")) if count]
    checked = f"{_counted(len(quizzes), 'quiz', 'quizzes')} with {_counted(questions, 'question')}"
    return f"{checked}: {' and '.join(found) or 'no problem'}"


def _counted(count: int, one: str, many: str | None = None) -> str:
    return f"{count} {one if count == 1 else many or f'{one}s'}"
