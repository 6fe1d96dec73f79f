"""A client on the server of the tests whose desk says what a test wants: what becomes of answers, without any rule."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import cast

from adapters.discord.client import QuizbotClient
from adapters.discord.commands import build_tree
from adapters.discord.conversation import Conversation
from adapters.discord.registration import register
from adapters.discord.transport import DiscordTransport
from bot.core.events import Change
from bot.core.session import Pace
from bot.desk import Answer, Desk, Request
from bot.messages import Block, Button, Card, Field, Form, Role, Writing
from bot.presses import Begin, Choose, Configure, Next, Press, Report
from tests.clock import VirtualClock
from tests.discord.server import Channel, Direct, Discord, GuildChannel, Message, Person, Thread
from tests.discord.server.plain import connected

PATIENCE = 10.0
"""Real seconds after which something does not come about any more."""


def card(text: str, *buttons: tuple[str, Press], role: Role = Role.LINE) -> Card:
    """A card that says so much, with a row of these buttons."""
    row = tuple(Button(label, press) for label, press in buttons)
    return Card((Block(role, text),), (row,) if row else ())


QUESTION = card("What is blue?", ("A", Choose("s1", 0, 0)), ("B", Choose("s1", 0, 1)))
VERDICT = card("Right!", role=Role.VERDICT)
RECEIPT = card("The quiz is ready.")

GO, ON = Begin("s1"), Next("s1", 1)

FORM = Form(
    "Something is wrong",
    Report("s1", 0),
    (Field("What?", (Button("Key", Report("s1", 0, "key")),)), Writing("Words", 100)),
)
SETTINGS = Form(
    "Settings",
    Configure("s1", Change(), configuring=True),
    (Field("Pace", (Button("Steady", Configure("s1", Change(pace=Pace.STEADY), configuring=False)),)),),
)


@dataclass
class Clerk:
    """A desk that says `answer` to whatever it is asked, once it is `open`. `asked` is that, with what came with it."""

    answer: Answer = Answer()  # noqa: RUF009  # frozen
    fault: Exception | None = None
    asked: list[tuple[object, ...]] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    open: asyncio.Event = field(default_factory=asyncio.Event)
    quizzes: list[tuple[str, str]] = field(default_factory=list)
    meanwhile: Callable[[Request], Awaitable[object]] | None = None
    begun: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.open.set()

    async def _say(self, request: Request, *asked: object) -> Answer:
        self.begun.append(str(asked[-1]))
        await self.open.wait()
        self.requests.append(request)
        self.asked.append(asked)
        if self.meanwhile:
            await self.meanwhile(request)
        if self.fault:
            raise self.fault
        return self.answer

    async def command(self, request: Request, name: str, argument: str = "") -> Answer:
        return await self._say(request, "command", name, argument)

    async def press(self, request: Request, data: str) -> Answer:
        return await self._say(request, "press", data)

    async def select(self, request: Request, values: Sequence[str]) -> Answer:
        return await self._say(request, "select", *values)

    async def submitted(self, request: Request, data: str, values: Sequence[str], text: str) -> Answer:
        return await self._say(request, "submitted", data, *values, text)

    async def score(self, request: Request, person: str, name: str) -> Answer:
        return await self._say(request, "score", person, name)

    async def report(self, request: Request, reference: str | None, datas: Sequence[str]) -> Answer:
        return await self._say(request, "report", reference, *datas)

    async def joined(self, request: Request) -> Answer:
        return await self._say(request, "joined")

    async def lost(self, chat: str) -> None:
        self.asked.append(("lost", chat))
        if self.fault:
            raise self.fault

    async def spoken(self, person: str, locale: str | None) -> str | None:
        self.asked.append(("spoken", person, locale))
        return locale

    def found(self, query: str, language: str | None, most: int) -> list[tuple[str, str]]:
        self.asked.append(("found", query, language, most))
        return self.quizzes

    def sorry(self, locale: str | None) -> Card:
        return card(f"Sorry ({locale})")

    def too_much(self, locale: str | None) -> Card:
        return card(f"Too much ({locale})")


@dataclass
class Talk:
    """A client that is connected, and all that it is made of. `sent` is what its last message is called."""

    server: Discord
    clock: VirtualClock
    client: QuizbotClient
    clerk: Clerk
    transport: DiscordTransport
    conversation: Conversation
    sent: str = ""

    async def post(self, channel: Channel, shown: Card, nonce: str = "1-card") -> Message:
        """A message of the bot."""
        self.sent = await self.transport.send(chat_of(channel), shown, nonce)
        return channel.last

    async def waits(self, sleepers: int = 1) -> None:
        """Return once so many wait for time to pass."""
        await self.comes(lambda: len(self.clock.alarms) >= sleepers)

    async def comes(self, condition: Callable[[], object]) -> None:
        await comes(condition)


async def comes(condition: Callable[[], object]) -> None:
    """Return once a condition holds, 10 s at most."""
    end = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < end, "it did not come about"
        await asyncio.sleep(0)


def chat_of(channel: Channel) -> str:
    """Our id of a place."""
    if isinstance(channel, Direct):
        return f"discord:{channel.person.id}"
    if isinstance(channel, Thread):
        return f"discord:#{channel.parent.id}/{channel.id}"
    return f"discord:#{channel.id}"


@asynccontextmanager
async def talking(
    server: Discord, clock: VirtualClock, clerk: Clerk | None = None, *, pictures: Path = Path()
) -> AsyncIterator[Talk]:
    """A client that is connected to `server`, with all its commands registered."""
    clerk, transport = clerk or Clerk(), DiscordTransport(pictures, clock)
    client = QuizbotClient()
    conversation = Conversation(transport, cast("Desk", clerk), clock)
    client.serve(conversation, lambda: None)
    tree = build_tree(client, conversation)
    async with connected(server, client):
        with transport.through(client):
            await register(tree)
            yield Talk(server, clock, client, clerk, transport, conversation)
            await conversation.finish()


def study(server: Discord, *names: str) -> GuildChannel:
    """A channel of a guild with these people."""
    return server.guild("Study", *server.people(*names)).channel("quiz")


def channel_of(server: Discord) -> tuple[GuildChannel, Person]:
    """A channel of Ann and Bob, and Ann."""
    made = study(server, "Ann", "Bob")
    return made, server.world.people[0]
