"""Statistics: one's own in private, those of a chat for its moderators, and how far everybody is with the quizzes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from bot.charts import Chart
from bot.core.session import Actor
from bot.desk import Answer, Show
from bot.desk.preferring import Preferred
from bot.desk.replying import Replying
from bot.desk.sessions import Sessions
from bot.desk.telling import Telling
from bot.drawing import Pictures
from bot.presses import Browse, Choose, Page, Pick, Practise, Report, ShowReports, ShowStats
from bot.reports import Reason
from tests.desk.lobby import (
    ANN,
    BOB,
    COLOURS,
    GROUP,
    MIA,
    OTHER,
    QUIZZES,
    TOPIC,
    Lobby,
    aside,
    card_of,
    links,
    open_lobby,
    presses,
    said,
    titled,
)

RIGHT, WRONG = 0, 1
HOME = ANN.person
"""The private chat of Ann."""


@dataclass
class Painter:
    """Makes a picture of everything at once, or fails."""

    charts: list[Chart] = field(default_factory=list)
    fails: bool = False

    def __call__(self, chart: Chart) -> bytes:
        self.charts.append(chart)
        if self.fails:
            raise RuntimeError("no ink")
        return b"a picture"


@dataclass
class Office:
    """The lobby, and what tells statistics there, with a painter that needs no time."""

    lobby: Lobby
    painter: Painter
    telling: Telling

    async def own(self, by: Actor = ANN) -> Answer:
        return await self.telling.statistics(self.lobby.request(by, by.person))


@pytest.fixture
def office(lobby: Lobby) -> Office:
    return _office(lobby)


def _office(lobby: Lobby) -> Office:
    preferred = Preferred(lobby.service.store, lobby.service.clock)
    sessions = Sessions(lobby.service, preferred, Replying(lobby.service, lobby.signposts, preferred))
    painter = Painter()
    # Nothing here depends on how fast somebody paints.
    pictures = Pictures(painter, patience=60)
    return Office(
        lobby, painter, Telling(replace(lobby.service, pictures=pictures), preferred, lobby.signposts, sessions)
    )


async def played(lobby: Lobby, *choices: int, by: Actor = ANN, chat: str = GROUP, quiz: str = "colours") -> str:
    """`by` starts a quiz and answers as many questions with these options, as they are written; then they stop it."""
    await lobby.asked(chat, by, quiz)
    session = await lobby.session(chat)
    for at, choice in enumerate(choices):
        while (await lobby.session(chat)).at < at:
            await lobby.command(by, "/next", chat)
            await lobby.world.settle()
        await lobby.press(by, Choose(session.id, at, choice), chat)
        await lobby.world.settle()
    if await lobby.running(chat):
        await lobby.command(by, "/stop", chat)
        await lobby.world.settle()
    return session.id


# One's own


async def test_who_has_not_answered_anything_is_told_how_to_begin(office: Office) -> None:
    answer = await office.own()
    assert "have not answered a question yet" in said(answer)
    assert presses(answer) == [Browse()]
    assert answer.attachment is None
    assert not office.painter.charts


async def test_what_was_answered_in_a_group_counts_as_soon_as_the_quiz_is_over(office: Office) -> None:
    await played(office.lobby, RIGHT, RIGHT, WRONG)
    answer = await office.own()
    assert "So far 3 answers, 2 right (67%)." in said(answer)
    assert "Colours" in said(answer)
    assert "To be reviewed: 1" in said(answer)
    assert Practise() in presses(answer)


async def test_a_running_quiz_tells_nothing_yet(office: Office) -> None:
    await office.lobby.asked()
    session = await office.lobby.session()
    await office.lobby.press(ANN, Choose(session.id, 0, WRONG))
    assert "have not answered a question yet" in said(await office.own())


async def test_answers_of_others_are_not_mine(office: Office) -> None:
    await played(office.lobby, RIGHT, by=BOB)
    assert "have not answered a question yet" in said(await office.own(ANN))
    assert "So far 1 answer" in said(await office.own(BOB))


async def test_the_picture_goes_with_the_words_to_this_person_alone(office: Office) -> None:
    await played(office.lobby, RIGHT, WRONG)
    answer = await office.own()
    assert answer.attachment
    assert (answer.attachment.name, answer.attachment.data) == ("progress.png", b"a picture")
    assert answer.attachment.is_picture
    assert "today: 1 of 2" in answer.attachment.alt
    assert answer.show is Show.ASIDE
    assert office.painter.charts[0].panels[0].bars[-1].counts == (1, 1)


async def test_without_a_picture_the_words_are_said_for_good(office: Office) -> None:
    """Aside, a platform may show them in a window that goes by itself."""
    office.painter.fails = True
    await played(office.lobby, RIGHT)
    answer = await office.own()
    assert "So far 1 answer" in said(answer)
    assert answer.attachment is None
    assert answer.show is Show.HERE


async def test_words_and_picture_are_in_the_language_of_the_person(office: Office) -> None:
    await played(office.lobby, RIGHT)
    office.lobby.locales[ANN.person] = "bg-BG"
    answer = await office.own()
    assert "Досега: 1 отговор" in said(answer)
    assert answer.attachment
    assert "днес: 1 от 1" in answer.attachment.alt
    assert office.painter.charts[0].panels[0].parts[0].name == "верни"


async def test_days_are_those_of_the_persons_time_zone(office: Office) -> None:
    """At noon UTC it is one in the morning in Auckland: still the evening of the same learner's day."""
    store = office.lobby.world.store
    await store.prefer(ANN.person, "zone", "Pacific/Auckland")
    await played(office.lobby, RIGHT)
    assert office.painter.charts == []
    await office.own()
    assert office.painter.charts[-1].panels[0].bars[-1].counts == (1, 0)
    office.lobby.world.clock.advance(3 * 3600 + 1)  # past four in the morning there
    await office.own()
    assert [bar.counts for bar in office.painter.charts[-1].panels[0].bars[-2:]] == [(1, 0), (0, 0)]


async def test_reminders_that_are_on_can_be_stopped(office: Office) -> None:
    await office.lobby.world.store.prefer(ANN.person, "reminders", "evening")
    await played(office.lobby, RIGHT)
    answer = await office.own()
    assert "In the evening I tell you" in said(answer)
    assert "No more reminders" in {button.label for button in card_of(answer).all_buttons}


async def test_statistics_outlive_a_restart(tmp_path: Path) -> None:
    async with open_lobby(tmp_path / "quizbot.db") as lobby:
        await played(lobby, RIGHT, WRONG)
    async with open_lobby(tmp_path / "quizbot.db", clock=lobby.world.clock) as lobby:
        assert "So far 2 answers, 1 right" in said(await _office(lobby).own())


async def test_a_quiz_that_is_no_longer_offered_is_counted_but_not_named(tmp_path: Path) -> None:
    async with open_lobby(tmp_path / "quizbot.db") as lobby:
        await played(lobby, RIGHT, WRONG)
        clock = lobby.world.clock
    async with open_lobby(tmp_path / "quizbot.db", quizzes=QUIZZES[1:], clock=clock) as lobby:
        answer = await _office(lobby).own()
        assert "questions no longer offered" in said(answer)
        assert "Colours" not in said(answer)
        assert "Nothing waits to be reviewed" in said(answer)


async def test_the_button_and_the_link_lead_there_too(lobby: Lobby) -> None:
    for answer in (
        await lobby.press(ANN, ShowStats(), HOME),
        await lobby.command(ANN, "/start stats", HOME),
        await lobby.command(ANN, "/stats", HOME),
    ):
        assert "have not answered a question yet" in said(answer)
        assert answer.show is Show.HERE


# A chat


@pytest.mark.parametrize("chat", [GROUP, TOPIC])
async def test_in_a_group_one_is_told_where_ones_own_are(lobby: Lobby, chat: str) -> None:
    await played(lobby, WRONG)
    answer = await lobby.command(ANN, "/stats", chat)
    assert "in a private chat" in aside(answer)
    assert links(card_of(answer)) == ["private:stats"]
    assert answer.opens == "private:stats"
    lobby.signposts.only_messages = True
    assert "send /stats there" in aside(await lobby.command(ANN, "/stats", chat))


async def test_moderators_are_told_what_was_missed_most_here_with_how_many_answered(lobby: Lobby) -> None:
    await lobby.asked()
    session = await lobby.session()
    for by, choice in ((ANN, WRONG), (BOB, WRONG), (MIA, RIGHT)):
        await lobby.press(by, Choose(session.id, 0, choice))
    await lobby.command(ANN, "/stop")
    await lobby.world.settle()
    answer = await lobby.command(MIA, "/stats")
    assert "q0?" in aside(answer)
    assert [block.tail for block in card_of(answer).blocks if block.tail] == ["Colours · 2 of 3 wrong"]
    assert presses(answer) == [ShowReports(0)]
    assert links(card_of(answer)) == ["private:stats"]


async def test_what_one_chat_misses_no_other_is_told_but_threads_belong_to_their_chat(lobby: Lobby) -> None:
    await played(lobby, WRONG, chat=TOPIC)
    for chat in (GROUP, TOPIC):
        assert "1 of 1 wrong" in str(card_of(await lobby.command(MIA, "/stats", chat)))
    assert "Nothing has been missed here yet" in said(await lobby.command(MIA, "/stats", OTHER))


async def test_moderators_are_only_looked_up_where_there_are_any(lobby: Lobby) -> None:
    await lobby.command(ANN, "/stats", HOME)
    assert lobby.lookups == []
    await lobby.command(ANN, "/stats", GROUP)
    assert lobby.lookups == ["Ann"]


# Reports


async def reported(lobby: Lobby, count: int = 1, chat: str = GROUP) -> None:
    """Ann reports these many questions of a quiz in the chat."""
    session = await played(lobby, *[RIGHT] * count, chat=chat)
    for at in range(count):
        await lobby.press(ANN, Report(session, at, Reason.UNCLEAR), chat)


async def test_moderators_see_what_was_reported_in_place_of_the_button(lobby: Lobby) -> None:
    await reported(lobby)
    answer = await lobby.press(MIA, ShowReports(0))
    assert answer.show is Show.INSTEAD
    assert "q0?" in said(answer)
    assert "The question is unclear" in said(answer)
    assert "Ann" not in str(answer.card)
    assert ANN.person not in str(answer.card)


async def test_what_everybody_would_see_is_said_to_the_moderator_alone(lobby: Lobby) -> None:
    await reported(lobby)
    lobby.public = True
    assert "q0?" in aside(await lobby.press(MIA, ShowReports(0)))


async def test_reports_of_one_chat_are_not_shown_in_another(lobby: Lobby) -> None:
    await reported(lobby, chat=TOPIC)
    assert "q0?" in said(await lobby.press(MIA, ShowReports(0), GROUP))
    assert "Nothing has been reported here" in said(await lobby.press(MIA, ShowReports(0), OTHER))


async def test_nobody_else_sees_reports_and_in_private_there_are_none(lobby: Lobby) -> None:
    await reported(lobby)
    assert "Only moderators" in aside(await lobby.press(BOB, ShowReports(0)))
    assert "moderators of a group" in aside(await lobby.press(MIA, ShowReports(0), MIA.person))


async def test_a_page_of_reports_that_is_not_there_is_the_last_there_is() -> None:
    many = replace(COLOURS, questions=tuple(replace(COLOURS.questions[0], id=f"q{number}") for number in range(7)))
    async with open_lobby(quizzes=[many]) as lobby:
        await reported(lobby, count=7)
        first = await lobby.press(MIA, ShowReports(0))
        assert presses(first) == [ShowReports(1)]
        last = await lobby.press(MIA, ShowReports(999))
        assert "Page 2 of 2" in said(last)
        assert presses(last) == [ShowReports(0)]
        assert "Nothing" not in said(last)


async def test_the_day_of_a_report_is_that_of_the_chats_time_zone(lobby: Lobby) -> None:
    await lobby.world.store.prefer(GROUP, "zone", "Pacific/Auckland")
    await reported(lobby)
    tails = [block.tail for block in card_of(await lobby.press(MIA, ShowReports(0))).blocks]
    assert "Mar 4, 2025" in tails, "noon of the 3rd in UTC"


async def test_a_reported_question_is_shown_as_it_was_although_its_quiz_is_gone(tmp_path: Path) -> None:
    async with open_lobby(tmp_path / "quizbot.db") as lobby:
        await reported(lobby)
        clock = lobby.world.clock
    async with open_lobby(tmp_path / "quizbot.db", quizzes=QUIZZES[1:], clock=clock, updates=1000) as lobby:
        assert "q0?" in said(await lobby.press(MIA, ShowReports(0)))


# Quizzes


def facts(answer: Answer) -> list[str]:
    """What is said of each quiz in a list."""
    return [block.tail for block in card_of(answer).blocks if block.lead]


NEW = ["3 questions", "4 questions", "2 questions"]


@pytest.mark.parametrize("chat", [GROUP, HOME])
async def test_of_quizzes_that_nobody_has_met_only_the_size_is_said(lobby: Lobby, chat: str) -> None:
    assert facts(await lobby.command(ANN, "/quizzes", chat)) == NEW


@pytest.mark.parametrize("command", ["/quizzes", "/quiz"])
async def test_in_private_the_list_says_how_far_one_is_with_each(lobby: Lobby, command: str) -> None:
    await played(lobby, RIGHT, WRONG, chat=GROUP)
    await lobby.service.studied()
    mine, his = [await lobby.command(by, command, by.person) for by in (ANN, BOB)]
    assert facts(mine) == ["3 questions · 2 of 3 met · 50% right · 1 due", *NEW[1:]]
    assert facts(his) == NEW


async def test_what_is_due_is_said_only_where_something_is(lobby: Lobby) -> None:
    await played(lobby, RIGHT, RIGHT)
    await lobby.service.studied()
    assert facts(await lobby.command(ANN, "/quizzes", HOME))[0] == "3 questions · 2 of 3 met · 100% right"


async def test_in_a_group_the_list_says_how_far_the_group_is(lobby: Lobby) -> None:
    await played(lobby, RIGHT, WRONG, chat=TOPIC)
    for chat in (GROUP, TOPIC):
        assert facts(await lobby.command(BOB, "/quizzes", chat)) == ["3 questions · 2 of 3 asked here", *NEW[1:]]
    assert facts(await lobby.command(BOB, "/quizzes", OTHER)) == NEW


async def test_turning_the_page_says_the_same_of_the_next_ones() -> None:
    many = [titled(f"quiz-{number:02}", f"Quiz {number}") for number in range(10)]
    async with open_lobby(quizzes=many) as lobby:
        await played(lobby, RIGHT, quiz="quiz-09")
        answer = await lobby.press(BOB, Page(1))
        assert answer.show is Show.INSTEAD
        assert facts(answer) == ["3 questions", "3 questions · 1 of 3 asked here"]
        again = await lobby.press(BOB, Browse())
        assert again.show is Show.HERE
        assert Pick("quiz-00") in presses(again)


async def test_the_list_is_there_also_when_nobody_can_read_how_far_somebody_is(
    lobby: Lobby, caplog: pytest.LogCaptureFixture
) -> None:
    await lobby.command(ANN, "/quizzes", HOME)  # what Ann has chosen is known from now on
    lobby.world.driver.unreadable = 1
    assert facts(await lobby.command(ANN, "/quizzes", HOME)) == NEW
    assert "nobody can tell how far" in caplog.text


async def test_what_one_reads_of_a_quiz_is_in_ones_own_language(lobby: Lobby) -> None:
    lobby.locales[ANN.person] = "ro"
    await played(lobby, RIGHT, chat=HOME)
    await lobby.service.studied()
    assert "1 din 3 întâlnite" in facts(await lobby.command(ANN, "/quizzes", HOME))[0]
