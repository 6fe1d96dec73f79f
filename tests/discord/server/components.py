"""What stands in a message or form of components: texts, buttons, selects. Knows no request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from tests.discord.server.errors import Json


class Kind(IntEnum):
    """Types of components."""

    ROW = 1
    BUTTON = 2
    SELECT = 3
    INPUT = 4
    USER_SELECT = 5
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT = 10
    THUMBNAIL = 11
    GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18


LINK = 5
"""The style of a button that leads to an address."""


def walk(components: Sequence[Json] | None) -> Iterator[Json]:
    """Every component, nested ones after what holds them."""
    for component in components or ():
        yield component
        yield from walk(component.get("components"))
        yield from walk([component[name] for name in ("accessory", "component") if component.get(name)])


@dataclass(frozen=True, slots=True)
class Button:
    """A button; one with a `url` leads there and tells the bot nothing."""

    label: str
    custom_id: str | None
    style: int
    disabled: bool
    url: str | None
    number: int | None


@dataclass(frozen=True, slots=True)
class Select:
    """A list to choose `least` to `most` from. `options` are labels and their values, `chosen` the labels preset."""

    custom_id: str
    kind: int
    options: tuple[tuple[str, str], ...]
    chosen: tuple[str, ...]
    least: int
    most: int
    placeholder: str
    disabled: bool
    number: int | None

    @property
    def labels(self) -> list[str]:
        return [label for label, _ in self.options]

    def values(self, labels: Sequence[str]) -> list[str]:
        """The values of these labels; the beginning of a label is enough."""
        return [self._value(label) for label in labels]

    def _value(self, wanted: str) -> str:
        by_label = [value for label, value in self.options if label == wanted]
        found = by_label or [value for label, value in self.options if begins(label, wanted)]
        assert found, f"no option {wanted!r} in {self.labels}"
        return found[0]


def begins(label: str, wanted: str) -> bool:
    """Whether a label begins with these words, whole ones."""
    return label.startswith(wanted) and not label[len(wanted) : len(wanted) + 1].isalnum()


def buttons(components: Sequence[Json] | None) -> list[Button]:
    return [_button(component) for component in walk(components) if component["type"] == Kind.BUTTON]


def selects(components: Sequence[Json] | None) -> list[Select]:
    return [_select(component) for component in walk(components) if component["type"] == Kind.SELECT]


def texts(components: Sequence[Json] | None) -> list[str]:
    """The markdown of every text, in order."""
    return [component["content"] for component in walk(components) if component["type"] == Kind.TEXT]


def pictures(components: Sequence[Json] | None) -> list[tuple[str, str]]:
    """Address and words of every picture of a gallery."""
    items = [item for found in walk(components) if found["type"] == Kind.GALLERY for item in found["items"]]
    return [(item["media"]["url"], item.get("description") or "") for item in items]


def _button(component: Json) -> Button:
    return Button(
        component.get("label") or (component.get("emoji") or {}).get("name") or "",
        component.get("custom_id"),
        component["style"],
        component.get("disabled", False),
        component.get("url"),
        component.get("id"),
    )


def _select(component: Json) -> Select:
    options = component.get("options") or []
    return Select(
        component["custom_id"],
        component["type"],
        tuple((option["label"], option["value"]) for option in options),
        tuple(option["label"] for option in options if option.get("default")),
        component.get("min_values", 1),
        component.get("max_values", 1),
        component.get("placeholder") or "",
        component.get("disabled", False),
        component.get("id"),
    )
