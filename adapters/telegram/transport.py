"""The way out to Telegram: sends and edits what `render` makes of cards. Knows no session, no rule and no wording.

What the outbox delivers goes through `send` and `edit`, which say by the errors of the ports what went wrong. What a
person hears at once goes through the others, which try, note a failure in the log, and leave it at that.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from enum import Enum
from pathlib import Path, PurePosixPath

from telegram.error import BadRequest, TelegramError
from telegram.ext import ExtBot

from adapters import pictures
from adapters.pictures import described
from adapters.telegram import chats
from adapters.telegram.chats import Place
from adapters.telegram.errors import has_no_text, remedy, too_old
from adapters.telegram.limiter import BusyError, Urgency, flood_wait
from adapters.telegram.render import Popup, Rendered, alt, caption, fits_caption, fits_under_a_file, rendered
from adapters.telegram.writing import NO_PREVIEW, Writer
from bot.core.quiz import Image
from bot.messages import Attachment, Card
from bot.ports import ChatGoneError, Clock, MessageGoneError, RefusedError, UnavailableError
from bot.remembering import Remembered

__all__ = ["NO_PREVIEW", "TelegramTransport"]

log = logging.getLogger(__name__)

PATIENCE = timedelta(minutes=2)
"""How long a direct reply waits for room in its chat."""

MOST_REMEMBERED = 1000


class _Form(Enum):
    """What a message is, as the letter after its number in a reference."""

    TEXT = ""
    CAPTION = "c"
    DESCRIBED = "d"  # a text that has the picture in words


class _Upload(Enum):
    """What became of the picture of a post that is still to be delivered."""

    DELAYED = "delayed"
    SHOWN = "shown"
    LOST = "lost"


class TelegramTransport:
    """The port `Transport` for one bot, and the direct ways to the people who press and command."""

    def __init__(self, bot: ExtBot[Urgency], pictures: Path, clock: Clock) -> None:
        """`pictures` is the folder that the paths of pictures begin in."""
        self._bot = bot
        self._writer = Writer(bot)
        self._pictures = pictures
        self._clock = clock
        self._uploads: Remembered[str, _Upload] = Remembered(MOST_REMEMBERED)

    async def send(self, chat: str, card: Card, nonce: str) -> str:
        """Send a new message; its reference. Tried again with the same `nonce`, a picture before a text does not come
        twice."""
        place = _place(chat)
        try:
            number, form = await self._send(place, card, nonce)
        except TelegramError as error:
            raise remedy(error, chat) or RefusedError(f"{chat}: {error}") from error
        self._uploads.pop(nonce, None)
        return f"{number}{form.value}"

    async def edit(self, chat: str, message: str, card: Card, *, lazy: bool = False) -> None:
        """Make the message look like `card`."""
        place = _place(chat)
        number, form = _reference(message)
        try:
            await self._edit(place, number, form, card, Urgency.COUNTER if lazy else Urgency.EDIT)
        except TelegramError as error:
            if found := remedy(error, chat):
                raise found from error

    async def answer(self, query: str, popup: Popup | None, opens: str | None = None) -> bool:
        """Acknowledge a press, so that nothing spins any more; open the address `opens`, else say what `popup` says.
        Whether Telegram has taken it."""
        try:
            if opens is None or not await self._opened(query, opens):
                popup = popup or Popup()
                await self._bot.answer_callback_query(query, text=popup.text or None, show_alert=popup.alert or None)
        except TelegramError as error:
            log.log(logging.INFO if too_old(error) else logging.WARNING, "a press was not acknowledged: %s", error)
            return False
        return True

    async def _opened(self, query: str, address: str) -> bool:
        """Whether Telegram takes this address: it opens hardly any but those of the bot's own chat."""
        try:
            return await self._bot.answer_callback_query(query, url=address)
        except BadRequest as error:
            if too_old(error):
                raise
            log.warning("a press cannot open %s: %s", address, error)
            return False

    async def say(
        self, place: Place, card: Card, reply_to: int | None = None, attachment: Attachment | None = None
    ) -> bool:
        """Answer a command, without a sound; with a file, which whoever asked gets without rather than not at all.
        Whether it has reached them."""
        try:
            left = await self._attached(place, card, attachment, reply_to) if attachment else card
            if left:
                message = rendered(described(left))
                await self._patiently(lambda: self._writer.reply(place, message, reply_to))
        except TelegramError as error:
            log.warning("a reply did not reach %s: %s", chats.name(place), error)
            return False
        return True

    async def _attached(self, place: Place, card: Card, attachment: Attachment, reply_to: int | None) -> Card | None:
        """What is left to say after the file: what is too long to stand under it, or that it could not go."""
        under = fits_under_a_file(card)
        words = caption(card) if under else Rendered("", "", None)
        try:
            await self._patiently(lambda: self._writer.attached(place, attachment, words, reply_to))
        except TelegramError as error:
            log.warning("%s did not reach %s: %s", attachment.name, chats.name(place), error)
            return attachment.otherwise or card
        return None if under else card

    async def replace(self, place: Place, message: int, card: Card) -> None:
        """Make a message that was said look like `card`."""
        wanted = rendered(described(card))
        try:
            await self._patiently(lambda: self._writer.edit_text(place, message, wanted, Urgency.REPLY))
        except TelegramError as error:
            if has_no_text(error):
                await self.say(place, card)  # what stands under a picture is about that picture
            elif remedy(error, chats.name(place)):
                log.warning("a message in %s stays as it was: %s", chats.name(place), error)

    async def discard(self, place: Place, message: int) -> None:
        """Delete a message; where that cannot be done, take its buttons."""
        try:
            try:
                await self._bot.delete_message(place.chat, message)
            except BadRequest:
                await self._bot.edit_message_reply_markup(place.chat, message, rate_limit_args=Urgency.REPLY)
        except TelegramError as error:
            log.info("a message stays in %s: %s", chats.name(place), error)

    async def _send(self, place: Place, card: Card, nonce: str) -> tuple[int, _Form]:
        if card.image is None:
            return await self._writer.text(place, rendered(card)), _Form.TEXT
        if self._uploads.get(nonce) not in (_Upload.SHOWN, _Upload.LOST):
            under = fits_caption(card)
            number = await self._picture(place, card.image, caption(card) if under else alt(card), nonce)
            if number is not None and under:
                return number, _Form.CAPTION
            self._uploads[nonce] = _Upload.LOST if number is None else _Upload.SHOWN
        if self._uploads[nonce] is _Upload.LOST:
            return await self._writer.text(place, rendered(described(card))), _Form.DESCRIBED
        return await self._writer.text(place, rendered(card)), _Form.TEXT

    async def _edit(self, place: Place, number: int, form: _Form, card: Card, urgency: Urgency) -> None:
        match form:
            case _Form.TEXT:
                await self._writer.edit_text(place, number, rendered(card), urgency)
            case _Form.CAPTION:
                await self._writer.edit_caption(place, number, caption(card), urgency)
            case _Form.DESCRIBED:
                await self._writer.edit_text(place, number, rendered(described(card)), urgency)

    async def _picture(self, place: Place, image: Image, words: Rendered, nonce: str) -> int | None:
        """Send the picture; None when it cannot be shown here, which must not keep the question from being asked."""
        data = await pictures.read(self._pictures, image)
        if data is None:
            return None
        try:
            return await self._writer.picture(place, data, PurePosixPath(image.path).suffix.lower(), words)
        except TelegramError as error:
            if not self._is_hopeless(error, place, nonce):
                raise
            log.warning("the picture %r goes in words to %s: %s", image.path, chats.name(place), error)
            return None

    def _is_hopeless(self, error: TelegramError, place: Place, nonce: str) -> bool:
        """Whether to do without the picture. A chat that seems gone may only not want pictures: its text will tell."""
        found = remedy(error, chats.name(place))
        if isinstance(found, UnavailableError):
            again = self._uploads.get(nonce) is _Upload.DELAYED
            self._uploads[nonce] = _Upload.DELAYED
            return again
        return isinstance(found, RefusedError | ChatGoneError)

    async def _patiently(self, call: Callable[[], Awaitable[None]]) -> None:
        """Try, where the chat is full again and again, as long as somebody may still wait for it."""
        until = self._clock.now() + PATIENCE
        while True:
            try:
                return await call()
            except TelegramError as error:
                wait = error.retry_after if isinstance(error, BusyError) else flood_wait(error)
                if wait is None or self._clock.now() + wait > until:
                    raise
            await self._clock.sleep_until(self._clock.now() + wait)


def _place(chat: str) -> Place:
    try:
        return chats.place(chat)
    except ValueError as error:
        raise RefusedError(str(error)) from error


def _reference(message: str) -> tuple[int, _Form]:
    """The number of a message and what it is. Raises MessageGoneError for what no message of ours is called."""
    try:
        number = chats.message_of(message)
        return number, _Form(message.removeprefix(str(number)))
    except ValueError as error:
        raise MessageGoneError(str(error)) from error
