"""What is shown to somebody who reports a question: the reasons to choose from, as a form or a card, and thanks."""

from __future__ import annotations

from collections.abc import Mapping

from bot import reports
from bot.core.quiz import Quiz
from bot.core.session import Drawn
from bot.messages import Block, Button, Card, Field, Form, Link, Role, Writing
from bot.present.showing import shown
from bot.presses import Report
from bot.reports import MOST_WRITTEN
from bot.words import msgid, words_of

WIDTH = 2

REASONS: Mapping[reports.Reason, str] = {
    reports.Reason.WRONG_KEY: msgid("A wrong answer counts as right"),
    reports.Reason.UNCLEAR: msgid("The question is unclear"),
    reports.Reason.TRANSLATION: msgid("The translation is wrong"),
    reports.Reason.TYPO: msgid("There is a typo"),
    reports.Reason.OTHER: msgid("Something else"),
}

_WHAT_IS_WRONG = msgid("What is wrong with this question?")


def report_form(session: str, at: int, language: str) -> Form:
    """What to fill in about the question at position `at` (from 0) of a session."""
    words = words_of(language)
    return Form(
        words.gettext("Report a question"),
        Report(session, at),
        (
            Field(words.gettext(_WHAT_IS_WRONG), _reasons(session, at, language)),
            Writing(words.gettext("In your own words (optional)"), MOST_WRITTEN),
        ),
    )


def what_is_wrong(session: str, at: int, drawn: Drawn, quiz: Quiz, language: str) -> Card:
    """The same where there are no forms: a button for each reason, and which question it is."""
    question = shown(quiz, drawn, language)
    buttons = _reasons(session, at, language)
    return Card(
        (
            Block(Role.LINE, question.words.gettext(_WHAT_IS_WRONG)),
            Block(Role.STEM, question.brief(question.question.stem), lead=f"{question.words.number(at + 1)}."),
        ),
        tuple(buttons[start : start + WIDTH] for start in range(0, len(buttons), WIDTH)),
    )


def report_in_private(language: str, link: str) -> Card:
    """The same where everybody would see the buttons: that it is said in private, to which `link` leads."""
    words = words_of(language)
    said = words.gettext("Tell me in private what is wrong with this question.")
    return Card((Block(Role.LINE, said),), ((Link(words.gettext("Open the private chat"), link),),))


def _reasons(session: str, at: int, language: str) -> tuple[Button, ...]:
    words = words_of(language)
    return tuple(Button(words.gettext(label), Report(session, at, reason)) for reason, label in REASONS.items())


def reported(language: str, *, again: bool) -> Card:
    """To whoever has reported a question; `again`: in place of what they reported about it before."""
    words = words_of(language)
    if again:
        return _line(words.gettext("Your report about this question has been changed."))
    return _line(words.gettext("Thank you! Whoever looks after the quizzes will see your report."))


def no_question(language: str) -> Card:
    """To whoever wants to report a message that is none of a question."""
    said = words_of(language).gettext("This message is not one of my questions, so there is nothing to report.")
    return _line(said)


def not_asked_here(language: str) -> Card:
    """To whoever wants to report a question that was not, or not yet, asked in this chat."""
    return _line(words_of(language).gettext("I have not asked this question here, so you cannot report it here."))


def _line(said: str) -> Card:
    return Card((Block(Role.LINE, said),))
