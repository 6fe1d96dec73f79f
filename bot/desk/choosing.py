"""What a chat or a person can choose for good: settings, a time zone, and the language one is answered in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot import present, words
from bot.core.session import Feedback, Pace
from bot.desk.asking import Answer, Request, Show
from bot.desk.preferring import Preferred
from bot.desk.zoning import zone_of
from bot.messages import Card
from bot.ports import place_of
from bot.preferences import Reminders, Starters
from bot.present.zones import known, named
from bot.running import Service

FLAGS: Mapping[str, bool] = {"0": False, "1": True}
SWITCHES = frozenset({"speed_bonus", "thread", "hidden", "everywhere"})
PERSONAL = frozenset({"reminders", "hidden", "everywhere", "zone"})
"""What a person can choose wherever they are; in private it stands among the settings."""


class Choosing:
    """Shows what can be chosen, and keeps it."""

    def __init__(self, service: Service, preferred: Preferred) -> None:
        self._service = service
        self._preferred = preferred

    # Settings

    async def settings(self, request: Request, zone: str = "") -> Answer:
        """The settings of this chat, to those who may change them; with the name of a time zone, that one holds."""
        if not await self._may_configure(request):
            return await self._may_not(request)
        await self._preferred.meet(request)
        if zone.strip():
            return await self._in_zone(request, zone)
        return await self._shown(request, Show.ASIDE)

    async def _in_zone(self, request: Request, wanted: str) -> Answer:
        language, zone = await self._preferred.personal(request), named(wanted)
        if zone is None:
            return Answer(present.no_such_zone(language, wanted))
        await self._preferred.choose(place_of(request.chat), "zone", zone)
        return Answer(present.zone_from_now(language, zone, self._service.clock.now()))

    async def _may_configure(self, request: Request) -> bool:
        return request.private or await request.is_moderator()

    async def _may_not(self, request: Request) -> Answer:
        return Answer(present.may_not_configure(await self._preferred.personal(request)))

    async def _shown(self, request: Request, show: Show) -> Answer:
        card = present.settings(
            await self._preferred.of(place_of(request.chat)),
            await self._preferred.common(request),
            now=self._service.clock.now(),
            private=request.private,
            threads=request.open_thread is not None,
            zone=await self._zone(request),
        )
        return Answer(card, show)

    async def _zone(self, request: Request) -> str | None:
        return await zone_of(request, self._preferred, self._service.store)

    async def choose(self, request: Request, name: str, value: str) -> Answer:
        """Change one setting of this chat."""
        if not possible(name, value, private=request.private, threads=request.open_thread is not None):
            return Answer(present.unreadable(await self._preferred.personal(request)))
        if not await self._may_configure(request):
            return await self._may_not(request)
        await self._preferred.choose(place_of(request.chat), name, FLAGS[value] if name in SWITCHES else value)
        # Said as well, for the card may have to wait where much is going on.
        note = await self._chosen(request, name, value)
        return replace(await self._shown(request, Show.INSTEAD), note=note)

    async def zones(self, request: Request, page: int) -> Answer:
        """The time zones that this chat, or in private this person, can choose from."""
        if not await self._may_configure(request):
            return await self._may_not(request)
        language, now = await self._preferred.common(request), self._service.clock.now()
        card = present.time_zones(language, await self._zone(request), now, page, private=request.private)
        return Answer(card, Show.INSTEAD)

    # What is one's own

    async def personal(self, request: Request, name: str, value: str) -> Answer:
        """Change one setting of this person."""
        if name not in PERSONAL or not possible(name, value, private=True, threads=False):
            return Answer(present.unreadable(await self._preferred.personal(request)))
        if not request.private and request.by.person == place_of(request.chat):
            return Answer(present.as_oneself(await self._preferred.personal(request)))
        await self._preferred.choose(request.by.person, name, FLAGS[value] if name in SWITCHES else value)
        return Answer(await self._chosen(request, name, value))

    async def _chosen(self, request: Request, name: str, value: str) -> Card:
        """What to say to whoever has chosen this."""
        language = await self._preferred.personal(request)
        match name:
            case "hidden":
                return present.hidden_from_now(language, hidden=FLAGS[value])
            case "everywhere":
                own = await self._preferred.of(request.by.person)
                return present.joined_from_now(language, joined=FLAGS[value], hidden=bool(own.hidden))
            case "reminders":
                zone = await self._service.store.zone(request.by.person)
                return present.reminded_from_now(language, Reminders(value), zone)
            case "zone":
                return present.zone_from_now(language, value, self._service.clock.now())
            case _:
                return present.changed(language)

    # Languages

    async def languages(self, request: Request, show: Show = Show.ASIDE) -> Answer:
        """The languages that this person can be answered in."""
        own = await self._preferred.of(request.by.person)
        language = await self._preferred.personal(request)
        return Answer(present.languages(own, request.locale, language), show)

    async def speak(self, request: Request, tag: str) -> Answer:
        """From now on answer this person in that language; without one, in that of their app."""
        if tag and tag not in words.languages():
            return Answer(present.unreadable(await self._preferred.personal(request)))
        await self._preferred.choose(request.by.person, "language", tag or None)
        said = present.spoken_from_now(await self._preferred.personal(request))
        if request.private:
            return replace(await self.languages(request, Show.INSTEAD), note=said)
        return Answer(said)


def possible(name: str, value: str, *, private: bool, threads: bool) -> bool:
    """Whether the setting `name` of a chat, which is `private` or can have `threads`, can be `value`: buttons may be
    old, and are not to be trusted."""
    match name:
        case "language":
            return value in words.languages()
        case "pace":
            return value in set(Pace)
        case "feedback":
            return value in set(Feedback)
        case "starters":
            return not private and value in set(Starters)
        case "speed_bonus":
            return value in FLAGS
        case "thread":
            return threads and value in FLAGS
        case "zone":
            return value in known()
        case "reminders":
            return private and value in set(Reminders)
        case "hidden" | "everywhere":
            return private and value in FLAGS
        case _:
            return False
