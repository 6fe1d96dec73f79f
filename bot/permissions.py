"""What a platform may withhold from Quizbot where a quiz is wanted. Values only; knows no platform and no words."""

from __future__ import annotations

from enum import StrEnum


class Lacking(StrEnum):
    """What keeps Quizbot from running a quiz in a chat, where the platform says so beforehand."""

    MEMBERSHIP = "membership"  # it is not there itself: whoever asks has brought it as an app of their own
    VIEW = "view"
    SEND = "send"
    SEND_IN_THREADS = "send-in-threads"  # in a channel only for a thread of its own
    OPEN_THREADS = "open-threads"  # the same
    ATTACH = "attach"  # pictures; a quiz without any can do without
    LOCKED = "locked"  # a thread that a moderator has locked
    ENTRY = "entry"  # a private thread that nobody has brought it into
