"""Log lines for the one who runs this: one line an event, safe against what people write, on stderr. Knows no part.

A line says which session it is about, where one is known (`bot.tracing`), and never who: ids of people, which their
private chats have as well, are taken out here, names are not logged at all.
"""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime

from bot import platforms, tracing
from bot.ports import DeliveryError, StoreError
from bot.supervising import HopelessError

OURS = ("bot", "adapters")
FORESEEN = (StoreError, DeliveryError, HopelessError, OSError)
"""Errors whose words are enough; a traceback would hide them."""

TEXT, JSON = "text", "json"

_PERSON = re.compile(rf"\b({'|'.join(each.name for each in platforms.PLATFORMS)}):[1-9]\d*", re.ASCII)


class LineFormatter(logging.Formatter):
    """Time in UTC, level, logger, message, session. What is no letter or sign is escaped, so that no name makes a line
    of its own. Only an error of none of these kinds, which nobody foresaw, has its traceback below, indented."""

    def __init__(self, *foreseen: type[Exception]) -> None:
        super().__init__()
        self._foreseen = foreseen

    def format(self, record: logging.LogRecord) -> str:
        """The record as lines of text."""
        message, trace = self._said(record)
        about = tracing.session()
        suffix = f" session={_plain(about)}" if about else ""
        line = f"{_time(record, 'seconds')} {record.levelname:<7} {record.name}: {message}{suffix}"
        return "\n".join([line, *(f"    {each}" for each in trace.splitlines())])

    def _said(self, record: logging.LogRecord) -> tuple[str, str]:
        """The message, with the words of an error that was foreseen; the traceback of one that was not."""
        message = _plain(_anonymous(record.getMessage()))
        if not record.exc_info or record.exc_info[1] is None:
            return message, ""
        # Where tokens are taken out of records, the traceback is there already, without them.
        trace = _anonymous(record.exc_text or self.formatException(record.exc_info))
        if isinstance(record.exc_info[1], self._foreseen):
            return f"{message}: {_plain(trace.strip().splitlines()[-1])}", ""
        return message, trace


class JsonFormatter(LineFormatter):
    """The same as one JSON object a line: `time`, `level`, `logger`, `message`; where known, `session` and `worker`;
    with an error its type as `exception`, and as `trace` the traceback of one that nobody foresaw."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line of JSON."""
        message, trace = self._said(record)
        kind = record.exc_info[0] if record.exc_info else None
        told = {
            "time": _time(record, "milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": message,
            "session": tracing.session(),
            "worker": tracing.WORKER.get(),
            "exception": kind and kind.__name__,
            "trace": trace or None,
        }
        return json.dumps({name: value for name, value in told.items() if value is not None})


def _time(record: logging.LogRecord, exactness: str) -> str:
    at = datetime.fromtimestamp(record.created, UTC)
    return f"{at.replace(tzinfo=None).isoformat(timespec=exactness)}Z"


def _anonymous(text: str) -> str:
    """Without ids of people and of private chats. Groups have other ids, and stay."""
    return _PERSON.sub(r"\1:*", text)


def _plain(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def to_stderr(*foreseen: type[Exception], form: str = TEXT) -> None:
    """Log to stderr from now on: what this program does from INFO up, what libraries say from WARNING up.

    `foreseen` are errors of platforms whose words are enough; `form` is TEXT or JSON.
    """
    handler = logging.StreamHandler()
    handler.setFormatter((JsonFormatter if form == JSON else LineFormatter)(*FORESEEN, *foreseen))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    for name in OURS:
        logging.getLogger(name).setLevel(logging.INFO)
