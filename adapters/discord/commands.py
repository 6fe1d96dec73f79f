"""The commands and menu entries as Discord lists them, in every language it knows, and the way from each to whoever
answers. Knows no quiz, and says nothing itself but that something went wrong."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial
from typing import Any, Protocol

import discord
from discord import app_commands
from discord.app_commands import Choice, CommandNotFound, CommandSignatureMismatch, locale_str

from adapters.discord.events import Interaction
from adapters.discord.render import layout
from bot import commands, present, words
from bot.commands import COMMANDS, Command
from bot.learning.days import Period

log = logging.getLogger(__name__)

MOST_CHOICES, LONGEST_CHOICE = 25, 100
LONGEST_NAME, LONGEST_DESCRIPTION = 32, 100

SUGGESTING = timedelta(seconds=1.5)
"""How long suggestions may take. Whoever is typing waits for nothing longer, and Discord takes an answer for 3 s."""

MODERATING = discord.Permissions(manage_messages=True)
"""Who is shown what moderators do, as long as a server has not set something else in its settings."""

Slash = app_commands.Command[Any, ..., None]


class Handler(Protocol):
    """Whoever answers. It answers each interaction once, whatever happens, and raises nothing."""

    async def command(self, interaction: Interaction, name: str, argument: str = "") -> None:
        """Somebody used a slash command."""

    async def suggest(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        """The quizzes to offer to whoever has typed this so far, as their titles and what stands for them."""
        ...

    async def score(self, interaction: Interaction, user: discord.User | discord.Member) -> None:
        """Somebody wants to know how this person stands."""

    async def report(self, interaction: Interaction, message: discord.Message) -> None:
        """Somebody wants to report the question in this message."""

    async def unknown(self, interaction: Interaction, name: str) -> None:
        """Somebody used what an older version listed: their app has not heard of its end."""

    async def deliver(self, interaction: Interaction, respond: Callable[[], Awaitable[object]]) -> object:
        """Answer by this one request, which is given up in time, where anything may be sent to Discord now."""


class Tree(app_commands.CommandTree[discord.Client]):
    """The commands of one client. None of them leaves an interaction unanswered."""

    def __init__(self, client: discord.Client, handler: Handler, suggesting: timedelta = SUGGESTING) -> None:
        super().__init__(
            client,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
        )
        self._handler = handler
        self._suggesting = suggesting.total_seconds()

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Whether it is a command to run. Suggestions are answered here already: the library would report each answer
        that came too late as an error, and people type faster than answers travel."""
        if interaction.type is not discord.InteractionType.autocomplete:
            return True
        choices = await self._suggestions(interaction)
        await self._handler.deliver(interaction, lambda: interaction.response.autocomplete(choices))
        return False

    async def _suggestions(self, interaction: Interaction) -> list[Choice[str]]:
        try:
            async with asyncio.timeout(self._suggesting):
                choices = await self._handler.suggest(interaction, _typed(interaction))
        except TimeoutError:
            return []
        except Exception:
            log.exception("no quizzes could be suggested")
            return []
        fitting = choices[:MOST_CHOICES]
        return [Choice(name=words.shortened(each.name, LONGEST_CHOICE), value=each.value) for each in fitting]

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Answer what could not be handed on, or was not answered."""
        try:
            match error:
                case CommandNotFound(name=name) | CommandSignatureMismatch(command=app_commands.Command(name=name)):
                    await self._handler.unknown(interaction, name)
                case _:
                    log.error("a command failed", exc_info=error)
                    await self._apologise(interaction)
        except Exception:
            log.exception("nothing could be said about a command that failed")

    async def _apologise(self, interaction: Interaction) -> None:
        if interaction.response.is_done() or interaction.type is discord.InteractionType.autocomplete:
            return
        sorry = layout(present.sorry(words.match(interaction.locale.value) or words.SOURCE))
        await self._handler.deliver(interaction, lambda: interaction.response.send_message(view=sorry, ephemeral=True))

    async def _call(self, interaction: Interaction) -> None:
        # The library hands only its own errors to `on_error`; whatever else it stumbles over would leave somebody
        # without an answer.
        try:
            await super()._call(interaction)
        except app_commands.AppCommandError:
            raise
        except Exception as error:
            raise app_commands.AppCommandError(f"this interaction cannot be read: {error}") from error


class Catalogues(app_commands.Translator):
    """Says names and descriptions in the languages of the interface. What a catalogue lacks, or says in a way that
    Discord does not take, stays English, so that one bad translation does not keep all commands from being listed."""

    async def translate(self, string: locale_str, locale: discord.Locale, _: object) -> str | None:
        """The text for users of `locale`, None where they see the English one."""
        language = words.match(locale.value)
        if language is None or "say" not in string.extras:
            return None
        said: str = string.extras["say"](language)
        return said if said != string.message and string.extras["takes"](said) else None


def build_tree(client: discord.Client, handler: Handler) -> Tree:
    """The commands of `client`, each of which goes to `handler`. A client can have one tree only."""
    tree = Tree(client, handler)
    for command in COMMANDS:
        tree.add_command(_slash(command, handler))
    tree.add_command(_score_menu(handler))
    tree.add_command(_report_menu(handler))
    return tree


# Names have translations, too, yet help and every sentence of ours go on to name commands in English, as on the other
# platforms: by its English name a command is found in Discord's apps whatever language they are in, and shown with the
# translated one. That one is found in its own language only, and has at times not been found at all when it was typed
# (discord/discord-api-docs, issues 5001 and 5663). What was used comes to us by its English name.
def _slash(command: Command, handler: Handler) -> Slash:
    slash: Slash = app_commands.Command(
        name=_translated(partial(_word, command), _is_word),
        description=_translated(partial(commands.description, command), _is_description),
        callback=_callback(command, handler),
    )
    slash.default_permissions = MODERATING if command.moderators else None
    return slash


def _word(command: Command, language: str) -> str:
    """Its word in that language, the English one where Discord would take it for another command's."""
    word = commands.word(command, language)
    others = [other for other in COMMANDS if other is not command]
    taken = {other.name for other in others} | {commands.word(other, language) for other in others}
    return command.name if word in taken else word


def _callback(command: Command, handler: Handler) -> Callable[..., Any]:
    """What is called with the options of a command, whose names stand in its signature: the library reads them there.
    What was written goes on as it would have been written after the command elsewhere."""
    match command.options:
        case (commands.QUIZ,):
            run = _with_quiz(command, handler)
        case (commands.PERIOD, commands.QUIZ):
            run = _with_period_and_quiz(command, handler)
        case (commands.CITY,):
            run = _with_city(command, handler)
        case _:
            return _without_option(command, handler)
    names = {option: _translated(partial(commands.option_word, option), _is_word) for option in command.options}
    said = {
        option: _translated(partial(commands.option_description, command, option), _is_description)
        for option in command.options
    }
    if commands.QUIZ in command.options:
        run = app_commands.autocomplete(quiz=handler.suggest)(run)
    described: Callable[..., Any] = app_commands.describe(**said)(app_commands.rename(**names)(run))
    return described


def _with_quiz(command: Command, handler: Handler) -> Callable[..., Any]:
    async def run(interaction: Interaction, quiz: str = "") -> None:
        await handler.command(interaction, command.name, quiz)

    return run


def _with_period_and_quiz(command: Command, handler: Handler) -> Callable[..., Any]:
    async def run(interaction: Interaction, period: str = "", quiz: str = "") -> None:
        await handler.command(interaction, command.name, f"{period} {quiz}".strip())

    periods = [
        Choice(name=_translated(partial(commands.period_word, period), _is_choice), value=period.value)
        for period in Period
    ]
    return app_commands.choices(period=periods)(run)


def _with_city(command: Command, handler: Handler) -> Callable[..., Any]:
    async def run(interaction: Interaction, city: str = "") -> None:
        await handler.command(interaction, command.name, city)

    return run


def _without_option(command: Command, handler: Handler) -> Callable[..., Any]:
    async def run(interaction: Interaction) -> None:
        await handler.command(interaction, command.name)

    return run


def _score_menu(handler: Handler) -> app_commands.ContextMenu:
    async def score(interaction: Interaction, user: discord.User | discord.Member) -> None:
        await handler.score(interaction, user)

    return app_commands.ContextMenu(name=_translated(commands.score_of_somebody, _is_entry), callback=score)


def _report_menu(handler: Handler) -> app_commands.ContextMenu:
    async def report(interaction: Interaction, message: discord.Message) -> None:
        await handler.report(interaction, message)

    return app_commands.ContextMenu(name=_translated(commands.report_question, _is_entry), callback=report)


def _translated(say: Callable[[str], str], takes: Callable[[str], bool]) -> locale_str:
    """A text to say in every language, which Discord takes only if it is as it has to be."""
    return locale_str(say(words.SOURCE), say=say, takes=takes)


def _is_word(said: str) -> bool:
    return said == said.lower() and re.fullmatch(rf"[\w-]{{1,{LONGEST_NAME}}}", said) is not None


def _is_entry(said: str) -> bool:
    return 0 < len(said) <= LONGEST_NAME


def _is_choice(said: str) -> bool:
    return 0 < len(said) <= LONGEST_CHOICE


def _is_description(said: str) -> bool:
    return 0 < len(said) <= LONGEST_DESCRIPTION


def _typed(interaction: Interaction) -> str:
    data: Any = interaction.data or {}
    return next((str(option.get("value", "")) for option in data.get("options", ()) if option.get("focused")), "")
