"""A chat: its language, its move to another id, and the time during which nobody served it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.ports import Changes, Deferred, Delivered, Outage
from bot.storage.driver import Driver
from bot.storage.sql import SqlStore
from tests.clock import NOON
from tests.storage.building import (
    CHAT,
    OTHER,
    a_player,
    a_session,
    after,
    asked,
    begin,
    claim,
    closed,
    ended,
    queue,
    save,
    slots,
    write,
)

# Language


async def test_a_chat_has_the_language_that_it_was_given_last(store: SqlStore) -> None:
    assert (await store.preferences({CHAT}))[CHAT].language is None
    await store.prefer(CHAT, "language", "bg")
    await store.prefer(CHAT, "language", "ro")
    assert (await store.preferences({CHAT}))[CHAT].language == "ro"
    assert (await store.preferences({OTHER}))[OTHER].language is None


async def test_language_and_session_of_a_chat_do_not_touch_each_other(store: SqlStore) -> None:
    await begin(store)
    await store.prefer(CHAT, "language", "bg")
    assert await store.session(CHAT) == a_session()
    await save(store, ended(a_session()))
    await begin(store, a_session("s2"))
    assert (await store.preferences({CHAT}))[CHAT].language == "bg"


# Moving


async def test_a_chat_that_moves_takes_session_players_posts_and_language_along(store: SqlStore) -> None:
    await begin(store)
    await write(store, Changes(players=[("s1", a_player())]))
    await store.prefer(CHAT, "language", "bg")
    await queue(store, asked(1))
    await store.move_chat(CHAT, OTHER)
    assert await store.session(CHAT) is None
    assert await store.session(OTHER) == a_session()
    assert (await store.preferences({OTHER}))[OTHER].language == "bg"
    assert await slots(store) == [(OTHER, "q1")]
    assert await store.next_wake(NOON) == after(20)
    async with store.turns({OTHER: ["test:bob"]}) as turns:
        assert turns.chats[OTHER].players == {"test:bob": a_player()}


async def test_to_hear_of_a_move_twice_changes_nothing(store: SqlStore) -> None:
    await begin(store)
    await store.move_chat(CHAT, OTHER)
    answered = replace(a_session(), answered=1)
    await save(store, answered, OTHER)
    await store.move_chat(CHAT, OTHER)
    assert await store.session(OTHER) == answered
    assert await store.next_wake(NOON) == after(20)


async def test_a_move_to_the_same_place_changes_nothing(store: SqlStore) -> None:
    await begin(store)
    await store.move_chat(CHAT, CHAT)
    assert await store.session(CHAT) == a_session()
    assert await store.next_wake(NOON) == after(20)


async def test_a_chat_that_is_unknown_can_move(store: SqlStore) -> None:
    await begin(store, chat=OTHER)
    await store.move_chat(CHAT, OTHER)
    assert await store.session(OTHER) == a_session()


async def test_a_session_that_moves_while_it_runs_wins_over_one_that_began_there(store: SqlStore) -> None:
    await begin(store)
    await begin(store, a_session("s2", deadline=after(10)), OTHER)
    await store.move_chat(CHAT, OTHER)
    assert await store.session(OTHER) == a_session()
    assert [due.session for due in await store.due(after(60), 10)] == ["s1"]


async def test_a_session_that_runs_where_a_chat_moves_to_stays_when_that_chat_has_none(store: SqlStore) -> None:
    running = a_session("s2")
    await begin(store, ended(a_session()))
    await begin(store, running, OTHER)
    await store.prefer(OTHER, "language", "ro")
    await store.move_chat(CHAT, OTHER)
    assert await store.session(OTHER) == running
    assert [due.session for due in await store.due(after(60), 10)] == ["s2"]
    assert (await store.preferences({OTHER}))[OTHER].language == "ro"


async def test_messages_of_the_old_chat_are_sent_anew_in_the_new_one(store: SqlStore) -> None:
    await begin(store)
    await queue(store, asked(0))
    await store.settle([Delivered((await claim(store))[0], "m1")], after(0))
    await store.move_chat(CHAT, OTHER)
    await queue(store, closed(0), chat=OTHER)
    (outgoing,) = await claim(store)
    assert (outgoing.chat, outgoing.message) == (OTHER, None)


async def test_no_message_of_any_session_of_a_chat_that_moved_is_known_any_more(store: SqlStore) -> None:
    for number, chat in ((1, CHAT), (2, CHAT), (3, "test:3")):
        session = f"s{number}"
        await begin(store, ended(a_session(session)), chat)
        await queue(store, asked(0, session), chat=chat)
        await store.settle([Delivered((await claim(store))[0], f"m{number}")], after(0))
    await store.move_chat(CHAT, OTHER)
    assert [await store.message(f"s{number}", "q0") for number in (1, 2, 3)] == [None, None, "m3"]


async def test_a_post_that_was_on_its_way_when_the_chat_moved_is_tried_in_the_new_one(store: SqlStore) -> None:
    await begin(store)
    await queue(store, asked(0))
    (before,) = await claim(store)
    await store.move_chat(CHAT, OTHER)
    await store.settle([Deferred(before, after(1))], after(1))
    assert await slots(store, at=1) == [(OTHER, "q0")]


# Looking things up


async def test_a_message_is_known_by_session_and_slot_once_it_was_sent(store: SqlStore) -> None:
    await begin(store)
    await queue(store, asked(0), asked(1))
    for message in ("m1", "m2"):
        await store.settle([Delivered((await claim(store))[0], message)], after(0))
    found = [await store.message(*of) for of in (("s1", "q0"), ("s1", "q1"), ("s1", "q2"), ("s2", "q0"))]
    assert found == ["m1", "m2", None, None]


async def test_the_quiz_of_every_session_is_known_also_of_one_that_has_ended(store: SqlStore) -> None:
    await begin(store, ended(a_session(quiz="first")))
    await begin(store, a_session("s2", quiz="second"))
    assert [await store.quiz_of(session) for session in ("s1", "s2", "s3")] == ["first", "second", None]


async def test_live_sessions_are_found_by_how_the_ids_of_their_chats_begin(store: SqlStore) -> None:
    chats = ("test:-1", "test:-1/7", "test:-12", "test:%", "test:_1")
    for number, chat in enumerate(chats):
        await begin(store, a_session(f"s{number}"), chat)
    await begin(store, ended(a_session("over")), "test:-1/8")
    assert [chat for chat, _ in await store.unfinished("test:-1")] == ["test:-1", "test:-1/7", "test:-12"]
    assert [chat for chat, _ in await store.unfinished("test:%")] == ["test:%"]
    assert [chat for chat, _ in await store.unfinished("test:_")] == ["test:_1"]


# Alive and away


async def outages(store: SqlStore) -> list[tuple[datetime, datetime]]:
    return [(outage.since, outage.until) for outage in await store.outages()]


async def test_the_time_between_the_last_beat_and_the_return_is_an_outage(store: SqlStore) -> None:
    await begin(store)
    await store.sign_in(after(1))
    await store.sign_in(after(3))
    await store.recover(after(10))
    assert await outages(store) == [(after(3), after(10))]


async def test_a_first_start_is_no_outage(store: SqlStore) -> None:
    await begin(store)
    await store.recover(after(0))
    assert await store.outages() == []


async def test_every_outage_is_kept_while_a_session_may_not_have_been_told(store: SqlStore) -> None:
    await begin(store)
    await store.sign_in(after(0))
    await store.recover(after(10))
    await store.recover(after(15))
    assert await outages(store) == [(after(0), after(10)), (after(10), after(15))]


async def test_outages_are_forgotten_once_no_session_is_live(store: SqlStore) -> None:
    await begin(store)
    await store.sign_in(after(0))
    await store.recover(after(10))
    await save(store, ended(a_session()))
    await store.recover(after(15))
    assert await outages(store) == [(after(10), after(15))]


async def test_a_clock_that_was_set_back_is_no_outage(store: SqlStore) -> None:
    await begin(store)
    await store.sign_in(after(10))
    await store.recover(after(5))
    assert await store.outages() == []


async def test_a_platform_is_away_on_its_own(store: SqlStore, driver: Driver) -> None:
    foreign = SqlStore(driver, ["other"])
    await begin(store)
    await begin(foreign, a_session("s2"), "other:1")
    await store.sign_in(after(0))
    await foreign.sign_in(after(4))
    await foreign.recover(after(6))
    assert await store.outages() == [Outage("other", after(4), after(6))]


async def test_what_was_under_way_at_a_stop_is_free_at_once(store: SqlStore) -> None:
    await queue(store, asked(0))
    (before,) = await claim(store)
    await store.recover(after(1))
    (again,) = await claim(store, at=1)
    assert again == replace(before, attempts=1)


async def test_what_others_have_under_way_stays_theirs(store: SqlStore, driver: Driver) -> None:
    foreign = SqlStore(driver, ["other"])
    await queue(foreign, asked(0), chat="other:1")
    await claim(foreign)
    await store.recover(after(1))
    assert await claim(foreign, at=1) == []
