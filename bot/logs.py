"""Log lines for the one who runs this: one line an event, safe against what people write, on stderr. Knows no part."""

from __future__ import annotations

import logging
from datetime import UTC, datetime

from bot.ports import DeliveryError, StoreError
from bot.supervising import HopelessError

OURS = ("bot", "adapters")
FORESEEN = (StoreError, DeliveryError, HopelessError, OSError)
"""Errors whose words are enough; a traceback would hide them."""


class LineFormatter(logging.Formatter):
    """Time in UTC, level, logger, message. What is no letter or sign is escaped, so that no name makes a line of its
    own. Only an error of none of these kinds, which nobody foresaw, has its traceback below, indented."""

    def __init__(self, *foreseen: type[Exception]) -> None:
        super().__init__()
        self._foreseen = foreseen

    def format(self, record: logging.LogRecord) -> str:
        """The record as lines of text."""
        at = datetime.fromtimestamp(record.created, UTC)
        line = f"{at:%Y-%m-%dT%H:%M:%SZ} {record.levelname:<7} {record.name}: {_plain(record.getMessage())}"
        if not record.exc_info or record.exc_info[1] is None:
            return line
        # Where tokens are taken out of records, the traceback is there already, without them.
        trace = record.exc_text or self.formatException(record.exc_info)
        if isinstance(record.exc_info[1], self._foreseen):
            return f"{line}: {_plain(trace.strip().splitlines()[-1])}"
        return "\n".join([line, *(f"    {each}" for each in trace.splitlines())])


def _plain(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def to_stderr(*foreseen: type[Exception]) -> None:
    """Log to stderr from now on: what this program does from INFO up, what libraries say from WARNING up.

    `foreseen` are errors of platforms whose words are enough.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(LineFormatter(*FORESEEN, *foreseen))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    for name in OURS:
        logging.getLogger(name).setLevel(logging.INFO)
