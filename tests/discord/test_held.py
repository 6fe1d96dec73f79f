"""Presses that are answered by the edit of their message: one request for both, and nobody without an answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import discord
import pytest

from adapters.discord.held import Held
from adapters.discord.transport import OLD, DiscordTransport
from bot.core.quiz import NEUTRAL, Image, LocalisedText
from bot.ports import ThrottledError, UnavailableError
from bot.present import post
from tests.clock import VirtualClock
from tests.discord.server import Answer, Discord, GuildChannel, Interaction
from tests.discord.server.plain import Bot, connected
from tests.present.sample import QUIZ
from tests.present.scenes import POSTS

ASKED = post(POSTS["asked-channel"], QUIZ, "en")
CLOSED = post(POSTS["closed-channel"], QUIZ, "en")
ANSWERED = "Every step adds 4 examples"
EDIT = ("PATCH", r"/messages/\d+$")
CALLBACK = ("POST", "/callback$")
MOMENT = timedelta(seconds=1)


class Table:
    """A question in a channel that two people press on, and the ways to answer them."""

    def __init__(self, server: Discord, bot: Bot, clock: VirtualClock, pictures: Path) -> None:
        self.server = server
        self.bot = bot
        self.clock = clock
        self.transport = DiscordTransport(pictures, clock)
        self.channel: GuildChannel = server.guild("Study").channel("quiz")
        self.ann, self.ben = server.people("Ann", "Ben")
        self.reference = ""

    async def ask(self) -> None:
        self.reference = await self.transport.send(f"discord:#{self.channel.id}", ASKED, "n")

    async def edit(self, *, lazy: bool = False) -> None:
        await self.transport.edit(f"discord:#{self.channel.id}", self.reference, CLOSED, lazy=lazy)

    async def press(self) -> tuple[Interaction, Held, discord.Interaction[discord.Client]]:
        """What Ann sees of her press, the press as it is held, and as the library gives it."""
        seen = self.ann.press(self.channel.last, "A")
        await self.server.gateway.heard()
        interaction = self.bot.heard[-1]
        return seen, self.transport.hold(interaction), interaction

    def taken(self, held: Held) -> asyncio.Task[bool]:
        """Whether it is taken within a moment."""
        return asyncio.create_task(held.taken(self.clock.now() + MOMENT))

    @property
    def edits(self) -> int:
        """Edits by a request of their own."""
        return len([call for call in self.server.calls(*EDIT) if call.status == 200])

    @property
    def is_answered(self) -> bool:
        """Whether the question shows what is right."""
        return ANSWERED in self.channel.last.text


@pytest.fixture
async def table(server: Discord, clock: VirtualClock, tmp_path: Path) -> AsyncIterator[Table]:
    async with connected(server, Bot()) as bot:
        made = Table(server, bot, clock, tmp_path)
        with made.transport.through(bot):
            await made.ask()
            yield made


async def test_the_edit_of_a_message_is_the_answer_to_the_press_on_it(table: Table) -> None:
    seen, held, _ = await table.press()
    taken = table.taken(held)
    await table.edit()
    assert await taken
    assert (seen.kind, seen.answer) == (Answer.EDIT, table.channel.last)
    assert table.is_answered
    assert table.edits == 0
    assert not held.withdraw(), "there is nothing left to answer"


async def test_an_answer_notifies_nobody_and_takes_away_a_picture_that_is_shown_no_more(
    table: Table, tmp_path: Path
) -> None:
    (tmp_path / "curve.png").write_bytes(b"\x89PNG\r\n\x1a\n and so on")
    pictured = replace(ASKED, image=Image("curve.png", LocalisedText({NEUTRAL: "A falling curve"})))
    table.reference = await table.transport.send(f"discord:#{table.channel.id}", pictured, "pictured")
    assert table.channel.last.pictures
    await table.press()
    await table.edit()
    assert (table.edits, table.channel.last.pictures, table.channel.last.files) == (0, [], {})
    (call,) = table.server.calls(*CALLBACK)
    assert call.data["data"]["allowed_mentions"] == {"parse": []}


async def test_with_a_closed_client_nobody_is_answered(table: Table) -> None:
    _, held, _ = await table.press()
    await table.bot.close()
    with pytest.raises(UnavailableError):
        await table.edit()
    assert held.withdraw()


async def test_an_edit_that_was_quicker_than_its_press_was_waited_for_is_the_answer(table: Table) -> None:
    _, held, _ = await table.press()
    await table.edit()
    assert await held.taken(table.clock.now() + MOMENT)


async def test_after_a_moment_a_press_is_its_holders_again(table: Table) -> None:
    seen, held, interaction = await table.press()
    taken = table.taken(held)
    await asyncio.sleep(0)
    table.clock.advance(MOMENT.total_seconds())
    assert not await taken
    assert held.withdraw()
    await table.edit()
    assert (table.edits, table.is_answered) == (1, True)
    await interaction.response.defer()
    assert seen.kind is Answer.DEFERRED_EDIT


async def test_a_moment_that_has_passed_is_not_waited_for(table: Table) -> None:
    _, held, _ = await table.press()
    assert not await held.taken(table.clock.now())
    assert held.withdraw()


async def test_a_press_that_is_withdrawn_is_nobody_elses(table: Table) -> None:
    seen, held, _ = await table.press()
    assert held.withdraw()
    await table.edit()
    assert (table.edits, seen.kind) == (1, None)
    assert not await held.taken(table.clock.now() + MOMENT)


async def test_a_press_that_is_waited_for_no_more_is_withdrawn(table: Table) -> None:
    seen, held, _ = await table.press()
    taken = table.taken(held)
    await asyncio.sleep(0)
    taken.cancel()
    with suppress(asyncio.CancelledError):
        await taken
    await table.edit()
    assert (table.edits, seen.kind) == (1, None)


async def test_the_oldest_press_is_answered_and_the_others_wait_on(table: Table) -> None:
    first, older, _ = await table.press()
    second, younger, _ = await table.press()
    await table.edit()
    assert (first.kind, second.kind) == (Answer.EDIT, None)
    await table.edit()
    assert second.kind is Answer.EDIT
    assert not older.withdraw()
    assert not younger.withdraw()
    await table.edit()
    assert table.edits == 1, "when nobody waits any more it is a request of its own"


async def test_a_press_withdrawn_from_the_middle_leaves_the_others(table: Table) -> None:
    _, older, _ = await table.press()
    _, middle, _ = await table.press()
    last, _, _ = await table.press()
    assert middle.withdraw()
    assert older.withdraw()
    await table.edit()
    assert last.kind is Answer.EDIT


async def test_a_counter_is_nobodys_answer(table: Table) -> None:
    seen, held, _ = await table.press()
    await table.edit(lazy=True)
    assert (table.edits, seen.kind) == (1, None)
    assert held.withdraw()


async def test_a_message_too_old_to_be_edited_can_still_be_an_answer(table: Table) -> None:
    table.clock.advance(OLD.total_seconds() + 1)
    seen, _, _ = await table.press()
    await table.edit()
    assert (seen.kind, table.is_answered) == (Answer.EDIT, True)


async def test_a_press_on_another_message_is_not_answered(table: Table) -> None:
    await table.transport.send(f"discord:#{table.channel.id}", ASKED, "another")
    seen, held, _ = await table.press()
    await table.edit()
    assert (seen.kind, table.edits) == (None, 1)
    assert held.withdraw()


async def test_who_pressed_before_a_new_message_came_waits_for_no_edit(table: Table) -> None:
    seen, held, interaction = await table.press()
    taken = table.taken(held)
    await table.transport.send(f"discord:#{table.channel.id}", ASKED, "another")
    assert not await taken
    table.transport.hold(interaction)
    await table.edit()
    assert (seen.kind, table.edits) == (None, 1), "not even when it is held only now"


async def test_a_new_message_elsewhere_is_nothing_to_who_waits_here(table: Table) -> None:
    seen, _, _ = await table.press()
    there = table.channel.guild.channel("other")
    await table.transport.send(f"discord:#{there.id}", ASKED, "another")
    await table.edit()
    assert (seen.kind, table.edits) == (Answer.EDIT, 0)


async def test_a_command_has_no_message_to_wait_for(table: Table) -> None:
    seen = table.ann.forge_command(table.channel, "quiz")
    await table.server.gateway.heard()
    held = table.transport.hold(table.bot.heard[-1])
    assert not await held.taken(table.clock.now() + MOMENT)
    assert held.withdraw()
    assert seen.kind is None


# When Discord does not take it


@pytest.mark.parametrize(("status", "code"), [(404, 10062), (400, 40060)])
async def test_where_nobody_waits_for_an_answer_the_edit_is_a_request_of_its_own(
    table: Table, caplog: pytest.LogCaptureFixture, status: int, code: int
) -> None:
    _, held, _ = await table.press()
    table.server.fail(*CALLBACK, status, code)
    with caplog.at_level(logging.INFO, "adapters"):
        await table.edit()
    assert (table.edits, table.is_answered) == (1, True)
    assert await held.taken(table.clock.now() + MOMENT), "no other answer would reach anybody"
    assert [record.levelno for record in caplog.records] == [logging.INFO]


@pytest.mark.parametrize(("status", "code"), [(400, 50035), (401, 50027), (403, 0)])
async def test_an_answer_that_is_refused_is_edited_with_the_bots_own_token_and_answered_by_its_holder(
    table: Table, caplog: pytest.LogCaptureFixture, status: int, code: int
) -> None:
    seen, held, interaction = await table.press()
    taken = table.taken(held)
    table.server.fail(*CALLBACK, status, code)
    await table.edit()
    assert (table.edits, table.is_answered) == (1, True)
    assert not await taken
    assert held.withdraw()
    await interaction.response.defer()
    assert seen.kind is Answer.DEFERRED_EDIT
    assert interaction.token not in caplog.text
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


async def test_an_answer_that_takes_too_long_is_given_up_for_a_request_of_its_own(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.discord.held.EDITING", 0.05)
    _, held, _ = await table.press()
    with table.server.hold(*CALLBACK):
        await table.edit()
        assert (table.edits, table.is_answered) == (1, True)
        assert held.withdraw()


async def test_a_press_that_an_edit_has_is_waited_for_to_the_end(table: Table) -> None:
    seen, held, _ = await table.press()
    with table.server.hold(*CALLBACK) as hold:
        edit = asyncio.create_task(table.edit())
        await hold.reached()
        taken = table.taken(held)
        await asyncio.sleep(0)
        assert not held.withdraw()
        table.clock.advance(MOMENT.total_seconds())
        await asyncio.sleep(0)
        assert not taken.done()
    await edit
    assert await taken
    assert seen.kind is Answer.EDIT


async def test_a_delivery_that_is_stopped_gives_the_press_back(table: Table) -> None:
    _, held, _ = await table.press()
    taken = table.taken(held)
    with table.server.hold(*CALLBACK) as hold:
        edit = asyncio.create_task(table.edit())
        await hold.reached()
        edit.cancel()
        with suppress(asyncio.CancelledError):
            await edit
        assert not await taken
        assert held.withdraw()


async def test_an_answer_that_is_shut_out_silences_everything(table: Table) -> None:
    _, held, _ = await table.press()
    table.server.ban(*CALLBACK)
    with pytest.raises(ThrottledError):
        await table.edit()
    assert table.transport.is_silenced()
    assert not table.server.calls(*EDIT)
    _, later, _ = await table.press()
    with pytest.raises(ThrottledError):
        await table.edit()
    assert len(table.server.calls(*CALLBACK)) == 1
    assert held.withdraw()
    assert later.withdraw()
