"""One's own data: what is told of it, a copy of it, its end; and what goes on for others after that."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from bot import present, words
from bot.core.effects import Closed, Ended, HostTold, Reason, StartCard, Told
from bot.core.session import Actor, Phase
from bot.desk import Answer, Show
from bot.desk.owning import FILE, HOLDS, MOST_INDENTED, copy_of, holds, key_of
from bot.messages import Style
from bot.ports import StoreError
from bot.presses import Begin, Choose, Forget, Next, Stop, dump, load
from tests.desk.lobby import ANN, BOB, GROUP, MIA, OTHER, TOPIC, Lobby, aside, card_of, links, open_lobby, presses, said
from tests.storage.evening import TRACES, WAITING, ZORA, play, spend, tables

PLACES = [GROUP, TOPIC, ANN.person]


@pytest.fixture
async def evening() -> AsyncIterator[Lobby]:
    """After an evening on which Zora has done everything there is to do."""
    async with open_lobby() as lobby:
        await spend(lobby)
        yield lobby


async def asking(lobby: Lobby, by: Actor = ANN) -> Forget:
    """The button with which `by` would delete everything."""
    sure, keep = presses(await lobby.command(by, "/forget", by.person))
    assert isinstance(sure, Forget)
    assert keep == Forget(sure.key, False)
    assert sure.sure
    return sure


async def forget(lobby: Lobby, by: Actor = ANN) -> Answer:
    """Everything that `by` does to be forgotten; the answer."""
    return await lobby.press(by, await asking(lobby, by), by.person)


async def stored(lobby: Lobby, by: Actor = ANN) -> bool:
    return any((await lobby.world.store.everything_about(by.person)).values())


# Told


@pytest.mark.parametrize("chat", PLACES)
async def test_what_is_stored_is_told_anywhere_in_the_language_of_whoever_asks(lobby: Lobby, chat: str) -> None:
    lobby.locales = {ANN.person: "bg"}
    answer = await lobby.command(ANN, "/privacy", chat)
    assert answer.card == present.privacy("bg")
    assert aside(answer)


# A copy


def file_of(answer: Answer) -> dict[str, object]:
    assert answer.attachment is not None
    assert answer.attachment.name == FILE == "quizbot-data.json"
    copy = json.loads(answer.attachment.data)
    assert isinstance(copy, dict)
    return copy


@pytest.mark.parametrize("command", ["/export", "/start export"])
async def test_a_copy_comes_as_a_file_in_private(lobby: Lobby, command: str) -> None:
    await play(lobby, ANN, GROUP, BOB)
    answer = await lobby.command(ANN, command, ANN.person)
    assert aside(answer) == "\n".join(f" {block.text}" for block in present.exported("en").blocks)
    assert answer.attachment
    assert answer.attachment.otherwise == present.not_exported("en")
    copy = file_of(answer)
    assert (copy["format"], copy["made_at"], copy["person"]) == (1, "2025-03-03T12:00:00Z", ANN.person)
    assert copy["tables"] == await lobby.world.store.everything_about(ANN.person)


async def test_a_copy_can_be_read_by_people_whatever_their_letters(evening: Lobby) -> None:
    answer = await evening.command(ZORA, "/export", ZORA.person)
    assert answer.attachment is not None
    text = answer.attachment.data.decode()
    assert '\n      "name": "Зорница Wy-Quaine",\n' in text.replace("        ", "      ")
    assert all(trace in text for trace in TRACES)
    assert '"Ann"' not in text
    assert ANN.person not in text.replace(ZORA.person, "")


async def test_a_copy_counts_what_has_only_just_been_missed(lobby: Lobby) -> None:
    await play(lobby, ANN, GROUP, BOB)
    tables_ = file_of(await lobby.command(ANN, "/export", ANN.person))["tables"]
    assert isinstance(tables_, dict)
    assert [row["missed_last"] for row in tables_["memory"] if row["question"] == "q1"] == [True]


async def test_of_whom_nothing_is_stored_there_is_no_file(lobby: Lobby) -> None:
    answer = await lobby.command(ANN, "/export", ANN.person)
    assert answer == Answer(present.nothing_stored("en"))


def test_a_very_long_copy_comes_without_spaces_rather_than_not_at_all() -> None:
    rows: list[dict[str, object]] = [{"text": "x" * 1000} for _ in range(MOST_INDENTED // 1000)]
    data = copy_of("test:1", {"report": rows}, datetime(2025, 3, 3, tzinfo=UTC))
    assert b"\n" not in data
    assert json.loads(data)["tables"] == {"report": rows}


@pytest.mark.parametrize("command", ["export", "forget"])
@pytest.mark.parametrize("chat", [GROUP, TOPIC])
async def test_in_a_group_both_are_done_in_private(lobby: Lobby, command: str, chat: str) -> None:
    await play(lobby, ANN, OTHER, BOB)
    before = await tables(lobby)
    answer = await lobby.command(ANN, f"/{command}", chat)
    assert aside(answer)
    assert links(card_of(answer)) == [answer.opens] == [f"private:{command}"]
    assert answer.attachment is None
    assert presses(answer) == []
    assert await tables(lobby) == before


@pytest.mark.parametrize("command", ["export", "forget"])
async def test_where_the_private_chat_has_no_address_it_is_said_how_to_get_there(lobby: Lobby, command: str) -> None:
    lobby.signposts.only_messages = True
    answer = await lobby.command(ANN, f"/{command}")
    assert f"send /{command} there" in aside(answer)
    assert links(card_of(answer)) == []
    assert answer.opens is None


# The end


@pytest.mark.parametrize("command", ["/forget", "/start forget"])
async def test_first_it_is_said_what_goes_and_what_stays(lobby: Lobby, command: str) -> None:
    await play(lobby, ANN, GROUP, BOB)
    before = await tables(lobby)
    answer = await lobby.command(ANN, command, ANN.person)
    assert "/export" in aside(answer)
    assert [button.style for button in card_of(answer).all_buttons] == [Style.DANGER, Style.PLAIN]
    assert await tables(lobby) == before


async def test_whoever_is_sure_is_forgotten_and_told_so_in_place_of_the_question(lobby: Lobby) -> None:
    await play(lobby, ANN, GROUP, BOB)
    assert await stored(lobby)
    answer = await forget(lobby)
    assert (answer.card, answer.show) == (present.forgotten("en"), Show.INSTEAD)
    assert not await stored(lobby)
    assert await stored(lobby, BOB)


async def test_whoever_would_rather_not_keeps_everything(lobby: Lobby) -> None:
    await play(lobby, ANN, GROUP, BOB)
    before = await tables(lobby)
    sure = await asking(lobby)
    answer = await lobby.press(ANN, Forget(sure.key, False), ANN.person)
    assert (answer.card, answer.show) == (present.kept("en"), Show.INSTEAD)
    assert await tables(lobby) == before


@pytest.mark.parametrize("language", words.languages())
async def test_it_is_confirmed_in_the_language_that_is_forgotten(lobby: Lobby, language: str) -> None:
    await lobby.world.store.prefer(ANN.person, "language", language)
    answer = await forget(lobby)
    assert answer.card == present.forgotten(language)
    assert await lobby.chosen(ANN.person) == await lobby.chosen("test:nobody")
    assert (await lobby.command(ANN, "/privacy", ANN.person)).card == present.privacy("en"), "nor is it remembered here"


async def test_to_be_told_so_stores_nothing_again(evening: Lobby) -> None:
    await forget(evening, ZORA)
    for command in ("/privacy", "/export", "/forget", "/help"):
        assert said(await evening.command(ZORA, command, ZORA.person))
    left = json.dumps(await tables(evening), ensure_ascii=False)
    assert not [trace for trace in TRACES if trace in left]


async def test_a_press_that_comes_again_is_answered_again(lobby: Lobby) -> None:
    await play(lobby, ANN, GROUP, BOB)
    sure = await asking(lobby)
    first = await lobby.press(ANN, sure, ANN.person)
    once = await tables(lobby)
    assert await lobby.press(ANN, sure, ANN.person) == first
    assert await tables(lobby) == once


@pytest.mark.parametrize("minutes", [-61, 60, 61, 24 * 60, 365 * 24 * 60])
async def test_the_question_can_be_answered_for_an_hour(lobby: Lobby, minutes: int) -> None:
    await play(lobby, ANN, GROUP, BOB)
    sure = await asking(lobby)
    lobby.world.clock.advance(minutes * 60)
    answer = await lobby.press(ANN, sure, ANN.person)
    assert (answer.card, answer.show) == (present.asked_too_long_ago("en"), Show.INSTEAD)
    assert await stored(lobby)
    assert (await forget(lobby)).card == present.forgotten("en")
    assert not await stored(lobby)


@pytest.mark.parametrize(
    "key", ["x", "-", "0", "67c598c0-", "67c598c0-000000000000", "f" * 24, "zzzz-1", "-1-0", "1_0-a"]
)
async def test_a_button_that_was_made_up_deletes_nothing(lobby: Lobby, key: str) -> None:
    await play(lobby, ANN, GROUP, BOB)
    answer = await lobby.press(ANN, Forget(key, True), ANN.person)
    assert answer.card == present.asked_too_long_ago("en")
    assert await stored(lobby)


async def test_the_button_of_one_person_deletes_nothing_of_another(lobby: Lobby) -> None:
    await play(lobby, ANN, GROUP, BOB)
    sure = await asking(lobby, ANN)
    before = await tables(lobby)
    answer = await lobby.press(BOB, sure, BOB.person)
    assert answer.card == present.asked_too_long_ago("en")
    assert await tables(lobby) == before


async def test_a_button_that_is_pressed_in_a_group_deletes_nothing(lobby: Lobby) -> None:
    await play(lobby, ANN, GROUP, BOB)
    sure = await asking(lobby)
    before = await tables(lobby)
    assert links(card_of(await lobby.press(ANN, sure, GROUP))) == ["private:forget"]
    assert await tables(lobby) == before


def test_the_same_update_asks_the_same_and_the_button_fits_every_platform() -> None:
    at = datetime(2025, 3, 3, 12, tzinfo=UTC)
    key = key_of("telegram:77331199", at)
    assert (
        key
        == key_of("telegram:77331199", at)
        != key_of("telegram:7733119", at)
        != key_of("telegram:77331199", at + HOLDS)
    )
    assert load(dump(Forget(key, True))) == Forget(key, True)
    assert "77331199" not in key
    for late, held in ((timedelta(0), True), (HOLDS - timedelta(seconds=1), True), (HOLDS, False)):
        assert holds(key, "telegram:77331199", at + late) is held


async def test_what_could_not_be_deleted_is_not_said_to_be(lobby: Lobby) -> None:
    await play(lobby, ANN, GROUP, BOB)
    sure = await asking(lobby)
    lobby.world.driver.failing = 1
    with pytest.raises(StoreError):
        await lobby.press(ANN, sure, ANN.person)
    assert await stored(lobby)


# What goes on


async def test_a_question_that_is_open_is_answered_by_the_others_and_closes_at_its_time(evening: Lobby) -> None:
    """Zora hosts it, has answered its first question, and goes in the middle of the second."""
    running = await evening.session(TOPIC)
    await forget(evening, ZORA)
    await evening.world.wait(0)
    now = await evening.session(TOPIC)
    assert (now.phase, now.at, now.players, now.results) == (Phase.OPEN, 1, running.players, running.results)
    assert (now.host, now.host_name) == ("", "")
    await evening.press(ANN, Choose(running.id, 1, 0), TOPIC)
    await evening.world.wait(600)
    ended = evening.posts(TOPIC)[-1]
    assert isinstance(ended, Ended)
    assert {standing.name for standing in ended.standings} == {"Ann", "Bob"}
    assert ended.players == running.players
    assert [result.answered for result in ended.results] == [3, 1]
    board = {row["person"] for row in (await tables(evening))["score"]}
    assert ANN.person in board
    assert ZORA.person not in board


async def test_nobody_else_becomes_the_host_but_a_moderator_can_go_on(evening: Lobby) -> None:
    await forget(evening, ZORA)
    session = await evening.session(TOPIC)
    for by in (ZORA, ANN, BOB, Actor("", "Nobody")):
        for press in (Next(session.id, session.step), Stop(session.id)):
            answer = await evening.press(by, press, TOPIC)
            assert answer.card in [present.reply(Told(Reason.NOT_ALLOWED), None, tag) for tag in words.languages()]
    assert (await evening.session(TOPIC)).at == session.at
    await evening.press(MIA, Next(session.id, session.step), TOPIC)
    await evening.world.settle()
    assert isinstance(evening.posts(TOPIC)[-1], Closed)


async def test_a_quiz_that_has_not_begun_is_begun_by_a_moderator(evening: Lobby) -> None:
    await forget(evening, ZORA)
    evening.world.screen.forbidden.clear()
    await evening.world.wait(600)
    (card,) = evening.posts(WAITING)
    assert isinstance(card, StartCard)
    assert card.host_name == ""
    assert "someone" in "".join(
        block.text for block in present.post(card, evening.world.library.quizzes[0], "en").blocks
    )
    await evening.press(BOB, Begin(card.session), WAITING)
    assert (await evening.session(WAITING)).phase is Phase.CARD
    await evening.press(MIA, Begin(card.session), WAITING)
    assert (await evening.session(WAITING)).phase is Phase.OPEN


async def test_nobody_is_told_in_private_that_the_quiz_of_a_forgotten_host_was_lost(evening: Lobby) -> None:
    await forget(evening, ZORA)
    await evening.desk.lost(TOPIC)
    await evening.world.settle()
    assert not await evening.running(TOPIC)
    told = [shown for shown in evening.world.screen.shown if isinstance(shown.post, HostTold)]
    assert told == []
    assert "" not in {row["chat"] for row in (await tables(evening))["outbox"]}


async def test_what_ran_in_private_is_over_and_its_buttons_say_so(evening: Lobby) -> None:
    practice = await evening.session(ZORA.person)
    assert practice.live
    await forget(evening, ZORA)
    assert await evening.world.store.session(ZORA.person) is None
    answer = await evening.press(ZORA, Next(practice.id, practice.step), ZORA.person)
    assert said(answer)
    await evening.world.wait(7 * 24 * 3600)
    left = json.dumps(await tables(evening), ensure_ascii=False)
    assert not [trace for trace in TRACES if trace in left]


async def test_whoever_comes_back_begins_anew(lobby: Lobby) -> None:
    await play(lobby, ANN, GROUP, BOB)
    await forget(lobby)
    await play(lobby, ANN, GROUP, BOB)
    copy = await lobby.world.store.everything_about(ANN.person)
    assert len(copy["player"]) == 1
    assert len(copy["response"]) == 3
    assert {row["points"] for row in copy["score"]} == {2.0}


async def test_a_player_who_is_forgotten_and_answers_again_is_a_newcomer(lobby: Lobby) -> None:
    asked = await lobby.asked()
    for by in (ANN, BOB):
        await lobby.press(by, Choose(asked.session, 0, 0))
    await forget(lobby, BOB)
    await lobby.press(BOB, Choose(asked.session, 0, 1))
    session = await lobby.session()
    assert (session.players, session.answered) == (3, 3), "what was counted stays counted"
    copy = await lobby.world.store.everything_about(BOB.person)
    assert [row["options"] for row in copy["response"]] == [[2]]
