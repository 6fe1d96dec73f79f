"""Discord's numbered errors, met in the middle of a quiz: what becomes of the question, the answers and the session."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.clock import VirtualClock
from tests.core.building import LIMIT, READING, plain_quiz
from tests.discord.conversing import CALLBACK, SEND, Study, edits_of, on_the_clock, study_group, writes
from tests.discord.playing import playing
from tests.discord.server import Discord
from tests.discord.server.faults import Refusal

EDIT = r"^/channels/\d+/messages/\d+$"
ENDED = "Your quiz has ended, because I can no longer write in that chat. Scores so far are kept."
TRIES = 5
"""How often the library tries what is too much."""

CHOSEN = "You chose A; the first choice counts."


@dataclass(frozen=True, slots=True)
class Said:
    """How Discord says no: status and number."""

    status: int
    code: int

    def __str__(self) -> str:
        return f"{self.status}-{self.code}"


# The callback


@pytest.mark.parametrize("said", [Said(404, 10062), Said(400, 40060), Said(401, 50027)], ids=str)
async def test_a_response_stays_whatever_became_of_its_acknowledgement(
    said: Said, server: Discord, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Field case 17."""
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        question = await study.begin()
        server.fail("POST", CALLBACK, said.status, said.code)
        unheard = ann.press(question, "A")
        await bot.quiet()
        assert len(server.calls("POST", rf"/interactions/{unheard.id}/")) == 1
        assert (await study.press(ann, "B", question)) == CHOSEN
        assert (await study.answer(bob)).startswith("✓ Right.")
        assert len(await bot.responses()) == 2
        await bot.wait(LIMIT + READING)
        assert study.question.text.startswith("Question 2 of 3")
    assert [record for record in caplog.records if record.exc_info] == []


async def test_who_is_answered_after_three_seconds_hears_nothing_and_has_answered(
    server: Discord, clock: VirtualClock
) -> None:
    """Field case 17: the bot was busy."""
    channel, (ann,) = study_group(server, "Ann")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        question = await study.begin()
        with server.hold("POST", CALLBACK) as answering:
            late = ann.press(question, "A")
            await answering.reached()
            clock.advance(3.1)
        await bot.quiet()
        assert late.failed
        assert [call.answer["code"] for call in server.calls("POST", rf"/interactions/{late.id}/")] == [10062]
        assert (await study.press(ann, "B", question)) == CHOSEN
        assert len(await bot.responses()) == 1


async def test_alone_an_expired_press_leaves_the_card_to_be_edited_by_the_bots_own_token(
    server: Discord, clock: VirtualClock
) -> None:
    ann = server.person("Ann")
    async with playing(server, clock) as bot:
        study = Study(bot, ann.direct, ann)
        question = await study.begin()
        server.fail("POST", CALLBACK, 404, 10062)
        ann.press(question, "A")
        await bot.quiet()
        assert len(edits_of(server, question)) == 1
        assert question.buttons == ["Next", "Report"]


# The messages of the session


async def test_a_question_that_somebody_deleted_is_asked_anew_while_it_is_open(
    server: Discord, clock: VirtualClock
) -> None:
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        first = await study.begin()
        await study.answer(ann)
        channel.delete_message(first)
        await bot.wait(6)
        assert study.question is not first
        assert "1 answered" in study.question.text
        assert (await study.answer(bob)).startswith("✓ Right.")
        await bot.wait(LIMIT)
        assert [call.answer["code"] for call in edits_of(server, first)] == [10008]
        assert sum("2 of 2 got it right" in text for text in study.texts) == 1


@pytest.mark.parametrize("said", [Said(404, 10008), Said(403, 50005), Said(429, 30046)], ids=str)
async def test_a_closing_that_finds_its_message_no_more_is_sent_as_a_message(
    said: Said, server: Discord, clock: VirtualClock
) -> None:
    channel, (ann,) = study_group(server, "Ann")
    with on_the_clock(clock):
        async with playing(server, clock) as bot:
            study = Study(bot, channel, ann)
            question = await study.begin()
            await study.answer(ann)
            await bot.wait(LIMIT - 1)
            refuse_edits(server, said)
            await bot.wait(1 + TRIES)
            assert "got it right" not in question.text
            assert "1 of 1 got it right" in study.last.text
            await bot.wait(READING)
            assert study.question.text.startswith("Question 2 of 3")


def refuse_edits(server: Discord, said: Said) -> None:
    """As Discord does: what is too much says when to come again, and the library does, some times."""
    body = {"code": said.code, "message": "refused", "retry_after": 1.0}
    server.faults.plan("PATCH", EDIT, Refusal(said.status, body), TRIES if said.status == 429 else 1)


GONE = [
    *(Said(404, code) for code in (10003, 10004)),
    *(Said(403, code) for code in (50001, 50013, 50008, 160005, 40007)),
    Said(400, 50024),
    Said(400, 50083),
]


@pytest.mark.parametrize("said", GONE, ids=str)
async def test_a_channel_that_cannot_be_written_to_ends_the_session_keeps_scores_and_the_host_is_told_once(
    said: Said, server: Discord, clock: VirtualClock
) -> None:
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    async with playing(server, clock, plain_quiz(5)) as bot:
        study = Study(bot, channel, ann)
        await study.begin()
        assert (await study.answer(bob)).startswith("✓ Right.")
        server.fail("*", rf"^/channels/{channel.id}/", said.status, said.code, times=10)
        before = len(writes(server, channel))
        await bot.wait(30)
        assert len(writes(server, channel)) == before + 1
        assert not await bot.rows("SELECT 1 FROM session WHERE wake_at IS NOT NULL")
        assert not await bot.rows("SELECT 1 FROM outbox")
        assert await bot.rows("SELECT person, points FROM player") == [(f"discord:{bob.id}", 100)]
        assert [message.text for message in ann.direct.messages] == [ENDED]
        server.mend()
        assert "of 5" in (await study.begin()).text


async def test_a_host_with_closed_messages_is_told_in_the_next_answer(server: Discord, clock: VirtualClock) -> None:
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    elsewhere = channel.guild.channel("elsewhere")
    ann.closed = True
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        await study.begin()
        channel.delete()
        await bot.wait(30)
        assert len(server.calls("POST", "/users/@me/channels$")) == 1
        assert [call.status for call in writes(server, ann.direct)] == [403]
        assert ENDED not in (await bot.answer(bob.slash(elsewhere, "help"))).text
        assert ENDED in (await bot.answer(ann.slash(elsewhere, "help"))).text
        assert ENDED not in (await bot.answer(ann.slash(elsewhere, "help"))).text


PASSING = [
    *(Said(400, code) for code in (20016, 20022, 20028, 20029, 40062, 40006, 130000)),
    *(Said(status, 0) for status in (401, 403, 408)),
    Said(403, 40004),
    Said(401, 50027),
]


@pytest.mark.parametrize("said", PASSING, ids=str)
async def test_what_passes_again_is_waited_for_and_the_question_comes_once_with_all_its_time(
    said: Said, server: Discord, clock: VirtualClock
) -> None:
    channel, (ann,) = study_group(server, "Ann")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        card = await study.choose()
        server.fail("POST", SEND, said.status, said.code, times=3)
        await study.press(ann, "Start", card)
        question = await bot.shows(channel, "Question 1 of 3")
        await bot.wait(LIMIT - 0.001)
        assert "A" in question.buttons
        assert len(server.calls("POST", SEND)) == 1 + 3 + 1
        assert sum(text.startswith("Question 1") for text in study.texts) == 1


async def test_whatever_discord_will_never_take_is_set_aside_and_the_quiz_goes_on(
    server: Discord, clock: VirtualClock
) -> None:
    channel, (ann,) = study_group(server, "Ann")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        await study.begin()
        await study.answer(ann)
        await bot.wait(LIMIT - 1)
        server.fail("PATCH", EDIT, 400, 50035)
        await bot.wait(1 + READING)
        assert study.question.text.startswith("Question 2 of 3")
        assert [row[0] for row in await bot.rows("SELECT slot FROM outbox WHERE refused IS NOT NULL")] == ["q0"]
