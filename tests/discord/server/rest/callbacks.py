"""Answers to interactions, each in time and only once."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

from tests.discord.server import limits
from tests.discord.server.errors import Json, invalid_form, unknown_interaction, unknown_message
from tests.discord.server.interactions import Answer, Asked, Form, Interaction
from tests.discord.server.messages import EPHEMERAL, LOADING, Message
from tests.discord.server.rest.bodies import fill
from tests.discord.server.rest.messages import change, new_message
from tests.discord.server.wire import Request
from tests.discord.server.world import World

_POSSIBLE = {
    Asked.COMMAND: {Answer.MESSAGE, Answer.DEFERRED_MESSAGE, Answer.FORM},
    Asked.COMPONENT: {
        Answer.MESSAGE,
        Answer.DEFERRED_MESSAGE,
        Answer.DEFERRED_EDIT,
        Answer.EDIT,
        Answer.FORM,
    },
    Asked.AUTOCOMPLETE: {Answer.CHOICES},
    Asked.FORM: {Answer.MESSAGE, Answer.DEFERRED_MESSAGE, Answer.DEFERRED_EDIT, Answer.EDIT},
}


def answer(world: World, call: Request, id: str, token: str) -> Any:  # noqa: A002 - its name in the API
    interaction = world.interactions.get(id)
    if interaction is None or interaction.token != token:
        raise unknown_interaction()
    interaction.tries += 1
    kind = _kind(interaction, call.data.get("type"))
    made = _PREPARED[kind](world, call, interaction, call.data.get("data") or {})
    interaction.acknowledge(kind)
    made()
    world.changes.notify()
    return _told(interaction, kind) if call.query.get("with_response") in ("true", "1", "True") else None


def _kind(interaction: Interaction, said: Any) -> Answer:
    if said not in _POSSIBLE[interaction.asked]:
        raise invalid_form([f"type: {said} does not answer an interaction of type {interaction.asked}"])
    kind = Answer(said)
    if kind in (Answer.EDIT, Answer.DEFERRED_EDIT) and interaction.message is None:
        raise invalid_form([f"type: {said} needs a message that was there before"])
    return kind


# Each looks whether the answer is allowed, and returns what carries it out.


def _message(world: World, call: Request, interaction: Interaction, data: Json) -> Callable[[], None]:
    message = _for(world, interaction, data)
    fill(message, data, call.files, new=True)
    return lambda: _show(interaction, message)


def _deferred_message(world: World, call: Request, interaction: Interaction, data: Json) -> Callable[[], None]:
    message = _for(world, interaction, data)
    message.flags |= LOADING
    return lambda: _show(interaction, message)


def _for(world: World, interaction: Interaction, data: Json) -> Message:
    message = new_message(world, interaction.channel)
    message.flags = (data.get("flags") or 0) & EPHEMERAL
    message.only_for = interaction.person if message.flags else None
    told: Json = {"id": interaction.id, "type": interaction.asked, "user": interaction.person.json()}
    message.interaction = told | {"authorizing_integration_owners": {}, "original_response_message_id": None}
    del message.interaction["original_response_message_id"]
    return message


def _show(interaction: Interaction, message: Message) -> None:
    interaction.answer = interaction.channel.add(message)


def _edit(world: World, call: Request, interaction: Interaction, data: Json) -> Callable[[], None]:
    message = interaction.message
    assert message is not None
    if data:
        if message.deleted:
            raise unknown_message()
        fill(copy(message), data, call.files, new=False)

    def edit() -> None:
        interaction.answer = message
        if data:
            change(message, call, data)

    return edit


def _deferred_edit(world: World, call: Request, interaction: Interaction, data: Json) -> Callable[[], None]:
    def accept() -> None:
        interaction.answer = interaction.message

    return accept


def _form(world: World, call: Request, interaction: Interaction, data: Json) -> Callable[[], None]:
    if problems := limits.found(limits.form(data)):
        raise invalid_form(problems)

    def show() -> None:
        interaction.form = Form(data["title"], data["custom_id"], data["components"])
        interaction.channel.log.said(f"{interaction.person.name} sees the form {data['title']!r}")

    return show


def _choices(world: World, call: Request, interaction: Interaction, data: Json) -> Callable[[], None]:
    if problems := limits.found(limits.choices(data)):
        raise invalid_form(problems)

    def offer() -> None:
        interaction.choices = [(choice["name"], choice["value"]) for choice in data["choices"]]

    return offer


_PREPARED = {
    Answer.MESSAGE: _message,
    Answer.DEFERRED_MESSAGE: _deferred_message,
    Answer.DEFERRED_EDIT: _deferred_edit,
    Answer.EDIT: _edit,
    Answer.CHOICES: _choices,
    Answer.FORM: _form,
}


def _told(interaction: Interaction, kind: Answer) -> Json:
    message = interaction.answer
    told: Json = {"id": interaction.id, "type": interaction.asked, "response_message_id": message and message.id}
    told["response_message_loading"] = kind is Answer.DEFERRED_MESSAGE
    told["response_message_ephemeral"] = bool(message and message.ephemeral)
    if kind not in (Answer.MESSAGE, Answer.EDIT) or message is None:
        return {"interaction": told}
    return {"interaction": told, "resource": {"type": kind, "message": message.json()}}
