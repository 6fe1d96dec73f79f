"""What is played on Telegram: an evening of a study group in two languages, and somebody alone who misses some."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from bot.core.quiz import Quiz
from bot.offering import offered
from tests.clock import VirtualClock
from tests.telegram.playing import playing
from tests.telegram.server import BotApi
from tests.transcripts.telegram.learning import moderators_settings, week_of_practice
from tests.transcripts.telegram.story import Scene, is_question, told

HERE = Path(__file__).parent
CONTENT = Path(__file__).parents[3] / "content"
QUIZ = "gradient-checkpointing"


async def group_evening() -> str:
    """Four people, two languages: a quiz that somebody answers late and that is stopped, the same again, and what one
    of them practises meanwhile."""
    clock, quiz = VirtualClock(), _quiz()
    async with BotApi(clock) as server:
        ann, boyan, cem, dora = (
            server.person(*who) for who in (("Ann", "en"), ("Боян", "bg"), ("Cem", "en"), ("Дора", "bg"))
        )
        group = server.supergroup("Study group", [ann, boyan, cem, dora], [ann], bot=None)
        async with playing(server, clock, quiz) as bot:
            scene = Scene(bot, group, quiz)
            group.add_bot(ann)
            await bot.wait(5)
            await scene.press(ann, "Choose a quiz")
            await scene.press(ann, "1")
            await scene.press(ann, "Settings")
            await scene.press(ann, "3")
            await scene.press(boyan, "Start")
            await scene.press(ann, "Start")
            first = scene.question
            letter = scene.key()
            await scene.answer(ann, right=True)
            await scene.answer(boyan, right=False)
            await scene.press(boyan, letter, first)
            await scene.answer(cem, right=True)
            late = first.button(letter)["callback_data"]
            await scene.until(lambda: not is_question(first))
            await (await dora.press_data(first, late, label=letter)).answered()
            await scene.until(lambda: scene.is_open)
            for person in (dora, ann, boyan, cem):
                await scene.answer(person, right=person is not ann)
            await scene.until(lambda: scene.is_open)
            await scene.write(cem, "/stop")
            await scene.write(ann, "/stop")
            await bot.wait(10)
            await scene.press(boyan, "Practise my mistakes")
            await boyan.follow(boyan.pop_ups[-1].url)
            await bot.wait(2)
            alone = Scene(bot, boyan.private, quiz)
            await alone.answer(boyan, right=True)
            await alone.press(boyan, "Напред")
            await alone.write(boyan, "/stop")
            await scene.press(ann, "Again")
            await scene.press(ann, "Start")
            await scene.answer(dora, right=True)
            await scene.press(ann, "Next", scene.question)
            await scene.write(boyan, f"/quiz {QUIZ}")
            await scene.write(ann, "/stop")
            await bot.wait(60)
            await scene.write(cem, "/leaderboard")
            await scene.press(cem, "Hide me")
            await scene.press(dora, "Today")
        return told(group, boyan.private)


async def alone_with_misses() -> str:
    """One person in private: some right, some wrong, one skipped, and what is worth another look."""
    clock, quiz = VirtualClock(), _quiz()
    async with BotApi(clock) as server:
        ann = server.person("Ann", "en")
        async with playing(server, clock, quiz) as bot:
            scene = Scene(bot, ann.private, quiz)
            await ann.start_bot()
            await bot.wait(2)
            await scene.press(ann, "Choose a quiz")
            await scene.press(ann, "1")
            await scene.press(ann, "Settings")
            await scene.press(ann, "5")
            await scene.press(ann, "Start")
            for right in (True, False, None, True, False):
                await bot.wait(10)
                if right is None:
                    await scene.press(ann, "Skip")
                else:
                    await scene.answer(ann, right=right)
                await bot.wait(10)
                await scene.press(ann, ann.private.last.keyboard[-1][0])
            await bot.wait(10)
            await scene.press(ann, "Another quiz")
        return told(ann.private)


def _quiz() -> Quiz:
    return next(quiz for quiz in offered(CONTENT).quizzes if quiz.slug == QUIZ)


TRANSCRIPTS: Mapping[str, Callable[[], Awaitable[str]]] = {
    "group_evening": group_evening,
    "alone_with_misses": alone_with_misses,
    "week_of_practice": week_of_practice,
    "moderators_settings": moderators_settings,
}
