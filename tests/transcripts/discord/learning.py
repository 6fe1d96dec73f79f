"""What is played on Discord by somebody who practises, and by a moderator who settles how things are done."""

from __future__ import annotations

from tests.discord.sim.stage import staged
from tests.transcripts.capitals import CAPITALS
from tests.transcripts.discord.story import Story

CHANNEL = "quiz, a channel of Study"


async def week_of_practice() -> str:
    """A learner whose mistakes come back, day by day: reminders, days in a row, statistics."""
    async with staged(CAPITALS, people=()) as stage:
        ann = stage.person("Ann")
        story = Story("private messages of Ann", stage, ann.direct)

        async def practise(*missed: int) -> None:
            """Answer what comes until it ends; the questions at these places are missed."""
            at = 0
            while stage.last(ann.direct).has("A"):
                key, other = story.key(CAPITALS)
                question = stage.question(ann.direct)
                await story.press(ann, other if at in missed else key)
                await story.press(ann, question.buttons[0], question)
                at += 1

        await story.later(0, 17)
        await story.slash(ann, "settings", city="sofia")
        await story.slash(ann, "practice")
        await story.press(ann, "1")
        await practise(0, 4)
        await story.press(ann, "Remind me in the evening")
        await story.later(1, 18, 5)
        await story.press(ann, "Practise now")
        await practise()
        await story.press(ann, "Keep practising")
        await story.later(1, 18, 5)
        await story.press(ann, "Practise now")
        await practise(1)
        await story.later(1, 12)
        await story.slash(ann, "practice")
        await practise()
        await story.press(ann, "Statistics")
        await story.later(0, 18, 5)
        await story.later(1, 18, 5)
        await story.later(1, 12)
        await story.slash(ann, "practice", quiz="capitals")
        await practise()
        await story.later(1, 12)
        await story.slash(ann, "stats")
        await story.slash(ann, "leaderboard")
        await story.slash(ann, "quizzes")
        await story.later(3, 18, 5)
        await story.press(ann, "No more reminders")
        await story.later(1, 18, 5)
        return story.text()


async def moderators_settings() -> str:
    """A moderator settles how a channel does it and what is missed there; a member would like to."""
    async with staged(CAPITALS, people=()) as stage:
        mia, ben, dora = stage.moderator("Mia"), stage.person("Ben"), stage.person("Дора", "bg")
        story = Story(CHANNEL, stage, stage.here)
        await story.later(0, 17)
        card = (await story.slash(mia, "settings")).shown
        await story.press(mia, "Brisk", card)
        await story.press(mia, "Only moderators", card)
        await story.press(mia, "Time zone", card)
        await story.press(mia, "Athens", card)
        card = (await story.slash(mia, "settings", city="Bukarest")).shown
        await story.press(mia, "Bucharest", card)
        card = (await story.slash(mia, "settings")).shown
        await story.press(mia, "български", card)
        await story.slash_unlisted(ben, "settings")
        await story.slash(ben, "quiz", quiz="capitals")
        await story.slash(mia, "quiz", quiz="capitals")
        await story.press(mia, "Старт")
        for at in range(5):
            await story.until("A")
            question = stage.question()
            key, other = story.key(CAPITALS)
            await story.press(ben, other if at < 2 else key)
            await story.press(dora, other if at == 0 else key)
            if at == 0:
                await story.press(mia, "Напред", question)
                form = await story.press(dora, "Сигнал", question)
                what, more = (field.label for field in form.fields)
                await story.fill_in(dora, form, **{what: "Въпросът е неясен", more: "Сегашната или първата?"})
        await story.until("Отново")
        await story.slash(dora, "leaderboard")
        await story.slash(ben, "stats")
        said = await story.slash(mia, "stats")
        await story.press(mia, "What was reported", said.shown)
        await story.slash(mia, "settings")
        return story.text()
