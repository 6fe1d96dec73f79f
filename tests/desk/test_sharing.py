"""Quizzes to share into any chat: found by words of their names, with the addresses that there are."""

from __future__ import annotations

import pytest

from bot import present
from tests.desk.lobby import ANN, COLOURS, QUIZZES, SEVERAL, Lobby, links, open_lobby, silent, titled
from tests.present.sample import QUIZ

EVERY = [quiz.slug for quiz in QUIZZES]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", EVERY),
        ("   ", EVERY),
        ("colours", ["colours"]),
        ("COL", ["colours"]),
        ("gradient", [QUIZ.slug]),
        ("accumulation gradient", [QUIZ.slug]),
        ("натрупване", [QUIZ.slug]),
        ("ГРАДИЕНТИ нат", [QUIZ.slug]),
        ("отговора", ["several"]),
        ("acumularea", [QUIZ.slug]),
        ("răspunsuri", ["several"]),
        ("gradient colours", []),
        ("nothing of the kind", []),
        ("🎉", []),
        ("[", []),
        ("\x00", []),
    ],
)
async def test_a_quiz_is_found_by_words_of_its_slug_and_its_titles_in_any_language(
    lobby: Lobby, query: str, found: list[str]
) -> None:
    for locale in ("en", "bg", "ro", "fr", None):
        assert [shared.slug for shared in lobby.desk.shared(query, locale, 50)] == found


@pytest.mark.parametrize(
    ("locale", "language"), [("en", "en"), ("bg-BG", "bg"), ("ro", "ro"), ("fr", "en"), (None, "en"), ("", "en")]
)
async def test_what_is_shared_is_in_the_language_of_whoever_shares(
    lobby: Lobby, locale: str | None, language: str
) -> None:
    (shared,) = lobby.desk.shared("gradient", locale, 50)
    assert (shared.title, shared.description) == present.summary(QUIZ, language)
    alone, together = f"private:quiz_{QUIZ.slug}", f"group:quiz_{QUIZ.slug}"
    assert shared.card == present.shared(QUIZ, language, alone=alone, together=together)
    assert links(shared.card) == [alone, together]


async def test_no_button_leads_where_there_is_no_address(lobby: Lobby) -> None:
    lobby.signposts.only_messages = True
    assert [links(shared.card) for shared in lobby.desk.shared("", "en", 50)] == [[], [], []]


async def test_no_more_are_found_than_the_platform_takes() -> None:
    many = [titled(f"quiz-{number:02}", f"Quiz {number}") for number in range(60)]
    async with open_lobby(quizzes=many) as lobby:
        found = lobby.desk.shared("quiz", None, 50)
        assert [shared.slug for shared in found] == [quiz.slug for quiz in many[:50]]
        assert lobby.desk.shared("59", None, 50)[0].slug == "quiz-59"


async def test_a_title_with_markup_is_text() -> None:
    async with open_lobby(quizzes=[titled("odd", "<b>{0}</b> %s"), COLOURS, SEVERAL]) as other:
        (shared,) = other.desk.shared("<b>{0}</b>", "en", 50)
        assert shared.title == "<b>{0}</b> %s"


# Suggestions to whoever types


@pytest.mark.parametrize(
    ("query", "slugs"), [("", EVERY), ("gradient", [QUIZ.slug]), ("ГРАДИЕНТИ нат", [QUIZ.slug]), ("nothing", [])]
)
async def test_what_is_suggested_is_what_can_be_shared(lobby: Lobby, query: str, slugs: list[str]) -> None:
    assert [slug for slug, _ in lobby.desk.found(query, None, 25)] == slugs


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("en", "Gradient accumulation"),
        ("bg-BG", "Натрупване на градиенти"),
        ("ro", "Acumularea gradienților"),
        ("fr", "Gradient accumulation"),
        (None, "Gradient accumulation"),
    ],
)
async def test_a_suggestion_is_in_the_language_of_whoever_types(lobby: Lobby, language: str | None, title: str) -> None:
    assert lobby.desk.found("gradient", language, 25) == [(QUIZ.slug, title)]


async def test_no_more_is_suggested_than_was_wanted_and_each_fits() -> None:
    titles = ["T" * 300, "word " * 60, "ש" * 300, "\u202e", "<b>{0}</b> %s"]
    many = [titled(f"quiz-{number:02}", titles[number % 5]) for number in range(60)]
    async with open_lobby(quizzes=many) as lobby:
        found = lobby.desk.found("quiz", None, 25)
        assert [slug for slug, _ in found] == [quiz.slug for quiz in many[:25]]
        assert all(0 < len(title) <= 100 for _, title in found)
        assert found[4][1] == "<b>{0}</b> %s"


async def test_a_suggestion_that_is_taken_starts_that_quiz(lobby: Lobby) -> None:
    for number, (slug, _) in enumerate(lobby.desk.found("", None, 25)):
        assert silent(await lobby.command(ANN, f"/quiz {slug}", f"test:-7{number}"))
