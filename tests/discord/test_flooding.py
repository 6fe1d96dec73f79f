"""One person who asks without end: so much of it is taken and no more, nothing piles up, and nobody else waits."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from adapters.crowding import MOST_OF_ONE
from bot.desk import Answer
from tests.clock import VirtualClock
from tests.discord.server import Discord
from tests.discord.talking import QUESTION, VERDICT, Clerk, Talk, channel_of, talking

FLOOD = 3 * MOST_OF_ONE


@asynccontextmanager
async def busy(server: Discord, clock: VirtualClock) -> AsyncIterator[Talk]:
    """A desk that takes what it is asked when the test opens it, or ends."""
    async with talking(server, clock, Clerk(Answer(VERDICT))) as talk:
        talk.clerk.open.clear()
        try:
            yield talk
        finally:
            talk.clerk.open.set()


async def test_presses_without_end_are_taken_up_to_a_number_then_told_then_passed_over(
    server: Discord, clock: VirtualClock
) -> None:
    here, ann = channel_of(server)
    async with busy(server, clock) as talk:
        message = await talk.post(here, QUESTION)
        with server.hold("POST", "/callback$") as answering:
            for _ in range(FLOOD):
                ann.press(message, "A")
            ann.slash(here, "help")  # comes after all of them
            await answering.reached(MOST_OF_ONE)
        assert len(talk.clerk.begun) == MOST_OF_ONE
        talk.clerk.open.set()
        await talk.conversation.finish()
        said = [str(call.data.get("data")) for call in server.calls("POST", "/callback$")]
        assert sum("Too much (en-US)" in each for each in said) == MOST_OF_ONE


async def test_others_are_heard_meanwhile_and_afterwards_the_same_person_is(
    server: Discord, clock: VirtualClock
) -> None:
    here, ann = channel_of(server)
    bob = server.world.people[1]
    async with busy(server, clock) as talk:
        message = await talk.post(here, QUESTION)
        for _ in range(FLOOD):
            ann.press(message, "A")
        await talk.comes(lambda: len(talk.clerk.begun) >= MOST_OF_ONE)
        bob.press(message, "A")
        await talk.comes(lambda: len(talk.clerk.begun) > MOST_OF_ONE)
        talk.clerk.open.set()
        await talk.conversation.finish()
        await ann.press(message, "A")
        assert Counter(request.by.name for request in talk.clerk.requests) == {"Ann": MOST_OF_ONE + 1, "Bob": 1}
