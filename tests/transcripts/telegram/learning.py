"""What is played on Telegram by somebody who practises, and by a moderator who settles how things are done."""

from __future__ import annotations

from tests.clock import VirtualClock
from tests.telegram.playing import playing
from tests.telegram.server import BotApi
from tests.transcripts.capitals import CAPITALS
from tests.transcripts.telegram.story import Scene, told


async def week_of_practice() -> str:
    """A learner whose mistakes come back, day by day: reminders, days in a row, statistics."""
    clock = VirtualClock()
    async with BotApi(clock) as server:
        ann = server.person("Ann", "en")
        async with playing(server, clock, CAPITALS) as bot:
            scene = Scene(bot, ann.private, CAPITALS)

            async def practise(*missed: int) -> None:
                """Answer what comes until it ends; the questions at these places are missed."""
                at = 0
                while scene.is_open:
                    question = scene.question
                    await scene.answer(ann, right=at not in missed)
                    await scene.press(ann, question.keyboard[-1][0], question)
                    at += 1

            await ann.start_bot()
            await scene.later(0, 17)
            await scene.write(ann, "/settings Sofia")
            await scene.write(ann, "/practice")
            await scene.press(ann, "1")
            await practise(0, 4)
            await scene.press(ann, "Remind me")
            await scene.later(1, 18, 5)
            await scene.press(ann, "Practise now")
            await practise()
            await scene.later(1, 18, 5)
            await scene.write(ann, "/practice")
            await practise(1)
            await scene.later(1, 12)
            await scene.write(ann, "/practice")
            await practise()
            await scene.press(ann, "Statistics")
            await scene.later(1, 12)
            await scene.write(ann, "/practice capitals")
            await practise()
            await scene.later(1, 12)
            await scene.write(ann, "/stats")
            await scene.write(ann, "/leaderboard")
            await scene.write(ann, "/quizzes")
            await scene.later(0, 18, 5)
            await scene.press(ann, "No more reminders")
            await scene.later(1, 18, 5)
        return told(ann.private)


async def moderators_settings() -> str:
    """A moderator settles how a group does it and what is missed there; a member would like to."""
    clock = VirtualClock()
    async with BotApi(clock) as server:
        mia, ben, dora = server.person("Mia", "en"), server.person("Ben", "en"), server.person("Дора", "bg")
        group = server.supergroup("Study group", [mia, ben, dora], [mia])
        async with playing(server, clock, CAPITALS) as bot:
            scene = Scene(bot, group, CAPITALS)
            await scene.later(0, 17)
            await scene.write(mia, "/settings")
            card = group.last
            await scene.press(mia, "Brisk", card)
            await scene.press(ben, "Relaxed", card)
            await scene.press(mia, "Only moderators", card)
            await scene.press(mia, "български", card)
            await scene.press(mia, card.keyboard[-1][0], card)
            await scene.press(mia, "Букурещ", card)
            await scene.write(mia, "/settings Bukarest")
            await scene.write(mia, "/settings Sofia")
            await scene.write(ben, "/settings")
            await scene.write(ben, "/quiz capitals")
            await scene.write(mia, "/quiz capitals")
            await scene.press(mia, "Старт")
            for at in range(5):
                await scene.until(lambda: scene.is_open)
                question = scene.question
                await scene.answer(ben, right=at > 1)
                await scene.answer(dora, right=at > 0)
                if not at:
                    await scene.press(mia, "Напред", question)
                    await scene.press(dora, "Сигнал", question)
                    await dora.follow(dora.pop_ups[-1].url)
                    await bot.wait(2)
                    alone = Scene(bot, dora.private, CAPITALS)
                    await alone.press(dora, dora.private.last.keyboard[0][0])
            await bot.wait(60)
            await scene.write(dora, "/leaderboard")
            await scene.write(ben, "/stats")
            await scene.write(mia, "/stats")
            await scene.press(mia, "What was reported")
            await scene.write(mia, "/settings")
        return told(group, dora.private)
