"""Programs that acknowledge presses, each in a process of its own on a server of its own. Measures nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.programs import QUIZ, folder_in, running, until
from tests.discord.server import Discord, Guild, GuildChannel, Message, Person

QUIZBOT, BARE = "Quizbot", "bare handler"


@dataclass(frozen=True, slots=True)
class Contender:
    """A program that is connected to `server`, in `guild`. One that `plays` sends questions of its own; the other is
    shown copies of them."""

    name: str
    server: Discord
    guild: Guild
    plays: bool

    async def questions(self, players: int, like: Message | None) -> AsyncIterator[tuple[Message, Sequence[Person]]]:
        """Two questions, one after the other, for the same people, of whom the program has not heard before. `like` is
        what a question looked like before anybody answered it."""
        people = [self.server.person(f"Player {number}", "en-US") for number in range(players)]
        self.guild.join(*people)
        channel = self.guild.channel("quiz")
        if self.plays:
            async for question in _played(people[0], channel):
                yield question, people
        elif like is None:
            raise TypeError("a program that does not play needs questions to copy")
        else:
            for _ in range(2):
                yield self._copied(like, channel), people

    def _copied(self, like: Message, channel: GuildChannel) -> Message:
        world = self.server.world
        copied = Message(channel, world.snowflakes.next(), self.server.bot, world.clock.now())
        copied.flags, copied.components = like.flags, like.components
        return channel.add(copied)


async def _played(host: Person, channel: GuildChannel) -> AsyncIterator[Message]:
    await host.slash(channel, "quiz", quiz=QUIZ)
    await host.press(await channel.shows("Pace"), "Start")
    yield await channel.shows("Question 1 of")
    for _ in ("it closes", "the second one comes"):
        await host.slash(channel, "next")
    yield await channel.shows("Question 2 of")
    await host.slash(channel, "stop")
    await channel.shows("Results")


@asynccontextmanager
async def contenders(folder: Path) -> AsyncIterator[list[Contender]]:
    """Quizbot, all of it, and a bare program."""
    async with AsyncExitStack() as stack:
        yield [
            await _quizbot(stack, folder_in(folder, "discord-quizbot")),
            await _bare(stack, folder_in(folder, "discord-bare")),
        ]


async def _quizbot(stack: AsyncExitStack, folder: Path) -> Contender:
    server, guild = await _server(stack)
    settings = {
        "QUIZBOT_DISCORD_TOKEN": server.token,
        "QUIZBOT_DISCORD_API_URL": server.api_url,
        "QUIZBOT_DISCORD_GATEWAY_URL": server.gateway_url,
        "QUIZBOT_DATABASE_URL": f"sqlite:///{folder.as_posix()}/quizbot.sqlite3",
    }
    await stack.enter_async_context(running(folder, ["-m", "bot", "run"], settings))
    await until(lambda: server.commands, "registered its commands", folder)
    await _ready(server, folder)
    return Contender(QUIZBOT, server, guild, plays=True)


async def _bare(stack: AsyncExitStack, folder: Path) -> Contender:
    server, guild = await _server(stack)
    program = ["-m", "tests.bench.discord_bare", server.api_url, server.gateway_url, server.token]
    await stack.enter_async_context(running(folder, program, {}))
    await _ready(server, folder)
    return Contender(BARE, server, guild, plays=False)


async def _server(stack: AsyncExitStack) -> tuple[Discord, Guild]:
    server = Discord()
    server.contracts = None  # it would be the server that is measured
    await stack.enter_async_context(server)
    return server, server.guild("Bench")


async def _ready(server: Discord, folder: Path) -> None:
    await until(lambda: server.gateway.connected, "connected", folder)
    await server.gateway.heard()
