"""A message: what was sent, and what a reader sees of it. Knows no route."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from tests.discord.server import components
from tests.discord.server.components import Button, Select
from tests.discord.server.errors import Json
from tests.discord.server.markdown import read

if TYPE_CHECKING:
    from tests.discord.server.channels import Channel
    from tests.discord.server.people import Person

EPHEMERAL = 1 << 6
LOADING = 1 << 7
COMPONENTS = 1 << 15


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came with a request."""

    name: str
    content: bytes


@dataclass(slots=True, eq=False)
class Message:
    """What stands in a channel. `only_for` is the one person who sees it, `files` what is attached, by their ids;
    `edits` counts how often it was changed, `nonce` tells repetitions."""

    channel: Channel
    id: str
    author: Json
    at: datetime
    content: str = ""
    flags: int = 0
    nonce: str | None = None
    only_for: Person | None = None
    interaction: Json | None = None
    edited: datetime | None = None
    edits: int = 0
    deleted: bool = False
    components: Sequence[Json] = ()
    embeds: Sequence[Json] = ()
    files: dict[str, Upload] = field(default_factory=dict)

    # As a reader sees it

    @property
    def markdown(self) -> str:
        """All texts as they were sent, those of components one below the other."""
        embedded = [part for embed in self.embeds for part in (embed.get("title"), embed.get("description")) if part]
        return "\n".join(filter(None, [self.content, *embedded, *components.texts(self.components)]))

    @property
    def text(self) -> str:
        """All texts as they are read."""
        return read(self.markdown)

    @property
    def buttons(self) -> list[str]:
        """The labels of the buttons that can be pressed, in order."""
        return [button.label for button in components.buttons(self.components) if not button.disabled]

    @property
    def selects(self) -> list[Select]:
        return components.selects(self.components)

    @property
    def pictures(self) -> list[tuple[str, str]]:
        """File name and words of every picture shown."""
        shown = components.pictures(self.components)
        return [(address.rsplit("/", 1)[-1], words) for address, words in shown]

    @property
    def accent(self) -> int | None:
        """The colour at the side."""
        return next((part["accent_color"] for part in self.components if part.get("accent_color") is not None), None)

    @property
    def ephemeral(self) -> bool:
        return bool(self.flags & EPHEMERAL)

    def button(self, label: str) -> Button:
        """The button with this label or custom_id, or whose label begins with these words."""
        found = components.buttons(self.components)
        exact = [button for button in found if label in (button.label, button.custom_id)]
        chosen = exact or [button for button in found if components.begins(button.label, label)]
        assert chosen, f"no button {label!r} among {[button.label for button in found]} of:\n{self.text}"
        return chosen[0]

    # As the API tells it

    def json(self) -> Json:
        told: Json = {
            "id": self.id,
            "channel_id": self.channel.id,
            "type": 20 if self.interaction else 0,
            "author": self.author,
            "content": self.content,
            "timestamp": self.at.isoformat(),
            "edited_timestamp": self.edited and self.edited.isoformat(),
            "flags": self.flags,
            "components": copy.deepcopy(self.components),
            "embeds": self.embeds,
            "attachments": [self._attachment(number) for number in self.files],
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "pinned": False,
        }
        if self.nonce is not None:
            told["nonce"] = self.nonce
        if self.interaction:
            told |= {"interaction_metadata": self.interaction, "application_id": self.author["id"]}
        return told

    def address(self, number: str) -> str:
        """Where an attached file is said to be; nothing is served there."""
        return f"https://cdn.discordapp.com/attachments/{self.channel.id}/{number}/{self.files[number].name}"

    def _attachment(self, number: str) -> Json:
        file, address = self.files[number], self.address(number)
        return {"id": number, "filename": file.name, "size": len(file.content), "url": address, "proxy_url": address}
