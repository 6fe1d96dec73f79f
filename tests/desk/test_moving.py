"""What becomes of a chat: it is lost with all its topics, or it goes on under another id."""

from __future__ import annotations

import asyncio

import pytest

from bot.core.effects import Asked, Closed, HostTold, Paused, Post, StartCard
from bot.core.session import Ending, Pace, Phase, Player
from bot.ports import ChatMovedError, StoreError
from bot.presses import Choose, Prefer
from tests.core.building import LIMIT, READING
from tests.desk.lobby import ANN, BOB, GROUP, MIA, OTHER, TOPIC, Lobby, aside, silent

NEW = "test:-100"
SECOND_TOPIC = f"{GROUP}/70"


# Lost


async def test_a_lost_chat_ends_with_all_its_topics_and_no_chat_that_is_called_alike(lobby: Lobby) -> None:
    alike = [OTHER, f"{OTHER}/7", "test:-1x", "test:-13/7"]
    for chat in (GROUP, TOPIC, SECOND_TOPIC, *alike):
        await lobby.asked(chat)
    await lobby.desk.lost(GROUP)
    for chat in (GROUP, TOPIC, SECOND_TOPIC):
        assert (await lobby.session(chat)).ending is Ending.LOST
    for chat in alike:
        assert await lobby.running(chat)


async def test_a_lost_topic_ends_alone(lobby: Lobby) -> None:
    others = [GROUP, SECOND_TOPIC, f"{TOPIC}7", OTHER, f"{OTHER}/7"]
    for chat in (TOPIC, *others):
        await lobby.asked(chat)
    await lobby.desk.lost(TOPIC)
    assert (await lobby.session(TOPIC)).ending is Ending.LOST
    for chat in others:
        assert await lobby.running(chat)


async def test_where_a_chat_was_lost_nothing_is_sent_any_more_and_scores_are_kept(lobby: Lobby) -> None:
    question = await lobby.asked()
    await lobby.press(BOB, Choose(question.session, 0, 0))
    calls = len(lobby.world.screen.calls)
    await lobby.desk.lost(GROUP)
    await lobby.world.wait(3600)
    assert lobby.posts(ANN.person) == [HostTold(question.session, ANN.person)]
    assert len(lobby.world.screen.calls) == calls + 1
    assert (await lobby.world.scores())[BOB.person] == 100


async def test_to_hear_of_a_loss_twice_tells_the_host_once(lobby: Lobby) -> None:
    await lobby.asked()
    for _ in range(2):
        await lobby.desk.lost(GROUP)
        await lobby.world.settle()
    assert [type(post) for post in lobby.posts(ANN.person)] == [HostTold]


async def test_a_chat_without_a_session_can_be_lost(lobby: Lobby) -> None:
    before = await lobby.everything()
    await lobby.desk.lost(GROUP)
    assert await lobby.everything() == before


async def test_a_private_chat_that_is_lost_ends_in_silence(lobby: Lobby) -> None:
    await lobby.asked(ANN.person)
    calls = len(lobby.world.screen.calls)
    await lobby.desk.lost(ANN.person)
    await lobby.world.settle()
    assert (await lobby.session(ANN.person)).ending is Ending.LOST
    assert len(lobby.world.screen.calls) == calls


# Moved


async def played(lobby: Lobby) -> str:
    """A session at its first question, that two people have answered; its id."""
    await lobby.press(MIA, Prefer("pace", "brisk"))
    await lobby.press(MIA, Prefer("language", "ro"))
    question = await lobby.asked()
    await lobby.press(BOB, Choose(question.session, 0, 0))
    await lobby.press(MIA, Choose(question.session, 0, 1))
    await lobby.world.wait(6)
    return question.session


async def standing(lobby: Lobby, chat: str) -> list[Post]:
    """The messages of a chat as they look now."""
    return list(lobby.world.screen.visible(chat).values())


async def test_a_group_that_becomes_another_takes_everything_along_and_its_question_is_asked_there(
    lobby: Lobby,
) -> None:
    session = await played(lobby)
    before = len(lobby.shown())
    await lobby.desk.moved(GROUP, NEW)
    await lobby.world.settle()
    assert len(lobby.shown()) == before
    (question,) = await standing(lobby, NEW)
    assert isinstance(question, Asked)
    assert (question.session, question.at, question.answered) == (session, 0, 2)
    assert {shown.language for shown in lobby.shown(NEW)} == {"ro"}
    assert (await lobby.chosen(NEW)).pace is Pace.BRISK
    await lobby.press(ANN, Choose(session, 0, 0), NEW)
    assert (await lobby.world.scores()) == {BOB.person: 100, MIA.person: 0, ANN.person: 100}
    assert await lobby.world.store.session(GROUP) is None


async def test_a_move_that_is_announced_from_both_sides_happens_once(lobby: Lobby) -> None:
    session = await played(lobby)
    await lobby.desk.moved(GROUP, NEW)
    await lobby.world.settle()
    calls = len(lobby.world.screen.calls)
    before = await lobby.everything()
    await lobby.desk.moved(GROUP, NEW)
    await lobby.world.settle()
    assert await lobby.everything() == before
    assert len(lobby.world.screen.calls) == calls
    assert (await lobby.session(NEW)).id == session


async def test_two_announcements_in_one_tick_are_one_move(lobby: Lobby) -> None:
    session = await played(lobby)
    await asyncio.gather(lobby.desk.moved(GROUP, NEW), lobby.desk.moved(GROUP, NEW))
    await lobby.world.settle()
    assert len(await standing(lobby, NEW)) == 1
    assert (await lobby.session(NEW)).id == session


async def test_a_move_that_the_delivery_met_first_leaves_one_message_of_the_question(lobby: Lobby) -> None:
    session = await played(lobby)
    lobby.world.screen.forbidden[GROUP] = ChatMovedError(NEW)
    await lobby.press(ANN, Choose(session, 0, 0))
    await lobby.world.wait(6)
    assert len(await standing(lobby, NEW)) == 1
    for _ in range(2):
        await lobby.desk.moved(GROUP, NEW)
        await lobby.world.settle()
    assert [post.slot for post in await standing(lobby, NEW)] == ["q0"]
    assert len([shown for shown in lobby.shown(NEW) if not shown.edited]) == 1


async def test_after_a_move_the_session_goes_on_and_closes_the_question_where_it_now_stands(lobby: Lobby) -> None:
    question = await lobby.asked()
    await lobby.press(BOB, Choose(question.session, 0, 0))
    await lobby.desk.moved(GROUP, NEW)
    await lobby.world.wait(LIMIT + READING)
    closed, asked = await standing(lobby, NEW)
    assert isinstance(closed, Closed)
    assert isinstance(asked, Asked)
    assert (closed.at, closed.result.answered, asked.at) == (0, 1, 1)


@pytest.mark.parametrize("phase", [Phase.CARD, Phase.CLOSED, Phase.PAUSED, Phase.ENDED])
async def test_whatever_stands_is_shown_in_the_new_chat(lobby: Lobby, phase: Phase) -> None:
    await bring(lobby, phase)
    await lobby.desk.moved(GROUP, NEW)
    await lobby.world.settle()
    kinds = {Phase.CARD: [StartCard], Phase.CLOSED: [Closed], Phase.PAUSED: [Paused], Phase.ENDED: []}
    assert [type(post) for post in await standing(lobby, NEW)] == kinds[phase]
    assert (await lobby.session(NEW)).phase is phase


async def bring(lobby: Lobby, phase: Phase) -> None:
    await lobby.card()
    if phase is not Phase.CARD:
        await lobby.begin()
    if phase is Phase.PAUSED:
        await lobby.world.wait(3600)
    elif phase is Phase.CLOSED:
        await lobby.command(ANN, "/next")
    elif phase is Phase.ENDED:
        await lobby.command(ANN, "/stop")
    await lobby.world.settle()


async def test_what_the_new_chat_was_thought_to_have_chosen_is_looked_up_again(lobby: Lobby) -> None:
    await lobby.press(MIA, Prefer("starters", "moderators"))
    assert silent(await lobby.command(ANN, "/quiz colours", NEW))
    await lobby.command(ANN, "/stop", NEW)
    await lobby.desk.moved(GROUP, NEW)
    assert aside(await lobby.command(ANN, "/quiz colours", NEW))
    assert not await lobby.running(NEW)


async def test_a_chat_that_we_know_nothing_of_can_move(lobby: Lobby) -> None:
    before = await lobby.everything()
    await lobby.desk.moved(GROUP, NEW)
    assert await lobby.everything() == before


async def test_a_move_that_the_store_cannot_keep_is_not_taken_for_done(lobby: Lobby) -> None:
    session = await played(lobby)
    lobby.world.driver.failing = 1
    with pytest.raises(StoreError):
        await lobby.desk.moved(GROUP, NEW)
    assert (await lobby.session(GROUP)).id == session
    await lobby.desk.moved(GROUP, NEW)
    assert (await lobby.session(NEW)).id == session


async def test_players_keep_their_scores_in_rows_of_their_own(lobby: Lobby) -> None:
    session = await played(lobby)
    await lobby.desk.moved(GROUP, NEW)
    async with lobby.world.store.turns({NEW: [BOB.person]}) as turns:
        player = turns.chats[NEW].players[BOB.person]
    assert isinstance(player, Player)
    assert (player.name, player.points) == ("Bob", 100)
    assert (await lobby.session(NEW)).id == session
