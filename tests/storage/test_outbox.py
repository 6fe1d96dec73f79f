"""Posts on their way: in order within a chat, side by side across chats, the newest state never lost."""

from __future__ import annotations

from dataclasses import replace

from bot.codec import load_post
from bot.core.effects import HostTold, Post
from bot.ports import Changes, Deferred, Delivered, Outgoing, Postponed, Queued, SetAside
from bot.storage.driver import Driver
from bot.storage.sql import SqlStore
from tests.storage.building import (
    CHAT,
    OTHER,
    PLATFORM,
    TEXT,
    a_session,
    after,
    asked,
    begin,
    claim,
    closed,
    paused,
    queue,
    slots,
    write,
)


async def deliver(store: SqlStore, outgoing: Outgoing, message: str | None = None, at: float = 0) -> None:
    await store.settle([Delivered(outgoing, message)], after(at))


async def shown(store: SqlStore, at: float = 0) -> list[Post]:
    """Deliver whatever can be delivered at this moment, in the order in which it is handed out."""
    posts = []
    while claimed := await claim(store, at):
        for outgoing in claimed:
            posts.append(load_post(outgoing.body))
            await deliver(store, outgoing, at=at)
    return posts


async def test_a_reason_that_not_every_database_can_hold_keeps_no_outcome_from_being_noted(store: SqlStore) -> None:
    await begin(store)
    await queue(store, asked(0), chat=CHAT)
    await queue(store, asked(0, "s2"), chat=OTHER)
    refused, sent = await claim(store)
    await store.settle([SetAside(refused, "no\0thing \ud800"), Delivered(sent, "m1")], after(0))
    assert await store.message("s2", "q0") == "m1"
    assert await slots(store, at=600) == []


async def test_posts_of_a_chat_are_handed_out_one_after_the_other_as_they_were_queued(store: SqlStore) -> None:
    await queue(store, closed(0), asked(1), paused())
    (first,) = await claim(store)
    assert first.slot == "q0"
    assert await claim(store) == []
    await deliver(store, first)
    assert await shown(store) == [asked(1), paused()]


async def test_chats_do_not_wait_for_each_other(store: SqlStore) -> None:
    await queue(store, asked(0), asked(1))
    await queue(store, asked(0, "s2"), asked(1, "s2"), chat=OTHER)
    assert await slots(store) == [(CHAT, "q0"), (OTHER, "q0")]


async def test_no_more_are_handed_out_than_asked_for(store: SqlStore) -> None:
    for number in range(3):
        await queue(store, asked(0, f"s{number}"), chat=f"test:{number}")
    assert len(await claim(store, limit=2)) == 2
    assert len(await claim(store, limit=2)) == 1


async def test_a_post_comes_with_what_it_is_rendered_with(store: SqlStore) -> None:
    await begin(store, a_session(quiz="digest"))
    await store.prefer(CHAT, "language", "ro")
    await write(store, Changes(quizzes={"digest": TEXT}))
    await queue(store, asked(), at=3)
    (outgoing,) = await claim(store, at=4)
    assert (outgoing.quiz, outgoing.language, outgoing.message) == ("digest", "ro", None)
    assert outgoing.attempts == 0
    assert load_post(outgoing.body) == asked()


async def test_what_is_said_to_the_host_in_private_goes_there_with_the_quiz_of_its_session(store: SqlStore) -> None:
    await begin(store)
    told = HostTold("s1", "test:ann")
    await write(store, Changes(posts=[Queued("test:ann", told, after(0))]))
    (outgoing,) = await claim(store)
    assert (outgoing.chat, outgoing.quiz) == ("test:ann", "digest")


# Slots


async def test_a_newer_post_takes_the_place_of_an_unsent_one_and_its_turn_in_the_queue(store: SqlStore) -> None:
    await queue(store, asked(0), paused())
    await queue(store, closed(0))
    assert await shown(store) == [closed(0), paused()]


async def test_a_post_that_was_replaced_while_under_way_is_followed_by_the_newer_one(store: SqlStore) -> None:
    await queue(store, asked(0), paused())
    (old,) = await claim(store)
    await queue(store, closed(0))
    assert await claim(store) == []
    await deliver(store, old, "m1")
    (new,) = await claim(store)
    assert (load_post(new.body), new.message, new.id) == (closed(0), "m1", old.id)
    assert new.revision != old.revision
    await deliver(store, new)
    assert await shown(store) == [paused()]


async def test_a_post_that_failed_while_a_newer_one_replaced_it_is_tried_as_the_newer_one(store: SqlStore) -> None:
    await queue(store, asked(0))
    (old,) = await claim(store)
    await queue(store, closed(0))
    await store.settle([Deferred(old, after(7))], after(1))
    assert await claim(store, at=6.999) == []
    (new,) = await claim(store, at=7)
    assert (load_post(new.body), new.attempts) == (closed(0), 1)


async def test_a_newer_post_for_a_chat_that_is_held_back_is_held_back_as_well(store: SqlStore) -> None:
    await queue(store, asked(0))
    await store.settle([Deferred((await claim(store))[0], after(30))], after(1))
    await queue(store, closed(0), at=2)
    assert await claim(store, at=29) == []
    assert await shown(store, at=30) == [closed(0)]


async def test_the_message_in_a_slot_is_remembered_and_may_change(store: SqlStore) -> None:
    await queue(store, asked(0))
    await deliver(store, (await claim(store))[0], "m1")
    for message, reference in ((None, "m1"), ("m2", "m1"), (None, "m2")):
        await queue(store, closed(0))
        (outgoing,) = await claim(store)
        assert outgoing.message == reference
        await deliver(store, outgoing, message)


async def test_the_same_slot_of_another_session_is_another_message(store: SqlStore) -> None:
    await queue(store, asked(0))
    await deliver(store, (await claim(store))[0], "m1")
    await queue(store, asked(0, "s2"))
    assert (await claim(store))[0].message is None


async def test_no_number_is_given_to_a_second_post_however_empty_the_outbox_is(store: SqlStore) -> None:
    numbers = []
    for number in range(3):
        await queue(store, asked(0, f"s{number}"))
        (outgoing,) = await claim(store)
        numbers.append(outgoing.id)
        await deliver(store, outgoing)
    assert len(set(numbers)) == 3


async def test_word_of_a_post_that_was_dropped_meanwhile_harms_no_later_one(store: SqlStore) -> None:
    await queue(store, asked(0))
    (dropped,) = await claim(store)
    await store.drop_posts(CHAT, "s1")
    await queue(store, asked(0, "s2"))
    await deliver(store, dropped)
    assert await shown(store) == [asked(0, "s2")]


# Counters


async def test_a_counter_waits_for_its_moment_and_lets_later_posts_pass(store: SqlStore) -> None:
    await queue(store, asked(0, answered=1), lazy=5)
    await queue(store, paused())
    assert await shown(store, at=4.999) == [paused()]
    assert await shown(store, at=5) == [asked(0, answered=1)]


async def test_a_counter_that_is_due_waits_for_the_post_under_way_that_passed_it(store: SqlStore) -> None:
    await queue(store, asked(0, answered=1), lazy=5)
    await queue(store, paused())
    (passing,) = await claim(store)
    assert await claim(store, at=6) == []
    await deliver(store, passing, at=7)
    assert await shown(store, at=7) == [asked(0, answered=1)]


async def test_counters_become_one_at_the_moment_of_the_first(store: SqlStore) -> None:
    await queue(store, asked(0, answered=1), lazy=5)
    await queue(store, asked(0, answered=2), lazy=9)
    assert await shown(store, at=5) == [asked(0, answered=2)]


async def test_a_counter_for_a_question_that_is_not_sent_yet_is_as_urgent_as_that(store: SqlStore) -> None:
    await queue(store, asked(0))
    await queue(store, asked(0, answered=1), lazy=5)
    assert await shown(store) == [asked(0, answered=1)]


async def test_nothing_passes_a_question_that_is_under_way_and_has_a_counter_already(store: SqlStore) -> None:
    await queue(store, asked(0))
    await claim(store)
    await queue(store, asked(0, answered=1), lazy=5)
    await queue(store, paused())
    assert await claim(store) == []


async def test_a_counter_for_a_question_under_way_waits_from_when_that_arrived(store: SqlStore) -> None:
    await queue(store, asked(0))
    (question,) = await claim(store)
    await queue(store, asked(0, answered=1), lazy=5)
    await deliver(store, question, "m1", at=4)
    assert await shown(store, at=8.999) == []
    assert await shown(store, at=9) == [asked(0, answered=1)]


async def test_the_close_of_a_question_does_not_wait_as_its_counter_did(store: SqlStore) -> None:
    await queue(store, asked(0, answered=1), lazy=5)
    await queue(store, closed(0), at=1)
    assert await shown(store, at=1) == [closed(0)]


# Counters that are put off


async def put_off(store: SqlStore, until: float, at: float = 5) -> Outgoing:
    """Claim the only post that can be claimed, and put it off until then."""
    (outgoing,) = await claim(store, at)
    await store.settle([Postponed(outgoing, after(until))], after(at))
    return outgoing


async def test_a_counter_that_is_put_off_lets_later_posts_pass_and_comes_when_it_is_ready(store: SqlStore) -> None:
    await queue(store, asked(0, answered=1), lazy=5)
    await put_off(store, until=15)
    await queue(store, paused(), at=6)
    assert await store.next_ready(PLATFORM, after(6)) == after(15)
    assert await shown(store, at=14.999) == [paused()]
    assert await shown(store, at=15) == [asked(0, answered=1)]


async def test_a_counter_that_is_put_off_has_used_up_no_attempt(store: SqlStore) -> None:
    await queue(store, asked(0, answered=1), lazy=5)
    for round_ in range(1, 100):
        assert (await put_off(store, until=5 + round_, at=4 + round_)).attempts == 0


async def test_a_counter_that_is_put_off_gives_way_to_a_newer_one_and_to_the_close(store: SqlStore) -> None:
    await queue(store, asked(0, answered=1), lazy=5)
    await put_off(store, until=15)
    await queue(store, asked(0, answered=2), lazy=20)
    (newer,) = await claim(store, at=15)
    assert load_post(newer.body) == asked(0, answered=2)
    await store.settle([Postponed(newer, after(30))], after(15))
    await queue(store, closed(0), at=16)
    assert await shown(store, at=16) == [closed(0)]
    assert await shown(store, at=100) == []


async def test_a_close_that_replaced_a_counter_while_that_was_put_off_goes_at_once(store: SqlStore) -> None:
    await queue(store, asked(0, answered=1), lazy=5)
    (counter,) = await claim(store, at=5)
    await queue(store, closed(0), at=5)
    await store.settle([Postponed(counter, after(15))], after(6))
    assert await shown(store, at=6) == [closed(0)]


async def test_a_newer_counter_waits_as_long_as_the_one_that_it_replaced_while_that_was_put_off(
    store: SqlStore,
) -> None:
    await queue(store, asked(0, answered=1), lazy=5)
    (counter,) = await claim(store, at=5)
    await queue(store, asked(0, answered=2), lazy=10)
    await store.settle([Postponed(counter, after(15))], after(6))
    assert await shown(store, at=14.999) == []
    assert await shown(store, at=15) == [asked(0, answered=2)]


async def test_a_counter_that_was_as_urgent_as_its_question_lets_others_pass_once_it_is_put_off(
    store: SqlStore,
) -> None:
    await queue(store, asked(0))
    await queue(store, asked(0, answered=1), lazy=5)
    await put_off(store, until=15)
    await queue(store, paused(), at=6)
    assert await shown(store, at=6) == [paused()]
    assert await shown(store, at=15) == [asked(0, answered=1)]


async def test_a_counter_that_failed_before_it_was_put_off_holds_its_chat_up_no_longer(store: SqlStore) -> None:
    await queue(store, asked(0, answered=1), lazy=5)
    (counter,) = await claim(store, at=5)
    await store.settle([Deferred(counter, after(10))], after(5))
    await put_off(store, until=60, at=10)
    await queue(store, paused(), at=11)
    assert await shown(store, at=11) == [paused()]
    assert await shown(store, at=60) == [asked(0, answered=1)]


async def test_a_counter_whose_chat_was_dropped_while_it_was_put_off_does_not_come_back(store: SqlStore) -> None:
    await queue(store, asked(0, answered=1), lazy=5)
    (counter,) = await claim(store, at=5)
    await store.drop_posts(CHAT, "s1")
    await store.settle([Postponed(counter, after(15))], after(5))
    assert await claim(store, at=100) == []


# What goes wrong


async def test_a_deferred_post_holds_up_its_own_chat_and_no_other(store: SqlStore) -> None:
    await queue(store, asked(0), paused())
    await queue(store, asked(0, "s2"), asked(1, "s2"), chat=OTHER)
    mine, theirs = await claim(store)
    await store.settle([Deferred(mine, after(30)), Delivered(theirs, "m")], after(0))
    assert await slots(store, at=1) == [(OTHER, "q1")]
    assert await slots(store, at=29.999) == []
    assert await slots(store, at=30) == [(CHAT, "q0")]


async def test_that_a_chat_was_full_counts_as_one_try_however_often(store: SqlStore) -> None:
    await queue(store, asked(0))
    for at in range(0, 50, 10):
        (post,) = await claim(store, at=at)
        assert post.attempts == min(at, 1)
        await store.settle([Deferred(post, after(at + 10), full=True)], after(at))
        assert await claim(store, at=at + 9) == []
    (post,) = await claim(store, at=50)
    await store.settle([Deferred(post, after(60))], after(50))
    (post,) = await claim(store, at=60)
    assert post.attempts == 2


async def test_a_counter_does_not_pass_a_post_that_is_held_back(store: SqlStore) -> None:
    await queue(store, asked(1, answered=1), lazy=5)
    await queue(store, paused())
    (later,) = await claim(store)
    assert later.slot == paused().slot
    await store.settle([Deferred(later, after(30))], after(1))
    assert await claim(store, at=10) == []
    assert len(await shown(store, at=30)) == 2


async def test_a_post_that_is_set_aside_holds_up_nothing_and_does_not_come_back(
    store: SqlStore, driver: Driver
) -> None:
    await queue(store, asked(0), paused())
    await store.settle([SetAside((await claim(store))[0], "too long")], after(0))
    assert await shown(store) == [paused()]
    assert await claim(store, at=100_000) == []
    async with driver.reading() as connection:
        kept = await connection.fetch("SELECT slot, refused FROM outbox")
    assert list(kept) == [("q0", "too long")]


async def test_a_newer_post_for_a_slot_that_was_set_aside_is_tried(store: SqlStore) -> None:
    await queue(store, asked(0))
    await store.settle([SetAside((await claim(store))[0], "too long")], after(0))
    await queue(store, closed(0))
    assert await shown(store) == [closed(0)]


async def test_a_newer_post_is_tried_when_the_one_under_way_is_set_aside(store: SqlStore) -> None:
    await queue(store, asked(0))
    (old,) = await claim(store)
    await queue(store, closed(0))
    await store.settle([SetAside(old, "too long")], after(0))
    assert await shown(store) == [closed(0)]


async def test_what_is_claimed_is_nobody_elses_until_its_lease_is_over(store: SqlStore, driver: Driver) -> None:
    another = SqlStore(driver, ["test"])
    await queue(store, asked(0))
    (first,) = await claim(store, lease=120)
    assert await claim(another, at=119.999) == []
    (second,) = await claim(another, at=120)
    assert second == replace(first, attempts=1)


async def test_what_was_claimed_without_anybody_hearing_of_it_is_free_at_once_and_the_rest_is_not(
    store: SqlStore, driver: Driver
) -> None:
    another = SqlStore(driver, ["test"], "another")
    for chat in (CHAT, OTHER, "test:3"):
        await queue(store, asked(0, chat), chat=chat)
    (held,) = await claim(store, limit=1)
    (unheard,) = await claim(store, limit=1)
    (of_another,) = await claim(another)
    await store.unclaim(PLATFORM, [held.id])
    assert [outgoing.id for outgoing in await claim(store)] == [unheard.id]
    await store.unclaim("elsewhere", [])
    assert await claim(store) == []
    assert of_another.chat == "test:3"


async def test_to_say_twice_what_became_of_a_post_changes_nothing(store: SqlStore) -> None:
    await queue(store, asked(0), paused())
    (outgoing,) = await claim(store)
    await store.settle([Delivered(outgoing, "m1")], after(0))
    await store.settle([Delivered(outgoing, "m1")], after(0))
    assert await shown(store) == [paused()]


async def test_posts_of_a_lost_chat_are_forgotten_also_the_one_under_way(store: SqlStore) -> None:
    await queue(store, asked(0), paused())
    await queue(store, asked(0, "s2"), chat=OTHER)
    await claim(store)
    await store.drop_posts(CHAT, "s1")
    await store.recover(after(0))
    assert await slots(store, at=1000) == [(OTHER, "q0")]


async def test_posts_of_other_platforms_are_left_to_those_who_serve_them(store: SqlStore, driver: Driver) -> None:
    foreign = SqlStore(driver, ["other"])
    await queue(foreign, asked(0), chat="other:1", at=5)
    assert await claim(store, at=10) == []
    assert await store.next_ready(PLATFORM, after(0)) is None
    assert await foreign.next_ready("other", after(0)) == after(5)
    assert [each.chat for each in await foreign.claim("other", after(10), after(70), 1)] == ["other:1"]


async def test_each_platform_is_handed_its_own_posts_and_nothing_of_others_counts_for_it(store: SqlStore) -> None:
    for number in range(3):
        await queue(store, asked(0, f"s{number}"), chat=f"other:{number}", at=1)
    await queue(store, asked(0, "mine"), at=2)
    assert [each.chat for each in await claim(store, at=2, limit=1)] == [CHAT]
    assert [each.chat for each in await store.claim("other", after(2), after(60), 2)] == ["other:0", "other:1"]
    assert [each.chat for each in await store.claim("other", after(2), after(60), 9)] == ["other:2"]
    assert await store.claim("oth", after(2), after(60), 9) == []


async def test_a_host_on_the_same_platform_is_told_while_the_chat_of_the_session_waits(store: SqlStore) -> None:
    await queue(store, asked(0))
    await claim(store)
    await write(store, Changes(posts=[Queued("test:ann", HostTold("s1", "test:ann"), after(0))]))
    assert await slots(store) == [("test:ann", "host")]


# When to look again


async def test_the_next_ready_post_is_the_earliest_that_only_time_keeps(store: SqlStore) -> None:
    assert await store.next_ready(PLATFORM, after(0)) is None
    await queue(store, asked(0, answered=1), lazy=5)
    await queue(store, asked(0, "s2", answered=1), chat=OTHER, lazy=4)
    assert await store.next_ready(PLATFORM, after(0)) == after(4)
    assert await store.next_ready(PLATFORM, after(4)) == after(5)


async def test_a_post_that_waits_for_another_is_no_reason_to_look_again_at_once(store: SqlStore) -> None:
    await queue(store, asked(0), paused())
    (head,) = await claim(store)
    assert await store.next_ready(PLATFORM, after(0)) is None
    await store.settle([Deferred(head, after(30))], after(0))
    assert await store.next_ready(PLATFORM, after(0)) == after(30)


async def test_what_was_set_aside_is_no_reason_to_look_again(store: SqlStore) -> None:
    await queue(store, asked(0), at=5)
    await store.settle([SetAside((await claim(store, at=5))[0], "too long")], after(5))
    assert await store.next_ready(PLATFORM, after(0)) is None
