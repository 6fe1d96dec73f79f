"""The way out to Discord: sends and edits what `render` makes of cards. Knows no session, no rule and no wording.

What the outbox delivers goes through `send` and `edit`, which say by the errors of the ports what went wrong. What a
press may be answered with meets in `hold`.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from hashlib import blake2b
from pathlib import Path

import discord

from adapters.discord import chats
from adapters.discord.budget import Budget
from adapters.discord.chats import Place
from adapters.discord.errors import CANNOT_BE_WRITTEN_TO, FAILURES, code_of, is_ban, remedy
from adapters.discord.held import Held, Holds
from adapters.discord.looks import Form, Looks, form_of, looks_like
from adapters.discord.silence import Silence
from adapters.discord.writing import Writer
from adapters.places import Urgency
from adapters.sense import making_sense
from bot.messages import Card
from bot.ports import (
    ChatGoneError,
    Clock,
    DeliveryError,
    MessageGoneError,
    RefusedError,
    ThrottledError,
    UnavailableError,
)
from bot.remembering import Remembered

log = logging.getLogger(__name__)

OLD = timedelta(hours=1)
"""From this age on Discord lets a message be edited a few times only."""

UPLOAD = 30.0
"""Seconds that a picture may take on its way."""

MOST_REMEMBERED = 1000


_REFERENCE = re.compile(r"([1-9]\d{0,19})(p?)", re.ASCII)


class DiscordTransport:
    """The port `Transport` for one bot, and the direct ways to a place and to whoever pressed something."""

    def __init__(self, pictures: Path, clock: Clock) -> None:
        """`pictures` is the folder that the paths of pictures begin in."""
        self._looks = Looks(pictures, clock)
        self._clock = clock
        self._client: discord.Client | None = None
        self.workers: Callable[[], int] = lambda: 1
        """How many processes share what the bot may send."""
        self._budget = Budget(clock, lambda: self.workers())
        self._awaiting: Counter[str] = Counter()
        self._holds = Holds(clock, self.heed)
        self._silence = Silence(clock)
        self._unheard: Remembered[str, Card] = Remembered(MOST_REMEMBERED)
        self._delayed: Remembered[str, bool] = Remembered(MOST_REMEMBERED)
        """Pictures that did not get through at the first try, by the nonces of their posts."""

    @contextmanager
    def through(self, client: discord.Client) -> Iterator[None]:
        """Go out through this client, which is logged in, until this ends."""
        self._client = client
        try:
            yield
        finally:
            if self._client is client:
                self._client = None
                self._budget.close()

    # The port

    async def send(self, chat: str, card: Card, nonce: str) -> str:
        """Send a new message; its reference. Tried again with the same `nonce` within some minutes, it is still one."""
        place = _place(chat)
        nonce = _short(chat, nonce)
        try:
            with making_sense(discord.DiscordException):
                number, form = await self._send(place, card, nonce)
        except FAILURES as error:
            raise self._remedy(error, chat, card) or RefusedError(f"chat {chat}: {error}") from error
        return f"{number}{form.value}"

    async def edit(self, chat: str, message: str, card: Card, *, lazy: bool = False) -> None:
        """Make the message look like `card`; where a press on it is held, as the answer to that."""
        place = _place(chat)
        number, form = _reference(message)
        self._check()
        held = None if lazy else self._holds.oldest(number)
        if held and await held.use(self._looks.of(card, form)):
            return
        if self._clock.now() - discord.utils.snowflake_time(number) > OLD:
            if lazy:
                return
            raise MessageGoneError(f"chat {chat}: message {number} is too old to be edited")
        try:
            with making_sense(discord.DiscordException):
                await self._edit(place, number, form, card, Urgency.COUNTER if lazy else Urgency.EDIT)
        except FAILURES as error:
            if found := self._remedy(error, chat, card):
                raise found from error

    # The direct ways

    async def say(self, place: Place, card: Card) -> None:
        """Send a message, or note in the log why not."""
        chat = chats.name(place)
        try:
            await self._writer().send(place, self._looks.of(card, Form.TEXT), Urgency.REPLY)
        except (*FAILURES, DeliveryError) as error:
            log.warning("a message did not reach %s: %s", chat, self._remedy(error, chat, card))

    @contextmanager
    def awaiting(self, chat: str) -> Iterator[None]:
        """In here somebody waits whose answer may be the next edit in this chat: this process alone can give it."""
        self._awaiting[chat] += 1
        try:
            yield
        finally:
            self._awaiting[chat] -= 1
            if not self._awaiting[chat]:
                del self._awaiting[chat]

    def is_awaited(self, chat: str) -> bool:
        """Whether somebody waits for an edit in this chat."""
        return chat in self._awaiting

    def hold(self, interaction: discord.Interaction[discord.Client]) -> Held:
        """Let the next edit of its message be the answer to it, until it is taken or withdrawn."""
        return self._holds.hold(interaction)

    def unheard(self, person: str) -> Card | None:
        """The last that could not be said to a person in private; it is given away once."""
        return self._unheard.pop(person, None)

    @property
    def is_open(self) -> bool:
        """Whether anything can go out now."""
        return not (self._client is None or self._client.is_closed() or self._silence.lasts)

    def is_silenced(self) -> bool:
        """Whether nothing may go out to Discord, answers to interactions included."""
        return self._silence.lasts

    async def outlast_silence(self) -> None:
        """Return when something may go out again."""
        await self._silence.outlast()

    def listen(self, client: discord.Client) -> None:
        """Let silence hold for whatever this client asks Discord, be it by itself, and begin with what that meets. The
        answers to interactions go another way: who gives them asks and heeds."""
        self._silence.keep(client.http)

    def heed(self, error: Exception) -> None:
        """Fall silent if `error`, which a request of another met with, asks for it."""
        self._silence.heed(error)

    # How it is done

    def _check(self) -> discord.Client:
        """The way out. Raises the error of the port for what bars it."""
        self._silence.check()
        if self._client is None or self._client.is_closed():
            raise UnavailableError("there is no connection to Discord now")
        return self._client

    def _writer(self) -> Writer:
        return Writer(self._check(), self._budget)

    async def _send(self, place: Place, card: Card, nonce: str) -> tuple[int, Form]:
        message = await self._send_pictured(place, card, nonce) if card.image else None
        if message is None:
            message = await self._writer().send(place, self._looks.of(card, Form.TEXT), Urgency.SEND, nonce)
        self._holds.sent(message.channel.id, message.id)
        # It may be the one of an earlier try, which had more luck than we heard of.
        form = form_of(message)
        if not looks_like(message, self._looks.of(card, form)):
            await self._edit(place, message.id, form, card, Urgency.EDIT)
        return message.id, form

    async def _send_pictured(self, place: Place, card: Card, nonce: str) -> discord.Message | None:
        """Send the card with its picture; None when that cannot be shown here, which must not keep the question from
        being asked."""
        look = await self._looks.pictured(card)
        if look is None:
            return None
        try:
            async with asyncio.timeout(UPLOAD):
                return await self._writer().send(place, look, Urgency.SEND, nonce)
        except FAILURES as error:
            if not self._is_hopeless(error, place, nonce):
                raise
            log.warning("a picture goes in words: %s", remedy(error, chats.name(place)))
            return None

    def _is_hopeless(self, error: Exception, place: Place, nonce: str) -> bool:
        """Whether to do without the picture. A chat that seems gone may only not want pictures: its text will tell."""
        found = remedy(error, chats.name(place))
        if isinstance(found, UnavailableError):
            again = nonce in self._delayed
            self._delayed[nonce] = True
            return again
        return isinstance(found, RefusedError | ChatGoneError)

    async def _edit(self, place: Place, number: int, form: Form, card: Card, urgency: Urgency) -> None:
        """Edit a message; the file of a picture that it has lost comes with a second try."""
        try:
            await self._writer().edit(place, number, self._looks.of(card, form), urgency)
        except FAILURES as error:
            refused = isinstance(remedy(error, chats.name(place)), RefusedError)
            again = await self._looks.pictured(card) if refused and form is Form.PICTURE else None
            if again is None:
                raise
            await self._writer().edit(place, number, again, urgency)

    def _remedy(self, error: Exception, chat: str, card: Card) -> DeliveryError | None:
        if code_of(error) in CANNOT_BE_WRITTEN_TO:
            self._unheard[chat] = card
        self.heed(error)
        found = ThrottledError(self._silence.left) if is_ban(error) else remedy(error, chat)
        if isinstance(error, discord.Forbidden) and isinstance(found, UnavailableError):
            log.warning("Discord forbids what it may allow again, so that it is tried again: %s", found)
        return found


def _place(chat: str) -> Place:
    try:
        return chats.place(chat)
    except ValueError as error:
        raise RefusedError(str(error)) from error


def _reference(message: str) -> tuple[int, Form]:
    """The number of a message and what it is. Raises MessageGoneError for what no message of ours is called."""
    found = _REFERENCE.fullmatch(message)
    if found is None:
        raise MessageGoneError(f"{message!r} is no Discord message; a reference looks like 123 or 123p")
    return int(found[1]), Form(found[2])


def _short(chat: str, nonce: str) -> str:
    """The nonce as Discord takes it, at most 25 characters. It may well compare those of all chats."""
    return blake2b(f"{chat} {nonce}".encode(), digest_size=12).hexdigest()
