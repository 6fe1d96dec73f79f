"""The settings of a start card as a form: what there is to choose, what holds now, and that it fits a form."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from bot import present
from bot.core.effects import CardState, StartCard
from bot.core.events import Change
from bot.core.session import Feedback, Order, Pace, Session, Settings
from bot.messages import Field, Form
from bot.presses import Configure, dump, load
from bot.words import languages
from tests.present.sample import DRAW, QUIZ, RELAXED, same
from tests.present.scenes import WAITING

LONGEST_LABEL, LONGEST_TITLE, MOST_CHOICES, MOST_FIELDS = 45, 45, 25, 5
SETTINGS = [
    RELAXED,
    Settings(Pace.BRISK, 7, Feedback.AT_END, Order.SHUFFLED, speed_bonus=True),
    Settings(Pace.STEADY, 12, Feedback.AT_CLOSE),
    Settings(Pace.STEADY, 1),
]


def _fields(form: Form) -> list[Field]:
    return [field for field in form.fields if isinstance(field, Field)]


def _changes(field: Field) -> list[Change]:
    return [button.press.change for button in field.choices if isinstance(button.press, Configure)]


def _changed(session: Session, settings: Settings) -> Session:
    return replace(session, settings=settings)


@pytest.mark.parametrize("language", languages())
def test_a_form_has_room_for_everything_on_every_platform_with_forms(language: str) -> None:
    form = present.start_form(WAITING, replace(QUIZ, title=same("long " * 60)), language)
    assert 0 < len(form.title) <= LONGEST_TITLE
    assert len(form.fields) == len(_fields(form)) <= MOST_FIELDS
    for field in _fields(form):
        assert 0 < len(field.label) <= LONGEST_LABEL
        assert 2 <= len(field.choices) <= MOST_CHOICES
        labels = [button.label for button in field.choices]
        assert len(set(labels)) == len(labels)
        assert not [label for label in labels if label.startswith("✓")], "what holds is told apart from the labels"


@pytest.mark.parametrize("title", ["ש" * 300, "ש " * 100, "\u202e", "T" * 45, "T" * 46])
def test_a_title_fits_whatever_it_is(title: str) -> None:
    shown = present.start_form(WAITING, replace(QUIZ, title=same(title)), "en").title
    assert len(shown) <= LONGEST_TITLE
    assert len(shown) > 40 or (shown == "…" and title == "\u202e")


@pytest.mark.parametrize("settings", SETTINGS)
def test_a_form_knows_what_it_showed(settings: Settings) -> None:
    form = present.start_form(_changed(WAITING, settings), QUIZ, "en")
    assert isinstance(form.press, Configure)
    assert (form.press.session, form.press.configuring) == ("s1", False)
    assert None not in [getattr(form.press.change, field.name) for field in fields(Change)]
    assert form.press.change.of(RELAXED) == settings
    assert load(dump(form.press)) == form.press


def test_everything_that_can_be_chosen_is_a_change_of_one_thing_of_this_session_that_folds_the_card() -> None:
    form = present.start_form(WAITING, QUIZ, "en")
    for field in _fields(form):
        for button in field.choices:
            assert isinstance(button.press, Configure)
            assert (button.press.session, button.press.configuring) == ("s1", False)
            assert load(dump(button.press)) == button.press
    assert [_changes(field) for field in _fields(form)] == [
        [Change(count=count) for count in (3, 5, 10, 12)],
        [Change(pace=pace) for pace in Pace],
        [Change(feedback=feedback) for feedback in Feedback],
        [Change(order=order) for order in Order],
        [Change(speed_bonus=bonus) for bonus in (False, True)],
    ]


@pytest.mark.parametrize("settings", SETTINGS)
def test_what_holds_now_is_marked_in_every_field(settings: Settings) -> None:
    form = present.start_form(_changed(WAITING, settings), QUIZ, "bg")
    for field in _fields(form):
        assert field.now is not None
        assert _changes(field)[field.now].of(settings) == settings


def test_a_quiz_of_one_question_has_one_number_to_choose() -> None:
    single = replace(WAITING, draw=DRAW[:1], settings=Settings(Pace.STEADY, 1))
    count = _fields(present.start_form(single, QUIZ, "en"))[0]
    assert [button.label for button in count.choices] == ["Just 1 question"]


def test_a_form_offers_what_the_card_offers() -> None:
    settings = Settings(Pace.STEADY, 7)
    card = StartCard("s1", "Ann", settings, 12, private=False, state=CardState.CONFIGURING)
    buttons = present.post(card, QUIZ, "en").all_buttons
    on_the_card = {button.press.change for button in buttons if isinstance(button.press, Configure)}
    form = present.start_form(_changed(WAITING, settings), QUIZ, "en")
    in_the_form = {change for field in _fields(form) for change in _changes(field)}
    assert on_the_card - in_the_form == {Change()}
    assert in_the_form - on_the_card == {Change(speed_bonus=False)}
