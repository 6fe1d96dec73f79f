"""Log lines: one an event, whatever people are called, and a traceback only for what nobody foresaw."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bot import tracing
from bot.logs import JSON, TEXT, JsonFormatter, LineFormatter, to_stderr
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


# What a line is about


def told(message: str, *values: object, error: Exception | None = None) -> dict[str, str]:
    """The same as JSON."""
    record = logging.LogRecord("bot.part", logging.ERROR, __file__, 1, message, values, _raised(error))
    said = JsonFormatter(StoreError).format(record)
    assert len(said.splitlines()) == 1
    read: dict[str, str] = json.loads(said)
    return read


def test_a_line_says_at_its_end_which_session_it_is_about() -> None:
    with tracing.about("lSorpMhQ878"):
        assert line("it failed").endswith("bot.part: it failed session=lSorpMhQ878")
        first, *rest = line("it failed", error=OddError("odd")).splitlines()
        assert first.endswith("it failed session=lSorpMhQ878")
        assert rest
        assert line("it failed", error=StoreError("full")).endswith("StoreError: full session=lSorpMhQ878")
    assert line("it failed").endswith("it failed")


async def test_what_is_found_out_holds_for_all_that_was_begun_since_and_for_nobody_else() -> None:
    found = asyncio.Event()

    async def answer() -> str | None:
        await found.wait()
        return tracing.session()

    other = asyncio.create_task(answer())
    with tracing.about():
        task = asyncio.create_task(answer())
        tracing.note("first")
        tracing.note("second")
        found.set()
        assert await task == "first"
    assert await other is None
    tracing.note("nobody wants to know")
    assert tracing.session() is None


def test_json_has_a_field_for_everything_and_none_for_nothing() -> None:
    assert told("%s left", "Ann\n").keys() == {"time", "level", "logger", "message"}
    token = tracing.WORKER.set("w1")
    with tracing.about("s1"):
        said = told("it failed", error=OddError("odd\nreally"))
    tracing.WORKER.reset(token)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", said.pop("time"))
    assert said.pop("trace").endswith("OddError: odd\nreally")
    assert said == {
        "level": "ERROR",
        "logger": "bot.part",
        "message": "it failed",
        "session": "s1",
        "worker": "w1",
        "exception": "OddError",
    }


def test_json_has_no_traceback_of_what_was_foreseen() -> None:
    said = told("not kept", error=StoreError("the disk is full"))
    assert said["message"].endswith("the disk is full")
    assert said["exception"] == "StoreError"
    assert "trace" not in said


# Whom it is about


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("chat telegram:4242 is gone", "chat telegram:* is gone"),
        ("chat discord:4242: 403", "chat discord:*: 403"),
        ("telegram:4242:17 came twice", "telegram:*:17 came twice"),
        ("chat telegram:-1004242 is gone", "chat telegram:-1004242 is gone"),
        ("chat telegram:-1004242/7", "chat telegram:-1004242/7"),
        ("chat discord:#4242/17", "chat discord:#4242/17"),
        ("at 127.0.0.1:8080", "at 127.0.0.1:8080"),
    ],
)
def test_ids_of_people_are_taken_out_and_those_of_groups_stay(said: str, read: str) -> None:
    assert line("%s", said).endswith(f": {read}")
    assert told("%s", said)["message"] == read


def test_ids_of_people_are_taken_out_of_tracebacks() -> None:
    assert "4242" not in line("broken", error=OddError("telegram:4242"))
    assert "4242" not in line("broken", error=StoreError("telegram:4242"))
    assert "4242" not in str(told("broken", error=OddError("telegram:4242")))


@contextmanager
def logging_to_stderr(form: str = TEXT) -> Iterator[None]:
    """As the program does it; afterwards the tests' own handlers are back."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    root.handlers.clear()
    to_stderr(OddError, form=form)
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


def test_the_operator_chooses_how_the_log_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    with logging_to_stderr(JSON):
        logging.getLogger("bot").warning("said")
    assert json.loads(capsys.readouterr().err)["message"] == "said"
