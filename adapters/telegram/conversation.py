"""Takes updates one by one: what is asked goes to the desk, and what the desk says is shown. Decides nothing itself.

`take` returns when what an update means is durable, for only then is it confirmed. Showing goes on by itself: it is
best effort, and a slow one holds up nobody.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, assert_never

from telegram import Bot, InlineQueryResultArticle, InputTextMessageContent
from telegram.constants import ParseMode
from telegram.error import TelegramError

from adapters.crowding import Crowd
from adapters.lanes import Lanes
from adapters.telegram import chats
from adapters.telegram.chats import PLATFORM
from adapters.telegram.events import (
    Asked,
    Asker,
    Commanded,
    Joined,
    Lost,
    Migrated,
    Pressed,
    PressedElsewhere,
    Searched,
    understood,
)
from adapters.telegram.moderators import Moderators
from adapters.telegram.render import popup, rendered
from adapters.telegram.strikes import Seldom
from adapters.telegram.transport import NO_PREVIEW, TelegramTransport
from bot import metrics
from bot.commands import known
from bot.desk import Answer, Desk, Request, Show
from bot.desk.settling import settled
from bot.engine import StoppingError
from bot.ports import Clock, StoreError
from bot.remembering import Remembered

log = logging.getLogger(__name__)

MOST_FOUND = 50
"""Results that Telegram takes for one search."""

SEARCH_KEPT = 300
"""Seconds that Telegram may show somebody what they searched for without asking again."""

MOST_REMEMBERED = 1000
"""Updates: Telegram brings none again that so many others have followed."""


class Conversation:
    """What people ask the bot called `username`, and what they are answered."""

    def __init__(self, bot: Bot, username: str, transport: TelegramTransport, desk: Desk, clock: Clock) -> None:
        self._bot = bot
        self._username = username
        self._transport = transport
        self._desk = desk
        self._clock = clock
        self._lanes = Lanes()
        self._crowd = Crowd()
        self._seldom = Seldom(clock)
        self._moderators = Moderators(bot, clock)
        self._showing: set[asyncio.Task[object]] = set()
        # By number: when an update came first, as long as it has to come again; and those that will not be missed.
        self._arrived: Remembered[object, datetime] = Remembered(MOST_REMEMBERED)
        self._done: Remembered[object, None] = Remembered(MOST_REMEMBERED)

    async def take(self, raw: Mapping[str, Any]) -> None:
        """Let what one update means happen. Raises StoreError or StoppingError when it has to come again."""
        number = raw.get("update_id")
        if number in self._done:
            return
        # A press is judged by when it was made, however often it takes to store it.
        asked = self._understood(raw, self._arrived.setdefault(number, self._clock.now()))
        try:
            await self._let_in(asked)
        except (StoreError, StoppingError):
            raise
        except Exception:
            # Coming again would not help it.
            log.exception("update %s could not be handled and is passed over", number)
            self._apologise(asked)
        self._done[number] = None
        self._arrived.pop(number, None)

    def _understood(self, raw: Mapping[str, Any], arrived: datetime) -> Asked | None:
        try:
            return understood(raw, self._bot, self._username, arrived)
        except Exception:
            log.exception("update %s cannot be read and is passed over", raw.get("update_id"))
            return None

    def _apologise(self, asked: Asked | None) -> None:
        """Nobody is left with a button that spins, or without an answer."""
        match asked:
            case Pressed(asker, query):
                self._show(self._transport.answer(query, popup(self._desk.sorry(asker.locale), private=False)), asked)
            case Commanded(asker):
                self._show(self._answer_command(asker, Answer(self._desk.sorry(asker.locale))), asked)

    async def _let_in(self, asked: Asked | None) -> None:
        """Let it happen, unless too much of whoever asks is under way: a flood has to pass over its own."""
        way = _way(asked)
        if way is None:
            await self._take(asked)
        elif self._crowd.has_room(way):
            with self._crowd.inside(way):
                await self._take(asked)
        else:
            self._turn_away(asked, way)

    def _turn_away(self, asked: Asked | None, way: str) -> None:
        """Whoever has pressed is told. Whoever has commanded has all the answers before them still to come."""
        if self._seldom():
            log.warning("somebody asks for more at once than anybody means; it is passed over")
        if isinstance(asked, Pressed) and self._crowd.has_time(way):
            said = popup(self._desk.too_much(asked.asker.locale), private=False)
            self._show(self._transport.answer(asked.query, said), asked)

    async def _take(self, asked: Asked | None) -> None:
        match asked:
            case None:
                return
            case Commanded():
                await self._command(asked)
            case Pressed():
                await self._lanes.shared(chats.name(asked.asker.place))
                answer = await self._desk.press(self._request(asked.asker), asked.data)
                self._show(self._answer_press(asked, answer), asked)
            case PressedElsewhere(query):
                self._show(self._transport.answer(query, None))
            case Searched():
                self._show(self._answer_search(asked), asked)
            case Joined():
                await self._in_turn(asked, self._desk.joined)
            case Lost(chat):
                await self._desk.lost(chats.name(chats.Place(chat)))
            case Migrated(old, new):
                await self._desk.moved(chats.name(chats.Place(old)), chats.name(chats.Place(new)))
            case _:
                assert_never(asked)

    async def finish(self) -> None:
        """Return when everything has been shown."""
        while self._showing:
            await asyncio.wait(self._showing)

    def abandon(self) -> None:
        """Show nothing more."""
        for task in self._showing:
            task.cancel()

    def _show(self, showing: Coroutine[Any, Any, object], asked: Asked | None = None) -> None:
        """Show it, in a task of its own, that counts as part of what was asked."""
        task = asyncio.create_task(showing)
        self._showing.add(task)
        task.add_done_callback(self._shown)
        if way := _way(asked):
            self._crowd.enter(way)
            task.add_done_callback(lambda _: self._crowd.leave(way))

    def _shown(self, task: asyncio.Task[object]) -> None:
        self._showing.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("an answer could not be shown", exc_info=error)

    def _request(self, asker: Asker) -> Request:
        async def is_moderator() -> bool:
            if asker.by.moderator or asker.user is None:
                return asker.by.moderator
            return await self._moderators.include(asker.place.chat, asker.user)

        return Request(
            chats.name(asker.place), asker.by, asker.key, asker.at, asker.private, asker.locale, is_moderator
        )

    # Commands

    async def _command(self, asked: Commanded) -> None:
        if not asked.addressed and not known(asked.name):
            return  # another bot's
        if asked.asker.is_unknown:
            self._show(self._answer_command(asked.asker, Answer(self._desk.unknown(asked.asker.locale))), asked)
            return
        await self._in_turn(asked, lambda request: self._desk.command(request, asked.name, asked.argument))

    async def _in_turn(self, asked: Commanded | Joined, ask: Callable[[Request], Awaitable[Answer]]) -> None:
        """Ask while nobody else in the chat commands anything. Presses wait too, but for no other service."""
        request = self._request(asked.asker)

        async def is_moderator() -> bool:
            with self._lanes.aside(request.chat):
                return await request.is_moderator()

        async with self._lanes.exclusive(request.chat):
            answer = await ask(replace(request, is_moderator=is_moderator))
        self._show(self._answer_command(asked.asker, answer), asked)

    async def _answer_command(self, asker: Asker, answer: Answer) -> None:
        answer = await settled(answer, self._clock)
        if answer.card is None:
            return
        written = asker.message if asker.message and not asker.private else None
        about = chats.message_of(answer.about) if answer.about else written
        if await self._transport.say(asker.place, answer.card, about, answer.attachment):
            metrics.acknowledged(PLATFORM, self._clock.now() - asker.at)

    # Buttons

    async def _answer_press(self, asked: Pressed, answer: Answer) -> None:
        asker, card = asked.asker, answer.card
        aside = card if answer.show is Show.ASIDE else answer.note
        shown = popup(aside, private=asker.private) if aside and not answer.attachment else None
        if await self._transport.answer(asked.query, shown, answer.opens):
            metrics.acknowledged(PLATFORM, self._clock.now() - asker.at)
        if card and (answer.show is Show.HERE or answer.attachment):
            await self._transport.say(asker.place, card, None, answer.attachment)
        elif card and answer.show is Show.INSTEAD and asked.offered:
            await self._transport.replace(asker.place, asker.message, card)
        if answer.served and asked.offered:
            await self._transport.discard(asker.place, asker.message)

    # Sharing

    async def _answer_search(self, asked: Searched) -> None:
        results = []
        language = await self._desk.spoken(asked.person, asked.locale)
        for found in self._desk.shared(asked.text, language, MOST_FOUND):
            shown = rendered(found.card)
            content = InputTextMessageContent(shown.text, ParseMode.HTML, link_preview_options=NO_PREVIEW)
            article = InlineQueryResultArticle(
                found.slug, found.title, content, reply_markup=shown.keyboard, description=found.description
            )
            results.append(article)
        try:
            await self._bot.answer_inline_query(asked.query, results, cache_time=SEARCH_KEPT, is_personal=True)
        except TelegramError as error:
            log.info("a search could not be answered: %s", error)


def _way(asked: Asked | None) -> str | None:
    """Who asks, and in which way: where answers to commands wait for room in a full chat, presses go on. None: it is
    nobody who could ask for much."""
    match asked:
        case Commanded(asker) | Joined(asker):
            return f"command {asker.by.person}"
        case Pressed(asker):
            return f"press {asker.by.person}"
        case Searched(person):
            return f"search {person}"
        case _:
            return None
