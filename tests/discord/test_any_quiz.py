"""Whatever the loader accepts and whoever plays, a quiz comes to its end on Discord, and nothing is refused."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from bot.core.quiz import Quiz
from bot.core.session import Feedback
from tests.clock import VirtualClock
from tests.discord.conversing import Study
from tests.discord.playing import Playing, playing
from tests.discord.server import Channel, Direct, Discord, Message, Person
from tests.present.anything import loaded, names, written_quizzes

EXPECTED = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)
STEP, MOST_STEPS = 5, 100
"""Seconds that pass at once, less than any question stays open; and how often, before what comes next is missing."""

FEEDBACK_LABELS = {
    Feedback.AT_ONCE: "At once",
    Feedback.AT_CLOSE: "After each question",
    Feedback.AT_END: "At the end",
}
pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")  # of what failed, which says what it was


@given(
    written=written_quizzes(),
    name=names.filter(str.strip),
    seed=st.integers(0, 9),
    feedback=st.sampled_from(Feedback),
    alone=st.booleans(),
)
@settings(
    max_examples=8, deadline=None, suppress_health_check=EXPECTED, phases=(Phase.explicit, Phase.reuse, Phase.generate)
)
def test_any_quiz_is_played_to_its_end_and_nothing_is_refused(
    written: dict[str, Any], name: str, seed: int, feedback: Feedback, *, alone: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        quiz = loaded(Path(folder), written)
        assume(quiz is not None)
        assert quiz is not None
        asyncio.run(asyncio.wait_for(play(quiz, name, Path(folder), seed, feedback, alone=alone), 60))


async def play(quiz: Quiz, name: str, pictures: Path, seed: int, feedback: Feedback, *, alone: bool) -> None:
    """Two people in a channel, or one in private, to the end. The server raises what Discord would refuse."""
    clock = VirtualClock()
    async with Discord(clock) as server:
        ann, bob = server.person(name[:32]), server.person(name[::-1][:32], "bg")
        guild = server.guild(name[:100], ann, bob)
        channel: Channel = ann.direct if alone else guild.channel("quiz")
        async with playing(server, clock, quiz, pictures=pictures, seed=seed) as bot:
            study = Study(bot, channel, ann)
            assert await look_around(study, bob, quiz)
            await begin(study, quiz, feedback)
            for _ in quiz.questions:
                await bot.quiet()
                asked = study.with_button("Skip" if alone else "Next")
                await choose_all(bot, asked, ann, [0])
                if not alone:
                    await choose_all(bot, asked, bob, [1, 2])
                await onward(study, asked)
            assert "Again" in study.with_button("Again").buttons
            assert (await bot.answer(ann.user_command(channel, "Quiz score", bob))).kind is not None
        refused = [call for call in server.requests if call.status >= 400]
        assert not refused, [(str(call), call.answer) for call in refused]


async def look_around(study: Study, other: Person, quiz: Quiz) -> bool:
    """Everything that names quizzes and people before one begins."""
    bot, channel, host = study.bot, study.channel, study.host
    typed = await bot.answer(host.autocomplete(channel, "quiz", quiz=""))
    listed = await bot.answer(host.slash(channel, "quizzes"))
    unknown = await bot.answer(host.slash(channel, "quiz", quiz=f"{quiz.title.texts.get('en', 'x')[:80]}?!"))
    return bool(typed.choices) and bool(listed.text) and unknown.answer is not None


async def begin(study: Study, quiz: Quiz, feedback: Feedback) -> None:
    for message in study.channel.messages:
        if "Start" in message.buttons:
            await study.ask("stop")
    card = await study.choose(quiz.slug)
    form = await study.bot.answer(study.host.press(card, "Settings"))
    await study.bot.answer(study.host.submit(form, _2="Brisk", _3=FEEDBACK_LABELS[feedback]))
    await study.press(study.host, "Start", card)


async def choose_all(bot: Playing, asked: Message, person: Person, options: list[int]) -> None:
    """Choose these options of a question, by whatever it has for that."""
    if not asked.selects:
        for option in options:
            if len("ABCD") > option and "ABCD"[option] in asked.buttons:
                await bot.answer(person.press(asked, "ABCD"[option]))
        return
    (select,) = asked.selects
    chosen = [select.labels[option] for option in options if option < len(select.labels)]
    if select.most == 1:
        for label in chosen:
            if asked.selects:
                await bot.answer(person.choose(asked, label))
        return
    await bot.answer(person.choose(asked, *chosen))
    await bot.answer(person.press(asked, "Send"))
    await bot.answer(person.message_command(asked, "Report question"))


async def onward(study: Study, asked: Message) -> None:
    """Press for the next question where one is alone, or wait until it comes."""
    label = next((label for label in asked.buttons if label in ("Next", "Show the results")), None)
    if isinstance(study.channel, Direct) and label:
        await study.press(study.host, label, asked)
    else:
        for _ in range(MOST_STEPS):
            await study.bot.wait(STEP)
            if any({"Next", "Again"} & set(message.buttons) for message in study.channel.messages if message != asked):
                break
    await study.bot.quiet()
