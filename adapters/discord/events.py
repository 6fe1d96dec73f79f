"""Interactions in, as who asks what and where. Pure: reads one interaction; no request, no rule, no wording."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

import discord

from adapters.discord.chats import PLATFORM, Channel, Place, Private, person_name
from adapters.discord.permissions import is_moderator, lacking
from adapters.people import called, written
from bot.codec import quantised
from bot.core.session import Actor
from bot.desk import Lacking

Interaction = discord.Interaction[Any]

SELECTS = frozenset({discord.ComponentType.select.value})


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, where and when, and what the bot itself lacks there. `key` names the interaction; `public`: it was made
    on a message that everybody there sees."""

    place: Place
    private: bool
    by: Actor
    locale: str
    key: str
    at: datetime
    lacking: tuple[Lacking, ...]
    public: bool


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button, or the choices of a select: `datas` is what they say. `offered`: the message has them now, so that they
    were neither made up nor have gone since."""

    datas: tuple[str, ...]
    selected: bool
    offered: bool


@dataclass(frozen=True, slots=True)
class Filled:
    """A form that was sent: what it is for, what was chosen in it, and what was written."""

    data: str
    values: tuple[str, ...]
    text: str


def asker(interaction: Interaction, *, member: bool) -> Asker | None:
    """Who asks; None when it is no person, or nobody can tell who or where. `member`: the bot is in this guild; False
    where people write among themselves."""
    user, place = _user(interaction), _place(interaction)
    if user is None or place is None or user.bot:
        return None
    private = isinstance(place, Private)
    return Asker(
        place=place,
        private=private,
        by=Actor(person_name(user.id), called(user.display_name), is_moderator(interaction.permissions)),
        locale=str(interaction.locale.value),
        key=f"{PLATFORM}:{interaction.id}",
        at=quantised(interaction.created_at),
        lacking=() if private else _lacking(interaction, member=member),
        public=not private and interaction.message is not None and not interaction.message.flags.ephemeral,
    )


def _user(interaction: Interaction) -> discord.User | discord.Member | None:
    """Where Discord does not say who it was, the library has something that stands for nothing."""
    user: object = interaction.user
    return user if isinstance(user, discord.User | discord.Member) else None


def _place(interaction: Interaction) -> Place | None:
    user = _user(interaction)
    if is_private(interaction):
        return Private(user.id) if user else None
    channel = interaction.channel
    if isinstance(channel, discord.Thread):
        return Channel(channel.parent_id, channel.id)
    return Channel(channel.id) if channel else None


def is_private(interaction: Interaction) -> bool:
    """Whether it comes from the private messages of somebody with the bot, not of people among themselves."""
    context = interaction.context
    if context.guild or context.dm_channel or context.private_channel:
        return context.dm_channel
    return isinstance(interaction.channel, discord.DMChannel)


def _lacking(interaction: Interaction, *, member: bool) -> tuple[Lacking, ...]:
    """Where it is not there itself, nothing else matters."""
    if not member:
        return (Lacking.MEMBERSHIP,)
    return lacking(interaction.app_permissions, interaction.channel)


def pressed(interaction: Interaction) -> Pressed:
    """What was pressed under the message of a component's interaction."""
    raw = _data(interaction)
    data, values = str(raw.get("custom_id", "")), tuple(str(value) for value in raw.get("values") or ())
    offered = dict(_offered(interaction.message)) if interaction.message else {}
    if raw.get("component_type") in SELECTS and values:
        return Pressed(values, selected=True, offered=set(values) <= set(offered.get(data, ())))
    return Pressed((data,), selected=False, offered=data in offered)


def datas(message: discord.Message) -> tuple[str, ...]:
    """What the buttons under a message and the choices of its selects say, in order."""
    return tuple(data for one, values in _offered(message) for data in values or (one,))


def _offered(message: discord.Message) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The data of each button and select of a message, a select with those of its choices."""
    for component in _parts(message.components):
        if isinstance(component, discord.SelectMenu):
            yield component.custom_id, tuple(option.value for option in component.options)
        elif isinstance(component, discord.Button) and component.custom_id:
            yield component.custom_id, ()


def _parts(components: Sequence[object]) -> Iterator[object]:
    for component in components:
        yield component
        yield from _parts(getattr(component, "children", ()))


def filled(interaction: Interaction) -> Filled:
    """What was sent with a form."""
    raw = _data(interaction)
    fields = list(_fields(raw.get("components") or ()))
    values = tuple(str(value) for field in fields for value in field.get("values") or ())
    text = written("\n".join(str(field["value"]) for field in fields if field.get("value")))
    return Filled(str(raw.get("custom_id", "")), values, text)


def _fields(components: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The fields of a form, which stand in a label each."""
    for component in components:
        yield component.get("component") or component


def _data(interaction: Interaction) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", interaction.data or {})
