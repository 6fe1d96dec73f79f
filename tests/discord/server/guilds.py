"""A guild: its members, channels and threads, with or without the bot. Knows no route."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from discord import Permissions

from tests.discord.server.channels import Kind
from tests.discord.server.errors import Json
from tests.discord.server.permissions import EVERYONE, bits_of
from tests.discord.server.places import GuildChannel, Thread

if TYPE_CHECKING:
    from tests.discord.server.people import Person
    from tests.discord.server.world import World

_LISTS = (
    "emojis",
    "features",
    "guild_scheduled_events",
    "presences",
    "soundboard_sounds",
    "stage_instances",
    "stickers",
    "voice_states",
)
_NOTHING = (
    "afk_channel_id",
    "banner",
    "description",
    "discovery_splash",
    "icon",
    "public_updates_channel_id",
    "rules_channel_id",
    "splash",
    "vanity_url_code",
)
_NUMBERS = (
    "default_message_notifications",
    "explicit_content_filter",
    "mfa_level",
    "nsfw_level",
    "premium_subscription_count",
    "premium_tier",
    "system_channel_flags",
    "verification_level",
)


class Guild:
    """`everyone` is what all may do, `extra` what the bot may besides."""

    def __init__(self, world: World, name: str, *, bot: bool, locale: str) -> None:
        self.world = world
        self.id = world.next_guild_id()
        self.name = name
        self.locale = locale
        self.has_bot = bot
        self.everyone = EVERYONE
        self.extra = Permissions.none()
        self.members: dict[str, Person] = {}
        self.nicks: dict[str, str] = {}
        self.system_channel: GuildChannel | None = None
        self.channels: list[GuildChannel] = []
        self.threads: list[Thread] = []
        self._granted: dict[str, int] = {}
        self._role = world.snowflakes.next()

    def channel(self, name: str = "quiz", kind: Kind = Kind.TEXT) -> GuildChannel:
        """A new channel."""
        made = GuildChannel(self, name, kind)
        self.channels.append(made)
        self.tell("CHANNEL_CREATE", made.json())
        return made

    def join(self, *people: Person) -> None:
        self.members |= {person.id: person for person in people}

    def grant(self, person: Person, *names: str) -> None:
        """Let a member do what these names of `discord.Permissions` say, everywhere in the guild."""
        self._granted[person.id] = self._granted.get(person.id, 0) | bits_of(names)

    def permissions_of(self, person: Person) -> Permissions:
        return Permissions(self.everyone.value | self._granted.get(person.id, 0))

    def restrict(self, *names: str) -> None:
        """Take this from everybody, the bot as well."""
        self.everyone = Permissions(self.everyone.value & ~bits_of(names))
        self._tell_roles()

    def entrust(self, *names: str) -> None:
        """Give the bot's role this."""
        self.extra = Permissions(self.extra.value | bits_of(names))
        self._tell_roles()

    def _tell_roles(self) -> None:
        for role in self._roles():
            self.tell("GUILD_ROLE_UPDATE", {"guild_id": self.id, "role": role})

    @property
    def bot_permissions(self) -> Permissions:
        """Without the overwrites of channels."""
        return Permissions(self.everyone.value | self.extra.value)

    def invite_bot(self) -> None:
        """Somebody adds the bot."""
        self.has_bot = True
        self.tell("GUILD_CREATE", self.json())

    def remove_bot(self) -> None:
        """Somebody throws the bot out."""
        self.tell("GUILD_DELETE", {"id": self.id})
        self.has_bot = False

    def fail(self) -> None:
        """An outage: the guild is not there for a while."""
        self.tell("GUILD_DELETE", {"id": self.id, "unavailable": True})

    def recover(self) -> None:
        self.tell("GUILD_CREATE", self.json())

    def tell(self, event: str, data: Json) -> None:
        """An event to the shard that has this guild, if the bot is in it."""
        if self.has_bot:
            self.world.gateway.tell(event, data, guild=self.id)

    # As the API tells it

    def json(self) -> Json:
        told: Json = {"id": self.id, "name": self.name, "owner_id": self._owner(), "preferred_locale": self.locale}
        told |= {name: [] for name in _LISTS} | dict.fromkeys(_NOTHING) | dict.fromkeys(_NUMBERS, 0)
        told |= {"large": False, "unavailable": False, "afk_timeout": 300, "member_count": len(self.members) + 1}
        told |= {"system_channel_id": self.system_channel and self.system_channel.id}
        told |= {"joined_at": self.world.since, "roles": self._roles(), "members": [self._bot_member()]}
        told["channels"] = [channel.json() for channel in self.channels]
        told["threads"] = [thread.json() for thread in self.threads if thread.is_seen and not thread.archived]
        return told

    def member_json(self, person: Person) -> Json:
        """A member without permissions, which stand in interactions."""
        return self._member(person.json(), self.nicks.get(person.id), [])

    def _member(self, user: Json, nick: str | None, roles: list[str]) -> Json:
        told: Json = {"user": user, "roles": roles, "nick": nick, "avatar": None, "joined_at": self.world.since}
        return told | {"deaf": False, "mute": False, "flags": 0, "pending": False, "premium_since": None}

    def _bot_member(self) -> Json:
        return self._member(self.world.bot, None, [self._role])

    def _owner(self) -> str:
        return next(iter(self.members), self.world.owner["id"])

    def _roles(self) -> Iterable[Json]:
        return [self._role_json(self.id, "@everyone", self.everyone), self._role_json(self._role, "bot", self.extra)]

    def _role_json(self, id: str, name: str, permissions: Permissions) -> Json:  # noqa: A002 - its name in the API
        told: Json = {"id": id, "name": name, "permissions": str(permissions.value), "position": int(name == "bot")}
        told |= {"color": 0, "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None}}
        return told | {"hoist": False, "managed": name == "bot", "mentionable": False, "flags": 0}
