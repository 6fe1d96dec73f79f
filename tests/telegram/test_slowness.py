"""Something takes long: a question on its way, an answer about rights. No press is lost by it, and none has to wait."""

from __future__ import annotations

from tests.clock import VirtualClock
from tests.telegram.playing import playing
from tests.telegram.server import BotApi
from tests.telegram.study import Study, by_both, key_of, study_group

# Before the bot knows that its question has arrived


@by_both
async def test_a_press_before_the_send_call_has_returned_counts(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    ann = server.person("Ann")
    async with playing(server, clock, webhook=webhook) as bot:
        study = Study(bot, study_group(server, "Study", [ann]), ann)
        await study.choose()
        with server.hold("sendMessage", study.chat, answer_only=True) as sending:
            await study.press(ann, "Start")
            await sending.reached()
            question = study.question
            assert (await study.press(ann, key_of(question))).startswith("✓")
            clock.advance(1)
        await bot.wait(60)
        assert "1 of 1 got it right" in question.said.text
        ((taken,),) = await bot.rows("SELECT taken FROM player")
        assert taken >= 0


async def test_a_question_that_was_long_on_its_way_loses_no_time_and_no_answer(
    server: BotApi, clock: VirtualClock
) -> None:
    """Its answer comes back 15 s late; the 20 s count from then."""
    ann, bob = server.person("Ann"), server.person("Bob")
    async with playing(server, clock) as bot:
        study = Study(bot, study_group(server, "Study", [ann, bob]), ann)
        await study.choose()
        with server.hold("sendMessage", study.chat, answer_only=True) as sending:
            await study.press(ann, "Start")
            await sending.reached()
            question = study.question
            assert (await study.press(ann, key_of(question))).startswith("✓")
            clock.advance(15)
        await bot.wait(19.9)
        assert (await study.press(bob, key_of(question), question)).startswith("✓")
        await bot.wait(1)
        assert "2 of 2 got it right" in question.said.text
        assert all(taken >= 0 for (taken,) in await bot.rows("SELECT taken FROM player"))


# Slow things hold up nobody else


@by_both
async def test_while_the_next_question_takes_long_to_send_everybody_is_answered_at_once(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    async with playing(server, clock, webhook=webhook) as bot:
        slow, other = (Study(bot, study_group(server, title, [ann, bob]), ann) for title in ("Slow", "Other"))
        first = await slow.begin()
        data = first.button("A")["callback_data"]
        await other.begin()
        await slow.answer(ann)
        await bot.wait(20)
        with server.hold("sendMessage", slow.chat) as sending:
            await bot.wait(6)
            await sending.reached()
            assert "too late" in await slow.told(await bob.press_data(first, data))
            assert (await other.answer(bob)).startswith("✓")
        await bot.quiet()
        assert slow.question.said.text.startswith("Question 2 of 3")


@by_both
async def test_a_slow_question_about_rights_keeps_no_press_waiting(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    ann, bob, cat = server.person("Ann"), server.person("Bob"), server.person("Cat")
    async with playing(server, clock, webhook=webhook) as bot:
        study = Study(bot, study_group(server, "Study", [ann, bob, cat]), ann)
        question = await study.begin()
        with server.hold("getChatAdministrators") as asking:
            await bob.write(study.chat, "/stop")
            stop = await bob.press(question, "Next")
            await asking.reached()
            press = await cat.press(question, key_of(question))
            await bot.wait(0.5)  # polling asks for more updates four times a second while one is under way
            assert press.answer
            assert press.answer.text.startswith("✓")
            assert stop.answer is None
        assert "host" in (await stop.answered()).text
        await bot.quiet()
        assert study.last.said.text == "Only the host or a moderator can do this."
