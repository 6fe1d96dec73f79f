"""Keeps secrets out of every log line and error text. Knows neither how a platform's secrets look nor who logs.

They are taken out where a log record is made: that covers every logger and every handler, those of libraries and those
added later included.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from typing import Any

SHORTEST = 8
"""Characters; what is shorter is no secret, and would be found in innocent words."""

Rule = tuple[re.Pattern[str], str]
"""What a secret looks like, and what is written in its place (a template, as for `re.sub`)."""

_AUTHORITY = re.compile(r"[^/?#]*//([^/?#]*)")


def named(secrets: Iterable[str], replacement: str, before: str = "") -> list[Rule]:
    """Rules for these very secrets, with `before` where that stands in front, if they have 8 characters or more."""
    optional = f"(?:{re.escape(before)})?"
    return [(re.compile(optional + re.escape(each)), replacement) for each in secrets if len(each) >= SHORTEST]


def without(text: str, rules: Iterable[Rule]) -> str:
    """`text` with nothing in it that one of the rules is for."""
    for shape, replacement in rules:
        text = shape.sub(replacement, text)
    return text


def host_of(url: str) -> str:
    """Host and port of an address, without what may be secret in it: path, query, name and password."""
    found = _AUTHORITY.match(url)
    return (found and found[1].rpartition("@")[2]) or "an address without a host"


class Redaction:
    """Makes log records as `make` does, and takes the secrets out: of message, arguments, traceback and stack."""

    def __init__(self, make: Callable[..., logging.LogRecord], rules: tuple[Rule, ...]) -> None:
        self.make = make
        self.rules = rules

    def __call__(self, *args: Any, **kwargs: Any) -> logging.LogRecord:
        record = self.make(*args, **kwargs)
        self._redact_message(record)
        if record.exc_info and record.exc_info[0] is not None:
            # A formatter writes a traceback only where there is no text of it yet.
            record.exc_text = without(logging.Formatter().formatException(record.exc_info), self.rules)
        if record.stack_info:
            record.stack_info = without(record.stack_info, self.rules)
        return record

    def _redact_message(self, record: logging.LogRecord) -> None:
        try:
            message = record.getMessage()
        except Exception:
            # The handler would print message and arguments as they are, to say that they do not fit.
            message = f"{record.msg} {record.args!r}"
            record.msg, record.args = message, ()
        clean = without(message, self.rules)
        if clean != message:
            record.msg, record.args = clean, ()


def install(rules: Iterable[Rule], chatty: Iterable[str]) -> None:
    """From now on no log record holds what these rules are for, and loggers that are `chatty` only warn.

    Call it before the first object is made that knows a secret. Again adds to what is kept out.
    """
    current = logging.getLogRecordFactory()
    make, known = (current.make, current.rules) if isinstance(current, Redaction) else (current, ())
    logging.setLogRecordFactory(Redaction(make, tuple(dict.fromkeys((*rules, *known)))))
    for name in chatty:
        logging.getLogger(name).setLevel(logging.WARNING)
