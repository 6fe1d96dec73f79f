"""The story of a channel as people saw it come about, to be read aloud. Knows nothing of the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.discord.server import components

if TYPE_CHECKING:
    from tests.discord.server.messages import Message


class Transcript:
    """One entry for everything that happened. Messages are numbered from 1 within the channel."""

    def __init__(self, title: str) -> None:
        self._entries = [f"== {title} =="]
        self._numbers: dict[str, int] = {}

    def text(self) -> str:
        return "\n\n".join(self._entries) + "\n"

    def wrote(self, message: Message) -> None:
        number = self._numbers.setdefault(message.id, len(self._numbers) + 1)
        name = message.author.get("global_name") or message.author["username"]
        alone = f" to {message.only_for.name} alone" if message.only_for else ""
        self._entries.append(f"{number}. {name}{alone}:\n{_indented(drawn(message))}")

    def edited(self, message: Message) -> None:
        self._entries.append(f"{self._number(message)}. is changed in place:\n{_indented(drawn(message))}")

    def deleted(self, message: Message) -> None:
        self.said(f"{self._number(message)}. is deleted")

    def pressed(self, name: str, what: str, message: Message) -> None:
        self.said(f"{name} presses [{what}] under {self._number(message)}")

    def said(self, what: str) -> None:
        self._entries.append(f"* {what}")

    def _number(self, message: Message) -> int:
        return self._numbers.setdefault(message.id, len(self._numbers) + 1)


def drawn(message: Message) -> str:
    """The text as it is read, pictures above it, buttons and lists below."""
    pictures = [f"[picture: {words}]" for _, words in message.pictures]
    buttons = [f"[{button.label}]" for button in components.buttons(message.components)]
    lists = [f"<{' | '.join(select.labels)}>" for select in message.selects]
    return "\n".join([*pictures, *message.text.splitlines(), *lists, *([" ".join(buttons)] if buttons else [])])


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())
