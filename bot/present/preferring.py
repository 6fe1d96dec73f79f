"""The cards on which a chat chooses its settings and a person a language. Decides nothing and stores nothing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TypeVar

from bot.core.session import Feedback, Pace, Settings
from bot.messages import Block, Button, Card, Role
from bot.preferences import Preferences, Reminders, Starters
from bot.present.starting import FEEDBACK_FACTS, FEEDBACKS, PACE_FACTS, PACES
from bot.present.zones import fact
from bot.presses import Prefer, Press, ShowZones, Speak
from bot.words import SOURCE, Words, match, msgid, name_of, words_of
from bot.words import languages as tags

WIDEST = 5
"""Buttons that fit beside each other on every platform."""

WIDTH = 3
"""Languages beside each other where there is room for several rows."""

BONUSES: Mapping[bool, str] = {
    False: msgid("No speed bonus"),
    True: msgid("Speed bonus"),
}
BONUS_FACTS: Mapping[bool, str] = {
    False: msgid("Speed bonus: none."),
    True: msgid("Speed bonus: up to half a point."),
}
THREADS: Mapping[bool, str] = {
    False: msgid("In this channel"),
    True: msgid("In a thread of its own"),
}
THREAD_FACTS: Mapping[bool, str] = {
    False: msgid("Where a quiz runs: in this channel."),
    True: msgid("Where a quiz runs: in a thread of its own."),
}
STARTERS: Mapping[Starters, str] = {
    Starters.EVERYONE: msgid("Anyone may start"),
    Starters.MODERATORS: msgid("Only moderators"),
}
STARTER_FACTS: Mapping[Starters, str] = {
    Starters.EVERYONE: msgid("Who may start a quiz: everyone."),
    Starters.MODERATORS: msgid("Who may start a quiz: moderators only."),
}

REMINDERS: Mapping[Reminders, str] = {
    Reminders.OFF: msgid("No reminders"),
    Reminders.MORNING: msgid("In the morning"),
    Reminders.EVENING: msgid("In the evening"),
}
REMINDER_FACTS: Mapping[Reminders, str] = {
    Reminders.OFF: msgid("Reminders of reviews: none."),
    Reminders.MORNING: msgid("Reminders of reviews: in the morning."),
    Reminders.EVENING: msgid("Reminders of reviews: in the evening."),
}
HIDINGS: Mapping[bool, str] = {
    False: msgid("On leaderboards"),
    True: msgid("Hidden"),
}
HIDING_FACTS: Mapping[bool, str] = {
    False: msgid("Leaderboards of your groups: you are on them."),
    True: msgid("Leaderboards: none shows you."),
}
JOININGS: Mapping[bool, str] = {
    False: msgid("In my groups only"),
    True: msgid("Across chats too"),
}
JOINING_FACTS: Mapping[bool, str] = {
    False: msgid("Leaderboard across chats: your answers do not count there."),
    True: msgid("Leaderboard across chats: your answers count there."),
}

Row = tuple[Button, ...]
Value = TypeVar("Value", Pace, Feedback, Starters, Reminders)


def settings(
    chosen: Preferences,
    language: str,
    *,
    now: datetime,
    private: bool,
    threads: bool = False,
    zone: str | None = None,
) -> Card:
    """What holds for the quizzes of a chat from now on, with a row of buttons for each thing that can be changed, one
    row more where the chat can have `threads`; in `private`, what holds for the person as well. `zone` is the time zone
    that holds."""
    words = words_of(language)
    usual, spoken = chosen.settings(count=1, private=private), match(chosen.spoken) or SOURCE
    return Card(
        (
            Block(Role.TITLE, words.gettext("Settings")),
            *_facts(words, usual, spoken),
            *(_personal_facts(words, chosen) if private else _group_facts(words, chosen, threads=threads)),
            fact(words, zone, now),
            Block(Role.REMARK, _not_for_good(words, private=private)),
        ),
        (
            *_rows(words, usual, spoken),
            *(_personal_rows(words, chosen) if private else _group_rows(words, chosen, threads=threads)),
            (Button(words.gettext("Time zone…"), ShowZones(0)),),
        ),
    )


def _facts(words: Words, now: Settings, spoken: str) -> tuple[Block, ...]:
    facts = (
        words.gettext("Language: {language}", language=words.language_name(spoken)),
        words.gettext(PACE_FACTS[now.pace]),
        words.gettext(FEEDBACK_FACTS[now.feedback]),
        words.gettext(BONUS_FACTS[now.speed_bonus]),
    )
    return tuple(Block(Role.FACT, fact) for fact in facts)


def _group_facts(words: Words, chosen: Preferences, *, threads: bool) -> tuple[Block, ...]:
    starters = _fact(words, STARTER_FACTS[chosen.starters or Starters.EVERYONE])
    return (starters, _fact(words, THREAD_FACTS[bool(chosen.thread)])) if threads else (starters,)


def _personal_facts(words: Words, chosen: Preferences) -> tuple[Block, ...]:
    facts = (
        REMINDER_FACTS[chosen.reminders or Reminders.OFF],
        HIDING_FACTS[bool(chosen.hidden)],
        # Who is hidden counts there as little as elsewhere.
        *(() if chosen.hidden else (JOINING_FACTS[bool(chosen.everywhere)],)),
    )
    return tuple(_fact(words, said) for said in facts)


def _fact(words: Words, said: str) -> Block:
    return Block(Role.FACT, words.gettext(said))


def _not_for_good(words: Words, *, private: bool) -> str:
    if private:
        return words.gettext("Before each quiz you can still change pace and feedback.")
    return words.gettext("Before each quiz the host can still change pace and feedback.")


def _rows(words: Words, now: Settings, spoken: str) -> tuple[Row, ...]:
    return (
        _row("language", {tag: name_of(tag) for tag in _offered(spoken)}, spoken),
        _row("pace", _labels(words, PACES), now.pace),
        _row("feedback", _labels(words, FEEDBACKS), now.feedback),
        _switch(words, "speed_bonus", BONUSES, now=now.speed_bonus),
    )


def _group_rows(words: Words, chosen: Preferences, *, threads: bool) -> tuple[Row, ...]:
    starters = _row("starters", _labels(words, STARTERS), chosen.starters or Starters.EVERYONE)
    return (starters, _switch(words, "thread", THREADS, now=bool(chosen.thread))) if threads else (starters,)


def _personal_rows(words: Words, chosen: Preferences) -> tuple[Row, ...]:
    return (
        _row("reminders", _labels(words, REMINDERS), chosen.reminders or Reminders.OFF),
        _switch(words, "hidden", HIDINGS, now=bool(chosen.hidden)),
        _switch(words, "everywhere", JOININGS, now=bool(chosen.everywhere)),
    )


def _switch(words: Words, name: str, table: Mapping[bool, str], *, now: bool) -> Row:
    return _row(name, {str(int(flag)): words.gettext(label) for flag, label in table.items()}, str(int(now)))


def _offered(spoken: str) -> tuple[str, ...]:
    """The languages of one row, the one that is spoken always among them."""
    first = tags()[:WIDEST]
    return first if spoken in first else (*first[: WIDEST - 1], spoken)


def _labels(words: Words, table: Mapping[Value, str]) -> Mapping[str, str]:
    return {value: words.gettext(label) for value, label in table.items()}


def _row(name: str, labels: Mapping[str, str], now: str) -> Row:
    return tuple(_choice(label, Prefer(name, str(value)), in_force=value == now) for value, label in labels.items())


def _choice(label: str, press: Press, *, in_force: bool) -> Button:
    return Button(f"✓ {label}" if in_force else label, press)


def languages(chosen: Preferences, locale: str | None, language: str) -> Card:
    """To one person, whose choice is `chosen` and whose app speaks `locale`: the languages to be answered in."""
    words = words_of(language)
    own = match(chosen.language)
    named = tuple(_choice(name_of(tag), Speak(tag), in_force=tag == own) for tag in tags())
    return Card(
        (
            Block(Role.LINE, words.gettext("In which language shall I answer you?")),
            Block(
                Role.REMARK,
                words.gettext(
                    "This changes only what I tell you; the language for all in a chat is set there with /settings."
                ),
            ),
        ),
        (
            *(named[start : start + WIDTH] for start in range(0, len(named), WIDTH)),
            (_choice(_not_chosen(words, locale), Speak(""), in_force=own is None),),
        ),
    )


def _not_chosen(words: Words, locale: str | None) -> str:
    """What holds without a choice: the language of the app, or where there is no catalogue for it, of the chat."""
    tag = match(locale)
    if tag is None:
        return words.gettext("As in the chat")
    return words.gettext("As in my app ({language})", language=words.language_name(tag))
