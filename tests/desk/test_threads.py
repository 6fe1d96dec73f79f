"""Sessions in threads of their own: where that is wished for and can be, once for each start."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot import present
from bot.core.effects import CardState, Running, StartCard
from bot.core.session import Phase
from bot.desk import Lacking, Show
from bot.desk.starting import CARD_HOLDS
from bot.ports import StoreError
from bot.presses import Again, Pick, Prefer
from tests.desk.lobby import (
    ANN,
    BOB,
    GROUP,
    MIA,
    OTHER,
    TOPIC,
    Lobby,
    Threads,
    aside,
    card_of,
    open_lobby,
    presses,
    receipt,
    silent,
    titled,
)
from tests.engine.running import until
from tests.present.sample import QUIZ

FIRST, SECOND = f"{GROUP}/1", f"{GROUP}/2"


async def wish(lobby: Lobby, *, wished: bool = True, chat: str = GROUP) -> Threads:
    """Moderators want threads in this chat, and the platform has them."""
    threads = lobby.threads = lobby.threads or Threads()
    await lobby.press(MIA, Prefer("thread", str(int(wished))), chat)
    return threads


# Choosing


@pytest.mark.parametrize(("wished", "chat"), [(True, FIRST), (False, GROUP)])
async def test_moderators_choose_whether_a_quiz_gets_a_thread(lobby: Lobby, wished: bool, chat: str) -> None:
    threads = await wish(lobby, wished=wished)
    assert (await lobby.chosen(GROUP)).thread is wished
    await lobby.command(ANN, "/quiz colours")
    assert await lobby.running(chat)
    assert threads.names == ["Colours"] * wished


async def test_where_nobody_chose_a_quiz_stays_in_the_channel(lobby: Lobby) -> None:
    lobby.threads = Threads()
    await lobby.command(ANN, "/quiz colours")
    assert await lobby.running(GROUP)
    assert lobby.threads.names == []


async def test_the_choice_is_offered_only_where_there_can_be_threads(lobby: Lobby) -> None:
    def offered(card: object) -> set[object]:
        return {press for press in presses(card) if isinstance(press, Prefer) and press.name == "thread"}  # type: ignore[arg-type]

    both = {Prefer("thread", "0"), Prefer("thread", "1")}
    assert offered(await lobby.command(MIA, "/settings")) == set()
    lobby.threads = Threads()
    assert offered(await lobby.command(MIA, "/settings")) == both
    assert offered(await lobby.press(MIA, Prefer("pace", "brisk"))) == both
    for by, chat in ((MIA, TOPIC), (ANN, ANN.person)):
        assert offered(await lobby.command(by, "/settings", chat)) == set()


async def test_where_there_can_be_no_threads_the_choice_is_no_choice(lobby: Lobby) -> None:
    before = await lobby.everything()
    for value in ("1", "0", "2", ""):
        answer = await lobby.press(MIA, Prefer("thread", value))
        assert answer.card == present.unreadable("en")
    lobby.threads = Threads()
    for value in ("2", "", "True"):
        assert (await lobby.press(MIA, Prefer("thread", value))).card == present.unreadable("en")
    assert (await lobby.press(ANN, Prefer("thread", "1"))).card == present.may_not_configure("en")
    assert await lobby.everything() == before


# Starting


@pytest.mark.parametrize(("language", "name"), [("en", "Gradient accumulation"), ("bg", "Натрупване на градиенти")])
async def test_whoever_asked_is_shown_the_way_to_the_thread_which_is_named_in_the_language_of_the_chat(
    lobby: Lobby, language: str, name: str
) -> None:
    threads = await wish(lobby)
    lobby.locales = {ANN.person: "ro"}
    await lobby.press(MIA, Prefer("language", language))
    answer = await lobby.command(ANN, f"/quiz {QUIZ.slug}")
    assert threads.names == [name]
    assert aside(answer)
    assert answer.card == present.ready("ro", private=False, thread=name, link=f"to:{FIRST}")
    assert card_of(answer).blocks[0].url == f"to:{FIRST}"


@pytest.mark.parametrize("public", [True, False])
async def test_whoever_plays_an_old_quiz_again_is_shown_the_way_and_the_old_message_stays(
    lobby: Lobby, public: bool
) -> None:
    await lobby.asked()
    await lobby.command(ANN, "/stop")
    old = await lobby.session()
    threads = await wish(lobby)
    await lobby.press(MIA, Prefer("language", "ro"))
    lobby.locales, lobby.public = {BOB.person: "bg"}, public
    answer = await lobby.press(BOB, Again(old.id))
    assert aside(answer)
    assert answer.card == present.ready("bg", private=False, thread="Colours", link=f"to:{FIRST}")
    assert threads.names == ["Colours"]


async def test_where_a_thread_has_no_address_it_is_named(lobby: Lobby) -> None:
    await wish(lobby)
    lobby.signposts.only_messages = True
    answer = await lobby.command(ANN, "/quiz colours")
    assert "“Colours”" in aside(answer)
    assert card_of(answer).blocks[0].url == ""


@pytest.mark.parametrize(("public", "name"), [(True, "Several answers"), (False, "Mai multe răspunsuri")])
async def test_a_picker_gives_way_to_the_way_to_the_thread_and_where_all_see_it_they_can_read_it(
    lobby: Lobby, public: bool, name: str
) -> None:
    await wish(lobby)
    await lobby.press(MIA, Prefer("language", "en"))
    lobby.locales, lobby.public = {ANN.person: "ro"}, public
    answer = await lobby.press(ANN, Pick("several"))
    language = "en" if public else "ro"
    assert answer.card == present.ready(language, private=False, thread="Several answers", link=f"to:{FIRST}")
    assert (answer.show, answer.served) == (Show.INSTEAD, False)
    await lobby.world.settle()
    (card,) = lobby.posts(FIRST)
    assert isinstance(card, StartCard)
    assert lobby.posts(GROUP) == []


async def test_where_no_thread_can_be_opened_the_quiz_starts_in_the_channel(lobby: Lobby) -> None:
    threads = await wish(lobby)
    threads.allowed = False
    answer = await lobby.command(ANN, "/quiz colours")
    assert answer.receipt == present.ready("en", private=False)
    assert await lobby.running(GROUP)


async def test_in_a_thread_a_quiz_starts_right_there(lobby: Lobby) -> None:
    threads = await wish(lobby)
    await lobby.command(ANN, "/quiz colours", TOPIC)
    assert await lobby.running(TOPIC)
    assert threads.names == []


async def test_every_quiz_has_a_thread_and_every_thread_one_session(lobby: Lobby) -> None:
    threads = await wish(lobby)
    await lobby.asked(FIRST)
    threads.names.append("another")
    for by, chat in ((ANN, SECOND), (BOB, f"{GROUP}/3")):
        await lobby.command(by, "/quiz several")
        assert await lobby.running(chat)
    assert not await lobby.running(GROUP)
    assert aside(await lobby.command(BOB, "/quiz colours", SECOND))
    assert threads.names == ["another", "Several answers", "Several answers"]


async def test_a_name_is_as_short_as_the_platform_wants_it() -> None:
    for title in ("T" * 300, "word " * 60, "ש" * 300, "<b>@everyone</b>"):
        async with open_lobby(quizzes=[titled("long", title)]) as lobby:
            threads = await wish(lobby)
            await lobby.command(ANN, "/quiz long")
            (name,) = threads.names
            assert 0 < len(name) <= 100
            assert len(name) == 16 or len(name) > 90


# Said again


async def test_a_start_that_comes_again_opens_no_second_thread(tmp_path: Path) -> None:
    path, threads = tmp_path / "quizbot.sqlite3", Threads()
    async with open_lobby(path) as lobby:
        lobby.threads = threads
        await wish(lobby)
        await lobby.command(ANN, "/quiz colours", key="k")
        assert silent(await lobby.command(ANN, "/quiz colours", key="k"))
    async with open_lobby(path, updates=100) as lobby:
        lobby.threads = threads
        assert silent(await lobby.command(ANN, "/quiz colours", key="k"))
        await lobby.command(ANN, "/stop", FIRST)
        before = await lobby.everything()
        assert silent(await lobby.command(ANN, "/quiz colours", key="k"))
        assert await lobby.everything() == before
    assert threads.names == ["Colours"]


async def test_the_same_start_twice_in_one_tick_is_one_thread(lobby: Lobby) -> None:
    threads = await wish(lobby)
    threads.held[GROUP] = asyncio.Event()
    both = [asyncio.create_task(lobby.press(ANN, Pick("colours"), key="k")) for _ in range(2)]
    await lobby.world.settle()
    threads.held[GROUP].set()
    first, second = await asyncio.gather(*both)
    assert first.card == present.ready("en", private=False, thread="Colours", link=f"to:{FIRST}")
    assert silent(second)
    assert threads.names == ["Colours"]


async def test_two_taps_of_one_person_are_one_thread_and_the_second_is_shown_the_way(lobby: Lobby) -> None:
    threads = await wish(lobby)
    threads.held[GROUP] = asyncio.Event()
    both = [asyncio.create_task(lobby.press(ANN, Pick("colours"))) for _ in range(2)]
    await lobby.world.settle()
    threads.held[GROUP].set()
    first, _ = await asyncio.gather(*both)
    assert first.show is Show.INSTEAD
    await lobby.world.settle()
    again = await lobby.press(ANN, Pick("colours"))
    assert again == first
    assert first.card == present.ready("en", private=False, thread="Colours", link=f"to:{FIRST}")
    assert threads.names == ["Colours"]


async def test_another_quiz_or_another_person_has_another_thread(lobby: Lobby) -> None:
    threads = await wish(lobby)
    await lobby.command(ANN, "/quiz colours")
    await lobby.command(ANN, "/quiz several")
    await lobby.command(BOB, "/quiz colours")
    assert threads.names == ["Colours", "Several answers", "Colours"]
    assert all([await lobby.running(f"{GROUP}/{number}") for number in (1, 2, 3)])


async def test_a_thread_of_another_channel_is_not_taken_for_one_of_this(lobby: Lobby) -> None:
    await wish(lobby)
    await wish(lobby, chat=OTHER)
    await lobby.command(ANN, "/quiz colours", OTHER)
    await lobby.command(ANN, "/quiz colours")
    assert await lobby.running(f"{OTHER}/1")
    assert await lobby.running(SECOND)


async def test_a_card_that_has_waited_long_is_renewed_in_its_thread(lobby: Lobby) -> None:
    threads = await wish(lobby)
    await lobby.command(ANN, "/quiz colours")
    await lobby.world.settle()
    lobby.world.clock.advance(CARD_HOLDS.total_seconds())
    assert "“Colours”" in aside(await lobby.command(ANN, "/quiz colours"))
    await lobby.world.settle()
    cards = [post.state for post in lobby.posts(FIRST) if isinstance(post, StartCard)]
    assert cards == [CardState.WAITING, CardState.STOPPED, CardState.WAITING]
    assert threads.names == ["Colours"]


async def test_one_channel_that_waits_for_its_thread_holds_up_no_other(lobby: Lobby) -> None:
    threads = await wish(lobby)
    await wish(lobby, chat=OTHER)
    threads.held[GROUP] = asyncio.Event()
    waiting = asyncio.create_task(lobby.command(ANN, "/quiz colours"))
    await lobby.world.settle()
    other = asyncio.create_task(lobby.command(BOB, "/quiz colours", OTHER))
    await until(other.done)
    threads.held[GROUP].set()
    assert f"to:{SECOND}" == card_of(await waiting).blocks[0].url
    assert f"to:{OTHER}/1" == card_of(await other).blocks[0].url


async def test_nobody_waits_for_the_thread_of_another(lobby: Lobby) -> None:
    threads = await wish(lobby)
    threads.held[GROUP] = asyncio.Event()
    starts = [
        asyncio.create_task(lobby.press(by, Pick(slug)))
        for by in (ANN, BOB)
        for slug in ("colours", "several", "colours")
    ]
    await until(lambda: len(threads.asked) >= 4)
    await lobby.world.settle()
    assert sorted(threads.asked) == sorted(["Colours", "Several answers"] * 2)
    threads.held[GROUP].set()
    await asyncio.gather(*starts)
    assert sorted(threads.names) == sorted(["Colours", "Several answers"] * 2)


async def test_a_second_tap_after_a_thread_that_failed_is_told_of_the_quiz_in_the_channel(lobby: Lobby) -> None:
    threads = await wish(lobby)
    threads.allowed = False
    await lobby.press(ANN, Pick("colours"))
    threads.allowed = True
    await lobby.world.settle()
    again = await lobby.press(ANN, Pick("colours"))
    session = await lobby.session()
    running = Running(session.id, Phase.CARD, -1, session.settings.count)
    assert again.card == present.reply(running, None, "en", f"to:{GROUP}#m0")
    assert threads.names == []


async def test_a_start_that_failed_after_its_thread_leaves_the_way_free(lobby: Lobby) -> None:
    threads = await wish(lobby)
    await lobby.command(BOB, "/quiz several")
    threads.held[GROUP] = asyncio.Event()
    failing = asyncio.create_task(lobby.command(ANN, "/quiz colours"))
    await lobby.world.settle()
    lobby.world.driver.broken = True
    threads.held[GROUP].set()
    with pytest.raises(StoreError):
        await failing
    lobby.world.driver.broken = False
    assert "“Colours”" in aside(await lobby.command(ANN, "/quiz colours"))


# What is missing


@pytest.mark.parametrize("missing", [(Lacking.SEND,), (Lacking.SEND, Lacking.ATTACH)])
async def test_a_thread_needs_no_right_to_write_in_the_channel(lobby: Lobby, missing: tuple[Lacking, ...]) -> None:
    await wish(lobby)
    lobby.lacking = missing
    assert "“Colours”" in aside(await lobby.command(ANN, "/quiz colours"))
    assert await lobby.running(FIRST)


@pytest.mark.parametrize("missing", [(Lacking.VIEW,), (Lacking.VIEW, Lacking.ATTACH)])
async def test_what_a_thread_would_need_is_named_before_it_is_opened(
    lobby: Lobby, missing: tuple[Lacking, ...]
) -> None:
    threads = await wish(lobby)
    lobby.lacking = (*missing, Lacking.SEND)
    answer = await lobby.command(ANN, f"/quiz {QUIZ.slug}")
    assert answer.card == present.lacking("en", missing)
    assert threads.asked == []


async def test_where_neither_a_thread_opens_nor_the_channel_can_be_written_to_nothing_starts(lobby: Lobby) -> None:
    threads = await wish(lobby)
    threads.allowed, lobby.lacking = False, (Lacking.SEND,)
    before = await lobby.everything()
    for answer in (await lobby.command(ANN, "/quiz colours"), await lobby.press(ANN, Pick("colours"))):
        assert aside(answer)
        assert answer.card == present.lacking("en", (Lacking.SEND,))
    assert await lobby.everything() == before


APART = (Lacking.SEND_IN_THREADS, Lacking.OPEN_THREADS)


@pytest.mark.parametrize("missing", [APART, APART[:1], APART[1:]])
async def test_where_threads_are_wished_for_and_forbidden_the_channel_serves_or_what_they_need_is_named(
    lobby: Lobby, missing: tuple[Lacking, ...]
) -> None:
    await wish(lobby)
    lobby.threads = None
    lobby.lacking = (Lacking.SEND, *missing)
    answer = await lobby.command(ANN, "/quiz colours")
    assert aside(answer)
    assert answer.card == present.lacking("en", missing)
    lobby.lacking = missing
    assert receipt(await lobby.command(ANN, "/quiz colours"))
    assert await lobby.running(GROUP)


async def test_where_no_threads_are_wished_for_or_there_are_none_what_the_channel_needs_is_named(lobby: Lobby) -> None:
    await wish(lobby)
    lobby.threads, lobby.lacking = None, (Lacking.SEND,)
    assert (await lobby.command(ANN, "/quiz colours")).card == present.lacking("en", (Lacking.SEND,))
    await wish(lobby, wished=False)
    lobby.lacking = (Lacking.SEND, *APART)
    assert (await lobby.command(ANN, "/quiz colours")).card == present.lacking("en", (Lacking.SEND,))


async def test_again_in_a_thread_stays_in_it(lobby: Lobby) -> None:
    threads = await wish(lobby)
    await lobby.command(ANN, "/quiz colours")
    await lobby.command(ANN, "/stop", FIRST)
    old = await lobby.session(FIRST)
    assert silent(await lobby.press(BOB, Again(old.id), FIRST))
    assert (await lobby.session(FIRST)).host == BOB.person
    assert threads.names == ["Colours"]


async def test_a_lost_channel_ends_what_runs_in_its_threads(lobby: Lobby) -> None:
    await wish(lobby)
    await lobby.command(ANN, "/quiz colours")
    await lobby.desk.lost(GROUP)
    assert not await lobby.running(FIRST)


async def test_where_only_moderators_may_start_no_thread_is_opened_for_others(lobby: Lobby) -> None:
    threads = await wish(lobby)
    await lobby.press(MIA, Prefer("starters", "moderators"))
    assert aside(await lobby.command(ANN, "/quiz colours"))
    assert threads.names == []
    assert card_of(await lobby.command(ANN, "/quiz colours")) == present.may_not_start("en")
