"""What is said between questions: a pause, its end, and an outage."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from bot.core.effects import Paused, Returned
from bot.core.session import Ending
from bot.messages import Block, Button, Card, Role, Style
from bot.presses import Resume, Stop
from bot.words import msgid, words_of

MINUTE = timedelta(minutes=1)
OUTCOMES: Mapping[Ending, str] = {
    Ending.STOPPED: msgid("The quiz was stopped during this pause."),
    Ending.EXPIRED: msgid("Nobody resumed the quiz for a day, so it has ended."),
}


def paused(effect: Paused, language: str) -> Card:
    """To everyone in the chat: the session waits, and how it goes on; or what became of it."""
    words = words_of(language)
    if effect.over:
        ended = OUTCOMES.get(effect.ending) if effect.ending else None
        return Card((Block(Role.LINE, words.gettext(ended) if ended else words.gettext("The pause is over.")),))
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
