"""Starting a quiz: two at once, twice, again; who may; and what whoever comes second is told."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot import present
from bot.core.effects import CardState, Running, StartCard
from bot.core.events import Change
from bot.core.session import Actor, Pace, Phase
from bot.desk.starting import CARD_HOLDS
from bot.preferences import Starters
from bot.presses import Again, Begin, Browse, Configure, Pick
from tests.clock import VirtualClock
from tests.core.building import plain_quiz
from tests.desk.lobby import (
    ANN,
    ANONYMOUS,
    BOB,
    COLOURS,
    GROUP,
    MIA,
    OTHER,
    SEVERAL,
    TOPIC,
    Lobby,
    aside,
    card_of,
    open_lobby,
    presses,
    said,
    silent,
)
from tests.engine.screen import Screen

PLACES = [GROUP, TOPIC, ANN.person]


# Two at once, and one after the other


@pytest.mark.parametrize("chat", [GROUP, TOPIC])
async def test_two_starts_in_one_tick_are_one_session_and_the_second_is_told(lobby: Lobby, chat: str) -> None:
    first, second = await asyncio.gather(
        lobby.command(ANN, "/quiz colours", chat), lobby.command(BOB, "/quiz several", chat)
    )
    assert silent(first)
    session = await lobby.session(chat)
    assert session.host == ANN.person
    running = Running(session.id, Phase.CARD, -1, session.settings.count)
    assert second.card == present.reply(running, None, "en")
    await lobby.world.settle()
    assert [type(post) for post in lobby.posts(chat)] == [StartCard]


@pytest.mark.parametrize("chat", PLACES)
async def test_a_card_that_nobody_has_begun_gives_way_to_another_quiz_of_its_host(lobby: Lobby, chat: str) -> None:
    await lobby.card(chat)
    assert silent(await lobby.command(ANN, "/quiz several", chat))
    await lobby.world.settle()
    assert (await lobby.session(chat)).quiz == lobby.digest("several")
    cards = [post.state for post in lobby.posts(chat) if isinstance(post, StartCard)]
    assert cards == [CardState.WAITING, CardState.STOPPED, CardState.WAITING]
    await lobby.begin(ANN, chat)
    assert said(await lobby.command(ANN, "/quiz colours", chat)), "what has begun gives way to nobody"


async def test_to_ask_twice_for_the_same_quiz_brings_one_card(lobby: Lobby) -> None:
    await lobby.card()
    assert said(await lobby.command(ANN, "/quiz colours"))
    await lobby.world.settle()
    assert len(lobby.posts()) == 1


async def test_a_card_whose_host_has_left_it_gives_way_to_anybody_after_a_while(lobby: Lobby) -> None:
    await lobby.card()
    lobby.world.clock.advance(CARD_HOLDS.total_seconds() - 1)
    assert said(await lobby.command(BOB, "/quiz several"))
    assert (await lobby.session()).host == ANN.person
    lobby.world.clock.advance(1)
    assert silent(await lobby.command(BOB, "/quiz several"))
    assert (await lobby.session()).host == BOB.person
    assert lobby.lookups == []


async def test_whoever_comes_second_is_shown_the_way_to_the_message_of_the_first(lobby: Lobby) -> None:
    await lobby.card()
    waiting = await lobby.command(BOB, "/quiz several")
    assert [block.url for block in card_of(waiting).blocks] == [f"to:{GROUP}#m0"]
    await lobby.begin()
    asked = await lobby.press(BOB, Pick("several"))
    question = next(shown.message for shown in lobby.shown() if shown.post.slot == "q0")
    assert [block.url for block in card_of(asked).blocks] == [f"to:{GROUP}#{question}"]
    assert asked.about is None
    await lobby.world.wait(3600)
    assert (await lobby.session()).phase is Phase.PAUSED
    pause = next(shown.message for shown in lobby.shown() if shown.post.slot == "p1")
    paused = await lobby.command(BOB, "/quiz several")
    assert [block.url for block in card_of(paused).blocks] == [f"to:{GROUP}#{pause}"]


async def test_where_messages_have_no_address_the_answer_names_the_message_that_it_speaks_of(lobby: Lobby) -> None:
    lobby.signposts.unmarked.add(GROUP)
    await lobby.card()
    answer = await lobby.command(BOB, "/quiz several")
    assert answer.about == "m0"
    assert [block.url for block in card_of(answer).blocks] == [""]


async def test_a_topic_and_its_group_and_another_group_each_have_a_session_of_their_own(lobby: Lobby) -> None:
    for chat in (GROUP, TOPIC, OTHER):
        assert silent(await lobby.command(ANN, "/quiz colours", chat))
    assert len({(await lobby.session(chat)).id for chat in (GROUP, TOPIC, OTHER)}) == 3
    await lobby.command(ANN, "/stop", TOPIC)
    assert [await lobby.running(chat) for chat in (GROUP, TOPIC, OTHER)] == [True, False, True]


# Said again


async def test_a_command_that_comes_again_starts_nothing_more_and_is_passed_over_in_silence(tmp_path: Path) -> None:
    path, clock = tmp_path / "quizbot.sqlite3", VirtualClock()
    screen = Screen(clock)
    async with open_lobby(path, clock=clock, screen=screen) as lobby:
        for _ in range(2):
            assert silent(await lobby.command(ANN, "/quiz colours", key="k"))
        await lobby.world.settle()
    async with open_lobby(path, clock=clock, screen=screen, updates=100) as lobby:
        assert silent(await lobby.command(ANN, "/quiz colours", key="k"))
        await lobby.world.settle()
        assert [type(post) for post in lobby.posts()] == [StartCard]
        await lobby.command(ANN, "/stop", key="s")
        before = await lobby.everything()
        assert silent(await lobby.command(ANN, "/quiz colours", key="k"))
        assert silent(await lobby.command(ANN, "/stop", key="s"))
        assert await lobby.everything() == before


async def test_a_picker_whose_press_comes_again_has_done_its_work_all_the_same(lobby: Lobby) -> None:
    first, again = [await lobby.press(ANN, Pick("colours"), key="k") for _ in range(2)]
    assert silent(first)
    assert silent(again)
    assert (first.served, again.served) == (True, True)


async def test_the_start_of_a_session_that_has_seen_a_hundred_commands_since_is_still_known() -> None:
    async with open_lobby(quizzes=[plain_quiz(60)]) as lobby:
        await lobby.command(ANN, "/quiz colours", ANN.person, key="k")
        await lobby.press(ANN, Begin((await lobby.session(ANN.person)).id), ANN.person)
        for _ in range(120):
            await lobby.command(ANN, "/next", ANN.person)
        assert not await lobby.running(ANN.person)
        assert silent(await lobby.command(ANN, "/quiz colours", ANN.person, key="k"))
        assert not await lobby.running(ANN.person)


# Again


@pytest.mark.parametrize("chat", PLACES)
async def test_again_starts_the_same_quiz_with_whoever_pressed_as_its_host(lobby: Lobby, chat: str) -> None:
    await lobby.command(ANN, "/quiz several", chat)
    before = await lobby.session(chat)
    by = ANN if chat == ANN.person else BOB
    assert said(await lobby.press(by, Again(before.id), chat))
    assert (await lobby.session(chat)).id == before.id
    await lobby.command(ANN, "/stop", chat)
    answer = await lobby.press(by, Again(before.id), chat)
    assert silent(answer)
    assert not answer.served
    session = await lobby.session(chat)
    assert (session.quiz, session.host, session.live) == (before.quiz, by.person, True)
    assert session.id != before.id


async def test_again_is_played_as_it_was_played_before(lobby: Lobby) -> None:
    await lobby.command(ANN, "/quiz colours")
    before = await lobby.session()
    for change in (Change(count=2), Change(pace=Pace.BRISK)):
        await lobby.press(ANN, Configure(before.id, change, True))
    await lobby.begin()
    await lobby.command(ANN, "/stop")
    await lobby.press(BOB, Again(before.id))
    settings = (await lobby.session()).settings
    assert (settings.count, settings.pace) == (2, Pace.BRISK)


async def test_again_of_a_quiz_that_has_changed_since_starts_it_as_it_is_now(tmp_path: Path) -> None:
    path = tmp_path / "quizbot.sqlite3"
    async with open_lobby(path, quizzes=[COLOURS]) as lobby:
        await lobby.command(ANN, "/quiz colours")
        await lobby.command(ANN, "/stop")
        old = await lobby.session()
    async with open_lobby(path, quizzes=[plain_quiz(5)], updates=100) as lobby:
        assert silent(await lobby.press(BOB, Again(old.id)))
        assert (await lobby.session()).settings.count == 5


async def test_again_of_a_quiz_that_is_gone_is_met_with_the_way_to_the_others(tmp_path: Path) -> None:
    path = tmp_path / "quizbot.sqlite3"
    async with open_lobby(path, quizzes=[COLOURS]) as lobby:
        await lobby.command(ANN, "/quiz colours")
        await lobby.command(ANN, "/stop")
        old = await lobby.session()
    async with open_lobby(path, quizzes=[SEVERAL], updates=100) as lobby:
        before = await lobby.everything()
        for session in (old.id, "nothing"):
            answer = await lobby.press(BOB, Again(session))
            assert presses(answer) == [Browse()]
            assert aside(answer)
        assert await lobby.everything() == before


# Who may


@pytest.mark.parametrize("chat", [GROUP, TOPIC])
@pytest.mark.parametrize(
    ("by", "may", "lookups"), [(ANN, False, ["Ann"]), (MIA, True, ["Mia"]), (ANONYMOUS, True, ["The group"])]
)
async def test_where_only_moderators_may_start_the_others_are_told_so(
    lobby: Lobby, chat: str, by: Actor, may: bool, lookups: list[str]
) -> None:
    await lobby.world.store.prefer(GROUP, "starters", Starters.MODERATORS)
    named = await lobby.command(by, "/quiz colours", chat)
    assert await lobby.running(chat) is may
    assert lobby.lookups == lookups
    if may:
        assert silent(named)
        return
    for answer in (
        named,
        await lobby.press(by, Pick("colours"), chat),
        await lobby.command(by, "/start quiz_colours", chat),
    ):
        assert answer.card == present.may_not_start("en")
        assert aside(answer)
    assert not await lobby.running(chat)


async def test_where_only_moderators_may_start_again_is_theirs_as_well(lobby: Lobby) -> None:
    await lobby.command(ANN, "/quiz colours")
    await lobby.command(ANN, "/stop")
    old = (await lobby.session()).id
    await lobby.press(MIA, "1:o:starters:moderators")
    assert (await lobby.press(ANN, Again(old))).card == present.may_not_start("en")
    assert silent(await lobby.press(MIA, Again(old)))


@pytest.mark.parametrize("starters", [None, Starters.EVERYONE])
async def test_where_everyone_may_start_the_platform_is_asked_nothing(lobby: Lobby, starters: Starters | None) -> None:
    await lobby.world.store.prefer(GROUP, "starters", starters)
    assert silent(await lobby.command(ANN, "/quiz colours"))
    assert lobby.lookups == []


async def test_who_may_start_in_a_group_says_nothing_of_other_chats(lobby: Lobby) -> None:
    await lobby.world.store.prefer(GROUP, "starters", Starters.MODERATORS)
    for chat in (OTHER, ANN.person):
        assert silent(await lobby.command(ANN, "/quiz colours", chat))
    assert lobby.lookups == []


async def test_alone_one_may_always_start_whatever_the_chat_was_told(lobby: Lobby) -> None:
    await lobby.world.store.prefer(ANN.person, "starters", Starters.MODERATORS)
    assert silent(await lobby.command(ANN, "/quiz colours", ANN.person))
    assert lobby.lookups == []
