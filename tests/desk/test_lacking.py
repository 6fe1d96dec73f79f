"""What the platform withholds is said before a quiz tries and ends for it; what needs nothing works all the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot import present
from bot.core.effects import Reason, Told
from bot.core.session import Phase
from bot.desk import Answer, Lacking
from bot.preferences import Starters
from bot.presses import Again, Begin, Browse, Choose, Next, Pick, Resume, Stop
from tests.desk.lobby import (
    ANN,
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
    links,
    open_lobby,
    presses,
    silent,
)
from tests.present.sample import QUIZ

EVERYTHING = tuple(Lacking)
FORBIDDING = [
    (Lacking.VIEW,),
    (Lacking.SEND,),
    (Lacking.LOCKED,),
    (Lacking.ENTRY, Lacking.LOCKED),
    (Lacking.VIEW, Lacking.SEND),
]


def refused(answer: Answer, *missing: Lacking, language: str = "en", quiz: str = "colours") -> bool:
    assert aside(answer)
    assert answer.receipt is None
    return answer.card == present.lacking(language, missing, f"private:quiz_{quiz}")


@pytest.mark.parametrize("missing", FORBIDDING)
@pytest.mark.parametrize("chat", [GROUP, TOPIC])
async def test_every_way_to_start_a_quiz_names_what_is_missing_and_starts_nothing(
    lobby: Lobby, missing: tuple[Lacking, ...], chat: str
) -> None:
    lobby.locales = {ANN.person: "bg"}
    await lobby.command(ANN, "/quiz colours", chat)
    await lobby.command(ANN, "/stop", chat)
    old = (await lobby.session(chat)).id
    lobby.lacking = missing
    before = await lobby.everything()
    for answer in (
        await lobby.command(ANN, "/quiz colours", chat),
        await lobby.press(ANN, Pick("colours"), chat),
        await lobby.press(ANN, Again(old), chat),
        await lobby.command(ANN, "/start quiz_colours", chat),
    ):
        assert refused(answer, *missing, language="bg")
    assert await lobby.everything() == before


@pytest.mark.parametrize("missing", [(Lacking.SEND_IN_THREADS,), (Lacking.SEND_IN_THREADS, Lacking.OPEN_THREADS)])
async def test_what_only_threads_need_is_missed_in_threads_alone(lobby: Lobby, missing: tuple[Lacking, ...]) -> None:
    lobby.lacking = missing
    assert refused(await lobby.command(ANN, "/quiz colours", TOPIC), *missing)
    assert silent(await lobby.command(ANN, "/quiz colours", GROUP))
    assert silent(await lobby.press(ANN, Begin((await lobby.session()).id)))


async def test_a_session_in_a_thread_that_was_locked_goes_on_to_no_question(lobby: Lobby) -> None:
    question = await lobby.asked(TOPIC)
    lobby.lacking = (Lacking.LOCKED,)
    assert refused(await lobby.press(ANN, Next(question.session, 0), TOPIC), Lacking.LOCKED)
    assert (await lobby.session(TOPIC)).phase is Phase.OPEN


async def test_where_it_is_no_member_the_way_to_where_a_quiz_works_is_shown(lobby: Lobby) -> None:
    lobby.lacking = (Lacking.MEMBERSHIP,)
    answer = await lobby.command(ANN, "/quiz colours")
    assert refused(answer, Lacking.MEMBERSHIP)
    assert links(card_of(answer)) == ["private:quiz_colours"]
    lobby.signposts.only_messages = True
    assert links(card_of(await lobby.command(ANN, "/quiz colours"))) == []


@pytest.mark.parametrize("missing", [(Lacking.MEMBERSHIP,), EVERYTHING])
async def test_what_needs_nothing_works_wherever_it_is_asked(lobby: Lobby, missing: tuple[Lacking, ...]) -> None:
    lobby.lacking = missing
    assert (await lobby.command(ANN, "/help")).card == present.help("en", private=False)
    assert (await lobby.command(ANN, "/privacy")).card == present.privacy("en")
    assert Pick("colours") in presses(await lobby.command(ANN, "/quizzes"))
    assert Pick("colours") in presses(await lobby.press(ANN, Browse()))
    assert aside(await lobby.command(ANN, "/language"))


async def test_pictures_are_missed_only_by_a_quiz_that_has_some(lobby: Lobby) -> None:
    lobby.lacking = (Lacking.ATTACH,)
    assert refused(await lobby.command(ANN, f"/quiz {QUIZ.slug}"), Lacking.ATTACH, quiz=QUIZ.slug)
    assert silent(await lobby.command(ANN, "/quiz colours"))
    assert silent(await lobby.press(ANN, Begin((await lobby.session()).id)))


async def test_what_a_quiz_without_pictures_does_not_need_is_not_named(lobby: Lobby) -> None:
    lobby.lacking = (Lacking.SEND, Lacking.ATTACH)
    assert refused(await lobby.command(ANN, "/quiz colours"), Lacking.SEND)
    assert refused(await lobby.command(ANN, f"/quiz {QUIZ.slug}"), Lacking.SEND, Lacking.ATTACH, quiz=QUIZ.slug)


async def test_whoever_may_not_start_anyway_is_told_only_that(lobby: Lobby) -> None:
    await lobby.world.store.prefer(GROUP, "starters", Starters.MODERATORS)
    lobby.lacking = (Lacking.SEND,)
    assert (await lobby.command(ANN, "/quiz colours")).card == present.may_not_start("en")
    assert refused(await lobby.command(MIA, "/quiz colours"), Lacking.SEND)


# A session that is there already


async def test_a_quiz_that_waits_does_not_begin_until_the_permission_is_there(lobby: Lobby) -> None:
    session = (await lobby.card()).session
    lobby.lacking = (Lacking.SEND,)
    before = await lobby.everything()
    assert refused(await lobby.press(ANN, Begin(session)), Lacking.SEND)
    assert await lobby.everything() == before
    lobby.lacking = ()
    assert silent(await lobby.press(ANN, Begin(session)))
    assert (await lobby.session()).phase is Phase.OPEN


async def test_a_session_goes_on_to_no_question_that_could_not_be_shown(lobby: Lobby) -> None:
    question = await lobby.asked()
    lobby.lacking = (Lacking.VIEW, Lacking.SEND)
    for answer in (await lobby.press(ANN, Next(question.session, 0)), await lobby.command(ANN, "/next")):
        assert refused(answer, *lobby.lacking)
    assert (await lobby.session()).phase is Phase.OPEN
    await lobby.world.wait(3600)
    assert (await lobby.session()).phase is Phase.PAUSED
    for answer in (await lobby.press(BOB, Resume(question.session)), await lobby.command(BOB, "/resume")):
        assert refused(answer, *lobby.lacking)
    assert (await lobby.session()).phase is Phase.PAUSED


async def test_answers_count_and_stop_works_whatever_is_missing(lobby: Lobby) -> None:
    question = await lobby.asked()
    waiting = (await lobby.card(OTHER)).session
    lobby.lacking = EVERYTHING
    assert aside(await lobby.press(BOB, Choose(question.session, 0, 0)))
    assert len(await lobby.world.responses()) == 1
    assert silent(await lobby.command(ANN, "/stop"))
    assert not await lobby.running()
    assert silent(await lobby.press(ANN, Stop(waiting), OTHER))
    assert not await lobby.running(OTHER)


async def test_where_nothing_can_go_on_that_is_said_and_not_what_is_missing(lobby: Lobby) -> None:
    lobby.lacking = EVERYTHING
    assert (await lobby.command(ANN, "/next")).card == present.reply(Told(Reason.NOTHING_RUNNING), None, "en")
    lobby.lacking = ()
    question = await lobby.asked()
    lobby.lacking = EVERYTHING
    assert (await lobby.press(ANN, Next("gone", 0))).card == present.reply(Told(Reason.OTHER_SESSION), None, "en")
    await lobby.command(ANN, "/stop")
    assert (await lobby.press(ANN, Begin(question.session))).card == present.reply(Told(Reason.ENDED), None, "en")


async def test_a_session_whose_quiz_has_no_pictures_goes_on_without_the_permission_for_them() -> None:
    async with open_lobby(quizzes=(COLOURS, SEVERAL, QUIZ)) as lobby:
        for chat, quiz in ((GROUP, COLOURS), (OTHER, QUIZ)):
            await lobby.asked(chat, quiz=quiz.slug)
        lobby.lacking = (Lacking.ATTACH,)
        assert silent(await lobby.press(ANN, Next((await lobby.session()).id, 0)))
        assert refused(await lobby.command(ANN, "/next", OTHER), Lacking.ATTACH, quiz=QUIZ.slug)


async def test_a_quiz_that_has_gone_from_the_shelf_is_known_by_what_its_session_pinned(lobby: Lobby) -> None:
    await lobby.asked(quiz=QUIZ.slug)
    gone = replace(lobby.service, library=type(lobby.service.library)(()))
    lobby.desk = type(lobby.desk)(gone, lobby.signposts)
    lobby.lacking = (Lacking.ATTACH,)
    assert refused(await lobby.command(ANN, "/next"), Lacking.ATTACH, quiz=QUIZ.slug)
