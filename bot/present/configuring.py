"""The settings of the start card as a form: all of them at once, where a platform has forms to fill in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from bot.core.events import Change
from bot.core.quiz import Quiz
from bot.core.session import Session
from bot.messages import Button, Field, Form
from bot.present.preferring import BONUSES
from bot.present.showing import titled
from bot.present.starting import FEEDBACKS, ORDERS, PACES, count_label, counts
from bot.presses import Configure
from bot.words import Words, words_of

LONGEST_TITLE = 45

Value = TypeVar("Value")


def start_form(session: Session, quiz: Quiz, language: str) -> Form:
    """To whoever may configure a session that waits at its start card: what it will be like, to be changed. Its press
    carries what it shows, so that what is sent as it was can be told from what was chosen."""
    words, now = words_of(language), session.settings
    numbers = {count: count_label(words, count, len(session.draw)) for count in counts(now.count, len(session.draw))}
    return Form(
        titled(quiz, language, LONGEST_TITLE),
        Configure(session.id, Change(now.pace, now.count, now.feedback, now.order, now.speed_bonus), False),
        (
            _field(session, words.gettext("Questions"), numbers, now.count, lambda count: Change(count=count)),
            _field(session, words.gettext("Pace"), _said(words, PACES), now.pace, lambda pace: Change(pace=pace)),
            _field(
                *(session, words.gettext("Feedback"), _said(words, FEEDBACKS), now.feedback),
                lambda feedback: Change(feedback=feedback),
            ),
            _field(session, words.gettext("Order"), _said(words, ORDERS), now.order, lambda order: Change(order=order)),
            _field(
                *(session, words.gettext("Speed bonus"), _said(words, BONUSES), now.speed_bonus),
                lambda bonus: Change(speed_bonus=bonus),
            ),
        ),
    )


def _said(words: Words, table: Mapping[Value, str]) -> dict[Value, str]:
    return {value: words.gettext(label) for value, label in table.items()}


def _field(
    session: Session, label: str, choices: Mapping[Value, str], now: Value, change: Callable[[Value], Change]
) -> Field:
    buttons = tuple(Button(said, Configure(session.id, change(value), False)) for value, said in choices.items())
    return Field(label, buttons, list(choices).index(now))
