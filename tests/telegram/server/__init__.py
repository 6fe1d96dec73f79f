"""A Bot API server for the tests, strict as the real one, and the people on it. Knows nothing of the bot that plays."""

from tests.telegram.server.app import BotApi
from tests.telegram.server.chats import Chat, Private
from tests.telegram.server.faults import Hold
from tests.telegram.server.floods import NO_LIMITS, Limits
from tests.telegram.server.groups import ANONYMOUS, Group
from tests.telegram.server.http import TOKEN
from tests.telegram.server.messages import Message
from tests.telegram.server.people import Person
from tests.telegram.server.queries import Answer, InlineAsk, InlineResult, Press
from tests.telegram.server.wire import Request, Upload

__all__ = [
    "ANONYMOUS",
    "NO_LIMITS",
    "TOKEN",
    "Answer",
    "BotApi",
    "Chat",
    "Group",
    "Hold",
    "InlineAsk",
    "InlineResult",
    "Limits",
    "Message",
    "Person",
    "Press",
    "Private",
    "Request",
    "Upload",
]
