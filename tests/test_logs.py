"""Log lines: one an event, whatever people are called, and a traceback only for what nobody foresaw."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bot.logs import LineFormatter, to_stderr
from bot.ports import StoreError, UnavailableError

STAMP = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"


class OddError(Exception):
    """Nobody foresaw it."""


def line(message: str, *values: object, error: Exception | None = None, foreseen: type[Exception] = StoreError) -> str:
    record = logging.LogRecord("bot.part", logging.ERROR, __file__, 1, message, values, _raised(error))
    return LineFormatter(foreseen).format(record)


def _raised(error: Exception | None) -> tuple[type[Exception], Exception, None] | None:
    return (type(error), error, None) if error else None


def test_a_line_has_time_level_logger_and_message() -> None:
    assert re.fullmatch(rf"{STAMP} ERROR   bot\.part: Ann left", line("%s left", "Ann"))


@pytest.mark.parametrize("name", ["a\nb", "a\r\x1b[2Jb", "a\u2028b", "a\u202eb", "a\x00b", "\ud800"])
def test_no_name_makes_a_line_of_its_own_or_turns_one(name: str) -> None:
    said = line("%s left", name)
    assert said.isprintable()
    assert said.endswith(" left")


def test_letters_of_every_language_stay() -> None:
    assert line("%s", "Мария ă 👩‍🎓").endswith("Мария ă 👩\\u200d🎓")


def test_a_foreseen_error_is_said_in_the_line() -> None:
    said = line("not kept", error=StoreError("the disk is full\nreally"))
    assert said.endswith("not kept: really")
    assert "\n" not in said


def test_an_unforeseen_error_has_its_traceback_indented_below() -> None:
    first, *rest = line("broken", error=OddError("a\nb")).splitlines()
    assert first.endswith("bot.part: broken")
    assert [each.startswith("    ") for each in rest] == [True] * len(rest)
    assert rest


def test_what_was_taken_out_of_a_traceback_stays_out() -> None:
    record = logging.LogRecord("bot", logging.ERROR, "", 1, "broken", (), _raised(StoreError("secret")))
    record.exc_text = "StoreError: <redacted>"
    assert LineFormatter(StoreError).format(record).endswith("broken: StoreError: <redacted>")


@contextmanager
def logging_to_stderr() -> Iterator[None]:
    """As the program does it; afterwards the tests' own handlers are back."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    root.handlers.clear()
    to_stderr(OddError)
    try:
        yield
    finally:
        root.handlers[:], root.level = handlers, level
        for name in ("bot", "adapters"):
            logging.getLogger(name).setLevel(logging.NOTSET)


def test_libraries_are_heard_only_when_they_warn(capsys: pytest.CaptureFixture[str]) -> None:
    with logging_to_stderr():
        for name in ("bot.part", "adapters.telegram", "aiohttp.access"):
            logging.getLogger(name).debug("%s whispers", name)
            logging.getLogger(name).info("%s speaks", name)
        logging.getLogger("aiohttp").warning("warns")
    out, err = capsys.readouterr()
    assert out == ""
    assert [each.split(": ", 1)[1] for each in err.splitlines()] == [
        "bot.part speaks",
        "adapters.telegram speaks",
        "warns",
    ]


def test_errors_of_ours_and_of_platforms_are_foreseen(capsys: pytest.CaptureFixture[str]) -> None:
    with logging_to_stderr():
        for error in (OddError("odd"), UnavailableError("down"), OSError("gone")):
            logging.getLogger("bot").error("failed", exc_info=error)
    assert len(capsys.readouterr().err.splitlines()) == 3
