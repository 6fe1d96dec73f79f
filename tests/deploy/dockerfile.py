"""Reads the Dockerfile and .dockerignore, as far as ours go. Knows no container engine."""

from __future__ import annotations

import json
import re
from functools import cached_property
from pathlib import PurePosixPath

from tests.deploy.reading import DEPLOY, ROOT


class Dockerfile:
    """The instructions of deploy/Dockerfile; lines that go on are one."""

    def __init__(self, text: str | None = None) -> None:
        text = text or (DEPLOY / "Dockerfile").read_text("utf-8")
        lines = re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
        self.instructions = [
            (each[0], " ".join(each[1].split())) for each in re.findall(r"^([A-Z]+) (.*)$", lines, re.MULTILINE)
        ]

    def all(self, name: str) -> list[str]:
        """What stands after each instruction of this name."""
        return [rest for each, rest in self.instructions if each == name]

    def last(self, name: str) -> str:
        """What holds in the end."""
        return self.all(name)[-1]

    @cached_property
    def environment(self) -> dict[str, str]:
        """The variables of the finished image."""
        return {name: value.strip('"') for name, value in re.findall(r'(\w+)=("[^"]*"|\S+)', self.last("ENV"))}

    @cached_property
    def ports(self) -> set[int]:
        """Where it listens."""
        return set(map(int, self.last("EXPOSE").split()))

    @cached_property
    def user(self) -> int:
        """The number of who runs it."""
        return int(self.last("USER").partition(":")[0])

    @cached_property
    def health(self) -> list[str]:
        """The command that says whether it is well."""
        found: list[str] = json.loads(self.last("HEALTHCHECK").partition("CMD ")[2])
        return found

    @cached_property
    def sources(self) -> list[str]:
        """What is copied from the repository."""
        copies = [each.split() for each in self.all("COPY") if not each.startswith("--from")]
        return [source for each in copies for source in each[:-1]]


def let_in(path: str) -> bool:
    """Whether .dockerignore lets a file of the repository into the build: the last line about it, or about a folder
    around it, decides."""
    parts = PurePosixPath(path).parts
    names = ["/".join(parts[: at + 1]) for at in range(len(parts))]
    inside = True
    for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines():
        pattern = line.strip()
        if pattern and not pattern.startswith("#") and any(_matches(name, pattern.lstrip("!")) for name in names):
            inside = pattern.startswith("!")
    return inside


PARTS = {"**/": "(.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def _matches(name: str, pattern: str) -> bool:
    def spelled(part: re.Match[str]) -> str:
        return PARTS.get(part[0]) or (part[0] if part[0].startswith("[") else re.escape(part[0]))

    return re.fullmatch(re.sub(r"\*\*/|\*\*|\[[^]]*\]|.", spelled, pattern), name) is not None
