"""What tests speak to: the foreign server, the people on it, and what the bot has sent. Holds no rule of the bot."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import aiohttp

from tests.telegram.foreign.node import running
from tests.telegram.server import contract

TOKEN = "666:opens-a-server-on-this-machine-only"  # noqa: S105  # opens nothing else
PATIENCE = 30.0
"""Seconds after which what is waited for counts as missing."""

T = TypeVar("T")
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with Telegram; their id is that of their chat with the bot, too."""

    id: int
    name: str
    language: str = "en"

    def json(self) -> Json:
        return {"id": self.id, "is_bot": False, "first_name": self.name, "language_code": self.language}


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the bot, as it is now."""

    chat: int
    id: int
    html: str
    buttons: tuple[tuple[str, str], ...]

    @property
    def labels(self) -> list[str]:
        return [label for label, _ in self.buttons]


@dataclass(slots=True)
class Foreign:
    """A Telegram on which everybody has the token of the one bot."""

    url: str
    client: aiohttp.ClientSession
    calls: list[Json] = field(default_factory=list)
    presses: int = 0

    # People

    async def write(self, person: Person, text: str, chat: int | None = None) -> None:
        """Send a command to the bot in private, or into a group."""
        command = {"type": "bot_command", "offset": 0, "length": len(text.split()[0])}
        said = {"from": person.json(), "chat": self._chat(chat or person.id), "date": 1_750_000_000, "text": text}
        await self._post("/sendCommand", {"botToken": TOKEN, **said, "entities": [command]})

    async def press(self, person: Person, message: Message, label: str) -> str:
        """Press a button; the number of the press."""
        data = next(data for shown, data in message.buttons if shown.startswith(label))
        of = {"message_id": message.id, "date": 1_750_000_000, "chat": self._chat(message.chat), "text": message.html}
        await self._post("/sendCallback", {"botToken": TOKEN, "from": person.json(), "message": of, "data": data})
        self.presses += 1
        return str(self.presses)

    async def told(self, press: str) -> str:
        """What the presser alone is told, "" when only the spinner goes away."""
        answer = await self.until(lambda: self._answer(press), f"press {press} was not answered")
        text: str = answer["body"].get("text", "")
        return text

    def _answer(self, press: str) -> Json | None:
        answers = (call for call in self.calls if call["method"] == "answerCallbackQuery" and call["status"])
        return next((call for call in answers if call["body"]["callback_query_id"] == press), None)

    # The chat

    async def messages(self, chat: int) -> list[Message]:
        """What the bot has sent there, oldest first."""
        history = (await self._post("/getUpdatesHistory", {"token": TOKEN}))["result"]
        sent = (each for each in history if "chat_id" in each.get("message", {}))
        return [_message(each) for each in sent if int(each["message"]["chat_id"]) == chat]

    async def shows(self, chat: int, text: str, label: str = "") -> Message:
        """Wait for a message with this text, and a button of this label if one is named; the newest of them."""
        while True:
            seen = self._happened
            for message in reversed(await self.messages(chat)):
                if text in message.html and (not label or label in message.labels):
                    return message
            await self.until(lambda seen=seen: self._happened > seen, f"chat {chat} does not show {text!r}")  # type: ignore[misc]

    # The server

    async def refuse(self, method: str, status: int, description: str, **parameters: int) -> None:
        """The next such request is not carried out."""
        fault = {"method": method, "status": status, "description": description, "parameters": parameters}
        await self._post("/fault", fault)

    async def until(self, look: Callable[[], T | None], missing: str) -> T:
        """Wait until a condition on the calls holds."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not (found := look()):
                    async with self.client.get(f"{self.url}/calls?after={self._happened}") as answer:
                        self.calls = await answer.json()
                return found
        except TimeoutError:
            raise AssertionError(f"after {PATIENCE:g} s: {missing}") from None

    @property
    def _happened(self) -> int:
        return len(self.calls) + sum(bool(call["status"]) for call in self.calls)

    @staticmethod
    def _chat(id_: int) -> Json:
        return {"id": id_, "type": "supergroup", "title": "Group"} if id_ < 0 else {"id": id_, "type": "private"}

    async def _post(self, path: str, body: Mapping[str, Any]) -> Json:
        async with self.client.post(self.url + path, json=body) as answer:
            assert answer.status == 200, await answer.text()
            found: Json = await answer.json()
            return found

    def check(self) -> None:
        """Hold every request against the contract, where there is one."""
        validate = contract.load()
        if validate:
            wrong = [
                problem
                for call in self.calls
                for problem in contract.violations(validate, call["method"], call["body"])
            ]
            assert not wrong, "\n".join(wrong)


def _message(kept: Json) -> Message:
    said = kept["message"]
    markup = said.get("reply_markup") or {}
    markup = json.loads(markup) if isinstance(markup, str) else markup
    buttons = (button for row in markup.get("inline_keyboard", []) for button in row)
    shown = tuple((button["text"], button.get("callback_data", "")) for button in buttons)
    return Message(int(said["chat_id"]), kept["messageId"], said.get("text", ""), shown)


@asynccontextmanager
async def foreign() -> AsyncIterator[Foreign]:
    """A new one; its requests are held against the contract on leaving."""
    async with running() as url, aiohttp.ClientSession() as client:
        telegram = Foreign(url, client)
        yield telegram
        telegram.check()
