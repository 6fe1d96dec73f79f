"""What is said in words of what shows itself, for platforms that want every request answered."""

from __future__ import annotations

import pytest

from bot import present
from bot.core.effects import Reason, Told
from bot.core.events import Change
from bot.core.session import Pace
from bot.presses import Again, Begin, Choose, Configure, Next, Pick, Press, Resume, Stop
from tests.desk.lobby import ANN, BOB, GROUP, TOPIC, Lobby, aside, receipt, silent

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
