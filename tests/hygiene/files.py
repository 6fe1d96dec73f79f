"""The files that make up the repository, with or without its history. Knows nothing of what is looked for in them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
MADE = frozenset({"__pycache__", "dist", "build"})
"""Folders that are made from the repository; like all that begin with a dot, or end as an installed package does."""


def files(root: Path) -> list[Path]:
    """Every file that is in the repository or about to be; in an archive without history, all that is not made."""
    listed = _listed(root)
    return sorted(_walked(root) if listed is None else listed)


def _listed(root: Path) -> list[Path] | None:
    git = shutil.which("git")
    if git is None or not (root / ".git").exists():
        return None
    command = [git, "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    done = subprocess.run(command, cwd=root, capture_output=True, check=False)
    if done.returncode:
        return None
    return [path for name in done.stdout.decode().split("\0") if name and (path := root / name).is_file()]


def _walked(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.is_file():
            yield path
        elif path.is_dir() and not _is_made(path):
            yield from _walked(path)


def _is_made(folder: Path) -> bool:
    return folder.name in MADE or folder.name.startswith(".") or folder.suffix == ".egg-info"
