"""Quizzes to share into any chat: found by words of their names, with the addresses that there are."""

from __future__ import annotations

import pytest

from bot import present
from tests.desk.lobby import COLOURS, QUIZZES, SEVERAL, Lobby, links, open_lobby, titled
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
