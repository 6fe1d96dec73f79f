"""What is played on Discord: an evening of a study group in two languages, and somebody alone who misses some."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from bot.core.quiz import Quiz
from tests.discord.sim import outside
from tests.discord.sim.quizzes import FOUNDING, SEVERAL, founding
from tests.discord.sim.stage import staged
from tests.transcripts.discord.learning import moderators_settings, week_of_practice
from tests.transcripts.discord.story import Story

HERE = Path(__file__).parent
CHANNEL = "quiz, a channel of Study"


async def group_evening() -> str:
    """Four people, two languages: a quiz that somebody answers late and that is stopped, and the same again; then who
    is ahead, and what one of them missed, in private."""
    quiz = _quiz()
    async with staged(quiz, people=()) as stage:
        ann, boyan = stage.person("Ann"), stage.person("Боян", "bg")
        cem, dora = stage.person("Cem"), stage.person("Дора", "bg")
        story = Story(CHANNEL, stage, stage.here)
        await outside.forget(stage.env, stage.guild)
        await outside.join(stage.env, stage.guild)
        await story.wait(1)
        await story.press(ann, "Choose a quiz")
        await story.press(ann, "1")
        form = await story.press(ann, "Settings")
        await story.fill_in(ann, form, Questions="3")
        await story.press(boyan, "Start")
        await story.press(ann, "Start")
        first = stage.question()
        key, other = story.key(quiz)
        late = first.button(key).custom_id or ""
        await story.press(ann, key)
        await story.press(boyan, other)
        await story.press(boyan, key)
        await story.press(cem, key)
        await story.press(ann, "Next")
        await story.press_late(dora, key, late, first)
        await story.until("A")
        key, other = story.key(quiz)
        for person in (dora, ann, boyan, cem):
            await story.press(person, other if person is ann else key)
        await story.until("A")
        await story.slash(cem, "stop")
        await story.slash(ann, "stop")
        await story.press(ann, "Again")
        await story.press(ann, "Start")
        await story.press(dora, story.key(quiz)[0])
        await story.slash(boyan, "quiz", quiz=FOUNDING)
        await story.press(ann, "Next")
        await story.until("A")
        await story.slash(ann, "stop")
        await story.slash(cem, "leaderboard")
        await story.press(cem, "Today", stage.messages()[-1])
        await story.press(boyan, "Practise my mistakes")
        private = Story("private messages of Боян", stage, boyan.direct)
        await private.slash(boyan, "practice")
        await private.press(boyan, private.key(quiz)[0])
        await private.press(boyan, "Напред")
        await private.slash(boyan, "stop")
        return f"{story.text()}\n{private.text()}"


async def alone_with_misses() -> str:
    """One person in private: some right, some wrong, one skipped, and what is worth another look."""
    quiz = _quiz()
    async with staged(quiz, people=()) as stage:
        ann = stage.person("Ann")
        story = Story("private messages of Ann", stage, ann.direct)
        await story.slash(ann, "quiz")
        await story.press(ann, "1")
        form = await story.press(ann, "Settings")
        await story.fill_in(ann, form, Questions="5")
        await story.press(ann, "Start")
        for right in (True, False, None, True, False):
            question = stage.question(ann.direct)
            key, other = story.key(quiz)
            await story.press(ann, "Skip" if right is None else key if right else other)
            await story.wait(10)
            await story.press(ann, question.buttons[0], question)
        await story.press(ann, "Another quiz")
        return story.text()


async def several_right() -> str:
    """Questions with several right options, in a thread that a moderator has set up for it."""
    async with staged(SEVERAL, people=()) as stage:
        mia, ben = stage.moderator("Mia"), stage.person("Ben")
        story = Story(CHANNEL, stage, stage.here)
        card = await story.slash(mia, "settings")
        await story.press(mia, "In a thread of its own", card.shown)
        await story.slash(mia, "quiz", quiz="several")
        thread = Story("Several answers, a thread there", stage, stage.here.threads[0])
        thread.look()
        await thread.press(mia, "Start")
        await thread.choose(ben, "A", "B")
        await thread.press(ben, "Send")
        await thread.press(mia, "Next")
        await thread.until("Send")
        await thread.slash(mia, "stop")
        return f"{story.text()}\n{thread.text()}"


async def nobody_answers() -> str:
    """A quiz that nobody answers waits for somebody, goes on, and is stopped."""
    async with staged(_quiz(), people=()) as stage:
        ann = stage.person("Ann")
        story = Story(CHANNEL, stage, stage.here)
        await story.slash(ann, "quiz", quiz=FOUNDING)
        await story.press(ann, "Start")
        await story.until("Resume")
        await story.wait(60)
        await story.press(ann, "Resume")
        await story.slash(ann, "stop")
        return story.text()


def _quiz() -> Quiz:
    return next(quiz for quiz in founding() if quiz.slug == FOUNDING)


TRANSCRIPTS: Mapping[str, Callable[[], Awaitable[str]]] = {
    "group_evening": group_evening,
    "alone_with_misses": alone_with_misses,
    "several_right": several_right,
    "nobody_answers": nobody_answers,
    "week_of_practice": week_of_practice,
    "moderators_settings": moderators_settings,
}
