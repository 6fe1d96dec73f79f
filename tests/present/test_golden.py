"""Every card in three languages, word for word: a changed word shows as a changed line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from bot.core.effects import CardState, Reason
from bot.core.session import Feedback, Pace
from bot.learning.days import Period
from bot.messages import Card
from bot.permissions import Lacking
from bot.preferences import Reminders, Starters
from bot.present import post, reply
from bot.present.permitting import PERMISSIONS
from bot.present.preferring import (
    BONUS_FACTS,
    BONUSES,
    HIDING_FACTS,
    HIDINGS,
    JOINING_FACTS,
    JOININGS,
    REMINDER_FACTS,
    REMINDERS,
    STARTER_FACTS,
    STARTERS,
    THREAD_FACTS,
    THREADS,
)
from bot.present.ranking import NOBODY, PERIODS, RESETS
from bot.present.replying import REASONS
from bot.present.starting import FEEDBACK_FACTS, FEEDBACKS, ORDERS, OUTCOMES, PACE_FACTS, PACES
from bot.presses import Prefer
from bot.words import languages, words_of
from tests.present.plain import labels, texts
from tests.present.sample import QUIZ
from tests.present.scenes import CARDS, GOLDEN, LINES, POSTS, REPLIES, SCENES, transcript

LONGEST_LABEL = 38

MOST_PARTS = 34
"""Rows and buttons of a card; a platform may have room for forty parts, with the texts between them."""


@pytest.mark.parametrize("scene", SCENES)
def test_a_scene_reads_as_its_golden_text(scene: str) -> None:
    assert transcript(scene) == (GOLDEN / f"{scene}.txt").read_text(encoding="utf-8"), (
        f"{scene} reads differently; if that is meant: python -m tests.present.scenes"
    )


def test_every_golden_text_has_a_scene() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(SCENES)


def test_everything_there_is_to_name_has_words() -> None:
    assert set(REASONS) == set(Reason)
    assert set(PACES) == set(PACE_FACTS) == set(Pace)
    assert set(FEEDBACKS) == set(FEEDBACK_FACTS) == set(Feedback)
    assert {*OUTCOMES, CardState.WAITING, CardState.CONFIGURING} == set(CardState)
    assert set(STARTERS) == set(STARTER_FACTS) == set(Starters)
    assert set(REMINDERS) == set(REMINDER_FACTS) == set(Reminders)
    assert set(PERIODS) == set(NOBODY) == {*RESETS, Period.ALL} == set(Period)
    assert len(HIDINGS) == len(HIDING_FACTS) == len(JOININGS) == len(JOINING_FACTS) == 2
    assert {*PERMISSIONS, Lacking.MEMBERSHIP, Lacking.ENTRY, Lacking.LOCKED} == set(Lacking)
    assert len(ORDERS) == len(BONUSES) == len(BONUS_FACTS) == len(THREADS) == len(THREAD_FACTS) == 2


@pytest.mark.parametrize("language", languages())
def test_different_things_have_different_words(language: str) -> None:
    words = words_of(language)
    tables: list[Mapping[Any, str]] = [
        *(REASONS, PACES, PACE_FACTS, FEEDBACKS, FEEDBACK_FACTS, ORDERS, OUTCOMES),
        *(STARTERS, STARTER_FACTS, BONUSES, BONUS_FACTS, THREADS, THREAD_FACTS, PERMISSIONS),
        *(REMINDERS, REMINDER_FACTS, HIDINGS, HIDING_FACTS, JOININGS, JOINING_FACTS, PERIODS, NOBODY, RESETS),
    ]
    for table in tables:
        said = [words.catalogue.gettext(message) for message in table.values()]
        assert len(set(said)) == len(said), said


def _cards(language: str) -> list[Card]:
    posts = [post(effect, QUIZ, language) for effect in POSTS.values()]
    replies = [reply(effect, QUIZ, language) for effect in REPLIES.values()]
    return [*posts, *replies, *(card(language) for card in (*CARDS.values(), *LINES.values()))]


@pytest.mark.parametrize("language", languages())
def test_no_card_says_nothing_or_shows_a_template(language: str) -> None:
    for card in _cards(language):
        assert card.blocks
        assert all(said.strip() for said in texts(card))
        assert not any("{" in said or "}" in said for said in texts(card))


def _is_for_good(card: Card) -> bool:
    """Whether it has a row for each of many settings, or many values of one."""
    return any(isinstance(button.press, Prefer) for button in card.all_buttons)


@pytest.mark.parametrize("language", languages())
def test_labels_are_short_and_no_two_buttons_of_a_card_look_alike(language: str) -> None:
    for card in _cards(language):
        shown = [label for row in labels(card) for label in row]
        assert all(len(label) <= LONGEST_LABEL for label in shown)
        assert len(set(shown)) == len(shown)
        assert all(card.buttons), "no empty row"
        assert len(card.buttons) <= (8 if _is_for_good(card) else 5)
        assert len(card.buttons) + len(shown) <= MOST_PARTS


def test_a_reader_of_a_language_without_a_catalogue_is_spoken_to_in_english() -> None:
    assert post(POSTS["paused"], None, "fi") == post(POSTS["paused"], None, "en")
