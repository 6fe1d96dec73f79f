"""Lists to select from: one entry is a button that is pressed, several are options of one question."""

from __future__ import annotations

import pytest

from bot import present
from bot.core.effects import Noted, Reason, Selected, Told, Verdict
from bot.desk import Show
from bot.presses import Browse, Choose, Next, Page, Pick, Prefer, Press, Select, Send, Speak, Toggle
from tests.desk.lobby import ANN, BOB, GROUP, MIA, OTHER, Lobby, aside, presses, silent


def toggles(session: str, *options: int) -> list[Press]:
    return [Toggle(session, 0, option) for option in options]


@pytest.mark.parametrize("options", [(0,), (2, 0), (0, 1, 2), (1, 3), (3, 2, 1, 0)])
async def test_all_that_is_selected_at_once_is_the_selection(lobby: Lobby, options: tuple[int, ...]) -> None:
    question = await lobby.asked(quiz="several")
    for _ in range(2):
        answer = await lobby.select(BOB, *toggles(question.session, *options))
        assert answer.card == present.reply(Selected(question.drawn, tuple(sorted(options))), None, "en")
        assert aside(answer)
    assert await lobby.world.responses() == []


async def test_a_selection_takes_the_place_of_the_one_before_and_is_sent_once(lobby: Lobby) -> None:
    question = await lobby.asked(quiz="several")
    for options in ((1, 3), (1,), (0, 2)):
        await lobby.select(BOB, *toggles(question.session, *options))
    verdict = await lobby.press(BOB, Send(question.session, 0))
    expected = Verdict(question.drawn, (0, 2), right=True, points=100, quiz=lobby.digest("several"))
    assert verdict.card == present.reply(expected, lobby.world.library.quiz(lobby.digest("several")), "en")
    late = await lobby.select(BOB, *toggles(question.session, 1))
    assert late.card == present.reply(Noted(question.drawn, (0, 2), again=True), None, "en")
    assert len(await lobby.world.responses()) == 1


async def test_a_selection_is_whoevers_it_is_alone_and_single_options_can_be_added_to_it(lobby: Lobby) -> None:
    question = await lobby.asked(quiz="several")
    await lobby.select(BOB, *toggles(question.session, 0, 1))
    await lobby.select(MIA, *toggles(question.session, 3))
    answer = await lobby.press(BOB, Toggle(question.session, 0, 2))
    assert answer.card == present.reply(Selected(question.drawn, (0, 1, 2)), None, "en")


async def test_one_entry_is_what_its_button_is(lobby: Lobby) -> None:
    question = await lobby.asked()
    answer = await lobby.select(BOB, Choose(question.session, 0, 0))
    expected = Verdict(question.drawn, (0,), right=True, points=100, quiz=question_quiz(lobby))
    assert answer.card == present.reply(expected, lobby.world.library.quiz(question_quiz(lobby)), "en")
    assert (await lobby.select(BOB, Page(0))).show is Show.INSTEAD
    assert Pick("colours") in presses(await lobby.select(BOB, Browse()))
    assert aside(await lobby.select(BOB, Speak("bg")))
    assert (await lobby.select(MIA, Prefer("pace", "brisk"))).show is Show.INSTEAD
    assert silent(await lobby.select(ANN, Pick("several"), chat=OTHER))
    assert await lobby.running(OTHER)


def question_quiz(lobby: Lobby) -> str:
    return lobby.digest("colours")


async def test_a_selection_as_the_data_of_one_button_is_the_same(lobby: Lobby) -> None:
    question = await lobby.asked(quiz="several")
    for answer in (
        await lobby.press(BOB, Select(question.session, 0, (2, 0))),
        await lobby.select(MIA, Select(question.session, 0, (2, 0))),
    ):
        assert answer.card == present.reply(Selected(question.drawn, (0, 2)), None, "en")


async def test_what_means_nothing_together_is_met_with_a_kind_line_and_changes_nothing(lobby: Lobby) -> None:
    question = await lobby.asked(quiz="several")
    session = question.session
    lobby.locales = {BOB.person: "ro"}
    before = await lobby.everything()
    mixtures: list[list[Press | str]] = [
        [],
        [Toggle(session, 0, 0), Toggle(session, 1, 1)],
        [Toggle(session, 0, 0), Toggle("other", 0, 1)],
        [Toggle(session, 0, 0), Choose(session, 0, 1)],
        [Toggle(session, 0, 0), Send(session, 0)],
        [Choose(session, 0, 0), Choose(session, 0, 1)],
        [Pick("colours"), Pick("several")],
        [Next(session, 0), Toggle(session, 0, 0)],
        [Toggle(session, 0, 0), "1:t:s"],
        ["🎉"],
        ["x" * 10_000],
        ["", ""],
    ]
    for mixture in mixtures:
        answer = await lobby.select(BOB, *mixture)
        assert answer.card == present.unreadable("ro")
        assert aside(answer)
    assert await lobby.everything() == before


async def test_made_up_options_and_foreign_questions_are_refused(lobby: Lobby) -> None:
    question = await lobby.asked(quiz="several")
    invalid, other = (present.reply(Told(reason), None, "en") for reason in (Reason.INVALID, Reason.OTHER_SESSION))
    assert (await lobby.select(BOB, *toggles(question.session, 0, 4))).card == invalid
    assert (await lobby.select(BOB, *toggles(question.session, *range(26)))).card == invalid
    assert (await lobby.select(BOB, *toggles(question.session, 0, 1), chat=OTHER)).card == other
    assert (await lobby.select(BOB, Toggle(question.session, 1, 0), Toggle(question.session, 1, 1))).card == invalid
    plain = await lobby.asked(OTHER)
    assert (await lobby.select(BOB, *toggles(plain.session, 0, 1), chat=OTHER)).card == invalid
    assert await lobby.world.responses() == []
    assert await lobby.running(GROUP)
