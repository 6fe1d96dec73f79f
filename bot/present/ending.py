"""The end of a session: standings and the hardest question for a group, score and missed questions for one player."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta

from bot.core.effects import Ended
from bot.core.quiz import Quiz
from bot.core.scoring import POINT, Standing
from bot.core.session import Ending, Result
from bot.messages import Block, Button, Card, Role, Style
from bot.present.showing import shown, title_of
from bot.presses import Again, Browse, Practise
from bot.words import Words, words_of

MOST_MISSED = 20
MEDALS: Mapping[int, str] = {1: "🥇", 2: "🥈", 3: "🥉"}


def host_told(language: str) -> Card:
    """To the host alone: the chat of the session can no longer be written to."""
    said = words_of(language).gettext(
        "Your quiz has ended, because I can no longer write in that chat. Scores so far are kept."
    )
    return Card((Block(Role.LINE, said),))


def broken(language: str) -> Card:
    """To the chat, in place of the results: the quiz can no longer be read."""
    said = words_of(language).gettext("The quiz can no longer be read, so it has ended. Scores so far are kept.")
    return Card((Block(Role.LINE, said),))


def ended(effect: Ended, quiz: Quiz, language: str) -> Card:
    """The results: to a group its standings, to one player alone a score and what was missed."""
    words = words_of(language)
    title = words.gettext("Results — {quiz}", quiz=title_of(quiz, language))
    outcome = _alone(effect, quiz, language) if effect.private else _together(effect, quiz, language)
    again = Button(words.gettext("Again"), Again(effect.session), Style.PRIMARY)
    another = Button(words.gettext("Another quiz"), Browse())
    practise = ((Button(words.gettext("Practise my mistakes"), Practise()),),) if _is_missed(effect) else ()
    blocks = (Block(Role.TITLE, title), *_circumstance(effect, words), *outcome, *_answers(effect, words))
    return Card(blocks, ((again, another), *practise))


def _is_missed(effect: Ended) -> bool:
    """Whether anybody who took part has something to practise: what they let pass is missed as well."""
    return any(result.right < effect.players for result in effect.results)


def _circumstance(effect: Ended, words: Words) -> tuple[Block, ...]:
    if effect.ending is Ending.COMPLETED:
        return ()
    if effect.ending is Ending.EXPIRED:
        return (Block(Role.LINE, words.gettext("Nothing happened for a day, so the quiz has ended.")),)
    if len(effect.results) == effect.total:
        return (Block(Role.LINE, words.gettext("Stopped early, at the last question.")),)
    stopped = words.ngettext(
        "Stopped early, after {asked} of {count} question.",
        "Stopped early, after {asked} of {count} questions.",
        effect.total,
        asked=len(effect.results),
    )
    return (Block(Role.LINE, stopped),)


def _answers(effect: Ended, words: Words) -> tuple[Block, ...]:
    """Where to look for what has been held back: messages that were edited are not seen at the end of a chat."""
    if not (effect.afterwards and effect.results):
        return ()
    return (Block(Role.LINE, words.gettext("The answers now stand with the questions above.")),)


def _together(effect: Ended, quiz: Quiz, language: str) -> Iterable[Block]:
    words = words_of(language)
    if not effect.players:
        yield Block(Role.LINE, words.gettext("Nobody answered this time."))
        return
    apart = any(standing.points != POINT * standing.right for standing in effect.standings)
    yield from (_place(effect, words, standing, apart=apart) for standing in effect.standings)
    if effect.others:
        yield Block(Role.LINE, words.ngettext("and {count} more", "and {count} more", effect.others))
    yield from _most_missed(effect, quiz, language)


def _place(effect: Ended, words: Words, standing: Standing, *, apart: bool) -> Block:
    score = score_of(words, standing.right, len(effect.results))
    if apart:
        score = f"{score}, {points_of(words, standing.points)}"
    return Block(
        Role.STANDING,
        words.gettext("{name} — {score}", name=words.name(standing.name), score=score),
        lead=f"{medal_of(standing)} {words.number(standing.rank)}.".lstrip(),
        tail=words.duration(timedelta(milliseconds=standing.taken)) if effect.clocked else "",
    )


def medal_of(standing: Standing) -> str:
    """The medal for a place, for those who had something right."""
    return MEDALS.get(standing.rank, "") if standing.right else ""


def score_of(words: Words, right: int, asked: int) -> str:
    """How many were right."""
    return words.gettext("{right} of {asked} right", right=right, asked=asked)


def points_of(words: Words, points: int) -> str:
    """Points in words, of hundredths."""
    whole, part = divmod(points, POINT)
    # A fraction takes the plural, whatever stands before the decimal mark.
    return words.ngettext("{points} point", "{points} points", whole if not part else 2, points=points / POINT)


def _most_missed(effect: Ended, quiz: Quiz, language: str) -> Iterable[Block]:
    """The question with the lowest share of right responses, if anyone missed one; of equals the first."""
    missing = [(at, result) for at, result in enumerate(effect.results) if result.right < result.answered]
    if not missing:
        return
    at, result = min(missing, key=lambda each: each[1].right / each[1].answered)
    question = shown(quiz, result.drawn, language)
    stem = question.brief(question.question.stem)
    text = question.words.gettext("Most missed: question {number}. {stem}", number=at + 1, stem=stem)
    yield Block(Role.LINE, text, tail=score_of(question.words, result.right, result.answered))


def _alone(effect: Ended, quiz: Quiz, language: str) -> Iterable[Block]:
    words = words_of(language)
    if not effect.results:
        yield Block(Role.LINE, words.gettext("No question was asked."))
        return
    right = sum(result.right for result in effect.results)
    asked = len(effect.results)
    yield Block(
        Role.LINE,
        words.ngettext("You got {right} of {count} right.", "You got {right} of {count} right.", asked, right=right),
    )
    yield from missed([(at, result) for at, result in enumerate(effect.results) if not result.right], quiz, language)


def missed(results: Sequence[tuple[int, Result]], quiz: Quiz, language: str) -> Iterable[Block]:
    """What is worth another look: these results, each with its position."""
    words = words_of(language)
    if results:
        yield Block(Role.LINE, words.gettext("Worth another look:"))
    yield from (_missed(at, result, quiz, language) for at, result in results[:MOST_MISSED])
    if len(results) > MOST_MISSED:
        yield Block(Role.LINE, words.ngettext("and {count} more", "and {count} more", len(results) - MOST_MISSED))


def _missed(at: int, result: Result, quiz: Quiz, language: str) -> Block:
    question = shown(quiz, result.drawn, language)
    stem = question.brief(question.question.stem)
    return Block(Role.LINE, stem, lead=f"{question.words.number(at + 1)}.", tail=question.right_answer(brief=True))
