"""sendMessage, sendPhoto, sendAnimation, sendDocument, sendChatAction: what comes new into a chat."""

from __future__ import annotations

from typing import Any

from tests.telegram.server.chats import Chat
from tests.telegram.server.errors import Json, bad
from tests.telegram.server.keyboards import rows_of
from tests.telegram.server.markup import Formatted, formatted, units
from tests.telegram.server.messages import Message, Photo, Topic
from tests.telegram.server.wire import Request, Upload
from tests.telegram.server.world import World

MOST_TEXT, MOST_CAPTION, MOST_PHOTO_BYTES = 4096, 1024, 10 * 2**20
_IMAGES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8", b"RIFF")
_ACTIONS = frozenset(
    [
        "typing",
        "upload_photo",
        "record_video",
        "upload_video",
        "record_voice",
        "upload_voice",
        "upload_document",
        "choose_sticker",
        "find_location",
        "record_video_note",
        "upload_video_note",
    ]
)


def send_message(world: World, request: Request) -> Json:
    said = checked_text(request)
    chat = open_chat(world, request, "text messages")
    return _send(world, request, chat, said).json()


def send_photo(world: World, request: Request) -> Json:
    caption = checked_caption(request)
    image = _image(world, request.params.get("photo"))
    chat = open_chat(world, request, "photos")
    return _send(world, request, chat, caption, image=image).json()


def send_animation(world: World, request: Request) -> Json:
    caption = checked_caption(request)
    film = request.params.get("animation")
    if not isinstance(film, Upload) or not film.content.startswith(b"GIF8"):
        raise bad("wrong file identifier/HTTP URL specified")
    chat = open_chat(world, request, "animations")
    image = Photo(film.content, f"animation-{len(world.photos) + 1}", moving=True)
    return _send(world, request, chat, caption, image=image).json()


def send_document(world: World, request: Request) -> Json:
    caption = checked_caption(request)
    file = request.params.get("document")
    if not isinstance(file, Upload) or not file.content:
        raise bad("file must be non-empty")
    chat = open_chat(world, request, "documents")
    document = Photo(file.content, f"document-{len(world.photos) + 1}", name=file.name)
    return _send(world, request, chat, caption, image=document).json()


def send_chat_action(world: World, request: Request) -> bool:
    chat = world.chat(request.chat)
    chat.check_open()
    _topic(chat, request)
    if request.text("action") not in _ACTIONS:
        raise bad("wrong parameter action in request")
    return True


METHODS = {
    "sendMessage": send_message,
    "sendPhoto": send_photo,
    "sendAnimation": send_animation,
    "sendDocument": send_document,
    "sendChatAction": send_chat_action,
}


def checked_text(request: Request) -> Formatted:
    said = formatted(request)
    if not said.text:
        raise bad("message text is empty")
    if units(said.text) > MOST_TEXT:
        raise bad("message is too long")
    return said


def checked_caption(request: Request) -> Formatted:
    said = formatted(request, "caption", "caption_entities")
    if units(said.text) > MOST_CAPTION:
        raise bad("message caption is too long")
    return said


def open_chat(world: World, request: Request, what: str = "") -> Chat:
    """The chat of a send or an edit, counted against the limits. `what` is what is sent, if anything is."""
    chat = world.chat(request.chat)
    chat.check_open()
    if not chat.may_write:
        raise bad(f"not enough rights to send {what} to the chat" if what else "CHAT_WRITE_FORBIDDEN")
    world.floods.charge(chat.id, world.clock.now())
    return chat


def _send(world: World, request: Request, chat: Chat, said: Formatted, image: Photo | None = None) -> Message:
    rows = rows_of(request.structure("reply_markup"))
    topic = _topic(chat, request)
    reply_to = _replied(chat, topic, request.structure("reply_parameters"))
    if request.structure("link_preview_options") and image:
        raise bad("link_preview_options belong to text messages")
    return chat.add(world.bot, said, image=image, markup=rows, in_topic=topic, reply_to=reply_to)


def _topic(chat: Chat, request: Request) -> Topic | None:
    """Where no topic is named, General is meant; its own number, 1, is no topic's and refused like any such."""
    if "message_thread_id" not in request.params:
        return None
    return chat.topic_of(request.integer("message_thread_id"))


def _replied(chat: Chat, topic: Topic | None, reply: Json) -> Message | None:
    if not reply:
        return None
    message_id = reply.get("message_id")
    found = chat.message(message_id) if isinstance(message_id, int) else None
    # A reply to another topic is sent there on Telegram, and is never meant.
    if found is None or (chat.kind == "supergroup" and found.in_topic is not topic):
        if not reply.get("allow_sending_without_reply", False):
            raise bad("message to be replied not found")
        return None
    return found


def _image(world: World, photo: Any) -> Photo:
    if isinstance(photo, str):
        return _known_image(world, photo)
    if not isinstance(photo, Upload):
        raise bad("there is no photo in the request")
    if not photo.content:
        raise bad("file must be non-empty")
    if len(photo.content) > MOST_PHOTO_BYTES:
        raise bad("file is too big")
    if not photo.content.startswith(_IMAGES):
        raise bad("IMAGE_PROCESS_FAILED")
    made = Photo(photo.content, f"photo-{len(world.photos) + 1}")
    world.photos[made.file_id] = made.content
    return made


def _known_image(world: World, file_id: str) -> Photo:
    if file_id in world.photos:
        return Photo(world.photos[file_id], file_id)
    if file_id.startswith(("http://", "https://")):
        raise bad("failed to get HTTP URL content")
    raise bad("wrong file identifier/HTTP URL specified" if file_id else "there is no photo in the request")
