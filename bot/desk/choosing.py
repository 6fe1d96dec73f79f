"""What a chat or a person can choose for good: the settings of a chat, and the language one is answered in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot import present, words
from bot.core.session import Feedback, Pace
from bot.desk.asking import Answer, Request, Show
from bot.desk.preferring import Preferred
from bot.ports import place_of
from bot.preferences import Starters

FLAGS: Mapping[str, bool] = {"0": False, "1": True}
SWITCHES = frozenset({"speed_bonus", "thread"})


class Choosing:
    """Shows what can be chosen, and keeps it."""

    def __init__(self, preferred: Preferred) -> None:
        self._preferred = preferred

    async def settings(self, request: Request, show: Show = Show.ASIDE) -> Answer:
        """The settings of this chat, to those who may change them."""
        if not (request.private or await request.is_moderator()):
            return Answer(present.may_not_configure(await self._preferred.personal(request)))
        await self._preferred.meet(request)
        return await self._shown(request, show)

    async def _shown(self, request: Request, show: Show) -> Answer:
        chosen = await self._preferred.of(place_of(request.chat))
        language = await self._preferred.common(request)
        threads = request.open_thread is not None
        return Answer(present.settings(chosen, language, private=request.private, threads=threads), show)

    async def choose(self, request: Request, name: str, value: str) -> Answer:
        """Change one setting of this chat."""
        if not possible(name, value, private=request.private, threads=request.open_thread is not None):
            return Answer(present.unreadable(await self._preferred.personal(request)))
        if not (request.private or await request.is_moderator()):
            return Answer(present.may_not_configure(await self._preferred.personal(request)))
        chosen = FLAGS[value] if name in SWITCHES else value
        await self._preferred.choose(place_of(request.chat), name, chosen)
        # Said as well, for the card may have to wait where much is going on.
        note = present.changed(await self._preferred.personal(request))
        return replace(await self._shown(request, Show.INSTEAD), note=note)

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
        case _:
            return False
