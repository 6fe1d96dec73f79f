"""editMessage… and deleteMessage: what changes messages that are there."""

from __future__ import annotations

from datetime import timedelta

from tests.telegram.server.errors import Json, bad
from tests.telegram.server.keyboards import rows_of
from tests.telegram.server.markup import Formatted
from tests.telegram.server.messages import Message
from tests.telegram.server.methods.sending import checked_caption, checked_text, open_chat
from tests.telegram.server.wire import Request
from tests.telegram.server.world import World

DELETABLE = timedelta(hours=48)
_UNCHANGED = (
    "message is not modified: specified new message content and reply markup are exactly the same as a current "
    "content and reply markup of the message"
)


def edit_message_text(world: World, request: Request) -> Json | bool:
    said = checked_text(request)
    message = _editable(world, request)
    if message.image or not message.said.text:
        raise bad("there is no text in the message to edit")
    return _change(world, request, message, said)


def edit_message_caption(world: World, request: Request) -> Json | bool:
    said = checked_caption(request)
    message = _editable(world, request)
    if not message.image:
        raise bad("there is no caption in the message to edit")
    return _change(world, request, message, said)


def edit_message_reply_markup(world: World, request: Request) -> Json | bool:
    message = _editable(world, request)
    return _change(world, request, message, message.said)


def delete_message(world: World, request: Request) -> bool:
    chat = world.chat(request.chat)
    chat.check_open()
    message = chat.message(request.integer("message_id"))
    if message is None:
        raise bad("message to delete not found")
    age = timedelta(seconds=world.seconds() - message.date)
    if not _is_own(world, message) or age > DELETABLE:
        raise bad("message can't be deleted")
    chat.delete_message(message)
    return True


def set_message_reaction(world: World, request: Request) -> bool:
    chat = world.chat(request.chat)
    chat.check_open()
    message = chat.message(request.integer("message_id"))
    if message is None:
        raise bad("message to react not found")
    reactions = request.items("reaction")
    if len(reactions) > 1 or any(reaction.get("type") != "emoji" for reaction in reactions):
        raise bad("REACTION_INVALID")
    message.reactions = reactions
    world.changes.notify()
    return True


METHODS = {
    "editMessageText": edit_message_text,
    "editMessageCaption": edit_message_caption,
    "editMessageReplyMarkup": edit_message_reply_markup,
    "deleteMessage": delete_message,
    "setMessageReaction": set_message_reaction,
}


def _is_own(world: World, message: Message) -> bool:
    return bool(message.author["id"] == world.bot["id"])


def _editable(world: World, request: Request) -> Message:
    """The message that is meant, if the bot may change it."""
    if "inline_message_id" in request.params:
        return _inline(world, request.text("inline_message_id"))
    chat = open_chat(world, request)
    if "message_id" not in request.params:
        raise bad("message identifier is not specified")
    message = chat.message(request.integer("message_id"))
    if message is None:
        raise bad("message to edit not found")
    if not _is_own(world, message):
        raise bad("message can't be edited")
    return message


def _inline(world: World, inline_id: str) -> Message:
    if inline_id not in world.inline_messages:
        raise bad("MESSAGE_ID_INVALID")
    world.floods.charge(None, world.clock.now())
    return world.inline_messages[inline_id]


def _change(world: World, request: Request, message: Message, said: Formatted) -> Json | bool:
    """An edit without a keyboard takes the keyboard away."""
    rows = rows_of(request.structure("reply_markup"), inline_only=True)
    if (said, rows) == (message.said, message.markup):
        raise bad(_UNCHANGED)
    message.said, message.markup = said, rows
    message.edits += 1
    message.edit_date = world.seconds()
    message.chat.log.edited(message)
    world.changes.notify()
    return True if "inline_message_id" in request.params else message.json()
