"""What a reply of the engine means to somebody at the console: that it was accepted, or that all is over. Pure."""

from __future__ import annotations

from bot.core.effects import Noted, Reason, Reply, Told, Verdict

WITHOUT_WORDS = frozenset(
    {Reason.DONE, Reason.BEGUN, Reason.CONFIGURED, Reason.ADVANCED, Reason.RESUMED, Reason.STOPPED, Reason.LEFT}
)
"""What is seen from the next card anyway."""

OVER = frozenset({Reason.ENDED, Reason.NOTHING_RUNNING, Reason.OTHER_SESSION})


def was_accepted(said: Reply | None) -> bool:
    """Whether the next card shows what came of it."""
    match said:
        case Verdict() | Noted(again=False):
            return True
        case Told(reason):
            return reason in WITHOUT_WORDS
        case _:
            return False


def is_over(said: Reply | None) -> bool:
    """Whether there is nothing more to come."""
    return isinstance(said, Told) and said.reason in OVER
