"""Before a quiz goes on: which one, and whether the unfinished one. Nothing runs yet: thinking costs no time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adapters.console import phrases
from adapters.console.reading import Command, Pressed, understand
from adapters.console.returning import standing
from adapters.console.terminal import Terminal
from bot.core.quiz import Quiz
from bot.core.session import Session
from bot.messages import Card
from bot.present import picker, post
from bot.presses import Page, Pick
from bot.words import Words


@dataclass(frozen=True, slots=True)
class Answer:
    """What was said to the offer to go on; `line` was typed in answer to the question already."""

    go_on: bool
    line: str | None = None


async def pick(
    terminal: Terminal, quizzes: Sequence[Quiz], words: Words, unfinished: Mapping[str, tuple[int, int]]
) -> str | None:
    """The slug of the quiz that is chosen from a list; None when none is. `unfinished`: slug -> done, in all."""
    page = 0
    while True:
        card = picker(quizzes, words.language, page, unfinished)
        _list(terminal, card)
        match await _choice(terminal, card, words):
            case Pressed(Pick(slug)):
                return slug
            case Pressed(Page(number)):
                page = number
            case _:
                return None


def _list(terminal: Terminal, card: Card) -> None:
    terminal.show(card.blocks, None)
    for line in phrases.choices(card):
        terminal.say(line)


async def _choice(terminal: Terminal, card: Card, words: Words) -> Pressed | None:
    while card.buttons and (line := await terminal.ask(phrases.prompt(card, words))) is not None:
        meaning = understand(line, card)
        if isinstance(meaning, Pressed):
            return meaning
        if meaning in (Command.LEAVE, Command.STOP):
            return None
        if line.strip():
            terminal.say(phrases.possibilities(card, words))
    return None


async def offer(terminal: Terminal, session: Session, quiz: Quiz | None, words: Words) -> Answer | None:
    """Whether the session goes on; None when whoever is asked leaves."""
    question = phrases.offer(session, words)
    if terminal.scripted:
        terminal.say(question)
    where = standing(session)
    card = post(where, quiz, words.language) if where and quiz else Card(())
    while (line := await terminal.ask(question)) is not None:
        word = line.strip().casefold()
        if word in phrases.YES or word in phrases.NO:
            return Answer(word in phrases.YES)
        meaning = understand(line, card)
        if meaning is Command.LEAVE:
            return None
        if meaning is not None:
            return Answer(True, line)
        terminal.say(question)
    return None
