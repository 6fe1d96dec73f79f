"""Texts as Telegram's HTML: shown as they are, whatever is in them, and calling nobody."""

from __future__ import annotations

import pytest

from adapters.characters import JOINER
from adapters.telegram.markup import MOST_FORMATTED, Look, Span, html, inert, plain
from tests.telegram.server.markup import parsed


def _kinds(spans: list[Span]) -> list[str]:
    return [entity["type"] for entity in parsed(html(spans), "HTML", []).entities]


@pytest.mark.parametrize(
    "text", ["<b>x</b>", "&quot;&amp;", "a < b && c > d", "\"'", "</a>", "<blockquote expandable>"]
)
@pytest.mark.parametrize("look", Look)
def test_what_looks_like_markup_is_shown_as_it_is(text: str, look: Look) -> None:
    assert parsed(html([Span(text, look, "https://example.org")]), "HTML", []).text == text


def test_an_address_cannot_leave_its_attribute() -> None:
    url = 'https://example.org/?a="><b>&c='
    (link,) = parsed(html([Span("here", Look.LINK, url)]), "HTML", []).entities
    assert link["url"] == url


def test_each_look_is_an_entity() -> None:
    spans = [Span("plain"), *(Span("x", look, "https://example.org") for look in Look if look is not Look.PLAIN)]
    assert _kinds(spans) == ["italic", "bold", "expandable_blockquote", "text_link"]


def test_of_too_many_looks_the_least_are_lost() -> None:
    spans = [Span("x", look) for look in [Look.SUBDUED, Look.STRONG] * MOST_FORMATTED]
    assert set(_kinds(spans)) == {"bold"}
    links = [Span("here", Look.LINK, "https://example.org")] * 5
    assert _kinds([*spans, *links]) == ["text_link"] * 5
    assert plain(spans) == parsed(html(spans), "HTML", []).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@everyone", "@|everyone"),
        ("hi @Ann, #tag, /halt and $USD", "hi @|Ann, #|tag, /|halt and $|USD"),
        ("/quiz starts one, /help and (/stop)", "/quiz starts one, /help and (/stop)"),
        ("(@Ann)", "(@|Ann)"),
        ("and/or 1/2 C# a@b", "and/or 1/2 C# a@b"),
        ("@ # / @-", "@ # / @-"),
        ("@Ștefan #тема", "@|Ștefan #|тема"),
        ("see https://example.org/@user#part or http://a.b/c", "see https://example.org/@user#part or http://a.b/c"),
        ("torch.optim.SGD", "torch.optim.SGD"),
    ],
)
def test_nothing_in_a_text_is_a_mention_a_command_or_a_tag(text: str, expected: str) -> None:
    assert inert(text, names=False) == expected.replace("|", JOINER)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("evil.com — 3 of 4", "evil.|com — 3 of 4"),
        ("https://evil.com/@x", "https:|//|evil.|com/@|x"),
        ("Dr. Who. 3 of 4", "Dr. Who. 3 of 4"),
    ],
)
def test_no_name_is_a_link(text: str, expected: str) -> None:
    assert inert(text, names=True) == expected.replace("|", JOINER)
