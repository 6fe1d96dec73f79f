"""The screen shows everything once: what outbox and adapter say twice, or too late, is not printed again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from adapters.console.stage import Stage
from bot.core.quiz import Image
from bot.messages import Block, Button, Card, Role
from bot.ports import UnavailableError
from bot.presses import Again, Choose, Next, Practise, Report
from tests.adapters.console.room import ANN, Desk

CHAT = ANN.chat("rivers")


def _asked(at: int, session: str = "now") -> Card:
    blocks = (Block(Role.PROGRESS, f"Question {at + 1}"), Block(Role.STEM, f"Stem {at}"), Block(Role.OPTION, "One"))
    return Card(blocks, ((Button("A", Choose(session, at, 0)),), (Button("Skip", Next(session, 2 * at)),)))


def _closed(at: int, session: str = "now") -> Card:
    option = Block(Role.OPTION, "One", tail="right")
    blocks = (*_asked(at).blocks[:2], option, Block(Role.VERDICT, f"Verdict {at}"))
    return Card(blocks, ((Button("Next", Next(session, 2 * at + 1)),),))


ENDED = Card((Block(Role.TITLE, "Results"),), ((Button("Again", Again("now")),),))


def _stage() -> tuple[Stage, Desk]:
    desk = Desk()
    stage = Stage(desk, CHAT)
    stage.expect("now")
    return stage, desk


async def test_a_question_sent_twice_is_printed_once() -> None:
    stage, desk = _stage()
    stage.show(_asked(0))
    await stage.send(CHAT, _asked(0), "1-q0")
    await stage.edit(CHAT, "1-q0", _asked(0))
    assert desk.screen.count("Stem 0") == 1


async def test_closing_prints_only_what_is_new() -> None:
    stage, desk = _stage()
    await stage.send(CHAT, _asked(0), "1-q0")
    desk.screen = ""
    await stage.edit(CHAT, "1-q0", _closed(0))
    assert desk.screen == "Verdict 0\n"


async def test_a_question_whose_session_has_become_longer_is_not_printed_again() -> None:
    stage, desk = _stage()
    await stage.send(CHAT, _asked(0), "1-q0")
    desk.screen = ""
    closed = _closed(0)
    longer = (Block(Role.PROGRESS, "Question 1 of more"), *closed.blocks[1:])
    buttons = (*closed.buttons[0], Button("Report", Report("now", 0)))
    await stage.edit(CHAT, "1-q0", Card(longer, (buttons,)))
    assert desk.screen == "Verdict 0\n"


async def test_the_same_question_later_in_the_session_is_printed_whole() -> None:
    stage, desk = _stage()
    await stage.send(CHAT, _asked(0), "1-q0")
    desk.screen = ""
    again = (Block(Role.PROGRESS, "Question 5"), *_asked(0).blocks[1:])
    await stage.send(CHAT, Card(again, _asked(4).buttons), "1-q4")
    assert desk.screen == "\nQuestion 5\nStem 0\nOne\n"


async def test_while_something_is_to_be_said_first_nothing_else_is_printed() -> None:
    stage, desk = _stage()
    with stage.held():
        sending = asyncio.create_task(stage.send(CHAT, _asked(0), "1-q0"))
        await asyncio.sleep(0)
        desk.say("First this.")
    await sending
    assert desk.screen.startswith("First this.\n\nQuestion 1")


async def test_the_end_of_practice_waits_to_be_read_last() -> None:
    stage, desk = _stage()
    await stage.send(CHAT, _asked(0), "1-q0")
    desk.screen = ""
    practised = Card((Block(Role.TITLE, "Results"),), ((Button("Keep practising", Practise()),),))
    await stage.send(CHAT, practised, "1-standings")
    assert (desk.screen, stage.over) == ("", True)
    stage.finish()
    assert "Results" in desk.screen


async def test_a_question_that_is_not_the_last_one_shown_is_printed_whole() -> None:
    stage, desk = _stage()
    await stage.send(CHAT, _asked(1), "2-q1")
    answered = Card(_closed(0).blocks)
    await stage.edit(CHAT, "1-q0", answered)
    assert desk.screen.endswith("\nQuestion 1\nStem 0\nOne — right\nVerdict 0\n")


async def test_nothing_of_an_earlier_session_is_printed() -> None:
    stage, desk = _stage()
    await stage.edit(CHAT, "0-q4", Card(_closed(4, "before").blocks))
    await stage.send(CHAT, Card((Block(Role.TITLE, "Results"),), ((Button("Again", Again("before")),),)), "0-standings")
    assert desk.screen == ""
    assert not stage.over
    await stage.send(CHAT, _asked(0), "1-q0")
    assert "Stem 0" in desk.screen


async def test_a_new_session_begins_at_its_first_question_however_far_the_last_one_was() -> None:
    stage, desk = _stage()
    await stage.send(CHAT, _asked(2), "1-q2")
    await stage.send(CHAT, ENDED, "2-standings")
    stage.begin("later")
    assert not stage.over
    await stage.edit(CHAT, "1-q2", Card(_closed(2).blocks))
    await stage.send(CHAT, _asked(0, "later"), "3-q0")
    assert "Verdict" not in desk.screen
    assert stage.card == _asked(0, "later")


async def test_a_card_that_comes_after_a_later_one_is_left_out() -> None:
    stage, desk = _stage()
    stage.show(_asked(2))
    await stage.edit(CHAT, "1-q1", _closed(1))
    assert "Verdict 1" not in desk.screen
    assert stage.card == _asked(2)


async def test_other_quizzes_of_the_same_person_do_not_come_between() -> None:
    stage, desk = _stage()
    assert await stage.send(ANN.chat("numbers"), _asked(0), "9-q0") == "9-q0"
    assert desk.screen == ""


async def test_the_results_come_last_of_all() -> None:
    stage, desk = _stage()
    await stage.send(CHAT, _asked(0), "1-q0")
    await stage.send(CHAT, ENDED, "2-standings")
    await stage.edit(CHAT, "1-q0", Card(_closed(0).blocks))
    assert stage.over
    assert "Results" not in desk.screen
    stage.finish()
    assert desk.screen.endswith("Verdict 0\n\nResults\n")


class _TornPaper(Desk):
    """A screen whose reader has left."""

    def show(self, blocks: Sequence[Block], image: Image | None) -> None:
        raise BrokenPipeError(32, "Broken pipe")


async def test_a_reader_who_has_left_ends_the_play_and_the_post_is_kept() -> None:
    stage = Stage(_TornPaper(), CHAT)
    with pytest.raises(UnavailableError):
        await stage.send(CHAT, _asked(0), "1-q0")
    assert stage.over
    assert isinstance(stage.broken, BrokenPipeError)
