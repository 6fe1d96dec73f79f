"""Writes content/quiz.schema.json anew: python -m bot.content.schema. Knows nothing of what stands in it."""

from __future__ import annotations

from pathlib import Path

from bot.content.editor import schema_text

SCHEMA_FILE = Path(__file__).parents[2] / "content" / "quiz.schema.json"


def write(target: Path) -> None:
    """Writes the schema, the same on every operating system."""
    target.write_text(schema_text(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write(SCHEMA_FILE)
