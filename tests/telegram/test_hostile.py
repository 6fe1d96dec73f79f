"""Updates with anything in them: what comes of them can be kept, is not endless, and is read without an error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from telegram import Bot

from adapters.people import LONGEST_NAME, LONGEST_TEXT
from adapters.telegram.events import Asked, Asker, Commanded, Joined, Pressed, Searched, understood
from tests.clock import NOON

BOT = Bot("1:a")
GROUP, PERSON = -1001, 42
CHARACTERS = st.characters(exclude_categories=()) | st.sampled_from("\0\ud800\udfff\n\u202e\u2066 /@")
ANYTHING = st.text(CHARACTERS)
SIZES = st.integers() | st.sampled_from([2**63, -(2**63), 10**40])
ENDLESS = "\0x" * 50_000

Json = dict[str, Any]


def somebody(name: str, last: str = "", locale: str = "en") -> Json:
    return {"id": PERSON, "is_bot": False, "first_name": name, "last_name": last, "language_code": locale}


def group(title: str = "Group") -> Json:
    return {"id": GROUP, "type": "supergroup", "title": title}


def message(text: str, by: Json, **more: Any) -> Json:
    first = text.partition(" ")[0]
    told = {"message_id": 7, "date": 0, "chat": group(), "from": by, "text": text}
    entity = {"type": "bot_command", "offset": 0, "length": len(first)}
    return {"update_id": 1, "message": told | {"entities": [entity]} | more}


def press(data: str, by: Json) -> Json:
    shown = {"message_id": 7, "date": 0, "chat": group()}
    return {"update_id": 1, "callback_query": {"id": "9", "from": by, "message": shown, "data": data}}


def asked(update: Json) -> Asked | None:
    return understood(update, BOT, "quizbot", NOON)


def asker_of(found: Asked | None) -> Asker:
    assert isinstance(found, Commanded | Pressed | Joined)
    return found.asker


def texts(found: Asked | None) -> Iterator[str]:
    """Everything in it that somebody chose and that goes further."""
    match found:
        case Commanded(asker, name, argument):
            yield from (asker.by.name, name, argument)
        case Pressed(asker) | Joined(asker):
            yield asker.by.name
        case Searched(person, _, text):
            yield from (person, text)


def can_be_kept(found: Asked | None) -> bool:
    return all("\0" not in text and text.encode() is not None for text in texts(found))


@given(ANYTHING, ANYTHING, ANYTHING)
def test_a_name_of_anything_can_be_kept(first: str, last: str, locale: str) -> None:
    by = somebody(first, last, locale)
    for update in (message("/quiz", by), press("1:l", by)):
        found = asked(update)
        assert can_be_kept(found)
        assert "\n" not in asker_of(found).by.name


@given(ANYTHING, ANYTHING)
def test_whoever_writes_as_a_chat_is_called_by_anything(title: str, signature: str) -> None:
    update = message("/quiz", somebody("Ann"), sender_chat=group(title), author_signature=signature)
    assert can_be_kept(asked(update))


@given(ANYTHING)
def test_after_a_command_anything_can_be_written(text: str) -> None:
    found = asked(message(f"/quiz {text}", somebody("Ann")))
    assert isinstance(found, Commanded)
    assert can_be_kept(found)


@given(ANYTHING)
def test_anything_can_be_searched_for(text: str) -> None:
    query = {"id": "9", "from": somebody("Ann"), "query": text, "offset": ""}
    assert can_be_kept(asked({"update_id": 1, "inline_query": query}))


@given(SIZES, SIZES)
def test_a_number_may_have_any_size(person: int, thread: int) -> None:
    by = somebody("Ann") | {"id": person}
    more = {"message_thread_id": thread, "is_topic_message": True}
    assert asker_of(asked(message("/quiz", by, **more))).by.person == f"telegram:{person}"


@pytest.mark.parametrize(
    "update",
    [
        message(f"/quiz {ENDLESS}", somebody("Ann")),
        message("/quiz", somebody(ENDLESS, ENDLESS)),
        message("/quiz", somebody("Ann"), sender_chat=group(ENDLESS)),
        press("1:l", somebody(ENDLESS)),
        {"update_id": 1, "inline_query": {"id": "9", "from": somebody("Ann"), "query": ENDLESS, "offset": ""}},
    ],
    ids=["argument", "name", "title", "presser", "search"],
)
def test_what_is_endless_is_cut(update: Json) -> None:
    found = asked(update)
    assert can_be_kept(found)
    assert max(map(len, texts(found))) <= LONGEST_TEXT
    if not isinstance(found, Searched):
        assert len(asker_of(found).by.name) <= LONGEST_NAME
