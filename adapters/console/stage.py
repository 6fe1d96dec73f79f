"""The way out of the console: shows the cards of one chat, and of each only what its reader has not seen.

A terminal cannot edit what it has printed, and the outbox sends some posts again after a restart. So a card with the
same heading as the last one, or of the same question, is what became of that: only what is new in it is printed.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator

from adapters.console.reading import again, keys
from adapters.console.terminal import Terminal
from bot.messages import Block, Card, Role
from bot.ports import UnavailableError
from bot.presses import Choose, Next, Report, Toggle

HEADING = frozenset({Role.TITLE, Role.PROGRESS, Role.STEM})

SEEN = HEADING | {Role.OPTION}
"""What was read already, though it may look a little different now: a missed question makes practice longer."""


class Stage:
    """A transport with one screen. `card` is what a typed line is judged by; `over` when nothing more will come, but
    for `results` that are kept until everything else has been printed."""

    def __init__(self, terminal: Terminal, chat: str) -> None:
        self.card: Card | None = None
        self.over = False
        self.results: Card | None = None
        self.broken: OSError | None = None
        self.changed = asyncio.Event()
        self._free = asyncio.Event()
        self._free.set()
        self._terminal = terminal
        self._chat = chat
        self._awaited: str | None = None
        self._closed = False
        self._last: Card | None = None

    def expect(self, session: str) -> None:
        """Show nothing before a card of `session`: what may still come from an earlier one is of no interest."""
        self._awaited = session

    def begin(self, session: str) -> None:
        """Expect a session that is new: nothing shown so far has to do with it."""
        self.expect(session)
        self._last = self.card = None
        self.over = False

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Nothing comes from the outbox meanwhile: there is something to say first."""
        self._free.clear()
        try:
            yield
        finally:
            self._free.set()

    def close(self) -> None:
        """Show nothing more."""
        self._closed = True
        self.over = True

    def finish(self) -> None:
        """Print the results, which have waited to be read last: with feedback at the end the answers follow them."""
        if self.results and not self.broken:
            self._terminal.show(self.results.blocks, None)
            self.results = None

    async def send(self, chat: str, card: Card, nonce: str) -> str:
        await self._receive(chat, card)
        return nonce

    async def edit(
        self,
        chat: str,
        message: str,  # noqa: ARG002  # nothing printed can be edited
        card: Card,
        *,
        lazy: bool = False,  # noqa: ARG002
    ) -> None:
        await self._receive(chat, card)

    async def _receive(self, chat: str, card: Card) -> None:
        """Cards of other chats count as seen: whoever goes on there is shown where it stands."""
        await self._free.wait()
        if chat == self._chat:
            self.show(card)

    def show(self, card: Card) -> None:
        """Print what is new and let lines be judged by it."""
        if self._closed or not self._is_awaited(card) or self._is_outdated(card):
            return
        if again(card):
            self.results = card
            self.over = True
            self.changed.set()
            return
        last, fresh = self._last, card.blocks
        if last and _is_of_the_same(card, last):
            fresh = tuple(block for block in card.blocks if block not in last.blocks and block.role not in SEEN)
        self._print(fresh, card)
        if _heading(card):
            self._last = card
        if card.buttons or _heading(card):
            self.card = card if keys(card) else None  # reporting is for where there are buttons
        self.changed.set()

    def _is_awaited(self, card: Card) -> bool:
        if self._awaited and any(getattr(press, "session", None) == self._awaited for press in _presses(card)):
            self._awaited = None
        return self._awaited is None

    def _is_outdated(self, card: Card) -> bool:
        """Whether the card was overtaken, on its way, by one that is shown."""
        return 0 <= _step(card) < (_step(self._last) if self._last else -1)

    def _print(self, blocks: tuple[Block, ...], card: Card) -> None:
        try:
            self._terminal.show(blocks, card.image if blocks == card.blocks else None)
        except OSError as error:
            self.broken = error
            self.close()
            self.changed.set()
            raise UnavailableError("nobody reads what is printed") from error


def _presses(card: Card) -> list[object]:
    return [button.press for button in card.all_buttons]


def _is_of_the_same(card: Card, last: Card) -> bool:
    """Whether both cards are of one question, or else have one heading."""
    about, heading = _question(card), _heading(card)
    return bool(heading) and (heading == _heading(last) or (about is not None and about == _question(last)))


def _question(card: Card) -> tuple[str, int] | None:
    """The question that the card is of, as its buttons say it."""
    of = [press for press in _presses(card) if isinstance(press, Choose | Toggle | Report)]
    return (of[0].session, of[0].question) if of else None


def _heading(card: Card) -> tuple[Block, ...]:
    return tuple(block for block in card.blocks if block.role in HEADING)


def _step(card: Card) -> int:
    return next((press.step for press in _presses(card) if isinstance(press, Next)), -1)
