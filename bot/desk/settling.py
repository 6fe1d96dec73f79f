"""Waits a moment for what an answer speaks of, where that is still on its way. Knows no answer."""

from __future__ import annotations

from datetime import timedelta

from bot.desk.asking import Answer
from bot.ports import Clock, StoreError

LOOKS, BETWEEN_LOOKS = 4, timedelta(milliseconds=200)
"""How often, and how far apart, a message is looked for that has to appear soon."""


async def settled(answer: Answer, clock: Clock) -> Answer:
    """The answer, with the message that it speaks of if that appears soon."""
    for _ in range(LOOKS):
        if answer.later is None:
            break
        await clock.sleep_until(clock.now() + BETWEEN_LOOKS)
        try:
            answer = await answer.later()
        except StoreError:
            break  # what is at hand says enough
    return answer
