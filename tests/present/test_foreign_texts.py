"""Names and texts from people and content appear as they are, whatever they hold, and turn nothing around them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.effects import Asked, Closed, Ended, Noted, Post, Reply, Selected, Verdict
from bot.core.quiz import NEUTRAL, Image, LocalisedText, Option, Question, Quiz, Source
from bot.core.session import Drawn, Result
from bot.messages import Card, Role
from bot.present import picker, post, reply
from bot.words import languages
from tests.present.plain import plain, texts
from tests.present.sample import quiz_of, same, standing
from tests.present.scenes import ALONE, CARD, ENDED, POSTS, REPLIES

HOSTILE = (
    "{0.__class__}",
    "{name}",
    "%s %(name)s",
    "<b>bold</b>",
    "&quot;",
    "a_b*c [x](y) `z`",
    "__init__",
    "@everyone",
    "<@123> <#1>",
    "🎉" * 32,
)
DRAWN = Drawn(0, (1, 0))
RIGHT, WRONG, NOBODY = (Result(DRAWN, tally, sum(tally), tally[0]) for tally in ((1, 0), (0, 1), (0, 0)))
ONLY_ASKED = replace(ALONE, drawn=DRAWN, total=1)


def _full_of(text: str) -> Quiz:
    """A quiz with this text everywhere."""
    said = LocalisedText({"en": text})
    options = (Option(said, right=True, note=said), Option(said, note=said))
    sources = (Source("https://example.org", said), Source("https://example.org"))
    question = Question("q", said, options, said, sources=sources, image=Image("a.png", said))
    return Quiz("full", said, ("en",), (question,), intro=said)


def _post_of_its_only_question(effect: Post) -> list[Post]:
    match effect:
        case Asked():
            return [replace(effect, at=0, drawn=DRAWN)]
        case Closed():
            return [replace(effect, at=0, result=result) for result in (RIGHT, WRONG, NOBODY)]
        case Ended():
            return [replace(effect, results=(RIGHT, WRONG, NOBODY))]
        case _:
            return [effect]


def _reply_of_its_only_question(effect: Reply) -> Reply:
    match effect:
        case Verdict() | Noted() | Selected():
            return replace(effect, drawn=DRAWN, chosen=(0,))
        case _:
            return effect


def _every_card(quiz: Quiz, language: str) -> list[Card]:
    """Every scene, played with the only question of this quiz."""
    posts = [each for effect in POSTS.values() for each in _post_of_its_only_question(effect)]
    replies = [_reply_of_its_only_question(effect) for effect in REPLIES.values()]
    shown = [post(effect, quiz, language) for effect in posts]
    return [*shown, *(reply(effect, quiz, language) for effect in replies), picker([quiz], language, 0)]


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_of_a_quiz_are_shown_as_written(text: str) -> None:
    quiz = _full_of(text)
    assert plain(post(CARD, quiz, "en")).count(text) == 2  # title, intro
    assert plain(post(ONLY_ASKED, quiz, "en")).count(text) == 4  # stem, options, picture
    for language in languages():
        for card in _every_card(quiz, language):
            content = [b.text for b in card.blocks if b.role in (Role.STEM, Role.OPTION, Role.NOTE, Role.EXPLANATION)]
            assert set(content) <= {text}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("language", languages())
def test_names_are_shown_as_written(name: str, language: str) -> None:
    quiz = quiz_of(Question("q", same("?"), (Option(same("1"), right=True), Option(same("2")))))
    assert plain(post(replace(CARD, host_name=name), quiz, language)).count(f": {name}") == 1
    ended = replace(ENDED, results=(RIGHT,), standings=(standing(1, name, right=1),))
    assert f" 1. {name} " in plain(post(ended, quiz, language))


def test_a_name_cannot_turn_its_line_or_break_it() -> None:
    quiz = quiz_of(Question("q", same("?"), (Option(same("1"), right=True), Option(same("2")))))
    named = [standing(1, "Eve\u202e\n2. Bob", right=1), standing(2, "דנה", right=0), standing(2, " \u200b", right=0)]
    card = post(replace(ENDED, results=(RIGHT,), standings=tuple(named)), quiz, "en")
    said = [block.text for block in card.blocks if block.role is Role.STANDING]
    assert said == ["Eve 2. Bob — 1 of 1 right", "\u2068דנה\u2069 — 0 of 1 right", "someone — 0 of 1 right"]


def test_a_right_to_left_stem_is_isolated_and_the_score_beside_a_name_stays_readable() -> None:
    stem = LocalisedText({"he": "מה נכון לגבי C++?"})
    quiz = quiz_of(Question("q", stem, (Option(same("C++"), right=True), Option(same("C")))), languages=("he",))
    results = (RIGHT,) * 10 + (WRONG,) * 2
    ended = replace(ENDED, results=results, standings=(standing(1, "דנה C++", right=10),), others=0)
    shown = post(replace(ENDED, results=(WRONG,)), quiz, "en")
    assert "\u2068דנה C++\u2069 — 10 of 12 right" in plain(post(ended, quiz, "en"))
    assert "question 1. \u2068מה נכון לגבי C++?\u2069" in plain(shown)
    asked = post(ONLY_ASKED, quiz, "en")
    assert [(b.lead, b.text) for b in asked.blocks if b.role in (Role.STEM, Role.OPTION)] == [
        ("", "\u2068מה נכון לגבי C++?\u2069"),
        ("A", "C"),
        ("B", "C++"),
    ]


def test_code_in_a_stem_keeps_its_lines() -> None:
    stem = same("What does this print?\n\nfor x in y:\n    print(x)")
    quiz = quiz_of(Question("q", stem, (Option(same("1"), right=True), Option(same("2")))))
    card = post(ONLY_ASKED, quiz, "en")
    assert card.blocks[1].text == stem[NEUTRAL]


@settings(deadline=None)
@given(st.text(min_size=1).filter(str.strip), st.sampled_from(languages()))
def test_no_card_is_ever_empty_whatever_the_content_says(text: str, language: str) -> None:
    for card in _every_card(_full_of(text), language):
        assert all(said.strip() for said in texts(card))
