"""What chats and people have chosen: kept field by field, for each of them alone, and found with their posts."""

from __future__ import annotations

from dataclasses import asdict, fields

import pytest

from bot.core.effects import HostTold
from bot.core.session import Feedback, Pace
from bot.ports import Changes, Queued
from bot.preferences import Preferences, Reminders, Starters
from bot.storage.sql import SqlStore
from tests.storage.building import CHAT, OTHER, after, asked, begin, claim, queue, write

ANN = "test:ann"
TOPIC = f"{CHAT}/7"
CHOICES: list[tuple[str, str | bool]] = [
    ("language", "bg"),
    ("locale", "ro"),
    *[("starters", starters) for starters in Starters],
    *[("pace", pace) for pace in Pace],
    *[("feedback", feedback) for feedback in Feedback],
    ("speed_bonus", True),
    ("speed_bonus", False),
    ("thread", True),
    ("thread", False),
    ("zone", "Europe/Sofia"),
    *[("reminders", reminders) for reminders in Reminders],
    ("hidden", True),
    ("hidden", False),
    ("everywhere", True),
    ("everywhere", False),
]


async def chosen(store: SqlStore, id_: str = CHAT) -> Preferences:
    return (await store.preferences([id_]))[id_]


def test_every_field_is_tried_here() -> None:
    assert {name for name, _ in CHOICES} == {field.name for field in fields(Preferences)}


@pytest.mark.parametrize(("name", "value"), CHOICES)
async def test_a_choice_comes_back_as_it_was_kept_and_can_be_taken_back(
    store: SqlStore, name: str, value: str | bool
) -> None:
    await store.prefer(CHAT, name, value)
    found = await chosen(store)
    assert asdict(found) == {**asdict(Preferences()), name: value}
    assert type(getattr(found, name)) is type(value)
    await store.prefer(CHAT, name, None)
    assert await chosen(store) == Preferences()


async def test_choices_of_different_kinds_leave_each_other_alone(store: SqlStore) -> None:
    await store.prefer(CHAT, "pace", Pace.BRISK)
    await store.prefer(CHAT, "speed_bonus", False)
    await store.prefer(CHAT, "language", "bg")
    await store.prefer(CHAT, "pace", Pace.RELAXED)
    assert await chosen(store) == Preferences(language="bg", pace=Pace.RELAXED, speed_bonus=False)


async def test_chats_and_people_choose_for_themselves_alone(store: SqlStore) -> None:
    for id_, language in ((CHAT, "bg"), (ANN, "ro"), (TOPIC, "en")):
        await store.prefer(id_, "language", language)
    found = await store.preferences({CHAT, ANN, TOPIC, OTHER})
    assert {id_: each.language for id_, each in found.items()} == {CHAT: "bg", ANN: "ro", TOPIC: "en", OTHER: None}


async def test_whoever_has_chosen_nothing_has_an_entry_as_well(store: SqlStore) -> None:
    assert await store.preferences([CHAT, "", "'; DROP TABLE preference; --"]) == dict.fromkeys(
        [CHAT, "", "'; DROP TABLE preference; --"], Preferences()
    )
    assert await store.preferences([]) == {}


@pytest.mark.parametrize("name", ["id", "spoken", "", "language = 'bg' --", "Language"])
async def test_what_is_no_choice_is_refused_in_words_that_say_what_there_is(store: SqlStore, name: str) -> None:
    with pytest.raises(ValueError, match=r"nothing that can be chosen; there are language, locale, starters"):
        await store.prefer(CHAT, name, "bg")
    assert await chosen(store) == Preferences()


# With posts


@pytest.mark.parametrize(
    ("kept", "spoken"),
    [
        ([(CHAT, "language", "bg")], "bg"),
        ([(CHAT, "locale", "ro")], "ro"),
        ([(CHAT, "language", "bg"), (CHAT, "locale", "ro")], "bg"),
        ([(TOPIC, "language", "en"), (CHAT, "language", "bg")], "en"),
        ([(TOPIC, "locale", "en"), (CHAT, "language", "bg")], "en"),
        ([(OTHER, "language", "bg"), (f"{CHAT}2", "language", "bg"), (f"{CHAT}/70", "language", "bg")], None),
        ([], None),
    ],
)
async def test_a_post_to_a_topic_is_in_its_own_language_else_that_of_its_group(
    store: SqlStore, kept: list[tuple[str, str, str]], spoken: str | None
) -> None:
    for id_, name, value in kept:
        await store.prefer(id_, name, value)
    await begin(store, chat=TOPIC)
    await queue(store, asked(), chat=TOPIC)
    (outgoing,) = await claim(store)
    assert outgoing.language == spoken


async def test_each_of_many_posts_has_the_language_of_its_chat(store: SqlStore) -> None:
    for number, language in enumerate(("bg", "ro", None)):
        await store.prefer(f"test:{number}", "language", language)
        await queue(store, asked(session=f"s{number}"), chat=f"test:{number}")
    assert [outgoing.language for outgoing in await claim(store)] == ["bg", "ro", None]


async def test_what_is_said_to_a_host_in_private_is_in_the_language_of_the_host(store: SqlStore) -> None:
    await begin(store)
    await store.prefer(CHAT, "language", "bg")
    await store.prefer(ANN, "language", "ro")
    await write(store, Changes(posts=[Queued(ANN, HostTold("s1", ANN), after(0))]))
    (outgoing,) = await claim(store)
    assert (outgoing.chat, outgoing.language) == (ANN, "ro")


# Moving


async def test_what_moves_wins_over_what_was_chosen_there_and_the_rest_stays(store: SqlStore) -> None:
    await store.prefer(CHAT, "language", "bg")
    await store.prefer(CHAT, "speed_bonus", False)
    await store.prefer(OTHER, "language", "ro")
    await store.prefer(OTHER, "speed_bonus", True)
    await store.prefer(OTHER, "pace", Pace.BRISK)
    await store.move_chat(CHAT, OTHER)
    assert await chosen(store, OTHER) == Preferences(language="bg", pace=Pace.BRISK, speed_bonus=False)
    assert await chosen(store) == Preferences()


async def test_a_chat_that_never_had_a_session_takes_its_choices_along_once(store: SqlStore) -> None:
    await store.prefer(CHAT, "starters", Starters.MODERATORS)
    await store.move_chat(CHAT, OTHER)
    await store.prefer(OTHER, "starters", Starters.EVERYONE)
    await store.move_chat(CHAT, OTHER)
    assert await chosen(store, OTHER) == Preferences(starters=Starters.EVERYONE)


@pytest.mark.parametrize("name", ["starters", "pace", "feedback", "reminders"])
async def test_a_word_of_another_version_is_as_good_as_none_and_holds_nothing_up(store: SqlStore, name: str) -> None:
    await store.prefer(CHAT, "language", "bg")
    await store.prefer(CHAT, name, "as-never-before")
    assert await chosen(store) == Preferences(language="bg")
    await begin(store)
    await queue(store, asked(0))
    assert [post.language for post in await claim(store)] == ["bg"]
