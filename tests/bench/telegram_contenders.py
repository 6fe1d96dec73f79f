"""Programs that acknowledge presses, each in a process of its own on a server of its own. Measures nothing."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.programs import QUIZ, folder_in, running, until
from tests.telegram.server import BotApi, Message, Person
from tests.telegram.server.keyboards import Rows
from tests.telegram.server.markup import Formatted

STOCK, OURS = "stock program", "stock on our requests"


@dataclass(frozen=True, slots=True)
class Look:
    """What a question looked like before anybody answered it."""

    said: Formatted
    markup: Rows


@dataclass(frozen=True, slots=True)
class Contender:
    """A program that is connected to `server`. One that `plays` sends questions of its own; the others are shown
    copies of them."""

    name: str
    server: BotApi
    plays: bool

    async def questions(self, players: int, like: Look | None) -> AsyncIterator[tuple[Message, Sequence[Person]]]:
        """Two questions, one after the other, for the same people, of whom the program has not heard before."""
        people = [self.server.person(f"Player {number}", "en") for number in range(players)]
        group = self.server.supergroup("Bench", people, people[:1])
        if not self.plays:
            if like is None:
                raise TypeError("a program that does not play needs questions to copy")
            for _ in range(2):
                yield group.add(self.server.bot, like.said, markup=like.markup), people
            return
        host = people[0]
        await host.write(group, f"/quiz {QUIZ}")
        await host.press(await group.shows("Pace"), "Start")
        first = await group.shows("Question 1 of")
        yield first, people
        for _ in ("it closes", "the second one comes"):
            await host.write(group, "/next")
        yield await group.shows("Question 2 of"), people
        await host.write(group, "/stop")
        await group.shows("Results")


@asynccontextmanager
async def contenders(folder: Path) -> AsyncIterator[list[Contender]]:
    """Quizbot by polling and by webhook, and a bare program on the library's request layer and on ours."""
    async with AsyncExitStack() as stack:
        hook = f"127.0.0.1:{free_port()}"
        webhook = {
            "QUIZBOT_TELEGRAM_WEBHOOK_URL": f"http://{hook}/telegram",
            "QUIZBOT_TELEGRAM_WEBHOOK_LISTEN": hook,
        }
        yield [
            await _quizbot(stack, "Quizbot, polling", folder_in(folder, "polling"), {}),
            await _quizbot(stack, "Quizbot, webhook", folder_in(folder, "webhook"), webhook),
            await _bare(stack, STOCK, folder_in(folder, "stock"), "stock"),
            await _bare(stack, OURS, folder_in(folder, "aiohttp"), "aiohttp"),
        ]


async def _quizbot(stack: AsyncExitStack, name: str, folder: Path, variables: Mapping[str, str]) -> Contender:
    server = await stack.enter_async_context(BotApi())
    settings = {
        "QUIZBOT_TELEGRAM_TOKEN": server.token,
        "QUIZBOT_TELEGRAM_API_URL": server.url,
        "QUIZBOT_DATABASE_URL": f"sqlite:///{folder.as_posix()}/quizbot.sqlite3",
        **variables,
    }
    await stack.enter_async_context(running(folder, ["-m", "bot", "run"], settings))
    method = "setWebhook" if variables else "getUpdates"
    await until(lambda: server.calls(method), f"called {method}", folder)
    return Contender(name, server, plays=True)


async def _bare(stack: AsyncExitStack, name: str, folder: Path, layer: str) -> Contender:
    server = await stack.enter_async_context(BotApi())
    program = ["-m", "tests.bench.telegram_bare", server.url, server.token, layer]
    await stack.enter_async_context(running(folder, program, {}))
    await until(lambda: server.calls("getUpdates"), "called getUpdates", folder)
    return Contender(name, server, plays=False)


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens at."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
