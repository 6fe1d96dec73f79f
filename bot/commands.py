"""The commands, and what Quizbot says of itself where a platform lists it. Knows no platform and no rule."""

from __future__ import annotations

from dataclasses import dataclass

from bot.learning.days import Period
from bot.words import msgid, words_of

START = "start"
"""Opens a private chat; platforms send it by themselves, so no menu has it."""

QUIZ, PERIOD, CITY = "quiz", "period", "city"
"""What can be written after a command: a quiz, for a leaderboard the time it counts, and a city for its time zone."""


@dataclass(frozen=True, slots=True)
class Command:
    """A word after the slash, and what it does (English, to be translated). It stands in the menus of `private` chats
    and of `groups`; with `moderators`, in a group in those of moderators only."""

    name: str
    description: str
    private: bool = True
    groups: bool = True
    moderators: bool = False
    options: tuple[str, ...] = ()


COMMANDS: tuple[Command, ...] = (
    Command("quiz", msgid("Choose a quiz and start it"), options=(QUIZ,)),
    Command("practice", msgid("Practise what is due, and something new"), groups=False, options=(QUIZ,)),
    Command("leaderboard", msgid("Who is ahead: today, this week, this month, all time"), options=(PERIOD, QUIZ)),
    Command("stats", msgid("Your statistics, and what is due when")),
    Command("quizzes", msgid("See all quizzes")),
    Command("stop", msgid("Stop the quiz; scores are kept")),
    Command("next", msgid("Go on to the next question")),
    Command("resume", msgid("Go on after a pause")),
    Command("settings", msgid("Settings of this chat"), moderators=True, options=(CITY,)),
    Command("language", msgid("Language in which I answer you")),
    Command("privacy", msgid("What is stored about you")),
    Command("export", msgid("All your data as a file"), groups=False),
    Command("forget", msgid("Delete all your data"), groups=False),
    Command("help", msgid("Help: how this works")),
)
"""Every command of the menus, in their order."""


def menu(*, private: bool, moderator: bool = False) -> tuple[Command, ...]:
    """The commands to list in a private chat, or in a group to its moderators or to everyone."""
    if private:
        return tuple(command for command in COMMANDS if command.private)
    return tuple(command for command in COMMANDS if command.groups and (moderator or not command.moderators))


def known(name: str) -> bool:
    """Whether this word, without its slash, is a command of Quizbot rather than another bot's."""
    return name == START or any(command.name == name for command in COMMANDS)


def description(command: Command, language: str) -> str:
    """What the command does, in a few words: at most 256 characters."""
    return words_of(language).gettext(command.description)


def word(command: Command, language: str) -> str:
    """What the command is called in a language, where a platform lets its menus say that beside the name itself: one
    word in small letters, or several with hyphens, at most 32 characters and no two alike."""
    words = words_of(language)
    return {
        "quiz": words.pgettext("command", "quiz"),
        "practice": words.pgettext("command", "practice"),
        "leaderboard": words.pgettext("command", "leaderboard"),
        "stats": words.pgettext("command", "stats"),
        "quizzes": words.pgettext("command", "quizzes"),
        "stop": words.pgettext("command", "stop"),
        "next": words.pgettext("command", "next"),
        "resume": words.pgettext("command", "resume"),
        "settings": words.pgettext("command", "settings"),
        "language": words.pgettext("command", "language"),
        "privacy": words.pgettext("command", "privacy"),
        "export": words.pgettext("command", "export"),
        "forget": words.pgettext("command", "forget"),
        "help": words.pgettext("command", "help"),
    }[command.name]


def option_description(command: Command, option: str, language: str) -> str:
    """What can be written there: at most 100 characters."""
    words = words_of(language)
    if option == PERIOD:
        return words.gettext("The time that counts; leave it out for this week")
    if option == CITY:
        return words.gettext("Set the time zone by its city; leave it out to see all settings")
    if command.name == "quiz":
        return words.gettext("A title, or a part of it; leave it out to see all quizzes")
    return words.gettext("Only this quiz: its title, or a part of it")


def option_word(option: str, language: str) -> str:
    """What that is called, under the same rules as `word`."""
    words = words_of(language)
    return {
        QUIZ: words.pgettext("command option", "quiz"),
        PERIOD: words.pgettext("command option", "period"),
        CITY: words.pgettext("command option", "city"),
    }[option]


def period_word(period: Period, language: str) -> str:
    """What a leaderboard counts, on a button or in a list: at most 20 characters."""
    words = words_of(language)
    return {
        Period.TODAY: words.pgettext("period", "Today"),
        Period.WEEK: words.pgettext("period", "This week"),
        Period.MONTH: words.pgettext("period", "This month"),
        Period.ALL: words.pgettext("period", "All time"),
    }[period]


def score_of_somebody(language: str) -> str:
    """The entry in the menu of a person that shows how they stand: at most 32 characters."""
    return words_of(language).pgettext("menu of a person", "Quiz score")


def report_question(language: str) -> str:
    """The entry in the menu of a message that reports the question in it: at most 32 characters."""
    return words_of(language).pgettext("menu of a message", "Report question")


def tagline(language: str) -> str:
    """What Quizbot is, in a line of at most 120 characters."""
    return words_of(language).gettext(
        "Quizzes for study groups, right in the chat, with an explanation for every answer."
    )


def about(language: str) -> str:
    """What Quizbot can do and how to begin, for a chat with nothing in it yet: at most 512 characters."""
    words = words_of(language)
    what = words.gettext(
        "I quiz study groups right in their chat. Every answer comes with an explanation, in several languages, "
        "and scores are kept."
    )
    how = words.gettext("Begin right here to play alone, or add me to a group and send /quiz there to play together.")
    return f"{what}\n\n{how}"
