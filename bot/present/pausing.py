"""What is said between questions: a pause, its end, and an outage."""

from __future__ import annotations

from datetime import timedelta

from bot.core.effects import Paused, Returned
from bot.messages import Block, Button, Card, Role, Style
from bot.presses import Resume, Stop
from bot.words import words_of

MINUTE = timedelta(minutes=1)


def paused(effect: Paused, language: str) -> Card:
    """To everyone in the chat: the session waits, and how it goes on; or that it does."""
    words = words_of(language)
    if effect.over:
        return Card((Block(Role.LINE, words.gettext("The pause is over.")),))
    blocks = (
        Block(Role.LINE, words.gettext("No answer for a while, so the quiz is paused.")),
        Block(Role.FACT, words.gettext("It waits for a day; scores are kept.")),
    )
    resume = Button(words.gettext("Resume"), Resume(effect.session), Style.PRIMARY)
    stop = Button(words.gettext("Stop"), Stop(effect.session), Style.DANGER)
    return Card(blocks, ((resume, stop),))


def returned(effect: Returned, language: str) -> Card:
    """To everyone in the chat: how long the service was away."""
    words = words_of(language)
    lost = max(round(effect.lost / MINUTE), 1) * MINUTE
    said = words.gettext("I was away for {duration}. The time you lost is given back.", duration=words.duration(lost))
    return Card((Block(Role.LINE, said),))
