"""Plurals, numbers and times of three languages, and foreign texts that stay as they are and where they are."""

from __future__ import annotations

import unicodedata
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.words import (
    can_be_written,
    isolated,
    languages,
    match,
    msgid,
    name_of,
    paragraphs,
    shortened,
    true_false,
    words_of,
)

COUNTS = (0, 1, 2, 5, 11, 19, 20, 21, 100, 101)
QUESTIONS = {
    "en": "questions question questions questions questions questions questions questions questions questions",
    "bg": "въпроса въпрос въпроса въпроса въпроса въпроса въпроса въпроса въпроса въпроса",
    "ro": "întrebări|întrebare|întrebări|întrebări|întrebări|întrebări"
    "|de întrebări|de întrebări|de întrebări|întrebări",
}
CONTROLS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@pytest.mark.parametrize("language", languages())
def test_questions_are_counted_as_the_language_counts(language: str) -> None:
    expected = QUESTIONS[language].split("|" if language == "ro" else " ")
    words = words_of(language)
    said = [words.ngettext("{count} question", "{count} questions", count) for count in COUNTS]
    assert said == [f"{count} {form}" for count, form in zip(COUNTS, expected, strict=True)]


@pytest.mark.parametrize(
    ("language", "half", "many"), [("en", "1.5", "12,345"), ("bg", "1,5", "12\xa0345"), ("ro", "1,5", "12.345")]
)
def test_numbers_are_written_as_the_language_writes_them(language: str, half: str, many: str) -> None:
    words = words_of(language)
    assert (words.number(1.5), words.number(12345)) == (half, many)


@pytest.mark.parametrize(
    ("seconds", "en", "bg", "ro"),
    [
        (0, "0 seconds", "0 секунди", "0 secunde"),
        (1, "1 second", "1 секунда", "1 secundă"),
        (20, "20 seconds", "20 секунди", "20 de secunde"),
        (60, "1 minute", "1 минута", "1 minut"),
        (150.4, "2 min 30 sec", "2 мин 30 сек", "2 min. 30 s"),
        (3725, "1 hr 2 min", "1 ч 2 мин", "1 oră 2 min."),
        (86400, "1 day", "1 ден", "1 zi"),
    ],
)
def test_a_time_is_said_in_words_of_at_most_two_units(seconds: float, en: str, bg: str, ro: str) -> None:
    assert [words_of(each).duration(timedelta(seconds=seconds)) for each in ("en", "bg", "ro")] == [en, bg, ro]


@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        ("bg", "bg"),
        ("bg-BG", "bg"),
        ("ro_MD", "ro"),
        ("EN-us", "en"),
        ("en-Latn-GB", "en"),
        ("pt", None),
        ("pt-BR", None),
        ("rom", None),
        ("../ro", None),
        ("", None),
        (None, None),
    ],
)
def test_a_locale_finds_its_catalogue_or_none(wanted: str | None, language: str | None) -> None:
    assert match(wanted) == language


def test_a_language_without_a_catalogue_is_spoken_to_in_english() -> None:
    assert words_of("pt-BR").gettext("Done.") == "Done."


def test_a_message_that_no_catalogue_has_is_shown_in_english() -> None:
    unheard = "A sentence that no catalogue has, {name}."
    assert words_of("ro").gettext(unheard, name="Ana") == "A sentence that no catalogue has, Ana."
    assert msgid(unheard) is unheard


@pytest.mark.parametrize(
    ("encoding", "possible"),
    [
        ("utf-8", {"en", "bg", "ro"}),
        ("ascii", {"en"}),
        ("iso8859-1", {"en"}),
        ("iso8859-16", {"en", "ro"}),
        ("cp1251", {"en", "bg"}),
    ],
)
def test_a_language_needs_an_encoding_with_all_its_letters(encoding: str, possible: set[str]) -> None:
    assert {language for language in languages() if can_be_written(language, encoding)} == possible


def test_every_language_calls_itself_by_its_own_name() -> None:
    assert [name_of(language) for language in languages()] == ["English", "български", "română"]


def test_every_language_has_a_name_for_the_others_and_unknown_tags_stay_tags() -> None:
    words = words_of("bg")
    assert [words.language_name(tag) for tag in ("en", "ro", "de", "qq-QQ", "!")] == [
        "английски",
        "румънски",
        "немски",
        "qq-QQ",
        "!",
    ]


def test_true_and_false_are_there_in_every_language() -> None:
    true, false = true_false()
    assert dict(true.texts) == {"en": "True", "bg": "Вярно", "ro": "Adevărat"}
    assert dict(false.texts) == {"en": "False", "bg": "Невярно", "ro": "Fals"}


@pytest.mark.parametrize("name", ["", "  ", "\n", "\u202e", "\u200b", "\u3164", "\u2800\u2060"])
def test_a_name_that_shows_nothing_becomes_someone(name: str) -> None:
    assert [words_of(language).name(name) for language in languages()] == ["someone", "някой", "cineva"]


@pytest.mark.parametrize(
    "value", ["{0.__class__}", "{name}", "%s", "%(name)s", "<b>", "&quot;", "@everyone", "{", "}}"]
)
def test_what_is_inserted_is_never_parsed(value: str) -> None:
    assert words_of("en").gettext("Host: {name}", name=value) == f"Host: {value}"


def test_inserted_right_to_left_text_is_isolated_and_other_text_is_not() -> None:
    words = words_of("en")
    assert words.gettext("Host: {name}", name="דנה C++") == "Host: \u2068דנה C++\u2069"
    assert words.gettext("Host: {name}", name="Đorđe 12") == "Host: Đorđe 12"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\nb\t c\r\n", "a b c"),
        ("a\x00\x1b\x85b", "a b"),
        ("a \u202e b", "a b"),
        ("\u2067abc", "abc"),
        ("a\ud800b", "ab"),
        ("שלום\u2069x", "\u2068שלוםx\u2069"),
        ("a\u200db", "a\u200db"),
    ],
)
def test_an_inserted_text_is_one_line_without_control_characters(text: str, line: str) -> None:
    assert isolated(text) == line


def test_a_text_of_its_own_keeps_its_lines_and_each_is_isolated() -> None:
    assert paragraphs("\nfor x:\r\n    y\t= 1\x00\n\nשלום C++\u202e\n") == "for x:\n    y   = 1\n\n\u2068שלום C++\u2069"


@settings(deadline=None)
@given(st.text())
def test_isolates_are_closed_on_the_line_they_open_and_nothing_else_turns_text(text: str) -> None:
    for made in (isolated(text), paragraphs(text), shortened(text, 20)):
        for line in made.split("\n"):
            inside = line[1:-1] if line.startswith("\u2068") else line
            assert not set(inside) & set(CONTROLS)
            assert not any(unicodedata.category(letter) in ("Cc", "Cs") for letter in inside)
            assert line.count("\u2068") == line.count("\u2069")


@settings(deadline=None)
@given(st.text())
def test_isolating_twice_is_isolating_once(text: str) -> None:
    assert isolated(isolated(text)) == isolated(text)
    assert paragraphs(paragraphs(text)) == paragraphs(text)


@settings(deadline=None)
@given(st.text(), st.integers(2, 40))
def test_a_shortened_text_fits_and_is_a_beginning(text: str, most: int) -> None:
    whole = isolated(text).strip(CONTROLS)
    short = shortened(text, most).strip(CONTROLS)
    assert len(short) <= most
    assert short == whole if len(whole) <= most else whole.startswith(short.removesuffix("…"))


def test_a_text_is_shortened_at_a_word_unless_it_is_one_long_word() -> None:
    assert shortened("one two three", 9) == "one two…"
    assert shortened("one two, three", 10) == "one two…"
    assert shortened("a" * 30, 10) == "a" * 9 + "…"
