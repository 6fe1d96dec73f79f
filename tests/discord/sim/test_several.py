"""Questions that are answered from a list: several right options, or more options than fit into a row."""

from __future__ import annotations

import pytest

from tests.discord.sim.people import Person
from tests.discord.sim.quizzes import SEVERAL, WIDE
from tests.discord.sim.seen import Seen
from tests.discord.sim.stage import Stage, staged
from tests.discord.sim.test_sessions import begin


def letters(question: Seen, *endings: int) -> list[str]:
    """The letters of the options whose texts end in these numbers."""
    (select,) = question.selects
    return [label[0] for label in select.labels if int(label[-1]) in endings]


async def asked(stage: Stage, host: Person, quiz: str = "several") -> Seen:
    return await begin(stage, host, quiz)


async def test_several_right_options_are_chosen_from_a_list_and_sent() -> None:
    async with staged(SEVERAL) as stage:
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        question = await asked(stage, ann)
        (select,) = question.selects
        assert (select.least, select.most, select.placeholder) == (1, 4, "A–D")
        assert "Several answers are right: choose, then send." in question.text
        assert question.buttons == ["Send", "Next"]
        right, wrong = letters(question, 0, 2), letters(question, 0, 1)
        chosen = await ann.choose(*right)
        assert (chosen.alone, chosen.text) == (True, f"Selected: {', '.join(right)}. Press Send when done.")
        assert await stage.responses() == []
        assert (await ann.press("Send")).text == f"✓ Right. You chose {', '.join(right)}."
        await ben.choose(*wrong)
        assert (await ben.press("Send")).text.startswith("✗ Wrong.")
        await ann.press("Next")
        assert question.text.count("✓ right") == 2
        assert "1 of 2 got it right" in question.text
        assert question.selects == []


async def test_a_choice_can_be_changed_until_it_is_sent() -> None:
    async with staged(SEVERAL) as stage:
        ann = stage.people["Ann"]
        question = await asked(stage, ann)
        await ann.choose("A", "B", "C", "D")
        await ann.choose(*letters(question, 0, 2))
        assert (await ann.press("Send")).text.startswith("✓ Right.")
        late = await ann.choose("A")
        assert late.text.endswith("the first choice counts.")
        assert len(await stage.responses()) == 1


async def test_some_of_the_right_ones_are_not_all() -> None:
    async with staged(SEVERAL) as stage:
        ann = stage.people["Ann"]
        question = await asked(stage, ann)
        await ann.choose(*letters(question, 0))
        said = await ann.press("Send")
        assert said.text.splitlines()[0].startswith("✗ ")
        assert said.alone


async def test_nothing_is_sent_before_something_is_chosen() -> None:
    async with staged(SEVERAL) as stage:
        ann = stage.people["Ann"]
        await asked(stage, ann)
        said = await ann.press("Send")
        assert (said.alone, said.text) == (True, "Nothing is selected yet: choose first, then send.")


async def test_what_each_has_chosen_is_their_own() -> None:
    async with staged(SEVERAL) as stage:
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        question = await asked(stage, ann)
        await ann.choose(*letters(question, 0, 2))
        await ben.choose(*letters(question, 1))
        assert (await ann.press("Send")).text.startswith("✓")
        assert (await ben.press("Send")).text.startswith("✗")


async def test_alone_several_are_chosen_and_the_card_turns_into_the_verdict() -> None:
    async with staged(SEVERAL) as stage:
        ann = stage.people["Ann"]
        await ann.slash("quiz", quiz="several", at=ann.direct)
        await ann.press("Start", at=ann.direct)
        question = stage.question(ann.direct)
        chosen = await ann.choose(*letters(question, 0, 2), at=ann.direct)
        assert "Selected:" in chosen.text
        sent = await ann.press("Send", question, at=ann.direct)
        assert (sent.kind, sent.message) == ("update", question)
        assert "✓ Right." in question.text


async def test_eight_options_are_chosen_from_a_list_at_once() -> None:
    async with staged(WIDE) as stage:
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        question = await asked(stage, ann, "wide")
        (select,) = question.selects
        assert (select.least, select.most) == (1, 1)
        assert [label[:3] for label in select.labels] == [f"{letter}. " for letter in "ABCDEFGH"]
        (right,), (wrong,) = letters(question, 0), letters(question, 5)
        assert (await ann.choose(right)).text == f"✓ Right. You chose {right}."
        assert (await ben.choose(wrong)).text == f"✗ Wrong. You chose {wrong}."
        assert (await ben.choose(right)).text == f"You chose {wrong}; the first choice counts."
        assert len(await stage.responses()) == 2


async def test_alone_one_of_eight_turns_the_card_into_the_verdict() -> None:
    async with staged(WIDE) as stage:
        ann = stage.people["Ann"]
        await ann.slash("quiz", quiz="wide", at=ann.direct)
        await ann.press("Start", at=ann.direct)
        question = stage.question(ann.direct)
        said = await ann.choose(*letters(question, 0), at=ann.direct)
        assert (said.kind, said.message, said.took.total_seconds()) == ("update", question, 0)
        assert "✓ Right." in question.text


@pytest.mark.parametrize("quiz", [SEVERAL, WIDE])
async def test_after_a_restart_lists_go_on_to_work(quiz: object) -> None:
    async with staged(SEVERAL, WIDE) as stage:
        ann = stage.people["Ann"]
        several = quiz is SEVERAL
        question = await asked(stage, ann, "several" if several else "wide")
        if several:
            await ann.choose(*letters(question, 0, 2))
        await stage.restart(away=5)
        said = await ann.press("Send") if several else await ann.choose(*letters(question, 0))
        assert said.text.startswith("✓ Right.")
