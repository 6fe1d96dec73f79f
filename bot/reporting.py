"""`quizbot reports`: what people reported about questions, for whoever mends them. Names nobody who reported."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import click

from bot import codec, databases
from bot.core.quiz import QuestionRef
from bot.library import Library
from bot.offering import counted
from bot.ports import Store, StoreError
from bot.reports import QuestionReport
from bot.words import isolated, shortened

STEM = 100
"""Characters of a stem, which only calls the question to mind."""

UNREADABLE = "(what it said can no longer be read)"

Reported = Mapping[tuple[str, str], Sequence[QuestionReport]]
"""Quiz and question -> its reports, newest first."""


def list_here(url: str) -> None:
    """Print every question that was reported, and a summary on stderr. Raises click's errors for what people can
    mend."""
    if databases.path_of(url) == databases.MEMORY:
        raise click.ClickException("the database is in memory: set QUIZBOT_DATABASE_URL to that of the bot")
    if not databases.is_there(url):
        click.echo(f"no reports: there is no database yet at {databases.path_of(url)}", err=True)
        return
    try:
        asyncio.run(_list(url))
    except StoreError as error:
        raise click.ClickException(str(error)) from error


async def _list(url: str) -> None:
    store = await databases.opened_to_read(url)
    try:
        reports = await store.reports()
        reported, library = _by_question(reports), Library(())
        paragraphs = [_paragraph(each, await _stem(library, store, each[0])) for each in reported.values()]
    finally:
        await store.close()
    if paragraphs:
        click.echo("\n\n".join(paragraphs))
    click.echo(f"{counted(len(reports), 'report')} about {counted(len(reported), 'question')}", err=True)


def _by_question(reports: Iterable[QuestionReport]) -> Reported:
    """In the order of the newest report about each."""
    found: dict[tuple[str, str], list[QuestionReport]] = {}
    for report in reports:
        found.setdefault((report.slug, report.question_id), []).append(report)
    return found


async def _stem(library: Library, store: Store, report: QuestionReport) -> str:
    """What the question said when it was reported last, in the first language of its quiz."""
    try:
        quiz = await library.read(report.quiz, store.quiz)
    except codec.UnreadableError:
        return UNREADABLE
    wanted = QuestionRef(report.slug, report.question_id)
    asked = next((question for question in quiz.questions if quiz.ref(question) == wanted), None)
    return shortened(asked.stem[quiz.source_of(asked)], STEM) if asked else UNREADABLE


def _paragraph(reports: Sequence[QuestionReport], stem: str) -> str:
    named = f"{reports[0].slug}, question {reports[0].question_id}: {stem}"
    reasons = Counter(report.reason for report in reports)
    counts = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
    written = (f"  {report.at:%Y-%m-%d} {report.reason}: {isolated(report.text)}" for report in reports if report.text)
    return "\n".join((named, f"  {counted(len(reports), 'report')}: {counts}", *written))
