"""Every card that people see, as a scene with a name. `python -m tests.present.scenes` writes the golden texts anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

from bot import commands, present
from bot.core.effects import (
    Asked,
    Broken,
    CardState,
    Closed,
    Ended,
    HostTold,
    Noted,
    Paused,
    Post,
    Reason,
    Reply,
    Returned,
    Running,
    Selected,
    StartCard,
    Told,
    Verdict,
)
from bot.core.session import Ending, Feedback, Order, Pace, Phase, Session, Settings
from bot.messages import Card, Form
from bot.permissions import Lacking
from bot.preferences import Preferences, Starters
from bot.present import picker, post, reply
from bot.present.permitting import PERMISSIONS
from bot.words import languages, name_of
from tests.present.plain import plain, plain_form
from tests.present.sample import DRAW, NOON, QUIZ, RELAXED, STEADY, result, standing, text

GOLDEN = Path(__file__).parent / "golden"

CARD = StartCard("s1", "Ann", STEADY, available=12, private=False, state=CardState.WAITING)
BONUS = Settings(Pace.BRISK, count=5, feedback=Feedback.AT_END, order=Order.SHUFFLED, speed_bonus=True)
ASKED = Asked("s1", 0, 4, DRAW[0], timedelta(seconds=30), NOON + timedelta(seconds=30), step=0, private=False)
ALONE = replace(ASKED, limit=None, deadline=None, private=True)
CLOSED = Closed("s1", 0, 4, result(0, 3, 1, 0, 1, answered=5, right=3), reveal=True, private=False, step=1)
MISSED = replace(CLOSED, result=result(0, 0, 1, 0, 0, answered=1, right=0), private=True)
RESULTS = (
    result(0, 3, 1, 0, 1, answered=5, right=3),
    result(1, 2, 3, 2, answered=5, right=1),
    result(2, 5, 0, answered=5, right=5),
    result(3, 0, 0, answered=0, right=0),
)
PLACES = (
    standing(1, "Ann", right=3, points=345, seconds=41),
    standing(2, "Боян", right=2, points=200, seconds=95),
    standing(2, "Ștefan", right=2, points=200, seconds=130),
    standing(4, "דנה", right=0, seconds=60),
)
ENDED = Ended("s1", Ending.COMPLETED, RESULTS, 4, players=4, private=False, clocked=True, standings=PLACES, others=12)
OWN_RESULTS = (
    result(0, 0, 1, 0, 0, answered=1, right=0),
    result(1, 1, 0, 0, answered=1, right=0),
    result(2, 1, 0, answered=1, right=1),
)
OWN = Ended("s1", Ending.STOPPED, OWN_RESULTS, 4, players=1, private=True, clocked=False)

POSTS: Mapping[str, Post] = {
    "card-waiting": CARD,
    "card-configuring": replace(CARD, settings=BONUS, state=CardState.CONFIGURING),
    "card-private": replace(CARD, settings=RELAXED, available=4, private=True),
    "card-begun": replace(CARD, state=CardState.BEGUN),
    "card-stopped": replace(CARD, state=CardState.STOPPED),
    "card-expired": replace(CARD, state=CardState.EXPIRED),
    "asked-channel": replace(ASKED, answered=3),
    "asked-private": ALONE,
    "asked-several": replace(ASKED, at=1, drawn=DRAW[1]),
    "asked-untranslated": replace(ALONE, at=3, drawn=DRAW[3]),
    "closed-channel": CLOSED,
    "closed-nobody": replace(CLOSED, result=result(0, 0, 0, 0, 0, answered=0, right=0), step=None),
    "closed-until-the-end": replace(CLOSED, reveal=False),
    "closed-private-right": replace(MISSED, at=3, result=result(3, 1, 0, answered=1, right=1)),
    "closed-private-wrong": MISSED,
    "closed-private-incomplete": replace(MISSED, at=1, result=result(1, 1, 0, 0, answered=1, right=0)),
    "closed-private-several": replace(MISSED, at=1, result=result(1, 1, 0, 1, answered=1, right=0)),
    "closed-private-skipped": replace(MISSED, at=2, result=result(2, 0, 0, answered=0, right=0)),
    "paused": Paused("s1", 1, private=False),
    "paused-over": Paused("s1", 1, private=False, over=True),
    "paused-stopped": Paused("s1", 1, private=False, over=True, ending=Ending.STOPPED),
    "paused-expired": Paused("s1", 1, private=False, over=True, ending=Ending.EXPIRED),
    "returned": Returned("s1", NOON, timedelta(minutes=5, seconds=3)),
    "ended": ENDED,
    "ended-without-clock": replace(ENDED, standings=(standing(1, "Ann", right=3),), clocked=False, others=0),
    "ended-nobody": replace(ENDED, ending=Ending.EXPIRED, players=0, standings=(), others=0),
    "ended-private": OWN,
    "ended-keys-held-back": replace(ENDED, afterwards=True),
    "ended-private-keys-held-back": replace(OWN, afterwards=True),
}
REPLIES: Mapping[str, Reply] = {
    "verdict-right": Verdict(DRAW[0], (0,), True, 100, "digest"),
    "verdict-fast": Verdict(DRAW[0], (0,), True, 140, "digest"),
    "verdict-wrong": Verdict(DRAW[0], (3,), False, 0, "digest"),
    "verdict-several-wrong": Verdict(DRAW[1], (0, 2), False, 0, "digest"),
    "verdict-incomplete": Verdict(DRAW[1], (1,), False, 0, "digest"),
    "verdict-untranslated": Verdict(DRAW[3], (1,), False, 0, "digest"),
    "noted": Noted(DRAW[0], (0,)),
    "noted-again": Noted(DRAW[0], (3,), again=True),
    "selected": Selected(DRAW[1], (0, 1)),
    "selected-nothing": Selected(DRAW[1], ()),
    "running": Running("s1", Phase.OPEN, 2, 8),
    "running-card": Running("s1", Phase.CARD, -1, 8),
    "running-paused": Running("s1", Phase.PAUSED, 2, 8),
}

CHOSEN = Preferences(
    language="bg", starters=Starters.MODERATORS, pace=Pace.BRISK, feedback=Feedback.AT_END, speed_bonus=True
)
ADDRESS = "https://example.org/bot"
NEAR = (QUIZ, replace(QUIZ, slug="batches", title=text("Batches", "Партиди", "Loturi")))


PLAYED = Session(
    *("s1", "digest", "h", "Ann", False, STEADY, DRAW, Phase.OPEN, NOON, None, NOON),
    at=2,
)
WAITING = replace(PLAYED, phase=Phase.CARD, at=-1, draw=DRAW * 3, settings=replace(BONUS, order=Order.WRITTEN))
OVER = replace(PLAYED, phase=Phase.ENDED)


def _picker(language: str) -> Card:
    quizzes = [replace(QUIZ, slug=f"quiz-{number}", questions=QUIZ.questions[: 1 + number % 4]) for number in range(10)]
    return picker(quizzes, language, 1, {"quiz-9": (1, 2)})


CARDS: Mapping[str, Callable[[str], Card]] = {
    "picker": _picker,
    "picker-practice": lambda language: picker(NEAR, language, 0, practice=True),
    "no-such-quiz": lambda language: present.no_such_quiz(language, "gradients", ()),
    "no-such-quiz-but-near": lambda language: present.no_such_quiz(language, "gradients", NEAR),
    "no-longer-offered": present.no_longer_offered,
    "running-link": lambda language: reply(REPLIES["running"], None, language, ADDRESS),
    "help-group": lambda language: present.help(language, private=False),
    "help-private": lambda language: present.help(language, private=True),
    "welcome": present.welcome,
    "greeting": present.greeting,
    "privacy": present.privacy,
    "practising": lambda language: present.practising(language, ADDRESS),
    "practising-without-link": lambda language: present.practising(language, None),
    "settings-group": lambda language: present.settings(CHOSEN, language, private=False),
    "settings-private": lambda language: present.settings(Preferences(), language, private=True),
    "settings-threads": lambda language: present.settings(
        replace(CHOSEN, thread=True), language, private=False, threads=True
    ),
    "languages": lambda language: present.languages(Preferences(), "bg-BG", language),
    "languages-chosen": lambda language: present.languages(Preferences(language="ro"), "de", language),
    "lacking": lambda language: present.lacking(language, tuple(PERMISSIONS), ADDRESS),
    "lacking-a-way-in": lambda language: present.lacking(language, (Lacking.ENTRY,), ADDRESS),
    "lacking-a-key": lambda language: present.lacking(language, (Lacking.SEND_IN_THREADS, Lacking.LOCKED), ADDRESS),
    "lacking-membership": lambda language: present.lacking(language, (Lacking.MEMBERSHIP,), ADDRESS),
    "what-is-wrong": lambda language: present.what_is_wrong("s1", 2, DRAW[2], QUIZ, language),
    "score": lambda language: present.standing(PLAYED, QUIZ, language, standing(2, "Боян", right=3, points=345), 12),
    "score-over": lambda language: present.standing(OVER, QUIZ, language, standing(4, "דנה", right=1), 4),
    "score-kept-back": lambda language: present.answered_so_far(PLAYED, QUIZ, language, "Ann", 2),
    "score-not-played": lambda language: present.not_played(OVER, QUIZ, language, "Ann"),
    "shared": lambda language: present.shared(QUIZ, language, alone=ADDRESS, together=f"{ADDRESS}/group"),
}
LINES: Mapping[str, Callable[[str], Card]] = {
    "unknown": lambda language: present.unknown(language, "dance"),
    "ready": lambda language: present.ready(language, private=False),
    "ready-private": lambda language: present.ready(language, private=True),
    "ready-in-a-thread": lambda language: present.ready(language, private=False, thread="Sums", link=ADDRESS),
    "reported": lambda language: present.reported(language, again=False),
    "reported-again": lambda language: present.reported(language, again=True),
    "no-question": present.no_question,
    "not-asked-here": present.not_asked_here,
    "no-scores": lambda language: present.no_scores(language, session=None),
    "no-scores-on-the-card": lambda language: present.no_scores(language, session=replace(PLAYED, at=-1)),
    "no-scores-at-the-end": lambda language: present.no_scores(language, session=replace(OVER, at=-1)),
    "planned": lambda language: present.planned(language, "stats"),
    "may-not-start": present.may_not_start,
    "may-not-configure": present.may_not_configure,
    "unreadable": present.unreadable,
    "sorry": present.sorry,
    "changed": present.changed,
    "spoken-from-now": present.spoken_from_now,
}
FORMS: Mapping[str, Callable[[str], Form]] = {
    "start-form": lambda language: present.start_form(WAITING, QUIZ, language),
    "report-form": lambda language: present.report_form("s1", 2, language),
}


def _together(cards: Mapping[str, Card]) -> str:
    return "\n".join(f"{name}:\n{plain(card)}" for name, card in cards.items())


def _reasons(language: str) -> str:
    return _together({reason.value: reply(Told(reason), None, language) for reason in Reason})


def _cut_off(language: str) -> str:
    lost, broken = HostTold("s1", "h"), Broken("s1")
    return _together({type(effect).__name__: post(effect, None, language) for effect in (lost, broken)})


def _lines(language: str) -> str:
    return _together({name: line(language) for name, line in LINES.items()})


def _listings(language: str) -> str:
    """What a platform lists of Quizbot and its quizzes."""
    described = [f"/{command.name} {commands.description(command, language)}" for command in commands.COMMANDS]
    shared = present.summary(QUIZ, language)
    return "\n".join((*described, "", commands.tagline(language), "", commands.about(language), "", *shared))


def _card(card: Callable[[str], Card], language: str) -> str:
    return plain(card(language))


def _form(form: Callable[[str], Form], language: str) -> str:
    return plain_form(form(language))


def _post(effect: Post, language: str) -> str:
    return plain(post(effect, QUIZ, language))


def _reply(effect: Reply, language: str) -> str:
    return plain(reply(effect, QUIZ, language))


SCENES: Mapping[str, Callable[[str], str]] = {
    **{name: partial(_post, effect) for name, effect in POSTS.items()},
    **{name: partial(_reply, effect) for name, effect in REPLIES.items()},
    **{name: partial(_card, card) for name, card in CARDS.items()},
    **{name: partial(_form, form) for name, form in FORMS.items()},
    "lines": _lines,
    "listings": _listings,
    "reasons": _reasons,
    "cut-off": _cut_off,
}


def transcript(scene: str) -> str:
    """The scene in every language, one after another."""
    return "\n".join(f"== {name_of(language)} ==\n{SCENES[scene](language)}\n" for language in languages())


if __name__ == "__main__":
    for scene in SCENES:
        (GOLDEN / f"{scene}.txt").write_text(transcript(scene), encoding="utf-8")
