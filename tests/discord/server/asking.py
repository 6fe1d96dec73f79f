"""How what people ask is told to the bot: interactions as the gateway sends them. Decides nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from tests.discord.server.channels import Channel
from tests.discord.server.components import Kind
from tests.discord.server.errors import Json
from tests.discord.server.interactions import Asked, Form, Interaction
from tests.discord.server.messages import Message

if TYPE_CHECKING:
    from tests.discord.server.people import Person


def ask(
    person: Person,
    channel: Channel,
    asked: Asked,
    data: Json,
    what: str,
    *,
    under: Message | None = None,
    with_message: bool = True,
    at: datetime | None = None,
) -> Interaction:
    """Tell the bot; `under` is the message with the button."""
    world = person.world
    moment = at or world.clock.now()
    made = Interaction(world.snowflakes.next(moment), world.next_token(), person, channel, asked, what, data, moment)
    made.message = under
    world.interactions[made.id] = world.interactions_by_token[made.token] = made
    if under is not None:
        channel.log.pressed(person.name, what, under)
    elif asked is not Asked.AUTOCOMPLETE:
        channel.log.said(f"{person.name}: {what}")
    told = _told(made)
    if under is not None and with_message:
        told["message"] = under.json()
    world.gateway.tell("INTERACTION_CREATE", told, guild=channel.guild.id if channel.guild else None)
    return made


def _told(made: Interaction) -> Json:
    person, channel = made.person, made.channel
    told: Json = {
        "id": made.id,
        "application_id": person.world.bot["id"],
        "type": made.asked,
        "token": made.token,
        "version": 1,
        "data": made.data,
        "channel_id": channel.id,
        "channel": channel.context_json(),
        "locale": person.locale,
        "app_permissions": str(channel.app_permissions().value),
        "entitlements": [],
        "context": channel.context,
        "authorizing_integration_owners": _owners(person, channel),
        "attachment_size_limit": person.world.most_bytes,
    }
    return told | _who(person, channel)


def _who(person: Person, channel: Channel) -> Json:
    guild = channel.guild
    if guild is None:
        return {"user": person.json()}
    permissions = str(channel.permissions_of(person).value)
    told: Json = {"guild_id": guild.id, "guild_locale": guild.locale, "member": guild.member_json(person)}
    told["member"]["permissions"] = permissions
    return told | {"guild": {"id": guild.id, "locale": guild.locale, "features": []}}


def _owners(person: Person, channel: Channel) -> Json:
    """For whom the bot is installed that this is asked of: a guild ("0"), a person ("1")."""
    owners: Json = {}
    if channel.guild is not None and channel.guild.has_bot:
        owners["0"] = channel.guild.id
    elif channel.context == 1:
        owners["0"] = "0"
    return owners | ({"1": person.id} if person.installed else {})


def filled(form: Form, values: Mapping[str, str | Sequence[str]]) -> Json:
    """The data of a form that is sent."""
    places = {f"_{number}": custom_id for number, custom_id in enumerate(form.fields, 1)}
    given = {places.get(name, name): value for name, value in values.items()}
    assert given.keys() <= form.fields.keys(), f"the form has {list(form.fields)}, not {list(given)}"
    sent = [_sent(part, given) for part in form.components]
    return {"custom_id": form.custom_id, "components": [part for part in sent if part]}


def _sent(part: Json, given: Mapping[str, str | Sequence[str]]) -> Json | None:
    common = {"type": part["type"], "id": part.get("id")}
    if part["type"] == Kind.LABEL:
        return common | {"component": _field(part["component"], given)}
    if part["type"] == Kind.ROW:
        return common | {"components": [_field(inner, given) for inner in part["components"]]}
    return common if part["type"] == Kind.TEXT else None


def _field(part: Json, given: Mapping[str, str | Sequence[str]]) -> Json:
    sent: Json = {"type": part["type"], "id": part.get("id"), "custom_id": part["custom_id"]}
    value = given.get(part["custom_id"])
    if part["type"] == Kind.INPUT:
        return sent | {"value": _text(part, value)}
    return sent | {"values": _chosen(part, value)}


def _text(part: Json, value: str | Sequence[str] | None) -> str:
    text = part.get("value") or "" if value is None else value
    assert isinstance(text, str), f"{part['custom_id']} takes a text"
    assert text or not part.get("required", True), f"{part['custom_id']} has to be filled in"
    least, most = part.get("min_length") or 0, part.get("max_length") or 4000
    assert not text or least <= len(text) <= most, f"{part['custom_id']} takes {least} to {most} characters"
    return text


def _chosen(part: Json, value: str | Sequence[str] | None) -> list[str]:
    options = part["options"]
    if value is None:
        return [option["value"] for option in options if option.get("default")]
    labels = [value] if isinstance(value, str) else list(value)
    by_label = {option["label"]: option["value"] for option in options}
    assert by_label.keys() >= set(labels), f"no option {labels} among {list(by_label)}"
    assert part.get("min_values", 1) <= len(labels) <= part.get("max_values", 1), f"not so many: {labels}"
    return [by_label[label] for label in labels]


def made_up(values: Sequence[str], text: str | None) -> list[Json]:
    """The components of a form that does not exist."""
    select = {"type": Kind.SELECT, "id": 2, "custom_id": "select", "values": list(values)}
    typed = {"type": Kind.INPUT, "id": 4, "custom_id": "text", "value": text}
    labels = [{"type": Kind.LABEL, "id": 1, "component": select}]
    return labels + ([] if text is None else [{"type": Kind.LABEL, "id": 3, "component": typed}])
