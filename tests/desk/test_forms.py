"""The settings of a start card as a form: who is given one, what stands in it, and what comes of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from bot import present
from bot.core.effects import CardState, Reason, StartCard, Told
from bot.core.events import Change
from bot.core.session import Actor, Feedback, Order, Pace
from bot.desk import Answer
from bot.messages import Field, Form
from bot.presses import Begin, Browse, Configure, Pick, Press, Report, Stop, Toggle, dump
from tests.desk.lobby import ANN, ANONYMOUS, BOB, GROUP, MIA, OTHER, TOPIC, Lobby, aside, open_lobby, silent

NOTHING = Change()


@pytest.fixture
async def lobby() -> AsyncIterator[Lobby]:
    async with open_lobby() as made:
        made.forms = True
        yield made


def unfold(session: str) -> Configure:
    return Configure(session, NOTHING, configuring=True)


async def form_of(lobby: Lobby, by: Actor = ANN, chat: str = GROUP) -> Form:
    answer = await lobby.press(by, unfold((await lobby.session(chat)).id), chat)
    assert answer.form is not None
    assert answer == Answer(form=answer.form)
    return answer.form


async def submit(
    lobby: Lobby, form: Press | str, *values: Press | str, by: Actor = ANN, chat: str = GROUP, text: str = ""
) -> Answer:
    data, *chosen = [each if isinstance(each, str) else dump(each) for each in (form, *values)]
    return await lobby.desk.submitted(lobby.request(by, chat), data, chosen, text)


# Given out


@pytest.mark.parametrize("chat", [GROUP, TOPIC, ANN.person])
async def test_the_host_is_given_the_settings_as_a_form_and_the_card_stays_as_it_is(lobby: Lobby, chat: str) -> None:
    lobby.locales = {ANN.person: "bg"}
    await lobby.card(chat)
    before = await lobby.everything()
    form = await form_of(lobby, ANN, chat)
    quiz = lobby.world.library.quizzes[0]
    assert form == present.start_form(await lobby.session(chat), quiz, "bg")
    assert await lobby.everything() == before
    assert lobby.lookups == []


@pytest.mark.parametrize(("by", "lookups"), [(MIA, ["Mia"]), (ANONYMOUS, ["The group"])])
async def test_a_moderator_is_given_one_too(lobby: Lobby, by: Actor, lookups: list[str]) -> None:
    await lobby.card()
    assert (await form_of(lobby, by)).fields
    assert lobby.lookups == lookups


async def test_a_stranger_is_refused_as_by_the_button(lobby: Lobby) -> None:
    session = (await lobby.card()).session
    before = await lobby.everything()
    answer = await lobby.press(BOB, unfold(session))
    assert answer.card == present.reply(Told(Reason.NOT_ALLOWED), None, "en")
    assert answer.form is None
    assert aside(answer)
    assert await lobby.everything() == before
    assert lobby.lookups == ["Bob"]


async def test_where_there_are_no_forms_the_card_unfolds(lobby: Lobby) -> None:
    lobby.forms = False
    session = (await lobby.card()).session
    answer = await lobby.press(ANN, unfold(session))
    assert silent(answer)
    assert answer.form is None
    await lobby.world.settle()
    assert isinstance(lobby.posts()[-1], StartCard)
    assert lobby.posts()[-1] == replace(lobby.posts()[0], state=CardState.CONFIGURING)  # type: ignore[arg-type]


async def test_other_buttons_of_the_settings_do_what_they_say(lobby: Lobby) -> None:
    session = (await lobby.card()).session
    for press in (Configure(session, Change(count=2), True), Configure(session, NOTHING, False)):
        answer = await lobby.press(ANN, press)
        assert silent(answer)
        assert answer.form is None
    assert (await lobby.session()).settings.count == 2


async def test_a_card_that_has_begun_or_gone_gives_out_no_form(lobby: Lobby) -> None:
    question = await lobby.asked()
    reasons = {question.session: Reason.ALREADY_BEGUN, "gone": Reason.OTHER_SESSION}
    for session, reason in reasons.items():
        assert (await lobby.press(ANN, unfold(session))).card == present.reply(Told(reason), None, "en")
    await lobby.command(ANN, "/stop")
    assert (await lobby.press(ANN, unfold(question.session))).card == present.reply(Told(Reason.ENDED), None, "en")
    nothing = await lobby.press(ANN, unfold("gone"), OTHER)
    assert nothing.card == present.reply(Told(Reason.NOTHING_RUNNING), None, "en")


# Filled in


def choices(form: Form, *labels: str) -> list[Press]:
    """The data of these choices, one of each field from the first."""
    fields = [field for field in form.fields if isinstance(field, Field)]
    return [
        next(button.press for button in field.choices if button.label == label)
        for field, label in zip(fields, labels, strict=False)
    ]


async def test_everything_that_was_filled_in_holds_at_once_and_is_shown_once(lobby: Lobby) -> None:
    await lobby.card()
    form = await form_of(lobby)
    chosen = choices(form, "All 3 questions", "Brisk", "At the end", "Shuffled", "Speed bonus")
    answer = await submit(lobby, form.press, *chosen)
    assert silent(answer)
    assert answer.receipt == present.reply(Told(Reason.CONFIGURED), None, "en")
    settings = (await lobby.session()).settings
    assert (settings.pace, settings.feedback, settings.order) == (Pace.BRISK, Feedback.AT_END, Order.SHUFFLED)
    assert (settings.count, settings.speed_bonus) == (3, True)
    await lobby.world.settle()
    assert [post.state for post in lobby.posts() if isinstance(post, StartCard)] == [CardState.WAITING] * 2


async def test_a_form_sent_as_it_came_changes_nothing(lobby: Lobby) -> None:
    await lobby.card()
    before = (await lobby.session()).settings
    form = await form_of(lobby)
    held = [
        field.choices[field.now].press for field in form.fields if isinstance(field, Field) and field.now is not None
    ]
    assert len(held) == 5
    assert silent(await submit(lobby, form.press, *held))
    assert (await lobby.session()).settings == before
    assert silent(await submit(lobby, form.press))
    assert (await lobby.session()).settings == before


async def test_a_form_does_not_take_back_what_another_chose_while_it_was_filled_in(lobby: Lobby) -> None:
    await lobby.card()
    anns, mias = await form_of(lobby), await form_of(lobby, MIA)
    assert silent(
        await submit(lobby, mias.press, *choices(mias, "All 3 questions", "Brisk", "At once", "Shuffled"), by=MIA)
    )
    unchanged = choices(anns, "All 3 questions", "Steady", "At the end", "In order", "No speed bonus")
    assert silent(await submit(lobby, anns.press, *unchanged))
    settings = (await lobby.session()).settings
    assert (settings.pace, settings.order, settings.feedback) == (Pace.BRISK, Order.SHUFFLED, Feedback.AT_END)


async def test_what_a_form_showed_can_be_chosen_again_once_another_has_changed_it(lobby: Lobby) -> None:
    await lobby.card()
    mias = await form_of(lobby, MIA)
    await submit(lobby, mias.press, *choices(mias, "All 3 questions", "Brisk"), by=MIA)
    anns = await form_of(lobby)
    await submit(lobby, anns.press, *choices(anns, "All 3 questions", "Steady"))
    assert (await lobby.session()).settings.pace is Pace.STEADY


async def test_a_form_that_was_sent_after_the_start_is_too_late(lobby: Lobby) -> None:
    await lobby.card()
    form = await form_of(lobby)
    await lobby.press(ANN, Begin((await lobby.session()).id))
    before = await lobby.everything()
    answer = await submit(lobby, form.press, *choices(form, "All 3 questions", "Brisk"))
    assert answer.card == present.reply(Told(Reason.ALREADY_BEGUN), None, "en")
    assert await lobby.everything() == before


async def test_a_form_counts_for_whoever_may_configure_and_for_nobody_else(lobby: Lobby) -> None:
    await lobby.card()
    form = await form_of(lobby)
    brisk = choices(form, "All 3 questions", "Brisk")
    answer = await submit(lobby, form.press, *brisk, by=BOB)
    assert answer.card == present.reply(Told(Reason.NOT_ALLOWED), None, "en")
    assert (await lobby.session()).settings.pace is Pace.STEADY
    assert silent(await submit(lobby, form.press, *brisk, by=MIA))
    assert (await lobby.session()).settings.pace is Pace.BRISK


async def test_a_form_that_comes_again_is_one_form(lobby: Lobby) -> None:
    await lobby.card()
    form = await form_of(lobby)
    data = [dump(press) for press in choices(form, "All 3 questions", "Brisk")]
    request = lobby.request(ANN, GROUP, "k")
    await lobby.desk.submitted(request, dump(form.press), data, "")
    before = await lobby.everything()
    assert silent(await lobby.desk.submitted(request, dump(form.press), data, ""))
    assert await lobby.everything() == before


@pytest.mark.parametrize("count", [0, 4, 999_999])
async def test_a_number_that_no_form_offers_is_refused(lobby: Lobby, count: int) -> None:
    session = (await lobby.card()).session
    answer = await submit(lobby, Configure(session, NOTHING, False), Configure(session, Change(count=count), False))
    assert answer.card == present.reply(Told(Reason.INVALID), None, "en")
    assert (await lobby.session()).settings.count == 3


async def test_what_no_form_can_be_or_hold_is_met_with_a_kind_line(lobby: Lobby) -> None:
    session = (await lobby.card()).session
    lobby.locales = {ANN.person: "ro"}
    form, brisk = Configure(session, NOTHING, False), Configure(session, Change(pace=Pace.BRISK), False)
    before = await lobby.everything()
    forged: list[tuple[Any, ...]] = [
        ("",),
        ("🎉",),
        ("1:c:s",),
        ("x" * 10_000,),
        (Begin(session),),
        (Stop(session), brisk),
        (Browse(),),
        (Pick("colours"),),
        (form, "nonsense"),
        (form, brisk, ""),
        (form, brisk, Stop(session)),
        (form, Toggle(session, 0, 0)),
        (form, replace(brisk, session="other")),
        (form, Report(session, 0, "typo")),
    ]
    for what in forged:
        answer = await submit(lobby, *what)
        assert answer.card == present.unreadable("ro"), what
        assert aside(answer)
    assert await lobby.everything() == before


async def test_what_is_wrong_with_a_question_is_a_form_as_well(lobby: Lobby) -> None:
    question = await lobby.asked()
    asked = await lobby.desk.report(lobby.request(BOB, GROUP), None, [dump(Toggle(question.session, 0, 0))])
    assert asked.form is not None
    assert asked.form.press == Report(question.session, 0)
    typo = Report(question.session, 0, "typo")
    thanks = await submit(lobby, asked.form.press, typo, by=BOB, text="A letter is missing.")
    assert thanks.card == present.reported("en", again=False)
    assert (await lobby.press(BOB, typo)).card == present.reported("en", again=True)


async def test_how_somebody_stands_is_asked_at_the_desk(lobby: Lobby) -> None:
    answer = await lobby.desk.score(lobby.request(ANN, GROUP), BOB.person, BOB.name)
    assert answer.card == present.no_scores("en", session=None)
