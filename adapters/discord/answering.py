"""Answers each interaction once, with what the desk said, in the callback that Discord waits for. Decides nothing.

Discord gives three seconds, and brings nothing a second time: so whatever fails here is noted, and at most said once in
other words. What is stored is stored, whether or not its author still hears of it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from io import BytesIO

import discord

from adapters.discord.chats import PLATFORM
from adapters.discord.errors import FAILURES, Meaning, is_refusal, meaning
from adapters.discord.events import Asker, Interaction
from adapters.discord.held import Held
from adapters.discord.patience import EDITING, PATIENCE, patience
from adapters.discord.redaction import redact
from adapters.discord.render import layout, modal
from adapters.discord.transport import DiscordTransport
from adapters.pictures import described
from bot import metrics
from bot.desk import Answer, Show
from bot.desk.settling import settled
from bot.messages import Attachment, Block, Card, Role
from bot.ports import Clock
from bot.presses import Configure, SessionPress, UnreadableError, load

log = logging.getLogger(__name__)

HOLD = timedelta(milliseconds=400)
"""How long a press waits for the edit of its message, so that this can be its answer."""

MANY = 10
"""Answers that somebody else had given before, after which it is no accident."""

DONE = Card((Block(Role.LINE, "✓"),))
"""For a command that has nothing to show: Discord wants an answer to each."""


class Answering:
    """The way back to whoever asked. `sorry` makes the card for what failed here, for an app in some locale."""

    def __init__(self, transport: DiscordTransport, sorry: Callable[[str], Card], clock: Clock) -> None:
        self._transport = transport
        self._sorry = sorry
        self._clock = clock
        self._already = 0

    async def command(self, interaction: Interaction, asker: Asker, answer: Answer) -> None:
        """Answer a command, or a form that stands in no message."""
        answer = await settled(answer, self._clock)
        if answer.form is not None:
            await self._fill_in(interaction, asker, answer)
        elif answer.card and answer.show is Show.HERE:
            await self._say(interaction, asker, answer.card, ephemeral=False)
        else:
            # A receipt is worth nothing any more once it was read, also where nobody else would see it.
            card = answer.card or answer.receipt or DONE
            ephemeral = not asker.private or answer.card is None
            await self._say(interaction, asker, card, answer.attachment, ephemeral=ephemeral)

    async def press(
        self, interaction: Interaction, asker: Asker, answer: Answer, held: Held | None, *, offered: bool
    ) -> None:
        """Answer what was pressed under a message, or chosen in a form that was opened there. What was `held` already
        may meanwhile have become the edit of that message."""
        answer = await settled(answer, self._clock)
        if _shows_itself(asker, answer):
            if await self._has_shown_itself(interaction, held):
                return
        elif held and await held.taken(self._clock.now()):
            await self._say_apart(asker, answer)
            return
        await self._respond(interaction, asker, answer, offered=offered)

    async def apologise(self, interaction: Interaction) -> None:
        """Say that something failed here, where nothing has been said yet."""
        if not interaction.response.is_done():
            sorry = self._sorry(str(interaction.locale.value))
            await self.deliver(interaction, lambda: _send(interaction, sorry, ephemeral=True))

    async def turn_away(self, interaction: Interaction, card: Card) -> None:
        """Say to whoever asks alone why nothing comes of it."""
        await self.deliver(interaction, lambda: _send(interaction, card, ephemeral=True))

    async def _respond(self, interaction: Interaction, asker: Asker, answer: Answer, *, offered: bool) -> None:
        card, receipt = answer.card, answer.receipt or DONE
        if answer.form is not None:
            await self._fill_in(interaction, asker, answer)
        elif answer.served and card is None:
            await self._replace(interaction, asker, receipt, receipt if not offered else None)
        elif card is None:
            await self.deliver(interaction, interaction.response.defer)
        elif answer.show is Show.HERE:
            await self._say(interaction, asker, card, ephemeral=False)
        elif answer.show is Show.INSTEAD:
            await self._replace(interaction, asker, card, None if offered else answer.note or card)
        else:
            await self._aside(interaction, asker, card, answer.attachment)

    async def _has_shown_itself(self, interaction: Interaction, held: Held | None) -> bool:
        """Whether the message was edited in answer to this press, within the moment that somebody may wait."""
        held = held or self._transport.hold(interaction)
        return await held.taken(self._clock.now() + HOLD)

    async def _say_apart(self, asker: Asker, answer: Answer) -> None:
        """Say it in a message of its own: an earlier edit was quicker, and the answer to this press. A form would have
        been the answer, or none."""
        said = answer.card or (self._sorry(asker.locale) if answer.form else answer.receipt)
        if said:
            await self._transport.say(asker.place, said)

    # The callback

    async def _say(
        self,
        interaction: Interaction,
        asker: Asker,
        card: Card,
        attachment: Attachment | None = None,
        *,
        ephemeral: bool,
    ) -> None:
        if ephemeral:
            card = self._with_unheard(asker.by.person, card)
        if attachment and await self.deliver(
            interaction, lambda: _send(interaction, card, attachment, ephemeral=ephemeral)
        ):
            return
        # Where a file cannot go, words still can.
        words = (attachment and attachment.otherwise) or card
        if not await self.deliver(interaction, lambda: _send(interaction, words, ephemeral=ephemeral)):
            await self.apologise(interaction)

    async def _aside(
        self, interaction: Interaction, asker: Asker, card: Card, attachment: Attachment | None = None
    ) -> None:
        await self._say(interaction, asker, card, attachment, ephemeral=True)

    async def _replace(self, interaction: Interaction, asker: Asker, card: Card, aside: Card | None) -> None:
        """Make the pressed message look like `card`, or say `aside` where it is not to be touched."""
        if aside or not await self.deliver(interaction, lambda: _edit(interaction, card), EDITING):
            await self._aside(interaction, asker, aside or card)

    async def _fill_in(self, interaction: Interaction, asker: Asker, answer: Answer) -> None:
        form = answer.form
        if form is None or not await self.deliver(interaction, lambda: interaction.response.send_modal(modal(form))):
            await self._aside(interaction, asker, answer.card or self._sorry(asker.locale))

    def _with_unheard(self, person: str, card: Card) -> Card:
        unheard = self._transport.unheard(person)
        return replace(card, blocks=(*card.blocks, *unheard.blocks)) if unheard else card

    async def deliver(
        self, interaction: Interaction, respond: Callable[[], Awaitable[object]], most: float = PATIENCE
    ) -> bool:
        """Whether nothing more is to be said: Discord has it, or would take nothing else either. It may take so many
        seconds at most."""
        if self._transport.is_silenced():
            return True
        try:
            async with asyncio.timeout(patience(interaction.created_at, self._clock.now(), most)):
                await respond()
            metrics.acknowledged(PLATFORM, self._clock.now() - interaction.created_at)
        except TimeoutError as error:
            self._note(interaction, error)
            # Less is given where something else can still be said then.
            return most >= PATIENCE
        except FAILURES as error:
            self._transport.heed(error)
            return self._is_over(interaction, error)
        return True

    def _is_over(self, interaction: Interaction, error: Exception) -> bool:
        match meaning(error):
            case Meaning.EXPIRED:
                log.info("an answer came too late for interaction %s; what was asked is done", interaction.id)
            case Meaning.ALREADY:
                self._note_already()
            case _:
                self._note(interaction, error)
                return not is_refusal(error)
        return True

    def _note(self, interaction: Interaction, error: Exception) -> None:
        log.warning("interaction %s could not be answered: %s", interaction.id, redact(repr(error)))

    def _note_already(self) -> None:
        """An answer that was lost on its way is given twice; one that somebody else gives is another matter."""
        self._already += 1
        if self._already == MANY:
            log.warning("Discord has had answers before ours %d times: does another program use this token?", MANY)


def may_show_itself(data: str) -> bool:
    """Whether the edit of its message may be all that a press leads to: it is one of a session, and opens no form."""
    try:
        press = load(data)
    except UnreadableError:
        return False
    return isinstance(press, SessionPress) and not (isinstance(press, Configure) and press.configuring)


def _shows_itself(asker: Asker, answer: Answer) -> bool:
    """Whether the pressed message will say it all: nothing is to be said, or in private a verdict."""
    if answer.card is None:
        return answer.form is None and not answer.served
    verdict = any(block.role is Role.VERDICT for block in answer.card.blocks)
    return asker.private and verdict and answer.show is Show.ASIDE


async def _send(interaction: Interaction, card: Card, attachment: Attachment | None = None, *, ephemeral: bool) -> None:
    files = [discord.File(BytesIO(attachment.data), attachment.name)] if attachment else []
    view = layout(described(card), attachment=attachment)
    await interaction.response.send_message(view=view, files=files, ephemeral=ephemeral)


async def _edit(interaction: Interaction, card: Card) -> None:
    await interaction.response.edit_message(view=layout(described(card)), attachments=[])
