"""The card of a closed question: what was right, what was chosen, and why; or, until the end, only that it closed."""

from __future__ import annotations

from dataclasses import replace

from bot.core.effects import Closed
from bot.core.quiz import Quiz
from bot.messages import Block, Button, Card, Mark, Role, Style
from bot.present.showing import Shown, judged, shown
from bot.presses import Next, Report


def closed(effect: Closed, quiz: Quiz, language: str) -> Card:
    """To everyone in the chat: what became of the question; to one player alone a verdict as well."""
    question = shown(quiz, effect.result.drawn, language)
    return Card(
        blocks=(*question.heading(effect.at, effect.total), *_outcome(effect, question)),
        buttons=_onward(effect, question),
        image=question.image(),
    )


def _outcome(effect: Closed, question: Shown) -> tuple[Block, ...]:
    options = effect.result.drawn.options
    if not effect.reveal:
        later = Block(Role.LINE, question.words.gettext("Closed. The answers come at the end."))
        return *map(question.option, options), later
    said = _verdict(effect, question) if effect.private else (_turnout(effect, question),)
    marked = (_marked_option(effect, question, option) for option in options)
    return *marked, *said, *question.explanation(), *question.sources()


def _marked_option(effect: Closed, question: Shown, option: int) -> Block:
    words = question.words
    right = question.question.options[option].right
    chosen = effect.result.tally[option]
    wrong = effect.private and chosen > 0 and not right
    said = [words.pgettext("an option", "✓ right")] if right else []
    if chosen and effect.private:
        said.append(words.gettext("✗ your answer") if wrong else words.gettext("your answer"))
    elif chosen:
        said.append(words.ngettext("{count} chose it", "{count} chose it", chosen))
    mark = Mark.RIGHT if right else Mark.WRONG if wrong else Mark.NONE
    return replace(question.option(option), tail=" · ".join(said), mark=mark)


def _turnout(effect: Closed, question: Shown) -> Block:
    if not effect.result.answered:
        return Block(Role.LINE, question.words.gettext("Nobody answered this time."))
    score = question.words.ngettext(
        "{right} of {count} got it right",
        "{right} of {count} got it right",
        effect.result.answered,
        right=effect.result.right,
    )
    return Block(Role.FACT, score)


def _verdict(effect: Closed, question: Shown) -> tuple[Block, ...]:
    """To the one player of a private session."""
    words, key = question.words, question.question.key
    chosen = frozenset(option for option, count in enumerate(effect.result.tally) if count)
    if effect.result.right:
        return judged(words, right=True), *question.notes(chosen)
    answer = Block(Role.LINE, question.right_answer())
    if not chosen:
        return Block(Role.VERDICT, words.gettext("Not answered.")), answer
    return judged(words, right=False, incomplete=chosen < key), answer, *question.notes(chosen - key)


def _onward(effect: Closed, question: Shown) -> tuple[tuple[Button, ...], ...]:
    buttons = (*_next(effect, question), *_report(effect, question))
    return (buttons,) if buttons else ()


def _next(effect: Closed, question: Shown) -> tuple[Button, ...]:
    if effect.step is None:
        return ()
    words = question.words
    label = words.gettext("Next") if effect.at + 1 < effect.total else words.gettext("Show the results")
    return (Button(label, Next(effect.session, effect.step), Style.PRIMARY),)


def _report(effect: Closed, question: Shown) -> tuple[Button, ...]:
    """Only once there is a key that could be wrong."""
    return (Button(question.words.gettext("Report"), Report(effect.session, effect.at)),) if effect.reveal else ()
