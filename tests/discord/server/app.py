"""What tests speak to: a Discord of their own, its people, guilds and channels, and all that can go wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from tests.discord.server.channels import Group
from tests.discord.server.commands import Command
from tests.discord.server.errors import Json
from tests.discord.server.faults import BAD_GATEWAY, Loss, Refusal
from tests.discord.server.gateway import Gateway
from tests.discord.server.guilds import Guild
from tests.discord.server.http import Server
from tests.discord.server.people import Person
from tests.discord.server.snowflakes import Now, RealTime
from tests.discord.server.wire import Request
from tests.discord.server.world import World
from tests.telegram.server.faults import Hold

T = TypeVar("T")


class Discord(Server):
    """`async with Discord(clock) as server`; a bot reaches it by `server.api_url`, `server.gateway_url` and
    `server.token`. Paths are what follows `/api/v10`, as regular expressions that are searched for."""

    def __init__(self, clock: Now | None = None, *, name: str = "quizbot") -> None:
        super().__init__(World(clock or RealTime(), name))

    # Looking

    def calls(self, method: str = "*", path: str = "") -> list[Request]:
        """The requests so far, of one method, to paths that match."""
        found = (call for call in self.requests if method in ("*", call.method))
        return [call for call in found if re.search(path, call.path)]

    async def called(self, method: str, path: str, times: int = 1) -> list[Request]:
        """Wait until such requests were made and answered so often, 10 s at most."""

        def look() -> list[Request] | None:
            found = [call for call in self.calls(method, path) if call.status]
            return found if len(found) >= times else None

        return await self.until(look, f"{method} {path} was not called {times} times: {[*map(str, self.requests)]}")

    async def until(self, look: Callable[[], T | None], missing: str = "it did not come about") -> T:
        """Wait until a condition holds, looked at after every change; 10 s at most."""
        return await self.world.changes.until(look, lambda: missing)

    @property
    def gateway(self) -> Gateway:
        return self.world.gateway

    @property
    def bot(self) -> Json:
        return self.world.bot

    @property
    def commands(self) -> list[Command]:
        """The commands that are registered."""
        return self.world.commands

    # People and places

    def person(self, name: str, locale: str = "en-US") -> Person:
        """Somebody new, who uses Discord in this language."""
        return self.world.person(name, locale)

    def people(self, *names: str) -> list[Person]:
        return [self.person(name) for name in names]

    def guild(self, name: str = "Study", *members: Person, bot: bool = True, locale: str = "en-US") -> Guild:
        """A guild, without channels yet; `bot` is whether the bot is in it."""
        made = self.world.guild(name, bot=bot, locale=locale)
        made.join(*members)
        return made

    def group(self, name: str, *people: Person) -> Group:
        """Private messages of several people, in which the bot is not."""
        return self.world.group(name, list(people))

    # Making things go wrong. A method "*" means any.

    def fail(
        self,
        method: str,
        path: str,
        status: int,
        code: int = 0,
        message: str = "made to fail",
        *,
        times: int = 1,
        headers: dict[str, str] | None = None,
    ) -> None:
        """Refuse the next requests; they are not carried out."""
        self.faults.plan(method, path, Refusal(status, {"code": code, "message": message}, headers or {}), times)

    def throttle(self, method: str, path: str, retry_after: float, *, everywhere: bool = False, times: int = 1) -> None:
        """Refuse the next requests with 429, for all routes if `everywhere`."""
        body: Json = {"message": "You are being rate limited.", "retry_after": retry_after, "global": everywhere}
        scope = {"X-RateLimit-Scope": "global" if everywhere else "user", "Retry-After": str(retry_after)}
        self.faults.plan(method, path, Refusal(429, body, scope), times)

    def ban(self, method: str = "*", path: str = "", *, times: int = 1) -> None:
        """Answer the next requests as Discord's doorkeeper does an address that has sent too much: 429 without Via."""
        page = "<html><body>error code: 1015</body></html>"
        self.faults.plan(method, path, Refusal(429, page, {"Retry-After": "900"}, via=False), times)

    def garbage(self, method: str, path: str, *, status: int = 502, body: Any = BAD_GATEWAY, times: int = 1) -> None:
        """Answer the next requests with a page, or any JSON; they are not carried out."""
        self.faults.plan(method, path, Refusal(status, body), times)

    def lose(self, method: str, path: str, *, times: int = 1) -> None:
        """Carry the next requests out, and cut the connection instead of answering."""
        self.faults.plan(method, path, Loss(done=True), times)

    def drop(self, method: str, path: str, *, times: int = 1) -> None:
        """Cut the connection of the next requests without carrying them out."""
        self.faults.plan(method, path, Loss(done=False), times)

    def hold(self, method: str, path: str, *, answer_only: bool = False) -> Hold:
        """Let requests wait until the hold is released."""
        return self.faults.hold(method, path, answer_only=answer_only)

    def mend(self) -> None:
        """Nothing goes wrong any more."""
        self.faults.clear()
