"""Several processes of one bot behind a webhook: updates go to any of them, posts go out by one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adapters.telegram import adapter
from adapters.telegram.limiter import GROUP, Urgency, shared
from tests.clock import VirtualClock
from tests.telegram.many import Many, many
from tests.telegram.server import BotApi, Chat, Message, Person
from tests.telegram.study import Study, at_once, key_of, study_group

PLAYERS = 24


def at_home(bots: Many, number: int = 4) -> tuple[Study, list[Person]]:
    people = [bots.server.person(f"Player {index}") for index in range(number)]
    group = study_group(bots.server, "Study", people)
    return Study(bots, group, people[0]), people


async def begun(study: Study) -> Message:
    """The first question, when it is shown: another process than the one that was pressed may have to send it."""
    await study.choose()
    await study.press(study.host, "Start")
    await study.bot.wait(1)
    return study.question


def of(at: int, *people: Person) -> list[tuple[int, str]]:
    return sorted((at, f"telegram:{person.id}") for person in people)


def sends(server: BotApi, group: Chat) -> list[str]:
    """What was sent and edited in the group."""
    return [call.method for call in server.calls(chat=group) if call.method.startswith(("send", "edit"))]


async def test_presses_that_any_of_three_receives_count_once_and_posts_go_out_once_and_in_order(
    server: BotApi, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 3, webhook=True) as bots:
        study, people = at_home(bots, PLAYERS)
        question = await begun(study)
        told = await at_once([await person.press(question, key_of(question)) for person in people])
        assert all(text.startswith("✓ Right.") for text in told)
        assert await bots.responses() == of(0, *people)
        assert min(bots.handed[process.name] for process in bots.processes) > 1
        await bots.wait(40)
        shown = [text.split("\n")[0] for text in study.texts]
        assert sum("Question 1 of" in text for text in shown) == 1
        assert sum("Question 2 of" in text for text in shown) == 1
        assert server.floods == 0


async def test_a_press_is_acknowledged_while_nobody_delivers(
    server: BotApi, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 3, webhook=True) as bots:
        study, people = at_home(bots)
        question = await begun(study)
        with server.hold("editMessageText"):
            for person in people:
                assert (await (await person.press(question, key_of(question))).answered()).text.startswith("✓ Right.")
        await bots.quiet()


async def test_an_update_that_reaches_all_three_at_once_has_one_effect(
    server: BotApi, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 3, webhook=True) as bots:
        study, (ann, bob, *_) = at_home(bots)
        number = await ann.write(study.chat, "/quiz colours")
        await bots.quiet()
        assert number is not None
        for _ in range(3):
            server.world.updates.repeat(max(server.world.updates.sent))
        await bots.quiet()
        assert await bots.rows("SELECT COUNT(*) FROM session") == [(1,)]
        await bots.wait(2)
        await study.press(ann, "Start")
        await bots.wait(1)
        press = await bob.press(study.question, key_of(study.question))
        update = max(server.world.updates.sent)
        await press.answered()
        for _ in range(5):
            server.world.updates.repeat(update)
        await bots.quiet()
        assert await bots.responses() == of(0, bob)


async def test_two_that_start_at_once_on_two_processes_have_one_session(
    server: BotApi, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 2, webhook=True) as bots:
        study, people = at_home(bots)
        for person in people:
            await person.write(study.chat, "/quiz colours")
        await bots.quiet()
        assert await bots.rows("SELECT COUNT(*) FROM session WHERE wake_at IS NOT NULL") == [(1,)]


async def test_when_the_one_that_delivers_is_killed_another_does_within_eight_seconds(
    server: BotApi, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 3, webhook=True) as bots:
        study, (ann, bob, *_) = at_home(bots)
        question = await begun(study)
        sender = next(process for process in bots.alive if process.polls)
        await sender.kill()
        for person in (ann, bob):
            assert (await (await person.press(question, key_of(question))).answered()).text.startswith("✓ Right.")
        await bots.until(lambda: "2 answered" in study.last.said.text, 8)
        assert await bots.responses() == of(0, ann, bob)


async def test_a_language_chosen_on_one_process_is_spoken_by_all_within_three_seconds(
    server: BotApi, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 3, webhook=True) as bots:
        study, (ann, *_) = at_home(bots)
        question = await begun(study)
        said = [await study.press(ann, "A", question) for _ in range(8)]
        assert all("first choice" in text for text in said[1:])
        await ann.write(ann.private, "/language")
        await bots.quiet()
        await study.press(ann, "български", ann.private.last)
        await bots.wait(3)
        said = [await study.press(ann, "A", question) for _ in range(8)]
        assert all("важи първият" in text for text in said)


async def test_three_processes_together_reply_no_more_often_to_a_group_than_one(
    server: BotApi, clock: VirtualClock, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapter, "FAREWELL", 0)
    async with many(server, clock, postgres_url, 3, webhook=True) as bots:
        study, people = at_home(bots, 10)
        await bots.wait(3)
        for person in people:
            for _ in range(3):
                await person.write(study.chat, "/help")
        await bots.quiet()
        assert len(sends(server, study.chat)) == GROUP.places - GROUP.spare[Urgency.REPLY] == 12
        assert server.floods == 0


def test_the_places_for_replies_are_divided_but_nobody_is_left_without() -> None:
    def replies(workers: int) -> int:
        limit = shared(GROUP, workers)
        assert replace(limit, spare=GROUP.spare) == GROUP
        assert limit.spare[Urgency.COUNTER] == GROUP.spare[Urgency.COUNTER]
        return limit.places - limit.spare[Urgency.REPLY]

    assert [replies(workers) for workers in (1, 2, 3, 4, 5, 100)] == [12, 6, 4, 3, 3, 3]
