"""What the one who pressed is told in private, most important first: a platform may cut the end off."""

from __future__ import annotations

from collections.abc import Mapping

from bot.core.effects import Noted, Reason, Running, Selected, Told, Verdict
from bot.core.quiz import Quiz
from bot.core.scoring import POINT
from bot.core.session import Phase
from bot.messages import Block, Card, Role
from bot.present.showing import judged, letters, shown
from bot.words import Words, msgid, words_of

REASONS: Mapping[Reason, str] = {
    Reason.DONE: msgid("Done."),
    Reason.BEGUN: msgid("The quiz has begun."),
    Reason.CONFIGURED: msgid("Settings changed."),
    Reason.ADVANCED: msgid("The quiz moves on."),
    Reason.RESUMED: msgid("The quiz goes on."),
    Reason.STOPPED: msgid("The quiz has been stopped. Scores so far are kept."),
    Reason.LEFT: msgid("You have stopped practising; what was left waits for you."),
    Reason.ALREADY_DONE: msgid("This has been done already."),
    Reason.LATE: msgid("Sorry, that was too late: the question has closed already."),
    Reason.ENDED: msgid("This quiz is over."),
    Reason.OTHER_SESSION: msgid("This button belongs to another quiz."),
    Reason.NOTHING_RUNNING: msgid("No quiz is running here; start one first."),
    Reason.NOT_BEGUN: msgid("The quiz has not begun yet; press Start first."),
    Reason.ALREADY_BEGUN: msgid("The quiz has begun already."),
    Reason.PAUSED: msgid("The quiz is paused; press Resume to go on."),
    Reason.NOT_PAUSED: msgid("The quiz is not paused."),
    Reason.MOVED_ON: msgid("The quiz has moved on already."),
    Reason.NOT_ALLOWED: msgid("Only the host or a moderator can do this."),
    Reason.NOTHING_SELECTED: msgid("Nothing is selected yet: choose first, then send."),
    Reason.INVALID: msgid("This button does not work here."),
}


def verdict(effect: Verdict, quiz: Quiz | None, language: str) -> Card:
    """To whoever answered: right or wrong, and why; without `quiz` only which."""
    words = words_of(language)
    if quiz is None:
        return Card((judged(words, right=effect.right, tail=_chosen(effect, words)),))
    question = shown(quiz, effect.drawn, language)
    chosen, key = frozenset(effect.chosen), question.question.key
    judgement = judged(words, right=effect.right, incomplete=chosen < key, tail=_chosen(effect, words))
    reasons = (*question.notes(chosen if effect.right else chosen - key), *question.explanation())
    return Card((judgement, *reasons, *(question.remarks() if reasons else ())))


def _chosen(effect: Verdict, words: Words) -> str:
    chosen = words.gettext("You chose {letters}.", letters=letters(effect.drawn, effect.chosen))
    if effect.points <= POINT:
        return chosen
    bonus = words.gettext("+{points} for speed.", points=(effect.points - POINT) / POINT)
    return f"{chosen} {bonus}"


def noted(effect: Noted, language: str) -> Card:
    """To whoever answered: it is taken, and is judged later; or that an earlier answer stands."""
    words = words_of(language)
    chosen = letters(effect.drawn, effect.chosen)
    if effect.again:
        return _line(words.gettext("You chose {letters}; the first choice counts.", letters=chosen))
    return _line(words.gettext("Noted: {letters}.", letters=chosen))


def selected(effect: Selected, language: str) -> Card:
    """To whoever chooses several options: which they are so far."""
    words = words_of(language)
    if not effect.chosen:
        return _line(words.gettext("Nothing is selected."))
    chosen = letters(effect.drawn, effect.chosen)
    return _line(words.gettext("Selected: {letters}. Press Send when done.", letters=chosen))


def running(effect: Running, language: str, link: str | None = None) -> Card:
    """To whoever wanted to start a quiz: one is here already, and where it is; `link` leads to its message."""
    return _line(_whereabouts(effect, words_of(language)), url=link or "")


def _whereabouts(effect: Running, words: Words) -> str:
    where = {"number": effect.at + 1, "total": effect.total}
    if effect.at < 0:
        return words.gettext("A quiz is waiting here; its host or a moderator can press Start, or /stop it.")
    if effect.phase is Phase.PAUSED:
        return words.gettext("A quiz is paused here after question {number} of {total}.", **where)
    return words.gettext("A quiz is running here already, at question {number} of {total}.", **where)


def told(effect: Told, language: str) -> Card:
    """To whoever pressed or commanded: in a sentence, what it came to."""
    return _line(words_of(language).gettext(REASONS[effect.reason]))


def may_not_start(language: str) -> Card:
    """To whoever wanted to start a quiz where only moderators may."""
    return _line(words_of(language).gettext("Only moderators may start a quiz here."))


def may_not_configure(language: str) -> Card:
    """To whoever wanted to change the settings of a chat without being its moderator."""
    return _line(words_of(language).gettext("Only moderators can change the settings."))


def as_oneself(language: str) -> Card:
    """To whoever writes in the name of something else, so that nobody can tell who presses the buttons for it."""
    said = words_of(language).gettext("I cannot tell who you are; please write as yourself, not as a channel.")
    return _line(said)


def unreadable(language: str) -> Card:
    """To whoever pressed a button that this version did not write."""
    said = words_of(language).gettext(
        "This button is from an older message and no longer works; /quiz brings new ones."
    )
    return _line(said)


def sorry(language: str) -> Card:
    """To whoever asked for something that failed through a fault of ours."""
    return _line(words_of(language).gettext("Sorry, something went wrong here. Please try again."))


def too_much(language: str) -> Card:
    """To whoever asks for more at once than anybody means."""
    return _line(words_of(language).gettext("That is too much at once. Wait a moment, then try again."))


def _line(said: str, url: str = "") -> Card:
    return Card((Block(Role.LINE, said, url=url),))
