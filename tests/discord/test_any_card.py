"""Whatever the loader accepts and whoever plays, what goes out is what Discord takes: nothing is ever refused."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from adapters.arranging import punctuated
from adapters.characters import JOINER, clean
from adapters.discord.markup import is_address
from adapters.discord.render import MOST_TEXT, modal
from adapters.fitting import units
from adapters.pictures import described
from bot.content.characters import is_seen
from bot.core.session import Feedback
from bot.messages import Card, Field, Form, Writing
from bot.presses import MOST_BYTES, Page, load
from bot.words import languages
from tests.clock import NOON
from tests.discord.looking import Looked, look
from tests.discord.server import components, contract, limits
from tests.discord.server.errors import Json
from tests.discord.server.wire import Request
from tests.present.anything import loaded, names, wild, wild_buttons, wild_cards, written_quizzes
from tests.present.everything import cards
from tests.present.scenes import CARDS, LINES

PROBLEMS = contract.load()
EXPECTED = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)
OURS = {"heading", "small", "bold", "italic", "quote", "link", "address", "time"}
ROUND = str.maketrans("[]", "()")  # brackets in the words of a link
pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")  # of what failed, which says what it was


def assert_taken(looked: Looked) -> None:
    """Neither the limits nor the machine-readable API have anything against the message."""
    assert list(limits.message(looked.body)) == []
    assert _violations("/channels/1/messages", looked.body) == []
    assert looked.kinds <= OURS
    for text in components.texts(looked.parts):
        assert text == text.strip()
    for line in looked.seen.split("\n"):
        assert line.count("\u2068") == line.count("\u2069")
    for data in _datas(looked):
        assert len(data.encode("ascii")) <= MOST_BYTES
        load(data)


def _violations(path: str, body: Json) -> list[str]:
    return contract.violations(PROBLEMS, Request("POST", path, {}, NOON, body)) if PROBLEMS else []


def _datas(looked: Looked) -> Iterator[str]:
    yield from (button.custom_id for button in looked.buttons if button.custom_id)
    yield from (value for select in looked.selects for _, value in select.options)


def assert_whole(card: Card, looked: Looked) -> None:
    """Every word of it is there, in order, unless something was cut."""
    seen, at = _bare(looked.seen), 0
    for block in () if _may_be_cut(card) else card.blocks:
        text = block.text.translate(ROUND) if is_address(block.url) else block.text
        for wanted in map(_bare, (punctuated(replace(block, lead=clean(block.lead))), text, block.tail)):
            at = seen.index(wanted, at) + len(wanted)


def _may_be_cut(card: Card) -> bool:
    """Markdown is at most three times as long as the text; a text that shows nothing at all is replaced."""
    lengths = (units(block.lead + block.text + block.tail + block.url) for block in card.blocks)
    return 3 * sum(lengths) > MOST_TEXT or not all(is_seen(block.text) for block in card.blocks)


def _bare(text: str) -> str:
    """Without blanks, and what shows nothing."""
    return "".join(clean(text).replace(JOINER, "").replace("\ufeff", "").split())


@given(
    written=written_quizzes(),
    name=names,
    language=st.sampled_from(languages()),
    private=st.booleans(),
    feedback=st.sampled_from(Feedback),
)
@settings(max_examples=25, deadline=None, suppress_health_check=EXPECTED)
def test_every_card_of_any_quiz_is_a_message_that_discord_takes(
    written: dict[str, Any], name: str, language: str, *, private: bool, feedback: Feedback
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        quiz = loaded(Path(folder), written)
    assume(quiz is not None)
    assert quiz is not None
    for card in cards(quiz, name, language, private=private, feedback=feedback):
        assert_taken(look(card, "picture.png" if card.image else None))
        if card.image:
            assert_taken(look(described(card)))
        assert_whole(described(card), look(described(card)))


@given(card=wild_cards, picture=st.sampled_from([None, "picture.png"]))
@settings(deadline=None, suppress_health_check=EXPECTED)
def test_any_card_is_a_message_that_discord_takes(card: Card, picture: str | None) -> None:
    looked = look(card, picture)
    assert_taken(looked)
    assert_whole(card, looked)
    assert looked.seen.strip()


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", [*CARDS, *LINES])
def test_every_other_card_of_ours_goes_out_whole(name: str, language: str) -> None:
    card = {**CARDS, **LINES}[name](language)
    looked = look(card)
    assert_taken(looked)
    assert_whole(card, looked)
    assert len(looked.buttons) == sum(map(len, card.buttons))


_FIELDS = st.builds(
    Field,
    wild,
    st.lists(wild_buttons, min_size=1, max_size=25, unique_by=lambda button: button.press).map(tuple),
    st.none() | st.integers(0, 30),
)
_WRITINGS = st.builds(Writing, wild, st.integers(1, 9999))
_FORMS = st.builds(Form, wild, st.just(Page(1)), st.lists(_FIELDS | _WRITINGS, min_size=1, max_size=5).map(tuple))


@given(form=_FORMS)
@settings(deadline=None, suppress_health_check=EXPECTED)
def test_any_form_is_one_that_discord_takes(form: Form) -> None:
    body = modal(form).to_dict()
    assert list(limits.form(body)) == []
    assert _violations("/interactions/1/x/callback", {"type": 9, "data": body}) == []
