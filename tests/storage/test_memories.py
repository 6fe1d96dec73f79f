"""What is remembered of learners: kept with what it came from, found for whom it is asked, and when to remind them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot import codec
from bot.core.effects import Reminded
from bot.core.quiz import QuestionRef
from bot.learning.memory import DayCount, Knowledge, Known, Learner, Memory, Studied
from bot.ports import Changes, Reminding, StoreError
from bot.preferences import Reminders
from bot.storage.driver import Driver
from bot.storage.sql import SqlStore
from tests.storage.boards import add, gained
from tests.storage.building import CHAT, OTHER, PLATFORM, a_response, after, claim, write

BOB, CAT = "test:bob", "test:cat"
RED = QuestionRef("colours", "red")
BLUE = QuestionRef("colours", "blue")
LEARNT = Memory(BOB, RED, "f1", 3, 2, missed=False, stability=12.5, difficulty=5.25, reviewed=20000, due=20012)
MET = Memory(BOB, BLUE, "f2", answered=1, right=1)
DILIGENT = Learner(BOB, streak=4, last=20000, paces=(900, 1200))


async def keep(store: SqlStore, *memories: Memory, learners: tuple[Learner, ...] = ()) -> None:
    await write(store, Changes(studied=Studied(memories, learners)))


async def known(store: SqlStore, *wanted: tuple[str, QuestionRef]) -> Known:
    async with store.turns({CHAT: ()}) as turns:
        return await turns.known(wanted)


async def zone(store: SqlStore, person: str = BOB) -> str | None:
    found = (await store.knowledge(person)).zone
    assert (await known(store, (person, RED))).zones == {person: found}
    return found


# Memories


async def test_of_a_stranger_nothing_is_known(store: SqlStore) -> None:
    assert await store.knowledge(BOB) == Knowledge((), Learner(BOB), ())
    assert await known(store, (BOB, RED)) == Known(zones={BOB: None})
    assert await known(store) == Known()


async def test_what_is_studied_comes_back_as_it_was_kept(store: SqlStore) -> None:
    days = (DayCount(BOB, 20000, 3, 2), DayCount(BOB, 19999, 1, 1))
    await write(store, Changes(studied=Studied((LEARNT, MET), (DILIGENT,), days)))
    assert await store.knowledge(BOB) == Knowledge((MET, LEARNT), DILIGENT, days[::-1])


async def test_memories_and_learners_are_replaced_and_days_are_added_to(store: SqlStore) -> None:
    await write(store, Changes(studied=Studied((LEARNT,), (DILIGENT,), (DayCount(BOB, 20000, 3, 2),))))
    anew = Memory(BOB, RED, "f3", 1, 0, missed=True, due=20001)
    later = Learner(BOB, 5, 20001, ())
    await write(store, Changes(studied=Studied((anew,), (later,), (DayCount(BOB, 20000, 2, 1),))))
    assert await store.knowledge(BOB) == Knowledge((anew,), later, (DayCount(BOB, 20000, 5, 3),))


async def test_only_who_and_what_was_asked_for_is_known(store: SqlStore) -> None:
    hers = replace(LEARNT, person=CAT, due=20003)
    shapes = replace(LEARNT, ref=QuestionRef("shapes", "red"), due=20001)
    await keep(store, LEARNT, MET, hers, shapes, learners=(DILIGENT, replace(DILIGENT, person=CAT)))
    assert await known(store, (BOB, RED), (CAT, BLUE)) == Known(
        memories={(BOB, RED): LEARNT},
        learners={BOB: DILIGENT, CAT: replace(DILIGENT, person=CAT)},
        zones={BOB: None, CAT: None},
        earliest={BOB: 20001, CAT: 20003},
    )
    assert (await store.knowledge(CAT)).memories == (hers,)


async def test_who_has_nothing_in_the_queue_has_no_earliest_day(store: SqlStore) -> None:
    await keep(store, MET)
    assert (await known(store, (BOB, BLUE))).earliest == {}


async def test_a_memory_is_there_exactly_when_the_response_is_that_it_comes_from(store: SqlStore) -> None:
    await write(store, Changes(responses=[a_response()], studied=Studied((MET,))))
    with pytest.raises(StoreError):
        await write(store, Changes(responses=[a_response()], studied=Studied((LEARNT,), (DILIGENT,))))
    assert await store.knowledge(BOB) == Knowledge((MET,), Learner(BOB), ())


async def test_paces_of_another_version_are_as_good_as_none(store: SqlStore, driver: Driver) -> None:
    for text in ("{}", "fast", '["fast"]', "[1.5]", "null"):
        await keep(store, learners=(DILIGENT,))
        async with driver.transaction() as connection:
            await connection.write("UPDATE learner SET paces = $1", [(text,)])
        assert (await store.knowledge(BOB)).learner == replace(DILIGENT, paces=())


async def test_due_reviews_are_those_up_to_that_day(store: SqlStore) -> None:
    await keep(store, LEARNT, MET)
    await keep(store, replace(LEARNT, ref=BLUE, due=20013), replace(LEARNT, person=CAT, due=1))
    assert [await store.due_reviews(BOB, day) for day in (20011, 20012, 20013)] == [0, 1, 2]


# Time zones


async def test_ones_own_time_zone_holds_before_that_of_any_chat(store: SqlStore) -> None:
    await store.prefer(CHAT, "zone", "Europe/Bucharest")
    await add(store, gained(100))
    assert await zone(store) == "Europe/Bucharest"
    await store.prefer(BOB, "zone", "Europe/Sofia")
    assert await zone(store) == "Europe/Sofia"
    assert await zone(store, CAT) is None


async def test_the_chat_one_answered_in_last_gives_its_time_zone_if_it_has_one(store: SqlStore) -> None:
    await store.prefer(BOB, "everywhere", True)
    await store.prefer(CHAT, "zone", "Europe/Bucharest")
    await store.prefer(OTHER, "zone", "Asia/Tokyo")
    await add(store, gained(100, at=after(2)))
    await add(store, gained(100, at=after(1), chat=OTHER), gained(100, "test:dan", at=after(9), chat=OTHER))
    assert await zone(store) == "Europe/Bucharest"
    await add(store, gained(100, at=after(3), chat=OTHER))
    assert await zone(store) == "Asia/Tokyo"
    await add(store, gained(100, at=after(4), chat="test:3"))
    await store.prefer("test:3", "language", "bg")
    assert await zone(store) == "Asia/Tokyo"


# Faults of the service


async def test_an_outage_of_ten_minutes_is_remembered_as_a_fault_of_its_platform(store: SqlStore) -> None:
    await store.sign_in(after(0))
    await store.recover(after(599))
    assert (await store.knowledge(BOB)).faults == ()
    await store.recover(after(599 + 600))
    fault = (after(599), after(1199))
    assert (await store.knowledge(BOB)).faults == (fault,)
    assert (await known(store, (BOB, RED), (CAT, RED))).faults == (fault,)
    assert (await store.knowledge("other:bob")).faults == ()


async def test_faults_are_remembered_though_no_session_was_live_and_forgotten_after_two_months(
    store: SqlStore,
) -> None:
    await store.sign_in(after(0))
    end = after(3600)
    await store.recover(end)
    await store.recover(end + timedelta(seconds=1))
    assert await store.outages() != []
    assert (await store.knowledge(BOB)).faults == ((after(0), end),)
    await store.sign_in(end + timedelta(days=60))
    await store.recover(end + timedelta(days=60))
    assert (after(0), end) in (await store.knowledge(BOB)).faults
    await store.recover(end + timedelta(days=60, milliseconds=1))
    assert (after(0), end) not in (await store.knowledge(BOB)).faults


async def test_a_process_of_one_platform_notes_no_fault_of_another(store: SqlStore, driver: Driver) -> None:
    foreign = SqlStore(driver, ["other"])
    for process in (store, foreign):
        await process.sign_in(after(0))
    await foreign.recover(after(900))
    assert (await store.knowledge(BOB)).faults == ()
    assert (await store.knowledge("other:bob")).faults == ((after(0), after(900)),)


# Reminders

REMINDER = Reminded(f"reminder:{BOB}:20000", 3)


async def test_who_wants_to_be_reminded_is_told_with_zone_and_days(store: SqlStore) -> None:
    await store.prefer(BOB, "reminders", Reminders.EVENING)
    await store.prefer(BOB, "zone", "Europe/Sofia")
    await store.prefer(CAT, "reminders", Reminders.MORNING)
    await keep(store, learners=(DILIGENT,))
    await store.remind(BOB, 19999, REMINDER, after(0))
    assert await store.reminding() == [
        Reminding(BOB, Reminders.EVENING, "Europe/Sofia", reminded=19999, last=20000),
        Reminding(CAT, Reminders.MORNING, None, reminded=None, last=None),
    ]


async def test_who_wants_none_is_of_another_platform_or_of_another_version_is_left_out(
    store: SqlStore, driver: Driver
) -> None:
    await store.prefer(BOB, "reminders", Reminders.OFF)
    await store.prefer("other:bob", "reminders", Reminders.MORNING)
    await store.prefer("tester:bob", "reminders", Reminders.MORNING)
    await store.prefer(CAT, "reminders", "at-noon")
    await store.prefer("test:dan", "language", "bg")
    assert await store.reminding() == []
    found = await SqlStore(driver, [PLATFORM, "other"]).reminding()
    assert [each.person for each in found] == ["other:bob"]


async def test_nobody_is_reminded_twice_on_a_day_nor_again_on_an_earlier_one(store: SqlStore, driver: Driver) -> None:
    await store.prefer(BOB, "reminders", Reminders.EVENING)
    second = SqlStore(driver, [PLATFORM])
    assert await store.remind(BOB, 20000, REMINDER, after(0))
    assert not await second.remind(BOB, 20000, replace(REMINDER, session="again"), after(1))
    assert not await store.remind(BOB, 19999, replace(REMINDER, session="west"), after(1))
    assert await store.remind(BOB, 20001, replace(REMINDER, session="tomorrow"), after(2))
    first = await claim(store, at=9)
    assert [(each.chat, each.session, each.slot) for each in first] == [(BOB, REMINDER.session, "reminder")]
    assert codec.load_post(first[0].body) == REMINDER


@pytest.mark.parametrize("chosen", [None, Reminders.OFF])
async def test_who_wants_none_any_more_gets_none_and_leaves_no_trace(
    store: SqlStore, driver: Driver, chosen: Reminders | None
) -> None:
    await store.prefer(BOB, "reminders", chosen)
    assert not await store.remind(BOB, 20000, REMINDER, after(0))
    assert await claim(store) == []
    async with driver.reading() as connection:
        assert await connection.fetch("SELECT * FROM learner") == []


async def test_studying_and_reminding_leave_each_other_alone(store: SqlStore) -> None:
    await store.prefer(BOB, "reminders", Reminders.EVENING)
    await keep(store, learners=(DILIGENT,))
    await store.remind(BOB, 20000, REMINDER, after(0))
    assert (await store.knowledge(BOB)).learner == DILIGENT
    await keep(store, learners=(replace(DILIGENT, last=20001),))
    (found,) = await store.reminding()
    assert (found.reminded, found.last) == (20000, 20001)
