"""Lines as they come from a keyboard, a file or nowhere; and what is printed."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator
from io import StringIO
from typing import TextIO

import pytest
from rich.console import Console

from adapters.console.drawing import DrawnTerminal
from adapters.console.terminal import LONGEST_LINE, Lines, PlainTerminal
from bot.messages import Block, Role


async def test_lines_come_one_by_one_without_their_ends_and_then_there_are_none() -> None:
    lines = Lines(StringIO("A\r\n\nB"))
    assert [await lines.next() for _ in range(5)] == ["A", "", "B", None, None]


async def test_without_an_input_there_are_no_lines() -> None:
    assert await Lines(None).next() is None


async def test_a_line_without_end_is_taken_in_parts() -> None:
    lines = Lines(StringIO("A" * (LONGEST_LINE + 1)))
    assert [len(await lines.next() or "") for _ in range(2)] == [LONGEST_LINE, 1]


class _Gone(StringIO):
    """The stream of a terminal that was closed."""

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]  # the stubs mix up bytes and text
        raise OSError(5, "Input/output error")


async def test_a_terminal_that_was_closed_is_the_end_of_input() -> None:
    assert await Lines(_Gone()).next() is None


@pytest.fixture
def keyboard() -> Iterator[tuple[int, TextIO]]:
    """A pseudo terminal: what is written to the first is typed into the second."""
    pty = pytest.importorskip("pty")
    keys, end = pty.openpty()
    with os.fdopen(end, encoding="utf-8") as stream:
        yield keys, stream
    os.close(keys)


async def test_a_line_that_comes_after_nobody_waits_any_more_is_given_to_whoever_asks_next(
    keyboard: tuple[int, TextIO],
) -> None:
    keys, stream = keyboard
    lines = Lines(stream)
    waiting = asyncio.create_task(lines.next())
    await asyncio.sleep(0)
    waiting.cancel()
    os.write(keys, b"B\n")
    assert await lines.next() == "B"


async def test_what_was_half_typed_for_a_card_that_is_gone_does_not_answer_the_next(
    keyboard: tuple[int, TextIO],
) -> None:
    keys, stream = keyboard
    lines = Lines(stream)
    os.write(keys, b"B")
    os.read(keys, 1)  # the echo: it has arrived
    lines.forget()
    os.write(keys, b"\n")
    assert await lines.next() == ""


async def test_what_was_read_is_echoed_without_what_steers_a_terminal() -> None:
    out = StringIO()
    terminal = PlainTerminal(Lines(StringIO("\x1b[2JA\n\n" + "b" * 500)), out, echo=True)
    assert [len(await terminal.ask("") or "") for _ in range(3)] == [5, 0, 500]
    assert out.getvalue() == f"> [2JA\n> {'b' * 80}…\n"


async def test_nothing_is_echoed_for_somebody_who_types() -> None:
    out = StringIO()
    await PlainTerminal(Lines(StringIO("A\n")), out, echo=False).ask("")
    assert out.getvalue() == ""


def test_a_window_that_was_made_narrower_is_drawn_narrower(monkeypatch: pytest.MonkeyPatch) -> None:
    out = StringIO()
    terminal = DrawnTerminal(Lines(None), Console(file=out, color_system=None, _environ={"TERM": "xterm"}))
    for width in (120, 40):
        monkeypatch.setattr(os, "get_terminal_size", lambda *_, width=width: os.terminal_size((width, 25)))
        terminal.show([Block(Role.TITLE, "Rivers")], None)
    frames = [len(line) for line in out.getvalue().splitlines() if line.startswith(("╭", "╰"))]
    assert frames == [100, 100, 40, 40]


def test_no_drawn_line_ends_in_blanks() -> None:
    out = StringIO()
    terminal = DrawnTerminal(Lines(None), Console(file=out, width=40, force_terminal=True, highlight=False))
    said = [(Role.VERDICT, ""), (Role.NOTE, "A"), (Role.EXPLANATION, ""), (Role.STANDING, "1."), (Role.LINE, "")]
    terminal.show([Block(role, "It is so. " * 9, lead=lead) for role, lead in said], None)
    terminal.show([Block(Role.PROGRESS, "Question 1"), Block(Role.STEM, "Why?\n\nWhy not?")], None)
    terminal.say("words " * 12)
    printed = re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue())
    assert "It is so." in printed
    assert [line for line in printed.splitlines() if line != line.rstrip()] == []


async def test_a_prompt_that_is_too_long_for_a_line_breaks_between_words() -> None:
    out = StringIO()
    prompt = "You have an unfinished quiz: question 2 of 8, 1 answered. Go on? [Y/n]"
    await DrawnTerminal(Lines(StringIO("y\n")), Console(file=out, width=30, highlight=False)).ask(prompt)
    assert " ".join(out.getvalue().split()) == prompt
    assert max(map(len, out.getvalue().splitlines())) <= 30
    assert out.getvalue().endswith("[Y/n] ")
