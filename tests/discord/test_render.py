"""Cards as people read them on Discord."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from adapters.characters import JOINER
from adapters.discord.render import MOST_TEXT, SELECT, Colour, alt_text, layout, modal
from adapters.fitting import units
from adapters.pictures import described
from bot.core.quiz import NEUTRAL, Image, LocalisedText
from bot.messages import Block, Button, Card, Field, Form, Link, Mark, Role, Writing
from bot.present import post, reply
from bot.presses import Browse, Choose, Page, Prefer, Toggle, dump
from bot.words import words_of
from tests.discord.looking import look
from tests.discord.reading import read
from tests.discord.server import components
from tests.discord.server.components import Kind
from tests.present.sample import NOON, QUIZ
from tests.present.scenes import CARDS, POSTS, REPLIES

CURVE = Image("curve.png", LocalisedText({NEUTRAL: "A falling <curve>\nby @Ann"}))


def _scene(name: str) -> Card:
    return post(POSTS[name], QUIZ, "en")


def _card(*blocks: Block) -> Card:
    return Card(blocks)


def _choices(count: int) -> tuple[Button, ...]:
    return tuple(Button(letter, Choose("s1", 0, at)) for at, letter in enumerate("ABCDEFGHIJ"[:count]))


# How it looks

ASKED = """\
-# Question 1 of 4
**Micro-batches of 4, 8 accumulation steps. How large is the effective batch?**
---
**A.** 8
**B.** 32
**C.** 4
**D.** 12

-# Time: 30 seconds · ⏳ <t:1772366430:R>
-# 3 answered"""

SEVERAL = """\
-# Question 2 of 4
**Which layers do not depend on the batch?**
---
**A.** GroupNorm
**B.** BatchNorm
**C.** LayerNorm
---
Several answers are right: choose, then send.

-# Time: 30 seconds · ⏳ <t:1772366430:R>"""

CLOSED = """\
-# Question 1 of 4
**Micro-batches of 4, 8 accumulation steps. How large is the effective batch?**
---
**A.** 8
**B.** **32** · *✓ right · 3 chose it*
**C.** 4 · *1 chose it*
**D.** 12 · *1 chose it*

-# 3 of 5 got it right
---
> Every step adds 4 examples: 4 × 8 = 32.
[Gradient accumulation](<https://example.org/accumulation>)
[example.org/batches](<https://example.org/batches>)"""

ALONE = """\
-# Question 2 of 4
**Which layers do not depend on the batch?**
---
**A.** **GroupNorm** · *✓ right*
**B.** BatchNorm · *✗ your answer*
**C.** **LayerNorm** · *✓ right · your answer*
---
**✗ Wrong.**
Right answers: A. GroupNorm; C. LayerNorm
**B:** It takes its statistics from the batch."""

ENDED = """\
### Results — Gradient accumulation
---
**🥇 1.** Ann — 3 of 4 right, 3.45 points · *41 seconds*
**🥈 2.** Боян — 2 of 4 right, 2 points · *1 min 35 sec*
**🥈 2.** Ștefan — 2 of 4 right, 2 points · *2 min 10 sec*
**4.** \u2068דנה\u2069 — 0 of 4 right, 0 points · *1 minute*
---
and 12 more
Most missed: question 2. Which layers do not depend on the batch? · *1 of 5 right*"""

START = """\
### Gradient accumulation
---
Answers and explanations appear as you go.

4 questions
Pace: relaxed. No clock; go on with Next.
Feedback: at once."""


@pytest.mark.parametrize(
    ("scene", "text"),
    [
        ("asked-channel", ASKED),
        ("asked-several", SEVERAL),
        ("closed-channel", CLOSED),
        ("closed-private-several", ALONE),
        ("ended", ENDED),
        ("card-private", START),
    ],
)
def test_heading_options_outcome_and_reasons_stand_apart(scene: str, text: str) -> None:
    assert look(_scene(scene)).markdown == text


def test_a_reply_has_the_verdict_first_and_its_reasons_as_a_quote() -> None:
    assert look(reply(REPLIES["verdict-wrong"], QUIZ, "en")).markdown == (
        "**✗ Wrong.** You chose C.\n**C:** That is one micro-batch.\n---\n> Every step adds 4 examples: 4 × 8 = 32."
    )


def test_a_remark_is_small_and_stays_with_what_it_is_about() -> None:
    assert look(_scene("asked-untranslated")).markdown.startswith("-# Question 4 of 4\n**When")
    foreign = post(POSTS["asked-untranslated"], QUIZ, "bg")
    assert [line[:4] for line in look(foreign).markdown.split("\n")[:3]] == ["-# В", "-# *", "**Wh"]
    assert look(reply(REPLIES["verdict-untranslated"], QUIZ, "bg")).markdown.count("---") == 0


def test_what_can_be_typed_stays_as_it_is() -> None:
    assert "**/help** — " in look(CARDS["help-group"]("en")).markdown


def test_a_text_can_lead_to_a_message() -> None:
    markdown = look(CARDS["running-link"]("en")).markdown
    assert markdown == "[A quiz is running here already, at question 3 of 8.](<https://example.org/bot>)"
    assert look(_card(Block(Role.LINE, "here", url="javascript:x"))).markdown == "here"
    assert look(_card(Block(Role.SOURCE, "\u2060", url="https://a.b"))).markdown == "[…](<https://a.b>)"


@pytest.mark.parametrize(
    ("card", "colour"),
    [
        (_scene("asked-channel"), Colour.QUESTION),
        (_scene("asked-several"), Colour.QUESTION),
        (_scene("closed-channel"), Colour.NEUTRAL),
        (_scene("closed-private-right"), Colour.RIGHT),
        (_scene("closed-private-wrong"), Colour.WRONG),
        (_scene("closed-private-skipped"), Colour.NEUTRAL),
        (_scene("ended"), Colour.RESULTS),
        (_scene("ended-private"), Colour.RESULTS),
        (_scene("card-waiting"), Colour.NEUTRAL),
        (reply(REPLIES["verdict-fast"], QUIZ, "en"), Colour.RIGHT),
        (reply(REPLIES["verdict-incomplete"], QUIZ, "en"), Colour.WRONG),
    ],
)
def test_the_frame_has_the_colour_of_what_the_card_is(card: Card, colour: Colour) -> None:
    assert look(card).colour == colour


@pytest.mark.parametrize("colour", Colour)
@pytest.mark.parametrize("ground", [0xFFFFFF, 0x242429])
def test_a_frame_is_seen_on_light_and_on_dark(colour: Colour, ground: int) -> None:
    """By the formula of WCAG 2, which asks 3 of what is no text."""
    darker, lighter = sorted((_luminance(colour), _luminance(ground)))
    assert (lighter + 0.05) / (darker + 0.05) >= 3


def _luminance(colour: int) -> float:
    parts = [(colour >> shift & 255) / 255 for shift in (16, 8, 0)]
    red, green, blue = (part / 12.92 if part <= 0.04 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("text", ["", " \n ", "\u2060\u200b", "\x00", "\ufeff", "\u3164\u2800"])
def test_a_message_is_never_empty(text: str) -> None:
    assert look(_card(Block(Role.LINE, text))).markdown == "…"
    assert look(Card(())).markdown == "…"


async def test_the_library_keeps_neither_message_nor_form() -> None:
    assert layout(_scene("asked-channel")).is_finished()
    assert modal(FORM).is_finished()


# The countdown


def test_a_countdown_ends_no_earlier_than_the_time() -> None:
    card = replace(_scene("asked-channel"), deadline=NOON + timedelta(milliseconds=1))
    assert f"<t:{int(NOON.timestamp()) + 1}:R>" in look(card).markdown


def test_a_time_that_has_passed_is_not_counted() -> None:
    card = _scene("asked-channel")
    assert card.deadline
    assert "⏳" in look(card, now=card.deadline - timedelta(seconds=1)).markdown
    assert "⏳" not in look(card, now=card.deadline).markdown
    assert "Time: 30 seconds" in look(card, now=card.deadline).markdown


def test_a_countdown_stands_alone_where_no_fact_is() -> None:
    card = replace(_card(Block(Role.STEM, "Why?")), deadline=NOON)
    assert look(card).markdown == f"**Why?**\n---\n-# ⏳ <t:{int(NOON.timestamp())}:R>"


def test_a_countdown_is_there_however_long_the_question_is() -> None:
    card = _scene("asked-channel")
    long = replace(card, blocks=(card.blocks[0], Block(Role.STEM, "*" * 3000), *card.blocks[2:]))
    assert look(long).markdown.endswith("-# Time: 30 seconds · ⏳ <t:1772366430:R>\n-# 3 answered")


# Texts that are long or hostile

HOSTILE = (
    "<b>",
    "&quot;",
    "a_b*c",
    "[x](y)",
    "`",
    "__init__",
    "{0.__class__}",
    "%s",
    "@everyone",
    "\u202e",
    "🎉" * 32,
    "",
    "# 1. - > <@1> <#2> <t:3:R> </a:4> <:b:5> <id:home> :smile: ||c|| https://evil.com",
)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("role", [Role.TITLE, Role.STEM, Role.OPTION, Role.STANDING, Role.EXPLANATION, Role.NOTE])
def test_names_titles_stems_and_options_are_shown_as_they_are(text: str, role: Role) -> None:
    """Field case 29."""
    plain = look(_card(Block(role, "text", lead="lead", tail="tail", mark=Mark.RIGHT)))
    shown = look(_card(Block(role, f"text{text}", lead=f"{text}lead", tail=f"{text}tail", mark=Mark.RIGHT)))
    kept = text.replace("\u202e", "")
    wanted = plain.seen.replace("text", f"text{kept}").replace("tail", f"{kept}tail").replace("lead", f"{kept}lead")
    assert shown.seen.replace(JOINER, "") == wanted
    assert shown.kinds - {"address"} == plain.kinds
    assert "@everyone" not in shown.markdown


@pytest.mark.parametrize("role", [Role.STANDING, Role.FACT])
def test_no_name_leads_anywhere(role: Role) -> None:
    """Field case 29: what a person is called is no place to advertise."""
    name = words_of("en").name("Ann https://evil.com <https://evil.com> [x](https://evil.com)")
    shown = look(_card(Block(role, f"{name} — 3 of 4")))
    assert shown.seen == f"{name} — 3 of 4"
    assert shown.kinds == set()


def test_an_explanation_leads_where_it_says() -> None:
    (text,) = components.texts(look(_card(Block(Role.EXPLANATION, "See https://example.org/__init__ or so."))).parts)
    assert read(text).of("address") == ["https://example.org/__init__"]


def test_four_long_options_are_whole() -> None:
    """Field case 26: 120 characters that differ at the 100th."""
    texts = [f"{'x' * 99}{letter}{'_' * 20}" for letter in "ABCD"]
    blocks = [Block(Role.OPTION, text, lead=letter) for letter, text in zip("ABCD", texts, strict=True)]
    shown = look(Card((Block(Role.STEM, "stem " * 600), *blocks, Block(Role.EXPLANATION, "because " * 600)))).seen
    assert all(text in shown for text in texts)


def test_ten_options_from_a_list_are_whole_above_it() -> None:
    texts = [f"{'x' * 99}{letter}{'y' * 20}" for letter in "ABCDEFGHIJ"]
    blocks = [Block(Role.OPTION, text, lead=letter) for letter, text in zip("ABCDEFGHIJ", texts, strict=True)]
    shown = look(Card(tuple(blocks), (_choices(10),)))
    assert all(text in shown.seen for text in texts)
    (select,) = shown.selects
    assert select.labels[0] == f"A. {'x' * 96}…"


@pytest.mark.parametrize("stem", [400, 3000])
@pytest.mark.parametrize("explanation", [600, 5000])
@pytest.mark.parametrize("sign", ["x", "*", "😀", "\n>", "\\"])
def test_a_long_question_is_cut_where_it_matters_least(stem: int, explanation: int, sign: str) -> None:
    """Field case 27: measured as it is sent, with everything that is escaped in it."""
    closed = _scene("closed-channel")
    long = {
        Role.STEM: Block(Role.STEM, f"a{sign * (stem // len(sign) - 2)}z"),
        Role.EXPLANATION: Block(Role.EXPLANATION, f"b{sign * (explanation // len(sign) - 2)}z"),
    }
    card = replace(closed, blocks=tuple(long.get(block.role, block) for block in closed.blocks))
    shown = look(card)
    sent = sum(map(units, components.texts(shown.parts)))
    assert sent <= MOST_TEXT
    assert "**B.** **32** · *✓ right · 3 chose it*" in shown.markdown
    assert "…" in shown.seen or (stem, explanation) != (3000, 5000)
    assert sent > MOST_TEXT - 100 or "…" not in shown.seen


def test_a_long_title_and_thirty_long_names_are_one_message() -> None:
    """Field case 27."""
    places = [
        Block(Role.STANDING, f"{'_' * 32} — 3 of 4 right", lead=f"{at}.", tail="41 seconds") for at in range(1, 31)
    ]
    shown = look(_card(Block(Role.TITLE, "*" * 300), *places))
    assert shown.seen.count("_" * 32) == 30
    assert sum(map(units, components.texts(shown.parts))) <= MOST_TEXT


def test_a_hundred_and_twenty_places_are_one_message() -> None:
    """Field case 40."""
    places = [Block(Role.STANDING, f"{'*' * 32} — 3 of 4 right", lead=f"{at}.") for at in range(1, 121)]
    shown = look(_card(Block(Role.TITLE, "Results"), *places, Block(Role.LINE, "and more")))
    assert sum(map(units, components.texts(shown.parts))) <= MOST_TEXT
    assert shown.seen.endswith("\n…\nand more")
    assert shown.seen.count("*" * 32) > 30


def test_what_reads_from_right_to_left_stays_in_its_place() -> None:
    """Field case 32."""
    stem = "\u2068מה זה C++?\u2069"
    blocks = (Block(Role.STEM, stem), Block(Role.OPTION, stem, lead="A"), Block(Role.FACT, f"{stem} 10/12"))
    shown = look(_card(*blocks))
    assert shown.markdown == f"**{stem}**\n---\n**A.** {stem}\n\n-# {stem} 10/12"
    assert look(_card(Block(Role.LINE, "\u2067open\nnext"))).seen == "open\nnext"


# Pictures


def test_a_picture_stands_after_the_question_and_is_told_in_words() -> None:
    shown = look(replace(_scene("asked-channel"), image=CURVE), "picture.png")
    assert shown.order[:4] == [Kind.TEXT, Kind.GALLERY, Kind.SEPARATOR, Kind.TEXT]
    assert shown.pictures == [("attachment://picture.png", "A falling <curve> by @Ann")]


def test_a_picture_that_is_not_attached_is_not_spoken_of() -> None:
    assert look(replace(_scene("asked-channel"), image=CURVE)).pictures == []
    assert "*\\[A falling \\<curve>" in look(described(replace(_scene("asked-channel"), image=CURVE))).markdown


def test_words_of_a_picture_are_cut_to_what_there_is_room_for() -> None:
    assert alt_text(CURVE) == "A falling <curve> by @Ann"
    long = alt_text(Image("x.png", LocalisedText({NEUTRAL: "word " * 500})))
    assert long.endswith("word…")
    assert units(long) <= 1024
    assert alt_text(Image("x.png", LocalisedText({NEUTRAL: "\u2060"}))) == "…"


# Buttons


def test_buttons_say_what_they_do_and_how_they_stand_out() -> None:
    resume, stop = look(_scene("paused")).buttons
    assert (resume.label, resume.custom_id, resume.style) == ("Resume", "1:r:s1", 1)
    assert (stop.label, stop.custom_id, stop.style) == ("Stop", "1:x:s1", 4)
    (pick,) = look(Card((), ((Button("1", Page(1)),),))).buttons
    assert (pick.label, pick.custom_id, pick.style) == ("1", "1:p:1", 2)


def test_a_link_opens_its_address() -> None:
    (link,) = look(Card((), ((Link("Practise", "https://example.org/?start=x"),),))).buttons
    assert (link.label, link.url, link.custom_id) == ("Practise", "https://example.org/?start=x", None)


@pytest.mark.parametrize("url", ["", "tg://resolve", "https://example.org/" + "x" * 500])
def test_a_link_that_leads_nowhere_is_left_out(url: str) -> None:
    assert look(Card((), ((Link("Practise", url),),))).buttons == []


def test_a_row_that_is_too_long_is_split_evenly() -> None:
    row = tuple(Button(str(number), Page(number)) for number in range(8))
    assert look(Card((), (row, row[:2], ()))).rows == [["0", "1", "2", "3"], ["4", "5", "6", "7"]]


def test_what_says_the_same_is_there_once() -> None:
    first, second = Button("Quizzes", Browse()), Button("Another", Browse())
    assert look(Card((), ((first,), (second, Button("1", Page(1)))))).rows == [["Quizzes"], ["1"]]


def test_there_are_never_more_parts_than_forty() -> None:
    rows = tuple(tuple(Button("x", Page(10 * row + at)) for at in range(7)) for row in range(10))
    parts = list(components.walk(look(replace(_scene("closed-channel"), buttons=rows), "x.png").parts))
    assert 38 < len(parts) <= 40


def test_a_button_is_never_without_a_label() -> None:
    row = (Button("", Page(1)), Button("\u2060", Page(2)), Link(" \n", "https://a.b"), Button("a\nb\ud800", Page(3)))
    assert look(Card((), (row,))).rows == [["…", "…", "…", "a b"]]
    (long,) = look(Card((), ((Button("long " * 20, Page(1)),),))).buttons
    assert long.label == "long " * 15 + "long…"


# Lists


def test_up_to_five_options_are_letters_and_more_are_a_list() -> None:
    options = [Block(Role.OPTION, f"*{letter}*", lead=letter) for letter in "ABCDEF"]
    onward = (Button("Next", Page(1)),)
    assert look(Card(tuple(options), (_choices(5), onward))).rows == [list("ABCDE"), ["Next"]]
    shown = look(Card(tuple(options), (_choices(6)[:4], _choices(6)[4:], onward)))
    assert shown.rows == [["▾ A–F"], ["Next"]]
    assert look(Card((), (_choices(6)[:4], onward, _choices(6)[4:]))).rows == [["▾ A–F"], ["Next"]]
    (select,) = shown.selects
    assert (select.custom_id, select.least, select.most) == (f"{SELECT}0", 1, 1)
    assert select.options[5] == ("F. *F*", "1:a:s1:0:5")


def test_of_several_right_options_a_list_takes_as_many_as_there_are() -> None:
    shown = look(_scene("asked-several"))
    assert shown.rows == [["▾ A–C"], ["Send", "Next"]]
    (select,) = shown.selects
    assert (select.least, select.most) == (1, 3)
    assert select.options[0] == ("A. GroupNorm", "1:t:s1:1:1")


def test_other_buttons_of_a_row_with_options_stay_beside_the_list() -> None:
    row = (Button("A", Toggle("s1", 0, 0)), Button("Next", Page(1)), Button("B", Toggle("s1", 0, 1)))
    assert look(Card((), (row,))).rows == [["▾ A–B"], ["Next"]]
    assert look(Card((), (row,))).selects[0].labels == ["A", "B"]


def test_more_options_than_a_list_holds_are_several_lists() -> None:
    many = tuple(Button(str(at), Choose("s1", 0, at)) for at in range(30))
    selects = look(Card((), (many,))).selects
    assert [(select.custom_id, len(select.options)) for select in selects] == [("1:select:0", 15), ("1:select:1", 15)]


# Forms

PACES = (Button("Relaxed", Prefer("pace", "relaxed")), Button("Steady", Prefer("pace", "steady")))
FORM = Form("Settings", Page(1), (Field("Pace", PACES, now=1), Writing("What is wrong?", 300)))


def test_a_form_is_chosen_from_lists_and_written_into() -> None:
    body = modal(FORM).to_dict()
    assert (body["title"], body["custom_id"]) == ("Settings", "1:p:1")
    pace, text = body["components"]
    assert pace["label"] == "Pace"
    (select,) = components.selects([pace])
    assert select.options == tuple((button.label, dump(button.press)) for button in PACES)
    assert (select.chosen, select.least, select.most) == (("Steady",), 1, 1)
    assert text["label"] == "What is wrong?"
    assert text["component"]["max_length"] == 300
    assert (text["component"]["required"], text["component"]["style"]) == (False, 2)


def test_a_field_without_a_choice_has_none_preset() -> None:
    (pace,) = modal(Form("Settings", Page(1), (Field("Pace", PACES),))).to_dict()["components"]
    assert components.selects([pace])[0].chosen == ()


def test_a_form_is_cut_to_what_there_is_room_for() -> None:
    long = Form("title " * 20, Page(1), tuple(Writing("label " * 20, 9999) for _ in range(7)))
    body = modal(long).to_dict()
    assert body["title"] == "title " * 6 + "title…"
    assert len(body["components"]) == 5
    assert {part["label"] for part in body["components"]} == {"label " * 6 + "label…"}
    assert {part["component"]["max_length"] for part in body["components"]} == {4000}
