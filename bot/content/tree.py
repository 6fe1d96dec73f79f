"""A quiz file as a tree of texts, lists and mappings, each with its place. Knows nothing of what a quiz consists of.

Every scalar stays the text that was written: `No`, `012`, `12:30` and `~` are what they look like; no type is guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import yaml

from bot.content.characters import NOT_IN_A_TEXT, named, remedy
from bot.content.escapes import places_of
from bot.content.problems import quoted
from bot.content.remarks import Loc, Step
from bot.content.source import Fault, Source
from bot.content.syntax import place_and_words

DEEPEST = 12
"""Lists and mappings inside each other. A quiz needs six; the limit keeps hostile nesting from costing anything."""

MOST_KEYS = 100
"""Of one mapping. A text in fifty languages needs fifty."""

MOST_FAULTS = 1_000
"""Of one file. Whoever has more has not written a quiz."""

_BLOCKS = ("|", ">")
"""Styles of text in which the last line break is how the text is written, not what it says."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(slots=True)
class Node:
    """One value of the file, None when YAML has spoilt it. `index` is where it starts; `keys` is where each key of a
    mapping starts."""

    index: int
    content: str | list[Node] | dict[str, Node] | None
    keys: dict[str, int] = field(default_factory=dict)

    def plain(self) -> object:
        """The value as strings, lists and dicts; None where it cannot be read."""
        if isinstance(self.content, list):
            return [node.plain() for node in self.content]
        if isinstance(self.content, dict):
            return {key: node.plain() for key, node in self.content.items()}
        return self.content

    def place(self, loc: Loc) -> int:
        """The index of the value at `loc`, or of the last value on the way there that exists."""
        node = self
        for step in loc:
            inner = node._inner(step)
            if inner is None:
                break
            node = inner
        return node.index

    def key_place(self, loc: Loc) -> int:
        """The index of the key that the last step of `loc` names."""
        node = self
        for step in loc[:-1]:
            node = node._inner(step) or node
        return node.keys.get(str(loc[-1]), node.index)

    def rename(self, written: str, key: str) -> None:
        """Gives the key `written` of a mapping the name `key`, which stands at the same place."""
        if isinstance(self.content, dict):
            self.content[key] = self.content.pop(written)
            self.keys[key] = self.keys.pop(written)

    def gather(self, key: str, inner: list[str]) -> None:
        """Puts the keys `inner` of a mapping into a mapping of their own under `key`, which stands at the first."""
        if isinstance(self.content, dict):
            moved = {name: self.content.pop(name) for name in inner}
            places = {name: self.keys.pop(name) for name in inner}
            self.keys[key] = min(places.values())
            self.content[key] = Node(self.keys[key], moved, places)

    def _inner(self, step: Step) -> Node | None:
        if isinstance(self.content, dict):
            return self.content.get(str(step))
        if isinstance(self.content, list) and isinstance(step, int) and step < len(self.content):
            return self.content[step]
        return None


class _UnreadableError(Exception):
    """The file cannot be read any further."""

    def __init__(self, index: int, message: str) -> None:
        super().__init__(message)
        self.fault = Fault(index, message)


def read_tree(source: Source) -> tuple[Node | None, tuple[Fault, ...]]:
    """The file's one document, and whatever YAML it must not use. There is no tree when the file is not YAML."""
    reader = _Reader(source)
    try:
        return reader.document(), tuple(reader.faults)
    except _UnreadableError as refused:
        return None, (*reader.faults, refused.fault)
    except yaml.MarkedYAMLError as error:
        return None, (*reader.faults, Fault(*place_and_words(error, source.text)))
    except (yaml.YAMLError, ValueError, OverflowError):  # only from the pure Python parser, which gives no place
        return None, (*reader.faults, Fault(0, "the file holds a character code that does not exist; remove it"))


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._events: Iterator[yaml.Event] = iter(_events(source.text))
        self.faults: list[Fault] = []

    def document(self) -> Node:
        next(self._events)  # the stream starts
        if not isinstance(next(self._events), yaml.DocumentStartEvent):
            raise _UnreadableError(0, "the file is empty; write a quiz into it")
        root = self._node(next(self._events), 1)
        next(self._events)  # the document ends
        if isinstance(after := next(self._events), yaml.DocumentStartEvent):
            raise _UnreadableError(_start(after), "a second document; a file holds one quiz: move this to its own file")
        return root

    def _node(self, event: yaml.Event, depth: int) -> Node:
        index = _start(event)
        is_decorated = self._decoration(event, index)
        if isinstance(event, yaml.ScalarEvent):
            return Node(index, None) if is_decorated else self._text(event, index)
        if isinstance(event, yaml.AliasEvent):
            return Node(index, None)
        if depth > DEEPEST:
            raise _UnreadableError(index, f"more than {DEEPEST} levels, which is Quizbot's own limit; a quiz needs 6")
        if isinstance(event, yaml.SequenceStartEvent):
            return Node(index, [self._node(item, depth + 1) for item in _until(self._events, yaml.SequenceEndEvent)])
        return self._mapping(index, depth)

    def _mapping(self, index: int, depth: int) -> Node:
        node, content = Node(index, {}), dict[str, Node]()
        node.content = content
        for event in _until(self._events, yaml.MappingEndEvent):
            key = self._node(event, depth + 1)
            value = self._node(next(self._events), depth + 1)
            if key.content is None:
                continue
            if not isinstance(key.content, str):
                self._fault(key.index, "a list or mapping as a key; a key is one word")
            elif len(content) == MOST_KEYS:
                raise _UnreadableError(key.index, f"more than {MOST_KEYS} keys in one mapping; a quiz needs no more")
            elif key.content in content:
                self._twice(key.content, node.keys[key.content], key.index)
            else:
                node.keys[key.content] = key.index
                content[key.content] = value
        return node

    def _text(self, event: yaml.ScalarEvent, index: int) -> Node:
        text: str = event.value
        if event.style in _BLOCKS:
            text = text.rstrip("\n")
        for sign in dict.fromkeys(NOT_IN_A_TEXT.findall(text)):
            how = remedy(sign, double_quoted=event.style == '"')
            written = self._source.text[index : _end(event)]
            for place in places_of(sign, text, written, event.style) or [0]:
                self._fault(index + place, f"{named(sign)} in this text; {how}", spoilt=index)
        return Node(index, text)

    def _decoration(self, event: yaml.Event, index: int) -> bool:
        """Refuses what quiz files do not use of YAML, and says whether there was any."""
        anchor, tag = getattr(event, "anchor", None), getattr(event, "tag", None)
        is_alias = isinstance(event, yaml.AliasEvent)
        found = [("an alias", f"*{anchor}") if is_alias else ("an anchor", f"&{anchor}")] if anchor is not None else []
        found += [("a tag", tag)] if tag is not None else []
        for name, written in found:
            what = f"{name} {quoted(written)}, which quiz files do not use; if it is text, put it in single quotes"
            self._fault(index, what, None if isinstance(event, yaml.CollectionStartEvent) else index)
        return bool(found)

    def _twice(self, key: str, first: int, second: int) -> None:
        line, column = self._source.place(first)
        what = f"the key {quoted(key)} is here a second time, first at {line}:{column}; remove one of the two"
        self._fault(second, what)

    def _fault(self, index: int, message: str, spoilt: int | None = None) -> None:
        self.faults.append(Fault(index, message, spoilt))
        if len(self.faults) == MOST_FAULTS:
            raise _UnreadableError(index, f"{MOST_FAULTS:,} faults up to here; mend these, then check again")


def _start(event: yaml.Event) -> int:
    mark = event.start_mark
    return mark.index if mark else 0


def _end(event: yaml.Event) -> int:
    mark = event.end_mark
    return mark.index if mark else _start(event)


def _events(text: str) -> Iterable[yaml.Event]:
    return yaml.parse(text, Loader=_LOADER)


def _until(events: Iterator[yaml.Event], end: type[yaml.Event]) -> Iterator[yaml.Event]:
    while not isinstance(event := next(events), end):
        yield event
