"""What people report about questions: one row for a person and a question, in which the last word stands."""

from __future__ import annotations

from typing import Any

from bot.codec import millis, moment
from bot.reports import QuestionReport, Reason, reason_of
from bot.storage.driver import Connection

COLUMNS = "person, slug, question_id, quiz, session, reason, text, at"
KEEP = f"""
    INSERT INTO report ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (person, slug, question_id) DO UPDATE SET quiz = excluded.quiz, session = excluded.session,
        reason = excluded.reason, text = excluded.text, at = excluded.at
"""
EARLIER = f"SELECT {COLUMNS} FROM report WHERE person = $1 AND slug = $2 AND question_id = $3"
NEWEST_FIRST = "ORDER BY at DESC, person, slug, question_id"
ALL = f"SELECT {COLUMNS} FROM report {NEWEST_FIRST}"
OF_PLACE = f"""
    SELECT {COLUMNS} FROM report WHERE EXISTS (
        SELECT 1 FROM session WHERE session.id = report.session
            AND (session.chat = $1 OR substr(session.chat, 1, length($1) + 1) = $1 || '/')
    ) {NEWEST_FIRST}
"""


async def keep(connection: Connection, report: QuestionReport) -> QuestionReport | None:
    """Keep what somebody reports; see `Store.report`."""
    rows = await connection.fetch(EARLIER, report.person, report.slug, report.question_id)
    await connection.write(KEEP, [_row(report)])
    return _read(*rows[0]) if rows else None


async def load(connection: Connection, place: str | None) -> list[QuestionReport]:
    """See `Store.reports`."""
    rows = await (connection.fetch(ALL) if place is None else connection.fetch(OF_PLACE, place))
    return [_read(*row) for row in rows]


def _row(report: QuestionReport) -> tuple[Any, ...]:
    return (
        report.person,
        report.slug,
        report.question_id,
        report.quiz,
        report.session,
        report.reason.value,
        report.text,
        millis(report.at),
    )


def _read(
    person: str, slug: str, question_id: str, quiz: str, session: str, reason: str, text: str, at: int
) -> QuestionReport:
    # A reason of another version is still a report.
    known = reason_of(reason) or Reason.OTHER
    return QuestionReport(person, slug, question_id, quiz, session, known, text, moment(at))
