"""The score of one player in the last quiz of a chat, for whoever asks; nothing that would give a key away."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot import present
from bot.core.events import Change
from bot.core.scoring import Standing, standings
from bot.core.session import Actor, Feedback
from bot.desk import Answer
from bot.desk.preferring import Preferred
from bot.desk.scoring import Scoring
from bot.presses import Choose, Configure, Next
from tests.desk.lobby import ANN, BOB, COLOURS, GROUP, MIA, OTHER, Lobby, aside, said

CAT = Actor("test:4", "Cat")


@pytest.fixture
def scoring(lobby: Lobby) -> Scoring:
    return Scoring(lobby.service, Preferred(lobby.service.store, lobby.service.clock))


async def look_up(scoring: Scoring, lobby: Lobby, of: Actor, chat: str = GROUP) -> Answer:
    """Cat wants to know the score of somebody."""
    return await scoring.score(lobby.request(CAT, chat), of.person, of.name)


async def answers(lobby: Lobby, **options: int) -> None:
    """These people choose these options, as they are written, of the question that is open."""
    session = await lobby.session()
    people = {"ann": ANN, "bob": BOB, "mia": MIA}
    for name, option in options.items():
        await lobby.press(people[name], Choose(session.id, session.at, option))
    await lobby.world.settle()


async def over(lobby: Lobby) -> None:
    await lobby.command(ANN, "/stop")
    await lobby.world.settle()


async def test_a_player_is_told_by_score_and_shared_rank_while_the_quiz_runs(scoring: Scoring, lobby: Lobby) -> None:
    await lobby.asked()
    await answers(lobby, ann=0, bob=0, mia=1)
    session = await lobby.session()
    places = {ANN: 1, BOB: 1, MIA: 3}
    for player, rank in places.items():
        answer = await look_up(scoring, lobby, player)
        right = int(player is not MIA)
        line = Standing(rank, player.person, player.name, 100 * right, right, 1, 0)
        assert answer.card == present.standing(session, COLOURS, "en", line, 3)
        assert aside(answer)
        assert f"Place {rank} of 3" in said(answer)
        assert "Still running, at question 1 of 3" in said(answer)


async def test_the_rank_is_that_of_the_standings(scoring: Scoring, lobby: Lobby) -> None:
    await lobby.asked()
    await answers(lobby, ann=1, bob=0, mia=0)
    session = await lobby.session()
    lines = standings(await lobby.world.store.players(session.id))
    assert [(line.name, line.rank) for line in lines] == [("Bob", 1), ("Mia", 1), ("Ann", 3)]
    for player in (ANN, BOB, MIA):
        (line,) = (line for line in lines if line.person == player.person)
        answer = await look_up(scoring, lobby, player)
        assert answer.card == present.standing(session, COLOURS, "en", line, 3)


async def test_after_the_end_the_score_stays_until_the_next_quiz(scoring: Scoring, lobby: Lobby) -> None:
    await lobby.asked()
    await answers(lobby, ann=0)
    await over(lobby)
    answer = await look_up(scoring, lobby, ANN)
    assert "Ann — 1 of 1 right, 1 point" in said(answer)
    assert "This quiz is over." in said(answer)
    assert "Colours" in said(answer)
    await lobby.card(quiz="several")
    assert "not begun yet" in said(await look_up(scoring, lobby, ANN))


@pytest.mark.parametrize("feedback", [Feedback.AT_CLOSE, Feedback.AT_END])
async def test_while_right_and_wrong_are_kept_back_so_are_scores(
    scoring: Scoring, lobby: Lobby, feedback: Feedback
) -> None:
    card = await lobby.card()
    await lobby.press(ANN, Configure(card.session, Change(feedback=feedback), configuring=False))
    await lobby.begin()
    await answers(lobby, ann=0, bob=1)
    session = await lobby.session()
    assert session.settings.feedback is feedback
    for player in (ANN, BOB):
        answer = await look_up(scoring, lobby, player)
        assert answer.card == present.answered_so_far(session, COLOURS, "en", player.name, 1)
    right, wrong = [said(await look_up(scoring, lobby, player)) for player in (ANN, BOB)]
    assert right.replace("Ann", "") == wrong.replace("Bob", ""), "nothing tells the right answer from the wrong one"
    await lobby.press(ANN, Next(session.id, session.step))
    assert "1 of 1 right" not in said(await look_up(scoring, lobby, ANN))
    await over(lobby)
    assert "Ann — 1 of 1 right, 1 point" in said(await look_up(scoring, lobby, ANN))
    assert "Bob — 0 of 1 right, 0 points" in said(await look_up(scoring, lobby, BOB))


async def test_whoever_has_not_answered_has_no_score(scoring: Scoring, lobby: Lobby) -> None:
    await lobby.asked()
    await answers(lobby, ann=0)
    session = await lobby.session()
    answer = await look_up(scoring, lobby, BOB)
    assert answer.card == present.not_played(session, COLOURS, "en", "Bob")
    assert "Bob has not answered" in aside(answer)


async def test_where_no_quiz_was_played_that_is_said_with_what_to_do(scoring: Scoring, lobby: Lobby) -> None:
    await lobby.asked(OTHER)
    answer = await look_up(scoring, lobby, ANN)
    assert answer.card == present.no_scores("en", session=None)
    assert "/quiz" in aside(answer)


async def test_a_quiz_that_has_not_come_to_a_question_has_no_scores(scoring: Scoring, lobby: Lobby) -> None:
    await lobby.card()
    assert "has not begun yet" in said(await look_up(scoring, lobby, ANN))
    await over(lobby)
    assert "ended before its first question" in said(await look_up(scoring, lobby, ANN))


async def test_scores_are_said_in_the_language_of_whoever_asks(scoring: Scoring, lobby: Lobby) -> None:
    lobby.locales = {CAT.person: "bg", ANN.person: "ro"}
    await lobby.asked()
    await answers(lobby, ann=0)
    assert "Място: 1 от 1" in said(await look_up(scoring, lobby, ANN))


async def test_one_who_plays_alone_can_look_as_well(scoring: Scoring, lobby: Lobby) -> None:
    await lobby.asked(ANN.person)
    session = await lobby.session(ANN.person)
    await lobby.press(ANN, Choose(session.id, 0, 0), ANN.person)
    answer = await scoring.score(lobby.request(ANN, ANN.person), ANN.person, ANN.name)
    assert "1 of 1 right" in said(answer)


@pytest.mark.parametrize("name", ["{0.__class__}", "<b>", "@everyone", "%s", "", "\u2800", "x" * 5000])
async def test_a_name_is_data(scoring: Scoring, lobby: Lobby, name: str) -> None:
    odd = Actor("test:5", name)
    await lobby.asked()
    shown = name if name.strip("\u2800") else "someone"
    assert f"{shown} has not answered" in said(await look_up(scoring, lobby, odd))
    session = await lobby.session()
    await lobby.press(odd, Choose(session.id, 0, 0))
    assert f"{shown} — 1 of 1 right" in said(await look_up(scoring, lobby, odd))


@pytest.mark.parametrize("person", ["", "test:999", "'; --", "discord:42"])
async def test_whoever_is_unknown_has_not_played(scoring: Scoring, lobby: Lobby, person: str) -> None:
    await lobby.asked()
    await answers(lobby, ann=0)
    answer = await scoring.score(lobby.request(CAT, GROUP), person, "Nobody")
    assert "Nobody has not answered" in said(answer)


async def test_to_look_changes_nothing(scoring: Scoring, lobby: Lobby) -> None:
    await lobby.asked()
    await answers(lobby, ann=0)
    before = await lobby.everything()
    for player in (ANN, BOB, replace(CAT, moderator=True)):
        await look_up(scoring, lobby, player)
    assert await lobby.everything() == before


async def test_people_of_the_same_name_have_each_their_own_score(scoring: Scoring, lobby: Lobby) -> None:
    namesake = replace(BOB, name=ANN.name)
    await lobby.asked()
    session = await lobby.session()
    for player, option in ((ANN, 0), (namesake, 1)):
        await lobby.press(player, Choose(session.id, 0, option))
    assert "Ann — 1 of 1 right" in said(await look_up(scoring, lobby, ANN))
    assert "Ann — 0 of 1 right" in said(await look_up(scoring, lobby, namesake))
