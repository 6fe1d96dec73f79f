"""All that is said: an effect and a language become a card. Knows no platform and no rule; reads no clock, no file.

Texts of a card are complete: symbols such as ✓ stand in them beside their words, so a platform adds none.
"""

from __future__ import annotations

from typing import assert_never

from bot.core.effects import (
    Asked,
    Broken,
    Closed,
    Ended,
    HostTold,
    Noted,
    Paused,
    Post,
    Reply,
    Returned,
    Running,
    Selected,
    StartCard,
    Told,
    Verdict,
)
from bot.core.quiz import Quiz
from bot.messages import Card
from bot.present import asking, closing, ending, pausing, replying, starting
from bot.present.configuring import start_form
from bot.present.guiding import (
    greeting,
    help,  # noqa: A004  # the name of the command
    hint,
    planned,
    practising,
    privacy,
    unknown,
    welcome,
)
from bot.present.permitting import lacking
from bot.present.picking import no_longer_offered, no_such_quiz, picker
from bot.present.preferring import changed, languages, settings, spoken_from_now
from bot.present.replying import as_oneself, may_not_configure, may_not_start, sorry, unreadable
from bot.present.reporting import no_question, not_asked_here, report_form, reported, what_is_wrong
from bot.present.scoring import answered_so_far, no_scores, not_played, standing
from bot.present.sharing import shared, summary
from bot.present.showing import titled
from bot.present.starting import ready

__all__ = [
    "answered_so_far",
    "as_oneself",
    "changed",
    "greeting",
    "help",
    "hint",
    "lacking",
    "languages",
    "may_not_configure",
    "may_not_start",
    "no_longer_offered",
    "no_question",
    "no_scores",
    "no_such_quiz",
    "not_asked_here",
    "not_played",
    "picker",
    "planned",
    "post",
    "practising",
    "privacy",
    "ready",
    "reply",
    "report_form",
    "reported",
    "settings",
    "shared",
    "sorry",
    "spoken_from_now",
    "standing",
    "start_form",
    "summary",
    "titled",
    "unknown",
    "unreadable",
    "welcome",
    "what_is_wrong",
]


def post(effect: Post, quiz: Quiz | None, language: str) -> Card:
    """The message that `effect` is, for readers of `language` (a tag of `bot.words.languages`).

    `quiz` is the quiz of the session; only what is said about a pause, an outage or a loss does without it.
    """
    match effect:
        case Paused():
            return pausing.paused(effect, language)
        case Returned():
            return pausing.returned(effect, language)
        case HostTold():
            return ending.host_told(language)
        case Broken():
            return ending.broken(language)
    if quiz is None:
        raise ValueError(f"{type(effect).__name__} of session {effect.session} cannot be shown without its quiz")
    match effect:
        case StartCard():
            return starting.start_card(effect, quiz, language)
        case Asked():
            return asking.asked(effect, quiz, language)
        case Closed():
            return closing.closed(effect, quiz, language)
        case Ended():
            return ending.ended(effect, quiz, language)
        case _:
            assert_never(effect)


def reply(effect: Reply, quiz: Quiz | None, language: str, link: str | None = None) -> Card:
    """What the one who pressed is told, in their own `language`; without `quiz` a verdict comes without its reasons.

    `link` leads to the message of the session that is running already.
    """
    match effect:
        case Verdict():
            return replying.verdict(effect, quiz, language)
        case Noted():
            return replying.noted(effect, language)
        case Selected():
            return replying.selected(effect, language)
        case Running():
            return replying.running(effect, language, link)
        case Told():
            return replying.told(effect, language)
        case _:
            assert_never(effect)
