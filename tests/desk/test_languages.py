"""Languages: what everyone sees is in the chat's, what one person is told in theirs; choosing one changes no other."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from bot import present, words
from bot.core.effects import HostTold
from bot.core.events import ChatLost
from bot.core.session import Actor
from bot.desk import Answer, Show
from bot.desk.desk import GREETING_HOLDS
from bot.messages import Role
from bot.preferences import Preferences
from bot.presses import Prefer, Speak
from tests.clock import NOON, VirtualClock
from tests.desk.lobby import ANN, ANONYMOUS, BOB, GROUP, MIA, OTHER, TOPIC, Lobby, aside, card_of, open_lobby, presses

settings = partial(present.settings, now=NOON)


async def told_in(lobby: Lobby, by: Actor, chat: str = GROUP) -> str:
    """The language in which somebody is told something."""
    answer = await lobby.command(by, "/dance", chat)
    return next(tag for tag in words.languages() if answer.card == present.unknown(tag, "dance"))


async def shown_in(lobby: Lobby, chat: str = GROUP, by: Actor = ANN) -> str:
    """The language of what everyone is shown in a chat, the same in posts and on the desk's cards."""
    await lobby.command(by, "/stop", chat)
    await lobby.command(by, "/quiz colours", chat)
    await lobby.world.settle()
    posted = lobby.shown(chat)[-1].language
    assert title_of(await lobby.command(by, "/quiz", chat)) == words.words_of(posted).gettext("Choose a quiz")
    return posted


def title_of(answer: Answer) -> str:
    (title,) = [block.text for block in card_of(answer).blocks if block.role is Role.TITLE]
    return title


# What one person is told


@pytest.mark.parametrize(
    ("own", "locale", "chat", "told"),
    [
        ("ro", "bg", "en", "ro"),
        (None, "bg", "ro", "bg"),
        (None, "bg-BG", None, "bg"),
        (None, "fr", "ro", "ro"),
        (None, None, "ro", "ro"),
        (None, "fr", None, "en"),
        (None, None, None, "en"),
        ("en", "bg", "ro", "en"),
        (None, "", "bg", "bg"),
        (None, "🎉", None, "en"),
    ],
)
@pytest.mark.parametrize("chat_id", [GROUP, TOPIC])
async def test_one_is_answered_in_the_own_choice_else_that_of_the_app_else_the_chats_else_english(
    lobby: Lobby, own: str | None, locale: str | None, chat: str | None, told: str, chat_id: str
) -> None:
    await lobby.world.store.prefer(ANN.person, "language", own)
    await lobby.world.store.prefer(GROUP, "language", chat)
    lobby.locales = {ANN.person: locale} if locale is not None else {}
    assert await told_in(lobby, ANN, chat_id) == told


async def test_whoever_changes_their_language_changes_nobody_elses(lobby: Lobby) -> None:
    lobby.locales = {BOB.person: "ro"}
    await lobby.press(MIA, Prefer("language", "en"))
    answer = await lobby.press(ANN, Speak("bg"))
    assert aside(answer)
    assert answer.card == present.spoken_from_now("bg")
    assert [await told_in(lobby, person) for person in (ANN, BOB, MIA)] == ["bg", "ro", "en"]
    assert await shown_in(lobby) == "en"
    assert [await told_in(lobby, person, OTHER) for person in (ANN, BOB, MIA)] == ["bg", "ro", "en"]


async def test_the_language_of_a_group_is_not_that_of_its_people(lobby: Lobby) -> None:
    lobby.locales = {ANN.person: "ro"}
    await lobby.press(MIA, Prefer("language", "bg"))
    assert await told_in(lobby, ANN) == "ro"
    assert await told_in(lobby, BOB) == "bg"
    assert await shown_in(lobby) == "bg"
    assert await shown_in(lobby, TOPIC) == "bg"


@pytest.mark.parametrize("chat", [GROUP, TOPIC])
async def test_in_a_group_the_languages_are_shown_to_whoever_asked_with_theirs_ticked(lobby: Lobby, chat: str) -> None:
    lobby.locales = {ANN.person: "bg"}
    await lobby.press(MIA, Prefer("language", "ro"))
    before = await lobby.everything()
    answer = await lobby.command(ANN, "/language", chat)
    assert aside(answer)
    assert answer.card == present.languages(Preferences(), "bg", "bg")
    assert presses(answer) == [*map(Speak, words.languages()), Speak("")]
    assert await lobby.everything() == before


async def test_every_language_can_be_chosen_and_left_again(lobby: Lobby) -> None:
    lobby.locales = {ANN.person: "ro"}
    for tag in words.languages():
        assert (await lobby.press(ANN, Speak(tag))).card == present.spoken_from_now(tag)
        assert await told_in(lobby, ANN) == tag
    assert (await lobby.press(ANN, Speak(""))).card == present.spoken_from_now("ro")
    assert await lobby.chosen(ANN.person) == Preferences()


@pytest.mark.parametrize("tag", ["xx", "BG", "english", "0", "bg-BG"])
async def test_a_language_that_is_not_offered_is_not_chosen(lobby: Lobby, tag: str) -> None:
    await lobby.press(ANN, Speak("ro"))
    before = await lobby.everything()
    assert (await lobby.press(ANN, Speak(tag))).card == present.unreadable("ro")
    assert await lobby.everything() == before


async def test_what_was_chosen_is_still_so_after_a_restart_and_in_every_chat(tmp_path: Path) -> None:
    path = tmp_path / "quizbot.sqlite3"
    async with open_lobby(path) as lobby:
        await lobby.press(ANN, Speak("bg"))
    async with open_lobby(path, updates=100) as lobby:
        for chat in (GROUP, OTHER, ANN.person):
            assert await told_in(lobby, ANN, chat) == "bg"


async def test_an_administrator_who_writes_as_the_group_is_answered_in_its_language(lobby: Lobby) -> None:
    await lobby.press(MIA, Prefer("language", "ro"))
    assert await told_in(lobby, ANONYMOUS) == "ro"


# What everyone is shown


async def test_a_group_speaks_as_whoever_brought_us_there_until_its_language_is_chosen(lobby: Lobby) -> None:
    lobby.locales = {ANN.person: "bg", BOB.person: "ro"}
    greeting = await lobby.desk.joined(lobby.request(ANN, GROUP))
    assert (greeting.card, greeting.show) == (present.greeting("bg"), Show.HERE)
    assert await shown_in(lobby, by=BOB) == "bg"
    lobby.world.clock.advance(GREETING_HOLDS.total_seconds())
    assert (await lobby.command(BOB, "/start")).card == present.greeting("bg")
    await lobby.press(MIA, Prefer("language", "en"))
    assert await shown_in(lobby, by=BOB) == "en"


async def test_where_nobody_greeted_a_group_speaks_as_the_first_host(lobby: Lobby) -> None:
    lobby.locales = {ANN.person: "ro", BOB.person: "bg"}
    assert await shown_in(lobby, TOPIC) == "ro"
    assert await shown_in(lobby, GROUP, BOB) == "ro"


async def test_a_first_host_whose_language_is_not_spoken_leaves_it_to_the_next(lobby: Lobby) -> None:
    lobby.locales = {ANN.person: "fr", BOB.person: "bg"}
    assert await shown_in(lobby) == "en"
    await lobby.command(ANN, "/stop")
    assert await shown_in(lobby, by=BOB) == "bg"


async def test_alone_everything_follows_the_own_choice_else_the_app_whenever_that_changes(lobby: Lobby) -> None:
    for locale in ("bg", "ro", "fr"):
        lobby.locales = {ANN.person: locale}
        spoken = locale if locale != "fr" else "en"
        if locale == spoken:  # before anything was started
            picker = await lobby.command(ANN, "/quiz", ANN.person)
            assert title_of(picker) == words.words_of(spoken).gettext("Choose a quiz")
        assert await shown_in(lobby, ANN.person) == spoken
        assert await told_in(lobby, ANN, ANN.person) == spoken
    answer = await lobby.press(ANN, Speak("bg"), ANN.person)
    assert answer.show is Show.INSTEAD
    assert answer.card == present.languages(Preferences(language="bg"), "fr", "bg")
    assert await shown_in(lobby, ANN.person) == "bg"


async def test_alone_the_language_in_the_settings_is_the_own_one(lobby: Lobby) -> None:
    lobby.locales = {ANN.person: "bg"}
    answer = await lobby.command(ANN, "/settings", ANN.person)
    assert answer.card == settings(Preferences(locale="bg"), "bg", private=True)
    changed = await lobby.press(ANN, Prefer("language", "ro"), ANN.person)
    assert changed.card == settings(Preferences(language="ro", locale="bg"), "ro", private=True)
    assert await told_in(lobby, ANN, GROUP) == "ro"


async def test_the_settings_of_a_group_name_the_language_that_its_quizzes_will_have(lobby: Lobby) -> None:
    lobby.locales = {MIA.person: "bg"}
    answer = await lobby.command(MIA, "/settings")
    assert answer.card == settings(Preferences(locale="bg"), "bg", private=False)
    assert await shown_in(lobby) == "bg"


# Remembered for a while


async def test_a_choice_that_another_process_kept_is_noticed_within_a_minute(tmp_path: Path) -> None:
    clock = VirtualClock()
    async with open_lobby(tmp_path / "quizbot.sqlite3", clock=clock) as lobby:
        assert await told_in(lobby, ANN) == "en"
        await lobby.world.store.prefer(ANN.person, "language", "bg")
        reads = lobby.world.driver.attempts
        clock.advance(59)
        assert await told_in(lobby, ANN) == "en"
        assert lobby.world.driver.attempts == reads
        clock.advance(1)
        assert await told_in(lobby, ANN) == "bg"


async def test_an_own_choice_holds_at_once_and_needs_no_minute(lobby: Lobby) -> None:
    for tag in ("bg", "ro", "bg"):
        await lobby.press(ANN, Speak(tag))
        assert await told_in(lobby, ANN) == tag


async def test_a_host_is_told_of_a_lost_group_in_the_language_of_their_private_chat(lobby: Lobby) -> None:
    lobby.locales = {ANN.person: "ro"}
    await lobby.command(ANN, "/start", ANN.person)
    await lobby.press(MIA, Prefer("language", "bg"))
    question = await lobby.asked()
    await lobby.world.engine.handle(GROUP, ChatLost(question.session))
    await lobby.world.settle()
    (told,) = lobby.shown(ANN.person)
    assert (told.post, told.language) == (HostTold(question.session, ANN.person), "ro")
