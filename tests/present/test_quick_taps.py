"""Taps on a start card that has not been drawn anew yet: each changes its own setting, and undoes no other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from bot.core.effects import Reason, StartCard, Told
from bot.core.session import Feedback, Order, Pace, Phase, Settings
from bot.messages import Button
from bot.present import post
from bot.presses import Configure, dump, event_of, load
from tests.core.building import ANN, Room, plain_quiz

QUESTIONS = 12
MEANINGS: dict[str, dict[str, Any]] = {
    "Relaxed": {"pace": Pace.RELAXED},
    "Steady": {"pace": Pace.STEADY},
    "Brisk": {"pace": Pace.BRISK},
    "At once": {"feedback": Feedback.AT_ONCE},
    "After each question": {"feedback": Feedback.AT_CLOSE},
    "At the end": {"feedback": Feedback.AT_END},
    "In order": {"order": Order.WRITTEN},
    "Shuffled": {"order": Order.SHUFFLED},
    "Speed bonus: on": {"speed_bonus": False},
    "Speed bonus: off": {"speed_bonus": True},
    "Settings": {},
    "Hide settings": {},
    f"All {QUESTIONS} questions": {"count": QUESTIONS},
    **{str(count): {"count": count} for count in range(1, QUESTIONS)},
}
"""What somebody means who taps a button with this label, whatever else the card around it shows."""

SETTINGS = st.builds(
    Settings,
    st.sampled_from(Pace),
    st.integers(1, QUESTIONS),
    st.sampled_from(Feedback),
    st.sampled_from(Order),
    st.booleans(),
)
TAPS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 16)), min_size=1, max_size=30)
"""How many cards ago the tapped one was sent, and which of its buttons it is; both go round."""


def shown(room: Room, ago: int) -> list[Button]:
    """The buttons beside Start of a card that the chat was sent."""
    cards = [each for each in room.posts if isinstance(each, StartCard)]
    card = post(cards[-1 - ago % len(cards)], room.quiz, "en")
    return [button for button in card.all_buttons if isinstance(button.press, Configure)]


def tap(room: Room, button: Button) -> dict[str, Any]:
    """Tap it, and let the platform deliver that twice; what it means."""
    press = load(dump(button.press))
    assert isinstance(press, Configure)
    event = event_of(press, ANN, room.key(), room.now)
    assert room.feed(event).reply == Told(Reason.CONFIGURED)
    before = room.session
    assert room.feed(event).posts == ()
    assert room.session == before
    return MEANINGS[button.label.removeprefix("✓ ")]


@hypothesis_settings(deadline=None)
@given(SETTINGS, TAPS)
def test_of_each_setting_the_last_tap_holds_however_old_the_cards_were(
    chosen: Settings, taps: list[tuple[int, int]]
) -> None:
    room = Room(plain_quiz(QUESTIONS))
    room.start(chosen, card=True)
    expected = chosen
    for ago, which in taps:
        buttons = shown(room, ago)
        expected = replace(expected, **tap(room, buttons[which % len(buttons)]))
    assert room.session.settings == expected
    room.begin()
    assert (room.phase(), len(room.session.draw)) == (Phase.OPEN, expected.count)


@pytest.mark.parametrize("last", ["Hide settings", "Brisk", "At the end", "Shuffled"])
def test_two_taps_on_one_card_both_count(last: str) -> None:
    room = Room(plain_quiz(QUESTIONS))
    room.start(Settings(Pace.STEADY, QUESTIONS), card=True)
    (unfold,) = shown(room, 0)
    tap(room, unfold)
    card = {button.label: button for button in shown(room, 0)}
    tap(room, card["3"])
    tap(room, card[last])
    assert room.session.settings == replace(Settings(Pace.STEADY, 3), **MEANINGS[last])
