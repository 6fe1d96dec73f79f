"""What is cut, and what is not, when a card is too long for a message."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.fitting import CUT, fitted, shortened, units
from bot.messages import Block, Mark, Role
from bot.words import END_OF_ISOLATE, ISOLATE

OPTIONS = [Block(Role.OPTION, f"{letter * 118}{number}", lead=letter) for number, letter in enumerate("ABCD", 10)]
STEM = Block(Role.STEM, "stem " * 60)
EXPLANATION = Block(Role.EXPLANATION, "because " * 625)
SOURCES = [Block(Role.SOURCE, name * 20, url="https://example.org") for name in "xy"]
FAMILY = "👨\u200d👩\u200d👧"


def _length(blocks: Sequence[Block]) -> int:
    return sum(units(block.lead + block.text + block.tail) + 2 for block in blocks)


def _fitted(blocks: Sequence[Block], most: int) -> list[Block]:
    shown = list(fitted(blocks, most, _length))
    assert _length(shown) <= most
    return shown


# A text


def test_the_unit_is_that_of_utf_16() -> None:
    assert [units(text) for text in ("a", "я", "😀", FAMILY)] == [1, 1, 2, 8]


def test_a_text_is_cut_at_a_word() -> None:
    assert shortened("one two, three four", 19) == "one two, three four"
    assert shortened("one two, three four", 18) == "one two, three…"
    assert shortened("one two, three four", 12) == "one two…"


def test_a_long_word_is_cut_inside() -> None:
    assert shortened("x" * 50, 10) == "x" * 9 + CUT
    assert shortened("ab " + "x" * 50, 20) == "ab " + "x" * 16 + CUT


@pytest.mark.parametrize(
    "whole", [FAMILY, "🇧🇬", "👍🏽", "e\u0301", "1\ufe0f\u20e3", "🏴\U000e0067\U000e0062\U000e007f", "😀"]
)
def test_no_character_is_cut_in_two(whole: str) -> None:
    text = whole * 9
    for most in range(2, units(text)):
        cut = shortened(text, most)
        assert cut == whole * ((len(cut) - 1) // len(whole)) + CUT
        assert units(cut) <= most


def test_the_second_of_two_flags_goes_as_a_whole() -> None:
    assert shortened("🇧🇬🇷🇴🇧🇬", 8) == "🇧🇬" + CUT


def test_a_direction_ends_with_its_text() -> None:
    text = f"{ISOLATE}שלום עולם שלום{END_OF_ISOLATE}"
    assert shortened(text, 12) == f"{ISOLATE}שלום עולם{CUT}{END_OF_ISOLATE}"
    assert shortened(f"{text} and so on", 22) == f"{text} and{CUT}"
    assert shortened(text, 3) == CUT


@given(st.text(st.sampled_from(f"ab \n😀é{FAMILY}{ISOLATE}🇧🇬"), max_size=60), st.integers(1, 60))
def test_a_cut_text_is_short_enough_and_says_so(text: str, most: int) -> None:
    cut = shortened(text, most)
    assert cut == text or (units(cut) <= most and CUT in cut)
    assert cut == text or text.startswith(cut.partition(CUT)[0])


# A card


def test_what_fits_stays_as_it_is() -> None:
    blocks = [STEM, *OPTIONS]
    assert fitted(blocks, _length(blocks), _length) is blocks


def test_an_explanation_gives_way_first_and_to_the_last_word() -> None:
    shown = _fitted([STEM, *OPTIONS, EXPLANATION, *SOURCES], 4096)
    assert shown[:5] == [STEM, *OPTIONS]
    assert shown[-2:] == SOURCES
    assert shown[5].text.endswith(f"because{CUT}")
    assert _length(shown) > 4096 - len("because ")


def test_a_note_gives_way_before_a_sentence_and_that_before_the_stem() -> None:
    note, line = Block(Role.NOTE, "note " * 60, lead="A"), Block(Role.LINE, "line " * 60)
    blocks = [STEM, *OPTIONS, line, note, EXPLANATION]
    assert _fitted(blocks, 1300)[:6] == [STEM, *OPTIONS, line]
    assert _fitted(blocks, 1100)[:5] == [STEM, *OPTIONS]


@pytest.mark.parametrize("most", [1024, 800])
def test_four_options_of_120_characters_are_whole_in_every_caption(most: int) -> None:
    """Field case 26: they differ at the end."""
    marked = [Block(Role.OPTION, each.text, each.lead, "✓ right · 12 chose it", Mark.RIGHT) for each in OPTIONS]
    title, fact = Block(Role.TITLE, "t" * 300), Block(Role.FACT, "f" * 300)
    shown = _fitted([title, STEM, *marked, fact, EXPLANATION, *SOURCES], most)
    assert [block for block in shown if block.role is Role.OPTION] == marked


def test_sources_are_left_out_from_the_last_and_never_cut() -> None:
    blocks = [STEM, *OPTIONS, Block(Role.EXPLANATION, "because " * 10), *SOURCES]
    room = _length(blocks) - units(SOURCES[1].text)
    assert _fitted(blocks, room)[6:] == SOURCES[:1]
    assert [block for block in _fitted(blocks, room - 40) if block.role is Role.SOURCE] == []


def test_a_long_stem_keeps_some_of_itself() -> None:
    shown = _fitted([Block(Role.STEM, "stem " * 600), *OPTIONS, EXPLANATION], 1024)
    assert shown[1:5] == OPTIONS
    assert units(shown[0].text) > 300
    assert shown[5].text.startswith("because because")


def test_standings_lose_whole_lines_from_the_end() -> None:
    """Field case 40: and no name is cut."""
    title = Block(Role.TITLE, "Results")
    places = [Block(Role.STANDING, f"{number:03}{'n' * 60}", lead=f"{number}.") for number in range(1, 121)]
    shown = _fitted([title, *places, Block(Role.LINE, "and 3 more")], 4096)
    kept = len(shown) - 3
    assert shown == [title, *places[:kept], Block(Role.STANDING, CUT), Block(Role.LINE, "and 3 more")]
    assert kept > 50


def test_of_several_texts_the_longest_gives_way() -> None:
    short, long = Block(Role.LINE, "short " * 10, lead="1."), Block(Role.LINE, "long " * 200, lead="2.")
    assert _fitted([short, long, short], 600)[::2] == [short, short]


def test_what_is_listed_keeps_its_number() -> None:
    entries = [Block(Role.LINE, "long " * 20, lead=f"{number}.") for number in range(10, 40)]
    shown = _fitted(entries, 30 * units("10.…  "))
    assert [block.lead for block in shown] == [block.lead for block in entries]


def test_where_nothing_else_helps_options_are_cut_alike() -> None:
    blocks = [Block(Role.OPTION, letter * 900, lead=letter) for letter in "ABCDEFGHIJ"]
    shown = _fitted(blocks, 4096)
    assert len({units(block.text) for block in shown}) == 1
    assert [block.lead for block in shown] == list("ABCDEFGHIJ")


_BLOCKS = st.builds(
    Block,
    st.sampled_from(Role),
    st.sampled_from(["", "a", "word " * 40, "я" * 3000, FAMILY * 200]),
    st.sampled_from(["", "A", "l" * 500]),
    st.sampled_from(["", "tail", "t " * 500]),
)


@given(st.lists(_BLOCKS, max_size=200), st.sampled_from([40, 1024, 4096]))
def test_any_card_fits(blocks: list[Block], most: int) -> None:
    _fitted(blocks, most)
