"""One's own data: what is stored, a copy of it, and its end. Keeps nothing, not even that somebody asked."""

from __future__ import annotations

import asyncio
import hashlib
import json
from datetime import datetime, timedelta

from bot import present
from bot.core.session import EPOCH
from bot.desk.asking import EXPORT_PAYLOAD, FORGET_PAYLOAD, Addresses, Answer, Request, Show
from bot.desk.preferring import Preferred
from bot.messages import Attachment
from bot.ports import place_of
from bot.presses import Forget
from bot.running import Service

FILE = "quizbot-data.json"
FORMAT = 1
"""The version of the form that a copy of one's data has."""

MOST_INDENTED = 4_000_000
"""Bytes of a copy that is written to be read; a platform may refuse what is much longer, so that comes packed."""

HOLDS = timedelta(hours=1)
"""How long the question whether to delete everything can be answered."""

_SECOND = timedelta(seconds=1)


class Owning:
    """Tells, hands out and deletes what is stored about a person."""

    def __init__(self, service: Service, preferred: Preferred, addresses: Addresses) -> None:
        self._service = service
        self._preferred = preferred
        self._addresses = addresses

    async def privacy(self, request: Request) -> Answer:
        """What is stored about this person."""
        return Answer(present.privacy(await self._preferred.personal(request), terminal=request.terminal))

    async def export(self, request: Request) -> Answer:
        """Everything about this person as a file, in private."""
        language = await self._preferred.personal(request)
        if not request.private:
            link = self._addresses.private(EXPORT_PAYLOAD)
            return Answer(present.export_in_private(language, link), opens=link)
        await self._service.studied()
        tables = await self._service.store.everything_about(request.by.person)
        if not any(tables.values()):
            return Answer(present.nothing_stored(language))
        # A copy can be long, and others are not to wait until it is written.
        data = await asyncio.to_thread(copy_of, request.by.person, tables, self._service.clock.now())
        file = Attachment(FILE, data, otherwise=present.not_exported(language))
        return Answer(present.exported(language), attachment=file)

    async def forget(self, request: Request, press: Forget | None = None) -> Answer:
        """Delete everything about this person, once they have said that they are sure."""
        language = await self._preferred.personal(request)
        if not request.private:
            link = self._addresses.private(FORGET_PAYLOAD)
            return Answer(present.forget_in_private(language, link), opens=link)
        if press is None:
            key = key_of(request.by.person, request.at)
            return Answer(present.forgetting(language, key, terminal=request.terminal))
        if not press.sure:
            return Answer(present.kept(language), Show.INSTEAD)
        if not holds(press.key, request.by.person, self._service.clock.now()):
            return Answer(present.asked_too_long_ago(language), Show.INSTEAD)
        await self._service.store.forget(request.by.person)
        self._preferred.forget(request.by.person, request.chat, place_of(request.chat))
        return Answer(present.forgotten(language, terminal=request.terminal), Show.INSTEAD)


def copy_of(person: str, tables: dict[str, list[dict[str, object]]], at: datetime) -> bytes:
    """All rows about a person, by table, as JSON in UTF-8."""
    copy = {"format": FORMAT, "made_at": at.isoformat().replace("+00:00", "Z"), "person": person, "tables": tables}
    data = json.dumps(copy, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
    if len(data) > MOST_INDENTED:
        return data
    return (json.dumps(copy, ensure_ascii=False, indent=2) + "\n").encode(errors="replace")


def key_of(person: str, at: datetime) -> str:
    """What names the asking of this person at this time: the same again for the same update, and nothing to store."""
    seconds = (at - EPOCH) // _SECOND
    seal = hashlib.blake2b(f"{person} {seconds}".encode(), digest_size=6).hexdigest()
    return f"{seconds:x}-{seal}"


def holds(key: str, person: str, now: datetime) -> bool:
    """Whether this person was asked so, less than an hour ago."""
    try:
        asked = EPOCH + int(key.partition("-")[0], 16) * _SECOND
    except (ValueError, OverflowError):
        return False
    # The clock of the platform that says when somebody asked can be a little ahead of ours.
    return abs(now - asked) < HOLDS and key == key_of(person, asked)
