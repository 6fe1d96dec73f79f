"""How questions fared in a chat: added up over its sessions, apart from other chats, and which were missed most."""

from __future__ import annotations

from datetime import datetime

import pytest

from bot.boards import Served
from bot.core.quiz import QuestionRef
from bot.ports import Changes, StoreError
from bot.storage.sql import SqlStore
from tests.clock import NOON
from tests.storage.building import CHAT, OTHER, a_response, after, write

RED = QuestionRef("colours", "red")
BLUE = QuestionRef("colours", "blue")
ROUND = QuestionRef("shapes", "round")


def closing(
    ref: QuestionRef = RED, answered: int = 3, right: int = 1, *, chat: str = CHAT, at: datetime = NOON
) -> Served:
    return Served(chat, ref, answered, right, at)


async def add(store: SqlStore, *served: Served) -> None:
    await write(store, Changes(served=list(served)))


async def test_every_closing_of_a_question_is_added_up_and_the_last_one_says_when(store: SqlStore) -> None:
    await add(store, closing(at=after(9)), closing(BLUE, 1, 1))
    await add(store, closing(answered=0, right=0, at=after(5)))
    await add(store, closing(answered=2, right=2, at=after(7)))
    assert await store.served(CHAT, ["colours"]) == [closing(BLUE, 1, 1), closing(RED, 5, 3, at=after(9))]


async def test_a_question_that_closes_twice_in_a_turn_counts_twice(store: SqlStore) -> None:
    await add(store, closing(at=after(1)), closing(at=after(2)))
    assert await store.served(CHAT, ["colours"]) == [closing(RED, 6, 2, at=after(2))]


async def test_only_the_quizzes_that_were_asked_for_are_told(store: SqlStore) -> None:
    await add(store, closing(), closing(ROUND))
    assert await store.served(CHAT, ["shapes", "sounds"]) == [closing(ROUND)]
    assert await store.served(CHAT, []) == []


async def test_each_chat_has_seen_what_closed_there(store: SqlStore) -> None:
    await add(store, closing(), closing(BLUE, chat=OTHER))
    assert await store.served(CHAT, ["colours"]) == [closing()]
    assert await store.served(OTHER, ["colours"]) == [closing(BLUE, chat=OTHER)]
    assert await store.most_missed(OTHER, 10) == [closing(BLUE, chat=OTHER)]


async def test_a_turn_that_cannot_be_written_has_served_nothing(store: SqlStore) -> None:
    await write(store, Changes(responses=[a_response()]))
    with pytest.raises(StoreError):
        await write(store, Changes(responses=[a_response()], served=[closing()]))
    assert await store.served(CHAT, ["colours"]) == []


async def test_missed_most_is_the_lowest_share_of_right_answers_then_the_most_who_answered(store: SqlStore) -> None:
    half, third, more = closing(RED, 4, 2), closing(BLUE, 3, 1), closing(ROUND, 6, 2)
    none_right = closing(QuestionRef("shapes", "square"), 1, 0)
    await add(store, half, third, more, none_right)
    await add(store, closing(QuestionRef("shapes", "easy"), 5, 5), closing(QuestionRef("shapes", "silent"), 0, 0))
    assert await store.most_missed(CHAT, 10) == [none_right, more, third, half]
    assert await store.most_missed(CHAT, 2) == [none_right, more]


async def test_a_chat_that_moves_takes_along_what_it_has_seen_once(store: SqlStore) -> None:
    await add(store, closing(at=after(3)), closing(BLUE), closing(RED, 1, 1, chat=OTHER, at=after(1)))
    for _ in range(2):
        await store.move_chat(CHAT, OTHER)
    assert await store.served(CHAT, ["colours"]) == []
    assert await store.served(OTHER, ["colours"]) == [
        closing(BLUE, chat=OTHER),
        closing(RED, 4, 2, chat=OTHER, at=after(3)),
    ]
