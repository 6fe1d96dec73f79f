"""Every command, wherever and in whatever language it is written, is answered there; those of other bots are not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import pytest

from adapters.characters import JOINER
from bot.commands import COMMANDS, START, period_word
from bot.learning.days import Period
from bot.words import languages, words_of
from tests.clock import VirtualClock
from tests.telegram.playing import Playing, playing
from tests.telegram.server import BotApi, Chat, Group, Person

every_language = pytest.mark.parametrize("language", languages())

IDLE = "No quiz is running here; start one first."
STRANGE = "I do not know {command}; /help shows what I can do."
ANSWERS: Mapping[str, str] = {
    "start": "Hello everyone! I am a quiz bot for study groups.",
    "quiz": "Choose a quiz",
    "practice": "Practising is for a private chat with me, where nobody else sees your answers.",
    "quizzes": "Choose a quiz",
    "stop": IDLE,
    "next": IDLE,
    "resume": IDLE,
    "settings": "Settings",
    "language": "In which language shall I answer you?",
    "privacy": "What is stored about you",
    "help": "How this works",
    "leaderboard": "Leaderboard — {period}",
    "stats": "Missed most in this chat",
    "export": "Your data is for you alone; you get it in our private chat.",
    "forget": "Deleting your data is between you and me, so we do it in our private chat.",
    "sing": STRANGE,
}
"""What the answer to each command begins with in a group."""

ALONE = {
    **ANSWERS,
    "start": "Hello! I am a quiz bot for study groups.",
    "practice": "Here you practise alone: what you miss comes back until you know it, then ever more rarely.",
    "stats": "You have not answered a question yet, so there is nothing to tell.",
    "export": "Here is everything that is stored about you.",
    "forget": "Delete all your data?",
}
"""The same in private."""

BREATH = 5
"""Seconds between two commands: nobody writes faster for long."""


class Where(NamedTuple):
    """Somebody in a chat, or in one topic of it."""

    person: Person
    chat: Chat
    topic: str | None = None


def in_private(server: BotApi, language: str) -> Where:
    person = server.person("Ann", language)
    return Where(person, person.private)


def in_a_group(server: BotApi, language: str) -> Where:
    person = server.person("Ann", language)
    return Where(person, server.group("Study", [person], [person]))


def in_a_topic(server: BotApi, language: str) -> Where:
    person = server.person("Ann", language)
    return Where(person, server.supergroup("Study", [person], [person], topics=["Maths"]), "Maths")


async def answered(bot: Playing, where: Where, text: str) -> str:
    """What somebody who writes this is answered; it has to be one message, in answer to theirs, where they wrote."""
    before = len(where.chat.messages)
    asked = await where.person.write(where.chat, text, topic=where.topic)
    await bot.quiet()
    ours = where.chat.messages[before + 1 :]
    assert len(ours) == 1, where.chat.transcript()
    assert ours[0].topic == where.topic
    assert ours[0].reply_to is (asked if isinstance(where.chat, Group) else None)
    await bot.wait(BREATH)
    return ours[0].said.text.replace(JOINER, "")


def test_every_command_there_is_stands_in_this_table() -> None:
    assert {START, *(command.name for command in COMMANDS), "sing"} == set(ANSWERS)


@every_language
@pytest.mark.parametrize("place", [in_private, in_a_group, in_a_topic])
async def test_every_command_is_answered_where_it_is_written_in_the_language_of_whoever_wrote(
    server: BotApi, clock: VirtualClock, language: str, place: Callable[[BotApi, str], Where]
) -> None:
    where = place(server, language)
    words = words_of(language)
    async with playing(server, clock) as bot:
        for name, expected in (ALONE if place is in_private else ANSWERS).items():
            command = f"/{name}@QUIZ_test_bot" if name == "sing" else f"/{name}"
            said = await answered(bot, where, command)
            begins = words.gettext(expected, command=f"/{name}", period=period_word(Period.WEEK, language))
            assert said.startswith(begins), f"{command}: {said}"


@every_language
async def test_help_names_every_command_to_be_tapped_and_fits_one_screen(
    server: BotApi, clock: VirtualClock, language: str
) -> None:
    where = in_a_group(server, language)
    async with playing(server, clock) as bot:
        said = await answered(bot, where, "/help")
    listed = [line for line in said.splitlines() if line.startswith("/")]
    assert [line.split()[0] for line in listed] == [f"/{command.name}" for command in COMMANDS if command.groups]
    assert len(said) < 1200
    for command in COMMANDS:
        assert (f"<b>/{command.name}</b>" in where.chat.last.html) is command.groups


async def test_commands_of_other_bots_are_left_to_them(server: BotApi, clock: VirtualClock) -> None:
    server.world.privacy = False
    where = in_a_group(server, "en")
    async with playing(server, clock) as bot:
        for text in ("/quiz@other_bot", "/sing", "/quiz@quiz_test_bot_2", "hello /quiz", "/", "//", "/quiz@", "no"):
            await where.person.write(where.chat, text)
        await bot.quiet()
        assert not server.calls("sendMessage")
        assert "Choose a quiz" in await answered(bot, where, "/QUIZ@Quiz_Test_Bot")


@pytest.mark.parametrize(
    "text",
    ["/quiz nothing", "/quiz " + "x" * 4000, "/quiz ../etc", "/quiz __proto__", "/quiz <b>&amp;", "/quiz \u202e{0}%s"],
)
async def test_a_quiz_that_there_is_not_is_said_back_as_it_was_written(
    server: BotApi, clock: VirtualClock, text: str
) -> None:
    where = in_a_group(server, "en")
    async with playing(server, clock) as bot:
        said = await answered(bot, where, text)
    wanted = text.removeprefix("/quiz ").replace("\u202e", "")
    assert said.startswith("There is no quiz “")
    assert wanted[:20] in said
    assert len(said) < 300


@pytest.mark.parametrize("text", ["/quiz colours", "/quiz Colours", "/quiz@quiz_test_bot COLOURS", "/quiz  colours "])
async def test_a_quiz_that_is_named_goes_straight_to_its_start_card(
    server: BotApi, clock: VirtualClock, text: str
) -> None:
    where = in_a_group(server, "en")
    async with playing(server, clock) as bot:
        await where.person.write(where.chat, text)
        await bot.quiet()
        assert where.chat.last.keyboard == [["Start", "Settings"]]


@every_language
async def test_whoever_only_talks_in_private_is_told_what_is_understood(
    server: BotApi, clock: VirtualClock, language: str
) -> None:
    where = in_private(server, language)
    expected = words_of(language).gettext(
        "I understand buttons and commands: /quiz brings a quiz, /help says the rest."
    )
    async with playing(server, clock) as bot:
        assert await answered(bot, where, "hello, what is this?") == expected
        assert await answered(bot, where, "/") == expected


async def test_what_somebody_edits_is_not_asked_again(server: BotApi, clock: VirtualClock) -> None:
    where = in_private(server, "en")
    async with playing(server, clock) as bot:
        written = await where.person.write(where.chat, "/help")
        await bot.quiet()
        await where.person.edit(written, "/quiz")
        await bot.quiet()
        assert len(server.calls("sendMessage")) == 1


# Links


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ("quiz_colours", "Pace: relaxed. No clock"),
        ("practice", "Here you practise alone"),
        ("", "Hello! I am a quiz bot"),
        ("quiz_", "Choose a quiz"),
        ("quiz_gone", "There is no quiz “gone”"),
        ("whatever-1", "Hello! I am a quiz bot"),
    ],
)
async def test_a_link_opens_the_private_chat_at_what_it_names(
    server: BotApi, clock: VirtualClock, payload: str, expected: str
) -> None:
    ann = server.person("Ann")
    async with playing(server, clock) as bot:
        await ann.start_bot(payload)
        await bot.quiet()
    assert expected in ann.private.last.text


async def test_a_link_into_a_group_greets_it_and_begins_with_the_quiz(server: BotApi, clock: VirtualClock) -> None:
    ann = server.person("Ann")
    group = server.supergroup("Study", [ann], [ann], bot=None)
    async with playing(server, clock) as bot:
        group.add_bot(ann, payload="quiz_colours")
        await bot.quiet()
        ours = [message for message in group.messages if message.author == server.bot]
    assert [message.keyboard for message in ours] == [[["Choose a quiz"]], [["Start", "Settings"]]]
    assert "Host: Ann" in ours[1].text


# Greeting


@every_language
@pytest.mark.parametrize("kind", ["group", "supergroup"])
async def test_a_group_is_greeted_in_the_language_of_whoever_adds_the_bot_and_told_what_to_do(
    server: BotApi, clock: VirtualClock, language: str, kind: str
) -> None:
    ann, bob = server.person("Ann", language), server.person("Bob", "de")
    group = server.world.group("Study", [bob, ann], [bob], kind=kind, bot=None)
    async with playing(server, clock) as bot:
        group.add_bot(ann)
        await bot.quiet()
        greetings = [message for message in group.messages if message.author == server.bot]
        assert len(greetings) == 1
        words = words_of(language)
        assert words.gettext("Hello everyone! I am a quiz bot for study groups.") in greetings[0].text
        assert "/quiz" in greetings[0].text.replace(JOINER, "")
        await ann.press(greetings[0], words.gettext("Choose a quiz"))
        await bot.quiet()
        assert group.last.keyboard == [["1"]]
        assert words.gettext("Choose a quiz") in group.last.text
        assert greetings[0].visible


async def test_added_again_it_greets_again_and_made_administrator_it_does_not(
    server: BotApi, clock: VirtualClock
) -> None:
    ann = server.person("Ann")
    group = server.supergroup("Study", [ann], [ann], bot=None)
    async with playing(server, clock) as bot:
        group.add_bot(ann)
        await bot.quiet()
        group.promote_bot(ann)
        await bot.quiet()
        assert len(server.calls("sendMessage")) == 1
        group.kick_bot(ann)
        await bot.wait(10)
        group.add_bot(ann)
        await bot.quiet()
    assert len(server.calls("sendMessage")) == 2


async def test_where_it_may_not_write_it_greets_nobody_and_goes_on(server: BotApi, clock: VirtualClock) -> None:
    ann = server.person("Ann")
    closed, open_ = (server.supergroup(title, [ann], [ann], bot=None) for title in ("Closed", "Open"))
    async with playing(server, clock) as bot:
        server.fail("sendMessage", 400, "Bad Request: not enough rights to send text messages to the chat", chat=closed)
        closed.add_bot(ann)
        await bot.wait(60)
        assert len(server.calls("sendMessage", closed)) == 1
        open_.add_bot(ann)
        await bot.quiet()
        assert "Hello everyone!" in open_.last.text
