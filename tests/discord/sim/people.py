"""People on the simulated Discord, who type, press, choose and fill in forms. They know nothing of the bot inside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simcord.actors import MemberActor
from simcord.builders import ChannelHandle, GuildHandle, UserHandle
from simcord.enums import InteractionType
from simcord.results import InteractionResult

from tests.discord.sim import outside
from tests.discord.sim.outside import Json
from tests.discord.sim.seen import Said, Seen

if TYPE_CHECKING:
    from tests.discord.sim.stage import Stage


class Person:
    """Somebody with an account, and a language that their app is in. Whatever they do, they do in the channel that the
    stage is at, if nothing else is said."""

    def __init__(self, stage: Stage, user: UserHandle, locale: str) -> None:
        self.stage = stage
        self.user = user
        self.locale = locale
        self.members: dict[int, MemberActor] = {}

    @property
    def id(self) -> int:
        return self.user.id

    @property
    def name(self) -> str:
        return self.user.global_name or self.user.name

    @property
    def direct(self) -> ChannelHandle:
        """Their private messages with the bot."""
        return self.user.dm_channel

    def member(self, guild: GuildHandle) -> MemberActor:
        return self.members[guild.id]

    def join(self, guild: GuildHandle, **options: Any) -> MemberActor:
        self.members[guild.id] = guild.add_member(self.user, **options)
        return self.members[guild.id]

    def _as(self, at: ChannelHandle) -> Any:
        return self.user if at.guild is None else self.member(at.guild)

    # Commands

    async def slash(self, name: str, /, *, at: ChannelHandle | None = None, **options: Any) -> Said:
        """Send a slash command."""
        at = at or self.stage.here
        where = () if at.guild is None else (at,)
        return await self._does(self._as(at).slash(*where, name, **options))

    async def types(self, typed: str, *, at: ChannelHandle | None = None) -> list[str]:
        """Type this after /quiz; the titles that are offered."""
        return [choice["name"] for choice in await self.offered(typed, at=at)]

    async def offered(self, typed: str, *, at: ChannelHandle | None = None) -> list[dict[str, Any]]:
        """The same with what stands for each title."""
        at = at or self.stage.here
        where = () if at.guild is None else (at,)
        found: list[dict[str, Any]] = await self.stage.happens(self._as(at).autocomplete(*where, "quiz", "quiz", typed))
        return found

    async def score(self, other: Person, *, at: ChannelHandle | None = None) -> Said:
        """Choose “Quiz score” in the menu of somebody."""
        at = at or self.stage.here
        assert at.guild is not None
        return await self._does(self.member(at.guild).context_menu(at, "Quiz score", other.member(at.guild)))

    async def report(self, message: Seen, *, at: ChannelHandle | None = None) -> Said:
        """Choose “Report question” in the menu of a message."""
        at = at or self.stage.here
        assert at.guild is not None
        return await self._does(self.member(at.guild).context_menu(at, "Report question", message.handle))

    # Components and forms

    async def press(self, label: str, on: Seen | None = None, *, at: ChannelHandle | None = None) -> Said:
        """Press a button of this message, or of the newest with such a button."""
        at = at or self.stage.here
        message = on or self.stage.with_button(label, at, self)
        actor = self._as(at)
        return await self._does(actor.click(message.handle, custom_id=message.button(label).custom_id))

    async def choose(self, *labels: str, on: Seen | None = None, at: ChannelHandle | None = None) -> Said:
        """Choose from the list of this message, or of the newest that has one, by the beginnings of its entries."""
        at = at or self.stage.here
        message = on or self.stage.with_list(at, self)
        (select,) = message.selects
        values = select.values(labels)
        return await self._does(self._as(at).select(message.handle, values, custom_id=select.custom_id))

    async def fill_in(self, said: Said, **filled: str) -> Said:
        """Send the form, with this in its fields; the others stay as they are."""
        return await self.send_form(said, filled)

    async def send_form(self, said: Said, filled: dict[str, str], *, at: ChannelHandle | None = None) -> Said:
        """The same where the labels of the fields are more than a word, or in another place."""
        return await self._does(self._as(at or self.stage.here).submit_modal(said.result, said.values(filled)))

    async def answer(self, *, right: bool, at: ChannelHandle | None = None) -> Said:
        """Press the key of the open question of a plain quiz, or else the next letter."""
        at = at or self.stage.here
        question = self.stage.question(at)
        letters = [label for label in question.buttons if len(label) == 1]
        key = letters.index(self.stage.key(question))
        return await self.press(letters[key if right else (key + 1) % len(letters)], question, at=at)

    # What their app would not let them do

    async def forge_press(self, data: str, on: Seen, at: ChannelHandle | None = None) -> Said:
        """Press a button with this data, whether or not the message has it."""
        return await self.forge(InteractionType.MESSAGE_COMPONENT, outside.pressed(data), at, on)

    async def forge_command(
        self, name: str, at: ChannelHandle | None = None, *, otherwise: Json | None = None, **options: str
    ) -> Said:
        """Send a command, whether or not it is listed for them."""
        data = outside.command(self.stage.env, name, **options)
        return await self.forge(InteractionType.APPLICATION_COMMAND, data, at, otherwise=otherwise)

    async def forge(
        self,
        kind: InteractionType,
        data: Json,
        at: ChannelHandle | None = None,
        on: Seen | None = None,
        otherwise: Json | None = None,
        times: int = 1,
    ) -> Said:
        """Any interaction, brought so many times; `otherwise` is what the gateway says of it in place of the usual."""
        at = at or self.stage.here
        return await self._does(outside.interact(self.stage.env, self.id, kind, data, at, on, otherwise or {}, times))

    # What they see

    def sees(self, at: ChannelHandle | None = None) -> list[Seen]:
        """The messages that they see, oldest first."""
        return [seen for seen in self.stage.messages(at) if seen.stored.visible_to(self.id)]

    async def _does(self, verb: Any) -> Said:
        before = self.stage.clock.now()
        result: InteractionResult = await self.stage.happens(verb)
        return Said(self.stage.env, result, self.stage.clock.now() - before)
