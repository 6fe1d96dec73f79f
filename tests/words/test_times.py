"""Times and cities as each language says them, and words as people write them in one way or another."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.words import folded, languages, words_of

SOFIA = ZoneInfo("Europe/Sofia")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Monday, December 7, 00:05"),
        ("bg", "понеделник, 7 декември, 00:05"),
        ("ro", "luni, 7 decembrie, 00:05"),
    ],
)
def test_a_moment_is_a_day_of_the_week_a_date_and_a_time(language: str, said: str) -> None:
    assert words_of(language).moment(datetime(2026, 12, 7, 0, 5, tzinfo=SOFIA)) == said


@pytest.mark.parametrize("language", languages())
def test_a_time_is_told_by_the_clock_that_it_was_given_by(language: str) -> None:
    noon = datetime(2026, 7, 1, 12, tzinfo=ZoneInfo("UTC"))
    assert words_of(language).time(noon) == "12:00"
    assert words_of(language).time(noon.astimezone(SOFIA)) == "15:00"


@pytest.mark.parametrize(
    ("zone", "en", "bg", "ro"),
    [
        ("Europe/Sofia", "Sofia", "София", "Sofia"),
        ("Europe/London", "London", "Лондон", "Londra"),
        ("GB", "London", "Лондон", "Londra"),
        ("Asia/Calcutta", "Kolkata", "Колката", "Calcutta"),
        ("America/Argentina/Ushuaia", "Ushuaia", "Ушуая", "Ushuaia"),
        ("America/New_York", "New York", "Ню Йорк", "New York"),
        ("UTC", "UTC", "UTC", "UTC"),
        ("Etc/UTC", "UTC", "UTC", "UTC"),
        ("EST5EDT", "EST5EDT", "EST5EDT", "EST5EDT"),
        ("Europe/Atlantis_City", "Atlantis City", "Atlantis City", "Atlantis City"),
    ],
)
def test_a_time_zone_is_called_by_its_city(zone: str, en: str, bg: str, ro: str) -> None:
    assert [words_of(language).city(zone) for language in ("en", "bg", "ro")] == [en, bg, ro]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Săptămâna  aceasta", "saptamana aceasta"),
        ("SĂPTĂMÎNĂ", "saptamina"),
        ("gradient-checkpointing", "gradient checkpointing"),
        ("New_York", "new york"),
        ("ТОЗИ Месец!", "този месец"),
        ("Straße", "strasse"),
        ("℠ ﬀ ½", "sm ff 1 2"),
        ("  ", ""),
        ("🎉…", ""),
    ],
)
def test_words_are_the_same_however_they_are_written(written: str, said: str) -> None:
    assert folded(written) == said


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert folded(folded(text)) == folded(text)
