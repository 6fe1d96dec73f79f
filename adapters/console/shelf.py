"""Which quizzes a folder offers, by the names of their files. Opens none of them."""

from __future__ import annotations

from pathlib import Path


def slugs(folder: Path) -> list[str]:
    """The quizzes that can be asked for, in order. What is not among them names no quiz, and never a path."""
    return sorted(path.stem for path in folder.glob("[!.]*.yaml"))


def file_of(folder: Path, slug: str) -> Path:
    """The file of one of them."""
    return folder / f"{slug}.yaml"
