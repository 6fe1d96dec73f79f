"""What an interaction says: who asks, where and when, what was pressed and what was filled in."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import discord
import pytest

from adapters.discord import events
from adapters.discord.chats import Channel, Private
from adapters.discord.events import Asker, Filled, Pressed
from bot.desk import Lacking
from tests.clock import NOON
from tests.discord import payloads
from tests.discord.payloads import CHANNEL, PERSON, THREAD, button, container, interaction, link, pressed, row, select

HERE = Channel(int(CHANNEL))


def asker(asked: discord.Interaction[Any], *, member: bool = True) -> Asker:
    found = events.asker(asked, member=member)
    assert found is not None
    return found


def rights(**given: bool) -> discord.Permissions:
    return discord.Permissions(view_channel=True, send_messages=True, attach_files=True, **given)


# Where and who


async def test_a_channel_is_named_by_its_number() -> None:
    found = asker(interaction())
    assert (found.place, found.private) == (HERE, False)


@pytest.mark.parametrize("kind", [payloads.VOICE, payloads.NEWS])
async def test_the_chat_of_a_voice_or_announcement_channel_is_a_channel_like_others(kind: int) -> None:
    assert asker(interaction(channel=payloads.channel(kind))).place == HERE


async def test_a_thread_is_named_by_its_channel_and_itself() -> None:
    found = asker(interaction(channel=payloads.thread()))
    assert found.place == Channel(int(CHANNEL), int(THREAD))


async def test_private_messages_are_called_as_the_person() -> None:
    found = asker(payloads.private())
    assert (found.place, found.private, found.lacking) == (Private(int(PERSON)), True, ())


async def test_where_discord_does_not_say_the_context_private_messages_are_known_by_their_channel() -> None:
    assert asker(payloads.private(context=None)).private
    assert not asker(interaction(context=None)).private


async def test_messages_of_people_among_themselves_are_not_private() -> None:
    found = asker(
        payloads.private(context=payloads.AMONG_PEOPLE, channel=payloads.channel(payloads.GROUP)), member=False
    )
    assert (found.place, found.private, found.lacking) == (HERE, False, (Lacking.MEMBERSHIP,))


async def test_somebody_is_called_as_in_the_guild_else_as_everywhere_else_by_their_account() -> None:
    named = payloads.user("ana", global_name="Ana")
    assert asker(interaction(of=payloads.member(named, nick="Анна"))).by.name == "Анна"
    assert asker(interaction(of=payloads.member(named))).by.name == "Ana"
    assert asker(interaction()).by.name == "ana"
    assert asker(payloads.private(user=named)).by.name == "Ana"


async def test_a_person_has_the_same_name_of_ours_everywhere() -> None:
    assert {asker(interaction()).by.person, asker(payloads.private()).by.person} == {f"discord:{PERSON}"}


async def test_other_bots_are_not_listened_to() -> None:
    robot = payloads.user("robot", bot=True)
    assert events.asker(interaction(of=payloads.member(robot)), member=True) is None


async def test_what_comes_from_nobody_or_from_nowhere_has_no_asker() -> None:
    assert events.asker(interaction(member=None), member=True) is None
    assert events.asker(payloads.private(user=None), member=False) is None
    assert events.asker(interaction(channel=None), member=True) is None
    assert events.asker(interaction(channel={"id": CHANNEL, "type": 99}), member=True) is None


# When, and in which language


async def test_the_time_is_when_discord_made_the_interaction_in_whole_milliseconds() -> None:
    moment = datetime(2025, 3, 3, 12, 0, 1, 234000, tzinfo=UTC)
    assert asker(interaction(at=moment)).at == moment


async def test_the_key_names_the_interaction() -> None:
    one, other = interaction(), interaction(at=datetime(2025, 3, 4, tzinfo=UTC))
    assert asker(one).key == asker(one).key == f"discord:{one.id}"
    assert asker(one).key != asker(other).key


@pytest.mark.parametrize("locale", ["bg", "ro", "en-US", "tlh"])
async def test_the_language_of_the_app_is_passed_on_even_one_that_the_library_does_not_know(locale: str) -> None:
    assert asker(interaction(locale=locale)).locale == locale


# Rights


@pytest.mark.parametrize("right", ["administrator", "manage_messages", "manage_guild"])
async def test_a_moderator_is_who_may_manage_messages_or_the_guild(right: str) -> None:
    given = discord.Permissions(**{right: True})
    assert asker(interaction(of=payloads.member(payloads.user(), given))).by.moderator


async def test_nobody_else_is_a_moderator_and_in_private_nobody_is() -> None:
    given = discord.Permissions(send_messages=True, manage_channels=True)
    assert not asker(interaction(of=payloads.member(payloads.user(), given))).by.moderator
    assert not asker(payloads.private()).by.moderator


async def test_what_the_bot_lacks_in_a_channel_is_told_by_its_own_permissions() -> None:
    seen = discord.Permissions(view_channel=True)
    everywhere = (Lacking.SEND, Lacking.ATTACH)
    assert asker(interaction(app_permissions=seen, channel=payloads.channel(payloads.VOICE))).lacking == everywhere
    for_threads = (Lacking.SEND_IN_THREADS, Lacking.OPEN_THREADS)
    for kind in (payloads.TEXT, payloads.NEWS):
        lacking = asker(interaction(app_permissions=seen, channel=payloads.channel(kind))).lacking
        assert lacking == (Lacking.SEND, *for_threads, Lacking.ATTACH)
    assert asker(interaction(app_permissions=rights(create_public_threads=True))).lacking == for_threads[:1]


async def test_in_a_thread_it_has_to_be_allowed_to_write_in_threads() -> None:
    asked = interaction(app_permissions=rights(), channel=payloads.thread())
    assert asker(asked).lacking == (Lacking.SEND_IN_THREADS,)
    asked = interaction(app_permissions=rights(send_messages_in_threads=True), channel=payloads.thread())
    assert asker(asked).lacking == ()


@pytest.mark.parametrize("archived", [True, False])
@pytest.mark.parametrize("right", ["manage_threads", "administrator"])
async def test_a_locked_thread_is_closed_to_whoever_does_not_manage_threads(archived: bool, right: str) -> None:
    locked = payloads.thread(archived=archived, locked=True)
    allowed = rights(send_messages_in_threads=True)
    assert asker(interaction(app_permissions=allowed, channel=locked)).lacking == (Lacking.LOCKED,)
    allowed.update(**{right: True})
    assert asker(interaction(app_permissions=allowed, channel=locked)).lacking == ()
    put_away = payloads.thread(archived=True)
    assert asker(interaction(app_permissions=rights(send_messages_in_threads=True), channel=put_away)).lacking == ()


async def test_a_private_thread_is_closed_until_somebody_brings_the_bot_in() -> None:
    def lacking(thread: dict[str, Any], **more: bool) -> tuple[Lacking, ...]:
        allowed = rights(send_messages_in_threads=True, **more)
        return asker(interaction(app_permissions=allowed, channel=thread)).lacking

    apart = payloads.thread(payloads.PRIVATE_THREAD)
    assert lacking(apart) == (Lacking.ENTRY,)
    assert lacking(apart, manage_threads=True) == ()
    inside = {"join_timestamp": NOON.isoformat(), "flags": 0}
    assert lacking(apart | {"member": inside}) == ()
    assert lacking(payloads.thread()) == ()


async def test_what_is_pressed_is_public_unless_the_message_is_for_one_alone() -> None:
    def public(asked: discord.Interaction[Any]) -> bool:
        return asker(asked).public

    message = payloads.message()
    alone = message | {"flags": message["flags"] | 1 << 6}
    assert public(interaction(message=message))
    assert not public(interaction(message=alone))
    assert not public(interaction())
    assert not public(payloads.private(message=message))


async def test_where_the_bot_is_no_member_nothing_else_is_lacking() -> None:
    asked = interaction(app_permissions=discord.Permissions.none())
    assert asker(asked, member=False).lacking == (Lacking.MEMBERSHIP,)


# What was pressed


@pytest.mark.parametrize(
    "under", [[row(button("1:l")), row(link())], [container(payloads.words("?"), row(button("1:x:a"), button("1:l")))]]
)
async def test_a_button_that_the_message_has_is_offered(under: list[Any]) -> None:
    assert events.pressed(pressed("1:l", under=under)) == Pressed(("1:l",), selected=False, offered=True)


async def test_a_button_that_the_message_has_not_is_not_offered() -> None:
    assert not events.pressed(pressed("1:l", under=[row(button("1:x:a"))])).offered
    assert not events.pressed(interaction({"custom_id": "1:l", "component_type": 2})).offered


async def test_what_was_chosen_in_a_list_is_what_its_choices_say() -> None:
    found = events.pressed(pressed("1:select:0", under=[row(select("1:select:0", "a", "b", "c"))], values=["c", "a"]))
    assert found == Pressed(("c", "a"), selected=True, offered=True)


@pytest.mark.parametrize("under", [select("1:select:0", "a"), select("1:select:1", "a", "b")])
async def test_a_choice_that_this_list_has_not_is_not_offered(under: Any) -> None:
    assert not events.pressed(pressed("1:select:0", under=[row(under)], values=["a", "b"])).offered


async def test_a_list_without_a_choice_says_what_the_list_is_called() -> None:
    assert events.pressed(pressed("1:select:0", values=[])).datas == ("1:select:0",)


async def test_whatever_is_sent_as_data_is_read_as_text() -> None:
    assert events.pressed(interaction({})).datas == ("",)
    odd = {"custom_id": 7, "component_type": 3, "values": [1, None]}
    assert events.pressed(interaction(odd)).datas == ("1", "None")


async def test_the_buttons_and_choices_of_a_message_can_be_told_in_order() -> None:
    parts = payloads.message(container(row(select("1:select:0", "a", "b")), row(button("c"), link())))
    asked = interaction(message=parts)
    assert asked.message is not None
    assert events.datas(asked.message) == ("a", "b", "c")


# What was filled in


async def test_a_form_has_what_was_chosen_and_what_was_written_in_it() -> None:
    label = {"type": 18, "id": 1}
    parts = [
        label | {"component": {"type": 3, "custom_id": "x", "values": ["a"]}},
        label | {"component": {"type": 3, "custom_id": "y", "values": ["b", "c"]}},
        label | {"component": {"type": 4, "custom_id": "z", "value": "wrong key"}},
    ]
    asked = interaction({"custom_id": "1:w:s:0:", "components": parts}, type=5)
    assert events.filled(asked) == Filled("1:w:s:0:", ("a", "b", "c"), "wrong key")


async def test_an_empty_form_has_nothing_in_it() -> None:
    assert events.filled(interaction({}, type=5)) == Filled("", (), "")
    empty = [{"type": 18, "component": {"type": 4, "custom_id": "z", "value": ""}}, {"type": 10}]
    assert events.filled(interaction({"custom_id": "x", "components": empty}, type=5)) == Filled("x", (), "")
