"""What of a text is given to a chat platform."""

from __future__ import annotations

from adapters.characters import clean


def test_what_platforms_do_not_take_is_left_out() -> None:
    assert clean("a\x00b\rc\u202ed\ud800e\u2028f\tg\nh") == "abcdef g\nh"


def test_directions_stay_only_where_they_end_on_their_line() -> None:
    closed = "one \u2068שלום\u2069 two"
    assert clean(f"{closed}\n{closed}") == f"{closed}\n{closed}"
    assert clean(f"a\u2067b\n{closed}\n\u2068open\n\u2068\u2068in\u2069\u2069") == f"ab\n{closed}\nopen\nin"
