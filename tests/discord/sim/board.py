"""What stands in the channels of the simulated Discord, and what the bot has asked of it. Changes nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from simcord.builders import ChannelHandle
from simcord.env import Env

from tests.discord.sim.seen import Seen

if TYPE_CHECKING:
    from tests.discord.sim.people import Person


@dataclass
class Board:
    """Looks at the channel that it is at, `here`, if no other is named."""

    env: Env
    here: ChannelHandle = field(init=False)

    def messages(self, at: ChannelHandle | None = None) -> list[Seen]:
        """Of the bot, oldest first."""
        stored = self.env.backend.messages.get((at or self.here).id, {})
        bot = self.env.backend.bot_user.id
        return [
            Seen(self.env, stored[number])
            for number in sorted(stored)
            if stored[number].author_id == bot and not stored[number].system_metadata
        ]

    def public(self, at: ChannelHandle | None = None) -> list[Seen]:
        """Those that everyone sees."""
        return [seen for seen in self.messages(at) if not seen.ephemeral]

    def last(self, at: ChannelHandle | None = None) -> Seen:
        """The newest of those."""
        return self.public(at)[-1]

    def with_button(self, label: str, at: ChannelHandle | None = None, viewer: Person | None = None) -> Seen:
        """The newest with such a button."""
        seen = viewer.sees(at) if viewer else self.public(at)
        return next(each for each in reversed(seen) if each.has(label))

    def with_list(self, at: ChannelHandle | None = None, viewer: Person | None = None) -> Seen:
        """The newest with a list to choose from."""
        seen = viewer.sees(at) if viewer else self.public(at)
        return next(each for each in reversed(seen) if each.selects)

    def question(self, at: ChannelHandle | None = None) -> Seen:
        """The open question."""
        return next(seen for seen in reversed(self.public(at)) if "A" in seen.buttons or seen.selects)

    def key(self, question: Seen) -> str:
        """The letter of the right option of a plain quiz, whose text ends in 0."""
        found = re.search(r"^([A-J])\. q\d+ 0\b", question.text, re.MULTILINE)
        assert found, question.text
        return found[1]

    def requests(self, method: str, path: str) -> list[Any]:
        """The bodies of the requests of this kind, path as a regular expression, oldest first."""
        return [each.json for each in self.env.http_requests if each.method == method and re.search(path, each.path)]
