"""Reads what is in deploy/: files of several formats as plain values. Knows nothing of what they should say."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import yaml

from bot.cli import cli

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PROJECT: Mapping[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


class StrictLoader(yaml.SafeLoader):
    """YAML in which no key stands twice: the last one would win without a word."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        twice = {key for key in keys if keys.count(key) > 1}
        if twice:
            raise yaml.constructor.ConstructorError(None, None, f"twice: {twice}", node.start_mark)
        return super().construct_mapping(node, deep)


def documents(path: Path) -> list[Any]:
    """Every document of a YAML file."""
    with path.open(encoding="utf-8") as file:
        return list(yaml.load_all(file, StrictLoader))


def document(path: Path) -> Any:
    """The one document of a YAML file."""
    (found,) = documents(path)
    return found


def assignments(path: Path) -> dict[str, str]:
    """The variables of a file of settings, with those that are commented out."""
    return dict(re.findall(r"^#? ?([A-Z][A-Z_]+)=(.*)$", path.read_text("utf-8"), re.MULTILINE))


def unit(path: Path) -> dict[str, list[str]]:
    """Key -> values of a systemd unit, in order, whatever their section."""
    found: dict[str, list[str]] = {}
    for key, value in re.findall(r"^(\w+)=(.*)$", path.read_text("utf-8"), re.MULTILINE):
        found.setdefault(key, []).append(value)
    return found


def seconds(text: str) -> float:
    """`45`, `30s`, `5min`."""
    number, of = re.fullmatch(r"(\d+)(s|min|m|h)?", text).groups()  # type: ignore[union-attr]
    return float(number) * {None: 1, "s": 1, "min": 60, "m": 60, "h": 3600}[of]


def faults(arguments: list[str]) -> Iterator[str]:
    """What is wrong with this call of `quizbot`: commands, options and missing arguments; files may be missing."""
    command: click.Command = cli
    context = cli.make_context("quizbot", [], resilient_parsing=True)
    while isinstance(command, click.Group):
        _, rest, _ = command.make_parser(context).parse_args(list(arguments))
        name, *arguments = rest or [""]
        found = command.get_command(context, name)
        if found is None:
            yield f"no such command: {name}"
            return
        command, context = found, found.make_context(name, [], parent=context, resilient_parsing=True)
    try:
        values, rest, _ = command.make_parser(context).parse_args(list(arguments))
    except click.UsageError as error:
        yield error.format_message()
        return
    yield from (f"too much: {each}" for each in rest)
    yield from (f"missing: {each.name}" for each in command.params if each.required and not values.get(each.name or ""))
