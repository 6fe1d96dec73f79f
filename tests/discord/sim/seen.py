"""What somebody sees: messages as they are read, and what a command or press was answered with. Changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from simcord.backend.models import Interaction, Message
from simcord.env import Env
from simcord.results import InteractionResult, ResponseMessage

from tests.discord.server import components
from tests.discord.server.components import Button, Select, begins
from tests.discord.server.markdown import read

EPHEMERAL = 1 << 6


@dataclass(frozen=True, eq=False)
class Seen:
    """A message, as it is now. Two of the same message are equal."""

    env: Env
    stored: Message

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Seen) and other.id == self.id

    def __hash__(self) -> int:
        return hash(self.id)

    @property
    def id(self) -> int:
        return self.stored.id

    @property
    def handle(self) -> ResponseMessage:
        """As the simulator takes it."""
        return ResponseMessage(self.env, self.stored)

    @property
    def markdown(self) -> str:
        """The texts as they were sent, one below the other."""
        return "\n".join(filter(None, [self.stored.content, *components.texts(self.stored.components)]))

    @property
    def text(self) -> str:
        """The texts as they are read."""
        return read(self.markdown)

    @property
    def units(self) -> int:
        """How much of Discord's room for texts they take."""
        return sum(len(text.encode("utf-16-le")) // 2 for text in components.texts(self.stored.components))

    @property
    def buttons(self) -> list[str]:
        """The labels, in order."""
        return [button.label for button in components.buttons(self.stored.components)]

    @property
    def selects(self) -> list[Select]:
        return components.selects(self.stored.components)

    @property
    def pictures(self) -> list[tuple[str, str]]:
        """File name and words of every picture shown."""
        shown = components.pictures(self.stored.components)
        return [(address.rsplit("/", 1)[-1], words) for address, words in shown]

    @property
    def colour(self) -> int | None:
        return next((part["accent_color"] for part in self.stored.components if part.get("accent_color")), None)

    @property
    def ephemeral(self) -> bool:
        return bool(self.stored.flags & EPHEMERAL)

    @property
    def pinged(self) -> bool:
        """Whether it notified anybody."""
        return bool(self.stored.mention_everyone or self.stored.ping_user_ids or self.stored.ping_role_ids)

    def button(self, label: str) -> Button:
        """The button with this label, or whose label begins with these words."""
        found = components.buttons(self.stored.components)
        chosen = [each for each in found if each.label == label] or [
            each for each in found if begins(each.label, label)
        ]
        assert chosen, f"no button {label!r} among {self.buttons} of:\n{self.text}"
        return chosen[0]

    def has(self, label: str) -> bool:
        return any(begins(each, label) for each in self.buttons)

    def __str__(self) -> str:
        lists = [f"<{' | '.join(select.labels)}>" for select in self.selects]
        return "\n".join([self.text, *lists, " ".join(f"[{label}]" for label in self.buttons)])


@dataclass(frozen=True)
class Field:
    """A field of a form: its label, what can be chosen (nothing in one to write in), and what is chosen so far."""

    label: str
    choices: tuple[str, ...]
    chosen: tuple[str, ...]


@dataclass(frozen=True)
class Said:
    """What became of a command, a press or a form, and how long its author had to wait."""

    env: Env
    result: InteractionResult
    took: timedelta

    @property
    def record(self) -> Interaction:
        return self.result._interaction

    @property
    def kind(self) -> str | None:
        """`message`, `update` (of the pressed message), `deferred_update` (nothing is said), `modal`, `autocomplete`;
        None: it was not answered."""
        return self.record.response_kind.value if self.record.response_kind else None

    @property
    def message(self) -> Seen | None:
        """The message that it was answered with, or whose place the answer took."""
        number = self.record.message_id
        stored = self.env.backend.messages.get(self.record.channel_id, {}).get(number) if number else None
        return Seen(self.env, stored) if stored else None

    @property
    def shown(self) -> Seen:
        assert self.message is not None, f"no message but {self.kind}"
        return self.message

    @property
    def text(self) -> str:
        """The words of the message; nothing where there is none."""
        return self.message.text if self.message else ""

    @property
    def alone(self) -> bool:
        """Whether it was said in a message that only whoever asked can see."""
        return self.kind == "message" and self.record.ephemeral

    @property
    def title(self) -> str:
        """The title of the form."""
        return str(self._form["title"])

    @property
    def fields(self) -> list[Field]:
        """Those of the form."""
        return [_field(part["label"], part["component"]) for part in self._form["components"]]

    @property
    def _form(self) -> dict[str, Any]:
        assert self.record.modal is not None, f"no form but {self.kind}: {self.text}"
        return self.record.modal

    def values(self, filled: dict[str, str]) -> dict[str, Any]:
        """What is sent with the form when this is chosen or written, by the labels of its fields; the rest stays."""
        unknown = set(filled) - {field.label for field in self.fields}
        assert not unknown, f"no field {unknown} in {self.fields}"
        return dict(_filled(self._form, filled))


def _filled(form: dict[str, Any], filled: dict[str, str]) -> Iterator[tuple[str, Any]]:
    for part in form["components"]:
        field, wanted = part["component"], filled.get(part["label"])
        if "options" not in field:
            yield field["custom_id"], wanted or ""
        else:
            (select,) = components.selects([field])
            labels = [wanted] if wanted is not None else list(select.chosen)
            yield field["custom_id"], select.values(labels)


def _field(label: str, component: dict[str, Any]) -> Field:
    selects = components.selects([component])
    return Field(label, *((tuple(selects[0].labels), selects[0].chosen) if selects else ((), ())))
