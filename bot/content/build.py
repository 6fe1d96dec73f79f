"""Makes the quiz of a file that has no errors. Knows nothing of places, files or checks."""

from __future__ import annotations

from collections.abc import Iterable

from bot.content.model import ChoiceShape, HeadShape, OptionShape, QuestionShape, TrueFalseShape
from bot.core.quiz import Image, LocalisedText, Option, Question, Quiz, Source
from bot.words import true_false

_LAST_RESORT = "en"
"""The language of True and False for readers whose language has no words for them yet."""


def build_quiz(slug: str, head: HeadShape, questions: Iterable[QuestionShape]) -> Quiz:
    """The quiz called `slug`. Its questions have the quiz's topics and their own."""
    return Quiz(
        slug=slug,
        title=head.title,
        intro=head.intro,
        languages=head.languages,
        questions=tuple(_question(head, question) for question in questions),
    )


def _question(head: HeadShape, written: QuestionShape) -> Question:
    stem, options = _asked(head.languages, written)
    return Question(
        id=written.id,
        stem=stem,
        options=options,
        explanation=written.explanation,
        topics=tuple(dict.fromkeys((*head.topics, *written.topics))),
        sources=tuple(Source(source.url, source.title) for source in written.sources),
        seconds=written.seconds,
        image=Image(written.image.path, written.image.alt) if written.image else None,
    )


def _asked(languages: tuple[str, ...], written: QuestionShape) -> tuple[LocalisedText, tuple[Option, ...]]:
    match written:
        case ChoiceShape():
            return written.stem, tuple(map(_option, written.options))
        case TrueFalseShape():
            return written.statement, _true_and_false(languages, written)
    raise TypeError(f"a question of an unknown kind: {type(written).__name__}; teach it here")


def _option(written: OptionShape) -> Option:
    return Option(written.text, written.right, written.note, written.pinned)


def _true_and_false(languages: tuple[str, ...], written: TrueFalseShape) -> tuple[Option, ...]:
    true, false = (_in_every(languages, word) for word in true_false())
    return _judgement(true, written.answer, written.note), _judgement(false, not written.answer, written.note)


def _judgement(word: LocalisedText, right: bool, note: LocalisedText | None) -> Option:
    return Option(word, right, note=None if right else note, pinned=True)


def _in_every(languages: tuple[str, ...], word: LocalisedText) -> LocalisedText:
    """`word` in each of `languages` too: in the language without its country or script, or in English."""
    known = word.texts
    lent = {tag: known.get(tag.partition("-")[0], known[_LAST_RESORT]) for tag in languages if tag not in known}
    return LocalisedText({**known, **lent})
