"""Quizzes and topics to mix, and what a session of a mix is made of."""

from __future__ import annotations

from dataclasses import replace

from bot.core.quiz import Quiz
from bot.desk.mixing import Mixing
from bot.presses import Blend
from tests.core.building import question
from tests.desk.lobby import COLOURS, GROUP, SEVERAL, Lobby, titled

ODD = ("constructor", "3d", "learning-rate", "c")
TOPICAL = replace(
    titled("topical", "Topical"),
    questions=tuple(replace(question(f"t{at}"), topics=(topic, "all")) for at, topic in enumerate(ODD)),
)
COMMAS = titled("rivers-and-lakes", "Rivers, lakes + seas")
QUIZZES = (COLOURS, SEVERAL, TOPICAL, COMMAS)
LIST = ["colours", "rivers-and-lakes", "several", "topical", "#3d", "#all", "#c", "#constructor", "#learning-rate"]
"""What can go into a mix, in the order of the list."""


def stamp(lobby: Lobby) -> str:
    return Mixing(lobby.service.library).stamp


def choice(lobby: Lobby, *names: str, page: int = 0, ready: bool = False) -> Blend:
    """What is pressed where these are in the mix."""
    return Blend(stamp(lobby), sum(1 << LIST.index(name) for name in names), page, ready)


async def recipe(lobby: Lobby, chat: str = GROUP) -> tuple[str, ...]:
    return (await playing(lobby, chat)).recipe


async def playing(lobby: Lobby, chat: str = GROUP) -> Quiz:
    quiz = lobby.service.library.quiz((await lobby.session(chat)).quiz)
    assert quiz is not None
    return quiz


async def questions(lobby: Lobby, chat: str = GROUP) -> set[str]:
    return {asked.id for asked in (await playing(lobby, chat)).questions}
