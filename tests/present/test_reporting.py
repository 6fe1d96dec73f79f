"""What somebody who reports a question is shown: every reason in words, and nothing too long for a form."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot import present
from bot.messages import Field, Role, Writing
from bot.present.reporting import REASONS
from bot.presses import MOST_BYTES, Report, dump, load
from bot.reports import Reason
from bot.words import languages, words_of
from tests.present.plain import plain, plain_form, texts
from tests.present.sample import DRAW, QUIZ, quiz_of, same

LONGEST_IN_A_FORM = 45
LONGEST_LABEL = 38
SESSION, AT = "s" * 24, 999_999

every_language = pytest.mark.parametrize("language", languages())


def _reasons(language: str) -> Field:
    field = present.report_form(SESSION, AT, language).fields[0]
    assert isinstance(field, Field)
    return field


@every_language
def test_every_reason_has_words_of_its_own(language: str) -> None:
    assert list(REASONS) == list(Reason)
    said = [words_of(language).gettext(label) for label in REASONS.values()]
    assert len(set(said)) == len(said)
    assert all(0 < len(label) <= LONGEST_LABEL for label in said)


@every_language
def test_a_form_has_the_reasons_and_room_for_words_and_no_label_is_too_long(language: str) -> None:
    form = present.report_form(SESSION, AT, language)
    assert [type(field) for field in form.fields] == [Field, Writing]
    assert all(0 < len(said) <= LONGEST_IN_A_FORM for said in (form.title, *(field.label for field in form.fields)))
    assert _reasons(language).now is None
    assert "{" not in plain_form(form)


@every_language
def test_form_and_card_offer_the_same_reasons_and_their_buttons_are_read_as_written(language: str) -> None:
    card = present.what_is_wrong(SESSION, AT, DRAW[0], QUIZ, language)
    assert card.all_buttons == _reasons(language).choices
    for button, reason in zip(card.all_buttons, Reason, strict=True):
        assert button.press == Report(SESSION, AT, reason)
        assert len(dump(button.press).encode()) <= MOST_BYTES
        assert load(dump(button.press)) == button.press


def test_the_card_calls_the_question_to_mind_in_a_line() -> None:
    long = quiz_of(replace(QUIZ.questions[0], stem=same("word\n" * 200)))
    card = present.what_is_wrong("s", 6, replace(DRAW[0], question=0), long, "en")
    (stem,) = (block for block in card.blocks if block.role is Role.STEM)
    assert stem.lead == "7."
    assert "\n" not in stem.text
    assert len(stem.text) <= 100


@every_language
def test_thanks_are_not_the_same_as_a_change(language: str) -> None:
    first, again = (present.reported(language, again=again) for again in (False, True))
    assert plain(first) != plain(again)
    assert all(said.strip() for card in (first, again) for said in texts(card))
