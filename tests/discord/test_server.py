"""The server of the tests, with a client of the library alone: what holds of Discord holds of it."""

from __future__ import annotations

import discord
import pytest
from discord import app_commands, ui

from tests.clock import VirtualClock
from tests.discord.server import Answer, Discord, GuildChannel, Kind, Message
from tests.discord.server.plain import Bot, connected, logged_in

QUIZ = {
    "name": "quiz",
    "type": 1,
    "description": "Play",
    "options": [{"type": 3, "name": "quiz", "description": "Which", "autocomplete": True}],
    "integration_types": [0, 1],
    "contexts": [0, 1, 2],
}
SCORE = {"name": "Quiz score", "type": 2}
REPORT = {"name": "Report question", "type": 3}


class Card(ui.LayoutView):
    """A question with four buttons and a list."""

    def __init__(self, text: str = "### **Which** \\*one\\*?") -> None:
        super().__init__(timeout=None)
        buttons = ui.ActionRow[Card](*(ui.Button(label=letter, custom_id=f"press:{letter}") for letter in "ABCD"))
        options = [discord.SelectOption(label=f"{letter} option", value=f"value:{letter}") for letter in "ABC"]
        several = ui.ActionRow[Card](ui.Select(custom_id="select", min_values=1, max_values=3, options=options))
        self.add_item(ui.Container(ui.TextDisplay(text), buttons, several, accent_colour=0x336699))
        self.stop()


class Settings(ui.Modal):
    def __init__(self) -> None:
        super().__init__(title="Settings", custom_id="form", timeout=None)
        paces = [discord.SelectOption(label="Fast", value="f"), discord.SelectOption(label="Slow", value="s")]
        self.add_item(ui.Label(text="Pace", component=ui.Select(custom_id="pace", options=paces)))
        self.add_item(ui.Label(text="Note", component=ui.TextInput(custom_id="note", required=False)))
        self.stop()


async def register(bot: discord.Client, server: Discord, *commands: object) -> None:
    await bot.http.bulk_upsert_global_commands(int(server.bot["id"]), list(commands))  # type: ignore[arg-type]


async def send(bot: discord.Client, channel: GuildChannel) -> Message:
    await bot.get_partial_messageable(int(channel.id)).send(view=Card())
    return channel.last


async def answer_all(interaction: discord.Interaction) -> None:
    """A card for a command, a line alone for A, an edit for B, a form for C, nothing to see for D."""
    response, data = interaction.response, dict(interaction.data or {})
    if interaction.type is discord.InteractionType.application_command:
        await response.send_message(view=Card())
    elif interaction.type is discord.InteractionType.modal_submit:
        await response.send_message("thanks", ephemeral=True)
    elif data["custom_id"] == "press:B":
        await response.edit_message(view=Card("changed"))
    elif data["custom_id"] == "press:C":
        await response.send_modal(Settings())
    elif data["custom_id"] == "press:D":
        await response.defer()
    else:
        await response.send_message(f"**{data.get('values') or data['custom_id']}**", ephemeral=True)


@pytest.fixture
def channel(server: Discord) -> GuildChannel:
    return server.guild("Study").channel("quiz")


async def test_a_command_is_answered_with_a_card_that_all_see(server: Discord, channel: GuildChannel) -> None:
    ann = server.person("Ann", "bg")
    async with connected(server, bot := Bot(answer_all)):
        await register(bot, server, QUIZ)
        asked = await ann.slash(channel, "quiz", quiz="spark")
    assert (asked.kind, asked.ephemeral, channel.messages) == (Answer.MESSAGE, False, [asked.answer])
    assert (channel.last.text, channel.last.buttons, channel.last.accent) == ("Which *one*?", list("ABCD"), 0x336699)
    (heard,) = bot.heard
    assert (str(heard.locale), heard.user.display_name, heard.guild_id) == ("bg", "Ann", int(channel.guild.id))
    assert channel.transcript() == (
        "== quiz ==\n\n* Ann: /quiz quiz:spark\n\n1. quizbot:\n    Which *one*?\n"
        "    <A option | B option | C option>\n    [A] [B] [C] [D]\n"
    )


async def test_a_press_is_answered_alone_by_an_edit_by_a_form_or_by_nothing(
    server: Discord, channel: GuildChannel
) -> None:
    ann, ben = server.people("Ann", "Ben")
    async with connected(server, bot := Bot(answer_all)):
        card = await send(bot, channel)
        alone = await ann.press(card, "A")
        assert (alone.kind, alone.ephemeral, alone.text) == (Answer.MESSAGE, True, "press:A")
        assert channel.messages == [card]
        edited = await ben.press(card, "press:B")
        assert (edited.kind, edited.answer, card.text, card.edits) == (Answer.EDIT, card, "changed", 1)
        opened = await ben.press(card, "C")
        assert opened.form is not None
        assert (opened.form.title, opened.form.labels) == ("Settings", ["Pace", "Note"])
        sent = await ben.submit(opened, _1="Slow", note="hello")
        assert sent.text == "thanks"
        assert (await ann.press(card, "D")).kind is Answer.DEFERRED_EDIT
    components = [dict(part["component"]) for part in bot.heard[3].data["components"]]  # type: ignore[index, typeddict-item]
    assert [(part.get("values"), part.get("value")) for part in components] == [(["s"], None), (None, "hello")]


async def test_several_options_are_chosen_at_once(server: Discord, channel: GuildChannel) -> None:
    ann = server.person("Ann")
    async with connected(server, bot := Bot(answer_all)):
        card = await send(bot, channel)
        assert (await ann.choose(card, "A option", "C")).text == "['value:A', 'value:C']"
        with pytest.raises(AssertionError, match="1 to 3 can be chosen"):
            ann.choose(card)
        with pytest.raises(AssertionError, match="no option 'D'"):
            ann.choose(card, "D")


async def test_nobody_presses_what_is_not_there_unless_forged(server: Discord, channel: GuildChannel) -> None:
    ann, ben = server.people("Ann", "Ben")
    async with connected(server, bot := Bot(answer_all)):
        card = await send(bot, channel)
        alone = await ann.press(card, "A")
        assert alone.answer is not None
        with pytest.raises(AssertionError, match="no button 'E'"):
            ann.press(card, "E")
        with pytest.raises(AssertionError, match="does not see"):
            ben.forge(alone.answer, "press:A")
        assert (await ann.forge(card, "made up")).text == "made up"
        channel.delete_message(card)
        with pytest.raises(AssertionError, match="no deleted message"):
            ann.press(card, "A")


async def test_what_one_sees_alone_is_no_message_of_the_channel(server: Discord, channel: GuildChannel) -> None:
    ann = server.person("Ann")
    async with connected(server, bot := Bot(answer_all)):
        alone = await ann.press(await send(bot, channel), "A")
        assert alone.answer is not None
        where = bot.get_partial_messageable(int(channel.id))
        with pytest.raises(discord.NotFound) as unknown:
            await where.get_partial_message(int(alone.answer.id)).edit(content="x")
    assert unknown.value.code == 10008


async def test_a_deleted_message_cannot_be_edited_and_the_press_can_still_be_answered(
    server: Discord, channel: GuildChannel
) -> None:
    ann = server.person("Ann")
    async with connected(server, bot := Bot()):
        card = await send(bot, channel)
        pressed = ann.press(card, "A")
        channel.delete_message(card)
        await server.gateway.heard()
        with pytest.raises(discord.NotFound) as unknown:
            await bot.heard[0].response.edit_message(view=Card("changed"))
        await bot.heard[0].response.send_message("gone", ephemeral=True)
    assert (unknown.value.code, pressed.text) == (10008, "gone")


async def test_fifty_presses_in_one_tick_are_all_answered(server: Discord, channel: GuildChannel) -> None:
    people = server.people(*(f"P{number}" for number in range(50)))
    async with connected(server, bot := Bot(answer_all)):
        card = await send(bot, channel)
        pressed = [person.press(card, "A") for person in people]
        assert [(await each).text for each in pressed] == ["press:A"] * 50


async def test_only_what_is_registered_and_offered_can_be_invoked(server: Discord, channel: GuildChannel) -> None:
    ann = server.person("Ann")
    elsewhere = server.guild("Elsewhere", bot=False).channel("talk")
    moderators = {**QUIZ, "name": "settings", "default_member_permissions": 1 << 13, "contexts": [0]}
    async with logged_in(server, bot := Bot()):
        await register(bot, server, QUIZ, moderators)
    for refused in ((channel, "score"), (channel, "settings"), (elsewhere, "quiz")):
        with pytest.raises(AssertionError, match=r"is registered|is not offered"):
            ann.slash(*refused)
    with pytest.raises(AssertionError, match="no option 'nothing'"):
        ann.slash(channel, "quiz", nothing="x")
    channel.guild.grant(ann, "manage_messages")
    ann.installed = True
    assert [command.name for command in ann.offered(channel)] == ["quiz", "settings"]
    assert [command.name for command in ann.offered(elsewhere)] == ["quiz"]
    assert [command.name for command in ann.offered(ann.direct)] == ["quiz"]
    assert ann.forge_command(channel, "gone").kind is None


async def test_what_the_library_knows_of_an_interaction_is_true(server: Discord, channel: GuildChannel) -> None:
    ann, ben = server.people("Ann", "Ben")
    channel.guild.join(ann, ben)
    channel.guild.grant(ann, "manage_messages")
    channel.deny("bot", "attach_files")
    ann.installed = True
    places = [
        channel,
        channel.thread("Week 1"),
        channel.guild.channel("ask", Kind.FORUM).thread("Post"),
        channel.guild.channel("voice", Kind.VOICE),
        server.guild("Elsewhere", ann, bot=False).channel("talk"),
        ann.direct,
        server.group("us", ann, ben),
    ]
    async with connected(server, bot := Bot(answer_all)):
        await register(bot, server, QUIZ)
        for place in places:
            await ann.slash(place, "quiz")
        guilds = {guild.id for guild in bot.guilds}
    text, thread, post, voice, foreign, private, group = bot.heard
    assert [each.channel_id for each in bot.heard] == [int(place.id) for place in places]
    assert (text.permissions.manage_messages, foreign.permissions.manage_messages) == (True, False)
    assert (text.app_permissions.attach_files, voice.app_permissions.attach_files) == (False, True)
    assert isinstance(thread.channel, discord.Thread)
    assert isinstance(post.channel, discord.Thread)
    assert (thread.channel.parent_id, thread.app_permissions.attach_files) == (int(channel.id), False)
    assert (text.guild_id in guilds, foreign.guild_id in guilds) == (True, False)
    assert isinstance(foreign.user, discord.Member)
    assert [each.context.dm_channel for each in bot.heard] == [False] * 5 + [True, False]
    assert group.context.private_channel
    assert isinstance(group.channel, discord.GroupChannel)
    assert isinstance(private.channel, discord.DMChannel)
    assert (text.is_user_integration(), private.is_user_integration()) == (True, True)


async def test_autocomplete_and_menus_tell_what_they_are_about(server: Discord, channel: GuildChannel) -> None:
    ann, ben = server.people("Ann", "Ben")
    channel.guild.join(ann, ben)
    bot = Bot()
    tree = app_commands.CommandTree(bot)
    seen: list[object] = []

    @tree.command(name="quiz", description="Play")
    async def play(interaction: discord.Interaction, quiz: str = "") -> None: ...

    @play.autocomplete("quiz")
    async def suggest(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=f"{typed}!", value="spark")]

    @tree.context_menu(name="Quiz score")
    async def score(interaction: discord.Interaction, user: discord.User) -> None:
        seen.append(user.display_name)
        await interaction.response.send_message("7", ephemeral=True)

    @tree.context_menu(name="Report question")
    async def report(interaction: discord.Interaction, message: discord.Message) -> None:
        seen.append(message.id)
        await interaction.response.send_message("thanks", ephemeral=True)

    async with connected(server, bot):
        await tree.sync()
        card = await send(bot, channel)
        typed = await ann.autocomplete(channel, "quiz", quiz="sp")
        assert (typed.kind, typed.choices) == (Answer.CHOICES, [("sp!", "spark")])
        assert (await ann.user_command(channel, "Quiz score", ben)).text == "7"
        assert (await ann.message_command(card, "Report question")).text == "thanks"
    assert seen == ["Ben", int(card.id)]


async def test_an_answer_after_three_seconds_is_unknown_and_a_second_one_refused(
    server: Discord, channel: GuildChannel, clock: VirtualClock
) -> None:
    ann = server.person("Ann")
    async with connected(server, bot := Bot()):
        card = await send(bot, channel)
        pressed = [ann.press(card, "A"), ann.press(card, "A"), ann.press(card, "A", at=card.at)]
        await server.gateway.heard()
        first, late, never = bot.heard
        await first.response.send_message("in time", ephemeral=True)
        clock.advance(3.001)
        first.response._response_type = None
        with pytest.raises(discord.HTTPException) as twice:
            await first.response.send_message("again", ephemeral=True)
        with pytest.raises(discord.NotFound) as expired:
            await late.response.send_message("late", ephemeral=True)
    assert (twice.value.code, expired.value.code) == (40060, 10062)
    assert [each.failed for each in pressed] == [False, True, True]
    assert [each.created_at for each in (first, late, never)] == [each.at for each in pressed]


async def test_a_token_lives_for_a_quarter_of_an_hour(
    server: Discord, channel: GuildChannel, clock: VirtualClock
) -> None:
    ann = server.person("Ann")
    async with connected(server, bot := Bot(answer_all)):
        card = await send(bot, channel)
        alone = await ann.press(card, "A")
        (heard,) = bot.heard
        clock.advance(899)
        await heard.edit_original_response(content="still")
        assert alone.text == "still"
        await heard.delete_original_response()
        assert alone.answer is not None
        assert alone.answer.deleted
        clock.advance(2)
        with pytest.raises(discord.HTTPException) as expired:
            await heard.followup.send("too late")
    assert expired.value.code == 50027


async def test_a_nonce_is_sent_only_once(server: Discord, channel: GuildChannel) -> None:
    async with logged_in(server, bot := Bot()):
        where = bot.get_partial_messageable(int(channel.id))
        first = await where.send("once", nonce=7)
        again = await where.send("twice", nonce=7)
        other = await where.send("other", nonce=8)
    assert first.id == again.id != other.id
    assert [message.text for message in channel.messages] == ["once", "other"]


async def test_pictures_are_attached_and_stay_when_they_are_named(server: Discord, channel: GuildChannel) -> None:
    def shown(name: str) -> ui.LayoutView:
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{name}", description="a graph")))
        view.stop()
        return view

    async with logged_in(server, bot := Bot()):
        where = bot.get_partial_messageable(int(channel.id))
        file = discord.File(fp=__file__, filename="picture.png")
        await where.send(view=shown("picture.png"), file=file)
        card = channel.last
        assert card.pictures == [("picture.png", "a graph")]
        message = where.get_partial_message(int(card.id))
        await message.edit(view=shown("picture.png"))
        assert [upload.name for upload in card.files.values()] == ["picture.png"]
        with pytest.raises(discord.HTTPException) as missing:
            await message.edit(view=shown("other.png"))
        channel.deny("bot", "attach_files")
        with pytest.raises(discord.Forbidden) as forbidden:
            await where.send(file=discord.File(fp=__file__))
    server.violations.clear()
    assert (missing.value.code, forbidden.value.code) == (50035, 50013)


async def test_closed_private_messages_refuse_and_open_ones_take(server: Discord) -> None:
    ann, ben = server.people("Ann", "Ben")
    ben.closed = True
    async with logged_in(server, bot := Bot()):
        await (await bot.create_dm(discord.Object(int(ann.id)))).send("hello")
        with pytest.raises(discord.Forbidden) as closed:
            await (await bot.create_dm(discord.Object(int(ben.id)))).send("hello")
    assert (ann.direct.last.text, ben.direct.messages, closed.value.code) == ("hello", [], 50007)
