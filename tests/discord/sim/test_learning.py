"""Practice on Discord: what a group missed comes back in private, across a restart, day by day, with reminders."""

from __future__ import annotations

import pytest

from tests.core.building import plain_quiz
from tests.discord.sim.people import Person
from tests.discord.sim.quizzes import COLOURS
from tests.discord.sim.stage import Stage, staged

HOUR, DAY = 3_600, 86_400
EIGHT = plain_quiz(8)
MISSED = (1, 4, 6)


async def play_together(stage: Stage, right: Person, learner: Person) -> None:
    """A session of eight questions in the channel, of which `learner` misses three."""
    await right.slash("quiz", quiz="colours")
    await right.press("Start")
    for at in range(8):
        await right.answer(right=True)
        await learner.answer(right=at not in MISSED)
        if stage.last().has("Next"):
            await right.press("Next")
        await stage.pass_time(10)
    assert stage.last().has("Practise my mistakes")


async def practise_all(stage: Stage, learner: Person) -> list[str]:
    """Answer everything that comes, right; the stems in their order."""
    stems = []
    while (question := stage.last(learner.direct)).has("A"):
        stems.append(question.text.splitlines()[1])
        await learner.answer(right=True, at=learner.direct)
        await learner.press(question.buttons[0], question, at=learner.direct)
    return stems


async def test_what_was_missed_in_a_group_comes_first_in_private_and_is_known_then_also_to_a_new_process() -> None:
    async with staged(EIGHT) as stage:
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        await play_together(stage, ann, ben)
        said = await ben.press("Practise my mistakes")
        assert (said.alone, said.shown.buttons) == (True, ["Open the private chat"])
        await stage.restart(away=30)
        await ben.slash("practice", at=ben.direct)
        stems = await practise_all(stage, ben)
        assert sorted(stems[:3]) == [f"q{at}?" for at in MISSED]
        assert len(stems) == len(set(stems))
        await stage.restart(away=30)
        again = await ben.slash("practice", at=ben.direct)
        assert again.text.startswith("Nothing is due today.\nNext: 3 reviews tomorrow.")
        await stage.restart(away=DAY)
        assert "3 reviews" in (await ben.slash("practice", at=ben.direct)).text


async def test_the_others_in_a_group_have_their_own_mistakes() -> None:
    async with staged(EIGHT) as stage:
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        await play_together(stage, ann, ben)
        assert "review" not in (await ann.slash("practice", at=ann.direct)).text.partition("Next")[0]
        assert (await ben.slash("practice", at=ben.direct)).text.startswith("Practice: 3 reviews")


async def test_in_a_group_practice_is_told_where_it_is_done_and_nothing_begins_there() -> None:
    async with staged() as stage:
        ben = stage.people["Ben"]
        said = await ben.forge_command("practice")
        assert (said.alone, said.shown.buttons) == (True, ["Open the private chat"])
        assert stage.public() == []


async def test_each_practises_in_their_own_language() -> None:
    async with staged(COLOURS) as stage:
        boyan = stage.person("Боян", "bg")
        await boyan.slash("practice", quiz="colours-everywhere", at=boyan.direct)
        assert "Какъв цвят" in stage.question(boyan.direct).text


# Days


@pytest.mark.parametrize(("hours", "said"), [(23, "Nothing is due today."), (24, "Practice: ")])
async def test_a_day_of_practice_ends_at_four_in_the_morning_of_the_learner(hours: int, said: str) -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await ann.slash("settings", city="Sofia", at=ann.direct)
        await stage.jump(2 * HOUR + 60)  # 04:01 in Sofia
        await ann.slash("practice", quiz="colours", at=ann.direct)
        await ann.answer(right=False, at=ann.direct)
        await ann.slash("stop", at=ann.direct)
        await ann.slash("practice", at=ann.direct)
        await practise_all(stage, ann)
        await stage.jump(hours * HOUR)
        assert (await ann.slash("practice", at=ann.direct)).text.startswith(said)


# Reminders


async def reminded_in_the_evening(stage: Stage, learner: Person) -> None:
    """Something is due tomorrow, and they want to be told; it is 17:00 in Sofia."""
    await learner.slash("settings", city="Sofia", at=learner.direct)
    await stage.jump(15 * HOUR)
    await learner.slash("practice", quiz="colours", at=learner.direct)
    await learner.answer(right=False, at=learner.direct)
    await practise_all(stage, learner)
    while stage.last(learner.direct).has("Next"):
        await learner.press("Next", at=learner.direct)
        await practise_all(stage, learner)
    await learner.press("Remind me in the evening", at=learner.direct)


def reminders(stage: Stage, learner: Person) -> int:
    return sum(seen.has("No more reminders") and seen.has("Practise now") for seen in stage.public(learner.direct))


async def test_a_reminder_comes_once_in_an_evening_and_one_button_ends_them() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await reminded_in_the_evening(stage, ann)
        assert reminders(stage, ann) == 0
        await stage.jump(DAY)
        assert reminders(stage, ann) == 0, "it is 17:00"
        await stage.jump(HOUR + 60)
        assert reminders(stage, ann) == 1
        await stage.restart(away=60)
        await stage.jump(HOUR)
        assert reminders(stage, ann) == 1
        said = await ann.press("No more reminders", at=ann.direct)
        assert said.text.startswith("No more reminders.")
        for _ in range(3):
            await stage.jump(DAY)
        assert reminders(stage, ann) == 1


async def test_whoever_has_practised_today_is_not_reminded_of_what_is_left() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await reminded_in_the_evening(stage, ann)
        await stage.jump(DAY)
        await ann.slash("practice", at=ann.direct)
        await ann.answer(right=False, at=ann.direct)
        await ann.slash("stop", at=ann.direct)
        await stage.jump(HOUR + 60)
        assert reminders(stage, ann) == 0


async def test_where_somebody_takes_no_messages_any_more_nothing_is_tried_again_every_evening() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await reminded_in_the_evening(stage, ann)
        where = f"/channels/{ann.direct.id}/messages"
        stage.env.inject_error("POST", where, status=403, code=50007, message="Cannot send", times=None)
        before = len(stage.requests("POST", f"{where}$"))
        for _ in range(4):
            await stage.jump(DAY + HOUR / 4)
        assert len(stage.requests("POST", f"{where}$")) == before + 1
