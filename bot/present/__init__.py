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
    Reminded,
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
from bot.present.blending import Ingredient, ingredients, mix_title, no_such_topic, nothing_chosen
from bot.present.configuring import start_form
from bot.present.confirming import (
    changed,
    hidden_from_now,
    joined_from_now,
    reminded_from_now,
    spoken_from_now,
    zone_from_now,
)
from bot.present.guiding import (
    greeting,
    help,  # noqa: A004  # the name of the command
    hint,
    unknown,
    welcome,
)
from bot.present.owning import (
    asked_too_long_ago,
    export_in_private,
    exported,
    forget_in_private,
    forgetting,
    forgotten,
    kept,
    not_exported,
    nothing_stored,
    privacy,
)
from bot.present.permitting import lacking
from bot.present.picking import no_longer_offered, no_such_quiz, picker
from bot.present.practising import (
    first_practice,
    no_such_practice,
    nothing_to_practise,
    practice_begins,
    practice_title,
    practise_in_private,
    practised,
    reminded,
)
from bot.present.preferring import languages, settings
from bot.present.ranking import leaderboard, no_such_board, you_are_hidden
from bot.present.replying import as_oneself, may_not_configure, may_not_start, sorry, too_much, unreadable
from bot.present.reporting import no_question, not_asked_here, report_form, report_in_private, reported, what_is_wrong
from bot.present.scoring import answered_so_far, no_scores, not_played, standing
from bot.present.sharing import shared, summary
from bot.present.showing import titled
from bot.present.starting import ready
from bot.present.telling import (
    REPORTS_PAGE,
    Reported,
    asked_here,
    described_chart,
    most_missed,
    own_progress,
    own_statistics,
    progress_chart,
    reported_questions,
    reports_for_moderators,
    statistics_in_private,
)
from bot.present.zones import no_such_zone, time_zones

__all__ = [
    "REPORTS_PAGE",
    "Ingredient",
    "Reported",
    "answered_so_far",
    "as_oneself",
    "asked_here",
    "asked_too_long_ago",
    "changed",
    "described_chart",
    "export_in_private",
    "exported",
    "first_practice",
    "forget_in_private",
    "forgetting",
    "forgotten",
    "greeting",
    "help",
    "hidden_from_now",
    "hint",
    "ingredients",
    "joined_from_now",
    "kept",
    "lacking",
    "languages",
    "leaderboard",
    "may_not_configure",
    "may_not_start",
    "mix_title",
    "most_missed",
    "no_longer_offered",
    "no_question",
    "no_scores",
    "no_such_board",
    "no_such_practice",
    "no_such_quiz",
    "no_such_topic",
    "no_such_zone",
    "not_asked_here",
    "not_exported",
    "not_played",
    "nothing_chosen",
    "nothing_stored",
    "nothing_to_practise",
    "own_progress",
    "own_statistics",
    "picker",
    "post",
    "practice_begins",
    "practice_title",
    "practise_in_private",
    "privacy",
    "progress_chart",
    "ready",
    "reminded_from_now",
    "reply",
    "report_form",
    "report_in_private",
    "reported",
    "reported_questions",
    "reports_for_moderators",
    "settings",
    "shared",
    "sorry",
    "spoken_from_now",
    "standing",
    "start_form",
    "statistics_in_private",
    "summary",
    "time_zones",
    "titled",
    "too_much",
    "unknown",
    "unreadable",
    "welcome",
    "what_is_wrong",
    "you_are_hidden",
    "zone_from_now",
]


def post(effect: Post, quiz: Quiz | None, language: str) -> Card:
    """The message that `effect` is, for readers of `language` (a tag of `bot.words.languages`).

    `quiz` is the quiz of the session; only what is said about a pause, an outage, a loss or a reminder does without it.
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
        case Reminded():
            return reminded(effect, language)
    if quiz is None:
        raise ValueError(f"{type(effect).__name__} of session {effect.session} cannot be shown without its quiz")
    return _about_questions(effect, quiz, language)


def _about_questions(effect: StartCard | Asked | Closed | Ended, quiz: Quiz, language: str) -> Card:
    match effect:
        case StartCard():
            return starting.start_card(effect, quiz, language)
        case Asked():
            return asking.asked(effect, quiz, language)
        case Closed():
            return closing.closed(effect, quiz, language)
        case Ended(practice=True):
            return practised(effect, quiz, language)
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
