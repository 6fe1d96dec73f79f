"""What the tests of leaderboards share: gains that are kept as the engine keeps them, and what a card says of them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from bot.boards import Scored
from bot.core.session import Actor
from bot.desk import Answer
from bot.learning.days import Period
from bot.messages import Block, Card, Role
from bot.ports import Changes
from bot.presses import Choose, ShowBoard
from tests.clock import NOON
from tests.desk.lobby import (
    ANN,
    GROUP,
    Lobby,
    card_of,
)

WEEK = ShowBoard(Period.WEEK, False, "", 0)
ACROSS = ShowBoard(Period.WEEK, True, "", 0)
ALL = ShowBoard(Period.ALL, False, "", 0)
ALL_ACROSS = ShowBoard(Period.ALL, True, "", 0)


def scored(
    name: str, points: int, *, chat: str = GROUP, slug: str = "colours", at: datetime = NOON, answered: int = 10
) -> Scored:
    """What `name`, whom the platform calls `test:<name>`, gained at one time; points are whole ones."""
    return Scored(chat, slug, f"test:{name}", name, 100 * points, points, answered, at)


async def keep(lobby: Lobby, *gains: Scored) -> None:
    async with lobby.world.store.turns({}) as turns:
        await turns.write(Changes(scores=list(gains)))


async def crowd(lobby: Lobby, number: int) -> None:
    """So many people, P01 with the most points; every second one has as many as the one before."""
    await keep(lobby, *(scored(f"P{at:02}", (number - at) // 2 + 1, answered=50) for at in range(1, number + 1)))


def standings(answer: Answer) -> list[str]:
    """The lines of a leaderboard: rank and name."""
    return [_brief(block) for block in card_of(answer).blocks if block.role is Role.STANDING]


def _brief(block: Block) -> str:
    return f"{block.lead.split()[-1]} {block.text.partition(' — ')[0]}"


def ranks(answer: Answer) -> list[int]:
    return [int(line.partition(".")[0]) for line in standings(answer)]


def facts(answer: Answer) -> list[str]:
    return [block.text for block in card_of(answer).blocks if block.role is Role.FACT]


def heading(card: Card | None) -> str:
    assert card is not None
    return " | ".join(block.text for block in card.blocks if block.role in (Role.TITLE, Role.REMARK))


async def answer_all(lobby: Lobby, by: Actor, chat: str, right: Iterable[bool]) -> None:
    """`by` answers a question of the running session after the other, right or wrong."""
    for is_right in right:
        session = await lobby.session(chat)
        question = lobby.world.library.quizzes[0].questions[session.draw[session.at].question]
        option = next(at for at, option in enumerate(question.options) if option.right is is_right)
        await lobby.press(by, Choose(session.id, session.at, option), chat)
        await lobby.command(ANN, "/next", chat)
        await lobby.command(ANN, "/next", chat)
        await lobby.world.settle()
