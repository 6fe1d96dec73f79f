"""Leaderboards and people: whose board it is, who is on it, who hides, and who joined the one across chats."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bot import present
from bot.boards import Scored
from bot.core.session import Actor
from bot.messages import Role
from bot.presses import Personal, Prefer, ShowBoard
from tests.clock import NOON
from tests.desk.lobby import (
    ANN,
    BOB,
    GROUP,
    MIA,
    OTHER,
    TOPIC,
    Lobby,
    aside,
    card_of,
    presses,
    said,
)
from tests.desk.ranking import (
    ACROSS,
    ALL,
    ALL_ACROSS,
    WEEK,
    answer_all,
    facts,
    heading,
    keep,
    scored,
    standings,
)

# Whose board it is


async def test_a_chat_has_its_own_leaderboard_and_its_topics_share_it(lobby: Lobby) -> None:
    await keep(lobby, scored("Ann", 1), scored("Bob", 2, chat=OTHER))
    for chat, names in ((GROUP, ["1. Ann"]), (TOPIC, ["1. Ann"]), (OTHER, ["1. Bob"])):
        assert standings(await lobby.command(MIA, "/leaderboard", chat)) == names


async def test_only_those_who_answered_are_on_it_also_those_with_nothing_right(lobby: Lobby) -> None:
    await lobby.press(MIA, Prefer("pace", "relaxed"))
    await lobby.asked(by=ANN)
    await answer_all(lobby, ANN, GROUP, [True])
    await answer_all(lobby, BOB, GROUP, [False])
    await lobby.command(ANN, "/stop")
    answer = await lobby.command(MIA, "/leaderboard")
    assert standings(answer) == ["1. Ann", "2. Bob"]
    assert [block.tail for block in card_of(answer).blocks if block.role is Role.STANDING] == [
        "1 of 1 right",
        "0 of 1 right",
    ]


async def test_what_is_played_alone_is_on_no_leaderboard(lobby: Lobby) -> None:
    await lobby.press(ANN, Personal("everywhere", "1"))
    await lobby.asked(ANN.person)
    await answer_all(lobby, ANN, ANN.person, [True])
    await lobby.command(ANN, "/stop", ANN.person)
    for press in (ALL, ALL_ACROSS):
        assert standings(await lobby.press(ANN, press)) == []
        assert standings(await lobby.press(ANN, press, ANN.person)) == []


async def test_nothing_is_told_before_a_session_with_feedback_at_the_end_is_over(lobby: Lobby) -> None:
    for press in (Prefer("feedback", "at-end"), Prefer("pace", "relaxed")):
        await lobby.press(MIA, press)
    await lobby.asked(by=ANN)
    await answer_all(lobby, ANN, GROUP, [True])
    assert standings(await lobby.command(ANN, "/leaderboard")) == []
    await lobby.command(ANN, "/stop")
    assert standings(await lobby.command(ANN, "/leaderboard")) == ["1. Ann"]


async def test_who_has_left_keeps_the_last_name_they_had(lobby: Lobby) -> None:
    await keep(lobby, scored("Ann", 1))
    await keep(lobby, Scored(GROUP, "colours", "test:Ann", "Anna-Maria", 100, 1, 1, NOON + timedelta(hours=1)))
    assert standings(await lobby.command(BOB, "/leaderboard")) == ["1. Anna-Maria"]


async def test_a_leaderboard_is_in_the_language_of_its_chat_and_a_note_in_ones_own(lobby: Lobby) -> None:
    lobby.locales = {ANN.person: "ro"}
    await lobby.press(MIA, Prefer("language", "bg"))
    await keep(lobby, scored("Bob", 1))
    assert heading((await lobby.command(ANN, "/leaderboard")).card).startswith("Класация – ")
    await lobby.press(ANN, Personal("hidden", "1"))
    answer = await lobby.press(ANN, WEEK)
    assert heading(answer.card).startswith("Класация – ")
    assert answer.note == present.you_are_hidden("ro")
    assert heading((await lobby.command(ANN, "/leaderboard", ANN.person)).card).startswith("Clasament – ")


# Hiding


async def test_who_hides_is_on_no_leaderboard_and_comes_back_with_everything(lobby: Lobby) -> None:
    await keep(lobby, scored("Ann", 3), scored("Bob", 2), scored("Cat", 1), scored("Ann", 3, chat=OTHER))
    ann = Actor("test:Ann", "Ann")
    before = await lobby.command(BOB, "/leaderboard")
    hide = next(press for press in presses(before) if press == Personal("hidden", "1"))
    answer = await lobby.press(ann, hide)
    assert aside(answer).strip() == "You are on no leaderboard any more; your answers and reviews stay."
    for words in ("", "all", "today colours"):
        answer = await lobby.command(BOB, f"/leaderboard {words}")
        assert standings(answer) == ["1. Bob", "2. Cat"]
        assert facts(answer)[0] == "2 people"
    assert standings(await lobby.command(BOB, "/leaderboard", OTHER)) == []
    assert "Ann" not in said(await lobby.command(ann, "/leaderboard"))
    assert aside(await lobby.press(ann, Personal("hidden", "0"))).strip() == "Leaderboards show you again."
    assert (await lobby.command(BOB, "/leaderboard")).card == before.card


async def test_that_somebody_hides_is_said_to_them_alone(lobby: Lobby) -> None:
    await keep(lobby, scored("Bob", 1))
    await lobby.press(ANN, Personal("hidden", "1"))
    shown = await lobby.press(ANN, WEEK)
    assert shown.note == present.you_are_hidden("en")
    others = await lobby.press(BOB, WEEK)
    assert others.note is None
    assert shown.card == others.card
    assert (await lobby.command(ANN, "/leaderboard")).card == shown.card
    alone = await lobby.command(ANN, "/leaderboard", ANN.person)
    assert "You chose to be hidden" in said(alone)
    assert alone.note is None


async def test_a_card_that_is_everybodys_offers_both_whoever_asked(lobby: Lobby) -> None:
    await lobby.press(ANN, Personal("hidden", "1"))
    for by in (ANN, BOB):
        own = [press for press in presses(await lobby.command(by, "/leaderboard")) if isinstance(press, Personal)]
        assert own == [Personal("hidden", "1"), Personal("hidden", "0")]
        own = [press for press in presses(await lobby.press(by, ACROSS)) if isinstance(press, Personal)]
        assert own == [Personal("everywhere", "1"), Personal("everywhere", "0")]


# Across chats


async def test_the_leaderboard_across_chats_has_those_who_joined_with_what_they_gained_since(lobby: Lobby) -> None:
    ann, bob = Actor("test:Ann", "Ann"), Actor("test:Bob", "Bob")
    await keep(lobby, scored("Ann", 7))
    answer = await lobby.press(ann, Personal("everywhere", "1"))
    assert "From now on your answers in groups count" in aside(answer)
    await keep(lobby, scored("Ann", 2), scored("Bob", 9))
    await keep(lobby, scored("Ann", 3, chat=OTHER))
    answer = await lobby.press(bob, ACROSS)
    assert standings(answer) == ["1. Ann"]
    assert "Ann — 5 points" in said(answer)
    assert heading(answer.card) == "Leaderboard — This week | Across chats, among all who joined"
    left = await lobby.press(ann, Personal("everywhere", "0"))
    assert aside(left).strip() == "You have left the leaderboard across chats."
    assert standings(await lobby.press(bob, ACROSS)) == []
    assert standings(await lobby.press(bob, WEEK)) == ["1. Ann", "1. Bob"]


async def test_in_private_it_is_the_one_across_chats_with_a_way_in_and_a_way_out(lobby: Lobby) -> None:
    answer = await lobby.command(ANN, "/leaderboard month", ANN.person)
    assert heading(answer.card) == "Leaderboard — This month | Across chats, among all who joined"
    assert "Join, and what you answer in quizzes of your groups counts here too." in aside(answer)
    assert Personal("everywhere", "1") in presses(answer)
    await lobby.press(ANN, Personal("everywhere", "1"), ANN.person)
    answer = await lobby.press(ANN, ACROSS, ANN.person)
    assert "Join" not in said(answer)
    assert [press for press in presses(answer) if isinstance(press, Personal)] == [
        Personal("everywhere", "0"),
        Personal("hidden", "1"),
    ]
    assert all(press.everywhere for press in presses(answer) if isinstance(press, ShowBoard))


async def test_who_joins_while_hidden_is_told_that_nobody_sees_it(lobby: Lobby) -> None:
    await lobby.press(ANN, Personal("hidden", "1"))
    answer = await lobby.press(ANN, Personal("everywhere", "1"))
    assert "once you are no longer hidden" in aside(answer)
    await keep(lobby, Scored(GROUP, "colours", ANN.person, "Ann", 100, 1, 1, NOON))
    assert standings(await lobby.press(BOB, ACROSS)) == []


async def test_from_a_chat_one_gets_to_the_other_leaderboard_and_back(lobby: Lobby) -> None:
    await keep(lobby, scored("Ann", 1))
    there = next(press for press in presses(await lobby.command(ANN, "/leaderboard all")) if press == ALL_ACROSS)
    answer = await lobby.press(ANN, there)
    assert heading(answer.card) == "Leaderboard — All time | Across chats, among all who joined"
    back = next(press for press in presses(answer) if press == ALL)
    assert standings(await lobby.press(ANN, back)) == ["1. Ann"]


async def test_its_days_are_those_of_utc_and_its_reset_is_said_in_the_time_of_the_reader(lobby: Lobby) -> None:
    await lobby.world.store.prefer(GROUP, "zone", "Europe/Sofia")
    group = await lobby.press(ANN, ACROSS)
    assert facts(group)[-1] == "The next week begins on Monday, March 10, 02:00 (Sofia)."
    assert facts(await lobby.press(ANN, WEEK))[-1] == "The next week begins on Monday, March 10, 00:00 (Sofia)."
    assert facts(await lobby.press(ANN, ACROSS, ANN.person))[-1].endswith("March 10, 00:00 (UTC).")
    await lobby.press(ANN, Personal("zone", "America/New_York"))
    assert facts(await lobby.press(ANN, ACROSS, ANN.person))[-1].endswith("Sunday, March 9, 20:00 (New York).")
    lobby.world.clock.advance((datetime(2025, 3, 9, 23, 30, tzinfo=UTC) - NOON).total_seconds())
    await lobby.world.store.prefer("test:Bob", "everywhere", True)  # a choice
    await keep(lobby, scored("Bob", 1, at=lobby.world.clock.now()))
    lobby.world.clock.advance(3600)
    assert standings(await lobby.press(ANN, ACROSS)) == []
    assert standings(await lobby.press(ANN, ALL_ACROSS)) == ["1. Bob"]


async def test_in_private_the_time_zone_is_that_of_the_chat_one_answered_in_last(lobby: Lobby) -> None:
    await lobby.world.store.prefer(GROUP, "zone", "Europe/Sofia")
    await keep(lobby, Scored(GROUP, "colours", ANN.person, "Ann", 100, 1, 1, NOON))
    assert facts(await lobby.press(ANN, ACROSS, ANN.person))[-1].endswith("02:00 (Sofia).")
