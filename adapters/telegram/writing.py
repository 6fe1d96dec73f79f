"""The requests that write and rewrite one message, whatever its chat answers. Knows no card and remedies no error.

But for one: markup that the platform cannot read is our fault, and nobody else's text goes missing for it.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

from telegram import LinkPreviewOptions, Message, ReplyParameters
from telegram.constants import ParseMode
from telegram.error import BadRequest, NetworkError
from telegram.ext import ExtBot

from adapters.sense import making_sense
from adapters.telegram.chats import Place
from adapters.telegram.errors import cannot_parse
from adapters.telegram.limiter import Urgency
from adapters.telegram.render import Rendered
from bot.messages import Attachment

log = logging.getLogger(__name__)

NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
_Answer = TypeVar("_Answer")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")


class Writer:
    """Writes messages for one bot. Numbers are the platform's of messages; raises what the library raises."""

    def __init__(self, bot: ExtBot[Urgency]) -> None:
        self._bot = bot

    async def text(self, place: Place, message: Rendered) -> int:
        """Send a text; its number."""
        return await self._text(place, message, Urgency.SEND)

    async def reply(self, place: Place, message: Rendered, reply_to: int | None) -> None:
        """Send a text without a sound, in answer to the message `reply_to` if there is one and it is still there."""
        reply = ReplyParameters(reply_to, allow_sending_without_reply=True) if reply_to else None
        await self._text(place, message, Urgency.REPLY, reply_parameters=reply, disable_notification=True)

    async def _text(self, place: Place, message: Rendered, urgency: Urgency, **how: Any) -> int:
        send = partial(
            self._bot.send_message,
            place.chat,
            reply_markup=message.keyboard,
            link_preview_options=NO_PREVIEW,
            message_thread_id=place.thread,
            rate_limit_args=urgency,
            **how,
        )
        return _number(await _readable(lambda text, mode: send(text=text, parse_mode=mode), message))

    async def picture(self, place: Place, data: bytes, suffix: str, words: Rendered) -> int:
        """Send a picture with `words` under it; its number. `suffix` says of what kind it is: ".png"."""
        # The platform shows a GIF that is sent as a photo without its movement, or refuses it.
        moving = suffix == ".gif"
        send: Callable[..., Awaitable[Message]] = partial(
            self._bot.send_animation if moving else self._bot.send_photo,
            place.chat,
            data,
            filename=f"picture{suffix}",
            reply_markup=words.keyboard,
            message_thread_id=place.thread,
            rate_limit_args=Urgency.SEND,
        )
        return _number(await _readable(lambda text, mode: send(caption=text, parse_mode=mode), words))

    async def attached(self, place: Place, attachment: Attachment, words: Rendered, reply_to: int | None) -> None:
        """Send a file that was made for somebody with `words` under it, in answer to the message `reply_to`."""
        reply = ReplyParameters(reply_to, allow_sending_without_reply=True) if reply_to else None
        send: Callable[..., Awaitable[Message]] = partial(
            self._bot.send_photo if attachment.is_picture else self._bot.send_document,
            place.chat,
            attachment.data,
            filename=attachment.name,
            reply_markup=words.keyboard,
            message_thread_id=place.thread,
            rate_limit_args=Urgency.REPLY,
            reply_parameters=reply,
            disable_notification=True,
        )
        await _readable(lambda text, mode: send(caption=text, parse_mode=mode), words)

    async def edit_text(self, place: Place, number: int, message: Rendered, urgency: Urgency) -> None:
        """Make a text look like `message`."""
        edit = partial(
            self._bot.edit_message_text,
            chat_id=place.chat,
            message_id=number,
            reply_markup=message.keyboard,
            link_preview_options=NO_PREVIEW,
            rate_limit_args=urgency,
        )
        await _readable(lambda text, mode: edit(text, parse_mode=mode), message)

    async def edit_caption(self, place: Place, number: int, message: Rendered, urgency: Urgency) -> None:
        """Make the words under a picture look like `message`."""
        edit = partial(
            self._bot.edit_message_caption,
            place.chat,
            number,
            reply_markup=message.keyboard,
            rate_limit_args=urgency,
        )
        await _readable(lambda text, mode: edit(caption=text, parse_mode=mode), message)


def _number(message: Message) -> int:
    """What the message is called, which nobody could find again by anything else than a number."""
    with making_sense(NetworkError):
        number: object = message.message_id
        if type(number) is not int:
            raise TypeError(f"a message has no number: {type(number).__name__}")
        return number


async def _readable(call: Callable[[str, ParseMode | None], Awaitable[_Answer]], message: Rendered) -> _Answer:
    """Call with the message as HTML; should the platform not read that, once more with its plain text."""
    try:
        with making_sense(NetworkError):
            return await call(message.text, ParseMode.HTML)
    except BadRequest as error:
        if not cannot_parse(error):
            raise
        # Not what was written, nor what Telegram quotes of it: there are names in it.
        said = _QUOTED.sub('"…"', error.message)
        log.error("Telegram cannot read our markup, so it goes without: %s", said)  # noqa: TRY400  # no traceback of ours
    with making_sense(NetworkError):
        return await call(message.plain, None)
