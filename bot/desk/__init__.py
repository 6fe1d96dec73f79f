"""The desk: takes what people ask by command or button, on any chat platform, and says what to show them for it.

Between the adapters, which know a platform, and the engine, which knows sessions: here are the picker, the settings,
languages, help. It knows no platform, and what it decides is kept in the store alone.
"""

from bot.desk.asking import Addresses, Answer, Request, Show
from bot.desk.desk import Desk
from bot.permissions import Lacking

__all__ = ["Addresses", "Answer", "Desk", "Lacking", "Request", "Show"]
