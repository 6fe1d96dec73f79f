"""Quiz files to quizzes, with all problems of a file at once, each in its place. Knows no rule of a quiz."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bot.content.advice import warnings
from bot.content.build import build_quiz
from bot.content.checks import errors
from bot.content.draft import Draft, read_draft
from bot.content.problems import Problem, Severity, quoted
from bot.content.remarks import Remark
from bot.content.source import Source, read_source
from bot.content.tree import Node, read_tree
from bot.content.values import LONGEST_SLUG, SLUG
from bot.core.quiz import Quiz

_SUFFIXES = frozenset({".yaml", ".yml"})


@dataclass(frozen=True, slots=True)
class Loaded:
    """What came of one file: its quiz, unless there were errors, and its problems in the order of their places."""

    path: Path
    quiz: Quiz | None
    problems: tuple[Problem, ...] = ()


def load_folder(folder: Path) -> tuple[Loaded, ...]:
    """Every quiz file directly in `folder`, sorted by slug. Hidden files are left alone, as editors make them."""
    try:
        names = [
            path for path in folder.iterdir() if path.suffix.lower() in _SUFFIXES and not path.name.startswith(".")
        ]
    except OSError as error:
        message = f"the content folder cannot be read ({error.strerror}); check its name and its permissions"
        return (Loaded(folder, None, (Problem(folder, 1, 1, Severity.ERROR, message),)),)
    return tuple(load_file(path) for path in sorted(names, key=lambda path: (path.stem, path.suffix)))


def load_file(path: Path) -> Loaded:
    """The quiz in the file `path`; pictures are looked for beside it."""
    if path.suffix != ".yaml":
        message = f"a quiz file ends in .yaml; rename it to {quoted(path.stem + '.yaml')}"
        return Loaded(path, None, (Problem(path, 1, 1, Severity.ERROR, message),))
    source, faults = read_source(path)
    tree, more_faults = (None, ()) if faults else read_tree(source)
    faults = (*faults, *more_faults)
    found = [source.problem(fault.index, Severity.ERROR, fault.message) for fault in faults]
    found.extend(_bad_slug(path))
    draft = None
    if tree:
        draft, judged = _judged(source, tree, {fault.spoilt for fault in faults})
        found.extend(judged)
    return Loaded(path, _quiz(path, draft, found), tuple(sorted(found, key=_place)))


def _judged(source: Source, tree: Node, spoilt: Container[int | None]) -> tuple[Draft, list[Problem]]:
    draft, wrong = read_draft(tree)
    place = partial(_placed, source, tree, spoilt)
    return draft, [
        *place(Severity.ERROR, (*wrong, *errors(draft, source.path.parent))),
        *place(Severity.WARNING, warnings(draft)),
    ]


def _placed(
    source: Source, tree: Node, spoilt: Container[int | None], severity: Severity, said: Iterable[Remark]
) -> Iterator[Problem]:
    for remark in said:
        index = tree.key_place(remark.loc) if remark.at_key else tree.place(remark.loc)
        if not (remark.misread and index in spoilt):
            yield source.problem(index, severity, remark.message)


def _bad_slug(path: Path) -> Iterable[Problem]:
    slug = path.stem
    if len(slug) > LONGEST_SLUG or not re.fullmatch(SLUG, slug):
        message = (
            f"the file's name {quoted(slug)} cannot be the quiz's; use small letters a-z, digits and single hyphens, "
            f"at most {LONGEST_SLUG} characters, such as linear-algebra.yaml"
        )
        yield Problem(path, 1, 1, Severity.ERROR, message)


def _quiz(path: Path, draft: Draft | None, found: Iterable[Problem]) -> Quiz | None:
    if not (draft and draft.head) or any(problem.severity is Severity.ERROR for problem in found):
        return None
    return build_quiz(path.stem, draft.head, draft.questions.values())


def _place(problem: Problem) -> tuple[int, int, str]:
    return problem.line, problem.column, problem.message
