"""A quiz on the server of the tests, from the command to the standings: the shortest way through everything."""

from __future__ import annotations

from tests.clock import VirtualClock
from tests.discord.playing import playing
from tests.discord.server import Discord


async def test_a_quiz_is_played_to_its_standings(server: Discord, clock: VirtualClock) -> None:
    ann, ben = server.people("Ann", "Ben")
    channel = server.guild("Study", ann, ben).channel("quiz")
    async with playing(server, clock) as bot:
        picker = await bot.answer(ann.slash(channel, "quiz"))
        assert picker.answer is not None
        await bot.answer(ann.press(picker.answer, "1"))
        await bot.answer(ann.press(channel.last, "Start"))
        for number in (1, 2, 3):
            question = await bot.shows(channel, f"Question {number} of 3")
            pressed = [await bot.answer(person.press(question, "A")) for person in (ann, ben)]
            assert all(press.ephemeral for press in pressed)
        await bot.shows(channel, "Results")
        assert len(await bot.responses()) == 6
