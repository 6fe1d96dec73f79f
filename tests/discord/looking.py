"""What stands in a message that the adapter would send: its texts, pictures and buttons, from its payload."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from adapters.discord.render import layout
from bot.messages import Card
from tests.discord.reading import read
from tests.discord.server import components
from tests.discord.server.components import Button, Kind, Select
from tests.discord.server.errors import Json


@dataclass(frozen=True, slots=True)
class Looked:
    """A message of components, as it is sent."""

    parts: tuple[Json, ...]

    @property
    def markdown(self) -> str:
        """The texts, with a line `---` for each separator."""
        return "\n".join(filter(None, map(_markdown, self.parts[0]["components"])))

    @property
    def seen(self) -> str:
        """The texts as they are read."""
        return "\n".join(read(text).text for text in components.texts(self.parts))

    @property
    def kinds(self) -> set[str]:
        """What the app makes of the texts."""
        return {kind for text in components.texts(self.parts) for kind in read(text).kinds}

    @property
    def colour(self) -> int:
        colour: int = self.parts[0]["accent_color"]
        return colour

    @property
    def order(self) -> list[Kind]:
        """The kinds of what stands in the frame, from above."""
        return [Kind(part["type"]) for part in self.parts[0]["components"]]

    @property
    def pictures(self) -> list[tuple[str, str]]:
        return components.pictures(self.parts)

    @property
    def rows(self) -> list[list[str]]:
        """The labels of each row of buttons; a list as its placeholder."""
        rows = [part["components"] for part in components.walk(self.parts) if part["type"] == Kind.ROW]
        return [[button.get("label") or f"▾ {button['placeholder']}" for button in row] for row in rows]

    @property
    def buttons(self) -> list[Button]:
        return components.buttons(self.parts)

    @property
    def selects(self) -> list[Select]:
        return components.selects(self.parts)

    @property
    def body(self) -> Json:
        """The body of the request that sends it."""
        return {"components": list(self.parts), "flags": 1 << 15}


def look(card: Card, picture: str | None = None, *, now: datetime | None = None) -> Looked:
    """The card as the adapter would send it."""
    return Looked(tuple(item.to_component_dict() for item in layout(card, picture, now=now).children))


def _markdown(part: Json) -> str:
    return "---" if part["type"] == Kind.SEPARATOR else str(part.get("content") or "")
