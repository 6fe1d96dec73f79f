"""Writes content/quiz.schema.json anew: python -m bot.content.schema. Knows nothing of what stands in it."""

from __future__ import annotations

from pathlib import Path

from bot.content.editor import schema_text

SCHEMA_FILE = Path(__file__).parents[2] / "content" / "quiz.schema.json"


def main() -> None:
    """Writes the file; the same on every operating system."""
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
