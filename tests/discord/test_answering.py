"""How presses are answered: in the callback, by a message for the presser, an edit, a form; or by what they lead to."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.core.events import Change
from bot.desk import Answer, Request, Show
from bot.ports import StoreError
from bot.presses import Browse, Configure, Page, Press, Toggle, dump
from tests.clock import VirtualClock
from tests.discord.server import Answer as Kind
from tests.discord.server import Discord, Message
from tests.discord.talking import (
    GO,
    ON,
    QUESTION,
    RECEIPT,
    SETTINGS,
    VERDICT,
    Clerk,
    Talk,
    card,
    channel_of,
    chat_of,
    study,
    talking,
)

UNFOLD = Configure("s1", Change(), configuring=True)

# Buttons


async def test_a_press_is_answered_to_the_presser_alone(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(VERDICT))) as talk:
        message = await talk.post(here, QUESTION)
        pressed = await ann.press(message, "B")
        assert (pressed.kind, pressed.ephemeral, pressed.text) == (Kind.MESSAGE, True, "Right!")
        assert talk.clerk.asked == [("press", "1:a:s1:0:1")]
        assert (message.edits, pressed.tries, pressed.followups) == (0, 1, [])


async def test_choices_in_a_list_go_to_the_desk_together(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    several = card("Which?", *((letter, Toggle("s1", 0, number)) for number, letter in enumerate("ABC")))
    async with talking(server, clock, Clerk(Answer(card("A, C")))) as talk:
        message = await talk.post(here, several)
        pressed = await ann.choose(message, "A", "C")
        assert (pressed.ephemeral, pressed.text) == (True, "A, C")
        assert talk.clerk.asked == [("select", "1:t:s1:0:0", "1:t:s1:0:2")]


async def test_an_answer_instead_of_the_message_is_its_edit(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    answer = Answer(card("Page 2", ("Back", Page(0))), Show.INSTEAD)
    async with talking(server, clock, Clerk(answer)) as talk:
        message = await talk.post(here, card("Page 1", ("On", Page(1))))
        pressed = await ann.press(message, "On")
        assert (pressed.kind, message.text, message.buttons) == (Kind.EDIT, "Page 2", ["Back"])


async def test_a_note_beside_an_edit_is_not_a_second_answer(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    answer = Answer(card("Settings, new"), Show.INSTEAD, note=card("Changed."))
    async with talking(server, clock, Clerk(answer)) as talk:
        message = await talk.post(here, card("Settings", ("On", Page(1))))
        pressed = await ann.press(message, "On")
        assert (pressed.kind, pressed.tries, message.text) == (Kind.EDIT, 1, "Settings, new")
        assert here.messages == [message]


@pytest.mark.parametrize(("note", "said"), [(None, "Page 2"), (card("Changed."), "Changed.")])
async def test_a_message_that_does_not_offer_the_button_stays_as_it_is(
    server: Discord, clock: VirtualClock, note: object, said: str
) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(card("Page 2"), Show.INSTEAD, note=note))) as talk:  # type: ignore[arg-type]
        message = await talk.post(here, QUESTION)
        pressed = await ann.forge(message, dump(Page(1)))
        assert (pressed.ephemeral, pressed.text, message.edits) == (True, said, 0)


async def test_a_picker_that_has_done_its_work_becomes_its_receipt(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(receipt=RECEIPT, served=True))) as talk:
        message = await talk.post(here, card("Quizzes", ("Colours", Page(1))))
        pressed = await ann.press(message, "Colours")
        assert (pressed.kind, message.text, message.buttons) == (Kind.EDIT, "The quiz is ready.", [])
        forged = await ann.forge(message, dump(Page(1)))
        assert (forged.ephemeral, forged.text, message.edits) == (True, "The quiz is ready.", 1)


async def test_a_press_can_be_answered_to_everybody(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(card("Quizzes"), Show.HERE))) as talk:
        message = await talk.post(here, card("The end", ("Another", Browse())))
        pressed = await ann.press(message, "Another")
        assert (pressed.kind, pressed.ephemeral, pressed.text) == (Kind.MESSAGE, False, "Quizzes")


async def test_a_press_can_open_a_form_and_what_was_filled_in_changes_the_card(
    server: Discord, clock: VirtualClock
) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(form=SETTINGS))) as talk:
        message = await talk.post(here, card("Colours", ("Settings", GO)))
        opened = await ann.press(message, "Settings")
        assert opened.form is not None
        talk.clerk.answer = Answer()
        sent = ann.submit(opened, _1="Steady")
        await talk.waits()
        await talk.transport.edit(chat_of(here), message.id, card("Colours, steady"))
        await sent
        assert (sent.kind, message.text) == (Kind.EDIT, "Colours, steady")
        assert server.calls("PATCH") == []
        assert talk.clerk.asked[-1] == ("submitted", "1:c:s1::1", "1:c:s1:ps:0", "")


async def test_a_form_that_stands_in_no_message_has_no_edit_for_an_answer(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock):
        sent = await ann.forge_form(here, "1:w:s1:0:")
        assert (sent.ephemeral, sent.text) == (True, "✓")


# A press that shows itself


async def test_the_edit_that_a_press_leads_to_is_its_answer(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock) as talk:
        message = await talk.post(here, card("Question 1", ("Next", ON)))
        pressed = ann.press(message, "Next")
        await talk.waits()
        await talk.transport.edit(chat_of(here), message.id, card("Question 1, closed"))
        await pressed
        assert (pressed.kind, message.text) == (Kind.EDIT, "Question 1, closed")
        assert server.calls("PATCH") == []


async def test_a_press_that_leads_to_no_edit_is_acknowledged_after_a_moment(
    server: Discord, clock: VirtualClock
) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock) as talk:
        message = await talk.post(here, card("The end", ("Again", GO)))
        pressed = ann.press(message, "Again")
        await talk.waits()
        clock.advance(1)
        await pressed
        assert (pressed.kind, message.edits) == (Kind.DEFERRED_EDIT, 0)
        await talk.transport.edit(chat_of(here), message.id, card("later"))
        assert len(server.calls("PATCH")) == 1


async def test_practising_alone_a_press_is_one_edit_of_the_card(server: Discord, clock: VirtualClock) -> None:
    ann = server.person("Ann")

    async def close(request: Request) -> None:
        # As quick as the delivery can be: before the answer of the desk is known.
        await talk.transport.edit(request.chat, message.id, card("Right, because", ("Next", ON)))

    async with talking(server, clock, Clerk(Answer(VERDICT), meanwhile=close)) as talk:
        message = await talk.post(ann.direct, QUESTION)
        pressed = await ann.press(message, "A")
        await talk.conversation.finish()
        assert (pressed.kind, message.text) == (Kind.EDIT, "Right, because")
        assert ann.direct.messages == [message]
        assert server.calls("PATCH") == []


async def test_practising_alone_a_verdict_is_said_when_the_card_does_not_show_it(
    server: Discord, clock: VirtualClock
) -> None:
    ann = server.person("Ann")
    async with talking(server, clock, Clerk(Answer(VERDICT))) as talk:
        message = await talk.post(ann.direct, QUESTION)
        pressed = ann.press(message, "A")
        await talk.waits()
        clock.advance(1)
        await pressed
        assert (pressed.ephemeral, pressed.text, message.edits) == (True, "Right!", 0)


async def test_alone_whatever_else_is_to_be_said_is_said_at_once(server: Discord, clock: VirtualClock) -> None:
    ann = server.person("Ann")
    async with talking(server, clock, Clerk(Answer(card("You chose B before.")))) as talk:
        message = await talk.post(ann.direct, QUESTION)
        pressed = await ann.press(message, "A")
        assert (pressed.ephemeral, pressed.text) == (True, "You chose B before.")
        await talk.transport.edit(chat_of(ann.direct), message.id, card("closed"))
        assert len(server.calls("PATCH")) == 1


async def test_alone_words_are_not_lost_to_an_edit_that_was_quicker(server: Discord, clock: VirtualClock) -> None:
    ann = server.person("Ann")

    async def edit(request: Request) -> None:
        await talk.transport.edit(request.chat, message.id, card("from an earlier press"))

    async with talking(server, clock, Clerk(Answer(card("Too late.")), meanwhile=edit)) as talk:
        message = await talk.post(ann.direct, QUESTION)
        pressed = await ann.press(message, "A")
        await talk.conversation.finish()
        assert (pressed.kind, ann.direct.last.text) == (Kind.EDIT, "Too late.")


async def quicker(talk: Talk, message: Message) -> None:
    """Let an edit for somebody's earlier press come before the answer to the next."""

    async def edit(request: Request) -> None:
        await talk.transport.edit(request.chat, message.id, card("from an earlier press", ("Settings", UNFOLD)))

    talk.clerk.meanwhile = edit


@pytest.mark.parametrize(
    ("answer", "kind"), [(Answer(form=SETTINGS), Kind.FORM), (Answer(card("Page 2"), Show.INSTEAD), Kind.EDIT)]
)
@pytest.mark.parametrize("press", [UNFOLD, Page(1)])
async def test_alone_an_edit_does_not_answer_a_press_that_never_shows_itself(
    press: Press, answer: Answer, kind: Kind, server: Discord, clock: VirtualClock
) -> None:
    ann = server.person("Ann")
    async with talking(server, clock, Clerk(answer)) as talk:
        message = await talk.post(ann.direct, card("Colours", ("On", press)))
        await quicker(talk, message)
        assert (await ann.press(message, "On")).kind is kind
        assert len(server.calls("PATCH")) == 1


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer(form=SETTINGS), "Sorry (en-US)"),
        (Answer(card("Page 2"), Show.INSTEAD), "Page 2"),
        (Answer(receipt=RECEIPT, served=True), "The quiz is ready."),
    ],
)
async def test_alone_nothing_is_lost_to_an_edit_that_was_quicker(
    answer: Answer, said: str, server: Discord, clock: VirtualClock
) -> None:
    ann = server.person("Ann")
    async with talking(server, clock, Clerk(answer)) as talk:
        message = await talk.post(ann.direct, card("Colours", ("Start", GO)))
        await quicker(talk, message)
        assert (await ann.press(message, "Start")).kind is Kind.EDIT
        await talk.conversation.finish()
        assert ann.direct.last.text == said


async def test_in_a_group_the_edit_of_the_question_is_nobodys_verdict(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)

    async def close(request: Request) -> None:
        await talk.transport.edit(request.chat, message.id, card("closed"))

    async with talking(server, clock, Clerk(Answer(VERDICT), meanwhile=close)) as talk:
        message = await talk.post(here, QUESTION)
        pressed = await ann.press(message, "A")
        assert (pressed.ephemeral, pressed.text, message.text) == (True, "Right!", "closed")


# A message that is still on its way


async def test_an_answer_waits_a_moment_for_the_message_it_speaks_of(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    looked: list[int] = []

    async def later() -> Answer:
        looked.append(1)
        return Answer(card("It runs there.")) if len(looked) == 2 else Answer(card("It runs."), later=later)

    async with talking(server, clock, Clerk(Answer(card("It runs."), later=later))) as talk:
        asked = ann.slash(here, "quiz")
        for _ in range(2):
            await talk.waits()
            clock.advance(0.2)
        assert (await asked).text == "It runs there."


@pytest.mark.parametrize("fault", [None, StoreError("away")])
async def test_an_answer_does_not_wait_for_long(server: Discord, clock: VirtualClock, fault: StoreError | None) -> None:
    here, ann = channel_of(server)

    async def later() -> Answer:
        if fault:
            raise fault
        return Answer(card("It runs."), later=later)

    async with talking(server, clock, Clerk(Answer(card("It runs."), later=later))) as talk:
        asked = ann.slash(here, "quiz")
        for _ in range(1 if fault else 4):
            await talk.waits()
            clock.advance(0.2)
        assert (await asked).text == "It runs."
        assert clock.now() - asked.at < timedelta(seconds=1)


# Many at once


async def test_fifty_who_press_in_one_tick_are_all_answered(server: Discord, clock: VirtualClock) -> None:
    here = study(server, *(f"P{number}" for number in range(50)))
    async with talking(server, clock, Clerk(Answer(VERDICT))) as talk:
        message = await talk.post(here, QUESTION)
        presses = [person.press(message, "A") for person in server.world.people]
        await asyncio.gather(*(pressed.answered() for pressed in presses))
        assert {pressed.text for pressed in presses} == {"Right!"}
        assert [request.key for request in talk.clerk.requests] == [f"discord:{pressed.id}" for pressed in presses]


async def test_whoever_stops_waits_for_the_answers_under_way(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(VERDICT))) as talk:
        message = await talk.post(here, QUESTION)
        hold = server.hold("POST", "/callback$")
        pressed = ann.press(message, "A")
        await hold.reached()
        finishing = asyncio.create_task(talk.conversation.finish())
        hold.release()
        await finishing
        assert pressed.text == "Right!"
        await talk.conversation.finish()


async def test_whoever_is_abandoned_is_not_answered(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock) as talk:
        talk.clerk.open.clear()
        ann.slash(here, "stop")
        await talk.comes(lambda: talk.clerk.begun)
        talk.conversation.abandon()
        await talk.conversation.finish()
        assert server.calls("POST", "/callback$") == []


async def test_alone_whoever_is_abandoned_is_not_answered_by_an_edit_either(
    server: Discord, clock: VirtualClock
) -> None:
    ann = server.person("Ann")
    async with talking(server, clock) as talk:
        message = await talk.post(ann.direct, QUESTION)
        talk.clerk.open.clear()
        ann.press(message, "A")
        await talk.comes(lambda: talk.clerk.begun)
        talk.conversation.abandon()
        await talk.conversation.finish()
        await talk.transport.edit(chat_of(ann.direct), message.id, card("closed"))
        assert (message.text, server.calls("POST", "/callback$")) == ("closed", [])
