"""What people ask by command, as it reaches the desk, and how they are answered: once each, to whom the desk says."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from bot.core.quiz import NEUTRAL, Image, LocalisedText
from bot.desk import Answer, Lacking, Request, Show
from tests.clock import VirtualClock
from tests.content.writing import PNG
from tests.discord.server import Answer as Kind
from tests.discord.server import Discord
from tests.discord.talking import FORM, QUESTION, RECEIPT, Clerk, card, channel_of, chat_of, talking

# Commands


async def test_a_command_goes_to_the_desk_with_who_asks_where_and_when(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    ann.locale = "ro"
    async with talking(server, clock) as talk:
        await ann.slash(here, "quiz", quiz="colours")
        (asked,), (request,) = talk.clerk.asked, talk.clerk.requests
        assert asked == ("command", "quiz", "colours")
        assert request.chat == f"discord:#{here.id}"
        assert (request.by.person, request.by.name) == (f"discord:{ann.id}", "Ann")
        assert (request.private, request.locale, request.at) == (False, "ro", clock.now())
        assert (request.lacking, request.forms) == ((), True)


async def test_a_command_is_answered_to_its_author_alone(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(card("Stopped.")))) as talk:
        asked = await ann.slash(here, "stop")
        assert (asked.kind, asked.ephemeral, asked.text) == (Kind.MESSAGE, True, "Stopped.")
        assert talk.server.calls("POST", "/messages$") == []


async def test_what_everybody_may_see_is_said_to_everybody(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(card("Quizzes"), Show.HERE))):
        asked = await ann.slash(here, "quizzes")
        assert (asked.kind, asked.ephemeral, asked.text) == (Kind.MESSAGE, False, "Quizzes")


async def test_in_private_a_command_is_answered_by_an_ordinary_message(server: Discord, clock: VirtualClock) -> None:
    ann = server.person("Ann")
    async with talking(server, clock, Clerk(Answer(card("Help")))) as talk:
        asked = await ann.slash(ann.direct, "help")
        assert (asked.ephemeral, asked.text) == (False, "Help")
        (request,) = talk.clerk.requests
        assert (request.chat, request.private, request.open_thread) == (f"discord:{ann.id}", True, None)


async def test_a_command_that_shows_itself_is_answered_by_its_receipt(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(receipt=RECEIPT))):
        asked = await ann.slash(here, "quiz", quiz="colours")
        assert (asked.ephemeral, asked.text) == (True, "The quiz is ready.")


async def test_a_command_with_nothing_to_show_is_answered_all_the_same(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock):
        assert (await ann.slash(here, "next")).text == "✓"


async def test_a_command_can_be_answered_by_a_form(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(form=FORM))):
        asked = await ann.slash(here, "help")
        assert asked.form is not None
        assert asked.form.title == "Something is wrong"


async def test_a_command_that_is_no_more_is_answered_by_the_desk(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(card("I do not know that.")))) as talk:
        asked = await ann.forge_command(here, "dance")
        assert (asked.ephemeral, asked.text) == (True, "I do not know that.")
        assert talk.clerk.asked == [("command", "dance", "")]


async def test_quizzes_are_suggested_in_the_language_of_whoever_types(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    ann.locale = "bg"
    async with talking(server, clock) as talk:
        talk.clerk.quizzes = [("colours", "Цветове")]
        asked = await ann.autocomplete(here, "quiz", quiz="цве")
        assert asked.choices == [("Цветове", "colours")]
        assert talk.clerk.asked == [("spoken", f"discord:{ann.id}", "bg"), ("found", "цве", "bg", 25)]


async def test_commands_of_a_chat_go_one_by_one_and_other_chats_do_not_wait(
    server: Discord, clock: VirtualClock
) -> None:
    here, ann = channel_of(server)
    there = here.guild.channel("other")
    async with talking(server, clock) as talk:
        talk.clerk.open.clear()
        first, second, elsewhere = ann.slash(here, "stop"), ann.slash(here, "next"), ann.slash(there, "resume")
        await talk.comes(lambda: len(talk.clerk.begun) == 2)
        talk.clerk.open.set()
        await asyncio.gather(first.answered(), second.answered(), elsewhere.answered())
        names = [name for _, name, _ in talk.clerk.asked]
        assert names == ["stop", "resume", "next"]


async def test_a_press_waits_for_the_command_before_it(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(card("OK")))) as talk:
        message = await talk.post(here, QUESTION)
        talk.clerk.open.clear()
        first, second = ann.slash(here, "stop"), ann.press(message, "A")
        await server.gateway.heard()
        talk.clerk.open.set()
        await asyncio.gather(first.answered(), second.answered())
        assert [what for what, *_ in talk.clerk.asked] == ["command", "press"]


async def test_while_a_thread_is_made_presses_pass(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)

    async def make(request: Request) -> None:
        if request.open_thread and "command" in talk.clerk.asked[-1]:
            chats.append(await request.open_thread("Threads"))

    chats: list[str | None] = []
    async with talking(server, clock, Clerk(Answer(card("OK")), meanwhile=make)) as talk:
        message = await talk.post(here, QUESTION)
        hold = server.hold("POST", "/threads$")
        command = ann.slash(here, "quiz", quiz="colours")
        await hold.reached()
        await ann.press(message, "A")
        hold.release()
        await command
        (thread,) = here.guild.threads
        assert chats == [chat_of(thread)]


async def test_the_score_of_somebody_is_asked_for_by_their_menu(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    bob = server.world.people[1]
    async with talking(server, clock, Clerk(Answer(card("2nd of 3")))) as talk:
        asked = await ann.user_command(here, "Quiz score", bob)
        assert (asked.ephemeral, asked.text) == (True, "2nd of 3")
        assert talk.clerk.asked == [("score", f"discord:{bob.id}", "Bob")]


async def test_a_question_is_reported_with_its_buttons_and_its_message(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(form=FORM))) as talk:
        message = await talk.post(here, QUESTION)
        asked = await ann.message_command(message, "Report question")
        assert asked.form is not None
        assert talk.clerk.asked == [("report", message.id, "1:a:s1:0:0", "1:a:s1:0:1")]
        talk.clerk.answer = Answer(card("Thanks."))
        sent = await ann.submit(asked, _1="Key", _2="C is right")
        assert (sent.ephemeral, sent.text) == (True, "Thanks.")
        assert talk.clerk.asked[-1] == ("submitted", "1:w:s1:0:", "1:w:s1:0:key", "C is right")
        assert not talk.clerk.requests[-1].forms


async def test_a_question_with_a_picture_is_called_as_it_was_when_it_was_sent(
    server: Discord, clock: VirtualClock, tmp_path: Path
) -> None:
    here, ann = channel_of(server)
    (tmp_path / "blue.png").write_bytes(PNG)
    shown = replace(QUESTION, image=Image("blue.png", LocalisedText({NEUTRAL: "Something blue"})))
    async with talking(server, clock, Clerk(Answer(card("Thanks."))), pictures=tmp_path) as talk:
        message = await talk.post(here, shown)
        await ann.message_command(message, "Report question")
        assert talk.clerk.asked[0][:2] == ("report", talk.sent) == ("report", f"{message.id}p")


async def test_a_message_of_somebody_else_is_no_question_of_ours(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(card("That is no question.")))) as talk:
        await ann.message_command(here.write(ann, "Who is there?"), "Report question")
        assert talk.clerk.asked == [("report", None)]


# Where


async def test_what_is_asked_in_a_thread_is_asked_there(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    thread = here.thread("Colours")
    async with talking(server, clock) as talk:
        await ann.slash(thread, "stop")
        (request,) = talk.clerk.requests
        assert (request.chat, request.open_thread) == (f"discord:#{here.id}/{thread.id}", None)


async def test_where_the_bot_is_no_member_that_is_what_it_lacks(server: Discord, clock: VirtualClock) -> None:
    ann, bob = server.people("Ann", "Bob")
    ann.installed = True
    elsewhere = server.guild("Other", ann, bot=False).channel()
    among = server.group("Friends", ann, bob)
    async with talking(server, clock) as talk:
        await ann.slash(elsewhere, "language")
        await ann.slash(among, "language")
        assert [request.lacking for request in talk.clerk.requests] == [(Lacking.MEMBERSHIP,)] * 2
        assert [request.open_thread for request in talk.clerk.requests] == [None, None]
        assert [request.chat for request in talk.clerk.requests] == [f"discord:#{elsewhere.id}", f"discord:#{among.id}"]


async def test_what_the_bot_may_not_do_in_a_channel_is_said_with_the_request(
    server: Discord, clock: VirtualClock
) -> None:
    here, ann = channel_of(server)
    here.deny("bot", "send_messages", "attach_files")
    async with talking(server, clock) as talk:
        await ann.slash(here, "quiz")
        assert talk.clerk.requests[0].lacking == (Lacking.SEND, Lacking.ATTACH)


async def test_moderators_are_known_without_asking(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    bob = server.world.people[1]
    here.guild.grant(bob, "manage_messages")
    async with talking(server, clock) as talk:
        await ann.slash(here, "stop")
        await bob.slash(here, "stop")
        assert [await request.is_moderator() for request in talk.clerk.requests] == [False, True]
