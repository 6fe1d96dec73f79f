"""Where the console is shown and typed: as plain lines, or drawn. Knows blocks and lines, no card and no rule."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Sequence
from queue import SimpleQueue
from typing import Protocol, TextIO

from adapters.console.plain import paragraphs
from bot.core.quiz import Image
from bot.messages import Block

if sys.platform != "win32":
    import termios

LONGEST_LINE = 10_000
"""Characters taken as one line, whoever types them."""

MOST_ECHOED = 80


class Terminal(Protocol):
    """A screen and a keyboard, or files in their place. Printing raises OSError when nobody reads any more."""

    @property
    def scripted(self) -> bool:
        """Whether lines come from a script, so that nothing waits for somebody to have read."""
        ...

    def show(self, blocks: Sequence[Block], image: Image | None) -> None:
        """Print these blocks; without any, only end the line of a prompt."""
        ...

    def say(self, text: str) -> None:
        """Print a line."""
        ...

    async def ask(self, prompt: str) -> str | None:
        """The next line that is typed, None when there will be none. A line that comes after a cancellation is
        given to whoever asks next."""
        ...


class Lines:
    """Lines of a stream, read in a thread when they are asked for, so that the loop goes on meanwhile."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._wanted: SimpleQueue[None] = SimpleQueue()
        self._read: asyncio.Queue[str | None] = asyncio.Queue()
        self._under_way = False
        self._reader: threading.Thread | None = None

    @classmethod
    def of_standard_input(cls) -> Lines:
        # A stream of our own: the interpreter wants to close sys.stdin at its end, and cannot while a thread reads it.
        if sys.stdin is None:
            return cls(None)
        return cls(open(sys.stdin.fileno(), encoding=sys.stdin.encoding, errors="replace", closefd=False))

    async def next(self) -> str | None:
        """The next line without its end; None at the end of the stream."""
        if self._stream is None:
            return None
        if not self._under_way:
            self._under_way = True
            self._request(self._stream)
        line = await self._read.get()
        self._under_way = False
        if line is None:
            self._stream = None
        return line

    def forget(self) -> None:
        """Drop what is half typed at a terminal: it was meant for a card that is gone."""
        if sys.platform != "win32" and self._stream and self._stream.isatty():
            termios.tcflush(self._stream.fileno(), termios.TCIFLUSH)

    def _request(self, stream: TextIO) -> None:
        if self._reader is None:
            # A daemon, because nothing can interrupt a read from a terminal.
            loop = asyncio.get_running_loop()
            self._reader = threading.Thread(target=self._serve, args=(stream, loop), daemon=True, name="lines")
            self._reader.start()
        self._wanted.put(None)

    def _serve(self, stream: TextIO, loop: asyncio.AbstractEventLoop) -> None:
        while True:
            self._wanted.get()
            try:
                line = stream.readline(LONGEST_LINE)
            except OSError:
                line = ""
            try:
                loop.call_soon_threadsafe(self._read.put_nowait, line.rstrip("\r\n") if line else None)
            except RuntimeError:
                # The loop has ended meanwhile.
                return


class PlainTerminal:
    """Lines without colour or box, for scripts, pipes and logs."""

    scripted = True

    def __init__(self, lines: Lines, out: TextIO, *, echo: bool) -> None:
        """`echo` prints what was read, so that a transcript is complete."""
        self._lines = lines
        self._out = out
        self._echo = echo
        self._begun = False

    def show(self, blocks: Sequence[Block], image: Image | None) -> None:
        for paragraph in paragraphs(blocks, image):
            self.say(paragraph)

    def say(self, text: str) -> None:
        if not text and not self._begun:
            return
        self._begun = True
        self._out.write(f"{text}\n")
        self._out.flush()

    async def ask(self, prompt: str) -> str | None:  # noqa: ARG002  # a script needs none
        line = await self._lines.next()
        if line and line.strip() and self._echo:
            self.say(f"> {_printable(line)}")
        return line


def _printable(line: str) -> str:
    """What was read, as it may be printed: nothing that steers a terminal, and not without end."""
    shown = "".join(letter for letter in line.strip() if letter.isprintable())
    return shown if len(shown) <= MOST_ECHOED else f"{shown[:MOST_ECHOED]}…"
