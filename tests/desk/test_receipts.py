"""What is said in words of what shows itself, for platforms that want every request answered."""

from __future__ import annotations

import pytest

from bot import present
from bot.core.effects import Reason, Told
from bot.core.events import Change
from bot.core.session import Pace
from bot.desk.preferring import Preferred
from bot.presses import Again, Begin, Choose, Configure, Next, Pick, Prefer, Press, Resume, Stop
from tests.desk.lobby import ANN, BOB, GROUP, MIA, TOPIC, Lobby, aside, receipt, silent

PLACES = [GROUP, TOPIC, ANN.person]


@pytest.mark.parametrize("chat", PLACES)
@pytest.mark.parametrize("language", ["en", "bg", "ro"])
async def test_whoever_asked_for_a_quiz_is_told_that_it_is_ready_and_how_it_begins(
    lobby: Lobby, chat: str, language: str
) -> None:
    lobby.locales = {ANN.person: language}
    ready = present.ready(language, private=chat == ANN.person)
    assert (await lobby.command(ANN, "/quiz several", chat)).receipt == ready
    await lobby.command(ANN, "/stop", chat)
    assert (await lobby.press(ANN, Pick("colours"), chat)).receipt == ready


async def test_alone_nobody_waits_for_everyone(lobby: Lobby) -> None:
    assert receipt(await lobby.command(ANN, "/quiz colours", ANN.person)).strip() == "The quiz is ready: press Start."
    together = receipt(await lobby.command(ANN, "/quiz colours")).strip()
    assert together == "The quiz is ready: press Start when everyone is here."


@pytest.mark.parametrize(("public", "language"), [(True, "ro"), (False, "bg")])
async def test_what_takes_the_place_of_a_picker_that_all_see_is_in_the_language_of_the_chat(
    lobby: Lobby, public: bool, language: str
) -> None:
    await lobby.press(MIA, Prefer("language", "ro"))
    lobby.locales, lobby.public = {ANN.person: "bg"}, public
    answer = await lobby.press(ANN, Pick("colours"), key="k")
    assert answer.served
    assert answer.receipt == present.ready(language, private=False)
    again = await lobby.press(ANN, Pick("colours"), key="k")
    assert again.receipt == present.reply(Told(Reason.ALREADY_DONE), None, language)


async def test_what_is_said_to_one_alone_under_a_message_for_all_is_in_their_language(lobby: Lobby) -> None:
    await lobby.press(MIA, Prefer("language", "ro"))
    lobby.locales, lobby.public = {BOB.person: "bg"}, True
    question = await lobby.asked()
    said = await lobby.press(BOB, Next(question.session, 0))
    assert said.card == present.reply(Told(Reason.NOT_ALLOWED), None, "bg")
    assert (await lobby.press(BOB, Pick("several"))).card != (await lobby.press(ANN, Pick("several"))).card
    lobby.locales[ANN.person] = "bg"
    told = await lobby.press(ANN, Next(question.session, 0))
    assert told.receipt == present.reply(Told(Reason.ADVANCED), None, "bg")


async def test_a_store_that_fails_after_the_start_leaves_the_receipt_in_some_language(lobby: Lobby) -> None:
    lobby.public = True
    lobby.locales = {ANN.person: "bg"}
    request = lobby.request(ANN, GROUP)
    preferred = Preferred(lobby.world.store, lobby.world.clock)
    lobby.world.driver.broken = True
    assert await preferred.left_behind(request) == "bg"


async def test_again_has_a_receipt_like_any_start(lobby: Lobby) -> None:
    await lobby.command(ANN, "/quiz colours")
    await lobby.command(ANN, "/stop")
    answer = await lobby.press(BOB, Again((await lobby.session()).id))
    assert answer.receipt == present.ready("en", private=False)


async def test_what_the_chat_shows_is_said_to_whoever_did_it_in_their_language(lobby: Lobby) -> None:
    lobby.locales = {ANN.person: "bg"}
    session = (await lobby.card()).session
    steps: list[tuple[Press, Reason]] = [
        (Configure(session, Change(pace=Pace.BRISK), True), Reason.CONFIGURED),
        (Begin(session), Reason.BEGUN),
        (Next(session, 0), Reason.ADVANCED),
        (Stop(session), Reason.STOPPED),
    ]
    for press, reason in steps:
        answer = await lobby.press(ANN, press, key=f"{reason}")
        assert silent(answer)
        assert answer.receipt == present.reply(Told(reason), None, "bg")
        again = await lobby.press(ANN, press, key=f"{reason}")
        assert again.receipt == present.reply(Told(Reason.ALREADY_DONE), None, "bg")


async def test_commands_have_receipts_as_well(lobby: Lobby) -> None:
    await lobby.asked()
    await lobby.command(ANN, "/next")
    assert (await lobby.command(ANN, "/next")).receipt == present.reply(Told(Reason.ADVANCED), None, "en")
    await lobby.asked(TOPIC)
    await lobby.world.wait(3600)
    resumed = await lobby.press(BOB, Resume((await lobby.session(TOPIC)).id), TOPIC)
    assert resumed.receipt == present.reply(Told(Reason.RESUMED), None, "en")
    assert (await lobby.command(ANN, "/stop", TOPIC)).receipt == present.reply(Told(Reason.STOPPED), None, "en")


async def test_what_is_said_in_a_card_needs_no_receipt(lobby: Lobby) -> None:
    question = await lobby.asked()
    for answer in (
        await lobby.press(BOB, Choose(question.session, 0, 0)),
        await lobby.command(BOB, "/stop"),
        await lobby.command(BOB, "/quiz several"),
        await lobby.command(BOB, "/help"),
    ):
        assert aside(answer)
        assert answer.receipt is None
