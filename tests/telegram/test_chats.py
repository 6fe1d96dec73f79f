"""Ids of chats and messages: what they stand for, and where they are linked to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.telegram.chats import Place, message_link, message_of, name, place
from bot.ports import place_of, platform_of

SUPERGROUP = Place(-1001234567890)


@pytest.mark.parametrize(
    ("chat", "expected"),
    [
        ("telegram:42", Place(42)),
        ("telegram:-4001", Place(-4001)),
        ("telegram:-1001234567890/7", Place(-1001234567890, 7)),
    ],
)
def test_an_id_names_a_chat_and_its_topic(chat: str, expected: Place) -> None:
    assert place(chat) == expected
    assert name(expected) == chat


@given(st.builds(Place, st.integers(-(10**15), -1) | st.integers(1, 10**15), st.none() | st.integers(1, 10**9)))
def test_every_chat_has_one_id(where: Place) -> None:
    assert place(name(where)) == where
    assert platform_of(name(where)) == "telegram"
    assert place_of(name(where)) == name(Place(where.chat))


@pytest.mark.parametrize(
    "chat", ["", "telegram:", "telegram:0", "telegram:x", "telegram:1/", "telegram:1/0", "telegram:١", "discord:1"]
)
def test_another_id_is_an_error_that_says_what_ids_look_like(chat: str) -> None:
    with pytest.raises(ValueError, match="telegram:-1001"):
        place(chat)


def test_a_group_has_a_negative_id() -> None:
    assert Place(-1).is_group
    assert not Place(1).is_group


def test_a_message_of_a_supergroup_has_an_address() -> None:
    assert message_link(SUPERGROUP, 5) == "https://t.me/c/1234567890/5"
    assert message_link(Place(SUPERGROUP.chat, 7), 5) == "https://t.me/c/1234567890/7/5"
    assert message_link(SUPERGROUP, 5, "study_room") == "https://t.me/study_room/5"


@pytest.mark.parametrize("where", [Place(42), Place(-4001)])
def test_a_message_of_a_private_chat_or_a_basic_group_has_none(where: Place) -> None:
    assert message_link(where, 5) is None


def test_a_reference_has_the_number_of_its_message() -> None:
    assert [message_of("123"), message_of("123c")] == [123, 123]


@pytest.mark.parametrize("reference", ["", "c", "0", "-1", "12cc", "1.0", "١"])
def test_another_reference_is_an_error_that_says_what_references_look_like(reference: str) -> None:
    with pytest.raises(ValueError, match="123c"):
        message_of(reference)
