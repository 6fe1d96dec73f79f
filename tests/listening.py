"""The log as its reader has it, read by a test: every line that is said meanwhile, as text or as JSON."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from bot import logs


@dataclass(frozen=True, slots=True)
class Log:
    """What was said, as JSON; `text` is all of it."""

    _said: io.StringIO = field(default_factory=io.StringIO)

    @property
    def text(self) -> str:
        return self._said.getvalue()

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]

    def about(self, words: str) -> list[dict[str, Any]]:
        """The lines whose message has these words."""
        return [line for line in self.lines if words in line["message"]]


@contextmanager
def listening() -> Iterator[Log]:
    """Hear everything that the program says from INFO up."""
    log = Log()
    handler = logging.StreamHandler(log._said)
    handler.setFormatter(logs.JsonFormatter(*logs.FORESEEN))
    ours = [logging.getLogger(name) for name in logs.OURS]
    levels = [logger.level for logger in ours]
    logging.getLogger().addHandler(handler)
    for logger in ours:
        logger.setLevel(logging.INFO)
    try:
        yield log
    finally:
        logging.getLogger().removeHandler(handler)
        for logger, level in zip(ours, levels, strict=True):
            logger.setLevel(level)
