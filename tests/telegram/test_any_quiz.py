"""Whatever the loader accepts and whoever plays, what goes out is what the Bot API takes: nothing is ever refused."""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from adapters.pictures import described
from adapters.telegram.render import (
    MOST_CAPTION,
    MOST_POPUP,
    MOST_TEXT,
    Rendered,
    alt,
    caption,
    popup,
    rendered,
)
from bot.core.quiz import Quiz
from bot.core.session import Feedback
from bot.words import languages
from tests.clock import VirtualClock
from tests.present.anything import loaded, names, written_quizzes
from tests.present.everything import cards
from tests.telegram.playing import playing
from tests.telegram.server import BotApi, Message, Person
from tests.telegram.server.contract import load, violations
from tests.telegram.server.keyboards import rows_of
from tests.telegram.server.markup import parsed, units

VALIDATE = load()
EXPECTED = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)
any_quiz = written_quizzes()
pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")  # of what failed, which says what it was


def assert_taken(method: str, field: str, message: Rendered, most: int) -> None:
    said = parsed(message.text, "HTML", [])
    assert said.text.strip() or field == "caption"
    assert units(said.text) <= most
    assert said.text == parsed(message.plain, "", []).text
    keyboard: Any = message.keyboard.to_dict() if message.keyboard else {}
    rows_of(keyboard)
    if VALIDATE:
        raw = {"chat_id": "-1001", field: message.text, "parse_mode": "HTML"}
        raw |= {"photo": "attach://x"} if field == "caption" else {}
        raw |= {"reply_markup": json.dumps(keyboard)} if keyboard else {}
        assert violations(VALIDATE, method, raw) == []


@given(
    written=any_quiz,
    name=names,
    language=st.sampled_from(languages()),
    private=st.booleans(),
    feedback=st.sampled_from(Feedback),
)
@settings(max_examples=50, deadline=None, suppress_health_check=EXPECTED)
def test_every_card_of_any_quiz_is_a_message_that_telegram_takes(
    written: dict[str, Any], name: str, language: str, *, private: bool, feedback: Feedback
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        quiz = loaded(Path(folder), written)
    assume(quiz is not None)
    assert quiz is not None
    for card in cards(quiz, name, language, private=private, feedback=feedback):
        assert_taken("sendMessage", "text", rendered(described(card)), MOST_TEXT)
        assert_taken("sendPhoto", "caption", caption(card), MOST_CAPTION)
        if card.image:
            assert_taken("sendPhoto", "caption", alt(card), MOST_CAPTION)
        assert units(popup(card, private=False).text) <= MOST_POPUP


@given(written=any_quiz, name=names.filter(str.strip), seed=st.integers(0, 9))
@settings(
    max_examples=8, deadline=None, suppress_health_check=EXPECTED, phases=(Phase.explicit, Phase.reuse, Phase.generate)
)
def test_any_quiz_is_played_to_its_end_and_nothing_is_refused(written: dict[str, Any], name: str, seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        quiz = loaded(Path(folder), written)
        assume(quiz is not None)
        assert quiz is not None
        asyncio.run(asyncio.wait_for(play(quiz, name, Path(folder), seed), 60))


async def play(quiz: Quiz, name: str, pictures: Path, seed: int) -> None:
    """Two people in a group to the end."""
    clock = VirtualClock()
    async with BotApi(clock) as server:
        ann, bob = server.person(name), server.person(name[::-1], "bg")
        group = server.supergroup(name, [ann, bob], [ann])
        async with playing(server, clock, quiz, pictures=pictures, seed=seed) as bot:
            await ann.write(group, f"/quiz {quiz.slug}")
            await bot.quiet()
            await ann.press(group.last, "Start")
            for _ in quiz.questions:
                await bot.quiet()
                asked = group.last
                await press_all(asked, ann, ["A"])
                await press_all(asked, bob, ["B", "C"])
                await bot.wait(170)  # the longest time to answer and to read
            assert any("Again" in row for row in group.last.keyboard)
        refused = [call for call in server.requests if call.status not in (0, 200)]
        assert not refused, [(call.method, call.answer) for call in refused]


async def press_all(asked: Message, person: Person, letters: list[str]) -> None:
    """Press these letters as far as there are, and Send where one has to, though the question may close meanwhile."""
    shown = {button["text"]: button["callback_data"] for row in asked.markup for button in row}
    for letter in [*letters, "Send"]:
        if letter in shown:
            await (await person.press_data(asked, shown[letter])).answered()
