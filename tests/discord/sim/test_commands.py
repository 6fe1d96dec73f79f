"""Commands in a channel, in a thread and in private, what is offered while somebody types, and the menus of people."""

from __future__ import annotations

import pytest
from simcord.builders import ChannelHandle

from bot.commands import COMMANDS
from tests.discord.sim.people import Person
from tests.discord.sim.quizzes import COLOURS, shelf, titled
from tests.discord.sim.stage import Stage, staged

PLACES = ("a channel", "a thread", "private")

TOGETHER = {
    "quiz": "Choose a quiz",
    "practice": "Practising is for a private chat with me, where nobody else sees your answers.",
    "leaderboard": "Leaderboard — This week",
    "stats": "Missed most in this chat",
    "quizzes": "Choose a quiz",
    "stop": "No quiz is running here; start one first.",
    "next": "No quiz is running here; start one first.",
    "resume": "No quiz is running here; start one first.",
    "settings": "Settings",
    "language": "In which language shall I answer you?",
    "privacy": "What is stored about you",
    "export": "Your data is for you alone; you get it in our private chat.",
    "forget": "Deleting your data is between you and me, so we do it in our private chat.",
    "help": "How this works",
}
"""What each command is answered with first, where nothing runs."""

ALONE = TOGETHER | {
    "practice": "Here you practise alone: what you miss comes back until you know it, then ever more rarely.",
    "stats": "You have not answered a question yet, so there is nothing to tell.",
    "export": "Here is everything that is stored about you.",
    "forget": "Delete all your data?",
}


def place(stage: Stage, where: str, person: Person) -> ChannelHandle:
    match where:
        case "a channel":
            return stage.here
        case "a thread":
            return stage.thread()
        case _:
            return person.direct


def test_every_command_stands_in_the_table() -> None:
    assert {command.name for command in COMMANDS} == set(TOGETHER)


@pytest.mark.parametrize("where", PLACES)
async def test_every_command_is_answered_at_once_and_to_whoever_sent_it(where: str) -> None:
    async with staged() as stage:
        mia = stage.moderator("Mia")
        at = place(stage, where, mia)
        expected = ALONE if where == "private" else TOGETHER
        for name, beginning in expected.items():
            said = await mia.slash(name, at=at)
            assert said.text.splitlines()[0] == beginning
            assert (said.kind, said.alone) == ("message", where != "private")
            assert not said.took
        assert len(stage.public(at)) == (len(expected) if where == "private" else 0)


@pytest.mark.parametrize("locale", ["bg", "ro"])
async def test_commands_are_listed_in_the_language_of_the_app_and_answered_in_it(locale: str) -> None:
    async with staged() as stage:
        mia = stage.moderator("Mia", locale)
        (listed,) = stage.requests("PUT", "/commands$")
        assert all(command["name_localizations"].get(locale) or command["name"] for command in listed)
        assert all(command["description_localizations"][locale] for command in listed if command["type"] == 1)
        said = [(await mia.slash(command.name)).text.splitlines()[0] for command in COMMANDS]
        assert not set(said) & set(TOGETHER.values())


async def test_help_in_private_names_what_can_be_done_alone() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        assert "/practice — Practise what is due, and something new" in (await ann.slash("help", at=ann.direct)).text
        assert "/practice" not in (await ann.slash("help")).text


# What is offered while somebody types


async def test_all_quizzes_are_offered_before_anything_is_typed_twenty_five_at_most() -> None:
    async with staged(*shelf(30)) as stage:
        offered = await stage.people["Ann"].types("")
        assert offered == [f"Quiz {number:02}" for number in range(1, 26)]


async def test_a_part_of_a_title_is_enough_in_any_language() -> None:
    async with staged(COLOURS, titled("animals", "Animals")) as stage:
        ann, boyan = stage.people["Ann"], stage.person("Боян", "bg")
        assert await ann.types("anim") == ["Animals"]
        assert await boyan.types("ЦВЕТ") == ["Цветове"]
        assert await ann.types("цвет") == ["Colours"]
        assert await boyan.types("colo") == ["Цветове"]


async def test_nothing_is_offered_for_what_there_is_not() -> None:
    async with staged(COLOURS) as stage:
        for typed in ("zebra", "' OR 1=1", "x" * 6000, "/", "🎲" * 32):
            assert await stage.people["Ann"].types(typed) == []


async def test_what_nobody_can_see_is_nothing_typed() -> None:
    async with staged(COLOURS) as stage:
        assert await stage.people["Ann"].types("\u202e") == await stage.people["Ann"].types("") != []


async def test_what_is_offered_starts_its_quiz() -> None:
    async with staged(*shelf(3)) as stage:
        ann = stage.people["Ann"]
        (choice,) = await ann.offered("02")
        said = await ann.slash("quiz", quiz=choice["value"])
        assert said.text == "The quiz is ready: press Start when everyone is here."
        assert stage.last().text.startswith("Quiz 02\n")


async def test_a_title_of_three_hundred_characters_is_offered_shortened() -> None:
    async with staged(titled("long", "An endless title " * 18)) as stage:
        (offered,) = await stage.people["Ann"].types("endless")
        assert len(offered) <= 100
        assert offered.endswith("…")


async def test_a_typed_name_that_is_nearly_one_is_answered_with_what_is_near() -> None:
    async with staged(*shelf(3)) as stage:
        ann = stage.people["Ann"]
        said = await ann.slash("quiz", quiz="quiz-0")
        assert said.alone
        assert "There is no quiz “quiz-0”." in said.text
        assert set(said.shown.buttons) == {"Quiz 01", "Quiz 02", "Quiz 03"}
        await ann.press("Quiz 02", said.shown)
        assert stage.last().text.startswith("Quiz 02\n")


# The menu of a person


async def test_the_menu_of_a_person_shows_how_they_stand() -> None:
    async with staged() as stage:
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        assert (await ann.score(ben)).text == "No quiz has been played here yet; /quiz starts one."
        await ann.slash("quiz", quiz="colours")
        assert "not begun yet" in (await ann.score(ben)).text
        await ann.press("Start")
        assert "Ben has not answered a question." in (await ann.score(ben)).text
        await ben.answer(right=True)
        said = await ann.score(ben)
        assert said.alone
        assert "Ben — 1 of 1 right, 1 point" in said.text
        assert "Place 1 of 1" in said.text
        assert "Still running, at question 1 of 3" in said.text


async def test_the_menu_of_a_person_tells_nothing_while_keys_are_held_back() -> None:
    async with staged() as stage:
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        await ann.slash("quiz", quiz="colours")
        await ann.fill_in(await ann.press("Settings"), Feedback="At the end")
        await ann.press("Start")
        await ben.answer(right=True)
        said = await ann.score(ben)
        assert "Ben has answered 1 question." in said.text
        assert "right" not in said.text


async def test_the_menu_of_a_bot_is_answered_too() -> None:
    async with staged() as stage:
        ann, robot = stage.people["Ann"], stage.person("Robot")
        robot.user._user.bot = True
        await ann.slash("quiz", quiz="colours")
        await ann.press("Start")
        assert "Robot has not answered a question." in (await ann.score(robot)).text
