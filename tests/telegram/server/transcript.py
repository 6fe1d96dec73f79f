"""The story of a chat as people saw it come about, to be read aloud. Knows nothing of the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.telegram.server.markup import cut, units

if TYPE_CHECKING:
    from tests.telegram.server.messages import Message
    from tests.telegram.server.queries import Answer


class Transcript:
    """One entry for everything that happened. Messages are numbered from 1 within the chat."""

    def __init__(self, title: str) -> None:
        self._entries = [f"== {title} =="]
        self._numbers: dict[int, int] = {}

    def text(self) -> str:
        return "\n\n".join(self._entries) + "\n"

    def wrote(self, message: Message) -> None:
        if not message.said.text and not message.image:
            self.said(f"{_name(message)}: {', '.join(key for key in message.extra if key != 'sender_chat')}")
            return
        number = self._numbers.setdefault(message.id, len(self._numbers) + 1)
        place = f" in {message.topic}" if message.topic else ""
        answered = self._numbers.get(message.reply_to.id) if message.reply_to else None
        reply = f" (to {answered})" if answered else ""
        self._entries.append(f"{number}. {_name(message)}{place}{reply}:\n{_indented(drawn(message))}")

    def edited(self, message: Message) -> None:
        number = self._numbers.get(message.id, 0)
        self._entries.append(f"{number}. is changed in place:\n{_indented(drawn(message))}")

    def deleted(self, message: Message) -> None:
        self.said(f"{self._numbers.get(message.id, 0)}. is deleted")

    def said(self, what: str) -> None:
        self._entries.append(f"* {what}")

    def pressed(self, name: str, label: str, message: Message) -> None:
        self.said(f"{name} presses [{label}] under {self._numbers.get(message.id, 'a message of long ago')}")

    def popped_up(self, name: str, answer: Answer) -> None:
        where = "in a box that has to be closed" if answer.alert else "in a pop-up"
        if answer.text:
            self._entries.append(f"  → {name} alone, {where}:\n{_indented(answer.text)}")
        if answer.url:
            self._entries.append(f"  → {name} alone is led to {answer.url}")


def drawn(message: Message) -> str:
    """The text with quotes set off and addresses written out, and the buttons below."""
    image = [f"[{message.image.kind}]"] if message.image else []
    rows = [" ".join(f"[{label}]" for label in row) for row in message.keyboard]
    return "\n".join([*image, *_with_addresses(message).splitlines(), *rows])


def _with_addresses(message: Message) -> str:
    text = message.said.text
    inserts: list[tuple[int, str]] = []
    for entity in message.entities:
        start, end = entity["offset"], entity["offset"] + entity["length"]
        if entity["type"] == "text_link":
            inserts.append((end, f" <{entity['url']}>"))
        elif entity["type"] in ("blockquote", "expandable_blockquote"):
            part = cut(text, start, entity["length"])
            breaks = [start + units(part[:at]) + 1 for at, letter in enumerate(part) if letter == "\n"]
            inserts += [(at, "> ") for at in (start, *breaks)]
        elif entity["type"] == "spoiler":
            inserts += [(start, "||"), (end, "||")]
    for at, insert in sorted(inserts, reverse=True):
        text = cut(text, 0, at) + insert + cut(text, at, units(text) - at)
    return text


def _name(message: Message) -> str:
    sender = message.extra.get("sender_chat")
    return str(sender["title"] if sender else message.author["first_name"])


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())
