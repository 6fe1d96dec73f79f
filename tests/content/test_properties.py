"""Any quiz of the right shape loads to the texts that were written, and nothing written makes the loader raise."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.content import Loaded, Severity
from bot.content.characters import NOT_IN_A_TEXT, folded, is_seen
from bot.core.quiz import Quiz
from tests.content.writing import load, said

LANGUAGES = ["en", "bg", "ro", "pt-BR", "sr-Latn", "no"]
SIGNS = st.characters(exclude_categories=["Cc", "Cs", "Cn", "Zl", "Zp"])
LINE = st.one_of(
    st.text(SIGNS, min_size=1, max_size=40),
    st.sampled_from(
        ["yes", "No", "on", "010", "12:30", "1e3", "null", "~", "- a", "a: b", "#", "%s", "&a", "*", "'", '"']
    ),
).filter(lambda text: is_seen(text) and not NOT_IN_A_TEXT.search(text))
LINES = st.lists(LINE, min_size=1, max_size=3).map("\n".join)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("content")


def localised(languages: list[str], text: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    source, *others = languages
    return st.one_of(text, st.fixed_dictionaries({source: text}, optional=dict.fromkeys(others, text)))


def options(languages: list[str]) -> st.SearchStrategy[list[Any]]:
    return st.lists(LINE, min_size=2, max_size=10, unique_by=folded).flatmap(
        lambda texts: st.integers(0, len(texts) - 1).map(
            lambda key: [{"text": text, "right": "true"} if at == key else text for at, text in enumerate(texts)]
        )
    )


def question(languages: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    told = localised(languages, LINES)
    return st.one_of(
        st.fixed_dictionaries({"stem": told, "options": options(languages)}, optional={"explanation": told}),
        st.fixed_dictionaries(
            {"statement": told, "answer": st.sampled_from(["true", "false"])}, optional={"note": told}
        ),
    )


@st.composite
def quizzes(draw: st.DrawFn) -> dict[str, Any]:
    languages = draw(st.lists(st.sampled_from(LANGUAGES), min_size=1, max_size=3, unique=True))
    questions = draw(st.lists(question(languages), min_size=1, max_size=4))
    return {
        "title": draw(localised(languages, LINE)),
        "languages": languages,
        "questions": [{"id": f"q{number}", **asked} for number, asked in enumerate(questions)],
    }


def dumped(written: object) -> str:
    return yaml.safe_dump(written, allow_unicode=True, sort_keys=False)


def texts_of(quiz: Quiz, written: dict[str, Any]) -> list[tuple[Any, dict[str, str]]]:
    """What was written beside what was loaded, text by text."""
    pairs = [(written["title"], quiz.title)]
    for asked, question in zip(written["questions"], quiz.questions, strict=True):
        pairs.append((asked.get("stem", asked.get("statement")), question.stem))
        if question.explanation:
            pairs.append((asked["explanation"], question.explanation))
        for option, loaded in zip(asked.get("options", []), question.options, strict=False):
            pairs.append((option["text"] if isinstance(option, dict) else option, loaded.text))
    return [(before, dict(after.texts)) for before, after in pairs]


@given(written=quizzes())
@settings(max_examples=150, deadline=None)
def test_any_quiz_loads_to_the_texts_that_were_written(folder: Path, written: dict[str, Any]) -> None:
    loaded = load(folder, dumped(written))
    assert loaded.quiz is not None, said(loaded, Severity.ERROR)
    for before, after in texts_of(loaded.quiz, written):
        assert after == (before if isinstance(before, dict) else {"und": before})


def assert_orderly(loaded: Loaded) -> None:
    """A quiz or an error, places that exist, messages of one line."""
    assert (loaded.quiz is None) == any(problem.severity is Severity.ERROR for problem in loaded.problems)
    assert list(loaded.problems) == sorted(loaded.problems, key=lambda problem: (problem.line, problem.column))
    for problem in loaded.problems:
        assert problem.line >= 1
        assert problem.column >= 1
        assert not any(unicodedata.category(sign) in ("Cc", "Cs") for sign in problem.message)


@given(written=st.binary(max_size=300))
@settings(max_examples=150, deadline=None)
def test_no_bytes_make_the_loader_raise(folder: Path, written: bytes) -> None:
    assert_orderly(load(folder, written))


@given(written=st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")))
@settings(max_examples=150, deadline=None)
def test_no_text_makes_the_loader_raise(folder: Path, written: bytes) -> None:
    assert_orderly(load(folder, written))


@given(written=st.lists(st.sampled_from([*"-:?[]{}&*!|>'\"%@`#,\n\t \\x0", "  ", "a", "---", "- ", ": "])).map("".join))
@settings(max_examples=100, deadline=None)
def test_no_mess_of_yaml_signs_makes_the_loader_raise(folder: Path, written: str) -> None:
    assert_orderly(load(folder, written))


HEAD_KEYS = ["title", "languages", "questions", "topics"]
QUESTION_KEYS = ["id", "stem", "options", "explanation", "sources", "image", "seconds", "statement", "answer"]
INNER_KEYS = ["text", "right", "note", "pinned", "url", "path", "alt", "en", "bg"]
ODD_KEYS = ["<plain>", "<by language>", "<choice>", "[key]", "", "über", "<<", "__class__"]
KEYS = [*HEAD_KEYS, *QUESTION_KEYS, *INNER_KEYS, *ODD_KEYS]
VALUES = st.one_of(
    LINE, st.sampled_from(["true", "30", "en", "", " ", "a.png", "../a.png", "https://a.b", "\x00", "\u202e"])
)
TREES = st.recursive(
    VALUES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=12,
)


@given(tree=st.dictionaries(st.sampled_from(KEYS), TREES, max_size=6))
@settings(max_examples=100, deadline=None)
def test_no_shape_of_a_file_makes_the_loader_raise(folder: Path, tree: dict[str, Any]) -> None:
    assert_orderly(load(folder, dumped(tree)))


@given(question=st.dictionaries(st.sampled_from(KEYS), TREES, max_size=8))
@settings(max_examples=100, deadline=None)
def test_no_shape_of_a_question_makes_the_loader_raise(folder: Path, question: dict[str, Any]) -> None:
    assert_orderly(
        load(folder, dumped({"title": "T", "languages": ["en", "bg"], "questions": [{"id": "a", **question}]}))
    )
