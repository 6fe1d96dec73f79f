"""The quizzes at hand: those on offer, by slug, mixes of them, and what running sessions have pinned, by digest."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from bot import codec, compound
from bot.compound import Compound
from bot.core.quiz import LocalisedText, Origin, Question, QuestionRef, Quiz

log = logging.getLogger(__name__)

MIX = "mix"
"""The slug of every mix. It names nothing that could be asked for."""

TOPIC = "#"
"""What a topic begins with in a recipe; no slug can."""

MOST_HELD = 100_000
"""Questions in all, of quizzes that are not on offer, that are kept in memory."""

Parts = dict[str, tuple[Quiz, dict[str, Question]]]
"""Digest -> an edition that a mix is made from, and its questions by their ids."""

Pinned = Callable[[str], Awaitable[str | None]]
"""What a store has for a digest."""


@dataclass(frozen=True, slots=True)
class Edition:
    """A quiz as it is now: its content, its digest, and the canonical text that a session pins."""

    quiz: Quiz
    digest: str
    text: str


class Library:
    """Quizzes in memory. What is on offer never changes; mixes and pinned ones may be dropped again, those first that
    nobody has asked for the longest."""

    def __init__(self, quizzes: Iterable[Quiz]) -> None:
        self._offered = {quiz.slug: _edition(quiz) for quiz in sorted(quizzes, key=lambda quiz: quiz.slug)}
        self._known = {edition.digest: edition for edition in self._offered.values()}
        self._questions = {edition.digest: _by_id(edition.quiz) for edition in self._offered.values()}
        self._topics = _by_topic(self.quizzes)
        self._held: dict[str, Edition] = {}
        self._weight = 0

    # On offer

    @property
    def quizzes(self) -> tuple[Quiz, ...]:
        """Every quiz on offer, by slug."""
        return tuple(edition.quiz for edition in self._offered.values())

    @property
    def topics(self) -> tuple[str, ...]:
        """Every topic of the questions on offer, in order."""
        return tuple(sorted(self._topics))

    def edition(self, slug: str) -> Edition | None:
        """The quiz on offer under `slug`."""
        return self._offered.get(slug)

    def question(self, ref: QuestionRef) -> tuple[Quiz, Question] | None:
        """This question, in its quiz, as they are on offer now."""
        edition = self._offered.get(ref.slug)
        found = self._questions[edition.digest].get(ref.question) if edition else None
        return (edition.quiz, found) if edition and found else None

    # Mixes

    def blend(self, recipe: Iterable[str]) -> tuple[QuestionRef, ...]:
        """All questions of these quizzes (slugs) and topics (with `#` before them), each once, in this order. What is
        not on offer is passed over."""
        return tuple(dict.fromkeys(ref for named in recipe for ref in self._named(named)))

    def _named(self, named: str) -> Sequence[QuestionRef]:
        if named.startswith(TOPIC):
            return self._topics.get(named.removeprefix(TOPIC), ())
        edition = self._offered.get(named)
        return [edition.quiz.ref(question) for question in edition.quiz.questions] if edition else ()

    def mix(self, title: LocalisedText, refs: Iterable[QuestionRef], recipe: Sequence[str] = ()) -> Edition | None:
        """These questions as a quiz, each once, in this order; those that are not on offer are left out, and None when
        none is left. `recipe`: what it is to be blended from again."""
        offered = (ref for ref in dict.fromkeys(refs) if self.question(ref))
        runs = [(slug, tuple(ref.question for ref in run)) for slug, run in groupby(offered, lambda ref: ref.slug)]
        if not runs:
            return None
        parts = tuple((self._offered[slug].digest, ids) for slug, ids in runs)
        made = Compound(dict(title.texts), tuple(recipe), parts)
        text = compound.dump(made)
        digest = codec.digest(text)
        known = self._recalled(digest)
        if known and known.text:
            return known
        known_parts = {part: (self._known[part].quiz, self._questions[part]) for part, _ in parts}
        return self._hold(Edition(_put_together(made, known_parts), digest, text))

    def texts(self, digest: str) -> dict[str, str]:
        """Everything that a session of this edition has to pin, by digest: of a mix also the editions it is made from.
        Nothing for an edition that is neither on offer nor a mix of what is."""
        edition = self._known.get(digest) or self._held.get(digest)
        if edition is None or not edition.text:
            return {}
        made = compound.load(edition.text)
        parts = [self._known[part] for part, _ in made.parts] if made else []
        return {each.digest: each.text for each in (edition, *parts)}

    # Pinned by sessions

    def quiz(self, digest: str) -> Quiz | None:
        """The quiz with this digest, if it is in memory."""
        edition = self._known.get(digest) or self._recalled(digest)
        return edition.quiz if edition else None

    async def find(self, digest: str, pinned: Pinned) -> Quiz | None:
        """The quiz with this digest, as `read` has it. None, and a line in the log, when it cannot be read."""
        try:
            return await self.read(digest, pinned)
        except codec.UnreadableError as error:
            log.error("the quiz %s that a session runs cannot be read: %s", digest, error)  # noqa: TRY400  # says it all
            return None

    async def read(self, digest: str, pinned: Pinned) -> Quiz:
        """The quiz with this digest: from memory, else from what `pinned`, a store, has for it and its parts. Raises
        `bot.codec.UnreadableError`."""
        known = self.quiz(digest)
        if known:
            return known
        text = await pinned(digest) or ""
        made = compound.load(text)
        quiz = await self._composed(made, pinned) if made else codec.load_quiz(text)
        return self._hold(_from_store(quiz, digest)).quiz

    async def _composed(self, made: Compound, pinned: Pinned) -> Quiz:
        parts: Parts = {}
        for digest in dict.fromkeys(digest for digest, _ in made.parts):
            quiz = self.quiz(digest)
            if quiz is None:
                quiz = self._hold(_from_store(codec.load_quiz(await pinned(digest) or ""), digest)).quiz
            parts[digest] = quiz, self._questions.get(digest) or _by_id(quiz)
        return _put_together(made, parts)

    # Memory

    def _recalled(self, digest: str) -> Edition | None:
        edition = self._held.pop(digest, None)
        if edition:
            self._held[digest] = edition
        return edition

    def _hold(self, edition: Edition) -> Edition:
        """Keep it, and drop what was asked for the longest ago where there is too much; never the one just taken in."""
        earlier = self._held.pop(edition.digest, None)
        self._weight += len(edition.quiz.questions) - (len(earlier.quiz.questions) if earlier else 0)
        self._held[edition.digest] = edition
        while self._weight > MOST_HELD and len(self._held) > 1:
            self._weight -= len(self._held.pop(next(iter(self._held))).quiz.questions)
        return edition


def _edition(quiz: Quiz) -> Edition:
    text = codec.dump_quiz(quiz)
    return Edition(quiz, codec.digest(text), text)


def _from_store(quiz: Quiz, digest: str) -> Edition:
    """A pinned edition, without its text: that is in the store already."""
    return Edition(quiz, digest, "")


def _by_topic(quizzes: Iterable[Quiz]) -> dict[str, list[QuestionRef]]:
    found: dict[str, list[QuestionRef]] = {}
    for quiz in quizzes:
        for question in quiz.questions:
            for topic in question.topics:
                found.setdefault(topic, []).append(quiz.ref(question))
    return found


def _by_id(quiz: Quiz) -> dict[str, Question]:
    return {question.id: question for question in quiz.questions}


def _put_together(made: Compound, parts: Parts) -> Quiz:
    """The mix as a quiz. Raises UnreadableError where its parts do not have the questions that it names."""
    try:
        return Quiz(
            slug=MIX,
            title=LocalisedText(made.title),
            languages=_languages([parts[digest][0] for digest, _ in made.parts]),
            questions=tuple(_questions(made, parts)),
            recipe=made.recipe,
        )
    except (KeyError, ValueError) as error:
        raise codec.UnreadableError(f"a mix that does not fit its parts: {error}") from error


def _questions(made: Compound, parts: Parts) -> Iterator[Question]:
    for digest, ids in made.parts:
        quiz, questions = parts[digest]
        for id_ in ids:
            origin = Origin(QuestionRef(quiz.slug, id_), quiz.source_language)
            yield replace(questions[id_], id=f"{quiz.slug}/{id_}", origin=origin)


def _languages(parts: Sequence[Quiz]) -> tuple[str, ...]:
    """Those that all of them speak; where there is none, the one that each is complete in."""
    common = [tag for tag in parts[0].languages if all(tag in part.languages for part in parts)]
    return tuple(common or dict.fromkeys(part.source_language for part in parts))
