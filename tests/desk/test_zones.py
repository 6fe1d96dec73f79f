"""Time zones: who chooses one for whom, how a city is found, and that what is shown is the time there."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot import present
from bot.boards import Scored
from bot.desk import Answer, Show
from bot.messages import Role
from bot.ports import Changes
from bot.preferences import Preferences
from bot.present.zones import FIRST, PAGE, known, named, near
from bot.presses import Personal, Prefer, ShowZones
from bot.words import folded, languages, words_of
from tests.clock import NOON
from tests.desk.lobby import ANN, ANONYMOUS, BOB, GROUP, MIA, OTHER, TOPIC, Lobby, aside, card_of, presses, said

MOST_PAGES = 30


def zone_of(answer: Answer) -> str:
    """What a card says of the time zone."""
    facts = [block.text for block in card_of(answer).blocks if block.role is Role.FACT]
    (said_of_it,) = [text for text in facts if text.startswith("Time zone: ")]
    return said_of_it.removeprefix("Time zone: ")


# Who chooses for whom


async def test_a_moderator_chooses_the_time_zone_of_a_chat_from_a_list(lobby: Lobby) -> None:
    settings = await lobby.command(MIA, "/settings", TOPIC)
    assert zone_of(settings) == "UTC (now 12:00)"
    assert presses(settings)[-1] == ShowZones(0)
    listed = await lobby.press(MIA, ShowZones(0), TOPIC)
    assert listed.show is Show.INSTEAD
    answer = await lobby.press(MIA, next(press for press in presses(listed) if press == SOFIA), TOPIC)
    assert answer.show is Show.INSTEAD
    assert zone_of(answer) == "Sofia (UTC+2, now 14:00)"
    assert answer.note == present.zone_from_now("en", "Europe/Sofia", NOON)
    assert await lobby.chosen(GROUP) == Preferences(zone="Europe/Sofia")
    for chat in (GROUP, TOPIC):
        assert zone_of(await lobby.command(MIA, "/settings", chat)) == "Sofia (UTC+2, now 14:00)"


SOFIA = Prefer("zone", "Europe/Sofia")


@pytest.mark.parametrize("chat", [GROUP, TOPIC])
async def test_others_in_a_chat_neither_see_the_list_nor_choose(lobby: Lobby, chat: str) -> None:
    before = await lobby.everything()
    for answer in (
        await lobby.press(ANN, ShowZones(0), chat),
        await lobby.press(ANN, SOFIA, chat),
        await lobby.command(ANN, "/settings Europe/Sofia", chat),
    ):
        assert aside(answer)
        assert answer.card == present.may_not_configure("en")
    assert await lobby.everything() == before


async def test_in_private_one_chooses_for_oneself_and_needs_nobody(lobby: Lobby) -> None:
    listed = await lobby.press(ANN, ShowZones(0), ANN.person)
    assert "Your day of practice ends at 4 in the morning there." in said(listed)
    answer = await lobby.press(ANN, SOFIA, ANN.person)
    assert zone_of(answer) == "Sofia (UTC+2, now 14:00)"
    assert (await lobby.chosen(ANN.person)).zone == "Europe/Sofia"
    assert lobby.lookups == []


async def test_the_time_zone_of_a_chat_is_nobody_elses(lobby: Lobby) -> None:
    await lobby.press(MIA, SOFIA)
    await lobby.press(MIA, Prefer("zone", "America/New_York"), OTHER)
    await lobby.press(ANN, Prefer("zone", "Asia/Kolkata"), ANN.person)
    chosen = {id_: (await lobby.chosen(id_)).zone for id_ in (GROUP, OTHER, ANN.person, MIA.person, BOB.person)}
    assert chosen == {
        GROUP: "Europe/Sofia",
        OTHER: "America/New_York",
        ANN.person: "Asia/Kolkata",
        MIA.person: None,
        BOB.person: None,
    }
    assert zone_of(await lobby.command(MIA, "/settings")) == "Sofia (UTC+2, now 14:00)"
    assert zone_of(await lobby.command(MIA, "/settings", OTHER)) == "New York (UTC−5, now 07:00)"


async def test_an_administrator_who_writes_as_the_group_chooses_for_the_group(lobby: Lobby) -> None:
    assert aside(await lobby.command(ANONYMOUS, "/settings sofia"))
    assert await lobby.chosen(GROUP) == Preferences(zone="Europe/Sofia")


async def test_without_a_choice_the_time_in_private_is_that_of_the_chat_one_answered_in_last(lobby: Lobby) -> None:
    assert zone_of(await lobby.command(ANN, "/settings", ANN.person)) == "UTC (now 12:00)"
    await lobby.press(MIA, SOFIA)
    async with lobby.world.store.turns({}) as turns:
        await turns.write(Changes(scores=[Scored(GROUP, "colours", ANN.person, "Ann", 100, 1, 1, NOON)]))
    assert zone_of(await lobby.command(ANN, "/settings", ANN.person)) == "Sofia (UTC+2, now 14:00)"
    assert await lobby.chosen(ANN.person) == Preferences()
    await lobby.press(ANN, Prefer("zone", "UTC"), ANN.person)
    assert zone_of(await lobby.command(ANN, "/settings", ANN.person)) == "UTC (now 12:00)"


@pytest.mark.parametrize(
    ("now", "shown"),
    [
        (datetime(2025, 3, 30, 0, 59, tzinfo=UTC), "Sofia (UTC+2, now 02:59)"),
        (datetime(2025, 3, 30, 1, 0, tzinfo=UTC), "Sofia (UTC+3, now 04:00)"),
        (datetime(2025, 10, 26, 0, 59, tzinfo=UTC), "Sofia (UTC+3, now 03:59)"),
        (datetime(2025, 10, 26, 1, 0, tzinfo=UTC), "Sofia (UTC+2, now 03:00)"),
    ],
)
async def test_the_time_that_is_shown_is_right_when_clocks_change(lobby: Lobby, now: datetime, shown: str) -> None:
    await lobby.press(MIA, SOFIA)
    lobby.world.clock.advance((now - NOON).total_seconds())
    assert zone_of(await lobby.command(MIA, "/settings")) == shown


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        ("Europe/London", "London (UTC+0, now 12:00)"),
        ("Asia/Kolkata", "Kolkata (UTC+5:30, now 17:30)"),
        ("America/St_Johns", "St. John’s (UTC−3:30, now 08:30)"),
        ("Pacific/Kiritimati", "Kiritimati (UTC+14, now 02:00)"),
        ("Etc/UTC", "UTC (now 12:00)"),
    ],
)
async def test_how_far_a_city_is_from_utc_is_said(lobby: Lobby, zone: str, shown: str) -> None:
    assert zone_of(await lobby.press(MIA, Prefer("zone", zone))) == shown


# The list


@pytest.mark.parametrize("by", [MIA, ANN])
async def test_the_list_has_every_city_once_and_can_be_walked_through(lobby: Lobby, by: object) -> None:
    chat = GROUP if by is MIA else ANN.person
    seen: list[str] = []
    for page in range(MOST_PAGES):
        answer = await lobby.press(MIA if by is MIA else ANN, ShowZones(page), chat)
        seen += [press.value for press in presses(answer) if isinstance(press, Prefer)]
        onward = [button.press for button in card_of(answer).all_buttons if button.label == "Next page →"]
        if not onward:
            break
        assert onward == [ShowZones(page + 1)]
    assert len(set(seen)) == len(seen) > 400
    assert tuple(seen[: len(FIRST)]) == FIRST
    assert set(seen) <= known()


async def test_a_page_that_is_not_there_is_the_nearest_that_is(lobby: Lobby) -> None:
    last = await lobby.press(MIA, ShowZones(999_999))
    assert card_of(last).buttons
    assert ShowZones(0) not in presses(last)
    assert "Page " in said(last)


async def test_the_city_that_holds_is_ticked_and_stands_on_the_first_page(lobby: Lobby) -> None:
    for zone in ("Europe/Sofia", "Asia/Kolkata", "Asia/Calcutta"):
        await lobby.press(MIA, Prefer("zone", zone))
        first = card_of(await lobby.press(MIA, ShowZones(0)))
        assert [button.press for button in first.all_buttons if button.label.startswith("✓ ")] == [Prefer("zone", zone)]
        assert len([press for press in first.all_buttons if isinstance(press.press, Prefer)]) == PAGE


@pytest.mark.parametrize("language", languages())
def test_the_list_is_in_the_order_in_which_its_reader_looks_for_a_city(language: str) -> None:
    card = present.time_zones(language, None, NOON, 7, private=True)
    shown = [button.label for button in card.all_buttons if isinstance(button.press, Prefer)]
    assert shown == sorted(shown, key=lambda city: folded(city))
    assert len(set(shown)) == PAGE


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("zone", [None, "Asia/Kolkata"])
def test_no_page_says_the_same_twice_or_has_an_empty_row(language: str, zone: str | None) -> None:
    for page in range(MOST_PAGES):
        card = present.time_zones(language, zone, NOON, page, private=False)
        offered = [button.press for button in card.all_buttons]
        assert len(set(offered)) == len(offered)
        assert all(card.buttons)
        assert {len(row) for row in card.buttons} <= {1, 2, 3, 4, 5}


# By name


@pytest.mark.parametrize(
    ("wanted", "zone"),
    [
        ("Europe/Sofia", "Europe/Sofia"),
        ("europe/sofia", "Europe/Sofia"),
        ("  Sofia ", "Europe/Sofia"),
        ("СОФИЯ", "Europe/Sofia"),
        ("bucuresti", "Europe/Bucharest"),
        ("Букурещ", "Europe/Bucharest"),
        ("New York", "America/New_York"),
        ("America/New York", "America/New_York"),
        ("new-york", "America/New_York"),
        ("Chișinău", "Europe/Chisinau"),
        ("utc", "UTC"),
        ("Asia/Calcutta", "Asia/Calcutta"),
        ("Sofa", None),
        ("", None),
        ("🎉", None),
        ("../etc/passwd", None),
        ("localtime", None),
        ("Factory", None),
    ],
)
def test_a_city_is_found_by_its_name_in_any_language(wanted: str, zone: str | None) -> None:
    assert named(wanted) == zone


def test_every_city_is_found_by_what_its_button_says() -> None:
    for language in languages():
        for zone in FIRST:
            assert named(words_of(language).city(zone)) == zone


@pytest.mark.parametrize(
    ("wanted", "first"),
    [
        ("Sofija", "Europe/Sofia"),
        ("Bukarest", "Europe/Bucharest"),
        ("york", "America/New_York"),
        ("Лондонн", "Europe/London"),
    ],
)
def test_a_name_that_is_nearly_one_finds_it(wanted: str, first: str) -> None:
    assert near(wanted)[0] == first


@pytest.mark.parametrize("chat", [GROUP, TOPIC])
async def test_a_moderator_names_a_city_after_the_command(lobby: Lobby, chat: str) -> None:
    answer = await lobby.command(MIA, "/settings софия", chat)
    assert aside(answer).strip() == "Sofia time applies now; it is 14:00 there."
    assert await lobby.chosen(GROUP) == Preferences(zone="Europe/Sofia")


async def test_a_city_that_there_is_none_of_leads_to_those_it_may_be_and_changes_nothing(lobby: Lobby) -> None:
    before = await lobby.everything()
    answer = await lobby.command(MIA, "/settings Sofija")
    assert "I know no time zone called “Sofija”." in aside(answer)
    assert await lobby.everything() == before
    assert presses(answer)[0] == SOFIA
    assert presses(answer)[-1] == ShowZones(0)
    nothing = await lobby.command(MIA, "/settings 🎉")
    assert presses(nothing) == [ShowZones(0)]


async def test_a_time_zone_that_this_machine_does_not_know_any_more_counts_as_utc(lobby: Lobby) -> None:
    await lobby.world.store.prefer(GROUP, "zone", "Europe/Atlantis")
    answer = await lobby.command(MIA, "/settings")
    assert "now 12:00" in zone_of(answer)
    assert (await lobby.press(MIA, ShowZones(0))).card is not None
    assert "00:00" in said(await lobby.command(ANN, "/leaderboard"))


async def test_the_own_time_zone_can_be_chosen_from_anywhere(lobby: Lobby) -> None:
    answer = await lobby.press(ANN, Personal("zone", "Europe/Sofia"))
    assert aside(answer).strip() == "Sofia time applies now; it is 14:00 there."
    assert await lobby.chosen(ANN.person) == Preferences(zone="Europe/Sofia")
    assert await lobby.chosen(GROUP) == Preferences()
    assert replace(await lobby.chosen(GROUP), zone=None) == Preferences()
