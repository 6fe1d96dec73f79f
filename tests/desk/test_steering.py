"""Steering and answering: the host, moderators and nobody else; whoever presses hears of it in their own language."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from bot import present
from bot.core.effects import Asked, Closed, Ended, Noted, Paused, Reason, Selected, StartCard, Told, Verdict
from bot.core.events import Change
from bot.core.session import Actor, Pace, Phase
from bot.presses import Begin, Choose, Configure, Next, Resume, Send, SessionPress, Stop, Toggle
from tests.desk.lobby import ANN, ANONYMOUS, BOB, GROUP, MIA, OTHER, TOPIC, Lobby, aside, card_of, silent
from tests.present.sample import QUIZ

BRISK = Change(pace=Pace.BRISK)

Button = Callable[[str], SessionPress]


def configured(session: str) -> SessionPress:
    return Configure(session, BRISK, True)


def advanced(session: str) -> SessionPress:
    return Next(session, 0)


ON_THE_CARD: list[Button] = [Begin, configured, Stop]
ON_A_QUESTION: list[Button] = [advanced, Stop]
REFUSED = present.reply(Told(Reason.NOT_ALLOWED), None, "en")


async def opened(lobby: Lobby, button: Button, chat: str) -> SessionPress:
    """A session of Ann at the moment for this button."""
    await (lobby.card(chat) if button in ON_THE_CARD else lobby.asked(chat))
    return button((await lobby.session(chat)).id)


@pytest.mark.parametrize("button", [*ON_THE_CARD, advanced])
@pytest.mark.parametrize("chat", [GROUP, TOPIC, ANN.person])
async def test_the_host_steers_and_the_platform_is_asked_nothing(lobby: Lobby, button: Button, chat: str) -> None:
    press = await opened(lobby, button, chat)
    before = await lobby.session(chat)
    assert silent(await lobby.press(ANN, press, chat))
    assert await lobby.session(chat) != before
    assert lobby.lookups == []


@pytest.mark.parametrize("button", [*ON_THE_CARD, advanced])
@pytest.mark.parametrize("chat", [GROUP, TOPIC])
async def test_a_stranger_is_refused_once_and_changes_nothing(lobby: Lobby, button: Button, chat: str) -> None:
    press = await opened(lobby, button, chat)
    before = await lobby.everything()
    answer = await lobby.press(BOB, press, chat)
    assert answer.card == REFUSED
    assert aside(answer)
    assert lobby.lookups == ["Bob"]
    assert await lobby.everything() == before


@pytest.mark.parametrize("button", [*ON_THE_CARD, advanced])
@pytest.mark.parametrize("chat", [GROUP, TOPIC])
async def test_a_moderator_steers_and_is_looked_up_once(lobby: Lobby, button: Button, chat: str) -> None:
    press = await opened(lobby, button, chat)
    before = await lobby.session(chat)
    assert silent(await lobby.press(MIA, press, chat))
    assert await lobby.session(chat) != before
    assert lobby.lookups == ["Mia"]


async def test_a_typed_command_that_changes_only_a_message_above_is_answered_in_words(lobby: Lobby) -> None:
    await lobby.card()
    assert (await lobby.command(ANN, "/stop")).card == present.reply(Told(Reason.STOPPED), None, "en")
    await lobby.asked()
    assert (await lobby.command(ANN, "/next")).card == present.reply(Told(Reason.ADVANCED), None, "en")
    assert silent(await lobby.command(ANN, "/next")), "the next question speaks for itself"
    assert silent(await lobby.command(ANN, "/stop")), "so do the results"


@pytest.mark.parametrize("command", ["/next", "/stop"])
async def test_an_administrator_who_writes_as_the_group_steers_and_needs_no_lookup(lobby: Lobby, command: str) -> None:
    await lobby.asked()
    assert (await lobby.command(ANONYMOUS, command)).card != REFUSED
    assert (await lobby.session()).phase in (Phase.CLOSED, Phase.ENDED)
    assert lobby.lookups == []


@pytest.mark.parametrize("command", ["/next", "/stop"])
@pytest.mark.parametrize("chat", [GROUP, TOPIC])
async def test_commands_of_strangers_are_refused_where_they_were_given(lobby: Lobby, command: str, chat: str) -> None:
    await lobby.asked(chat)
    calls = len(lobby.world.screen.calls)
    assert (await lobby.command(BOB, command, chat)).card == REFUSED
    await lobby.world.settle()
    assert len(lobby.world.screen.calls) == calls
    assert lobby.lookups == ["Bob"]
    assert await lobby.running(chat)


async def test_what_everyone_may_do_asks_the_platform_nothing(lobby: Lobby) -> None:
    question = await lobby.asked()
    await lobby.press(BOB, Choose(question.session, 0, 0))
    await lobby.press(BOB, Choose(question.session, 0, 1))
    assert lobby.lookups == []


async def test_everyone_may_resume_by_button_or_command(lobby: Lobby) -> None:
    for chat in (GROUP, OTHER):
        await lobby.asked(chat)
    await lobby.world.wait(3600)
    assert (await lobby.session()).phase is Phase.PAUSED
    assert silent(await lobby.press(BOB, Resume((await lobby.session()).id)))
    assert silent(await lobby.command(BOB, "/resume", OTHER))
    for chat in (GROUP, OTHER):
        assert (await lobby.session(chat)).phase is Phase.OPEN
    assert lobby.lookups == []


@pytest.mark.parametrize("command", ["/next", "/stop", "/resume"])
async def test_where_nothing_runs_a_command_says_so_and_asks_the_platform_nothing(lobby: Lobby, command: str) -> None:
    for chat in (GROUP, TOPIC, BOB.person):
        answer = await lobby.command(BOB, command, chat)
        assert answer.card == present.reply(Told(Reason.NOTHING_RUNNING), None, "en")
        assert aside(answer)
    assert lobby.lookups == []


async def test_a_press_that_cannot_work_is_answered_without_asking_the_platform(lobby: Lobby) -> None:
    card = await lobby.card()
    for press in (Resume(card.session), Begin("gone"), Stop("gone")):
        assert aside(await lobby.press(BOB, press))
    assert lobby.lookups == []


async def test_a_stranger_in_a_private_session_is_refused_and_nobody_is_looked_up(lobby: Lobby) -> None:
    question = await lobby.asked(ANN.person)
    answer = await lobby.press(MIA, Choose(question.session, 0, 0), ANN.person)
    assert answer.card == REFUSED
    assert lobby.lookups == []
    assert await lobby.world.responses() == []


async def test_alone_one_steers_by_buttons_and_commands_from_beginning_to_end(lobby: Lobby) -> None:
    question = await lobby.asked(ANN.person)
    verdict = await lobby.press(ANN, Choose(question.session, 0, 0), ANN.person)
    assert aside(verdict)
    await lobby.world.settle()
    for command in ("/next", "/stop"):
        assert silent(await lobby.command(ANN, command, ANN.person))
        await lobby.world.settle()
    kinds = [type(post) for post in lobby.posts(ANN.person)]
    assert kinds == [StartCard, Asked, Closed, Asked, Closed, Ended]
    assert lobby.lookups == []


async def test_a_press_that_comes_again_steers_once_and_is_silent(lobby: Lobby) -> None:
    question = await lobby.asked()
    press = Next(question.session, question.step)
    assert silent(await lobby.press(ANN, press, key="k"))
    before = await lobby.everything()
    assert silent(await lobby.press(ANN, press, key="k"))
    assert await lobby.everything() == before


async def test_two_presses_of_next_in_one_tick_are_one_step(lobby: Lobby) -> None:
    question = await lobby.asked()
    press = Next(question.session, question.step)
    first, second = await asyncio.gather(lobby.press(ANN, press), lobby.press(MIA, press))
    assert silent(first)
    assert second.card == present.reply(Told(Reason.MOVED_ON), None, "en")
    assert (await lobby.world.stage(GROUP)) == (0, Phase.CLOSED)


async def test_in_a_paused_session_everyone_hears_how_it_goes_on(lobby: Lobby) -> None:
    await lobby.asked()
    await lobby.world.wait(3600)
    assert isinstance(lobby.posts()[-1], Paused)
    assert (await lobby.command(ANN, "/next")).card == present.reply(Told(Reason.PAUSED), None, "en")
    assert silent(await lobby.command(BOB, "/resume"))


# Answers, each in the language of whoever gave it


async def test_in_one_group_everyone_is_answered_in_their_own_language(lobby: Lobby) -> None:
    lobby.locales = {ANN.person: "bg-BG", BOB.person: "ro"}
    question = await lobby.asked(quiz=QUIZ.slug)
    right = Verdict(question.drawn, (0,), right=True, points=100, quiz=lobby.digest(QUIZ.slug))
    for by, language in ((ANN, "bg"), (BOB, "ro"), (MIA, "bg")):
        answer = await lobby.press(by, Choose(question.session, 0, 0))
        assert answer.card == present.reply(right, QUIZ, language)
        assert aside(answer)
    await lobby.press(ANN, "1:k:en")
    again = Noted(question.drawn, (0,), again=True)
    for by, language in ((ANN, "en"), (BOB, "ro"), (MIA, "bg")):
        assert (await lobby.press(by, Choose(question.session, 0, 1))).card == present.reply(again, None, language)


async def test_a_verdict_comes_with_its_reasons_also_where_the_quiz_has_gone(lobby: Lobby) -> None:
    question = await lobby.asked(quiz=QUIZ.slug)
    pinned = replace(lobby.service, library=type(lobby.service.library)(()))
    lobby.desk = type(lobby.desk)(pinned, lobby.signposts)
    wrong = Verdict(question.drawn, (1,), right=False, points=0, quiz=lobby.digest(QUIZ.slug))
    answer = await lobby.press(BOB, Choose(question.session, 0, 1))
    assert answer.card == present.reply(wrong, QUIZ, "en")
    assert len(card_of(answer).blocks) > 1


async def test_several_options_are_selected_aside_and_sent_once(lobby: Lobby) -> None:
    question = await lobby.asked(quiz="several")
    await lobby.world.settle()
    calls = len(lobby.world.screen.calls)
    for option, chosen in ((2, (2,)), (0, (0, 2)), (1, (0, 1, 2)), (1, (0, 2))):
        answer = await lobby.press(BOB, Toggle(question.session, 0, option))
        assert answer.card == present.reply(Selected(question.drawn, chosen), None, "en")
        assert aside(answer)
    await lobby.world.settle()
    assert len(lobby.world.screen.calls) == calls
    verdict = await lobby.press(BOB, Send(question.session, 0))
    expected = Verdict(question.drawn, (0, 2), right=True, points=100, quiz=lobby.digest("several"))
    assert verdict.card == present.reply(expected, lobby.world.library.quiz(lobby.digest("several")), "en")
    assert len(await lobby.world.responses()) == 1


async def test_a_press_in_a_chat_reaches_no_session_of_another_chat(lobby: Lobby) -> None:
    here, there = await lobby.asked(GROUP), await lobby.asked(OTHER)
    in_topic = await lobby.asked(TOPIC)
    before = await lobby.everything()
    for session, chat in ((here.session, OTHER), (there.session, GROUP), (in_topic.session, GROUP)):
        for press in (Choose(session, 0, 0), Stop(session), Next(session, 0), Send(session, 0)):
            for by in (ANN, MIA):
                answer = await lobby.press(by, press, chat)
                assert answer.card == present.reply(Told(Reason.OTHER_SESSION), None, "en")
    assert await lobby.everything() == before


async def test_a_press_from_last_week_is_told_that_its_quiz_is_over_or_another_one(lobby: Lobby) -> None:
    question = await lobby.asked()
    await lobby.command(ANN, "/stop")
    press = Choose(question.session, 0, 0)
    assert (await lobby.press(BOB, press)).card == present.reply(Told(Reason.ENDED), None, "en")
    await lobby.asked()
    assert (await lobby.press(BOB, press)).card == present.reply(Told(Reason.OTHER_SESSION), None, "en")
    assert await lobby.world.responses() == []


@pytest.mark.parametrize("by", [ANN, MIA])
async def test_who_is_a_moderator_is_remembered_nowhere(lobby: Lobby, by: Actor) -> None:
    await lobby.asked(by=BOB)
    lobby.moderators = {by.person}
    assert (await lobby.command(by, "/next")).card != REFUSED
    lobby.moderators = set()
    assert (await lobby.command(by, "/next")).card == REFUSED
