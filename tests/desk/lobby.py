"""A desk on a whole service, and people who come to it: in a group, a topic of it, another group, in private."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random

from bot import present
from bot.core.effects import Asked, Post, StartCard
from bot.core.quiz import LocalisedText, Quiz
from bot.core.session import Actor, Session
from bot.crew import Crew
from bot.desk import Answer, Desk, Lacking, Request, Show
from bot.desk.mixing import Mixing
from bot.library import Library
from bot.messages import Card, Link
from bot.preferences import Preferences
from bot.presses import Begin, Press, dump
from bot.running import Service
from bot.storage.sqlite import MEMORY
from tests.clock import VirtualClock
from tests.core.building import plain_quiz, question
from tests.engine.screen import Screen, Shown
from tests.engine.world import World, opened
from tests.present.sample import QUIZ, text

GROUP = "test:-1"
TOPIC = "test:-1/7"
OTHER = "test:-12"
"""Another group, whose id begins as that of the first."""

ANN = Actor("test:1", "Ann")
BOB = Actor("test:2", "Bob")
MIA = Actor("test:3", "Mia")
ANONYMOUS = Actor(GROUP, "The group", moderator=True)
"""An administrator who writes as the group."""

COLOURS = plain_quiz()
SEVERAL = replace(
    COLOURS,
    slug="several",
    title=text("Several answers", "Няколко отговора", "Mai multe răspunsuri"),
    languages=("en", "bg", "ro"),
    questions=tuple(
        replace(question(name, right=(0, 2)), stem=text(f"{name}?", f"{name} ли?", f"Oare {name}?"))
        for name in ("s0", "s1")
    ),
)
QUIZZES = (COLOURS, QUIZ, SEVERAL)

EVERYTHING = (
    "SELECT * FROM chat ORDER BY id",
    "SELECT * FROM session ORDER BY id",
    "SELECT * FROM player ORDER BY session, person",
    "SELECT * FROM response ORDER BY session, question, person",
    "SELECT * FROM outbox ORDER BY id",
    "SELECT * FROM message ORDER BY session, slot",
    "SELECT * FROM preference ORDER BY id",
)


@dataclass
class Signposts:
    """Addresses of a platform that has none for messages in the chats that are `unmarked`, and perhaps no others."""

    unmarked: set[str] = field(default_factory=set)
    only_messages: bool = False

    def message(self, chat: str, reference: str) -> str | None:
        return None if chat in self.unmarked else f"to:{chat}#{reference}"

    def chat(self, chat: str) -> str | None:
        return None if self.only_messages else f"to:{chat}"

    def private(self, payload: str) -> str | None:
        return None if self.only_messages else f"private:{payload}"

    def group(self, payload: str) -> str | None:
        return None if self.only_messages else f"group:{payload}"


@dataclass
class Threads:
    """The threads of a platform that has them in its channels: their names, those that were asked for, whether it lets
    us open more, and until when it keeps us waiting for one, by channel."""

    names: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    allowed: bool = True
    held: dict[str, asyncio.Event] = field(default_factory=dict)

    async def opened(self, chat: str, name: str) -> str | None:
        self.asked.append(name)
        if chat in self.held:
            await self.held[chat].wait()
        if not self.allowed:
            return None
        self.names.append(name)
        return f"{chat}/{len(self.names)}"


@dataclass
class Lobby:
    """Speaks for people. `moderators` are those the platform knows, `lookups` whom it was asked about; `lacking` is
    what it withholds from us, `threads` and `forms` what it has beside; `public`: everybody sees what is pressed."""

    world: World
    service: Service
    signposts: Signposts
    desk: Desk
    locales: dict[str, str] = field(default_factory=dict)
    moderators: set[str] = field(default_factory=lambda: {MIA.person})
    lookups: list[str] = field(default_factory=list)
    lacking: tuple[Lacking, ...] = ()
    threads: Threads | None = None
    forms: bool = False
    public: bool = False

    def request(self, by: Actor, chat: str, key: str | None = None) -> Request:
        async def is_moderator() -> bool:
            self.lookups.append(by.name)
            return by.moderator or by.person in self.moderators

        threads = self.threads if chat.startswith("test:-") and "/" not in chat else None
        return Request(
            chat=chat,
            by=by,
            key=key or self.world.key(),
            at=self.world.clock.now(),
            private=not chat.startswith("test:-"),
            locale=self.locales.get(by.person),
            is_moderator=is_moderator,
            lacking=self.lacking,
            open_thread=partial(threads.opened, chat) if threads else None,
            forms=self.forms,
            public=self.public,
        )

    async def command(self, by: Actor, words: str, chat: str = GROUP, *, key: str | None = None) -> Answer:
        """`by` writes these words, a command and what follows it, in the chat."""
        name, _, argument = words.removeprefix("/").partition(" ")
        return await self.desk.command(self.request(by, chat, key), name, argument)

    async def press(self, by: Actor, press: Press | str, chat: str = GROUP, *, key: str | None = None) -> Answer:
        """`by` presses this button, or one that says whatever it may say."""
        data = press if isinstance(press, str) else dump(press)
        return await self.desk.press(self.request(by, chat, key), data)

    async def select(self, by: Actor, *presses: Press | str, chat: str = GROUP, key: str | None = None) -> Answer:
        """`by` selects these of a list."""
        data = [press if isinstance(press, str) else dump(press) for press in presses]
        return await self.desk.select(self.request(by, chat, key), data)

    # What there is

    def picker(self, language: str, page: int = 0) -> Card:
        """The list of the quizzes there are, with the way to a mix of them."""
        library = self.service.library
        return present.picker(library.quizzes, language, page, mix=Mixing(library).beginning)

    def digest(self, slug: str) -> str:
        edition = self.world.library.edition(slug)
        assert edition is not None
        return edition.digest

    async def session(self, chat: str = GROUP) -> Session:
        return await self.world.session(chat)

    async def running(self, chat: str = GROUP) -> bool:
        session = await self.world.store.session(chat)
        return session is not None and session.live

    async def chosen(self, id_: str) -> Preferences:
        return (await self.world.store.preferences([id_]))[id_]

    def shown(self, chat: str = GROUP) -> list[Shown]:
        return [shown for shown in self.world.screen.shown if shown.chat == chat]

    def posts(self, chat: str = GROUP) -> list[Post]:
        return self.world.seen(chat)

    async def everything(self) -> list[object]:
        """All that the database holds of sessions, players, posts and choices."""
        return [row for statement in EVERYTHING for row in await self.world.rows(statement)]

    async def asked(self, chat: str = GROUP, by: Actor = ANN, quiz: str = "colours") -> Asked:
        """A quiz that `by` has started, at its first question, which everyone sees."""
        await self.command(by, f"/quiz {quiz}", chat)
        await self.begin(by, chat)
        post = self.posts(chat)[-1]
        assert isinstance(post, Asked)
        return post

    async def begin(self, by: Actor = ANN, chat: str = GROUP) -> None:
        await self.press(by, Begin((await self.session(chat)).id), chat)
        await self.world.settle()

    async def card(self, chat: str = GROUP, by: Actor = ANN, quiz: str = "colours") -> StartCard:
        """The start card of a quiz that `by` has asked for, as everyone sees it."""
        await self.command(by, f"/quiz {quiz}", chat)
        await self.world.settle()
        post = self.posts(chat)[-1]
        assert isinstance(post, StartCard)
        return post


@asynccontextmanager
async def open_lobby(
    path: Path | str = MEMORY,
    *,
    quizzes: Sequence[Quiz] = QUIZZES,
    clock: VirtualClock | None = None,
    screen: Screen | None = None,
    updates: int = 0,
) -> AsyncIterator[Lobby]:
    """The desk of one process on this file; `updates` is the number of the first update that comes to it."""
    async with opened(path, quizzes=quizzes, clock=clock, screen=screen, updates=updates) as world:
        library = world.library if quizzes else Library(())
        service = Service(
            world.engine,
            library,
            world.store,
            world.clock,
            Random("draw"),
            world.settle,
            world.studying.settle,
            Crew(world.store, world.clock),
        )
        signposts = Signposts()
        yield Lobby(world, service, signposts, Desk(service, signposts))


def presses(answer: Answer) -> list[Press]:
    """What the buttons of an answer say."""
    return [button.press for button in card_of(answer).all_buttons]


def links(card: Card) -> list[str]:
    """Where the buttons of a card lead."""
    return [button.url for row in card.buttons for button in row if isinstance(button, Link)]


def card_of(answer: Answer) -> Card:
    """The card of an answer that has one."""
    assert answer.card is not None
    return answer.card


def said(answer: Answer) -> str:
    """All the words of an answer; there are some."""
    words = "\n".join(f"{block.lead} {block.text}" for block in card_of(answer).blocks)
    assert words.strip()
    return words


def aside(answer: Answer) -> str:
    """The words of an answer that only whoever asked is told."""
    assert answer.show is Show.ASIDE
    assert not answer.served
    return said(answer)


def silent(answer: Answer) -> bool:
    """Whether nothing is said, since what happened shows itself."""
    return answer.card is None


def receipt(answer: Answer) -> str:
    """What a platform says that wants words where what happened shows itself."""
    assert silent(answer)
    assert answer.receipt is not None
    return said(Answer(answer.receipt))


def titled(slug: str, title: str) -> Quiz:
    return replace(COLOURS, slug=slug, title=LocalisedText({"en": title}))
