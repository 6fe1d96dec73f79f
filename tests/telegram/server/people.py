"""People: what somebody with a phone does. Knows no method of the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.telegram.server.chats import Chat, Private
from tests.telegram.server.errors import Json
from tests.telegram.server.groups import ANONYMOUS, Group
from tests.telegram.server.keyboards import payload_of
from tests.telegram.server.markup import typed
from tests.telegram.server.members import member
from tests.telegram.server.messages import Message, Topic
from tests.telegram.server.queries import Answer, InlineAsk, InlineResult, Press

if TYPE_CHECKING:
    from tests.telegram.server.world import World

_CHANNEL_BOT = {"id": 136817688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"}


class Person:
    """Somebody with Telegram. Everything they do becomes an update, in the order in which it is done."""

    def __init__(self, world: World, id: int, name: str, language: str | None, username: str | None) -> None:  # noqa: A002 - as above
        self.world = world
        self.id = id
        self.name = name
        self.language = language
        self.username = username
        self.deleted = False
        self.pop_ups: list[Answer] = []
        self.private = Private(world, self)

    def json(self) -> Json:
        known = {"username": self.username, "language_code": self.language}
        said: Json = {"id": self.id, "is_bot": False, "first_name": self.name}
        return said | {key: value for key, value in known.items() if value is not None}

    # Writing

    async def write(
        self,
        chat: Chat,
        text: str,
        *,
        topic: str | None = None,
        reply_to: Message | None = None,
        anonymous: bool = False,
        as_channel: str | None = None,
    ) -> Message:
        """Send a text, into a topic by its name. `anonymous` is an administrator in the name of the group,
        `as_channel` anybody in the name of their channel."""
        author, origin = self.json(), {}
        if anonymous:
            author, origin = ANONYMOUS, {"sender_chat": chat.json()}
        elif as_channel is not None:
            author, origin = _CHANNEL_BOT, {"sender_chat": self._channel(as_channel)}
        place = chat.named_topic(topic) if isinstance(chat, Group) and topic else None
        return self._say(chat, author, text, in_topic=place, reply_to=reply_to, extra=origin)

    def say(self, chat: Chat, text: str) -> Message:
        """`write`, for whoever cannot wait."""
        return self._say(chat, self.json(), text)

    def _say(
        self,
        chat: Chat,
        author: Json,
        text: str,
        *,
        in_topic: Topic | None = None,
        reply_to: Message | None = None,
        extra: Json | None = None,
    ) -> Message:
        if isinstance(chat, Private):
            assert chat.person is self, f"{self.name} cannot write in the chat of {chat.person.name}"
            chat.opened = True
        said = chat.add(author, typed(text), in_topic=in_topic, reply_to=reply_to, extra=extra or {})
        return chat.announce(said) if self.world.hears(said) else said

    def _channel(self, title: str) -> Json:
        return {"id": -1002000000000 - self.id, "type": "channel", "title": title}

    async def edit(self, message: Message, text: str) -> None:
        """Change an own message."""
        message.said, message.edit_date = typed(text), self.world.seconds()
        message.edits += 1
        message.chat.log.edited(message)
        self.world.changes.notify()
        if self.world.hears(message):
            self.world.updates.push("edited_message", message.json(), f"chat{message.chat.id}")

    # The private chat

    async def start_bot(self, payload: str = "") -> Message:
        """Press Start, or follow a link with a payload; takes a block back."""
        if self.private.blocked:
            await self.unblock()
        return await self.write(self.private, f"/start {payload}".rstrip())

    async def open(self, message: Message, label: str) -> Message | None:
        """Follow a button that is a link. A link to the bot starts it; None for any other."""
        return await self.follow(message.button(label)["url"])

    async def follow(self, url: str) -> Message | None:
        payload = payload_of(url)
        ours = f"//t.me/{self.world.bot['username']}?" in url
        return await self.start_bot(payload) if ours and payload else None

    async def block(self) -> None:
        self._set_blocked(blocked=True)

    async def unblock(self) -> None:
        self._set_blocked(blocked=False)

    def _set_blocked(self, *, blocked: bool) -> None:
        self.private.blocked = blocked
        self.private.log.said(f"{self.name} {'blocks' if blocked else 'unblocks'} the bot")
        before, after = ("member", "kicked") if blocked else ("kicked", "member")
        self.private.announce_bot(self, member(self.world.bot, before), member(self.world.bot, after))

    async def delete_account(self) -> None:
        """The bot is not told."""
        self.deleted = True

    # Buttons

    async def press(self, message: Message, label: str) -> Press:
        """Press the button with this label, or whose label begins with it."""
        button = message.button(label)
        if "callback_data" not in button:
            raise AssertionError(f"the button {label!r} does not tell the bot anything, it is {button}")
        return await self.press_data(message, button["callback_data"], label=button["text"])

    async def press_data(
        self, message: Message, data: str, *, label: str | None = None, inaccessible: bool = False
    ) -> Press:
        """Send any data, as a forged phone can. An `inaccessible` or deleted message comes without its text."""
        press = Press(self.world.next_query_id(), self, message, data, self.world.clock.now())
        self.world.presses[press.id] = press
        message.chat.log.pressed(self.name, data if label is None else label, message)
        query = {"id": press.id, "from": self.json(), "chat_instance": str(7919 * message.chat.id), "data": data}
        if message.inline_id:
            query["inline_message_id"] = message.inline_id
        else:
            query["message"] = message.unreachable() if inaccessible or message.deleted else message.json()
        self.world.updates.push("callback_query", query, f"user{self.id}")
        return press

    def pop_up(self, answer: Answer, chat: Chat) -> None:
        """The bot says something to this person alone."""
        self.pop_ups.append(answer)
        chat.log.popped_up(self.name, answer)

    # Inline mode

    async def inline(self, query: str = "", *, chat_type: str = "sender", offset: str = "") -> list[InlineResult]:
        """Type the bot's name and a query, and wait for what it offers, 10 s at most."""
        ask = await self.ask(query, chat_type=chat_type, offset=offset)
        await self.world.changes.until(
            lambda: ask.results is not None, lambda: f"{self.name} still waits for results of {query!r}"
        )
        return ask.results or []

    async def ask(self, query: str, *, chat_type: str = "sender", offset: str = "") -> InlineAsk:
        """`inline` without waiting."""
        ask = InlineAsk(self.world.next_query_id(), self.world.clock.now())
        self.world.asks[ask.id] = ask
        update = {"id": ask.id, "from": self.json(), "query": query, "offset": offset, "chat_type": chat_type}
        self.world.updates.push("inline_query", update, f"user{self.id}")
        return ask

    async def send_inline(self, result: InlineResult, chat: Chat) -> Message:
        """Send what was chosen into a chat, which need not have the bot in it."""
        said = chat.add(self.json(), result.said, markup=result.rows, extra={"via_bot": self.world.bot})
        if result.rows:
            said.inline_id = f"inline-{self.world.next_query_id()}"
            self.world.inline_messages[said.inline_id] = said
        if self.world.inline_feedback:
            chosen = {"result_id": result.id, "from": self.json(), "query": "", "inline_message_id": said.inline_id}
            self.world.updates.push("chosen_inline_result", chosen, f"user{self.id}")
        return chat.announce(said) if self.world.hears(said) else said
