"""Whether a picture that a quiz names is there, and of a kind that every platform shows. Knows nothing of quizzes."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from bot.content.problems import quoted

_BEGINNINGS = {
    ".png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    ".jpg": re.compile(rb"\xff\xd8\xff"),
    ".jpeg": re.compile(rb"\xff\xd8\xff"),
    ".gif": re.compile(rb"GIF8[79]a"),
    ".webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
}


def picture_fault(folder: Path, written: str) -> str | None:
    """What is wrong with the picture `written` in a quiz file of `folder`, and what to do; None when all is well."""
    suffix = PurePosixPath(written).suffix.lower()
    if suffix not in _BEGINNINGS:
        return f"{quoted(written)} is not a picture that every platform shows; use .png, .jpg, .jpeg, .gif or .webp"
    if "\\" in written or PurePosixPath(written).is_absolute() or ":" in written:
        return f"{quoted(written)} is not a path from this file's folder; write one with '/', such as img/graph.png"
    try:
        return _file_fault(folder, written, _BEGINNINGS[suffix])
    except (OSError, ValueError, RuntimeError):  # a name too long, a loop of links, no permission
        return f"the picture {quoted(written)} cannot be read; check its name and its permissions"


def _file_fault(folder: Path, written: str, beginning: re.Pattern[bytes]) -> str | None:
    path = (folder / written).resolve()
    if not path.is_relative_to(folder.resolve()):
        return f"the picture {quoted(written)} is outside the content folder; copy it into the folder"
    if not (path.is_file() or path.is_symlink()):
        return f"there is no picture {quoted(written)} in the content folder; check the path, capitals too"
    with path.open("rb") as file:
        if not beginning.match(file.read(16)):
            return f"{quoted(written)} does not hold what its name says; save the picture anew under that name"
    return None
