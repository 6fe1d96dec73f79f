"""A page of a leaderboard, and what is said where none is meant. Knows no store and no clock, and counts nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache

from bot.boards import Leaderboard, Line
from bot.commands import period_word
from bot.core.quiz import Quiz
from bot.learning.days import Period
from bot.messages import Block, Button, Card, Role
from bot.present.ending import MEDALS, points_of, score_of
from bot.present.showing import title_of, titled, turning
from bot.presses import Personal, ShowBoard
from bot.words import Words, folded, languages, msgid, shortened, words_of

PAGE = 10
MOST_NEAR = 3
LONGEST_NAME = 36

PERIODS: Mapping[Period, str] = {
    Period.TODAY: msgid("today, this day, day"),
    Period.WEEK: msgid("week, this week"),
    Period.MONTH: msgid("month, this month"),
    Period.ALL: msgid("all, all time, ever"),
}
"""What may be written for a period, to be translated: every language has words of its own, and as many as it needs."""

RESETS: Mapping[Period, str] = {
    Period.TODAY: msgid("The next day begins on {moment} ({city})."),
    Period.WEEK: msgid("The next week begins on {moment} ({city})."),
    Period.MONTH: msgid("The next month begins on {moment} ({city})."),
}
NOBODY: Mapping[Period, str] = {
    Period.TODAY: msgid("Nobody is on it yet today."),
    Period.WEEK: msgid("Nobody is on it yet this week."),
    Period.MONTH: msgid("Nobody is on it yet this month."),
    Period.ALL: msgid("Nobody is on it yet."),
}


@dataclass(frozen=True, slots=True)
class Viewer:
    """Whoever looks at a leaderboard in private: whether they are `hidden`, and have `joined` the one across chats."""

    hidden: bool
    joined: bool


@cache
def periods() -> Mapping[str, Period]:
    """What may be written for a period, in every language, as `folded` has it."""
    return {folded(word): period for language in languages() for period in Period for word in _words(period, language)}


def _words(period: Period, language: str) -> tuple[str, ...]:
    return (period_word(period, language), *words_of(language).gettext(PERIODS[period]).split(","))


def leaderboard(
    board: Leaderboard,
    shown: ShowBoard,
    language: str,
    *,
    quiz: Quiz | None = None,
    reset: datetime | None = None,
    city: str = "",
    viewer: Viewer | None = None,
) -> Card:
    """The page that is `shown` of `board`; `quiz` is the one that it counts, if not all.

    It is new at `reset`, told by the clock of the time zone `city`, None for all time. `viewer` is there in private;
    elsewhere the card is everybody's, whoever asked.
    """
    words = words_of(language)
    return Card(
        (
            Block(Role.TITLE, words.gettext("Leaderboard — {period}", period=period_word(shown.period, language))),
            Block(Role.REMARK, _scope(words, shown, quiz)),
            *(_hidden(words) if viewer and viewer.hidden else ()),
            *_lines(words, board, shown, viewer),
            *_own(words, board),
            *_count(words, board, shown),
            *_reset(words, shown.period, reset, city),
        ),
        (
            _periods(shown, language),
            *_rows(turning(words, shown.page, pages(board.count), lambda page: replace(shown, page=page))),
            *_rows(_boards(words, shown, viewer)),
            *_rows(_choices(words, shown, viewer)),
        ),
    )


def pages(count: int) -> int:
    """How many pages a leaderboard of so many people has; one at least."""
    return max(-(-count // PAGE), 1)


def _rows(row: tuple[Button, ...]) -> tuple[tuple[Button, ...], ...]:
    return (row,) if row else ()


def _scope(words: Words, shown: ShowBoard, quiz: Quiz | None) -> str:
    if quiz is None:
        if shown.everywhere:
            return words.gettext("Across chats, among all who joined")
        return words.gettext("In this chat, all quizzes")
    title = title_of(quiz, words.language)
    if shown.everywhere:
        return words.gettext("Across chats, among all who joined, only “{quiz}”", quiz=title)
    return words.gettext("In this chat, only “{quiz}”", quiz=title)


def _hidden(words: Words) -> tuple[Block, ...]:
    return (Block(Role.LINE, words.gettext("You chose to be hidden, so no leaderboard shows you.")),)


def you_are_hidden(language: str) -> Card:
    """To somebody who is on no leaderboard, and perhaps wonders why: they want it so."""
    return Card(_hidden(words_of(language)))


def _lines(words: Words, board: Leaderboard, shown: ShowBoard, viewer: Viewer | None) -> Iterable[Block]:
    if board.lines:
        return (_line(words, line) for line in board.lines)
    nobody = Block(Role.LINE, words.gettext(NOBODY[shown.period]))
    return nobody, Block(Role.LINE, _what_fills_it(words, shown, viewer))


def _what_fills_it(words: Words, shown: ShowBoard, viewer: Viewer | None) -> str:
    if not shown.everywhere:
        return words.gettext("Whoever answers in a quiz here is on it; /quiz starts one.")
    if viewer and viewer.joined:
        return words.gettext("What you answer in quizzes of your groups counts here.")
    return words.gettext("Join, and what you answer in quizzes of your groups counts here too.")


def _line(words: Words, line: Line) -> Block:
    score = points_of(words, line.points)
    medal = MEDALS.get(line.rank, "") if line.points else ""
    return Block(
        Role.STANDING,
        words.gettext("{name} — {score}", name=words.name(line.name), score=score),
        lead=f"{medal} {words.number(line.rank)}.".lstrip(),
        tail=score_of(words, line.right, line.answered),
    )


def _own(words: Words, board: Leaderboard) -> tuple[Block, ...]:
    """Where whoever asked is, who is on another page: with their name, for others may read it too."""
    own = board.own
    if own is None or any(line.person == own.person for line in board.lines):
        return ()
    place = {"name": words.name(own.name), "rank": own.rank, "count": board.count}
    score = f"{points_of(words, own.points)}, {score_of(words, own.right, own.answered)}"
    return (Block(Role.FACT, words.gettext("{name}: place {rank} of {count}", **place), tail=score),)


def _count(words: Words, board: Leaderboard, shown: ShowBoard) -> tuple[Block, ...]:
    if not board.count:
        return ()
    facts = [words.ngettext("{count} person", "{count} people", board.count)]
    total = pages(board.count)
    if total > 1:
        facts.append(words.gettext("Page {number} of {total}", number=shown.page + 1, total=total))
    return (Block(Role.FACT, " · ".join(facts)),)


def _reset(words: Words, period: Period, reset: datetime | None, city: str) -> tuple[Block, ...]:
    if reset is None:
        return ()
    said = words.gettext(RESETS[period], moment=words.moment(reset), city=words.city(city))
    return (Block(Role.FACT, said),)


# Buttons


def _periods(shown: ShowBoard, language: str) -> tuple[Button, ...]:
    """The one that is shown stays on its page: it brings that as it is now."""
    return tuple(
        Button(f"✓ {period_word(period, language)}", shown)
        if period is shown.period
        else Button(period_word(period, language), replace(shown, period=period, page=0))
        for period in Period
    )


def _boards(words: Words, shown: ShowBoard, viewer: Viewer | None) -> tuple[Button, ...]:
    """The ways to wider and narrower boards of the same period."""
    every = Button(words.gettext("All quizzes"), replace(shown, slug="", page=0))
    other = replace(shown, everywhere=not shown.everywhere, page=0)
    label = words.gettext("This chat") if shown.everywhere else words.gettext("Across chats")
    return (*((every,) if shown.slug else ()), *(() if viewer else (Button(label, other),)))


def _choices(words: Words, shown: ShowBoard, viewer: Viewer | None) -> tuple[Button, ...]:
    """Being on it or not. In private what is not so yet; a card that is everybody's has both, for they are theirs."""
    hide = Button(words.gettext("Hide me"), Personal("hidden", "1"))
    show = Button(words.gettext("Show me"), Personal("hidden", "0"))
    join = Button(words.gettext("Join"), Personal("everywhere", "1"))
    leave = Button(words.gettext("Leave"), Personal("everywhere", "0"))
    if viewer is None:
        return (join, leave) if shown.everywhere else (hide, show)
    return (leave if viewer.joined else join, show if viewer.hidden else hide)


def no_such_board(language: str, wanted: str, near: Sequence[Quiz], shown: ShowBoard) -> Card:
    """To whoever wanted the leaderboard of something that there is not: the quizzes it may be, `near`."""
    words = words_of(language)
    name = shortened(wanted, LONGEST_NAME) or "…"
    blocks = (
        Block(Role.LINE, words.gettext("I know no quiz and no time called “{name}”.", name=name)),
        Block(Role.LINE, words.gettext("After /leaderboard you can write today, week, month or all, and a quiz.")),
    )
    meant = tuple(
        (Button(titled(quiz, language, LONGEST_NAME), replace(shown, slug=quiz.slug)),) for quiz in near[:MOST_NEAR]
    )
    asked = (Block(Role.LINE, words.gettext("Did you mean:")),) if meant else ()
    return Card((*blocks, *asked), meant)
