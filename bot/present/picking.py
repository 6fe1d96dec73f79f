"""The list of quizzes to choose from, a page at a time, and what is said where the one that was wanted is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from bot.core.quiz import Quiz
from bot.messages import Block, Button, Card, Role
from bot.present.showing import browsing, title_of, turning
from bot.presses import Blend, Page, Pick
from bot.words import Words, shortened, words_of

PAGE = 8
WIDTH = 4
MOST_NEAR = 3
LONGEST_NAME = 36
"""Characters of a quiz's name on a button; a name that reads from right to left takes two more."""

_NOTHING: Mapping[str, Any] = MappingProxyType({})


def picker(
    quizzes: Sequence[Quiz],
    language: str,
    page: int,
    unfinished: Mapping[str, tuple[int, int]] = _NOTHING,
    *,
    mix: Blend | None = None,
    facts: Mapping[str, str] = _NOTHING,
) -> Card:
    """Page `page` (from 0; the nearest there is) of these quizzes; `unfinished`: slug -> questions done, and in all.

    `mix` is the way to a mix of several, where there can be one; `facts`: slug -> what else there is to say.
    """
    words = words_of(language)
    if not quizzes:
        return Card((Block(Role.LINE, words.gettext("There is no quiz here yet.")),))
    pages = -(-len(quizzes) // PAGE)
    page = min(max(page, 0), pages - 1)
    listed = tuple(enumerate(quizzes, 1))[page * PAGE : (page + 1) * PAGE]
    entries = (_entry(words, number, quiz, unfinished, facts.get(quiz.slug)) for number, quiz in listed)
    picks = tuple(Button(words.number(number), Pick(quiz.slug)) for number, quiz in listed)
    rows = tuple(picks[start : start + WIDTH] for start in range(0, len(picks), WIDTH))
    return Card(
        blocks=(
            Block(Role.TITLE, words.gettext("Choose a quiz")),
            *entries,
            *place(words, page, pages),
        ),
        buttons=(*rows, *_onward(words, page, pages, mix)),
    )


def _entry(words: Words, number: int, quiz: Quiz, unfinished: Mapping[str, tuple[int, int]], fact: str | None) -> Block:
    facts = [words.ngettext("{count} question", "{count} questions", len(quiz.questions))]
    if quiz.slug in unfinished:
        done, total = unfinished[quiz.slug]
        facts.append(words.gettext("begun, {done} of {total} done", done=done, total=total))
    facts += [fact] if fact else []
    return Block(Role.LINE, title_of(quiz, words.language), lead=f"{words.number(number)}.", tail=" · ".join(facts))


def place(words: Words, page: int, pages: int) -> tuple[Block, ...]:
    """Which page (from 0) of a list this is, where there are several."""
    said = words.gettext("Page {number} of {total}", number=page + 1, total=pages)
    return (Block(Role.FACT, said),) if pages > 1 else ()


def _onward(words: Words, page: int, pages: int, mix: Blend | None) -> tuple[tuple[Button, ...], ...]:
    mixing = (Button(words.gettext("Mix"), mix),) if mix else ()
    return tuple(row for row in (turning(words, page, pages, Page), mixing) if row)


def no_such_quiz(language: str, wanted: str, near: Sequence[Quiz]) -> Card:
    """To whoever asked for the quiz `wanted`: there is none, but those `near`, the first three, or the list of all."""
    words = words_of(language)
    missing = Block(Role.LINE, words.gettext("There is no quiz “{name}”.", name=shortened(wanted, LONGEST_NAME) or "…"))
    if not near:
        return Card((missing,), browsing(words))
    picks = tuple((Button(label, Pick(quiz.slug)),) for label, quiz in _named(near[:MOST_NEAR], language))
    return Card((missing, Block(Role.LINE, words.gettext("Did you mean:"))), picks)


def _named(quizzes: Sequence[Quiz], language: str) -> list[tuple[str, Quiz]]:
    """By their titles, or by their slugs where titles would look alike."""
    titles = [shortened(title_of(quiz, language), LONGEST_NAME) for quiz in quizzes]
    alike = len(set(titles)) < len(titles)
    return [
        (shortened(quiz.slug, LONGEST_NAME) if alike else title, quiz)
        for title, quiz in zip(titles, quizzes, strict=True)
    ]


def no_longer_offered(language: str) -> Card:
    """To whoever wants a quiz again that has been taken away."""
    words = words_of(language)
    return Card((Block(Role.LINE, words.gettext("This quiz is no longer offered.")),), browsing(words))
