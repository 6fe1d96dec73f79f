"""Between quizzes: which one, whether the unfinished one goes on, and whether it is played once more.

Nothing runs meanwhile, so that thinking about it costs no time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adapters.console import phrases
from adapters.console.reading import Command, Pressed, understand
from adapters.console.terminal import Terminal
from bot.core.quiz import Quiz
from bot.core.session import Session
from bot.core.steps import standing
from bot.messages import Card
from bot.present import picker, post
from bot.presses import Page
from bot.words import Words


@dataclass(frozen=True, slots=True)
class Answer:
    """What was said to the offer to go on; `line` is an answer to its question, which a script may know already."""

    go_on: bool
    line: str | None = None


async def pick(
    terminal: Terminal, quizzes: Sequence[Quiz], words: Words, unfinished: Mapping[str, tuple[int, int]]
) -> str | None:
    """The slug of the quiz that is chosen from a list; None when none is. `unfinished`: slug -> done, in all."""
    named = {name: quiz.slug for number, quiz in enumerate(quizzes, 1) for name in (str(number), quiz.slug)}
    page = 0
    while True:
        card = picker(quizzes, words.language, page, unfinished)
        terminal.show(card.blocks, None)
        for line in phrases.choices(card):
            terminal.say(line)
        chosen = await _choice(terminal, card, words, named)
        if not isinstance(chosen, int):
            return chosen
        page = chosen


async def _choice(terminal: Terminal, card: Card, words: Words, named: Mapping[str, str]) -> str | int | None:
    """A quiz, another page of the list, or None to leave."""
    while card.buttons and (line := await asked(terminal, phrases.prompt(card, words))) is not None:
        if slug := named.get(line.strip().casefold()):
            return slug
        meaning = understand(line, card)
        if isinstance(meaning, Pressed) and isinstance(meaning.press, Page):
            return meaning.press.number
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
        if meaning is not None and terminal.scripted:
            return Answer(True, line)
        terminal.say(question)
    return None


async def once_more(terminal: Terminal, results: Card, words: Words) -> bool:
    """Whether the quiz that has ended with these results is played again."""
    while (line := await asked(terminal, phrases.prompt(results, words))) is not None:
        meaning = understand(line, results)
        if isinstance(meaning, Pressed):
            return True
        if meaning in (Command.LEAVE, Command.STOP) or not line.strip():
            return False
        terminal.say(phrases.possibilities(results, words))
    return False


async def asked(terminal: Terminal, prompt: str) -> str | None:
    """What is typed; whoever interrupts it finds the line of the prompt ended."""
    try:
        return await terminal.ask(prompt)
    except asyncio.CancelledError:
        terminal.show((), None)
        raise
