"""Leaderboards as people ask for them: which one is meant, ranks and pages, and where the buttons lead."""

from __future__ import annotations

import pytest

from bot import present
from bot.commands import period_word
from bot.core.session import Actor
from bot.desk import Show
from bot.learning.days import Period
from bot.messages import Role
from bot.preferences import Preferences
from bot.presses import Personal, ShowBoard, dump, load
from tests.desk.lobby import (
    ANN,
    ANONYMOUS,
    GROUP,
    MIA,
    QUIZZES,
    TOPIC,
    Lobby,
    aside,
    card_of,
    open_lobby,
    presses,
    said,
    titled,
)
from tests.desk.ranking import (
    ACROSS,
    WEEK,
    crowd,
    facts,
    heading,
    keep,
    ranks,
    scored,
    standings,
)
from tests.present.plain import labels

# Which one is meant


EASILY_MISTAKEN = (titled("trade", "Trade"), titled("trade-week", "Trade week"), titled("small-talk", "Small talk"))
"""Quizzes with the words for a time in their names."""


@pytest.mark.parametrize(
    ("words", "period", "slug"),
    [
        ("", Period.WEEK, ""),
        ("today", Period.TODAY, ""),
        ("WEEK", Period.WEEK, ""),
        ("this  month", Period.MONTH, ""),
        ("all", Period.ALL, ""),
        ("All time", Period.ALL, ""),
        ("all-time", Period.ALL, ""),
        ("днес", Period.TODAY, ""),
        ("Тази седмица", Period.WEEK, ""),
        ("месец", Period.MONTH, ""),
        ("общо", Period.ALL, ""),
        ("azi", Period.TODAY, ""),
        ("săptămâna asta", Period.WEEK, ""),
        ("saptamana", Period.WEEK, ""),
        ("LUNĂ", Period.MONTH, ""),
        ("dintotdeauna", Period.ALL, ""),
        ("colours", Period.WEEK, "colours"),
        ("colours today", Period.TODAY, "colours"),
        ("today colours", Period.TODAY, "colours"),
        ("all time Several answers", Period.ALL, "several"),
        ("Няколко отговора месец", Period.MONTH, "several"),
        ("azi mai multe raspunsuri", Period.TODAY, "several"),
        ("several", Period.WEEK, "several"),
        ("month gradient", Period.MONTH, "gradient-accumulation"),
        ("Trade week", Period.WEEK, "trade-week"),
        ("trade-week", Period.WEEK, "trade-week"),
        ("today trade week", Period.TODAY, "trade-week"),
        ("week week", Period.WEEK, "trade-week"),
        ("week trade", Period.WEEK, "trade"),
        ("all talk", Period.ALL, "small-talk"),
    ],
)
async def test_a_time_and_a_quiz_are_understood_in_any_order_and_language(
    words: str, period: Period, slug: str
) -> None:
    async with open_lobby(quizzes=(*QUIZZES, *EASILY_MISTAKEN)) as lobby:
        answer = await lobby.command(ANN, f"/leaderboard {words}".strip())
        assert ShowBoard(period, False, slug, 0) in presses(answer)
        assert heading(answer.card).startswith(f"Leaderboard — {period_word(period, 'en')} | In this chat")


@pytest.mark.parametrize("words", ["dance", "today dance", "🎉", "fortnight", "colour several", "{name}", "x" * 500])
async def test_words_that_nothing_is_called_by_get_a_kind_line(lobby: Lobby, words: str) -> None:
    before = await lobby.everything()
    answer = await lobby.command(ANN, f"/leaderboard {words}")
    assert "I know no quiz and no time called" in aside(answer)
    assert await lobby.everything() == before


async def test_a_name_that_is_nearly_one_leads_to_its_leaderboard(lobby: Lobby) -> None:
    answer = await lobby.command(ANN, "/leaderboard colors month")
    assert presses(answer)[0] == ShowBoard(Period.WEEK, False, "colours", 0)
    assert "only “Colours”" in heading((await lobby.press(ANN, presses(answer)[0])).card)


async def test_the_leaderboard_of_a_quiz_counts_that_quiz_alone(lobby: Lobby) -> None:
    await keep(lobby, scored("Ann", 3), scored("Bob", 5, slug="several"), scored("Ann", 1, slug="several"))
    assert standings(await lobby.command(ANN, "/leaderboard")) == ["1. Bob", "2. Ann"]
    assert standings(await lobby.command(ANN, "/leaderboard colours")) == ["1. Ann"]
    answer = await lobby.command(ANN, "/leaderboard several")
    assert standings(answer) == ["1. Bob", "2. Ann"]
    every = next(press for press in presses(answer) if isinstance(press, ShowBoard) and not press.slug)
    assert heading((await lobby.press(ANN, every)).card) == "Leaderboard — This week | In this chat, all quizzes"


async def test_a_quiz_that_is_gone_has_no_leaderboard_any_more(lobby: Lobby) -> None:
    await keep(lobby, scored("Ann", 3, slug="gone"))
    answer = await lobby.press(ANN, ShowBoard(Period.WEEK, False, "gone", 0))
    assert aside(answer)
    assert answer.card == present.no_longer_offered("en")
    assert standings(await lobby.command(ANN, "/leaderboard")) == ["1. Ann"]


# Ranks and pages


async def test_equal_points_share_a_rank_whoever_came_first(lobby: Lobby) -> None:
    await keep(lobby, scored("Cat", 100), scored("Ann", 101), scored("Dan", 99), scored("Bob", 100))
    answer = await lobby.command(ANN, "/leaderboard")
    assert standings(answer) == ["1. Ann", "2. Bob", "2. Cat", "4. Dan"]
    assert [block.text for block in card_of(answer).blocks if block.role is Role.STANDING] == [
        "Ann — 101 points",
        "Bob — 100 points",
        "Cat — 100 points",
        "Dan — 99 points",
    ]


async def test_ranks_are_the_same_on_every_page(lobby: Lobby) -> None:
    await crowd(lobby, 25)
    pages = [await lobby.press(ANN, ShowBoard(Period.WEEK, False, "", page)) for page in range(3)]
    assert [len(standings(page)) for page in pages] == [10, 10, 5]
    assert [rank for page in pages for rank in ranks(page)] == [
        *(1, 2, 2, 4, 4, 6, 6, 8, 8, 10),
        *(10, 12, 12, 14, 14, 16, 16, 18, 18, 20),
        *(20, 22, 22, 24, 24),
    ]
    assert [facts(page)[0] for page in pages] == [f"25 people · Page {number} of 3" for number in (1, 2, 3)]


async def test_pages_are_turned_in_place_and_end_where_the_people_do(lobby: Lobby) -> None:
    await crowd(lobby, 25)
    answer = await lobby.command(ANN, "/leaderboard")
    seen = standings(answer)
    for _ in range(2):
        onward = [button.press for button in card_of(answer).all_buttons if button.label == "Next page →"]
        answer = await lobby.press(ANN, onward[0])
        assert answer.show is Show.INSTEAD
        seen += standings(answer)
    assert len(set(seen)) == len(seen) == 25
    assert "Next page →" not in [label for row in labels(card_of(answer)) for label in row]
    back = next(button.press for button in card_of(answer).all_buttons if button.label == "← Previous page")
    assert standings(await lobby.press(ANN, back)) == seen[10:20]
    beyond = await lobby.press(ANN, ShowBoard(Period.WEEK, False, "", 999_999))
    assert standings(beyond) == seen[20:]


async def test_one_person_and_nobody_have_a_leaderboard_too(lobby: Lobby) -> None:
    answer = await lobby.command(ANN, "/leaderboard")
    assert standings(answer) == []
    assert "Nobody is on it yet this week." in aside(answer)
    assert "/quiz starts one" in said(answer)
    await keep(lobby, scored("Ann", 0, answered=3))
    answer = await lobby.command(ANN, "/leaderboard")
    assert standings(answer) == ["1. Ann"]
    assert "🥇" not in said(answer)
    assert facts(answer)[0] == "1 person"


async def test_a_medal_is_for_points(lobby: Lobby) -> None:
    await keep(lobby, scored("Ann", 2), scored("Bob", 0))
    leads = [block.lead for block in card_of(await lobby.command(ANN, "/leaderboard")).blocks if block.lead]
    assert leads == ["🥇 1.", "2."]


async def test_whoever_asks_is_told_their_place_by_name_when_it_is_on_another_page(lobby: Lobby) -> None:
    await crowd(lobby, 25)
    own = Actor("test:P14", "whatever they are called now")
    answer = await lobby.command(own, "/leaderboard")
    (place,) = [block for block in card_of(answer).blocks if block.text.startswith("P14: ")]
    assert place.text == "P14: place 14 of 25"
    assert place.tail == "6 points, 6 of 50 right"
    assert place.role is Role.FACT
    second = await lobby.press(own, ShowBoard(Period.WEEK, False, "", 1))
    assert "14. P14" in standings(second)
    assert "place" not in said(second)
    assert "place" not in said(await lobby.command(Actor("test:new", "New"), "/leaderboard"))


async def test_a_shared_card_says_the_place_of_whoever_pressed_it_last(lobby: Lobby) -> None:
    await crowd(lobby, 25)
    for name, place in (("P25", "P25: place 24 of 25"), ("P11", "P11: place 10 of 25")):
        assert place in facts(await lobby.press(Actor(f"test:{name}", name), WEEK))


# Buttons


async def test_every_button_works_and_is_read_as_it_was_written(lobby: Lobby) -> None:
    await crowd(lobby, 25)
    for chat in (GROUP, TOPIC, ANN.person):
        for wanted in (ACROSS, ShowBoard(Period.TODAY, False, "colours", 1)):
            offered = presses(await lobby.press(ANN, wanted, chat))
            assert len({dump(press) for press in offered}) == len(offered)
            for press in offered:
                assert load(dump(press)) == press
                answer = await lobby.press(ANN, press, chat)
                assert answer.show is (Show.INSTEAD if isinstance(press, ShowBoard) else Show.ASIDE)


async def test_the_time_that_is_shown_is_ticked_and_brings_its_page_as_it_is_now(lobby: Lobby) -> None:
    await crowd(lobby, 25)
    second = ShowBoard(Period.WEEK, False, "", 1)
    answer = await lobby.press(ANN, second)
    assert labels(card_of(answer))[0] == ("Today", "✓ This week", "This month", "All time")
    ticked = next(button.press for button in card_of(answer).all_buttons if button.label.startswith("✓ "))
    assert ticked == second
    assert ShowBoard(Period.MONTH, False, "", 0) in presses(answer)
    await keep(lobby, scored("New", 99))
    assert standings(await lobby.press(ANN, ticked))[0] == "11. P10"


async def test_looking_at_leaderboards_changes_nothing(lobby: Lobby) -> None:
    await crowd(lobby, 25)
    before = await lobby.everything()
    for by in (ANN, MIA, ANONYMOUS):
        await lobby.command(by, "/leaderboard")
        await lobby.press(by, ShowBoard(Period.ALL, True, "several", 3))
    await lobby.command(ANN, "/leaderboard today colours", ANN.person)
    assert await lobby.everything() == before
    assert lobby.lookups == []


async def test_nobody_hides_in_the_name_of_a_group(lobby: Lobby) -> None:
    answer = await lobby.press(ANONYMOUS, Personal("hidden", "1"))
    assert answer.card == present.as_oneself("en")
    assert await lobby.chosen(GROUP) == Preferences()
