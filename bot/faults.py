"""What people can mend among the errors of parts that ran side by side, said in a line. Knows no part."""

from __future__ import annotations

from typing import NoReturn

import click

from bot.ports import StoreError


def raise_plainly(group: BaseExceptionGroup[BaseException]) -> NoReturn:
    """Raise click's error for what the store says, the OSError of a pipe or a file as it is, else the group."""
    stores, _ = group.split(StoreError)
    pipes, _ = group.split(OSError)
    if stores:
        raise click.ClickException(str(_leaf(stores))) from group
    raise _leaf(pipes) if pipes else group


def _leaf(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
