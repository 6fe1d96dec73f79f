"""Settings of a chat: who may change them, what they change, and that they end at the chat."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import cast

import pytest

from bot import present
from bot.core.effects import StartCard
from bot.core.events import Change
from bot.core.session import Actor, Feedback, Pace
from bot.desk import Show
from bot.desk.choosing import Choosing
from bot.desk.preferring import Preferred
from bot.ports import Store
from bot.preferences import Preferences, Starters
from bot.presses import Configure, Prefer
from tests.clock import NOON
from tests.desk.lobby import ANN, ANONYMOUS, BOB, GROUP, MIA, OTHER, TOPIC, Lobby, Threads, aside, presses, silent

EVERY_CHOICE = [
    (Prefer("language", "bg"), Preferences(language="bg")),
    (Prefer("pace", "brisk"), Preferences(pace=Pace.BRISK)),
    (Prefer("feedback", "at-end"), Preferences(feedback=Feedback.AT_END)),
    (Prefer("speed_bonus", "1"), Preferences(speed_bonus=True)),
    (Prefer("speed_bonus", "0"), Preferences(speed_bonus=False)),
    (Prefer("starters", "moderators"), Preferences(starters=Starters.MODERATORS)),
    (Prefer("zone", "Europe/Sofia"), Preferences(zone="Europe/Sofia")),
]
FORGED = [
    Prefer("locale", "bg"),
    Prefer("language", "xx"),
    Prefer("language", ""),
    Prefer("language", "BG"),
    Prefer("pace", "furious"),
    Prefer("pace", ""),
    Prefer("pace", "PACE"),
    Prefer("feedback", "never"),
    Prefer("starters", "nobody"),
    Prefer("speed_bonus", "2"),
    Prefer("speed_bonus", "True"),
    Prefer("speed_bonus", ""),
    Prefer("zone", ""),
    Prefer("zone", "Europe/sofia"),
    Prefer("zone", "Europe/Atlantis"),
    Prefer("zone", "/etc/localtime"),
    Prefer("zone", "localtime"),
    Prefer("reminders", "noon"),
    Prefer("reminders", ""),
    Prefer("hidden", "2"),
    Prefer("everywhere", "True"),
    Prefer("id", "test-12"),
    Prefer("spoken", "bg"),
    Prefer("__init__", "1"),
]


@pytest.mark.parametrize("chat", [GROUP, TOPIC])
@pytest.mark.parametrize("by", [MIA, ANONYMOUS])
async def test_moderators_who_ask_are_shown_the_settings(lobby: Lobby, by: Actor, chat: str) -> None:
    answer = await lobby.command(by, "/settings", chat)
    assert aside(answer)
    assert {press.name for press in presses(answer) if isinstance(press, Prefer)} == {
        "language",
        "pace",
        "feedback",
        "speed_bonus",
        "starters",
    }
    assert lobby.lookups == [by.name]


@pytest.mark.parametrize("chat", [GROUP, TOPIC])
async def test_strangers_are_refused_the_settings_aside(lobby: Lobby, chat: str) -> None:
    before = await lobby.everything()
    for answer in (
        await lobby.command(ANN, "/settings", chat),
        *[await lobby.press(ANN, press, chat) for press, _ in EVERY_CHOICE],
    ):
        assert answer.card == present.may_not_configure("en")
        assert aside(answer)
    assert await lobby.everything() == before
    assert lobby.lookups == ["Ann"] * (1 + len(EVERY_CHOICE))


async def test_not_even_the_host_changes_the_settings_of_a_chat_without_being_its_moderator(lobby: Lobby) -> None:
    await lobby.asked(by=ANN)
    answer = await lobby.press(ANN, Prefer("pace", "brisk"))
    assert answer.card == present.may_not_configure("en")
    assert (await lobby.chosen(GROUP)).pace is None


@pytest.mark.parametrize("chat", [GROUP, TOPIC])
@pytest.mark.parametrize(("press", "chosen"), EVERY_CHOICE)
async def test_a_moderator_changes_a_setting_in_place_and_is_looked_up_once(
    lobby: Lobby, press: Prefer, chosen: Preferences, chat: str
) -> None:
    answer = await lobby.press(MIA, press, chat)
    assert answer.show is Show.INSTEAD
    zone = chosen.zone
    assert answer.card == present.settings(chosen, chosen.language or "en", now=NOON, private=False, zone=zone)
    assert await lobby.chosen(GROUP) == chosen
    assert lobby.lookups == ["Mia"]


@pytest.mark.parametrize("press", FORGED)
@pytest.mark.parametrize(("by", "chat"), [(MIA, GROUP), (ANN, GROUP), (ANN, ANN.person)])
async def test_what_nobody_offers_changes_nothing_and_asks_the_platform_nothing(
    lobby: Lobby, press: Prefer, by: Actor, chat: str
) -> None:
    before = await lobby.everything()
    answer = await lobby.press(by, press, chat)
    assert answer.card == present.unreadable("en")
    assert aside(answer)
    assert await lobby.everything() == before
    assert lobby.lookups == []


@dataclass
class Drawer:
    """A store of choices that holds a database to the port: it keeps them as they are given, and makes nothing fit."""

    kept: list[tuple[str, str, object]] = field(default_factory=list)

    async def prefer(self, id: str, name: str, value: str | bool | None) -> None:  # noqa: A002  # the port's name
        self.kept.append((id, name, value))

    async def preferences(self, ids: Collection[str]) -> dict[str, Preferences]:
        return dict.fromkeys(ids, Preferences())


@pytest.mark.parametrize("name", ["speed_bonus", "thread"])
async def test_a_switch_is_given_to_the_store_as_on_or_off(lobby: Lobby, name: str) -> None:
    drawer = Drawer()
    store = cast("Store", drawer)
    choosing = Choosing(replace(lobby.service, store=store), Preferred(store, lobby.world.clock))
    lobby.threads = Threads()
    for value in ("1", "0"):
        await choosing.choose(lobby.request(MIA, GROUP), name, value)
    assert drawer.kept == [(GROUP, name, True), (GROUP, name, False)]
    assert [type(value) for *_, value in drawer.kept] == [bool, bool]


async def test_every_button_of_the_settings_works(lobby: Lobby) -> None:
    for by, chat in ((MIA, GROUP), (ANN, ANN.person)):
        for press in presses(await lobby.command(by, "/settings", chat)):
            assert (await lobby.press(by, press, chat)).show is Show.INSTEAD


async def test_a_setting_is_kept_until_it_is_changed_again(lobby: Lobby) -> None:
    for value, pace in (("brisk", Pace.BRISK), ("relaxed", Pace.RELAXED), ("relaxed", Pace.RELAXED)):
        await lobby.press(MIA, Prefer("pace", value))
        await lobby.press(MIA, Prefer("feedback", "at-close"))
        assert await lobby.chosen(GROUP) == Preferences(pace=pace, feedback=Feedback.AT_CLOSE)


async def test_alone_one_chooses_for_oneself_and_is_not_offered_who_may_start(lobby: Lobby) -> None:
    answer = await lobby.command(ANN, "/settings", ANN.person)
    assert aside(answer)
    assert not [press for press in presses(answer) if isinstance(press, Prefer) and press.name == "starters"]
    await lobby.press(ANN, Prefer("pace", "brisk"), ANN.person)
    before = await lobby.everything()
    assert (await lobby.press(ANN, Prefer("starters", "moderators"), ANN.person)).card == present.unreadable("en")
    assert await lobby.everything() == before
    assert await lobby.chosen(ANN.person) == Preferences(pace=Pace.BRISK)
    assert lobby.lookups == []


@pytest.mark.parametrize("chat", [GROUP, TOPIC])
async def test_a_new_session_starts_with_the_settings_of_its_chat(lobby: Lobby, chat: str) -> None:
    for press in (Prefer("pace", "brisk"), Prefer("feedback", "at-end"), Prefer("speed_bonus", "1")):
        await lobby.press(MIA, press, GROUP)
    card = await lobby.card(chat)
    assert (card.settings.pace, card.settings.feedback) == (Pace.BRISK, Feedback.AT_END)
    assert card.settings.speed_bonus
    assert card.settings.count == card.available == 3


async def test_where_nothing_is_chosen_groups_have_a_clock_and_private_chats_none(lobby: Lobby) -> None:
    group, private = await lobby.card(), await lobby.card(ANN.person)
    assert (group.settings.pace, private.settings.pace) == (Pace.STEADY, Pace.RELAXED)
    for card in (group, private):
        assert (card.settings.feedback, card.settings.speed_bonus) == (Feedback.AT_ONCE, False)


async def test_a_host_may_choose_otherwise_for_one_session(lobby: Lobby) -> None:
    await lobby.press(MIA, Prefer("pace", "brisk"))
    card = await lobby.card()
    relaxed = Change(pace=Pace.RELAXED)
    assert silent(await lobby.press(ANN, Configure(card.session, relaxed, True)))
    assert (await lobby.session()).settings.pace is Pace.RELAXED
    await lobby.command(ANN, "/stop")
    assert (await lobby.card()).settings.pace is Pace.BRISK


async def test_a_setting_changes_no_session_that_is_there_already(lobby: Lobby) -> None:
    card = await lobby.card()
    await lobby.press(MIA, Prefer("pace", "brisk"))
    await lobby.press(MIA, Prefer("starters", "moderators"))
    assert (await lobby.session()).settings == card.settings
    await lobby.begin()
    assert await lobby.running()


async def test_topics_share_the_settings_of_their_group(lobby: Lobby) -> None:
    await lobby.press(MIA, Prefer("language", "ro"), TOPIC)
    await lobby.press(MIA, Prefer("pace", "brisk"), f"{GROUP}/8")
    for chat in (GROUP, TOPIC, f"{GROUP}/9"):
        card = await lobby.card(chat)
        assert card.settings.pace is Pace.BRISK
        assert [shown.language for shown in lobby.shown(chat)] == ["ro"]


async def test_a_chat_never_touches_another(lobby: Lobby) -> None:
    untouched = {chat: await lobby.chosen(chat) for chat in (OTHER, ANN.person, MIA.person, BOB.person)}
    for press, _ in EVERY_CHOICE:
        await lobby.press(MIA, press)
    assert {chat: await lobby.chosen(chat) for chat in untouched} == untouched
    for chat in (OTHER, ANN.person):
        card = await lobby.card(chat)
        assert isinstance(card, StartCard)
        assert card.settings.pace is not Pace.BRISK
        assert [shown.language for shown in lobby.shown(chat)] == ["en"]


async def test_a_start_card_offers_the_settings_it_starts_with(lobby: Lobby) -> None:
    await lobby.press(MIA, Prefer("pace", "brisk"))
    card = await lobby.card()
    shown = present.post(card, lobby.world.library.quizzes[0], "en")
    (unfold,) = [button.press for button in shown.all_buttons if isinstance(button.press, Configure)]
    assert isinstance(unfold, Configure)
    assert silent(await lobby.press(ANN, unfold))
    assert (await lobby.session()).settings == card.settings
