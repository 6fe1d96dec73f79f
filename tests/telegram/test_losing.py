"""A chat that is lost in the middle of a quiz: it ends, scores are kept, the host is told once, and nothing loops."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.clock import VirtualClock
from tests.core.building import LIMIT, READING
from tests.telegram.playing import Playing, playing
from tests.telegram.server import BotApi, Group
from tests.telegram.study import Study, by_both, study_group

CHATTING = "I can no longer write in that chat"


async def ending(bot: Playing) -> tuple[str, int]:
    """Why the only session ended, and the points in it, in hundredths."""
    ((why, points),) = await bot.rows(
        "SELECT s.state ->> 'ending', SUM(p.points) FROM session s JOIN player p ON p.session = s.id GROUP BY s.id"
    )
    return why, points


def forbidden_by_telegram(server: BotApi, group: Group) -> None:
    text = "Bad Request: not enough rights to send text messages to the chat"
    server.fail("sendMessage", 400, text, times=1000, chat=group)


def muted(server: BotApi, group: Group) -> None:
    group.mute_bot()


@by_both
@pytest.mark.parametrize("lose", [forbidden_by_telegram, muted])
async def test_where_sending_is_forbidden_from_the_second_question_on_the_session_ends_and_scores_are_kept(
    lose: Callable[[BotApi, Group], None], server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    async with playing(server, clock, webhook=webhook) as bot:
        await ann.start_bot()
        group = study_group(server, "Study", [ann, bob])
        study = Study(bot, group, ann)
        await study.begin()
        await study.everyone([ann, bob])
        await bot.wait(LIMIT)
        lose(server, group)
        await bot.wait(READING + 1)
        assert await ending(bot) == ("lost", 200)
        told = [message.said.text for message in ann.private.messages if CHATTING in message.said.text]
        assert len(told) == 1
        calls = len(server.calls(chat=group))
        await bot.wait(300)
        assert len(server.calls(chat=group)) == calls
        assert [message.said.text for message in ann.private.messages if CHATTING in message.said.text] == told
        assert bob.private.messages == []


@by_both
async def test_removed_during_a_question_the_bot_sends_nothing_more_and_keeps_the_scores(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    async with playing(server, clock, webhook=webhook) as bot:
        group = study_group(server, "Study", [ann, bob])
        study = Study(bot, group, ann)
        await study.begin()
        await study.answer(bob)
        await bot.wait(6)
        calls = len(server.calls(chat=group))
        group.kick_bot()
        await bot.wait(300)
        assert len(server.calls(chat=group)) == calls
        assert await ending(bot) == ("lost", 100)
        # Taken back, it greets, and a new quiz can be started.
        group.add_bot(ann)
        await bot.quiet()
        assert len(study.messages) > 2
        await study.begin()
        assert study.question.said.text.startswith("Question 1 of 3")
