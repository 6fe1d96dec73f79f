"""Statistics in words and as a chart: of a learner to themselves, of a chat to its moderators. Counts nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from babel.dates import format_skeleton
from babel.numbers import format_percent

from bot.boards import Served
from bot.charts import Bar, Chart, Panel, Part, Tone
from bot.core.quiz import Question, Quiz
from bot.learning.days import Period, date_of
from bot.messages import Block, Button, Card, Link, Role, Style
from bot.preferences import Reminders
from bot.present.ending import score_of
from bot.present.picking import place
from bot.present.practising import remind_me
from bot.present.reporting import REASONS
from bot.present.showing import BRIEF, browsing, title_of, turning, wording
from bot.presses import Personal, Practise, ShowBoard, ShowReports
from bot.progress import Met, Progress, Reviews, Share
from bot.reports import QuestionReport
from bot.words import Words, msgid, shortened, words_of

MOST_SHARES = 6
"""Quizzes, and topics, of one card: with a picture it has to fit where pictures have their words."""

REPORTS_PAGE = 5
EVERY = 7
"""Days from one label under the bars to the next."""

_HINTS: Mapping[Reminders, str] = {
    Reminders.OFF: msgid("I can tell you when something is due: once a day at most, never at night."),
    Reminders.MORNING: msgid("In the morning I tell you when something is due."),
    Reminders.EVENING: msgid("In the evening I tell you when something is due."),
}


# A learner


def own_statistics(progress: Progress, reminders: Reminders | None, language: str) -> Card:
    """How far somebody is, to themselves, and what they can do about it; without `reminders` nobody is ever told."""
    words = words_of(language)
    if progress.is_nothing:
        return _nothing_yet(words)
    first = Button(words.gettext("Practise"), Practise(), Style.PRIMARY)
    board = Button(words.gettext("Leaderboard"), ShowBoard(Period.WEEK, everywhere=True, slug="", page=0))
    return Card(
        (
            Block(Role.TITLE, words.gettext("Your statistics")),
            *_totals(words, progress),
            Block(Role.LINE, _due(words, progress.reviews)),
            *_quizzes(words, progress),
            *_topics(words, progress),
            *([Block(Role.REMARK, words.gettext(_HINTS[reminders]))] if reminders else []),
        ),
        ((first, board), *([(_reminding(words, reminders),)] if reminders else [])),
    )


def _nothing_yet(words: Words) -> Card:
    empty = words.gettext("You have not answered a question yet, so there is nothing to tell.")
    onward = words.gettext("Choose a quiz, and soon you see here how you are doing.")
    return Card((Block(Role.LINE, empty), Block(Role.LINE, onward)), browsing(words))


def _reminding(words: Words, reminders: Reminders) -> Button:
    if reminders is Reminders.OFF:
        return remind_me(words)
    return Button(words.gettext("No more reminders"), Personal("reminders", Reminders.OFF))


def _totals(words: Words, progress: Progress) -> Iterable[Block]:
    total = progress.total
    if total.answered:
        said = words.ngettext(
            "So far {count} answer, {right} right ({share}).",
            "So far {count} answers, {right} right ({share}).",
            total.answered,
            right=total.right,
            share=_percent(words, total),
        )
        yield Block(Role.LINE, said)
    if progress.streak > 1:
        yield Block(Role.LINE, words.ngettext("{count} day in a row.", "{count} days in a row.", progress.streak))


def _due(words: Words, reviews: Reviews) -> str:
    """Each review is counted once: "3 today · 5 tomorrow · 4 more within a week · 20 later"."""
    parts = [
        *([words.gettext("{count} today", count=reviews.today)] if reviews.today else []),
        *([words.gettext("{count} tomorrow", count=reviews.tomorrow)] if reviews.tomorrow else []),
        *([_within_a_week(words, reviews)] if reviews.week else []),
        *([words.gettext("{count} later", count=reviews.later)] if reviews.later else []),
    ]
    if not parts:
        return words.gettext("Nothing waits to be reviewed.")
    return words.gettext("To be reviewed: {when}.", when=" · ".join(parts))


def _within_a_week(words: Words, reviews: Reviews) -> str:
    if reviews.today or reviews.tomorrow:
        return words.gettext("{count} more within a week", count=reviews.week)
    return words.gettext("{count} within a week", count=reviews.week)


def _quizzes(words: Words, progress: Progress) -> Iterable[Block]:
    shares = [(title_of(quiz, words.language), share) for quiz, share in progress.quizzes]
    one, several = words.gettext("By quiz:"), words.gettext("By quiz, the weakest first:")
    yield from _shares(words, several if len(shares) > 1 else one, shares)
    if progress.gone.answered:
        gone = words.gettext("questions no longer offered")
        yield Block(Role.LINE, gone, lead="•", tail=_score(words, progress.gone))


def _topics(words: Words, progress: Progress) -> Iterable[Block]:
    shares = [(shortened(topic.replace("-", " "), BRIEF), share) for topic, share in progress.topics]
    if len(shares) > 1:
        yield from _shares(words, words.gettext("By topic, the weakest first:"), shares)


def _shares(words: Words, heading: str, shares: Sequence[tuple[str, Share]]) -> Iterable[Block]:
    if not shares:
        return
    yield Block(Role.LINE, heading)
    for name, share in shares[:MOST_SHARES]:
        yield Block(Role.LINE, shortened(name, BRIEF), lead="•", tail=_score(words, share))
    if len(shares) > MOST_SHARES:
        more = len(shares) - MOST_SHARES
        yield Block(Role.LINE, words.ngettext("and {count} more", "and {count} more", more))


def _score(words: Words, share: Share) -> str:
    return f"{score_of(words, share.right, share.answered)} · {_percent(words, share)}"


def _percent(words: Words, share: Share) -> str:
    return format_percent(share.rate, locale=words.locale)


def own_progress(met: Met, count: int, language: str) -> str:
    """How far somebody is with a quiz of `count` questions, for a list of quizzes."""
    words = words_of(language)
    seen = words.gettext("{met} of {count} met", met=met.questions, count=count)
    right = words.gettext("{share} right", share=_percent(words, met.share))
    due = [words.gettext("{count} due", count=met.due)] if met.due else []
    return " · ".join((seen, right, *due))


def asked_here(asked: int, count: int, language: str) -> str:
    """How many of the `count` questions of a quiz a chat has had, for a list of quizzes."""
    return words_of(language).gettext("{asked} of {count} asked here", asked=asked, count=count)


# The picture


def progress_chart(progress: Progress, language: str) -> Chart | None:
    """The answers of the last days and the reviews of the next; None when there are neither."""
    if not any(day.answered for day in progress.days) and not any(progress.ahead):
        return None
    words = words_of(language)
    right, wrong = words.pgettext("answers", "right"), words.pgettext("answers", "wrong")
    first = progress.today - len(progress.days) + 1
    answers = [
        Bar((day.right, day.answered - day.right), _label(words, first + at, progress.today))
        for at, day in enumerate(progress.days)
    ]
    reviews = [
        Bar((count,), _label(words, progress.today + at, progress.today)) for at, count in enumerate(progress.ahead)
    ]
    return Chart(
        (
            Panel(_answers(words, progress), (Part(Tone.RIGHT, right), Part(Tone.WRONG, wrong)), tuple(answers)),
            Panel(_reviews(words, progress), (Part(Tone.DUE, ""),), tuple(reviews), numbered=True),
        )
    )


def _answers(words: Words, progress: Progress) -> str:
    return words.ngettext("Answers, the last {count} day", "Answers, the last {count} days", len(progress.days))


def _reviews(words: Words, progress: Progress) -> str:
    return words.ngettext("Reviews, the next {count} day", "Reviews, the next {count} days", len(progress.ahead))


def _label(words: Words, day: int, today: int) -> str:
    """What stands under the bar of a day: today, and every seventh before and after it."""
    return "" if (day - today) % EVERY else _day(words, day, today)


def _day(words: Words, day: int, today: int) -> str:
    if day == today:
        return words.pgettext("when", "today")
    return format_skeleton("MMMd", date_of(day), locale=words.locale)


def described_chart(progress: Progress, language: str) -> str:
    """All that the picture shows, in words."""
    words, today = words_of(language), progress.today
    first = today - len(progress.days) + 1
    answers = [
        words.gettext(
            "{day}: {right} of {count}", day=_day(words, first + at, today), right=day.right, count=day.answered
        )
        for at, day in enumerate(progress.days)
        if day.answered
    ]
    reviews = [
        words.gettext("{day}: {count}", day=_day(words, today + at, today), count=count)
        for at, count in enumerate(progress.ahead)
        if count
    ]
    title = words.gettext("{title} (right of all)", title=_answers(words, progress))
    return "\n".join((_listed(words, title, answers), _listed(words, _reviews(words, progress), reviews)))


def _listed(words: Words, title: str, said: Sequence[str]) -> str:
    return words.gettext("{title}: {list}.", title=title, list="; ".join(said) or words.gettext("nothing"))


# A chat


def statistics_in_private(language: str, link: str | None) -> Card:
    """To whoever wants their statistics in a group: that they are told in private; `link` opens the private chat."""
    words = words_of(language)
    why = Block(Role.LINE, words.gettext("I tell you your statistics in a private chat, where nobody else sees them."))
    if link:
        return Card((why,), ((Link(words.gettext("Open the private chat"), link),),))
    how = words.gettext("Open a private chat with me and send /stats there.")
    return Card((why, Block(Role.LINE, how)))


def most_missed(missed: Sequence[tuple[Served, Quiz, Question]], language: str, link: str | None) -> Card:
    """To a moderator: the questions that were missed most in a chat. `link` leads to their own statistics."""
    words = words_of(language)
    entries = [_missed(words, number, *each) for number, each in enumerate(missed, 1)]
    nothing = Block(Role.LINE, words.gettext("Nothing has been missed here yet."))
    reports = Button(words.gettext("What was reported"), ShowReports(0))
    own = (Link(words.gettext("My own statistics"), link),) if link else ()
    title = Block(Role.TITLE, words.gettext("Missed most in this chat"))
    return Card((title, *(entries or (nothing,))), ((reports, *own),))


def _missed(words: Words, number: int, served: Served, quiz: Quiz, question: Question) -> Block:
    wrong = words.gettext("{wrong} of {count} wrong", wrong=served.answered - served.right, count=served.answered)
    title = shortened(wording(quiz.title, words.language, quiz.source_language), BRIEF)
    return Block(
        Role.LINE, stem_of(quiz, question, words.language), lead=f"{words.number(number)}.", tail=f"{title} · {wrong}"
    )


def stem_of(quiz: Quiz, question: Question, language: str) -> str:
    """The stem, called to mind."""
    return shortened(wording(question.stem, quiz.language_for(question, language)), BRIEF) or "…"


# Reports


@dataclass(frozen=True, slots=True)
class Reported:
    """A report, with the question it is about as far as that can still be read, and the date of it in the chat."""

    report: QuestionReport
    found: tuple[Quiz, Question] | None
    on: date


def reported_questions(listed: Sequence[Reported], page: int, count: int, language: str) -> Card:
    """To a moderator: a page (from 0) of the `count` reports about questions in a chat, the newest first. Who reported
    is not said."""
    words = words_of(language)
    title = Block(Role.TITLE, words.gettext("Reported questions"))
    if not count:
        return Card((title, Block(Role.LINE, words.gettext("Nothing has been reported here."))))
    first, pages = page * REPORTS_PAGE + 1, -(-count // REPORTS_PAGE)
    entries = [block for number, each in enumerate(listed, first) for block in _reported(words, number, each)]
    turned = turning(words, page, pages, ShowReports)
    return Card(
        (title, *entries, *place(words, page, pages)),
        (turned,) if turned else (),
    )


def _reported(words: Words, number: int, reported: Reported) -> tuple[Block, Block]:
    report, found = reported.report, reported.found
    stem = stem_of(*found, words.language) if found else shortened(report.question_id, BRIEF)
    title = title_of(found[0], words.language) if found else report.slug
    reason = words.gettext(REASONS[report.reason])
    said = words.gettext("{reason}: “{text}”", reason=reason, text=report.text) if report.text else reason
    day = format_skeleton("yMMMd", reported.on, locale=words.locale)
    return (
        Block(Role.LINE, stem, lead=f"{words.number(number)}.", tail=shortened(title, BRIEF)),
        Block(Role.FACT, said, tail=day),  # written by people, so no link in it is to work
    )


def reports_for_moderators(language: str, *, private: bool) -> Card:
    """To whoever may not see what was reported, or asks where there are no moderators."""
    words = words_of(language)
    if private:
        said = words.gettext("What is reported is seen by the moderators of a group, with /stats there.")
    else:
        said = words.gettext("Only moderators see what was reported here.")
    return Card((Block(Role.LINE, said),))
