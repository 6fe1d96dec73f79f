"""What tests speak to: a Telegram of their own, its people and chats, and all that can go wrong. Holds no rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from tests.telegram.server.chats import Chat
from tests.telegram.server.errors import Json
from tests.telegram.server.faults import BAD_GATEWAY, Garbage, Hold, Loss, refusal
from tests.telegram.server.floods import Limits
from tests.telegram.server.groups import Group
from tests.telegram.server.http import Server
from tests.telegram.server.people import Person
from tests.telegram.server.wire import Request
from tests.telegram.server.world import Now, RealTime, World

T = TypeVar("T")


class BotApi(Server):
    """`async with BotApi(clock) as server`; a bot reaches it by `base_url=server.url + "/bot"` and `server.token`.
    `limits` are those of flood control, `privacy` the bot's privacy mode."""

    def __init__(
        self,
        clock: Now | None = None,
        *,
        limits: Limits | None = None,
        username: str = "quiz_test_bot",
        name: str = "Quizbot",
        privacy: bool = True,
    ) -> None:
        super().__init__(World(clock or RealTime(), limits or Limits(), username, name, privacy=privacy))

    # Looking

    def calls(self, method: str | None = None, chat: Chat | None = None) -> list[Request]:
        """The requests so far, of one method, to one chat."""
        wanted = (request for request in self.requests if method in (None, request.method))
        return [request for request in wanted if chat is None or request.chat == chat.id]

    async def called(self, method: str, times: int = 1, chat: Chat | None = None) -> list[Request]:
        """Wait until a method was called and answered so often, 10 s at most."""

        def look() -> list[Request] | None:
            found = [call for call in self.calls(method, chat) if call.status]
            return found if len(found) >= times else None

        return await self.until(look, f"{method} was called {len(self.calls(method, chat))} times, not {times}")

    async def until(self, look: Callable[[], T | None], missing: str = "it did not come about") -> T:
        """Wait until a condition holds, looked at after every change; 10 s at most."""
        return await self.world.changes.until(look, lambda: missing)

    @property
    def floods(self) -> int:
        """How many requests were refused with 429 because there were too many."""
        return self.world.floods.refused

    @property
    def bot(self) -> Json:
        return self.world.bot

    # People and chats

    def person(self, name: str, language: str | None = "en", username: str | None = None) -> Person:
        """Somebody new. Their private chat is closed to the bot before they write."""
        return self.world.person(name, language, username)

    def group(
        self, title: str, members: Iterable[Person] = (), admins: Iterable[Person] = (), *, bot: str | None = "member"
    ) -> Group:
        """A basic group; `bot` is the bot's status in it, None if it is not there yet."""
        return self.world.group(title, members, admins, bot=bot)

    def supergroup(
        self,
        title: str,
        members: Iterable[Person] = (),
        admins: Iterable[Person] = (),
        *,
        topics: Sequence[str] = (),
        username: str | None = None,
        bot: str | None = "member",
    ) -> Group:
        """A supergroup, a forum if there are topics."""
        return self.world.supergroup(title, members, admins, topics=topics, username=username, bot=bot)

    # Making things go wrong. A method "*" means any.

    def fail(
        self,
        method: str,
        code: int,
        description: str,
        *,
        times: int = 1,
        chat: Chat | None = None,
        parameters: Json | None = None,
    ) -> None:
        """Refuse the next requests; they are not carried out."""
        self.faults.plan(method, refusal(code, description, parameters), times, chat)

    def lose(self, method: str, *, times: int = 1, chat: Chat | None = None) -> None:
        """Carry the next requests out, and cut the connection instead of answering."""
        self.faults.plan(method, Loss(done=True), times, chat)

    def drop(self, method: str, *, times: int = 1, chat: Chat | None = None) -> None:
        """Cut the connection of the next requests without carrying them out."""
        self.faults.plan(method, Loss(done=False), times, chat)

    def garbage(
        self, method: str, *, status: int = 502, body: str = BAD_GATEWAY, times: int = 1, chat: Chat | None = None
    ) -> None:
        """Answer the next requests with something that is not JSON; they are not carried out."""
        self.faults.plan(method, Garbage(status, body), times, chat)

    def hold(self, method: str, chat: Chat | None = None, *, answer_only: bool = False) -> Hold:
        """Let requests wait until the hold is released."""
        return self.faults.hold(method, chat, answer_only=answer_only)

    def mend(self) -> None:
        """Nothing goes wrong any more."""
        self.faults.clear()

    def push_raw(self, body: Json) -> int:
        """Queue any update, with an id of its own; returns the id."""
        return self.world.updates.push_raw(body)

    def repeat(self, update_id: int) -> None:
        """Deliver an update once more, even if it was confirmed."""
        self.world.updates.repeat(update_id)

    @property
    def last_update(self) -> int:
        """The id of the newest update."""
        return max(self.world.updates.sent)

    async def confirmed(self) -> None:
        """Wait until the bot has confirmed every update, 10 s at most."""
        updates = self.world.updates
        await self.world.changes.until(lambda: not updates.pending, lambda: f"not confirmed: {list(updates.pending)}")

    def retry_webhook(self) -> None:
        """Deliver anew what the webhook did not accept."""
        self.world.webhook.retry()
