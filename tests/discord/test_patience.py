"""How long an answer may be on its way: from when somebody asked, not from when the bot has heard of it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from adapters.discord.patience import EDITING, PATIENCE, patience
from bot.desk import Answer, Request
from tests.clock import NOON, VirtualClock
from tests.discord.server import Discord
from tests.discord.talking import QUESTION, VERDICT, Clerk, card, channel_of, talking


@pytest.mark.parametrize(
    ("late", "seconds"),
    [(0, PATIENCE), (0.3, PATIENCE), (1.0, 1.8), (1.8, 1.0), (2.9, 1.0), (60, 1.0), (-60, PATIENCE)],
)
def test_what_was_spent_before_is_not_there_any_more_but_for_a_last_try(late: float, seconds: float) -> None:
    assert patience(NOON, NOON + timedelta(seconds=late)) == pytest.approx(seconds)


def test_an_edit_leaves_time_for_something_else() -> None:
    assert patience(NOON, NOON, EDITING) == EDITING
    assert patience(NOON, NOON + timedelta(seconds=EDITING)) >= 1


async def test_an_answer_for_which_no_time_is_left_is_given_up(
    server: Discord, clock: VirtualClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("adapters.discord.patience.LEAST", 0)
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(VERDICT))) as talk:
        message = await talk.post(here, QUESTION)
        ann.press(message, "A", at=clock.now() - timedelta(seconds=2.9))
        await talk.comes(lambda: "could not be answered: TimeoutError()" in caplog.text)


async def test_an_edit_for_which_no_time_is_left_is_none_for_an_answer(
    server: Discord, clock: VirtualClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("adapters.discord.patience.LEAST", 0)
    ann = server.person("Ann")

    async def close(request: Request) -> None:
        await talk.transport.edit(request.chat, message.id, card("closed"))

    async with talking(server, clock, Clerk(Answer(VERDICT), meanwhile=close)) as talk:
        message = await talk.post(ann.direct, QUESTION)
        clock.advance(10)
        ann.press(message, "A", at=clock.now() - timedelta(seconds=2.9))
        await talk.comes(lambda: "by the edit of its message: TimeoutError()" in caplog.text)
        await server.called("PATCH", "/messages/")
