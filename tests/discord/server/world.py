"""Everything there is on this Discord: the bot's account, people, guilds, channels, commands. Speaks no HTTP."""

from __future__ import annotations

import itertools
from datetime import timedelta

from tests.discord.server.changes import Changes
from tests.discord.server.channels import Channel, Group
from tests.discord.server.commands import Command
from tests.discord.server.errors import Json
from tests.discord.server.gateway import Gateway
from tests.discord.server.guilds import Guild
from tests.discord.server.interactions import Interaction
from tests.discord.server.messages import Message
from tests.discord.server.people import Person
from tests.discord.server.snowflakes import Now, Snowflakes

_YEAR = timedelta(days=365)


class World:
    """What people and routes act on. `application` is what the API says of the bot otherwise than usual, `most_bytes`
    how large the files of a message may be."""

    def __init__(self, clock: Now, name: str) -> None:
        self.clock = clock
        self.snowflakes = Snowflakes(clock)
        self.changes = Changes()
        self.since = (clock.now() - _YEAR).isoformat()
        self.bot: Json = {"id": self.snowflakes.next(), "username": name, "discriminator": "0001", "bot": True}
        self.bot |= {"avatar": None, "global_name": None, "public_flags": 0, "verified": True, "flags": 0}
        self.owner: Json = {"id": self.snowflakes.next(), "username": "owner", "discriminator": "0"}
        self.owner |= {"avatar": None, "global_name": "Owner", "public_flags": 0}
        self.application: Json = {}
        self.most_bytes = 10 * 1024 * 1024
        self.people: list[Person] = []
        self.guilds: list[Guild] = []
        self.channels: dict[str, Channel] = {}
        self.messages: dict[str, Message] = {}
        self.interactions: dict[str, Interaction] = {}
        self.interactions_by_token: dict[str, Interaction] = {}
        self.commands: list[Command] = []
        self.gateway = Gateway(self)
        self._tokens = itertools.count(1)

    def person(self, name: str, locale: str) -> Person:
        made = Person(self, name, locale)
        self.people.append(made)
        return made

    def guild(self, name: str, *, bot: bool, locale: str) -> Guild:
        made = Guild(self, name, bot=bot, locale=locale)
        self.guilds.append(made)
        made.tell("GUILD_CREATE", made.json())
        return made

    def group(self, name: str, people: list[Person]) -> Group:
        return Group(self, name, people)

    def next_guild_id(self) -> str:
        """Each a millisecond after the one before, so that they go to shards in turn."""
        return self.snowflakes.next(self.clock.now() - _YEAR + timedelta(milliseconds=len(self.guilds)))

    def next_token(self) -> str:
        return f"interaction-token-{next(self._tokens)}"
