"""Who may do what where, as Discord reckons it from roles and overwrites. Knows no route."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from discord import Permissions

from tests.discord.server.errors import Json

EVERYONE = Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    read_message_history=True,
    add_reactions=True,
    embed_links=True,
    attach_files=True,
    use_application_commands=True,
)
"""What a new guild lets everybody do, and the bot."""


@dataclass(slots=True)
class Overwrite:
    """What a channel allows and denies to everyone or to one member."""

    id: str
    of_member: bool
    allowed: int = 0
    denied: int = 0

    def set(self, names: Iterable[str], *, allowed: bool) -> None:
        bits = bits_of(names)
        self.allowed = self.allowed | bits if allowed else self.allowed & ~bits
        self.denied = self.denied & ~bits if allowed else self.denied | bits

    def json(self) -> Json:
        return {"id": self.id, "type": int(self.of_member), "allow": str(self.allowed), "deny": str(self.denied)}


def bits_of(names: Iterable[str]) -> int:
    return Permissions(**dict.fromkeys(names, True)).value


def effective(base: int, overwrites: Iterable[Overwrite]) -> Permissions:
    """The permissions in a channel; `overwrites` from the general to the special. Who does not see it may nothing."""
    if Permissions(base).administrator:
        return Permissions.all()
    for overwrite in overwrites:
        base = base & ~overwrite.denied | overwrite.allowed
    found = Permissions(base)
    return found if found.view_channel else Permissions.none()
