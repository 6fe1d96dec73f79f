"""Interactions with anything in them: what comes of them can be kept, and is not endless."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.discord import events
from adapters.discord.client import QuizbotClient
from adapters.discord.events import Asker
from adapters.people import LONGEST_NAME, LONGEST_TEXT
from bot.presses import UnreadableError, load
from tests.discord import payloads
from tests.discord.payloads import Json, client, interaction, pressed

CHARACTERS = st.characters(exclude_categories=()) | st.sampled_from("\0\ud800\udfff\n\u202e\u2066 ")
ANYTHING = st.text(CHARACTERS)
ENDLESS = "\0x" * 50_000


@pytest.fixture(scope="module")
def among() -> QuizbotClient:
    return client()


def can_be_kept(text: str) -> bool:
    return "\0" not in text and text.encode() is not None


def somebody(among: QuizbotClient, nick: str | None = None, **names: str) -> Asker:
    found = events.asker(interaction(among=among, of=payloads.member(payloads.user(**names), nick=nick)), member=True)
    assert found is not None
    return found


def form(among: QuizbotClient, *fields: Json) -> events.Filled:
    return events.filled(interaction({"custom_id": "1:x", "components": list(fields)}, type=5, among=among))


@given(ANYTHING)
def test_a_name_of_anything_can_be_kept(among: QuizbotClient, name: str) -> None:
    for found in (somebody(among, nick=name), somebody(among, global_name=name), somebody(among, name=name)):
        assert can_be_kept(found.by.name)
        assert "\n" not in found.by.name


@given(st.lists(ANYTHING, max_size=5))
def test_anything_can_be_written_in_a_form(among: QuizbotClient, written: list[str]) -> None:
    labels = [{"type": 18, "component": {"type": 4, "custom_id": "1:text:0", "value": text}} for text in written]
    assert can_be_kept(form(among, *labels).text)


@given(ANYTHING, st.lists(ANYTHING, max_size=25))
def test_a_button_may_say_anything_and_is_read_or_is_not(data: str, values: list[str]) -> None:
    for said in (*events.pressed(pressed(data)).datas, *events.pressed(pressed(data, values=values)).datas):
        with pytest.raises(UnreadableError):
            load(said)


def test_what_is_endless_is_cut(among: QuizbotClient) -> None:
    assert len(somebody(among, nick=ENDLESS).by.name) <= LONGEST_NAME
    label = {"type": 18, "component": {"type": 4, "custom_id": "1:text:0", "value": ENDLESS}}
    assert len(form(among, label, label).text) <= LONGEST_TEXT
