"""The list of quizzes to choose from, a page at a time, and what is said where the one that was wanted is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from bot.core.quiz import Quiz
from bot.messages import Block, Button, Card, Role
from bot.present.showing import browsing, title_of
from bot.presses import Page, Pick
from bot.words import Words, shortened, words_of

PAGE = 8
WIDTH = 4
MOST_NEAR = 3
LONGEST_NAME = 36
"""Characters of a quiz's name on a button; a name that reads from right to left takes two more."""

_NOTHING: Mapping[str, tuple[int, int]] = MappingProxyType({})


def picker(
    quizzes: Sequence[Quiz],
    language: str,
    page: int,
    unfinished: Mapping[str, tuple[int, int]] = _NOTHING,
    *,
    practice: bool = False,
) -> Card:
    """Page `page` (from 0; the nearest there is) of these quizzes; `unfinished`: slug -> questions done, and in all.

    With `practice` it says what practising is so far.
    """
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
        blocks=(
            Block(Role.TITLE, words.gettext("Choose a quiz")),
            *(_practice(words) if practice else ()),
            *entries,
            *_place(words, page, pages),
        ),
        buttons=(*rows, *_turning(words, page, pages)),
    )


def _practice(words: Words) -> tuple[Block, ...]:
    said = words.gettext(
        "Reviews of what you missed come with a later version. For now, choose a quiz to practise alone."
    )
    return (Block(Role.REMARK, said),)


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
