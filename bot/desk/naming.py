"""Quizzes and topics by what people call them: slugs in any spelling, titles in any language. Knows no chat."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property
from unicodedata import normalize

from bot.core.quiz import Quiz
from bot.library import TOPIC, Edition, Library
from bot.words import languages, words_of

MOST_WORDS = 60
"""Words among which the names of several quizzes are looked for."""

_BETWEEN = re.compile(r"[,;]|\s\+\s")


@dataclass(frozen=True, slots=True)
class Meant:
    """What somebody names: the recipe of it, or what nothing is called."""

    recipe: tuple[str, ...] = ()
    unknown: str = ""


class Naming:
    """Finds the quiz that somebody names, or the several quizzes and topics."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def edition(self, wanted: str) -> Edition | None:
        """The quiz on offer that is called so."""
        return self._library.edition(self._names.get(spelled(wanted), ""))

    def near(self, wanted: str) -> list[Quiz]:
        """Quizzes whose name is much like it, the nearest first, each once however many of its names are."""
        slugs = dict.fromkeys(_alike(wanted, self._names))
        return [edition.quiz for slug in slugs if (edition := self._library.edition(slug))]

    def near_topics(self, wanted: str) -> list[str]:
        """Topics, with `#` before them, that are called much like it, the nearest first."""
        return list(_alike(wanted, self._topics))

    @cached_property
    def _names(self) -> Mapping[str, str]:
        """Everything that a quiz can be called by -> its slug."""
        quizzes = self._library.quizzes
        titles = {spelled(title): quiz.slug for quiz in quizzes for title in quiz.title.texts.values()}
        return titles | {quiz.slug: quiz.slug for quiz in quizzes}

    @cached_property
    def _topics(self) -> Mapping[str, str]:
        """Everything that a topic can be called by -> what it is in a recipe."""
        return {f"{TOPIC}{topic}": f"{TOPIC}{topic}" for topic in self._library.topics}

    # Several

    def meant(self, wanted: str) -> Meant:
        """What is named: one quiz or topic, or several, with commas between them or without. A quiz goes before a topic
        that is called the same and has nothing before it."""
        wanted = _marked(wanted)
        recipe: list[str] = []
        unknown: list[str] = []
        alone = self._whole(wanted)
        for part in () if alone else _BETWEEN.split(wanted):
            for named, known in self._read(part):
                (recipe if known else unknown).append(named)
        if unknown:
            # Where nothing is known it is one name with a slip in it, however many words it has.
            return Meant(unknown=unknown[0] if recipe else wanted)
        return Meant((alone,) if alone else tuple(dict.fromkeys(recipe)))

    def _whole(self, name: str) -> str | None:
        key = spelled(name)
        return self._names.get(key) or self._topics.get(key) or self._topics.get(f"{TOPIC}{key}")

    def _read(self, part: str) -> Iterator[tuple[str, bool]]:
        """What stands between two commas: what is meant and True, or what nothing is called and False."""
        if not part.strip():
            return
        if whole := self._whole(part):
            yield whole, True
            return
        unknown: list[str] = []
        words = part.split(maxsplit=MOST_WORDS)
        while words:
            length, named = self._longest(words)
            if named and unknown:
                yield " ".join(unknown), False
                unknown = []
            if named:
                yield named, True
            else:
                unknown.append(words[0])
            words = words[length:]
        if unknown:
            yield " ".join(unknown), False

    def _longest(self, words: Sequence[str]) -> tuple[int, str]:
        """How many of these words, from the first, make the longest name, and what it is in a recipe; else 1 and ""."""
        for length in range(len(words), 0, -1):
            key = spelled(" ".join(words[:length]))
            if named := self._names.get(key) or self._topics.get(key):
                return length, named
        return 1, ""


def spelled(name: str) -> str:
    """The name without what people write in one way or another."""
    return "-".join(normalize("NFKC", name).casefold().replace("_", " ").split())


def _alike(wanted: str, names: Mapping[str, str]) -> Iterable[str]:
    """What the names that are much like it stand for, the nearest first."""
    return [names[name] for name in get_close_matches(spelled(wanted), names, n=len(names) or 1, cutoff=0.5)]


def _marked(wanted: str) -> str:
    """With `#` before the name of each topic, as it may be written instead of a word in one of our languages."""
    return _topic_word().sub(TOPIC, wanted).strip()


@cache
def _topic_word() -> re.Pattern[str]:
    every = {words_of(language).gettext("topic") for language in languages()}
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(every)))}):\s*|#\s+", re.IGNORECASE)
