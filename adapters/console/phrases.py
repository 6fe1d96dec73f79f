"""The console's own sentences: what can be typed, and what becomes of a quiz that is left. Knows no terminal."""

from __future__ import annotations

from collections.abc import Iterator

from adapters.console.reading import AGAIN, ENTER, SETTINGS, SIDEWAYS, again, asks_for_several, keys, letters
from bot.core.session import Phase, Session
from bot.messages import Card
from bot.words import Words

YES = frozenset({"", "y", "yes", "да", "д", "da"})
NO = frozenset({"n", "no", "не", "н", "nu"})


def prompt(card: Card, words: Words) -> str:
    """What stands before the place where one types."""
    there = keys(card)
    if asks_for_several(card):
        return words.gettext("Your answers, such as {example}:", example=_example(card))
    if letters(card):
        return words.gettext("Your answer:")
    if once_more := again(card):
        return _keyed(words, words.gettext("Finish"), AGAIN, once_more.label)
    if ENTER in there:
        return _keyed(words, there[ENTER].label, SIDEWAYS, there[SIDEWAYS].label if SIDEWAYS in there else "")
    return words.gettext("Number or name:")


def _keyed(words: Words, action: str, key: str, other: str) -> str:
    """What Enter does, and another key if there is something else to do."""
    onward = words.gettext("Enter: {action}", action=action)
    return f"{onward} · {key}: {other} ›" if other else f"{onward} ›"


def possibilities(card: Card, words: Words) -> str:
    """All that can be typed now, in a line."""
    there = keys(card)
    if asks_for_several(card):
        return words.gettext(
            "Type the letters of all right answers, such as {example}; s skips, q leaves, stop ends the quiz.",
            example=_example(card),
        )
    if letters(card):
        named = ", ".join(letters(card))
        return words.gettext("Type one letter ({letters}); s skips, q leaves, stop ends the quiz.", letters=named)
    if again(card):
        return words.gettext("Press Enter to finish; a plays the quiz again.")
    if SIDEWAYS in there and SETTINGS[0] in there:
        return words.gettext(
            "Press Enter to start, or type a letter to change a setting; s hides the settings, q leaves."
        )
    if SIDEWAYS in there:
        return words.gettext("Press Enter to start; s shows the settings, q leaves.")
    if ENTER in there:
        return words.gettext("Press Enter to go on; q leaves, stop ends the quiz.")
    return words.gettext("Type the number or the name of a quiz; q leaves.")


def choices(card: Card) -> Iterator[str]:
    """The buttons of a card that are not pressed by what is on them, a line for each row: [what to type] label."""
    signed = {id(button): key for key, button in keys(card).items() if key not in (ENTER, SIDEWAYS)}
    if letters(card):
        return
    for row in card.buttons:
        shown = [
            f"[{key}] {button.label}" for button in row if (key := signed.get(id(button))) not in (None, button.label)
        ]
        if shown:
            yield "   ".join(shown)


def _example(card: Card) -> str:
    there = letters(card)
    return f"{there[0]}{there[min(2, len(there) - 1)]}"


def offer(session: Session, words: Words) -> str:
    """That a session can go on, where it is, and whether it shall."""
    number = session.at + 1 if session.phase is Phase.OPEN else session.at + 2
    total = len(session.draw)
    return words.gettext(
        "You have an unfinished quiz: question {number} of {total}, {answered} answered. Go on? [Y/n]",
        number=min(number, total),
        total=total,
        answered=sum(result.answered for result in session.results),
    )


def farewell(program: str | None, slug: str, words: Words) -> str:
    """How to come back with `program`, or that there is nothing to come back to."""
    if program is None:
        return words.gettext("Nothing is kept of it: the database is in memory only.")
    command = f"{program} play {slug}"
    return words.gettext("Your progress is kept: run `{command}` to go on.", command=command)
