"""Channels of a guild and their threads, and what the bot may do there. Knows no route."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord import Permissions

from tests.discord.server.channels import Channel, Kind
from tests.discord.server.errors import (
    Json,
    archived_thread,
    locked_thread,
    missing_access,
    missing_permissions,
)
from tests.discord.server.messages import Message
from tests.discord.server.permissions import Overwrite, effective

if TYPE_CHECKING:
    from tests.discord.server.guilds import Guild
    from tests.discord.server.people import Person


class GuildChannel(Channel):
    """A channel of a guild, of kind TEXT, NEWS, VOICE or FORUM."""

    guild: Guild

    def __init__(self, guild: Guild, name: str, kind: Kind) -> None:
        super().__init__(guild.world, kind, name)
        self.guild = guild
        self.overwrites: dict[str, Overwrite] = {}

    def allow(self, who: Person | str, *names: str) -> None:
        """Allow `who` (a person, "bot" or "everyone") what these names of `discord.Permissions` say."""
        self._overwrite(who, names, allowed=True)

    def deny(self, who: Person | str, *names: str) -> None:
        self._overwrite(who, names, allowed=False)

    def _overwrite(self, who: Person | str, names: tuple[str, ...], *, allowed: bool) -> None:
        subject, of_member = self._subject(who)
        self.overwrites.setdefault(subject, Overwrite(subject, of_member)).set(names, allowed=allowed)
        self.guild.tell("CHANNEL_UPDATE", self.json())

    def _subject(self, who: Person | str) -> tuple[str, bool]:
        if isinstance(who, str):
            assert who in ("bot", "everyone"), f"{who!r} is neither a person nor 'bot' nor 'everyone'"
            return (self.world.bot["id"], True) if who == "bot" else (self.guild.id, False)
        return who.id, True

    def _permissions(self, base: int, subject: str) -> Permissions:
        return effective(base, [self.overwrites[id] for id in (self.guild.id, subject) if id in self.overwrites])  # noqa: A001

    def app_permissions(self) -> Permissions:
        if not self.guild.has_bot:
            return effective(self.guild.everyone.value, self.overwrites.values())
        return self._permissions(self.guild.bot_permissions.value, self.world.bot["id"])

    def permissions_of(self, person: Person) -> Permissions:
        return self._permissions(self.guild.permissions_of(person).value, person.id)

    def check_reachable(self) -> None:
        super().check_reachable()
        if not self.guild.has_bot or not self.app_permissions().view_channel:
            raise missing_access()

    def check_writable(self, *, files: bool) -> None:
        self.check_reachable()
        if self.kind is Kind.FORUM:
            raise missing_permissions()
        self._check_permission("send_messages", files=files)

    def _check_permission(self, name: str, *, files: bool) -> None:
        held = self.app_permissions()
        if not getattr(held, name) or (files and not held.attach_files):
            raise missing_permissions()

    def thread(self, name: str, *, by_bot: bool = False, private: bool = False) -> Thread:
        """A new thread, in which the bot is not if it is `private`; a post where this is a forum."""
        made = Thread(self, name, by_bot=by_bot, private=private)
        self.guild.threads.append(made)
        made.tell("THREAD_CREATE", newly_created=True)
        return made

    def delete(self) -> None:
        """Somebody deletes the channel, and its threads with it."""
        self.deleted = True
        for thread in [thread for thread in self.guild.threads if thread.parent is self]:
            thread.deleted = True
            self.guild.threads.remove(thread)
        self.guild.channels.remove(self)
        self.guild.tell("CHANNEL_DELETE", self.json())

    def json(self) -> Json:
        own: Json = {"guild_id": self.guild.id, "position": 0, "parent_id": None, "nsfw": False, "topic": None}
        own |= {"rate_limit_per_user": 0, "permission_overwrites": [each.json() for each in self.overwrites.values()]}
        own |= {"bitrate": 64000, "user_limit": 0} if self.kind is Kind.VOICE else {}
        own |= {"available_tags": [], "default_auto_archive_duration": 1440} if self.kind is Kind.FORUM else {}
        return super().json() | own


class Thread(GuildChannel):
    """A thread of a channel, or a post in a forum. It has its parent's overwrites. In a private one the bot sees
    nothing until it is brought in, unless it manages threads."""

    def __init__(self, parent: GuildChannel, name: str, *, by_bot: bool, private: bool = False) -> None:
        super().__init__(parent.guild, name, Kind.PRIVATE_THREAD if private else Kind.THREAD)
        self.parent = parent
        self.has_bot = by_bot
        self.overwrites = parent.overwrites
        self.archived = False
        self.locked = False
        self.duration = 1440
        self.owner = self.world.bot["id"] if by_bot else self.guild.id

    def change(self, *, archived: bool | None = None, locked: bool | None = None, name: str | None = None) -> None:
        """Archive or lock it, take that back, or call it otherwise."""
        self.archived = self.archived if archived is None else archived
        self.locked = self.locked if locked is None else locked
        self.name = name or self.name
        self.tell("THREAD_UPDATE")

    def bring_bot(self) -> None:
        """Somebody who is in it mentions the bot."""
        self.has_bot = True
        self.tell("THREAD_CREATE")

    def tell(self, event: str, **more: object) -> None:
        """Tell the bot what happened, if it can see it."""
        if self.is_seen:
            self.guild.tell(event, self.json() | more)

    @property
    def is_seen(self) -> bool:
        """Whether the bot knows of it."""
        return self.kind is Kind.THREAD or self.has_bot or self.app_permissions().manage_threads

    def delete(self) -> None:
        self.deleted = True
        self.guild.threads.remove(self)
        told = {"id": self.id, "guild_id": self.guild.id, "parent_id": self.parent.id, "type": self.kind}
        self.guild.tell("THREAD_DELETE", told)

    def check_reachable(self) -> None:
        super().check_reachable()
        if not self.is_seen:
            raise missing_access()

    def check_writable(self, *, files: bool) -> None:
        self.check_reachable()
        self._check_permission("send_messages_in_threads", files=files)
        if self.locked and not self.app_permissions().manage_threads:
            raise locked_thread()

    def check_editable(self) -> None:
        self.check_reachable()
        if self.archived:
            raise archived_thread()

    def add(self, message: Message) -> Message:
        if self.archived:
            self.change(archived=False)
        return super().add(message)

    def json(self) -> Json:
        archived = {"archived": self.archived, "locked": self.locked, "auto_archive_duration": self.duration}
        told: dict[str, Any] = {"parent_id": self.parent.id, "owner_id": self.owner, "message_count": len(self.history)}
        told |= {"member_count": 1, "thread_metadata": archived | {"archive_timestamp": self._since()}}
        told |= {"member": {"join_timestamp": self._since(), "flags": 0}} if self.has_bot else {}
        return super().json() | told

    def _since(self) -> str:
        return self.world.clock.now().isoformat()
