"""Texts as Discord's markdown: shown as they are, whatever is in them, and calling nobody."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from adapters.characters import JOINER, clean
from adapters.discord.markup import (
    LONGEST_ADDRESS,
    emphasised,
    escaped,
    heading,
    is_address,
    link,
    quoted,
    strong,
    subdued,
)
from tests.discord.reading import Mark, read

ADDRESS = "https://example.org/a"
LOOKS: dict[str, Callable[[str], str]] = {
    "bold": strong,
    "italic": emphasised,
    "heading": heading,
    "small": subdued,
    "quote": quoted,
}

NASTY = (
    "*a* **b** ***c*** _d_ __e__ ~~f~~ ||g|| `h` ```i```",
    "a_b*c __init__ torch.optim.SGD 2*3*4 snake_case_name",
    "\\ \\* \\_ C:\\dir\\[x] ¯\\_(ツ)_/¯",
    "[x](y) [x](https://evil.com) [x](<https://evil.com>) ![x](y) [a][b] [x]",
    "<@123> <@!123> <@&123> <#123> <t:123:R> <t:123> </quiz:123> </quiz a:123> <:a:123> <a:b:123> <id:home>",
    "<https://evil.com> <mailto:a@b> <a@b> <+123456> <b>x</b> &quot; a < b << c",
    ":smile: :+1: a:b:c 12:30:45 ::wave:: :wave::skin-tone-2: std::vector",
    "@everyone @here x@everyone @@here",
    "# a\n## b\n### c\n#### d\n-# e\n  # f\n#g",
    "- a\n* b\n+ c\n1. d\n  - e\n10. f\n-5 +3",
    "> a\n>> b\n>>> c\n  > d\n>e",
    "3.14 is pi\n1) one\n2.x",
    "steam://run https://evil.com http://a.b/_c_ HTTPS://A.B",
    "{0.__class__} %s {{x}} $x",
    "🎉" * 32 + "👩\u200d👩\u200d👧\u200d👦🇧🇬❤️",
    "\u200b# a\n\u2060- b\n\u2068> שלום C++\u2069",
    "C# is C#",
    "a <\nb:/c>",
    "trailing \\",
)


def _seen(text: str) -> str:
    return text.replace(JOINER, "")


def _squeezed(text: str) -> str:
    """Without what a line may lose at its ends."""
    return "\n".join(line.strip() for line in text.split("\n"))


@pytest.mark.parametrize("text", NASTY)
def test_what_looks_like_markup_is_shown_as_it_is(text: str) -> None:
    """Field case 29."""
    shown = read(escaped(text))
    assert _seen(shown.text) == _seen(text)
    assert shown.marks == ()


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("text", NASTY)
def test_in_every_look_too(text: str, look: str) -> None:
    shown = read(LOOKS[look](escaped(text)))
    assert _squeezed(_seen(shown.text)) == _squeezed(_seen(text))
    assert set(shown.kinds) == {look}


_PIECES = st.sampled_from(
    [*"\\*_~`|[]()<>#-+@:&!./ \n1aя\u200b\u2060\ufeff\u00a0", "://", "https://", "everyone", ". "]
)
_TEXTS = st.lists(_PIECES | st.characters(codec="utf-8"), max_size=20).map("".join).map(clean)


@given(_TEXTS)
@example("https://a.b/(c")
def test_any_text_is_only_text(text: str) -> None:
    shown = read(escaped(text))
    assert _seen(shown.text) == _seen(text)
    assert shown.marks == ()


@given(_TEXTS, st.sampled_from(sorted(LOOKS)))
def test_any_text_has_only_the_look_that_it_is_given(text: str, look: str) -> None:
    shown = read(LOOKS[look](escaped(text)))
    assert _bare(shown.text) == _bare(text)
    assert set(shown.kinds) <= {look}


def _bare(text: str) -> str:
    return "".join(text.replace(JOINER, "").replace("\ufeff", "").split())


@given(_TEXTS, st.sampled_from(sorted(LOOKS)))
def test_with_links_nothing_but_addresses_is_added(text: str, look: str) -> None:
    shown = read(LOOKS[look](escaped(text, links=True)))
    assert _bare(shown.text) == _bare(text)
    assert set(shown.kinds) <= {look, "address"}
    assert all(address in text for address in shown.of("address"))


def test_nobody_is_called_even_where_the_server_looks_for_the_word() -> None:
    """Field case 29: whatever the app makes of a backslash."""
    text = escaped("@everyone and @here, not a@b.c")
    assert "@everyone" not in text
    assert "@here" not in text
    assert text.replace(JOINER, "") == "@everyone and @here, not a@b.c"


def test_code_is_as_it_was_written() -> None:
    assert escaped("torch.optim.SGD(lr=1e-3) # 5 > 4 - 1") == "torch.optim.SGD(lr=1e-3) # 5 > 4 - 1"
    assert escaped("zero_grad()") == "zero\\_grad()"
    assert escaped("a < b, 12:30, 3.5. 1") == "a < b, 12:30, 3.5. 1"


# Addresses


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("see https://example.org/a_b*", "https://example.org/a_b"),
        ("(https://example.org/x).", "https://example.org/x"),
        ("https://en.example.org/Foo_(bar), and", "https://en.example.org/Foo_(bar)"),
        ("https://example.org/?a=1&b=[2]#c.", "https://example.org/?a=1&b=[2]#c"),
        ("\u2068שלום https://example.org/x\u2069", "https://example.org/x"),
        ("<https://example.org/x>", "https://example.org/x"),
        ('"http://example.org/__init__"', "http://example.org/__init__"),
    ],
)
def test_an_address_that_is_written_out_leads_there(text: str, address: str) -> None:
    for look in (str, strong, emphasised):
        shown = read(look(escaped(text, links=True)))
        assert shown.of("address") == [address]
        assert shown.text == text


def test_what_is_left_of_an_address_leads_nowhere() -> None:
    shown = read(escaped("https://example.org/long…", links=True))
    assert shown.text == "https://example.org/long…"
    assert shown.marks == ()


@pytest.mark.parametrize("url", ["", "x", "javascript:alert(1)", "https://a b", "https://a>b", "ftp://a.b", "http://"])
def test_what_is_no_address_is_told_apart(url: str) -> None:
    assert not is_address(url)


def test_an_address_has_a_longest_length() -> None:
    assert is_address(ADDRESS + "x" * (LONGEST_ADDRESS - len(ADDRESS)))
    assert not is_address(ADDRESS + "x" * (LONGEST_ADDRESS - len(ADDRESS) + 1))


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("here", "here"),
        ("a [1](b) ](x) [", "a (1)(b) )(x) ("),
        ("__init__ *x* `y`", "__init__ *x* `y`"),
        ("two\nlines", "two lines"),
        ("ends in \\", "ends in \\"),
        ("example.org/a", "example.org/a"),
    ],
)
def test_a_link_is_its_words(text: str, seen: str) -> None:
    shown = read(link(text, ADDRESS))
    assert shown.text == seen
    assert shown.marks == (Mark("link", ADDRESS),)


def test_a_link_cannot_pretend_to_lead_elsewhere() -> None:
    """The app shows a link whose words are an address as it is written, brackets and all."""
    text = link("https://other.org", ADDRESS)
    assert "://other" not in text
    assert read(text).marks == (Mark("link", ADDRESS),)


@pytest.mark.parametrize("url", [f"{ADDRESS}_(b)", f"{ADDRESS}(", f"{ADDRESS})", f"{ADDRESS}\\", f'{ADDRESS}"*`'])
def test_no_address_ends_its_link(url: str) -> None:
    shown = read(f"{link('here', url)} **on**")
    assert shown.text == "here on"
    assert [mark.kind for mark in shown.marks] == ["link", "bold"]
    assert shown.of("link")[0].startswith("https://example.org/a")


def test_a_preview_is_never_asked_for() -> None:
    assert link("here", ADDRESS) == f"[here](<{ADDRESS}>)"
    assert escaped(ADDRESS, links=True) == f"<{ADDRESS}>"


# Looks


def test_each_line_has_its_look() -> None:
    assert strong("a\n\n  b ") == "**a**\n\n  **b** "
    assert emphasised("a\nb") == "*a*\n*b*"
    assert heading("a\n b") == "### a\n### b"
    assert subdued("a\n\nb") == "-# a\n\n-# b"
    assert quoted("a\n\nb") == "> a\n> \n> b"


def test_what_is_blank_has_no_look() -> None:
    for look in (strong, emphasised, heading, subdued):
        assert look(" \n\ufeff") == " \n\ufeff"


def test_a_heading_keeps_the_sign_at_its_end() -> None:
    assert _seen(read(heading(escaped("C#\nF# "))).text) == "C#\nF#"
