"""The commands in Discord's menus: what they are called in each language, where they are offered, and who answers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Any

import discord
import pytest
import simcord
from discord import app_commands
from discord.app_commands import Choice, locale_str

from adapters.discord.commands import Catalogues, Tree, build_tree
from adapters.discord.events import Interaction
from adapters.discord.registration import register
from bot import commands
from bot.commands import COMMANDS, START, Command
from bot.learning.days import Period
from bot.words import SOURCE, languages, words_of
from tests.discord.server import Asked, Discord, asking
from tests.discord.server.plain import connected

SCORE, REPORT = "Quiz score", "Report question"

every_language = pytest.mark.parametrize("language", languages())


class Clerk:
    """Answers what arrives, and notes it. `answer` is done about a command, `quizzes` are those to suggest."""

    def __init__(self) -> None:
        self.heard: list[tuple[object, ...]] = []
        self.quizzes: list[tuple[str, str]] = []
        self.delivered: list[discord.InteractionType] = []
        self.answer: Callable[[Interaction], Awaitable[Any]] = lambda interaction: interaction.response.send_message(
            "✓"
        )
        self.search: Callable[[], Awaitable[Any]] = lambda: asyncio.sleep(0)

    async def command(self, interaction: Interaction, name: str, argument: str = "") -> None:
        await self._note(interaction, "command", name, argument)

    async def suggest(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        self.heard.append(("suggest", typed))
        await self.search()
        return [Choice(name=title, value=slug) for title, slug in self.quizzes]

    async def score(self, interaction: Interaction, user: discord.User | discord.Member) -> None:
        await self._note(interaction, "score", user.id)

    async def report(self, interaction: Interaction, message: discord.Message) -> None:
        await self._note(interaction, "report", message.id)

    async def unknown(self, interaction: Interaction, name: str) -> None:
        await self._note(interaction, "unknown", name)

    async def deliver(self, interaction: Interaction, respond: Callable[[], Awaitable[object]]) -> None:
        self.delivered.append(interaction.type)
        with suppress(discord.HTTPException):
            await respond()

    async def _note(self, interaction: Interaction, *heard: object) -> None:
        self.heard.append(heard)
        await self.answer(interaction)


@pytest.fixture
def clerk() -> Clerk:
    return Clerk()


def new_client() -> discord.Client:
    return discord.Client(intents=discord.Intents(guilds=True), max_messages=None)


@pytest.fixture
async def tree(clerk: Clerk) -> Tree:
    return build_tree(new_client(), clerk)


class Stage:
    """Somebody at a channel of a server where the commands are registered."""

    def __init__(self, env: simcord.Env, tree: Tree) -> None:
        self.env = env
        self.tree = tree
        self.guild = env.create_guild()
        self.channel = self.guild.create_text_channel("study")
        self.ann = self.guild.add_member(env.create_user("Ann"))

    def forget(self, name: str) -> None:
        """As after a new version without that command, of which Ann's app has not heard yet."""
        assert self.tree.remove_command(name)


@asynccontextmanager
async def staged(tree: Tree) -> AsyncIterator[Stage]:
    env = simcord.Env(tree.client)
    await env.start()
    try:
        assert await register(tree)
        yield Stage(env, tree)
    finally:
        await env.shutdown()
    simcord.assert_no_errors(env)


@pytest.fixture
async def stage(tree: Tree) -> AsyncIterator[Stage]:
    async with staged(tree) as running:
        yield running


async def payloads(tree: Tree) -> dict[str, dict[str, Any]]:
    return {each.name: await each.get_translated_payload(tree, Catalogues()) for each in tree.get_commands()}


def said(result: simcord.InteractionResult) -> str:
    assert result.response
    return str(result.response.components)


# What is listed


async def test_discord_lists_every_command_and_the_two_menu_entries(tree: Tree) -> None:
    assert list(await payloads(tree)) == [*(command.name for command in COMMANDS), SCORE, REPORT]


async def test_what_platforms_send_by_themselves_is_not_listed(tree: Tree) -> None:
    assert START not in await payloads(tree)


@pytest.mark.parametrize("language", [language for language in languages() if language != SOURCE])
async def test_every_text_is_there_in_the_language_of_the_reader(tree: Tree, language: str) -> None:
    listed = await payloads(tree)
    for command in COMMANDS:
        payload, word = listed[command.name], commands.word(command, language)
        assert payload["name_localizations"][language] == word
        assert payload["description"] == commands.description(command, SOURCE)
        assert payload["description_localizations"][language] == commands.description(command, language)
        for name, option in zip(command.options, payload.get("options", []), strict=True):
            assert option["name"] == name
            assert option["name_localizations"][language] == commands.option_word(name, language)
            said = commands.option_description(command, name, language)
            assert option["description_localizations"][language] == said
    assert listed[SCORE]["name_localizations"][language] == commands.score_of_somebody(language)
    assert listed[REPORT]["name_localizations"][language] == commands.report_question(language)


async def test_readers_of_other_languages_see_the_english_texts(tree: Tree) -> None:
    translations = {language for language in languages() if language != SOURCE}
    for payload in (await payloads(tree)).values():
        assert payload["name_localizations"].keys() == translations
        assert payload.get("description_localizations", {}).keys() in (set(), translations)


async def test_a_language_of_ours_is_for_every_country_where_discord_tells_countries_apart() -> None:
    text = locale_str("English", say=lambda language: language, takes=bool)
    languages_of = {locale: await Catalogues().translate(text, locale, None) for locale in discord.Locale}
    assert languages_of[discord.Locale.bulgarian] == "bg"
    assert languages_of[discord.Locale.american_english] == languages_of[discord.Locale.british_english] == SOURCE
    assert languages_of[discord.Locale.thai] is None


@every_language
def test_words_for_commands_are_such_as_discord_takes_and_no_two_alike(language: str) -> None:
    names = [commands.word(command, language) for command in COMMANDS]
    english = [command.name for command in COMMANDS]
    options = [commands.option_word(option, language) for command in COMMANDS for option in command.options]
    for name in [*names, *options]:
        assert re.fullmatch(r"[\w-]{1,32}", name), name
        assert name == name.lower()
    assert len(set(names)) == len(names)
    assert all(name not in english or english.index(name) == place for place, name in enumerate(names))


@every_language
def test_what_is_said_of_commands_has_room_in_discords_menus(language: str) -> None:
    options = [(command, option) for command in COMMANDS for option in command.options]
    said = [commands.option_description(*option, language) for option in options]
    for description in [*(commands.description(each, language) for each in COMMANDS), *said]:
        assert 0 < len(description) <= 100
    assert all(0 < len(commands.period_word(period, language)) <= 20 for period in Period)
    for entry in [commands.score_of_somebody(language), commands.report_question(language)]:
        assert 0 < len(entry) <= 32


@pytest.mark.parametrize(
    ("word", "taken"),
    [("тест", True), ("Тест", False), ("нов тест", False), ("", False), ("т" * 33, False), ("stop", False)],
)
async def test_a_word_that_discord_does_not_take_stays_english_and_spoils_nothing_else(
    word: str, taken: bool, clerk: Clerk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def translated(command: Command, language: str) -> str:
        return word if command.name == "quiz" and language == "bg" else command.name

    monkeypatch.setattr(commands, "word", translated)
    listed = await payloads(build_tree(new_client(), clerk))
    assert listed["quiz"]["name_localizations"] == ({"bg": word} if taken else {})
    assert listed["quiz"]["description_localizations"].keys() == {"bg", "ro"}


async def test_of_two_commands_with_one_word_neither_gets_it(clerk: Clerk, monkeypatch: pytest.MonkeyPatch) -> None:
    def translated(command: Command, language: str) -> str:
        return "тест" if command.name in ("quiz", "quizzes") else command.name

    monkeypatch.setattr(commands, "word", translated)
    listed = await payloads(build_tree(new_client(), clerk))
    assert listed["quiz"]["name_localizations"] == listed["quizzes"]["name_localizations"] == {}


async def test_a_description_without_room_stays_english(clerk: Clerk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "description", lambda command, language: "d" if language == SOURCE else "д" * 101)
    listed = await payloads(build_tree(new_client(), clerk))
    assert listed["stop"]["description_localizations"] == {}


# Where it is offered


async def test_everything_can_be_used_wherever_the_bot_or_a_person_has_brought_it(tree: Tree) -> None:
    for payload in (await payloads(tree)).values():
        assert payload["contexts"] == [0, 1, 2]
        assert payload["integration_types"] == [0, 1]


async def test_only_moderators_are_shown_what_moderators_do(stage: Stage) -> None:
    moderators = stage.guild.create_role("Moderators", permissions=discord.Permissions(manage_messages=True))
    moderator = stage.guild.add_member(stage.env.create_user("Mod"), roles=[moderators])
    everything = {command.name for command in COMMANDS}
    assert set(moderator.available_commands(stage.channel)) == everything
    assert set(stage.ann.available_commands(stage.channel)) == everything - {"settings"}


# Who answers


@pytest.mark.parametrize("name", [command.name for command in COMMANDS if not command.moderators])
async def test_a_command_is_answered_by_its_english_name(stage: Stage, clerk: Clerk, name: str) -> None:
    result = await stage.ann.slash(stage.channel, name)
    assert clerk.heard == [("command", name, "")]
    assert result.acknowledged


@pytest.mark.parametrize("typed", ["rust-basics", "Rust BASICS ", "что-то, что я помню", "<@&1> `x`", "x" * 6000])
async def test_what_stands_after_quiz_arrives_as_it_was_typed(stage: Stage, clerk: Clerk, typed: str) -> None:
    await stage.ann.slash(stage.channel, "quiz", quiz=typed)
    assert clerk.heard == [("command", "quiz", typed)]


async def test_the_menu_of_a_person_asks_for_their_score(stage: Stage, clerk: Clerk) -> None:
    ben = stage.guild.add_member(stage.env.create_user("Ben"))
    await stage.ann.context_menu(stage.channel, SCORE, ben)
    assert clerk.heard == [("score", ben.id)]


async def test_the_menu_of_a_message_reports_the_question_in_it(stage: Stage, clerk: Clerk) -> None:
    message = await stage.ann.send(stage.channel, "What is this?")
    await stage.ann.context_menu(stage.channel, REPORT, message)
    assert clerk.heard == [("report", message.id)]


# Suggestions


async def test_quizzes_are_suggested_to_whoever_types(stage: Stage, clerk: Clerk) -> None:
    clerk.quizzes = [("Rust basics", "rust-basics"), ("Gradients", "gradients")]
    offered = await stage.ann.autocomplete(stage.channel, "quiz", "quiz", "ru")
    assert clerk.heard == [("suggest", "ru")]
    assert [(choice["name"], choice["value"]) for choice in offered] == clerk.quizzes
    assert clerk.delivered == [discord.InteractionType.autocomplete]


async def test_no_more_is_suggested_than_discord_has_room_for(stage: Stage, clerk: Clerk) -> None:
    clerk.quizzes = [("word " * 60, f"quiz-{number}") for number in range(30)]
    offered = await stage.ann.autocomplete(stage.channel, "quiz", "quiz", "")
    assert len(offered) == 25
    assert all(len(choice["name"]) <= 100 and choice["name"].endswith("…") for choice in offered)


async def test_a_search_that_fails_suggests_nothing(
    stage: Stage, clerk: Clerk, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail() -> None:
        raise LookupError("no shelf")

    clerk.search = fail
    assert await stage.ann.autocomplete(stage.channel, "quiz", "quiz", "ru") == []
    assert caplog.messages == ["no quizzes could be suggested"]


async def test_a_search_without_end_suggests_nothing_and_is_left(
    clerk: Clerk, caplog: pytest.LogCaptureFixture
) -> None:
    left = asyncio.Event()

    async def hang() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            left.set()

    clerk.search = hang
    client = new_client()
    tree = Tree(client, clerk, suggesting=timedelta(0))
    for command in build_tree(new_client(), clerk).get_commands():
        tree.add_command(command)
    async with staged(tree) as stage:
        assert await stage.ann.autocomplete(stage.channel, "quiz", "quiz", "ru") == []
    assert left.is_set()
    assert caplog.messages == []


async def test_suggestions_that_come_too_late_are_no_error(
    stage: Stage, clerk: Clerk, caplog: pytest.LogCaptureFixture
) -> None:
    stage.env.inject_error("POST", "/interactions/*/*/callback", status=404, code=10062, message="Unknown interaction")
    await stage.ann.autocomplete(stage.channel, "quiz", "quiz", "ru")
    assert clerk.heard == [("suggest", "ru")]
    assert caplog.messages == []


# What an app still shows


async def test_a_command_that_is_none_any_more_is_answered(
    stage: Stage, clerk: Clerk, caplog: pytest.LogCaptureFixture
) -> None:
    stage.forget("next")
    result = await stage.ann.slash(stage.channel, "next")
    assert clerk.heard == [("unknown", "next")]
    assert result.acknowledged
    assert caplog.messages == []


async def test_a_command_that_takes_something_else_now_is_answered(stage: Stage, clerk: Clerk) -> None:
    async def changed(interaction: Interaction, steps: int) -> None: ...

    stage.forget("next")
    stage.tree.add_command(app_commands.Command(name="next", description="…", callback=changed))
    await stage.ann.slash(stage.channel, "next")
    assert clerk.heard == [("unknown", "next")]


async def test_a_menu_entry_that_is_none_any_more_is_answered(stage: Stage, clerk: Clerk) -> None:
    stage.tree.remove_command(SCORE, type=discord.AppCommandType.user)
    await stage.ann.context_menu(stage.channel, SCORE, stage.ann)
    assert clerk.heard == [("unknown", SCORE)]


async def test_whoever_types_into_a_command_of_old_is_suggested_something(stage: Stage, clerk: Clerk) -> None:
    clerk.quizzes = [("Rust basics", "rust-basics")]
    stage.forget("quiz")
    assert len(await stage.ann.autocomplete(stage.channel, "quiz", "quiz", "ru")) == 1


# What goes wrong


async def fail(interaction: Interaction) -> None:
    raise ZeroDivisionError


async def answer_and_fail(interaction: Interaction) -> None:
    await interaction.response.send_message("answered")
    raise ZeroDivisionError


async def test_whoever_answers_may_fail_and_somebody_is_still_told(
    stage: Stage, clerk: Clerk, caplog: pytest.LogCaptureFixture
) -> None:
    clerk.answer = fail
    result = await stage.ann.slash(stage.channel, "stop")
    assert result.ephemeral
    assert words_of(SOURCE).gettext("Sorry, something went wrong here. Please try again.") in said(result)
    assert caplog.messages == ["a command failed"]
    assert clerk.delivered == [discord.InteractionType.application_command]


async def test_nobody_is_told_twice(stage: Stage, clerk: Clerk, caplog: pytest.LogCaptureFixture) -> None:
    clerk.answer = answer_and_fail
    result = await stage.ann.context_menu(stage.channel, SCORE, stage.ann)
    assert result.response
    assert result.response.content == "answered"
    assert not result.followups
    assert caplog.messages == ["a command failed"]


async def test_where_nothing_can_be_said_nothing_else_happens(
    stage: Stage, clerk: Clerk, caplog: pytest.LogCaptureFixture
) -> None:
    clerk.answer = fail
    stage.env.inject_error("POST", "/interactions/*/*/callback", status=404, code=10062, message="Unknown interaction")
    await stage.ann.slash(stage.channel, "stop")
    stage.forget("next")
    await stage.ann.slash(stage.channel, "next")
    assert caplog.messages == ["a command failed", "nothing could be said about a command that failed"]
    clerk.answer = Clerk().answer
    assert (await stage.ann.slash(stage.channel, "stop")).acknowledged


@pytest.mark.parametrize("message", [{}, {"1": {}}, {"1": {"id": "1", "author": 7}}])
async def test_what_the_library_cannot_read_is_answered_in_the_language_of_whoever_asked(
    message: dict[str, Any], server: Discord, clerk: Clerk, caplog: pytest.LogCaptureFixture
) -> None:
    ann = server.person("Ann", "bg")
    channel = server.guild("Study", ann).channel("quiz")
    client = new_client()
    build_tree(client, clerk)
    async with connected(server, client):
        told = {"id": "5", "name": REPORT, "type": 3, "target_id": "1", "resolved": {"messages": message}}
        asked = await asking.ask(ann, channel, Asked.COMMAND, told, REPORT)
        assert asked.ephemeral
        assert words_of("bg").gettext("Sorry, something went wrong here. Please try again.") in asked.text
    assert clerk.heard == []
    assert caplog.messages == ["a command failed"]
