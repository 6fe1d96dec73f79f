"""Who may steer: the host, administrators, and those who write in the group's own name. Nobody else, and kindly."""

from __future__ import annotations

import pytest

from tests.clock import VirtualClock
from tests.core.building import plain_quiz
from tests.telegram.playing import Playing, playing
from tests.telegram.server import BotApi, Group, Message, Person
from tests.telegram.study import Study

AS_ONESELF = "I cannot tell who you are; please write as yourself, not as a channel."
HOST_ONLY = "Only the host or a moderator can do this."
STARTERS_ONLY = "Only moderators may start a quiz here."
SETTERS_ONLY = "Only moderators can change the settings."


@pytest.fixture
def owner(server: BotApi) -> Person:
    return server.person("Owner")


@pytest.fixture
def ann(server: BotApi) -> Person:
    return server.person("Ann")


@pytest.fixture
def bob(server: BotApi) -> Person:
    return server.person("Bob", "bg")


@pytest.fixture
def group(server: BotApi, owner: Person, ann: Person, bob: Person) -> Group:
    return server.supergroup("Study", [ann, bob], [owner])


def question_in(group: Group) -> Message:
    return next(message for message in reversed(group.messages) if ["A", "B", "C", "D"] in message.keyboard)


async def wrote(bot: Playing, group: Group, person: Person, text: str, **how: bool | str) -> str:
    """What is answered, "" when what happened shows itself."""
    asked = await person.write(group, text, **how)  # type: ignore[arg-type]  # the ways of writing differ in type
    await bot.quiet()
    return group.last.text if group.last.reply_to is asked else ""


async def test_a_stranger_is_refused_in_their_language_where_they_asked(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, bob: Person
) -> None:
    async with playing(server, clock) as bot:
        question = await Study(bot, group, ann).begin()
        before = question.said
        refused = "Това може да направи само водещият или модератор."
        for command in ("/stop", "/next"):
            assert await wrote(bot, group, bob, command) == refused
        assert (await (await bob.press(question, "Next")).answered()).text == refused
        await bot.quiet()
        assert question_in(group) is question
        assert question.said == before
        assert len(bob.private.messages) == 0


async def test_a_stranger_cannot_start_or_set_up_what_somebody_else_began(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, bob: Person
) -> None:
    async with playing(server, clock) as bot:
        study = Study(bot, group, ann)
        card = await study.choose()
        for label in ("Start", "Settings"):
            assert "само водещият" in await study.press(bob, label, card)
        assert card.keyboard == [["Start", "Settings"]]
        assert not card.edits


@pytest.mark.parametrize("command", ["/stop", "/next"])
async def test_the_host_and_every_administrator_steer(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, bob: Person, owner: Person, command: str
) -> None:
    group.promote(bob)
    async with playing(server, clock, plain_quiz(5)) as bot:
        study = Study(bot, group, ann)
        for person in (ann, bob, owner):
            question = await study.begin()
            await wrote(bot, group, person, command)
            assert question.keyboard == [["Report"]]
            await study.write(ann, "/stop")
            await bot.wait(60)


async def test_an_administrator_without_a_name_steers_and_a_channel_does_not(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, owner: Person
) -> None:
    async with playing(server, clock) as bot:
        question = await Study(bot, group, ann).begin()
        assert await wrote(bot, group, ann, "/stop@quiz_test_bot", as_channel="Ann's channel") == AS_ONESELF
        assert question.keyboard
        assert await wrote(bot, group, owner, "/stop", anonymous=True) == ""
        assert question.keyboard == [["Report"]]
        assert "Stopped early" in group.last.text


async def test_an_administrator_without_a_name_can_host_but_is_not_met_by_their_name(
    server: BotApi, clock: VirtualClock, group: Group, owner: Person, bob: Person
) -> None:
    async with playing(server, clock) as bot:
        await wrote(bot, group, owner, "/quiz colours", anonymous=True)
        card = group.last
        assert "Host: Study" in card.text
        await owner.press(card, "Start")  # a press always comes from the person
        await bot.quiet()
        assert question_in(group).keyboard
        assert "само водещият" in (await (await bob.press(question_in(group), "Next")).answered()).text


@pytest.mark.parametrize("command", ["/quiz colours", "/quiz", "/settings", "/language", "/help", "/stop"])
async def test_whoever_writes_as_a_channel_is_asked_to_write_as_themselves(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, command: str
) -> None:
    async with playing(server, clock) as bot:
        assert await wrote(bot, group, ann, command, as_channel="Ann's channel") == AS_ONESELF
        assert not await bot.rows("SELECT * FROM session")


async def test_what_the_linked_channel_posts_is_no_command(
    server: BotApi, clock: VirtualClock, group: Group, owner: Person
) -> None:
    channel = {"id": -1002000000001, "type": "channel", "title": "News"}
    post = {
        "message_id": 900,
        "date": server.world.seconds(),
        "chat": group.json(),
        "from": {"id": 777000, "is_bot": False, "first_name": "Telegram"},
        "sender_chat": channel,
        "is_automatic_forward": True,
        "text": "/quiz",
        "entities": [{"type": "bot_command", "offset": 0, "length": 5}],
    }
    async with playing(server, clock) as bot:
        server.push_raw({"message": post})
        await bot.quiet()
    assert not server.calls("sendMessage")


async def test_whoever_is_made_administrator_may_steer_within_a_minute_and_loses_it_within_one(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, bob: Person, owner: Person
) -> None:
    async with playing(server, clock) as bot:
        await Study(bot, group, ann).choose()
        assert await wrote(bot, group, bob, "/settings") == "Само модератори могат да променят настройките."
        group.promote(bob)
        await bot.wait(60)
        assert (await wrote(bot, group, bob, "/settings")).startswith("Settings")
        group.demote(bob)
        await bot.wait(60)
        assert await wrote(bot, group, bob, "/settings") == "Само модератори могат да променят настройките."
    assert len(server.calls("getChatAdministrators")) == 3


async def test_where_nobody_can_say_who_is_administrator_nobody_is_and_the_host_goes_on(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, owner: Person
) -> None:
    async with playing(server, clock) as bot:
        question = await Study(bot, group, ann).begin()
        server.fail("getChatAdministrators", 400, "Bad Request: member list is inaccessible")
        assert await wrote(bot, group, owner, "/stop") == HOST_ONLY
        assert await wrote(bot, group, ann, "/stop") == ""
        assert question.keyboard == [["Report"]]


async def test_presses_of_players_never_ask_who_is_administrator(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, bob: Person
) -> None:
    async with playing(server, clock) as bot:
        study = Study(bot, group, ann)
        await study.begin()
        await study.everyone([ann, bob])
        assert not server.calls("getChatAdministrators")


async def test_only_moderators_start_where_the_chat_has_chosen_that(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, owner: Person
) -> None:
    async with playing(server, clock) as bot:
        await wrote(bot, group, owner, "/settings")
        settings = group.last
        press = await owner.press(settings, "Only moderators")
        assert (await press.answered()).text == "Settings changed."
        await bot.quiet()
        assert "Who may start a quiz: moderators only." in settings.text
        assert "✓ Only moderators" in settings.keyboard[-2]
        await bot.wait(10)
        assert await wrote(bot, group, ann, "/quiz colours") == STARTERS_ONLY
        await wrote(bot, group, ann, "/quiz")
        assert (await (await ann.press(group.last, "1")).answered()).text == STARTERS_ONLY
        assert group.last.keyboard == [["1"]]
        await bot.wait(10)
        await owner.press(group.last, "1")
        await bot.quiet()
        assert "Host: Owner" in group.last.text


async def test_buttons_of_settings_refuse_whoever_may_not_change_them(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, bob: Person, owner: Person
) -> None:
    async with playing(server, clock) as bot:
        await wrote(bot, group, owner, "/settings")
        settings = group.last
        press = await ann.press(settings, "Brisk")
        assert (await press.answered()).text == SETTERS_ONLY
        await bot.quiet()
        assert not settings.edits
        assert "Pace: steady." in settings.text


async def test_settings_change_in_place_and_hold_for_the_next_quiz(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, owner: Person
) -> None:
    async with playing(server, clock) as bot:
        await wrote(bot, group, owner, "/settings")
        settings = group.last
        for label in ("Brisk", "At the end", "Speed bonus", "български"):
            await owner.press(settings, label)
            await bot.wait(5)
        assert group.last is settings
        assert "Език: български" in settings.text
        assert settings.keyboard[1] == ["Спокойно", "Умерено", "✓ Бързо"]
        await wrote(bot, group, ann, "/quiz colours")
        for said in ("Темпо: бързо.", "Обратна връзка: накрая.", "Бонус за бързина"):
            assert said in group.last.text, group.last.text


async def test_the_language_of_a_person_changes_nothing_for_anybody_else(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, bob: Person, owner: Person
) -> None:
    async with playing(server, clock) as bot:
        study = Study(bot, group, ann)
        await wrote(bot, group, ann, "/language")
        chooser = group.last
        assert (await (await ann.press(chooser, "română")).answered()).text == "De acum îți răspund în română."
        await bot.quiet()
        assert not chooser.edits  # in a group it is everybody's
        question = await study.begin()
        assert question.text.startswith("Question 1 of 3")
        key = next(line[0] for line in question.text.splitlines() if line.endswith("q0 0"))
        assert (await (await ann.press(question, key)).answered()).text.startswith("✓ Corect")
        assert (await (await bob.press(question, key)).answered()).text.startswith("✓ Вярно")
        assert (await (await owner.press(question, key)).answered()).text.startswith("✓ Right")


async def test_in_private_the_choice_of_a_language_is_seen_in_place_and_can_be_taken_back(
    server: BotApi, clock: VirtualClock, ann: Person
) -> None:
    async with playing(server, clock) as bot:
        await ann.write(ann.private, "/language")
        await bot.quiet()
        chooser = ann.private.last
        assert chooser.keyboard[-1] == ["✓ As in my app (English)"]
        await ann.press(chooser, "български")
        await bot.wait(5)
        assert chooser.text.startswith("На какъв език")
        assert "✓ български" in chooser.keyboard[0]
        await ann.press(chooser, "Като в приложението ми")
        await bot.wait(5)
        assert chooser.keyboard[-1] == ["✓ As in my app (English)"]


async def test_alone_there_are_no_roles_and_no_stranger_presses(
    server: BotApi, clock: VirtualClock, ann: Person, bob: Person
) -> None:
    async with playing(server, clock) as bot:
        question = await Study(bot, ann.private, ann).begin()
        data = question.button("A")["callback_data"]
        await bob.start_bot()
        await bot.quiet()
        assert (await (await bob.press_data(bob.private.last, data)).answered()).text != ""
        assert not await bot.responses()
        await ann.write(ann.private, "/stop")
        await bot.wait(5)
        assert "Stopped early" in ann.private.last.text
    assert not server.calls("getChatAdministrators")
