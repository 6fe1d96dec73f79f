"""Every card that people see, as a scene with a name. `python -m tests.present.scenes` writes the golden texts anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

from bot import commands, present
from bot.boards import Leaderboard, Line
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
    Reminded,
    Reply,
    Returned,
    Running,
    Selected,
    StartCard,
    Told,
    Verdict,
)
from bot.core.session import Ending, Feedback, Order, Pace, Phase, Session, Settings
from bot.learning.days import Period
from bot.messages import Card, Form
from bot.permissions import Lacking
from bot.preferences import Preferences, Reminders, Starters
from bot.present import picker, post, reply
from bot.present.blending import Topic
from bot.present.permitting import PERMISSIONS
from bot.present.ranking import Viewer
from bot.presses import Blend, ShowBoard
from bot.progress import Reviews, met
from bot.words import languages, name_of
from tests.present.learned import KNOWLEDGE, LIBRARY, MISSED_HERE, NOTHING, PROGRESS, REPORTED, TODAY
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
LET_PASS = result(3, 0, 0, answered=0, right=0)
PRACTISED = replace(
    OWN, results=(*OWN_RESULTS, OWN_RESULTS[0], replace(OWN_RESULTS[1], right=1), LET_PASS), total=8, practice=True
)

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
    "practised": PRACTISED,
    "practised-flawless": replace(PRACTISED, results=PRACTISED.results[2:3], ending=Ending.COMPLETED),
    "practised-nothing": replace(PRACTISED, results=(LET_PASS,), ending=Ending.EXPIRED),
    "reminded": Reminded("reminder", 3),
    "reminded-of-one": Reminded("reminder", 1),
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
OWN_CHOICES = Preferences(language="ro", reminders=Reminders.EVENING, everywhere=True)
ADDRESS = "https://example.org/bot"
NEAR = (QUIZ, replace(QUIZ, slug="batches", title=text("Batches", "Партиди", "Loturi")))
MANY = tuple(replace(NEAR[number % 2], slug=f"quiz-{number}") for number in range(10))


PLAYED = Session(
    *("s1", "digest", "h", "Ann", False, STEADY, DRAW, Phase.OPEN, NOON, None, NOON),
    at=2,
)
WAITING = replace(PLAYED, phase=Phase.CARD, at=-1, draw=DRAW * 3, settings=replace(BONUS, order=Order.WRITTEN))
OVER = replace(PLAYED, phase=Phase.ENDED)


NOTHING_MIXED = Blend("0a1b", 0, 0, ready=False)
BOARD = ShowBoard(Period.WEEK, False, "", 1)
BOARD_LINES = tuple(
    Line(rank, f"test:{name}", name, points, points // 100, 20)
    for rank, name, points in ((1, "Ann", 1250), (2, "Боян", 1200), (2, "דנה", 1200), (4, "Ștefan", 0))
)
OFF_THE_PAGE = Line(14, "test:Eve", "Eve", 250, 2, 9)
RESET = datetime(2026, 12, 7, tzinfo=ZoneInfo("Europe/Sofia"))


def _picker(language: str) -> Card:
    quizzes = [replace(QUIZ, slug=f"quiz-{number}", questions=QUIZ.questions[: 1 + number % 4]) for number in range(10)]
    return picker(quizzes, language, 1, {"quiz-9": (1, 2)}, mix=NOTHING_MIXED)


def _mix(language: str) -> Card:
    quizzes = [replace(QUIZ, slug=f"quiz-{number}", questions=QUIZ.questions[: 1 + number % 4]) for number in range(7)]
    offer: list[present.Ingredient] = [*quizzes, Topic("learning-rate", 21), Topic("memory", 1)]
    return present.ingredients(offer, language, replace(NOTHING_MIXED, chosen=0b1000_0010), 22)


def _mix_of(*parts: present.Ingredient) -> Callable[[str], Card]:
    quiz = replace(QUIZ, slug="mix", title=present.mix_title(parts), intro=None)
    return lambda language: post(CARD, quiz, language)


def _picker_with_facts(language: str) -> Card:
    far = met(KNOWLEDGE, TODAY, LIBRARY.question)[QUIZ.slug]
    facts = {QUIZ.slug: present.own_progress(far, 4, language), "batches": present.asked_here(3, 4, language)}
    return picker(NEAR, language, 0, facts=facts)


CARDS: Mapping[str, Callable[[str], Card]] = {
    "picker": _picker,
    "no-such-quiz": lambda language: present.no_such_quiz(language, "gradients", ()),
    "mix": _mix,
    "mix-changed-and-empty": lambda language: present.ingredients(
        [QUIZ, Topic("memory", 3)], language, NOTHING_MIXED, 0, changed=True
    ),
    "mix-of-nothing": present.nothing_chosen,
    "mix-of-a-topic": _mix_of(Topic("learning-rate", 2)),
    "mix-of-two": _mix_of(QUIZ, Topic("memory", 3)),
    "mix-of-many": _mix_of(QUIZ, *(Topic(name, 1) for name in ("memory", "c", "3d"))),
    "no-such-topic": lambda language: present.no_such_topic(language, "memry", ()),
    "no-such-topic-but-near": lambda language: present.no_such_topic(
        language, "lerning-rate", [("learning-rate", replace(NOTHING_MIXED, chosen=1, ready=True))]
    ),
    "no-such-quiz-but-near": lambda language: present.no_such_quiz(language, "gradients", NEAR),
    "no-longer-offered": present.no_longer_offered,
    "running-link": lambda language: reply(REPLIES["running"], None, language, ADDRESS),
    "help-group": lambda language: present.help(language, private=False),
    "help-private": lambda language: present.help(language, private=True),
    "welcome": present.welcome,
    "greeting": present.greeting,
    "privacy": present.privacy,
    "privacy-at-a-terminal": lambda language: present.privacy(language, terminal=True),
    "exported": present.exported,
    "export-in-private": lambda language: present.export_in_private(language, ADDRESS),
    "export-in-private-without-link": lambda language: present.export_in_private(language, None),
    "forgetting": lambda language: present.forgetting(language, "key"),
    "forgetting-at-a-terminal": lambda language: present.forgetting(language, "key", terminal=True),
    "forgotten": present.forgotten,
    "forgotten-at-a-terminal": lambda language: present.forgotten(language, terminal=True),
    "forget-in-private": lambda language: present.forget_in_private(language, ADDRESS),
    "forget-in-private-without-link": lambda language: present.forget_in_private(language, None),
    "practising": lambda language: present.practise_in_private(language, ADDRESS),
    "practising-without-link": lambda language: present.practise_in_private(language, None),
    "first-practice": lambda language: present.first_practice(language, NEAR),
    "nothing-to-practise": lambda language: present.nothing_to_practise(
        language, MANY, upcoming=(3, 1), reminders=True
    ),
    "nothing-to-practise-of-a-quiz": lambda language: present.nothing_to_practise(
        language, (), upcoming=(21, 25), quiz=QUIZ
    ),
    "no-such-practice": lambda language: present.no_such_practice(language, "gradients", NEAR),
    "settings-group": lambda language: present.settings(CHOSEN, language, now=NOON, private=False),
    "settings-private": lambda language: present.settings(
        replace(OWN_CHOICES, reminders=None, everywhere=None), language, now=NOON, private=True
    ),
    "settings-private-chosen": lambda language: present.settings(
        OWN_CHOICES, language, now=NOON, private=True, zone="Europe/Sofia"
    ),
    "settings-threads": lambda language: present.settings(
        replace(CHOSEN, thread=True), language, now=NOON, private=False, threads=True, zone="America/New_York"
    ),
    "zones": lambda language: present.time_zones(language, None, NOON, 0, private=False),
    "zones-far-ahead": lambda language: present.time_zones(language, "Asia/Kolkata", NOON, 13, private=True),
    "no-such-zone": lambda language: present.no_such_zone(language, "Sofija"),
    "no-such-zone-nor-near": lambda language: present.no_such_zone(language, "?"),
    "leaderboard": lambda language: present.leaderboard(
        Leaderboard(BOARD_LINES, 25, OFF_THE_PAGE), BOARD, language, reset=RESET, city="Europe/Sofia"
    ),
    "leaderboard-across-chats": lambda language: present.leaderboard(
        Leaderboard(BOARD_LINES, 4, BOARD_LINES[1]),
        ShowBoard(Period.ALL, True, QUIZ.slug, 0),
        language,
        quiz=QUIZ,
        viewer=Viewer(hidden=False, joined=True),
    ),
    "leaderboard-nobody": lambda language: present.leaderboard(
        Leaderboard((), 0), replace(BOARD, period=Period.TODAY), language, reset=RESET, city="UTC"
    ),
    "leaderboard-nobody-across-chats": lambda language: present.leaderboard(
        Leaderboard((), 0),
        ShowBoard(Period.MONTH, True, "", 0),
        language,
        reset=RESET,
        city="Europe/Sofia",
        viewer=Viewer(hidden=True, joined=False),
    ),
    "no-such-board": lambda language: present.no_such_board(language, "gradients", NEAR, BOARD),
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
    "statistics": lambda language: present.own_statistics(PROGRESS, Reminders.OFF, language),
    "statistics-reminded": lambda language: present.own_statistics(
        replace(PROGRESS, streak=0, reviews=Reviews(0, 0, 0, 0), topics=()), Reminders.EVENING, language
    ),
    "statistics-at-a-terminal": lambda language: present.own_statistics(PROGRESS, None, language),
    "statistics-nothing": lambda language: present.own_statistics(NOTHING, Reminders.OFF, language),
    "statistics-elsewhere": lambda language: present.statistics_in_private(language, ADDRESS),
    "statistics-elsewhere-without-link": lambda language: present.statistics_in_private(language, None),
    "most-missed": lambda language: present.most_missed(MISSED_HERE, language, ADDRESS),
    "most-missed-nothing": lambda language: present.most_missed((), language, None),
    "reported-questions": lambda language: present.reported_questions(REPORTED, 1, 7, language),
    "picker-with-facts": _picker_with_facts,
    "shared": lambda language: present.shared(QUIZ, language, alone=ADDRESS, together=f"{ADDRESS}/group"),
}
LINES: Mapping[str, Callable[[str], Card]] = {
    "nothing-reported": lambda language: present.reported_questions((), 0, 0, language),
    "reports-for-moderators": lambda language: present.reports_for_moderators(language, private=False),
    "reports-in-private": lambda language: present.reports_for_moderators(language, private=True),
    "unknown": lambda language: present.unknown(language, "dance"),
    "practice-begins": lambda language: present.practice_begins(language, 7, 3),
    "practice-begins-with-one-of-each": lambda language: present.practice_begins(language, 1, 1),
    "practice-begins-with-what-is-new": lambda language: present.practice_begins(language, 0, 10),
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
    "nothing-stored": present.nothing_stored,
    "not-exported": present.not_exported,
    "kept": present.kept,
    "asked-too-long-ago": present.asked_too_long_ago,
    "may-not-start": present.may_not_start,
    "may-not-configure": present.may_not_configure,
    "unreadable": present.unreadable,
    "sorry": present.sorry,
    "too-much": present.too_much,
    "changed": present.changed,
    "you-are-hidden": present.you_are_hidden,
    "hidden-from-now": lambda language: present.hidden_from_now(language, hidden=True),
    "shown-from-now": lambda language: present.hidden_from_now(language, hidden=False),
    "joined-from-now": lambda language: present.joined_from_now(language, joined=True, hidden=False),
    "joined-but-hidden": lambda language: present.joined_from_now(language, joined=True, hidden=True),
    "left-from-now": lambda language: present.joined_from_now(language, joined=False, hidden=False),
    "reminded-no-more": lambda language: present.reminded_from_now(language, Reminders.OFF, None),
    "reminded-in-the-morning": lambda language: present.reminded_from_now(language, Reminders.MORNING, None),
    "reminded-in-the-evening": lambda language: present.reminded_from_now(language, Reminders.EVENING, "Europe/Sofia"),
    "zone-from-now": lambda language: present.zone_from_now(language, "Europe/Sofia", NOON),
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
