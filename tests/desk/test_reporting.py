"""Reporting a question: from its message, with a reason, once a person; of questions that were asked here only."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest

from bot import present, words
from bot.core.events import Change
from bot.core.session import Actor, Order
from bot.desk import Answer, Show
from bot.desk.preferring import Preferred
from bot.desk.reporting import Reporting
from bot.messages import Form
from bot.ports import StoreError
from bot.presses import Choose, Configure, Next, Pick, Press, Report, Select, Send, Stop, Toggle, dump
from bot.reports import MOST_WRITTEN, QuestionReport, Reason
from tests.desk.lobby import ANN, BOB, GROUP, OTHER, TOPIC, Lobby, Signposts, card_of, links, presses
from tests.present.sample import QUIZ

REASONS = list(Reason)


@pytest.fixture
def reporting(lobby: Lobby) -> Reporting:
    """On a platform whose private chats have no address."""
    return _reporting(lobby, Signposts(only_messages=True))


@pytest.fixture
def pointing(lobby: Lobby) -> Reporting:
    """On one whose private chats have."""
    return _reporting(lobby, lobby.signposts)


def _reporting(lobby: Lobby, signposts: Signposts) -> Reporting:
    return Reporting(lobby.service, Preferred(lobby.service.store, lobby.service.clock), signposts)


async def point_at(
    reporting: Reporting, lobby: Lobby, *datas: str, reference: str | None = None, by: Actor = BOB, chat: str = GROUP
) -> Answer:
    """`by` wants to report a message that the platform calls `reference`, with such buttons under it."""
    return await reporting.asked(lobby.request(by, chat), reference, datas)


async def press(reporting: Reporting, lobby: Lobby, report: Report, by: Actor = BOB, chat: str = GROUP) -> Answer:
    return await reporting.pressed(lobby.request(by, chat), report)


async def kept(lobby: Lobby) -> list[QuestionReport]:
    return await lobby.world.store.reports()


def offered(session: str, at: int) -> list[Report]:
    """The buttons of all reasons for a question."""
    return [Report(session, at, reason) for reason in REASONS]


# Which question


@pytest.mark.parametrize("kind", ["choose", "toggle", "select", "send", "next", "report"])
async def test_the_buttons_under_a_message_say_which_question_it_is(
    reporting: Reporting, lobby: Lobby, kind: str
) -> None:
    post = await lobby.asked()
    buttons: dict[str, Press] = {
        "choose": Choose(post.session, 0, 1),
        "toggle": Toggle(post.session, 0, 1),
        "select": Select(post.session, 0, (0, 1)),
        "send": Send(post.session, 0),
        "next": Next(post.session, post.step),
        "report": Report(post.session, 0),
    }
    answer = await point_at(reporting, lobby, "1:select:0", dump(Pick("colours")), dump(buttons[kind]))
    assert answer.show is Show.HERE
    assert presses(answer) == offered(post.session, 0)


async def test_from_a_group_the_button_leads_into_the_private_chat_and_the_reasons_are_there(
    pointing: Reporting, lobby: Lobby
) -> None:
    post = await lobby.asked()
    answer = await press(pointing, lobby, Report(post.session, 0))
    assert answer.opens == f"private:report_{post.session}_0"
    assert links(card_of(answer)) == [answer.opens]
    asked = await pointing.linked(lobby.request(BOB, BOB.person), f"{post.session}_0")
    assert asked.show is Show.HERE
    assert presses(asked) == offered(post.session, 0)
    thanked = await press(pointing, lobby, Report(post.session, 0, Reason.TYPO), chat=BOB.person)
    assert (thanked.show, thanked.card) == (Show.INSTEAD, present.reported("en", again=False))
    assert [(report.person, report.reason) for report in await kept(lobby)] == [(BOB.person, Reason.TYPO)]


@pytest.mark.parametrize(
    "meant", ["", "_", "_0", "{0}", "{0}_", "{0}_1", "{0}_-1", "{0}_99999", "{0}_٠", "other_0", "0_{0}"]
)
async def test_an_address_that_leads_to_no_question_that_was_asked_says_so(
    pointing: Reporting, lobby: Lobby, meant: str
) -> None:
    post = await lobby.asked()
    answer = await pointing.linked(lobby.request(BOB, BOB.person), meant.replace("{0}", post.session))
    assert answer.card == present.not_asked_here("en")


async def test_the_button_that_leads_on_from_a_closed_question_belongs_to_that_question(
    reporting: Reporting, lobby: Lobby
) -> None:
    await lobby.asked()
    await lobby.command(ANN, "/next")
    await lobby.command(ANN, "/next")
    await lobby.command(ANN, "/next")
    session = await lobby.session()
    assert session.at == 1
    assert session.step == 3
    for step, at in ((0, 0), (1, 0), (2, 1), (3, 1)):
        assert presses(await point_at(reporting, lobby, dump(Next(session.id, step)))) == offered(session.id, at)


async def test_a_message_without_buttons_is_known_by_its_reference(reporting: Reporting, lobby: Lobby) -> None:
    post = await lobby.asked()
    message = lobby.shown()[-1].message
    assert presses(await point_at(reporting, lobby, reference=message)) == offered(post.session, 0)
    await lobby.command(ANN, "/stop")
    await lobby.world.settle()
    assert presses(await point_at(reporting, lobby, reference=message)) == offered(post.session, 0)


async def test_a_question_is_called_to_mind_in_the_language_of_whoever_reports_it(
    reporting: Reporting, lobby: Lobby
) -> None:
    for language in words.languages():
        lobby.locales = {BOB.person: language}
        post = await lobby.asked(quiz=QUIZ.slug)
        session = await lobby.session()
        expected = present.what_is_wrong(post.session, 0, session.draw[0], QUIZ, language)
        assert card_of(await point_at(reporting, lobby, dump(Choose(post.session, 0, 0)))) == expected
        await lobby.command(ANN, "/stop")


@pytest.mark.parametrize("reference", [None, "", "m999", "'; --"])
async def test_a_message_that_is_no_question_cannot_be_reported(
    reporting: Reporting, lobby: Lobby, reference: str | None
) -> None:
    await lobby.asked()
    for datas in ([], ["", "1:a:", "1:b:s", "2:a:s:0:0", dump(Pick("colours")), dump(Stop("s")), "\x00"]):
        answer = await point_at(reporting, lobby, *datas, reference=reference)
        assert answer.card == present.no_question("en")


async def test_the_start_card_and_the_standings_are_no_questions(reporting: Reporting, lobby: Lobby) -> None:
    await lobby.asked()
    await lobby.command(ANN, "/stop")
    await lobby.world.settle()
    messages = {shown.post.slot: shown.message for shown in lobby.shown()}
    assert messages.keys() == {"card", "q0", "standings"}
    for slot, message in messages.items():
        answer = await point_at(reporting, lobby, reference=message)
        assert (answer.card == present.no_question("en")) == (slot != "q0"), slot


@pytest.mark.parametrize(
    ("asked", "chat"), [(GROUP, OTHER), (GROUP, TOPIC), (ANN.person, BOB.person), (ANN.person, GROUP)]
)
async def test_a_question_of_another_chat_is_refused_kindly_and_shows_nothing_of_it(
    reporting: Reporting, lobby: Lobby, asked: str, chat: str
) -> None:
    post = await lobby.asked(chat=asked)
    answers = [
        await point_at(reporting, lobby, dump(Choose(post.session, 0, 0)), chat=chat),
        await press(reporting, lobby, Report(post.session, 0, "typo"), chat=chat),
        await press(reporting, lobby, Report(post.session, 0), chat=chat),
        await reporting.submitted(
            lobby.request(BOB, chat), Report(post.session, 0), [dump(Report(post.session, 0, "typo"))], ""
        ),
    ]
    assert [answer.card for answer in answers] == [present.not_asked_here("en")] * 4
    message = lobby.shown(asked)[-1].message
    assert (await point_at(reporting, lobby, reference=message, chat=chat)).card == present.no_question("en")
    assert await kept(lobby) == []


async def test_a_question_that_is_still_to_come_or_never_will_is_refused(reporting: Reporting, lobby: Lobby) -> None:
    card = await lobby.card()
    refused = present.not_asked_here("en")
    assert (await press(reporting, lobby, Report(card.session, 0, "typo"))).card == refused
    await lobby.begin()
    for at in (1, 2, 3, 999_999):
        assert (await press(reporting, lobby, Report(card.session, at, "typo"))).card == refused
        assert (await point_at(reporting, lobby, dump(Choose(card.session, at, 0)))).card == refused
    assert (await press(reporting, lobby, Report("made-up", 0, "typo"))).card == refused
    assert await kept(lobby) == []


# What is wrong with it


async def test_where_there_are_forms_one_is_filled_in(reporting: Reporting, lobby: Lobby) -> None:
    post = await lobby.asked()
    lobby.locales = {BOB.person: "bg"}
    request = replace(lobby.request(BOB, GROUP), forms=True)
    answer = await reporting.asked(request, None, [dump(Choose(post.session, 0, 0))])
    assert answer == Answer(form=present.report_form(post.session, 0, "bg"))
    assert await reporting.pressed(request, Report(post.session, 0)) == answer
    assert isinstance(answer.form, Form)
    assert answer.form.press == Report(post.session, 0)


@pytest.mark.parametrize("reason", REASONS)
async def test_a_reason_that_is_pressed_is_kept(reporting: Reporting, lobby: Lobby, reason: Reason) -> None:
    post = await lobby.asked()
    answer = await press(reporting, lobby, Report(post.session, 0, reason))
    assert answer.card == present.reported("en", again=False)
    at = lobby.world.clock.now()
    assert await kept(lobby) == [
        QuestionReport(BOB.person, "colours", "q0", lobby.digest("colours"), post.session, reason, "", at)
    ]


async def test_a_form_that_is_sent_is_kept_with_what_was_written(reporting: Reporting, lobby: Lobby) -> None:
    post = await lobby.asked()
    lobby.locales = {BOB.person: "ro"}
    wanted = Report(post.session, 0)
    answer = await reporting.submitted(
        lobby.request(BOB, GROUP), wanted, [dump(Report(post.session, 0, "wrong-key"))], "  B is right.\nSee page 3. "
    )
    assert answer.card == present.reported("ro", again=False)
    (report,) = await kept(lobby)
    assert (report.reason, report.text) == (Reason.WRONG_KEY, "B is right.\nSee page 3.")


async def test_a_question_is_named_as_it_is_written_whatever_the_order_it_was_asked_in(
    reporting: Reporting, lobby: Lobby
) -> None:
    card = await lobby.card(quiz=QUIZ.slug)
    await lobby.press(ANN, Configure(card.session, Change(order=Order.SHUFFLED), configuring=False))
    await lobby.begin()
    draw = (await lobby.session()).draw
    at, drawn = next((at, drawn) for at, drawn in enumerate(draw) if drawn.question != at)
    for _ in range(2 * at):
        await lobby.command(ANN, "/next")
    await press(reporting, lobby, Report(card.session, at, "typo"))
    (report,) = await kept(lobby)
    assert report.question_id == QUIZ.questions[drawn.question].id


async def test_whoever_reports_again_changes_what_they_said(reporting: Reporting, lobby: Lobby) -> None:
    post = await lobby.asked()
    await press(reporting, lobby, Report(post.session, 0, "typo"))
    lobby.world.clock.advance(1)
    answer = await press(reporting, lobby, Report(post.session, 0, "unclear"))
    assert answer.card == present.reported("en", again=True)
    await press(reporting, lobby, Report(post.session, 0, "typo"), by=ANN)
    assert {(report.person, report.reason) for report in await kept(lobby)} == {
        (BOB.person, Reason.UNCLEAR),
        (ANN.person, Reason.TYPO),
    }


async def test_a_report_that_the_platform_brings_again_is_the_same_report(reporting: Reporting, lobby: Lobby) -> None:
    post = await lobby.asked()
    for _ in range(2):
        answer = await press(reporting, lobby, Report(post.session, 0, "typo"))
        assert answer.card == present.reported("en", again=False)
    assert len(await kept(lobby)) == 1


async def test_a_question_can_be_reported_after_its_session_has_ended_and_another_has_begun(
    reporting: Reporting, lobby: Lobby
) -> None:
    post = await lobby.asked()
    await lobby.command(ANN, "/stop")
    await lobby.asked(quiz="several")
    answer = await press(reporting, lobby, Report(post.session, 0, "typo"))
    assert answer.card == present.reported("en", again=False)


@pytest.mark.parametrize("word", ["nonsense", "WRONG-KEY", "wrong", "0", "wrong--key"])
async def test_a_reason_that_there_is_not_is_a_button_that_no_longer_works(
    reporting: Reporting, lobby: Lobby, word: str
) -> None:
    post = await lobby.asked()
    assert (await press(reporting, lobby, Report(post.session, 0, word))).card == present.unreadable("en")
    assert await kept(lobby) == []


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([], ""),
        ([], "  \n"),
        ([""], "x"),
        (["1:w:"], "x"),
        (["typo"], "x"),
        (["1:w:{session}:0:"], "x"),
        (["1:w:{session}:0:nonsense"], "x"),
        (["1:w:{session}:1:typo"], "x"),
        (["1:w:other:0:typo"], "x"),
        (["1:a:{session}:0:1"], "x"),
        (["1:w:{session}:0:typo", "1:w:{session}:0:unclear"], "x"),
        (["\x00"], "x"),
    ],
)
async def test_a_form_that_was_tampered_with_changes_nothing(
    reporting: Reporting, lobby: Lobby, values: list[str], text: str
) -> None:
    post = await lobby.asked()
    filled = [value.replace("{session}", post.session) for value in values]
    answer = await reporting.submitted(lobby.request(BOB, GROUP), Report(post.session, 0), filled, text)
    assert answer.card == present.unreadable("en")
    assert await kept(lobby) == []


async def test_what_was_written_without_a_reason_is_a_report_as_well(reporting: Reporting, lobby: Lobby) -> None:
    post = await lobby.asked()
    await reporting.submitted(lobby.request(BOB, GROUP), Report(post.session, 0), [], "The picture is missing.")
    (report,) = await kept(lobby)
    assert (report.reason, report.text) == (Reason.OTHER, "The picture is missing.")


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("{0.__class__} %s <b>@everyone</b>", "{0.__class__} %s <b>@everyone</b>"),
        ("a\x00b\x1b[31mc\x07", "ab[31mc"),
        ("\ud800 lone", " lone"),
        ("\u202eevil", "evil"),
        ("é" * 5000, "é" * MOST_WRITTEN),
        ("\x00", ""),
    ],
)
async def test_whatever_is_written_is_text_and_no_more_than_fits(
    reporting: Reporting, lobby: Lobby, written: str, text: str
) -> None:
    post = await lobby.asked()
    answer = await reporting.submitted(
        lobby.request(BOB, GROUP), Report(post.session, 0), [dump(Report(post.session, 0, "typo"))], written
    )
    assert answer.card == present.reported("en", again=False)
    assert [report.text for report in await kept(lobby)] == [text.strip()]


async def test_the_log_says_what_was_reported_and_not_by_whom_nor_in_which_words(
    reporting: Reporting, lobby: Lobby, caplog: pytest.LogCaptureFixture
) -> None:
    post = await lobby.asked()
    caplog.set_level(logging.INFO)
    values = [dump(Report(post.session, 0, "typo"))]
    await reporting.submitted(lobby.request(BOB, GROUP), Report(post.session, 0), values, "private words")
    assert "question q0 of colours was reported: typo" in caplog.text
    assert "private words" not in caplog.text
    assert BOB.person not in caplog.text


async def test_nobody_is_thanked_for_what_could_not_be_kept(reporting: Reporting, lobby: Lobby) -> None:
    post = await lobby.asked()
    lobby.world.driver.broken = True
    with pytest.raises(StoreError):
        await press(reporting, lobby, Report(post.session, 0, "typo"))
    lobby.world.driver.broken = False
    assert await kept(lobby) == []
