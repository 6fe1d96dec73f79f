"""What Quizbot says of itself: a welcome, help, and where to turn. Knows neither sessions nor quizzes."""

from __future__ import annotations

from collections.abc import Iterable

from bot.commands import Command, description, menu
from bot.messages import Block, Card, Role
from bot.present.showing import browsing
from bot.words import Words, languages, msgid, name_of, shortened, words_of

LONGEST_COMMAND = 32
"""Characters of a command that is said back to whoever typed it."""

_WHAT_I_DO = msgid("I ask quiz questions right here in the chat and explain every answer.")
_WHO_IS_HOST = msgid("/quiz starts a quiz; whoever starts it is the host.")
_HOW_TO_ANSWER = msgid("Answer with the buttons under the question; your first choice counts.")

STEPS_TOGETHER = (
    _WHO_IS_HOST,
    _HOW_TO_ANSWER,
    msgid("A question closes when its time is over, when everyone has answered, or when the host presses Next."),
)
STEPS_ALONE = (
    msgid("/quiz shows the quizzes; choose one and press Start."),
    _HOW_TO_ANSWER,
    msgid("Read why an answer is right or wrong, then go on with Next."),
)


def help(language: str, *, private: bool) -> Card:  # noqa: A001  # the name of the command
    """All there is to know, on one screen of a phone."""
    words = words_of(language)
    steps = STEPS_ALONE if private else STEPS_TOGETHER
    scores = words.gettext(
        "A right answer is one point, a wrong one costs nothing; with the speed bonus, up to half a point more."
    )
    return Card(
        (
            Block(Role.TITLE, words.gettext("How this works")),
            Block(Role.LINE, words.gettext(_WHAT_I_DO)),
            *_numbered(words, steps),
            Block(Role.FACT, scores),
            *(_listed(words, command, private=private) for command in menu(private=private, moderator=True)),
        )
    )


def _numbered(words: Words, steps: Iterable[str]) -> Iterable[Block]:
    for number, step in enumerate(steps, 1):
        yield Block(Role.LINE, words.gettext(step), lead=f"{words.number(number)}.")


def _listed(words: Words, command: Command, *, private: bool) -> Block:
    restricted = command.moderators and not private
    return Block(
        Role.LINE,
        _after_dash(words, description(command, words.language)),
        lead=f"/{command.name}",
        tail=words.gettext("moderators only") if restricted else "",
    )


def _after_dash(words: Words, said: str) -> str:
    return words.gettext("— {description}", description=said)


def welcome(language: str) -> Card:
    """To whoever opens a private chat: who I am and what to do next, and how to change the language."""
    words = words_of(language)
    named = " · ".join(map(name_of, languages()))
    return Card(
        (
            Block(Role.TITLE, words.gettext("Hello! I am a quiz bot for study groups.")),
            Block(Role.LINE, words.gettext(_WHAT_I_DO)),
            Block(
                Role.LINE,
                words.gettext("Choose a quiz and play it alone right here, or add me to a group to play together."),
            ),
            Block(Role.LINE, _after_dash(words, named), lead="/language"),
            Block(Role.LINE, _after_dash(words, words.gettext("Help: how this works")), lead="/help"),
        ),
        browsing(words),
    )


def greeting(language: str) -> Card:
    """To a group that I was added to: who I am and what to do next."""
    words = words_of(language)
    return Card(
        (
            Block(Role.TITLE, words.gettext("Hello everyone! I am a quiz bot for study groups.")),
            Block(Role.LINE, words.gettext(_WHAT_I_DO)),
            Block(Role.LINE, words.gettext(_WHO_IS_HOST)),
            Block(Role.LINE, words.gettext("With /settings, moderators choose the language and who may start a quiz.")),
            Block(Role.REMARK, words.gettext("I read no messages here, only commands for me.")),
        ),
        browsing(words),
    )


def hint(language: str) -> Card:
    """To whoever writes to me in private what is no command."""
    said = words_of(language).gettext("I understand buttons and commands: /quiz brings a quiz, /help says the rest.")
    return Card((Block(Role.LINE, said),))


def unknown(language: str, command: str) -> Card:
    """To whoever sent a command that does not exist; with or without its slash."""
    said = words_of(language).gettext("I do not know {command}; /help shows what I can do.", command=_as_typed(command))
    return Card((Block(Role.LINE, said),))


def _as_typed(command: str) -> str:
    return shortened(f"/{command.removeprefix('/')}", LONGEST_COMMAND)
