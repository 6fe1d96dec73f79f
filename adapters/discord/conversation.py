"""Takes interactions one by one: what is asked goes to the desk, and what the desk says is shown. Decides nothing.

An interaction is answered when what it means is durable, and exactly once. None comes again: whoever asked while the
store was away is told to try again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import discord
from discord.app_commands import Choice

from adapters.crowding import Crowd
from adapters.discord import chats, events
from adapters.discord.answering import Answering, may_show_itself
from adapters.discord.chats import PLATFORM, Channel, person_name
from adapters.discord.events import Asker, Interaction
from adapters.discord.looks import form_of
from adapters.discord.permissions import first_writable, thread_opener
from adapters.discord.transport import DiscordTransport
from adapters.lanes import Lanes
from adapters.people import called, written
from bot import tracing
from bot.core.session import Actor
from bot.desk import Answer, Desk, Lacking, Request
from bot.engine import StoppingError
from bot.ports import Clock, StoreError

log = logging.getLogger(__name__)

MOST_SUGGESTED = 25
"""Choices that Discord takes for one search."""

Take = Callable[[Asker], Awaitable[None]]
Ask = Callable[[Request], Awaitable[Answer]]


class Conversation:
    """What people ask the bot, and what they are answered. Satisfies `commands.Handler`."""

    def __init__(self, transport: DiscordTransport, desk: Desk, clock: Clock) -> None:
        self._transport = transport
        self._desk = desk
        self._clock = clock
        self._lanes = Lanes()
        self._crowd = Crowd()
        self._answering = Answering(transport, desk.sorry, clock)
        self._under_way: set[asyncio.Task[object]] = set()

    # Commands

    async def command(self, interaction: Interaction, name: str, argument: str = "") -> None:
        """A slash command."""
        await self._command(interaction, lambda request: self._desk.command(request, name, written(argument)))

    async def unknown(self, interaction: Interaction, name: str) -> None:
        """A command that Discord still shows and that is none any more, or is written in another way now."""
        await self.command(interaction, name)

    async def score(self, interaction: Interaction, user: discord.User | discord.Member) -> None:
        """The score of somebody."""
        person = person_name(user.id)
        await self._command(interaction, lambda request: self._desk.score(request, person, called(user.display_name)))

    async def report(self, interaction: Interaction, message: discord.Message) -> None:
        """Something is wrong with the question in `message`, which may be anybody's."""
        ours = interaction.client.user is not None and message.author.id == interaction.client.user.id
        reference = f"{message.id}{form_of(message).value}" if ours else None
        datas = events.datas(message) if ours else ()
        await self._command(interaction, lambda request: self._desk.report(request, reference, datas))

    async def suggest(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        """The quizzes that somebody may mean who has typed so much."""
        asker = self._asker(interaction)
        if asker is None:
            return []
        language = await self._desk.spoken(asker.by.person, asker.locale)
        return [
            Choice(name=title, value=slug) for slug, title in self._desk.found(written(typed), language, MOST_SUGGESTED)
        ]

    async def _command(self, interaction: Interaction, ask: Ask) -> None:
        async def take(asker: Asker) -> None:
            answer = await self._in_turn(self._request(interaction, asker), ask)
            await self._answering.command(interaction, asker, answer)

        await self._serve(interaction, take)

    async def _in_turn(self, request: Request, ask: Ask) -> Answer:
        """Ask while nobody else in the chat commands anything. Presses wait too, but for no other service."""
        open_thread = request.open_thread

        async def opened(title: str) -> str | None:
            with self._lanes.aside(request.chat):
                return await open_thread(title) if open_thread else None

        async with self._lanes.exclusive(request.chat):
            return await ask(replace(request, open_thread=opened) if open_thread else request)

    # Buttons, selects and forms

    async def component(self, interaction: Interaction) -> None:
        """A button that was pressed, or choices that were made in a select."""
        pressed = events.pressed(interaction)

        async def ask(request: Request) -> Answer:
            if pressed.selected:
                return await self._desk.select(request, pressed.datas)
            return await self._desk.press(request, pressed.datas[0])

        await self._press(interaction, ask, pressed.offered, shows=may_show_itself(pressed.datas[0]))

    async def submitted(self, interaction: Interaction) -> None:
        """A form that was sent."""
        filled = events.filled(interaction)

        def ask(request: Request) -> Awaitable[Answer]:
            return self._desk.submitted(request, filled.data, filled.values, filled.text)

        if interaction.message is None:
            await self._command(interaction, ask)
        else:
            await self._press(interaction, ask, offered=True, shows=True)

    async def _press(self, interaction: Interaction, ask: Ask, offered: bool, *, shows: bool) -> None:
        async def take(asker: Asker) -> None:
            # In private whatever changes the message now is about this press. Among others it may be about another's,
            # so there only a press is held that has been found to say nothing by itself.
            held = self._transport.hold(interaction) if asker.private and shows else None
            try:
                await self._lanes.shared(chats.name(asker.place))
                answer = await ask(self._request(interaction, asker))
                await self._answering.press(interaction, asker, answer, held, offered=offered)
            finally:
                if held:
                    held.withdraw()

        async def take_awaiting(asker: Asker) -> None:
            with self._transport.awaiting(chats.name(asker.place)):
                await take(asker)

        await self._serve(interaction, take_awaiting if shows else take)

    # Every interaction

    async def deliver(self, interaction: Interaction, respond: Callable[[], Awaitable[object]]) -> None:
        """Answer what is not for the desk."""
        await self._answering.deliver(interaction, respond)

    async def _serve(self, interaction: Interaction, take: Take) -> None:
        """Let an interaction happen, and leave nobody without an answer."""
        with self._counted(), tracing.about():
            try:
                asker = self._asker(interaction)
                if asker is not None:
                    await self._let_in(interaction, asker, take)
                    return
                log.info("interaction %s is from nobody, or from nowhere that can be told", interaction.id)
            except (StoreError, StoppingError) as error:
                log.warning("interaction %s could not be stored: %s", interaction.id, error)
            except Exception:
                log.exception("interaction %s could not be handled", interaction.id)
            await self._answering.apologise(interaction)

    async def _let_in(self, interaction: Interaction, asker: Asker, take: Take) -> None:
        """Let it happen, unless too much of whoever asks is under way: a flood has to pass over its own."""
        person = asker.by.person
        if not self._crowd.has_time(person):
            return
        room = self._crowd.has_room(person)
        with self._crowd.inside(person):
            if room:
                await take(asker)
            else:
                log.info("interaction %s is more at once than anybody means", interaction.id)
                await self._answering.turn_away(interaction, self._desk.too_much(asker.locale))

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """Let whoever stops wait for this."""
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("an interaction can only be taken in a task")
        self._under_way.add(task)
        try:
            yield
        finally:
            self._under_way.discard(task)

    async def finish(self) -> None:
        """Return when everything has been answered."""
        while self._under_way:
            await asyncio.wait(self._under_way)

    def abandon(self) -> None:
        """Answer nothing more."""
        for task in self._under_way:
            task.cancel()

    def _asker(self, interaction: Interaction) -> Asker | None:
        guild = interaction.guild_id
        return events.asker(interaction, member=guild is not None and interaction.client.get_guild(guild) is not None)

    def _request(self, interaction: Interaction, asker: Asker) -> Request:
        async def is_moderator() -> bool:
            return asker.by.moderator

        threads = Lacking.MEMBERSHIP not in asker.lacking
        return Request(
            chat=chats.name(asker.place),
            by=asker.by,
            key=asker.key,
            at=asker.at,
            private=asker.private,
            locale=asker.locale,
            is_moderator=is_moderator,
            lacking=asker.lacking,
            open_thread=thread_opener(interaction.channel, interaction.app_permissions) if threads else None,
            forms=interaction.type is not discord.InteractionType.modal_submit,
            public=asker.public,
        )

    # What becomes of a guild

    async def joined(self, guild: discord.Guild) -> None:
        """The bot has been added to a guild: it says hello where everybody may read it."""
        channel = first_writable(guild)
        if channel is None:
            return
        answer = await self._desk.joined(self._greeting(guild, channel))
        if answer.card:
            await self._transport.say(Channel(channel.id), answer.card)

    def _greeting(self, guild: discord.Guild, channel: discord.TextChannel) -> Request:
        """As if the bot itself had said hello. American English is what Discord says where nobody chose anything."""
        locale = guild.preferred_locale
        return Request(
            chat=chats.name(Channel(channel.id)),
            by=Actor(person_name(guild.me.id), called(guild.me.display_name)),
            key=f"{PLATFORM}:joined:{guild.id}",
            at=self._clock.now(),
            private=False,
            locale=None if locale is discord.Locale.american_english else str(locale.value),
            is_moderator=_never,
        )

    async def left(self, guild: discord.Guild) -> None:
        """The bot is in a guild no more, or the guild is gone."""
        await self._lost(Channel(channel.id) for channel in guild.channels)

    async def channel_deleted(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is gone, and its threads with it."""
        await self._lost([Channel(channel.id)])

    async def thread_deleted(self, thread: discord.RawThreadDeleteEvent) -> None:
        """A thread is gone."""
        await self._lost([Channel(thread.parent_id, thread.thread_id)])

    async def _lost(self, places: Iterable[Channel]) -> None:
        for chat in map(chats.name, places):
            try:
                await self._desk.lost(chat)
            except Exception:  # the others are gone all the same
                log.exception("what runs in %s, which is gone, could not be ended", chat)


async def _never() -> bool:
    return False
