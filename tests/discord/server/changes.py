"""Waiting for something to have happened, as Telegram's server of the tests does."""

from tests.telegram.server.changes import PATIENCE, Changes

__all__ = ["PATIENCE", "Changes"]
