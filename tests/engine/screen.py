"""A platform that remembers what it shows, and can be told to go wrong."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from dataclasses import dataclass, field

from bot.codec import dump_post, load_post
from bot.core.effects import Post
from bot.core.quiz import Quiz
from bot.messages import Block, Card, Role
from bot.ports import Clock, MessageGoneError


def presented(post: Post, quiz: Quiz | None, language: str) -> Card:
    """A card that says what post it is, so that a test can ask for that instead of for words."""
    return Card((Block(Role.LINE, dump_post(post)), Block(Role.REMARK, language)))


@dataclass(frozen=True, slots=True)
class Shown:
    """Something that came to a chat, and whether it changed a message that was there."""

    chat: str
    message: str
    post: Post
    edited: bool
    language: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Lost:
    """The platform showed it, but the answer that said so got lost on the way back."""

    error: Exception


@dataclass
class Screen:
    """The transport of a platform. `troubles` of a chat are met one by one, `forbidden` each time; while a chat is
    `held` nothing comes back; messages that are `gone` cannot be edited. `calls` are seconds since the beginning."""

    clock: Clock
    shown: list[Shown] = field(default_factory=list)
    nonces: list[str] = field(default_factory=list)
    calls: list[float] = field(default_factory=list)
    troubles: dict[str, deque[Exception | Lost]] = field(default_factory=lambda: defaultdict(deque))
    forbidden: dict[str, Exception] = field(default_factory=dict)
    held: dict[str, asyncio.Event] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self._began = self.clock.now()

    async def send(self, chat: str, card: Card, nonce: str) -> str:
        self.nonces.append(nonce)
        return await self._show(chat, f"m{len(self.shown)}", card, edited=False)

    async def edit(self, chat: str, message: str, card: Card, *, lazy: bool = False) -> None:
        if message in self.gone:
            self._call()
            raise MessageGoneError
        await self._show(chat, message, card, edited=True)

    async def _show(self, chat: str, message: str, card: Card, *, edited: bool) -> str:
        self._call()
        if chat in self.held:
            await self.held[chat].wait()
        if chat in self.forbidden:
            raise self.forbidden[chat]
        trouble = self.troubles[chat].popleft() if self.troubles[chat] else None
        if isinstance(trouble, Exception):
            raise trouble
        said, language = (block.text for block in card.blocks)
        self.shown.append(Shown(chat, message, load_post(said), edited, language, self._seconds()))
        if isinstance(trouble, Lost):
            raise trouble.error
        return message

    def _call(self) -> None:
        self.calls.append(self._seconds())
        self.changed.set()

    def _seconds(self) -> float:
        return (self.clock.now() - self._began).total_seconds()

    def posts(self, chat: str) -> list[Post]:
        """Everything that came to the chat, in order."""
        return [shown.post for shown in self.shown if shown.chat == chat]

    def slots(self, chat: str) -> list[str]:
        return [f"{type(post).__name__} {post.slot}" for post in self.posts(chat)]

    def visible(self, chat: str) -> dict[str, Post]:
        """Every message of the chat as it looks now."""
        return {shown.message: shown.post for shown in self.shown if shown.chat == chat}
