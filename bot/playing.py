"""`quizbot play`: puts store, quizzes and console together, and says in a line what people can mend."""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import logging
import signal
import sys

import click

from adapters.console.reception import Reception, Wishes
from adapters.console.terminal import Lines, PlainTerminal, Terminal
from adapters.console.visit import PLATFORM, Person
from bot import present, running
from bot.clock import SystemClock
from bot.faults import raise_plainly
from bot.ports import Clock, DeliveryError, StoreError
from bot.settings import Settings
from bot.storage.sqlite import MEMORY, open_sqlite

TERMINATED = 143


def play_here(settings: Settings, wishes: Wishes) -> None:
    """Play until the quiz is over or left. Raises click's errors for what people can mend."""
    _log_briefly()
    try:
        asyncio.run(_play(settings, wishes))
    except KeyboardInterrupt:
        raise click.Abort from None
    except asyncio.CancelledError:
        raise click.exceptions.Exit(TERMINATED) from None
    except StoreError as error:
        raise click.ClickException(str(error)) from error
    except BaseExceptionGroup as group:
        raise_plainly(group)


async def _play(settings: Settings, wishes: Wishes) -> None:
    _obey_termination()
    store = await open_sqlite(settings.database_path, [PLATFORM])
    try:
        kept = settings.database_path != MEMORY
        reception = Reception(store, settings.content_dir, wishes, Person(_user()), terminal(), kept=kept)
        await play_on(reception, SystemClock())
    finally:
        await store.close()


async def play_on(reception: Reception, clock: Clock) -> None:
    """Settle what is played, and play it."""
    console = await reception.console()
    if console:
        adapter, library = console
        try:
            await running.run(reception.store, library, clock, present.post, [adapter])
        finally:
            adapter.finish()


def _obey_termination() -> None:
    """SIGTERM is a request to leave in order, like Ctrl-C."""
    task = asyncio.current_task()
    with contextlib.suppress(NotImplementedError):  # not on Windows, where nobody sends it
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, lambda: task and task.cancel())


def terminal() -> Terminal:
    """Drawn where somebody sits, plain lines where a file or a pipe is."""
    lines = Lines.of_standard_input()
    typed = sys.stdin is not None and sys.stdin.isatty()
    if typed and sys.stdout.isatty():
        from adapters.console.drawing import DrawnTerminal

        return DrawnTerminal(lines)
    return PlainTerminal(lines, sys.stdout, echo=not typed)


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "player"


class _Brief(logging.Formatter):
    """A line for what people can mend; a traceback only for what nobody foresaw."""

    def formatException(self, ei: object) -> str:  # noqa: N802  # logging calls it so
        error = ei[1] if isinstance(ei, tuple) else None
        return f"  {error}" if isinstance(error, StoreError | DeliveryError) else super().formatException(ei)  # type: ignore[arg-type]


def _log_briefly() -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(_Brief("quizbot: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
