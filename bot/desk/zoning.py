"""Which time zone holds where somebody asks something. Knows no clock."""

from __future__ import annotations

from bot.desk.asking import Request
from bot.desk.preferring import Preferred
from bot.ports import Store, place_of


async def zone_of(request: Request, preferred: Preferred, store: Store) -> str | None:
    """The zone of a chat by its IANA name; in private that of the person, else of the chat they answered in last. None
    where nothing is known."""
    chosen = await preferred.of(request.by.person if request.private else place_of(request.chat))
    if chosen.zone or not request.private:
        return chosen.zone
    return await store.zone(request.by.person)
