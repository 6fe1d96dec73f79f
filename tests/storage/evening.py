"""An evening with everything in it that can be stored about a person, who has an id and a name like no other."""

from __future__ import annotations

from bot.core.effects import Reminded
from bot.core.session import Actor
from bot.learning.memory import Studied
from bot.ports import RefusedError, UnavailableError
from bot.presses import Begin, Choose, Next, Personal, Report, Send, Speak, Toggle
from tests.desk.lobby import ANN, BOB, GROUP, OTHER, TOPIC, Lobby

ZORA = Actor("test:77331199", "Зорница Wy-Quaine")
EVE = Actor("test:9", "Eve")
"""Comes after Zora where people are in order."""

TRACES = ("77331199", "Wy-Quaine", "Зорница")
"""What no text may hold once Zora is forgotten."""

OWN_TOPIC = f"{ZORA.person}/5"
"""A topic of the private chat with Zora."""

WAITING = "test:-31"
"""A group in which Zora hosts a quiz whose start card has not come yet."""

LOST = "test:-32"
"""A group that has thrown the bot out while Zora hosted there."""

SILENT = "test:-33"
"""A group that cannot be reached, and in which a session has ended."""

REFUSING = "test:-34"
"""The same, where everything is refused for good."""

PARTLY_LEARNED = "test:-35"
"""A group whose last session has been learned from as far as Zora."""

Rows = list[dict[str, object]]


async def tables(lobby: Lobby) -> dict[str, Rows]:
    """Everything that the database holds, row by row in the order of their keys."""
    return {
        table: await _rows(lobby, table)
        for (table,) in await lobby.world.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        )
    }


async def columns(lobby: Lobby, table: str) -> list[str]:
    """The columns that the table has in truth."""
    return [name for (name,) in await lobby.world.rows(f"SELECT name FROM pragma_table_info('{table}')")]  # noqa: S608


async def _rows(lobby: Lobby, table: str) -> Rows:
    names = await columns(lobby, table)
    rows = await lobby.world.rows(f"SELECT {', '.join(names)} FROM {table} ORDER BY {', '.join(names)}")  # noqa: S608
    return [dict(zip(names, row, strict=True)) for row in rows]


async def play(lobby: Lobby, by: Actor, chat: str, *others: Actor) -> str:
    """A whole quiz that `by` hosts in the chat and plays with `others`; the host misses the second question. Its id."""
    await lobby.command(by, "/quiz colours", chat)
    id_ = (await lobby.session(chat)).id
    await lobby.press(by, Begin(id_), chat)
    for at in range(3):
        for player in (by, *others):
            await lobby.press(player, Choose(id_, at, int(at == 1 and player == by)), chat)
        await _go_on(lobby, by, chat, at)
    assert not (await lobby.session(chat)).live
    return id_


async def _go_on(lobby: Lobby, by: Actor, chat: str, at: int) -> None:
    """Close the question, if not everybody's answer has, and go on to the next or to the end."""
    for _ in range(2):
        session = await lobby.session(chat)
        if session.live and session.at == at:
            await lobby.press(by, Next(session.id, session.step), chat)


async def spend(lobby: Lobby) -> None:
    """Zora does everything there is to do, with Ann, Bob and Eve; some of it stays under way."""
    lobby.locales[ZORA.person] = "bg"
    await _choose(lobby)
    await _play_alone(lobby)
    await _play_in_groups(lobby)
    await _play_where_nothing_arrives(lobby)
    await _practise(lobby)
    await _learn(lobby)
    await lobby.world.settle()


async def _choose(lobby: Lobby) -> None:
    await lobby.command(ZORA, "/start", ZORA.person)
    await lobby.press(ZORA, Speak("ro"), ZORA.person)
    for name, value in (("zone", "Europe/Sofia"), ("reminders", "evening"), ("everywhere", "1")):
        await lobby.press(ZORA, Personal(name, value), ZORA.person)
    await lobby.press(ANN, Speak("bg"), GROUP)


async def _play_alone(lobby: Lobby) -> None:
    """Two quizzes that end, one of them in a topic of the private chat, which is all there."""
    for chat in (ZORA.person, OWN_TOPIC):
        await play(lobby, ZORA, chat)
    await lobby.world.settle()
    assert lobby.shown(ZORA.person)


async def _play_in_groups(lobby: Lobby) -> None:
    """Two quizzes that end, each reported; one that goes on in a topic, where all have answered the first question and
    Zora has chosen a part of the second."""
    ended = await play(lobby, ZORA, GROUP, ANN, BOB)
    await play(lobby, ANN, OTHER, ZORA)
    for by in (ZORA, ANN):
        await lobby.press(by, Report(ended, 1, "wrong-key"))
    running = await lobby.asked(TOPIC, ZORA, quiz="several")
    for by in (ZORA, ANN, BOB):
        await lobby.press(by, Toggle(running.session, 0, 0), TOPIC)
        await lobby.press(by, Send(running.session, 0), TOPIC)
    await _go_on(lobby, ZORA, TOPIC, 0)
    await lobby.press(ZORA, Toggle(running.session, 1, 2), TOPIC)
    await lobby.world.settle()


async def _play_where_nothing_arrives(lobby: Lobby) -> None:
    screen = lobby.world.screen
    await lobby.asked(LOST, ZORA)
    screen.forbidden[ZORA.person] = RefusedError(f"user {ZORA.person} is deactivated")
    await lobby.desk.lost(LOST)
    screen.forbidden[REFUSING] = RefusedError(f"cannot mention {ZORA.name}")
    screen.forbidden[SILENT] = screen.forbidden[WAITING] = UnavailableError()
    for chat in (SILENT, REFUSING):
        await play(lobby, ZORA, chat, BOB)
    await lobby.command(ZORA, "/quiz colours", WAITING)
    await lobby.world.settle()


async def _practise(lobby: Lobby) -> None:
    """A practice that goes on, and of which nothing arrives."""
    await lobby.command(ZORA, "/practice", ZORA.person)
    practice = await lobby.session(ZORA.person)
    assert practice.practice
    await lobby.press(ZORA, Choose(practice.id, 0, 0), ZORA.person)


async def _learn(lobby: Lobby) -> None:
    """Everything is learned from but the part of one session that comes after Zora; and she is reminded."""
    store = lobby.world.store
    await lobby.service.studied()
    await play(lobby, ANN, PARTLY_LEARNED, ZORA, EVE)
    async with store.lesson(2) as lesson:
        assert lesson is not None
        assert list(lesson.people) == [ANN.person, ZORA.person]
        await lesson.keep(Studied())
    day, now = 20_000, lobby.world.clock.now()
    assert await store.remind(ZORA.person, day, Reminded(f"{ZORA.person} {day}", 3), now)
