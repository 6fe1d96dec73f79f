"""Where Telegram can be pointed to: messages, the private chat with the bot, and groups to take it into."""

from __future__ import annotations

import re

from adapters.telegram import chats

PAYLOAD = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


class TelegramAddresses:
    """The addresses of the bot called `username`."""

    def __init__(self, username: str) -> None:
        self._username = username

    def message(self, chat: str, reference: str) -> str | None:
        return chats.message_link(chats.place(chat), chats.message_of(reference))

    def chat(self, chat: str) -> str | None:  # noqa: ARG002  # the signature of the protocol
        return None  # members open a group from their list of chats; there is no address for all of them

    def private(self, payload: str) -> str | None:
        return self._start("start", payload)

    def group(self, payload: str) -> str | None:
        return self._start("startgroup", payload)

    def _start(self, parameter: str, payload: str) -> str | None:
        if not PAYLOAD.fullmatch(payload):
            return None
        return f"https://t.me/{self._username}?{parameter}={payload}"
