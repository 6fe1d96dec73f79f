"""HTML is read as the Bot API reads it, and refused where it refuses it."""

from __future__ import annotations

import pytest

from tests.telegram.server.errors import ApiError
from tests.telegram.server.markup import parsed, typed


@pytest.mark.parametrize(
    ("source", "text", "entities"),
    [
        ("plain & <b>bold</b>", "plain & bold", [("bold", 8, 4)]),
        ("<b>b<i>i</i></b>", "bi", [("bold", 0, 2), ("italic", 1, 1)]),
        ("😀<u>u</u>", "😀u", [("underline", 2, 1)]),
        ("&lt;b&gt; &quot;&amp;amp; &#64; &#x40; &nbsp;", '<b> "&amp; @ @ &nbsp;', []),
        ("<s>a</s><tg-spoiler>b</tg-spoiler>", "ab", [("strikethrough", 0, 1), ("spoiler", 1, 1)]),
        ('<span class="tg-spoiler">b</span>', "b", [("spoiler", 0, 1)]),
        ("<blockquote expandable>q</blockquote>", "q", [("expandable_blockquote", 0, 1)]),
        ("<BLOCKQUOTE>q</blockquote>", "q", [("blockquote", 0, 1)]),
        ("<code>a &lt; b</code>", "a < b", [("code", 0, 5)]),
        ('<pre><code class="language-python">x</code></pre>', "x", [("pre", 0, 1)]),
        ("<b></b>x<i>y</>", "xy", [("italic", 1, 1)]),
        ("  <b>x </b>\n", "x", [("bold", 0, 1)]),
        ("a > b", "a > b", []),
    ],
)
def test_tags_become_entities_in_utf16_units(source: str, text: str, entities: list[tuple[str, int, int]]) -> None:
    read = parsed(source, "HTML", [])
    assert read.text == text
    assert [(entity["type"], entity["offset"], entity["length"]) for entity in read.entities] == entities


def test_a_link_keeps_its_address_and_a_block_of_code_its_language() -> None:
    assert parsed('<a href="https://a.b/?c&amp;d">x</a>', "HTML", []).entities[0]["url"] == "https://a.b/?c&d"
    code = parsed('<pre><code class="language-python">x</code></pre>', "HTML", [])
    assert code.entities[0]["language"] == "python"


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("я<div>x</div>", 'Unsupported start tag "div" at byte offset 2'),
        ("a < b", 'Unsupported start tag "" at byte offset 2'),
        ("a <b", "Unclosed start tag at byte offset 2"),
        ("a </b", "Unclosed end tag at byte offset 2"),
        ("a</b>", "Unexpected end tag at byte offset 1"),
        ("<b>a</i>", 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'),
        ("<b><i>a</b></i>", 'Unmatched end tag at byte offset 7, expected "</i>", found "</b>"'),
        ("<b>a", 'Can\'t find end tag corresponding to start tag "b"'),
        ("<span>a</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
        ("a<br/>b", 'Unsupported start tag "br/" at byte offset 1'),
    ],
)
def test_html_that_is_wrong_is_refused_with_the_place(source: str, complaint: str) -> None:
    with pytest.raises(ApiError) as caught:
        parsed(source, "HTML", [])
    assert caught.value.description == f"Bad Request: can't parse entities: {complaint}"


@pytest.mark.parametrize(
    "entity", [{"type": "bold", "offset": 0, "length": 3}, {"type": "loud", "offset": 0, "length": 1}]
)
def test_entities_that_are_wrong_are_refused(entity: dict[str, object]) -> None:
    with pytest.raises(ApiError, match="can't parse entities"):
        parsed("ab", "", [entity])


def test_without_a_mode_nothing_is_markup_and_unknown_modes_are_refused() -> None:
    assert parsed("<b>&amp;", "", []).text == "<b>&amp;"
    with pytest.raises(ApiError, match="unsupported parse_mode"):
        parsed("x", "Markdown", [])


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("/quiz", ["/quiz"]),
        ("/quiz@quiz_test_bot x /stop", ["/quiz@quiz_test_bot", "/stop"]),
        ("and/or 1/2 </b> //x", []),
    ],
)
def test_commands_are_found_in_what_people_type(text: str, commands: list[str]) -> None:
    found = typed(text)
    assert [text[entity["offset"] : entity["offset"] + entity["length"]] for entity in found.entities] == commands
