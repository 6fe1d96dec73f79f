"""What goes into a mix, to be chosen from a list; what the mix is called; and what is said where it cannot be made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.core.quiz import LocalisedText, Quiz
from bot.messages import Block, Button, Card, Role, Style
from bot.present.picking import LONGEST_NAME, MOST_NEAR, PAGE, WIDTH, picker, place
from bot.present.showing import browsing, title_of, turning
from bot.presses import Blend
from bot.words import Words, languages, shortened, words_of

MOST_NAMED = 2
"""What a mix is made of and called by; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic, and how many questions there are on it."""

    name: str
    questions: int


Ingredient = Quiz | Topic


def mix_title(parts: Sequence[Ingredient]) -> LocalisedText:
    """What a mix of these is called, in every language of the interface."""
    return LocalisedText({language: _title(words_of(language), parts) for language in languages()})


def _title(words: Words, parts: Sequence[Ingredient]) -> str:
    names = [shortened(_name(words, part), LONGEST_NAME) for part in parts]
    match parts:
        case [Topic()]:
            return words.gettext("Topic: {topic}", topic=names[0])
        case _:
            rest = len(parts) - MOST_NAMED
            more = [words.ngettext("{count} more", "{count} more", rest)] if rest > 0 else []
            return words.gettext("Mix: {parts}", parts=" + ".join((*names[:MOST_NAMED], *more)))


def _name(words: Words, part: Ingredient) -> str:
    """A topic is written without the hyphens that a file needs."""
    return part.name.replace("-", " ") if isinstance(part, Topic) else title_of(part, words.language)


def ingredients(
    offer: Sequence[Ingredient], language: str, now: Blend, questions: int, *, changed: bool = False
) -> Card:
    """What can go into a mix, a page of it, with buttons that put it in or take it out: `now`, which is not ready, is
    what is in it so far, and comes to so many `questions`. `changed`: the list is another than that of the button."""
    if not offer:
        return picker((), language, 0)
    words = words_of(language)
    pages = -(-len(offer) // PAGE)
    now = replace(now, page=min(now.page, pages - 1))
    listed = range(now.page * PAGE, min((now.page + 1) * PAGE, len(offer)))
    remark = (Block(Role.REMARK, words.gettext("The list has changed: please choose again.")),) if changed else ()
    choices = [_choice(words, now, number) for number in listed]
    return Card(
        blocks=(
            Block(Role.TITLE, words.gettext("Choose what goes into the mix")),
            *remark,
            *(_entry(words, now, number, offer[number]) for number in listed),
            *place(words, now.page, pages),
        ),
        buttons=(
            *(tuple(choices[start : start + WIDTH]) for start in range(0, len(choices), WIDTH)),
            *_turning(words, now, pages),
            (_start(words, now, questions),),
        ),
    )


def _within(now: Blend, number: int) -> bool:
    return bool(now.chosen >> number & 1)


def _entry(words: Words, now: Blend, number: int, part: Ingredient) -> Block:
    count = part.questions if isinstance(part, Topic) else len(part.questions)
    facts = [words.ngettext("{count} question", "{count} questions", count)]
    if isinstance(part, Topic):
        facts.insert(0, words.gettext("topic"))
    lead = f"{words.number(number + 1)}."
    name = _name(words, part)
    return Block(Role.LINE, name, lead=f"✓ {lead}" if _within(now, number) else lead, tail=" · ".join(facts))


def _choice(words: Words, now: Blend, number: int) -> Button:
    label = words.number(number + 1)
    return Button(f"✓ {label}" if _within(now, number) else label, replace(now, chosen=now.chosen ^ 1 << number))


def _turning(words: Words, now: Blend, pages: int) -> tuple[tuple[Button, ...], ...]:
    buttons = turning(words, now.page, pages, lambda page: replace(now, page=page))
    return (buttons,) if buttons else ()


def _start(words: Words, now: Blend, questions: int) -> Button:
    ready = replace(now, ready=True)
    if not questions:
        return Button(words.gettext("Continue"), ready)
    label = words.ngettext("Continue: {count} question", "Continue: {count} questions", questions)
    return Button(label, ready, Style.PRIMARY)


def nothing_chosen(language: str) -> Card:
    """To whoever wants to go on with a mix that nothing is in."""
    said = words_of(language).gettext(
        "The mix is still empty: press the numbers of the quizzes and topics that you want."
    )
    return Card((Block(Role.LINE, said),))


def no_such_topic(language: str, wanted: str, near: Sequence[tuple[str, Blend]]) -> Card:
    """To whoever asked for the topic `wanted`: there is none, but those `near`, each with the press that starts it."""
    words = words_of(language)
    name = shortened(wanted, LONGEST_NAME) or "…"
    missing = Block(Role.LINE, words.gettext("There is no topic “{name}”.", name=name))
    if not near:
        return Card((missing,), browsing(words))
    return Card(
        (missing, Block(Role.LINE, words.gettext("Did you mean:"))),
        tuple((Button(shortened(topic.replace("-", " "), LONGEST_NAME), press),) for topic, press in near[:MOST_NEAR]),
    )
