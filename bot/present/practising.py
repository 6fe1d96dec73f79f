"""What is said around practising: where it is done, what comes now and what later, how it went. Knows no rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.core.effects import Ended, Reminded
from bot.core.quiz import LocalisedText, Quiz
from bot.core.session import Ending, Result
from bot.messages import Block, Button, Card, Link, Role, Style
from bot.present.ending import missed
from bot.present.picking import no_such_quiz
from bot.present.showing import title_of
from bot.presses import Personal, Pick, Practise, ShowStats
from bot.words import Words, languages, words_of

MOST_OFFERED = 8
"""Quizzes to begin with on one card; the others are in the list of all."""

WIDTH = 4


def practise_in_private(language: str, link: str | None) -> Card:
    """To whoever wants to practise in a group: that this is done in private; `link` opens the private chat."""
    words = words_of(language)
    why = Block(
        Role.LINE,
        words.gettext("Practising is for a private chat with me, where nobody else sees your answers."),
    )
    if link:
        return Card((why,), ((Link(words.gettext("Open the private chat"), link),),))
    how = words.gettext("Open a private chat with me and send /practice there.")
    return Card((why, Block(Role.LINE, how)))


def practice_title(quiz: Quiz | None = None) -> LocalisedText:
    """What practising is called, with `quiz` that of one quiz alone, in every language of the interface."""
    return LocalisedText({language: _title(words_of(language), quiz) for language in languages()})


def _title(words: Words, quiz: Quiz | None) -> str:
    if quiz is None:
        return words.pgettext("title", "Practice")
    return words.pgettext("title", "Practice: {quiz}", quiz=title_of(quiz, words.language))


def practice_begins(language: str, reviews: int, new: int) -> Card:
    """To whoever has begun to practise: how many reviews come, and how many new questions."""
    words = words_of(language)
    review = [words.ngettext("{count} review", "{count} reviews", reviews)] if reviews else []
    fresh = [words.ngettext("{count} new question", "{count} new questions", new)] if new else []
    return _line(words.gettext("Practice: {questions}.", questions=", ".join((*review, *fresh))))


def nothing_to_practise(
    language: str,
    quizzes: Sequence[Quiz],
    *,
    upcoming: tuple[int, int] | None = None,
    quiz: Quiz | None = None,
    reminders: bool = False,
) -> Card:
    """To whoever has done it all, of `quiz` or of everything: what comes next, and `quizzes` that are new to them.

    `upcoming` is how many reviews are due next and in how many days; with `reminders` they can ask to be told.
    """
    words = words_of(language)
    nothing = (
        words.gettext("Nothing of “{quiz}” is due today.", quiz=title_of(quiz, language))
        if quiz
        else words.gettext("Nothing is due today.")
    )
    new = (Block(Role.LINE, words.gettext("If you like, begin something new:")),) if quizzes else ()
    return Card(
        (Block(Role.LINE, nothing), *_upcoming(words, upcoming), *new, *_entries(words, quizzes)),
        (*_choices(words, quizzes), *_onward(words, everything=quiz is not None, reminders=reminders)),
    )


def _upcoming(words: Words, upcoming: tuple[int, int] | None) -> tuple[Block, ...]:
    if upcoming is None:
        return ()
    count, days = upcoming
    when = words.pgettext("when", "tomorrow")
    if days > 1:
        when = words.ngettext("in {count} day", "in {count} days", days)
    said = words.ngettext("Next: {count} review {when}.", "Next: {count} reviews {when}.", count, when=when)
    return (Block(Role.LINE, said),)


def _onward(words: Words, *, everything: bool, reminders: bool) -> tuple[tuple[Button, ...], ...]:
    first = [Button(words.gettext("Practise everything"), Practise(), Style.PRIMARY)] if everything else []
    told = [remind_me(words)] if reminders else []
    return ((*first, statistics(words), *told),)


def first_practice(language: str, quizzes: Sequence[Quiz]) -> Card:
    """To whoever has not met a question yet: what practising is, and `quizzes` to begin with."""
    words = words_of(language)
    if not quizzes:
        return _line(words.gettext("There is no quiz here yet."))
    what = words.gettext("Here you practise alone: what you miss comes back until you know it, then ever more rarely.")
    begin = words.gettext("Choose a quiz to begin with:")
    return Card((Block(Role.LINE, what), Block(Role.LINE, begin), *_entries(words, quizzes)), _choices(words, quizzes))


def _entries(words: Words, quizzes: Sequence[Quiz]) -> tuple[Block, ...]:
    entries = tuple(_entry(words, number, quiz) for number, quiz in enumerate(quizzes[:MOST_OFFERED], 1))
    more = (Block(Role.REMARK, words.gettext("/quizzes shows all quizzes.")),) if quizzes[MOST_OFFERED:] else ()
    return *entries, *more


def _entry(words: Words, number: int, quiz: Quiz) -> Block:
    count = words.ngettext("{count} question", "{count} questions", len(quiz.questions))
    return Block(Role.LINE, title_of(quiz, words.language), lead=f"{words.number(number)}.", tail=count)


def _choices(words: Words, quizzes: Sequence[Quiz]) -> tuple[tuple[Button, ...], ...]:
    choices = [
        Button(words.number(number), Practise(quiz.slug)) for number, quiz in enumerate(quizzes[:MOST_OFFERED], 1)
    ]
    return tuple(tuple(choices[start : start + WIDTH]) for start in range(0, len(choices), WIDTH))


def practised(effect: Ended, quiz: Quiz, language: str) -> Card:
    """The end of practising: how much was known at once, and what was missed, though it may have come several times."""
    words = words_of(language)
    heading = Block(Role.TITLE, words.gettext("Results — {quiz}", quiz=title_of(quiz, language)))
    on = Button(words.gettext("Keep practising"), Practise(), Style.PRIMARY)
    return Card(
        (heading, *_circumstance(effect, words), *_outcome(_at_first(effect), quiz, language)),
        ((on, statistics(words)), *([] if effect.reminded else [(remind_me(words),)])),
    )


def _at_first(effect: Ended) -> list[tuple[int, Result]]:
    """What became of each question when it first came, with its position. One that was open at the end is left out."""
    closed = effect.results
    if effect.ending is not Ending.COMPLETED and closed and not closed[-1].answered:
        closed = closed[:-1]
    first: dict[int, tuple[int, Result]] = {}
    for at, result in enumerate(closed):
        first.setdefault(result.drawn.question, (at, result))
    return list(first.values())


def _circumstance(effect: Ended, words: Words) -> tuple[Block, ...]:
    if effect.ending is Ending.COMPLETED:
        return ()
    if effect.ending is Ending.EXPIRED:
        return (Block(Role.LINE, words.gettext("Nothing happened for a day, so practising has ended.")),)
    return (Block(Role.LINE, words.gettext("Stopped early; what was left waits for you.")),)


def _outcome(closed: Sequence[tuple[int, Result]], quiz: Quiz, language: str) -> Iterable[Block]:
    words = words_of(language)
    if not closed:
        yield Block(Role.LINE, words.gettext("No question was answered."))
        return
    wrong = [(at, result) for at, result in closed if not result.right]
    score = words.ngettext(
        "You got {right} of {count} right the first time.",
        "You got {right} of {count} right the first time.",
        len(closed),
        right=len(closed) - len(wrong),
    )
    yield Block(Role.LINE, score)
    yield from missed(wrong, quiz, language)
    comes_back = words.gettext("What you missed comes back until you know it.")
    yield Block(Role.REMARK, comes_back) if wrong else Block(Role.LINE, words.gettext("Not one mistake!"))


def no_such_practice(language: str, wanted: str, near: Sequence[Quiz]) -> Card:
    """To whoever wants to practise the quiz `wanted`: there is none, but those `near` can be practised."""
    card = no_such_quiz(language, wanted, near)
    rows = tuple(tuple(map(_practised, row)) for row in card.buttons)
    return Card(card.blocks, rows)


def _practised(button: Button | Link) -> Button | Link:
    match button:
        case Button(label, Pick(slug)):
            return Button(label, Practise(slug))
        case _:
            return button


def reminded(effect: Reminded, language: str) -> Card:
    """To a learner who asked for it: reviews wait, and how to be told no more."""
    words = words_of(language)
    waiting = words.ngettext("{count} review is due today.", "{count} reviews are due today.", effect.due)
    now = Button(words.gettext("Practise now"), Practise(), Style.PRIMARY)
    never = Button(words.gettext("No more reminders"), Personal("reminders", "off"))
    few = words.gettext("A few minutes are enough.")
    return Card((Block(Role.LINE, waiting), Block(Role.LINE, few)), ((now, never),))


def statistics(words: Words) -> Button:
    """The way to one's own statistics."""
    return Button(words.gettext("Statistics"), ShowStats())


def remind_me(words: Words) -> Button:
    """Asks to be told in the evening when something is due."""
    return Button(words.gettext("Remind me in the evening"), Personal("reminders", "evening"))


def _line(said: str) -> Card:
    return Card((Block(Role.LINE, said),))
