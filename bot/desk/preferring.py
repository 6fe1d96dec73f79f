"""What people and chats have chosen, as whoever answers a press needs it: at once, and in which language."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot import words
from bot.desk.asking import Request
from bot.ports import Clock, Store, StoreError, place_of
from bot.preferences import Preferences
from bot.remembering import Remembered

log = logging.getLogger(__name__)

FRESH = timedelta(minutes=1)
"""How long a choice is believed without looking again, where no other process can have changed it."""

FRESH_AMONG_OTHERS = timedelta(seconds=3)
"""The same while others serve: somebody who has changed it on one may press on another next."""

MOST_REMEMBERED = 10_000


@dataclass(slots=True)
class _Gathering:
    """Those who will be looked up together when `reading` begins."""

    reading: asyncio.Task[Mapping[str, Preferences]]
    wanted: set[str] = field(default_factory=set)


class Preferred:
    """Reads choices from the store and remembers them for a while, for a press should not have to wait for them."""

    def __init__(self, store: Store, clock: Clock, alone: Callable[[], bool] = lambda: True) -> None:
        """`alone`: whether no other process serves from the store."""
        self._store = store
        self._clock = clock
        self._alone = alone
        # Each with when it was read.
        self._remembered: Remembered[str, tuple[datetime, Preferences]] = Remembered(MOST_REMEMBERED)
        self._gathering: _Gathering | None = None
        self._changes = 0

    async def of(self, id_: str) -> Preferences:
        """What this chat or person has chosen."""
        known = self._remembered.get(id_)
        fresh = FRESH if self._alone() else FRESH_AMONG_OTHERS
        if known and timedelta(0) <= self._clock.now() - known[0] < fresh:
            return known[1]
        if self._gathering is None:
            self._gathering = _Gathering(asyncio.create_task(self._read()))
        self._gathering.wanted.add(id_)
        return (await asyncio.shield(self._gathering.reading))[id_]

    async def _read(self) -> Mapping[str, Preferences]:
        """What everybody has chosen who asks in the same instant, be it fifty who press at once."""
        await asyncio.sleep(0)
        wanted, self._gathering = self._gathering.wanted if self._gathering else set(), None
        before, now = self._changes, self._clock.now()
        found = await self._store.preferences(wanted)
        if self._changes == before:  # else it is perhaps from before a choice that was kept meanwhile
            self._remembered.update({id_: (now, chosen) for id_, chosen in found.items()})
        return found

    async def choose(self, id_: str, name: str, value: str | bool | None) -> None:
        """Keep a choice; see `Store.prefer`."""
        await self._store.prefer(id_, name, value)
        self.forget(id_)

    def forget(self, *ids: str) -> None:
        """Look again when one of these is asked for next."""
        self._changes += 1
        for id_ in ids:
            self._remembered.pop(id_, None)

    async def own(self, person: str, locale: str | None) -> str | None:
        """The language that this person has chosen, else that of their app, if there is a catalogue for it."""
        return words.match((await self._if_readable(person)).language) or words.match(locale)

    async def personal(self, request: Request) -> str:
        """The language to answer this person in: own choice, else that of their app, else the chat's, else English."""
        own = await self.own(request.by.person, request.locale)
        if own or request.private:
            return own or words.SOURCE
        return words.match((await self._if_readable(place_of(request.chat))).spoken) or words.SOURCE

    async def _if_readable(self, id_: str) -> Preferences:
        """What is to be said is stored already: better said in another language than not at all."""
        try:
            return await self.of(id_)
        except StoreError:
            log.exception("nobody can tell what %s has chosen", id_)
            return Preferences()

    async def common(self, request: Request) -> str:
        """The language of the chat; in private, that of the person."""
        if request.private:
            return await self.personal(request)
        return _common(await self.of(place_of(request.chat)), request)

    async def left_behind(self, request: Request) -> str:
        """The language of what takes the place of the message whose button was pressed: the chat's where all see it."""
        if not request.public or request.private:
            return await self.personal(request)
        return _common(await self._if_readable(place_of(request.chat)), request)

    async def meet(self, request: Request) -> None:
        """Keep what the platform says of the language here: a group's is that of whoever came first."""
        place, locale = place_of(request.chat), words.match(request.locale)
        known = await self.of(place)
        if locale != known.locale if request.private else locale and known.spoken is None:
            await self.choose(place, "locale", locale)


def _common(chosen: Preferences, request: Request) -> str:
    """The language of a group that has `chosen` this: until one is known there, that of whoever asks."""
    return words.match(chosen.spoken) or words.match(request.locale) or words.SOURCE
