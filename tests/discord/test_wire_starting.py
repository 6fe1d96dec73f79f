"""Starting, stopping, and being thrown out: what people see of it, over real sockets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.core.building import LIMIT, READING, plain_quiz
from tests.discord.conversing import QUIZ, Study, idle, study_group, writes
from tests.discord.playing import playing
from tests.playing import slow_store

if TYPE_CHECKING:
    from tests.clock import VirtualClock
    from tests.discord.server import Discord, GuildChannel

WAITING = "A quiz is waiting here; its host or a moderator can press Start, or /stop it."


async def test_two_starts_in_the_same_instant_over_a_slow_read_are_one_session_and_a_link_to_it(
    server: Discord, clock: VirtualClock
) -> None:
    """Field case 1."""
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        pickers = [await bot.answer(person.slash(channel, "quiz")) for person in (ann, bob)]
        assert all(picker.ephemeral for picker in pickers)
        async with slow_store(bot) as free:
            presses = [picker.person.press(picker.answer, "1") for picker in pickers if picker.answer]
            presses.append(bob.slash(channel, "quiz", quiz=QUIZ))
            await server.gateway.heard()
            free.set()
            told = await study.told(presses)
        assert len(await bot.rows("SELECT id FROM session")) == 1
        (card,) = channel.messages
        assert card.buttons == ["Start", "Settings"]
        assert sorted(told) == [WAITING, WAITING, "The quiz is ready: press Start when everyone is here."]
        link = f"https://discord.com/channels/{channel.guild.id}/{channel.id}/{card.id}"
        losers = [press.answer.markdown for press in presses if press.answer and press.text == WAITING]
        assert all(link in markdown for markdown in losers)
        await study.press(ann, "Start", card)
        assert study.question.text.startswith("Question 1 of 3")


@pytest.mark.parametrize("moment", ["start card", "question", "between questions", "pause"])
async def test_a_second_start_is_refused_in_every_phase(moment: str, server: Discord, clock: VirtualClock) -> None:
    """Field case 2."""
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    async with playing(server, clock, plain_quiz(4)) as bot:
        study = Study(bot, channel, ann)
        await (study.choose() if moment == "start card" else study.begin())
        await bot.wait({"start card": 0, "question": 0, "between questions": 21, "pause": 90}[moment])
        standing, before = study.last, len(channel.messages)
        refused = await bot.answer(bob.slash(channel, "quiz", quiz=QUIZ))
        expected = {
            "start card": WAITING,
            "question": "A quiz is running here already, at question 1 of 4.",
            "between questions": "A quiz is running here already, at question 1 of 4.",
            "pause": "A quiz is paused here after question 2 of 4.",
        }
        assert refused.ephemeral
        assert refused.text == expected[moment]
        assert refused.answer is not None
        assert f"/{channel.id}/{standing.id}" in refused.answer.markdown
        assert len(await bot.rows("SELECT id FROM session")) == 1
        assert len(channel.messages) == before


async def test_after_a_stop_between_questions_nothing_more_is_said(server: Discord, clock: VirtualClock) -> None:
    """Field case 3."""
    channel, (ann,) = study_group(server, "Ann")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        await study.begin()
        await study.answer(ann)
        await bot.wait(LIMIT + READING / 2)
        await study.ask("stop")
        await bot.quiet()
        assert "Ann — 1 of 1 right" in study.last.text
        before = len(server.requests)
        await bot.wait(60)
        await idle(bot, 600)
        assert server.requests[before:] == []


async def test_a_quiz_started_right_after_a_stop_has_its_own_time(server: Discord, clock: VirtualClock) -> None:
    """Field case 3."""
    channel, (ann,) = study_group(server, "Ann")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        await study.begin()
        await bot.wait(10)
        await study.ask("stop")
        question = await study.begin()
        await bot.wait(LIMIT - 0.001)
        assert "A" in question.buttons
        await bot.wait(0.001)
        assert "A" not in question.buttons


ENDED = "Your quiz has ended, because I can no longer write in that chat. Scores so far are kept."
LOSSES: dict[str, Callable[[GuildChannel], object]] = {
    "the bot is thrown out": lambda channel: channel.guild.remove_bot(),
    "the channel is deleted": lambda channel: channel.delete(),
    "it may not see the channel": lambda channel: channel.deny("bot", "view_channel"),
    "it may not write": lambda channel: channel.deny("bot", "send_messages"),
}


@pytest.mark.parametrize("loss", LOSSES)
async def test_removed_from_the_place_during_a_question_nothing_is_tried_there_and_scores_are_kept(
    loss: str, server: Discord, clock: VirtualClock
) -> None:
    """Field case 7. What Discord does not tell is found out by the first message that is refused."""
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    async with playing(server, clock, plain_quiz(5)) as bot:
        study = Study(bot, channel, ann)
        await study.begin()
        await study.answer(ann)
        await study.answer(bob, right=False)
        await bot.wait(6)
        before = len(writes(server, channel))
        LOSSES[loss](channel)
        await bot.wait(40)
        await idle(bot, 600)
        late = writes(server, channel)[before:]
        told = loss in ("the bot is thrown out", "the channel is deleted")
        refused = [call for call in late if call.status != 200]
        assert len(late) == 0 if told else len(refused) == 1
        assert not await bot.rows("SELECT 1 FROM session WHERE wake_at IS NOT NULL")
        assert sorted(await bot.rows("SELECT person, points FROM player")) == [
            (f"discord:{ann.id}", 100),
            (f"discord:{bob.id}", 0),
        ]
        assert len(ann.direct.messages) == 1
        assert ann.direct.last.text == ENDED
        assert bob.direct.messages == []
        assert not await bot.rows("SELECT 1 FROM outbox")
