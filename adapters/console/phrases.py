"""The console's own sentences: what can be typed, and what becomes of a quiz that is left. Knows no terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from adapters.console.reading import AGAIN, ENTER, SETTINGS, SIDEWAYS, again, asks_for_several, keys, letters
from bot.core.session import Phase, Session
from bot.messages import Block, Card, Role
from bot.presses import Again, Browse, Practise, ShowStats
from bot.words import Words

YES = frozenset({"", "y", "yes", "да", "д", "da"})
NO = frozenset({"n", "no", "не", "н", "nu"})

COMMANDS: Mapping[str, str] = {
    "quiz": "play",
    "quizzes": "play",
    **{name: name for name in ("practice", "stats", "privacy", "export", "forget")},
}
"""What is sent in a chat, without its slash -> what is typed after the name of the program."""

_SENT = re.compile(rf"(?<![\w/])/({'|'.join(COMMANDS)})(?![\w/])")


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
    if once_more := again(card):
        if isinstance(once_more.press, Again):
            return words.gettext("Press Enter to finish; a plays the quiz again.")
        return words.gettext("Press Enter to finish; a goes on practising.")
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


def farewell(command: str | None, words: Words) -> str:
    """How to come back with `command`, or that there is nothing to come back to."""
    if command is None:
        return words.gettext("Nothing is kept of it: the database is in memory only.")
    return words.gettext("Your progress is kept: run `{command}` to go on.", command=command)


def to_practise(results: Card, program: str, words: Words) -> str | None:
    """How to practise what was missed in these results of a quiz, if anything was."""
    if not any(isinstance(button.press, Practise) for button in results.all_buttons):
        return None
    return words.gettext("`{command}` brings back what you missed.", command=f"{program} practice")


def typed(card: Card, program: str) -> Card:
    """The card for whoever can only type: commands as they are typed here, and for each button that is one, a line."""
    blocks = tuple(_typed(block, program) for block in card.blocks)
    lines = tuple(Block(Role.REMARK, line) for line in _commands(card, program))
    return Card((*blocks, *lines))


def to_choose(card: Card, program: str) -> Iterator[str]:
    """How to practise each of the quizzes on this card, which are numbered."""
    for button in card.all_buttons:
        if isinstance(button.press, Practise) and button.press.slug:
            yield f"{button.label}. `{program} practice {button.press.slug}`"


def _typed(block: Block, program: str) -> Block:
    return replace(block, text=_SENT.sub(lambda found: f"`{program} {COMMANDS[found[1]]}`", block.text))


def _commands(card: Card, program: str) -> Iterator[str]:
    for button in card.all_buttons:
        match button.press:
            case Practise(""):
                yield f"{button.label}: `{program} practice`"
            case ShowStats():
                yield f"{button.label}: `{program} stats`"
            case Browse():
                yield f"{button.label}: `{program} play`"
