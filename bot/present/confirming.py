"""What is said to whoever has chosen something for good: that it holds now, and what follows from it."""

from __future__ import annotations

from datetime import datetime

from bot.learning import days
from bot.messages import Block, Card, Role
from bot.preferences import Reminders
from bot.present.zones import UTC
from bot.words import words_of


def spoken_from_now(language: str) -> Card:
    """To whoever has chosen `language`, in that language."""
    words = words_of(language)
    language = words.language_name(words.language)
    return _said(words.gettext("From now on I answer you in {language}.", language=language))


def changed(language: str) -> Card:
    """To whoever has changed a setting."""
    return _said(words_of(language).gettext("Settings changed."))


def hidden_from_now(language: str, *, hidden: bool) -> Card:
    """To whoever has chosen to be on leaderboards or not."""
    words = words_of(language)
    if hidden:
        return _said(words.gettext("You are on no leaderboard any more; your answers and reviews stay."))
    return _said(words.gettext("Leaderboards show you again."))


def joined_from_now(language: str, *, joined: bool, hidden: bool) -> Card:
    """To whoever has chosen to be on the leaderboard across chats or not; it shows nobody who is `hidden`."""
    words = words_of(language)
    if not joined:
        return _said(words.gettext("You have left the leaderboard across chats."))
    if hidden:
        return _said(
            words.gettext(
                "From now on your answers count across chats too; you are seen there once you are no longer hidden."
            )
        )
    return _said(words.gettext("From now on your answers in groups count on the leaderboard across chats too."))


def reminded_from_now(language: str, when: Reminders, zone: str | None) -> Card:
    """To whoever has chosen when to be reminded, by the clock of `zone`."""
    words = words_of(language)
    if when is Reminders.OFF:
        return _said(words.gettext("No more reminders. You find them in the settings if you miss them."))
    city = words.city(zone or UTC)
    if when is Reminders.MORNING:
        said = words.gettext(
            "When reviews are due, I write to you in the morning ({city}), once a day at most.", city=city
        )
    else:
        said = words.gettext(
            "When reviews are due, I write to you in the evening ({city}), once a day at most.", city=city
        )
    how_to_stop = words.gettext("A button under each reminder stops them.")
    return _said(f"{said} {how_to_stop}")


def zone_from_now(language: str, zone: str, now: datetime) -> Card:
    """To whoever has chosen a time zone, for a chat or for themselves."""
    words = words_of(language)
    time = words.time(now.astimezone(days.zone(zone)))
    return _said(words.gettext("{city} time applies now; it is {time} there.", city=words.city(zone), time=time))


def _said(said: str) -> Card:
    return Card((Block(Role.LINE, said),))
