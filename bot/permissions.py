"""What a platform may withhold from Quizbot where a quiz is wanted. Values only; knows no platform and no words."""

from __future__ import annotations

from enum import StrEnum


class Lacking(StrEnum):
    """What keeps Quizbot from running a quiz in a chat, where the platform says so beforehand."""

    MEMBERSHIP = "membership"  # it is not there itself: whoever asks has brought it as an app of their own
    VIEW = "view"
    SEND = "send"
    SEND_IN_THREADS = "send-in-threads"
    ATTACH = "attach"  # pictures; a quiz without any can do without
