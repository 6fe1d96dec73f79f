"""The card of an open question. It is the same whichever option is right, but for saying that several are."""

from __future__ import annotations

from bot.core.effects import Asked
from bot.core.quiz import Quiz
from bot.messages import Block, Button, Card, Role, Style
from bot.present.showing import Shown, shown
from bot.presses import Choose, Next, Send, Toggle

ONE_ROW = 8
WIDTH = 5


def asked(effect: Asked, quiz: Quiz, language: str) -> Card:
    """To everyone in the chat: the question, a button for each option, and the way on."""
    question = shown(quiz, effect.drawn, language)
    options = (question.option(option) for option in effect.drawn.options)
    return Card(
        blocks=(*question.heading(effect.at, effect.total), *options, *_facts(effect, question)),
        buttons=(*_letters(effect, question), _steps(effect, question)),
        image=question.image(),
        deadline=effect.deadline,
    )


def _facts(effect: Asked, question: Shown) -> tuple[Block, ...]:
    words = question.words
    facts: list[Block] = []
    if question.question.several:
        facts.append(Block(Role.LINE, words.gettext("Several answers are right: choose, then send.")))
    if effect.limit:
        facts.append(Block(Role.FACT, words.gettext("Time: {duration}", duration=words.duration(effect.limit))))
    if effect.answered and not effect.private:
        facts.append(Block(Role.FACT, words.ngettext("{count} answered", "{count} answered", effect.answered)))
    return tuple(facts)


def _letters(effect: Asked, question: Shown) -> tuple[tuple[Button, ...], ...]:
    kind = Toggle if question.question.several else Choose
    buttons = tuple(
        Button(question.letter(option), kind(effect.session, effect.at, option)) for option in effect.drawn.options
    )
    width = len(buttons) if len(buttons) <= ONE_ROW else WIDTH
    return tuple(buttons[start : start + width] for start in range(0, len(buttons), width))


def _steps(effect: Asked, question: Shown) -> tuple[Button, ...]:
    words = question.words
    label = words.gettext("Skip") if effect.private else words.gettext("Next")
    onward = Button(label, Next(effect.session, effect.step))
    if not question.question.several:
        return (onward,)
    return Button(words.gettext("Send"), Send(effect.session, effect.at), Style.PRIMARY), onward
