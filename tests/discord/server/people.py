"""People: what somebody with Discord does. Knows no route."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from tests.discord.server import asking
from tests.discord.server.channels import Channel, Direct
from tests.discord.server.commands import Command, Invocable
from tests.discord.server.components import Kind, Select
from tests.discord.server.errors import Json
from tests.discord.server.interactions import Asked, Form, Interaction
from tests.discord.server.messages import Message

if TYPE_CHECKING:
    from tests.discord.server.world import World


class Person:
    """Somebody with Discord. Everything they ask is told to the bot at once, in the order in which it is done; what
    comes back is an `Interaction`, to be awaited for the answer. `at` is when it was asked, now if not given.

    `closed` private messages are such that the bot cannot write to; `installed` is whether this person has installed
    the bot for themselves, and so everywhere."""

    def __init__(self, world: World, name: str, locale: str) -> None:
        self.world = world
        self.id = world.snowflakes.next()
        self.name = name
        self.locale = locale
        self.closed = False
        self.installed = False
        self.direct = Direct(world, self)

    def json(self) -> Json:
        username = f"{''.join(filter(str.isalnum, self.name.lower())) or 'somebody'}_{self.id[-4:]}"
        told: Json = {"id": self.id, "username": username, "global_name": self.name, "discriminator": "0"}
        return told | {"avatar": None, "public_flags": 0}

    # Commands

    def slash(self, channel: Channel, name: str, *, at: datetime | None = None, **options: str) -> Interaction:
        """Type a command. Only what is registered, and offered here to this person, can be typed."""
        command = self._command(channel, name, Invocable.SLASH)
        told = [command.option(option, value) for option, value in options.items()]
        typed = " ".join([f"/{name}", *(f"{option}:{value}" for option, value in options.items())])
        return asking.ask(self, channel, Asked.COMMAND, command.data(options=told), typed, at=at)

    def autocomplete(self, channel: Channel, name: str, *, at: datetime | None = None, **typed: str) -> Interaction:
        """Type into an option of a command; its `choices` come."""
        command = self._command(channel, name, Invocable.SLASH)
        (option, value), *rest = typed.items()
        assert not rest, "one option has the focus"
        assert command.completes(option), f"the option {option!r} of /{name} has no autocomplete"
        data = command.data(options=[command.option(option, value) | {"focused": True}])
        return asking.ask(self, channel, Asked.AUTOCOMPLETE, data, f"/{name} {option}:{value}…", at=at)

    def user_command(self, channel: Channel, name: str, about: Person, *, at: datetime | None = None) -> Interaction:
        """Choose a command from the menu of a person."""
        command = self._command(channel, name, Invocable.USER)
        resolved: Json = {"users": {about.id: about.json()}}
        if channel.guild is not None and about.id in channel.guild.members:
            member = channel.guild.member_json(about) | {"permissions": str(channel.permissions_of(about).value)}
            del member["user"]
            resolved["members"] = {about.id: member}
        data = command.data(target_id=about.id, resolved=resolved)
        return asking.ask(self, channel, Asked.COMMAND, data, f"{name} of {about.name}", at=at)

    def message_command(self, message: Message, name: str, *, at: datetime | None = None) -> Interaction:
        """Choose a command from the menu of a message."""
        command = self._command(message.channel, name, Invocable.MESSAGE)
        self._sees(message)
        data = command.data(target_id=message.id, resolved={"messages": {message.id: message.json()}})
        return asking.ask(self, message.channel, Asked.COMMAND, data, name, under=message, with_message=False, at=at)

    def offered(self, channel: Channel) -> list[Command]:
        """The commands that this person is offered in a channel."""
        return [command for command in self.world.commands if command.is_offered(self, channel)]

    def _command(self, channel: Channel, name: str, kind: Invocable) -> Command:
        registered = [command for command in self.world.commands if command.kind is kind]
        found = [command for command in registered if name in command.names]
        assert found, f"no {kind.name} command {name!r} is registered, but {[command.name for command in registered]}"
        assert found[0].is_offered(self, channel), f"{self.name} is not offered {name!r} in {channel.name}"
        return found[0]

    # Buttons, lists and forms

    def press(self, message: Message, label: str, *, at: datetime | None = None) -> Interaction:
        """Press the button with this label or custom_id, or whose label begins with these words."""
        self._sees(message)
        button = message.button(label)
        assert button.custom_id, f"the button {label!r} does not tell the bot anything, it leads to {button.url}"
        assert not button.disabled, f"the button {label!r} cannot be pressed"
        data = {"component_type": Kind.BUTTON, "custom_id": button.custom_id, "id": button.number}
        return asking.ask(self, message.channel, Asked.COMPONENT, data, button.label, under=message, at=at)

    def choose(
        self, message: Message, *labels: str, select: str | None = None, at: datetime | None = None
    ) -> Interaction:
        """Choose from a list of the message, the only one or that with the custom_id `select`."""
        self._sees(message)
        chosen = _select(message, select)
        assert not chosen.disabled, "the list cannot be opened"
        assert chosen.least <= len(labels) <= chosen.most, f"{chosen.least} to {chosen.most} can be chosen"
        data: Json = {"component_type": chosen.kind, "custom_id": chosen.custom_id, "values": chosen.values(labels)}
        said = ", ".join(labels)
        return asking.ask(
            self, message.channel, Asked.COMPONENT, data | {"id": chosen.number}, said, under=message, at=at
        )

    def submit(self, opened: Interaction, *, at: datetime | None = None, **values: str | Sequence[str]) -> Interaction:
        """Send the form that answered `opened`: a text for each input, labels of options for each list, by position
        (`_1`, `_2`, …) or custom_id; what is not named stays as it was shown."""
        assert opened.form is not None, f"{self.name} sees no form"
        assert opened.person is self, f"the form is before {opened.person.name}"
        data = asking.filled(opened.form, values)
        return asking.ask(
            self, opened.channel, Asked.FORM, data, f"form {opened.form.title}", under=opened.message, at=at
        )

    def forge(
        self, message: Message, custom_id: str, values: Sequence[str] | None = None, *, at: datetime | None = None
    ) -> Interaction:
        """Press or, with `values`, choose what is not there, as a changed app can under a message it was shown."""
        assert message.only_for in (None, self), f"{self.name} does not see what is for another alone"
        data: Json = {"component_type": Kind.BUTTON, "custom_id": custom_id, "id": 1}
        if values is not None:
            data |= {"component_type": Kind.SELECT, "values": list(values)}
        return asking.ask(self, message.channel, Asked.COMPONENT, data, custom_id, under=message, at=at)

    def forge_command(
        self, channel: Channel, name: str, *, at: datetime | None = None, kind: int = 1, **options: str
    ) -> Interaction:
        """Type a command that is not registered, as an app that does not know yet can."""
        told = [{"type": 3, "name": option, "value": value} for option, value in options.items()]
        data: Json = {"id": self.world.snowflakes.next(), "name": name, "type": kind, "options": told}
        return asking.ask(self, channel, Asked.COMMAND, data, f"/{name}", at=at)

    def forge_form(
        self,
        channel: Channel,
        custom_id: str,
        values: Sequence[str] = (),
        text: str | None = None,
        *,
        under: Message | None = None,
        at: datetime | None = None,
    ) -> Interaction:
        """Send a form that nobody was shown: one list with `values`, and one input unless `text` is None."""
        form = Form("forged", custom_id, [])
        data = asking.filled(form, {}) | {"components": asking.made_up(values, text)}
        return asking.ask(self, channel, Asked.FORM, data, custom_id, under=under, at=at)

    def _sees(self, message: Message) -> None:
        assert not message.deleted, f"{self.name} sees no deleted message"
        assert message.only_for in (None, self), f"{self.name} does not see what is for another alone"
        assert message.channel.permissions_of(self).view_channel, f"{self.name} does not see {message.channel.name}"


def _select(message: Message, custom_id: str | None) -> Select:
    found = [select for select in message.selects if custom_id in (None, select.custom_id)]
    assert len(found) == 1, f"{len(found)} lists to choose from in:\n{message.text}"
    return found[0]
