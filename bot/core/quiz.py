"""A quiz as a value: questions, options and their texts. Knows nothing of files, chats or languages on offer."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

NEUTRAL = "und"
"""The language tag (BCP 47, "undetermined") of a text that is the same in every language: `32`, `torch.optim.SGD`."""

FEWEST_OPTIONS = 2
MOST_OPTIONS = 10


@dataclass(frozen=True, slots=True)
class LocalisedText:
    """One text in several languages: BCP 47 tag -> text. Holds at least one; a neutral text holds only `NEUTRAL`."""

    texts: Mapping[str, str]

    def __post_init__(self) -> None:
        if not self.texts or not all(text.strip() for text in self.texts.values()):
            raise ValueError("a localised text needs at least one language and no empty text")

    def __getitem__(self, language: str) -> str:
        """The text in `language`, or the neutral one. Raises KeyError when there is neither."""
        return self.texts[language] if language in self.texts else self.texts[NEUTRAL]

    def speaks(self, language: str) -> bool:
        """Whether a reader of `language` can be shown this text."""
        return language in self.texts or NEUTRAL in self.texts

    @property
    def longest(self) -> int:
        """Characters of the longest version: what the slowest reader in a mixed room has to read."""
        return max(map(len, self.texts.values()))


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to choose. `note` says why it is wrong (or, for a key, why it is right); `pinned` keeps its place."""

    text: LocalisedText
    right: bool = False
    note: LocalisedText | None = None
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """Where an explanation can be checked. `url` is absolute http(s); `title` is what the link is called."""

    url: str
    title: LocalisedText | None = None


@dataclass(frozen=True, slots=True)
class Image:
    """A picture that belongs to the stem. `path` is relative to the quiz file; `alt` is what it shows, in words."""

    path: str
    alt: LocalisedText


@dataclass(frozen=True, slots=True, order=True)
class QuestionRef:
    """Names a question for good: the slug of its quiz, and its id there. Languages and sessions do not matter to it."""

    slug: str
    question: str


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a question of a mix comes from: what its quiz calls it, and the language that that quiz is complete in."""

    ref: QuestionRef
    language: str


@dataclass(frozen=True, slots=True)
class Question:
    """A stem with 2 to 10 options, at least one right. `seconds` overrides the pace of a session with a clock; `origin`
    only in a mix, where `id` is unique among questions of several quizzes."""

    id: str
    stem: LocalisedText
    options: tuple[Option, ...]
    explanation: LocalisedText | None = None
    topics: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    seconds: int | None = None
    image: Image | None = None
    origin: Origin | None = None

    def __post_init__(self) -> None:
        if not FEWEST_OPTIONS <= len(self.options) <= MOST_OPTIONS:
            raise ValueError(f"question {self.id}: {len(self.options)} options; 2 to 10 are possible")
        if not self.key:
            raise ValueError(f"question {self.id}: no right option")
        if self.seconds is not None and self.seconds <= 0:
            raise ValueError(f"question {self.id}: {self.seconds} seconds; at least 1 is needed")

    @property
    def key(self) -> frozenset[int]:
        """The indexes (as written) of the right options."""
        return frozenset(index for index, option in enumerate(self.options) if option.right)

    @property
    def several(self) -> bool:
        """Whether more than one option is right, so that a player selects and then sends."""
        return len(self.key) > 1

    @property
    def length(self) -> int:
        """Characters to read before answering, in the longest language."""
        return self.stem.longest + sum(option.text.longest for option in self.options)

    @property
    def review_length(self) -> int:
        """Characters to read once the question is closed, in the longest language."""
        notes = max((option.note.longest for option in self.options if option.note), default=0)
        return notes + (self.explanation.longest if self.explanation else 0)

    def speaks(self, language: str) -> bool:
        """Whether everything a player must read is there in `language`; a half-translated question is not shown."""
        shown = [self.stem, *(option.text for option in self.options)]
        told = [option.note for option in self.options if option.note]
        after = [self.explanation] if self.explanation else []
        return all(text.speaks(language) for text in (*shown, *told, *after))


@dataclass(frozen=True, slots=True)
class Quiz:
    """Questions under a title. `languages` lists the tags on offer; the first is the source, always complete.

    A mix holds questions of several quizzes, each complete in the language of its own; `recipe` says what it was made
    of: slugs, and topics with `#` before them.
    """

    slug: str
    title: LocalisedText
    languages: tuple[str, ...]
    questions: tuple[Question, ...]
    intro: LocalisedText | None = None
    recipe: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.questions or not self.languages:
            raise ValueError(f"quiz {self.slug}: needs a language and a question")
        if len({question.id for question in self.questions}) < len(self.questions):
            raise ValueError(f"quiz {self.slug}: two questions share an id")
        if not all(question.speaks(self.source_of(question)) for question in self.questions):
            raise ValueError(f"quiz {self.slug}: not complete in its source language {self.source_language}")

    @property
    def source_language(self) -> str:
        """The language that every question is complete in, and that a missing translation falls back to."""
        return self.languages[0]

    @property
    def mixed(self) -> bool:
        """Whether its questions come from other quizzes."""
        return self.questions[0].origin is not None

    def source_of(self, question: Question) -> str:
        """The language that a question of this quiz is complete in."""
        return question.origin.language if question.origin else self.source_language

    def language_for(self, question: Question, wanted: str) -> str:
        """The language to show `question` in to a reader of `wanted`: that one when complete, else the source."""
        return wanted if question.speaks(wanted) else self.source_of(question)

    def ref(self, question: Question) -> QuestionRef:
        """What a question of this quiz is called for good."""
        return question.origin.ref if question.origin else QuestionRef(self.slug, question.id)

    def fingerprint(self, question: Question) -> str:
        """Changes when the stem or a right option does, in the source language; 16 hexadecimal digits. A translation
        that is added or mended changes nothing about what there is to know."""
        source = self.source_of(question)
        said = [question.stem[source], *sorted(question.options[option].text[source] for option in question.key)]
        return hashlib.blake2b("\0".join(said).encode(), digest_size=8).hexdigest()
