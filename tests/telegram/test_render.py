"""Cards as people read them on Telegram."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from telegram import InlineKeyboardMarkup

from adapters.characters import JOINER
from adapters.fitting import units
from adapters.telegram.render import (
    MOST_CAPTION,
    MOST_TEXT,
    QUICK_TO_READ,
    Rendered,
    alt,
    caption,
    fits_caption,
    popup,
    rendered,
)
from bot.core.quiz import NEUTRAL, Image, LocalisedText
from bot.messages import Block, Button, Card, Link, Mark, Role, Style
from bot.present import post, reply
from bot.presses import MOST_BYTES, Browse, Page, load
from bot.words import languages
from tests.present.sample import QUIZ
from tests.present.scenes import POSTS, REPLIES
from tests.telegram.server.markup import Formatted, parsed

CURVE = Image("curve.png", LocalisedText({NEUTRAL: "A falling <curve> by @Ann"}))


def _scene(name: str) -> Card:
    return post(POSTS[name], QUIZ, "en")


def _parsed(message: Rendered) -> Formatted:
    return parsed(message.text, "HTML", [])


def _card(*blocks: Block) -> Card:
    return Card(blocks)


def _buttons(card: Card) -> list[list[str]]:
    markup = rendered(card).keyboard
    return [[button.text for button in row] for row in markup.inline_keyboard] if markup else []


# How it looks

ASKED = """\
<i>Question 1 of 4</i>

<b>Micro-batches of 4, 8 accumulation steps. How large is the effective batch?</b>

<b>A.</b> 8
<b>B.</b> 32
<b>C.</b> 4
<b>D.</b> 12

Time: 30 seconds
3 answered"""

CLOSED = """\
<i>Question 1 of 4</i>

<b>Micro-batches of 4, 8 accumulation steps. How large is the effective batch?</b>

<b>A.</b> 8
<b>B.</b> <b>32</b> · <i>✓ right · 3 chose it</i>
<b>C.</b> 4 · <i>1 chose it</i>
<b>D.</b> 12 · <i>1 chose it</i>

3 of 5 got it right

<blockquote expandable>Every step adds 4 examples: 4 × 8 = 32.</blockquote>

<a href="https://example.org/accumulation">Gradient accumulation</a>
<a href="https://example.org/batches">example.org/batches</a>"""

ALONE = """\
<i>Question 2 of 4</i>

<b>Which layers do not depend on the batch?</b>

<b>A.</b> <b>GroupNorm</b> · <i>✓ right</i>
<b>B.</b> BatchNorm · <i>✗ your answer</i>
<b>C.</b> <b>LayerNorm</b> · <i>✓ right · your answer</i>

<b>✗ Wrong.</b>
Right answers: A. GroupNorm; C. LayerNorm
<b>B:</b> It takes its statistics from the batch."""

OWN = """\
<b>Results — Gradient accumulation</b>

Stopped early, after 3 of 4 questions.
You got 1 of 3 right.
Worth another look:

<b>1.</b> Micro-batches of 4, 8 accumulation steps. How large is the effective batch? · <i>Right answer: B. 32</i>
<b>2.</b> Which layers do not depend on the batch? · <i>Right answers: A. GroupNorm; C. LayerNorm</i>"""

ENDED = """\
<b>Results — Gradient accumulation</b>

<b>🥇 1.</b> Ann — 3 of 4 right, 3.|45 points · <i>41 seconds</i>
<b>🥈 2.</b> Боян — 2 of 4 right, 2 points · <i>1 min 35 sec</i>
<b>🥈 2.</b> Ștefan — 2 of 4 right, 2 points · <i>2 min 10 sec</i>
<b>4.</b> \u2068דנה\u2069 — 0 of 4 right, 0 points · <i>1 minute</i>

and 12 more
Most missed: question 2. Which layers do not depend on the batch? · <i>1 of 5 right</i>"""


@pytest.mark.parametrize(
    ("scene", "text"),
    [
        ("asked-channel", ASKED),
        ("closed-channel", CLOSED),
        ("closed-private-several", ALONE),
        ("ended-private", OWN),
        ("ended", ENDED.replace("|", JOINER)),
    ],
)
def test_heading_options_and_what_is_said_of_them_stand_apart(scene: str, text: str) -> None:
    assert rendered(_scene(scene)).text == text


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("scene", POSTS)
def test_every_word_of_a_card_is_there_and_none_is_added(scene: str, language: str) -> None:
    card = post(POSTS[scene], QUIZ, language)
    message = rendered(card)
    assert _parsed(message).text == message.plain
    shown = message.plain.replace(JOINER, "")
    for block in card.blocks:
        for text in (block.lead, block.text, block.tail):
            assert text in shown
            shown = shown.replace(text, "", 1)
    assert set(shown) <= set("\n .:·")


def test_names_call_nobody_and_lead_nowhere() -> None:
    """Field case 29: names are shown as they are."""
    name = "@everyone evil.com <b>/stop"
    message = rendered(_card(Block(Role.STANDING, f"{name} — 3 of 4", lead="1.")))
    assert message.plain.replace(JOINER, "") == f"1. {name} — 3 of 4"
    assert message.text == f"<b>1.</b> @{JOINER}everyone evil.{JOINER}com &lt;b&gt;/{JOINER}stop — 3 of 4"


@pytest.mark.parametrize("text", ["", " \n ", "\u2060\u200b", "\x00", "\ufeff", "\u3164\u2800"])
def test_a_message_is_never_empty(text: str) -> None:
    assert rendered(_card(Block(Role.LINE, text))).text == "…"
    assert rendered(Card(())).text == "…"


# Pictures


def test_the_words_under_a_picture_leave_room_for_the_answer() -> None:
    card = _scene("asked-channel")
    long = replace(card, blocks=(*card.blocks, Block(Role.OPTION, "x" * 700)))
    assert fits_caption(card)
    assert not fits_caption(long)
    assert caption(long) == rendered(long), "what still fits is not cut"


def test_an_answer_that_is_too_long_for_a_caption_is_cut_in_its_explanation() -> None:
    card = _scene("closed-channel")
    long = replace(card, blocks=(*card.blocks, Block(Role.EXPLANATION, "because " * 500)))
    plain = caption(long).plain
    assert units(plain) <= MOST_CAPTION
    assert plain.startswith(rendered(card).plain)
    assert plain.endswith("because…")


def test_the_words_of_a_picture_stand_alone_under_it() -> None:
    words = alt(replace(_scene("asked-private"), image=CURVE))
    assert words.text == f"<i>A falling &lt;curve&gt; by @{JOINER}Ann</i>"
    assert words.keyboard is None


# Buttons


def test_buttons_say_what_they_do_and_how_they_stand_out() -> None:
    markup = rendered(_scene("paused")).keyboard
    assert markup
    resume, stop = markup.inline_keyboard[0]
    assert (resume.text, resume.callback_data, resume.style) == ("Resume", "1:r:s1", "primary")
    assert (stop.text, stop.callback_data, stop.style) == ("Stop", "1:x:s1", "danger")
    (pick,) = _first_row(Card((), ((Button("1", Page(1)),),)))
    assert pick == {"text": "1", "callback_data": "1:p:1"}


def test_a_link_opens_its_address() -> None:
    assert _first_row(Card((), ((Link("Practise", "https://t.me/bot?start=x"),),))) == [
        {"text": "Practise", "url": "https://t.me/bot?start=x"}
    ]


def _first_row(card: Card) -> list[dict[str, object]]:
    markup = rendered(card).keyboard
    assert markup
    return [button.to_dict() for button in markup.inline_keyboard[0]]


def test_a_row_that_is_too_long_is_split_evenly() -> None:
    row = tuple(Button(letter, Browse()) for letter in "ABCDEFGHIJ")
    assert _buttons(Card((), (row, row[:8]))) == [list("ABCDE"), list("FGHIJ"), list("ABCDEFGH")]


def test_there_are_never_more_than_a_hundred_buttons() -> None:
    row = tuple(Button(letter, Browse()) for letter in "ABCDEFG")
    assert [len(row) for row in _buttons(Card((), (row,) * 20))] == [7] * 14 + [2]


def test_a_card_without_buttons_has_no_keyboard() -> None:
    assert rendered(Card((), ((),))).keyboard is None


def test_a_button_is_never_without_a_label() -> None:
    row = (Button("", Browse()), Button("\u2060", Browse()), Link(" \n", "https://a.b"), Button("a\nb\ud800", Browse()))
    assert _buttons(Card((), (row,))) == [["…", "…", "…", "a b"]]


# Pop-ups


def test_in_a_group_the_presser_alone_is_told_all_of_it_in_a_window() -> None:
    said = popup(reply(REPLIES["verdict-wrong"], QUIZ, "en"), private=False)
    assert said.text == (
        "✗ Wrong. You chose C.\nC: That is one micro-batch.\n\nEvery step adds 4 examples: 4 × 8 = 32."
    )
    assert said.alert


@pytest.mark.parametrize("language", languages())
def test_a_reason_is_a_window_however_short(language: str) -> None:
    said = popup(reply(REPLIES["verdict-several-wrong"], QUIZ, language), private=False)
    assert units(said.text) < 80
    assert said.alert


def test_in_private_a_glance_is_enough_because_the_message_says_the_rest() -> None:
    said = popup(reply(REPLIES["verdict-wrong"], QUIZ, "en"), private=True)
    assert (said.text, said.alert) == ("✗ Wrong. You chose C.", False)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", [name for name in REPLIES if not name.startswith("verdict")])
def test_one_sentence_is_no_window_to_close(name: str, language: str) -> None:
    assert not popup(reply(REPLIES[name], QUIZ, language), private=False).alert


def test_a_sentence_too_long_to_read_in_passing_is_a_window() -> None:
    assert not popup(_card(Block(Role.LINE, "x" * QUICK_TO_READ)), private=False).alert
    assert popup(_card(Block(Role.LINE, "x" * (QUICK_TO_READ + 1))), private=False).alert
    assert not popup(_card(Block(Role.LINE, "x" * (QUICK_TO_READ + 1))), private=True).alert


def test_nothing_to_say_is_no_pop_up() -> None:
    assert popup(None, private=False) == popup(Card(()), private=True) == popup(Card(()), private=False)
    assert popup(None, private=False).text == ""


def test_verdict_and_note_come_before_the_explanation_is_cut_at_a_word() -> None:
    note, explanation = Block(Role.NOTE, "😀" * 50, lead="B"), Block(Role.EXPLANATION, "because " * 30)
    said = popup(_card(Block(Role.VERDICT, "✗ Wrong.", tail="You chose B."), note, explanation), private=False).text
    assert said.startswith(f"✗ Wrong. You chose B.\nB: {'😀' * 50}\n\nbecause because")
    assert said.endswith(" because…")
    assert 190 < units(said) <= 200


# Anything

_WILD = st.text(
    st.characters() | st.sampled_from("<>&\"'@/#.$\u2067\u2068\u2069\u202e\x00\ud800 \n😀👨\u200d👩\u0301🇧🇬שלוםАя"),
    max_size=40,
)
_TEXTS = st.builds(lambda text, times: (text * times)[:10_000], _WILD, st.sampled_from([1, 1, 1, 9, 1000]))
_BLOCKS = st.builds(
    Block,
    st.sampled_from(Role),
    _TEXTS,
    _WILD,
    _WILD,
    st.sampled_from(Mark),
    st.sampled_from(["", "https://e.org/?'\"<&"]),
)
_BUTTONS = st.builds(Button, _WILD, st.builds(Page, st.integers(0, 99)), st.sampled_from(Style))
_LINKS = st.builds(Link, _WILD, st.just("https://example.org"))
_CARDS = st.builds(
    Card,
    st.lists(_BLOCKS, max_size=14).map(tuple),
    st.lists(st.lists(_BUTTONS | _LINKS, max_size=20).map(tuple), max_size=12).map(tuple),
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(_CARDS, st.sampled_from([MOST_TEXT, MOST_CAPTION]))
def test_any_card_is_a_message_that_the_platform_takes(card: Card, most: int) -> None:
    message = rendered(card, most)
    shown = _parsed(message)
    assert shown.text == message.plain.strip()
    assert 0 < units(shown.text) <= most
    assert units(message.plain) <= most
    for line in message.plain.split("\n"):
        assert line.count("\u2068") == line.count("\u2069")
    _check(message.keyboard)


def _check(markup: InlineKeyboardMarkup | None) -> None:
    rows = markup.inline_keyboard if markup else ()
    assert sum(map(len, rows)) <= 100
    for row in rows:
        assert 1 <= len(row) <= 8
        for button in row:
            assert button.text.strip()
            assert bool(button.url) is (button.callback_data is None)
            if isinstance(button.callback_data, str):
                assert len(button.callback_data.encode("ascii")) <= MOST_BYTES
                load(button.callback_data)


@settings(deadline=None)
@given(st.lists(_BLOCKS, max_size=6).map(tuple), st.booleans())
def test_any_reply_is_a_pop_up_that_the_platform_takes(blocks: tuple[Block, ...], private: bool) -> None:
    said = popup(Card(blocks), private=private)
    assert units(said.text) <= 200
    said.text.encode()
