"""Threads and what can be played in them: locked, private, of their own; and the way there, as people see it."""

from __future__ import annotations

import pytest

from tests.clock import VirtualClock
from tests.core.building import plain_quiz
from tests.discord.playing import Playing, playing
from tests.discord.server import Answer as Kind
from tests.discord.server import Channel, Discord, GuildChannel, Message, Person

COLOURS = plain_quiz()
LOCKED = "This thread is locked: a moderator can unlock it, or you can start the quiz in another place."
APART = "I am not in this private thread: mention me in it first, or start the quiz in its channel."
IN_THREAD = {
    "en": "The quiz is ready in the thread “Colours”: press Start when everyone is there.",
    "bg": "Тестът е готов в нишката „Colours“: натисни „Старт“, когато всички са там.",
}
WAITS = "Тук чака тест; водещият или модератор може да натисне „Старт“, а /stop го спира."


@pytest.fixture
def channel(server: Discord) -> GuildChannel:
    return server.guild("Study", server.person("Ann"), server.person("Бо", "bg")).channel("quiz")


@pytest.fixture
def ann(channel: GuildChannel) -> Person:
    return channel.guild.world.people[0]


@pytest.fixture
def bo(channel: GuildChannel) -> Person:
    return channel.guild.world.people[1]


async def wish(bot: Playing, channel: GuildChannel) -> None:
    """Somebody has chosen English, and a thread for each quiz."""
    await bot.store.prefer(f"discord:#{channel.id}", "language", "en")
    await bot.store.prefer(f"discord:#{channel.id}", "thread", True)


async def stopped(bot: Playing, ann: Person, channel: Channel) -> Message:
    """The results of a quiz of Ann's that was stopped at its first question."""
    await bot.answer(ann.slash(channel, "quiz", quiz=COLOURS.slug))
    await bot.answer(ann.press(await bot.shows(channel, "Host: Ann"), "Start"))
    await bot.shows(channel, "Question 1")
    await bot.answer(ann.slash(channel, "stop"))
    await bot.quiet()
    return channel.last


@pytest.mark.parametrize("archived", [True, False])
async def test_in_a_locked_thread_nothing_starts_until_it_is_unlocked(
    server: Discord, clock: VirtualClock, channel: GuildChannel, ann: Person, archived: bool
) -> None:
    thread = channel.thread("Week 1")
    async with playing(server, clock) as bot:
        thread.change(locked=True, archived=archived)
        said = await bot.answer(ann.slash(thread, "quiz", quiz=COLOURS.slug))
        assert (said.ephemeral, said.text) == (True, LOCKED)
        assert thread.messages == []
        thread.change(locked=False, archived=False)
        await bot.answer(ann.slash(thread, "quiz", quiz=COLOURS.slug))
        await bot.shows(thread, "Host: Ann")


async def test_in_a_private_thread_nothing_starts_until_the_bot_is_mentioned(
    server: Discord, clock: VirtualClock, channel: GuildChannel, ann: Person
) -> None:
    thread = channel.thread("Among us", private=True)
    async with playing(server, clock) as bot:
        said = await bot.answer(ann.slash(thread, "quiz", quiz=COLOURS.slug))
        assert (said.ephemeral, said.text) == (True, APART)
        thread.bring_bot()
        await bot.answer(ann.slash(thread, "quiz", quiz=COLOURS.slug))
        await bot.shows(thread, "Host: Ann")


async def test_a_private_thread_that_discord_has_told_the_bot_of_is_one_that_it_is_in(
    server: Discord, clock: VirtualClock, channel: GuildChannel, ann: Person
) -> None:
    thread = channel.thread("Among us", private=True)
    async with playing(server, clock) as bot:
        thread.has_bot = True
        told = {name: value for name, value in thread.json().items() if name != "member"}
        channel.guild.tell("THREAD_CREATE", told)
        await bot.answer(ann.slash(thread, "quiz", quiz=COLOURS.slug))
        await bot.shows(thread, "Host: Ann")


async def test_where_the_channel_is_only_for_reading_a_quiz_gets_its_thread(
    server: Discord, clock: VirtualClock, channel: GuildChannel, ann: Person
) -> None:
    channel.deny("bot", "send_messages")
    async with playing(server, clock) as bot:
        await wish(bot, channel)
        said = await bot.answer(ann.slash(channel, "quiz", quiz=COLOURS.slug))
        (thread,) = channel.guild.threads
        assert (said.ephemeral, said.text) == (True, IN_THREAD["en"])
        await bot.shows(thread, "Host: Ann")
        server.fail("POST", "/threads$", 400, 160006, "Maximum number of active threads reached")
        bob = server.person("Bob")
        refused = await bot.answer(bob.slash(channel, "quiz", quiz=COLOURS.slug))
        assert "• Send Messages\n" in refused.text
        channel.deny("bot", "create_public_threads")
        refused = await bot.answer(bob.slash(channel, "quiz", quiz=COLOURS.slug))
        assert "• Create Public Threads\n" in refused.text
        assert "• Send Messages\n" not in refused.text
        assert channel.messages == []


async def test_whoever_presses_again_under_an_old_message_is_shown_the_way_in_their_language(
    server: Discord, clock: VirtualClock, channel: GuildChannel, ann: Person, bo: Person
) -> None:
    async with playing(server, clock) as bot:
        old = await stopped(bot, ann, channel)
        await wish(bot, channel)
        await bot.wait(61)
        before = channel.messages
        pressed = await bot.answer(bo.press(old, "Again"))
        (thread,) = channel.guild.threads
        assert (pressed.ephemeral, pressed.text) == (True, IN_THREAD["bg"])
        assert pressed.answer is not None
        assert f"/{thread.id}" in pressed.answer.markdown
        assert (channel.messages, "Again" in old.buttons) == (before, True)


@pytest.mark.parametrize("apart", [True, False])
async def test_a_picker_that_all_see_is_replaced_in_the_language_of_the_chat(
    server: Discord, clock: VirtualClock, channel: GuildChannel, ann: Person, bo: Person, apart: bool
) -> None:
    async with playing(server, clock) as bot:
        old = await stopped(bot, ann, channel)
        await wish(bot, channel)
        await bot.store.prefer(f"discord:#{channel.id}", "thread", apart)
        await bot.wait(61)
        await bot.answer(ann.press(old, "Another quiz"))
        picker = channel.last
        pressed = await bot.answer(bo.press(picker, "1"))
        assert pressed.kind is Kind.EDIT
        assert picker.text == (IN_THREAD["en"] if apart else "The quiz is ready: press Start when everyone is here.")
        mine = await bot.answer(bo.slash(channel, "quiz"))
        assert mine.answer is not None
        again = await bot.answer(bo.press(mine.answer, "1"))
        assert again.text == (IN_THREAD["bg"] if apart else WAITS)
