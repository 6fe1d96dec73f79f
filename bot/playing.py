"""`quizbot play`, `practice` and what else one person asks at a terminal: puts store, quizzes and console together, and
says in a line what people can mend."""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol, TypeVar

import click
from babel.localtime import get_localzone

from adapters.console.adapter import ConsoleAdapter
from adapters.console.inquiring import Copying, Forgetting, Inquiry
from adapters.console.plain import paragraphs
from adapters.console.preparing import Preparation
from adapters.console.reception import Reception, Wishes
from adapters.console.terminal import Lines, PlainTerminal, Terminal
from adapters.console.visit import PLATFORM, Person
from adapters.people import called
from bot import databases, present, running
from bot.clock import SystemClock
from bot.crew import worker_name
from bot.faults import raise_plainly
from bot.library import Library
from bot.offering import offered
from bot.ports import Clock, DeliveryError, Store, StoreError
from bot.settings import Settings

TERMINATED = 143


class Console(Protocol):
    """Settles what somebody does at the console."""

    store: Store

    async def console(self) -> tuple[ConsoleAdapter, Library] | None:
        """The console for it, and the quizzes it needs; None when nothing is wanted, after all."""
        ...


# Playing and practising


def play_here(settings: Settings, wishes: Wishes) -> None:
    """Play until the quiz is over or left. Raises click's errors for what people can mend."""
    _run(settings, lambda store: play_on(_settled(Reception, store, settings, wishes), SystemClock()))


def practise_here(settings: Settings, wishes: Wishes) -> None:
    """Practise what is due and new until it is over or left. Raises click's errors for what people can mend."""
    _run(settings, lambda store: play_on(_settled(Preparation, store, settings, wishes), SystemClock()))


def _settled(console: Callable[..., Console], store: Store, settings: Settings, wishes: Wishes) -> Console:
    kept = databases.path_of(settings.database_url) != databases.MEMORY
    return console(store, settings.content_dir, wishes, Person(_user()), terminal(), zone=local_zone(), kept=kept)


async def play_on(reception: Console, clock: Clock) -> None:
    """Settle what is played or practised, and do it."""
    console = await reception.console()
    if console:
        adapter, library = console
        try:
            await running.run(reception.store, library, clock, present.post, [adapter])
        finally:
            adapter.finish()


# Asking


def tell_here(settings: Settings, name: str, program: str) -> None:
    """Say what the command `name` says in a private chat. Raises click's errors for what people can mend."""
    _run(settings, lambda store: _ask(store, settings, Inquiry, name, program))


def export_here(settings: Settings, program: str, file: Path | None) -> None:
    """Write all that is stored about this person into a file, or to standard output. Raises click's errors."""
    copying = _run(settings, lambda store: _ask(store, settings, Copying, "export", program))
    said = "\n".join(paragraphs(copying.said.blocks, None))
    if copying.copy is None:
        click.echo(said, err=True)
    elif file is None:
        click.echo(copying.copy.data, nl=False)
    else:
        _write(file, copying.copy.data)
        click.echo(said)


def _write(file: Path, data: bytes) -> None:
    """Write what others on this machine need not read."""
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
        stream.write(data)


def forget_here(settings: Settings, program: str, *, sure: bool) -> bool:
    """Delete all that is stored about this person, when they say, or have said, that they are `sure`; whether it was
    deleted. Raises click's errors for what people can mend."""
    forgetting = Forgetting if not sure else _Sure
    return _run(settings, lambda store: _ask(store, settings, forgetting, "forget", program)).done


class _Sure(Forgetting):
    sure = True


Asked = TypeVar("Asked", bound=Inquiry)


async def _ask(store: Store, settings: Settings, inquiry: type[Asked], name: str, program: str) -> Asked:
    asked = inquiry(name, Person(_user()), terminal(), program)
    await ask_on(asked, store, settings.content_dir, SystemClock())
    return asked


async def ask_on(inquiry: Inquiry, store: Store, content: Path, clock: Clock) -> None:
    """Ask it, with the quizzes in this folder on offer."""
    await running.run(store, Library(offered(content).quizzes), clock, present.post, [inquiry])


# All of them


Result = TypeVar("Result")


def _run(settings: Settings, work: Callable[[Store], Awaitable[Result]]) -> Result:
    """Work on the store of these settings; what people can mend is said as click says it."""
    _log_briefly()
    try:
        return asyncio.run(_opened(settings, work))
    except KeyboardInterrupt:
        raise click.Abort from None
    except asyncio.CancelledError:
        raise click.exceptions.Exit(TERMINATED) from None
    except StoreError as error:
        raise click.ClickException(str(error)) from error
    except BaseExceptionGroup as group:
        raise_plainly(group)


async def _opened(settings: Settings, work: Callable[[Store], Awaitable[Result]]) -> Result:
    _obey_termination()
    store = await databases.opened(
        settings.database_url, [PLATFORM], connections=settings.database_connections, worker=worker_name()
    )
    try:
        return await work(store)
    finally:
        await store.close()


def local_zone() -> str | None:
    """The time zone that the operating system was told, by its IANA name, if it has one."""
    try:
        return getattr(get_localzone(), "key", None)
    except LookupError:
        return None


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
        return called(getpass.getuser()) or "player"
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
