"""The start card: what is about to be played, how, and the buttons that change it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.core.effects import CardState, StartCard
from bot.core.events import Change
from bot.core.quiz import Quiz
from bot.core.session import Feedback, Order, Pace, Settings
from bot.messages import Block, Button, Card, Role, Style
from bot.present.showing import introduction, title_of
from bot.presses import Begin, Configure
from bot.words import Words, msgid, words_of

COUNTS = (3, 5, 10)
"""How many questions the host can ask for, beside all of them."""

PACES: Mapping[Pace, str] = {
    Pace.RELAXED: msgid("Relaxed"),
    Pace.STEADY: msgid("Steady"),
    Pace.BRISK: msgid("Brisk"),
}
FEEDBACKS: Mapping[Feedback, str] = {
    Feedback.AT_ONCE: msgid("At once"),
    Feedback.AT_CLOSE: msgid("After each question"),
    Feedback.AT_END: msgid("At the end"),
}
ORDERS: Mapping[Order, str] = {
    Order.WRITTEN: msgid("In order"),
    Order.SHUFFLED: msgid("Shuffled"),
}
PACE_FACTS: Mapping[Pace, str] = {
    Pace.RELAXED: msgid("Pace: relaxed. No clock; go on with Next."),
    Pace.STEADY: msgid("Pace: steady. Time enough to read and think."),
    Pace.BRISK: msgid("Pace: brisk. The time is short."),
}
FEEDBACK_FACTS: Mapping[Feedback, str] = {
    Feedback.AT_ONCE: msgid("Feedback: at once."),
    Feedback.AT_CLOSE: msgid("Feedback: after each question."),
    Feedback.AT_END: msgid("Feedback: at the end."),
}
OUTCOMES: Mapping[CardState, str] = {
    CardState.BEGUN: msgid("The quiz has begun."),
    CardState.STOPPED: msgid("Stopped before the first question."),
    CardState.EXPIRED: msgid("Nobody started it for a day, so the invitation has lapsed."),
}


def start_card(effect: StartCard, quiz: Quiz, language: str) -> Card:
    """To everyone in the chat: the quiz, how it will be played, and the buttons for that; or what became of it."""
    words = words_of(language)
    title = Block(Role.TITLE, title_of(quiz, language))
    if effect.state in OUTCOMES:
        return Card((title, Block(Role.LINE, words.gettext(OUTCOMES[effect.state]))))
    return Card((title, *introduction(quiz, language), *_facts(effect, words)), _buttons(effect, words))


def _facts(effect: StartCard, words: Words) -> tuple[Block, ...]:
    settings = _possible(effect)
    facts = [
        _questions(effect, words),
        words.gettext(PACE_FACTS[settings.pace]),
        words.gettext(FEEDBACK_FACTS[settings.feedback]),
    ]
    if settings.order is Order.SHUFFLED:
        facts.append(words.gettext("Order: shuffled."))
    if settings.speed_bonus and settings.clocked:
        facts.append(words.gettext("Speed bonus: up to half a point."))
    if not effect.private:
        facts.append(words.gettext("Host: {name}", name=words.name(effect.host_name)))
    return tuple(Block(Role.FACT, fact) for fact in facts)


def _possible(effect: StartCard) -> Settings:
    """The settings as they will work: never more questions than there are."""
    return replace(effect.settings, count=min(effect.settings.count, effect.available))


def _questions(effect: StartCard, words: Words) -> str:
    chosen = _possible(effect).count
    if chosen == effect.available:
        return words.ngettext("{count} question", "{count} questions", effect.available)
    return words.ngettext(
        "{chosen} of {count} question", "{chosen} of {count} questions", effect.available, chosen=chosen
    )


def _buttons(effect: StartCard, words: Words) -> tuple[tuple[Button, ...], ...]:
    unfolded = effect.state is CardState.CONFIGURING
    start = Button(words.gettext("Start"), Begin(effect.session), Style.PRIMARY)
    fold = Button(
        words.gettext("Hide settings") if unfolded else words.gettext("Settings"),
        Configure(effect.session, Change(), not unfolded),
    )
    return *(_choices(effect, words) if unfolded else ()), (start, fold)


def _choices(effect: StartCard, words: Words) -> tuple[tuple[Button, ...], ...]:
    """A row for each thing to choose; every button carries what it changes, and nothing else."""
    now, available = _possible(effect), effect.available
    rows = [
        [(count_label(words, count, available), Change(count=count)) for count in counts(now.count, available)],
        [(words.gettext(label), Change(pace=pace)) for pace, label in PACES.items()],
        [(words.gettext(label), Change(feedback=feedback)) for feedback, label in FEEDBACKS.items()],
        [(words.gettext(label), Change(order=order)) for order, label in ORDERS.items()],
    ]
    choices = [[_choice(effect, label, change) for label, change in row] for row in rows]
    if now.clocked:
        # In the row of the order, because a platform has room for five rows.
        choices[-1].append(_switch(effect, words))
    return tuple(map(tuple, choices))


def counts(now: int, available: int) -> list[int]:
    """The numbers of questions to choose from, in order: never more than there are, and always the one that holds."""
    return sorted({*(count for count in (*COUNTS, now) if count < available), available})


def count_label(words: Words, count: int, available: int) -> str:
    """The last of the row says what is counted, so that the others can be as narrow as a platform's row of five."""
    if count == available:
        return words.ngettext("Just {count} question", "All {count} questions", count)
    return words.number(count)


def _choice(effect: StartCard, label: str, change: Change) -> Button:
    now = _possible(effect)
    return Button(f"✓ {label}" if change.of(now) == now else label, Configure(effect.session, change, True))


def _switch(effect: StartCard, words: Words) -> Button:
    now = _possible(effect)
    label = words.gettext("Speed bonus: on") if now.speed_bonus else words.gettext("Speed bonus: off")
    return Button(label, Configure(effect.session, Change(speed_bonus=not now.speed_bonus), True))


def ready(language: str, *, private: bool, thread: str = "", link: str | None = None) -> Card:
    """To whoever asked for a quiz: it is there, and how it begins. With the name of the `thread` that it went into, and
    a `link` to that."""
    words = words_of(language)
    if thread:
        said = words.gettext(
            "The quiz is ready in the thread “{name}”: press Start when everyone is there.", name=thread
        )
    elif private:
        said = words.gettext("The quiz is ready: press Start.")
    else:
        said = words.gettext("The quiz is ready: press Start when everyone is here.")
    return Card((Block(Role.LINE, said, url=link or ""),))
