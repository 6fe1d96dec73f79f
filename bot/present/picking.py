"""The list of quizzes to choose from, a page at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from bot.core.quiz import Quiz
from bot.messages import Block, Button, Card, Role
from bot.present.showing import title_of
from bot.presses import Page, Pick
from bot.words import Words, words_of

PAGE = 8
WIDTH = 4

_NOTHING: Mapping[str, tuple[int, int]] = MappingProxyType({})


def picker(
    quizzes: Sequence[Quiz], language: str, page: int, unfinished: Mapping[str, tuple[int, int]] = _NOTHING
) -> Card:
    """Page `page` (from 0; the nearest there is) of these quizzes; `unfinished`: slug -> questions done, and in all."""
    words = words_of(language)
    if not quizzes:
        return Card((Block(Role.LINE, words.gettext("There is no quiz here yet.")),))
    pages = -(-len(quizzes) // PAGE)
    page = min(max(page, 0), pages - 1)
    listed = tuple(enumerate(quizzes, 1))[page * PAGE : (page + 1) * PAGE]
    entries = (_entry(words, number, quiz, language, unfinished) for number, quiz in listed)
    picks = tuple(Button(words.number(number), Pick(quiz.slug)) for number, quiz in listed)
    rows = tuple(picks[start : start + WIDTH] for start in range(0, len(picks), WIDTH))
    return Card(
        blocks=(Block(Role.TITLE, words.gettext("Choose a quiz")), *entries, *_place(words, page, pages)),
        buttons=(*rows, *_turning(words, page, pages)),
    )


def _entry(words: Words, number: int, quiz: Quiz, language: str, unfinished: Mapping[str, tuple[int, int]]) -> Block:
    facts = [words.ngettext("{count} question", "{count} questions", len(quiz.questions))]
    if quiz.slug in unfinished:
        done, total = unfinished[quiz.slug]
        facts.append(words.gettext("begun, {done} of {total} done", done=done, total=total))
    return Block(Role.LINE, title_of(quiz, language), lead=f"{words.number(number)}.", tail=" · ".join(facts))


def _place(words: Words, page: int, pages: int) -> tuple[Block, ...]:
    said = words.gettext("Page {number} of {total}", number=page + 1, total=pages)
    return (Block(Role.FACT, said),) if pages > 1 else ()


def _turning(words: Words, page: int, pages: int) -> tuple[tuple[Button, ...], ...]:
    back = [Button(words.gettext("← Previous page"), Page(page - 1))] if page > 0 else []
    onward = [Button(words.gettext("Next page →"), Page(page + 1))] if page + 1 < pages else []
    return ((*back, *onward),) if pages > 1 else ()
