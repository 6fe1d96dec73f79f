"""An open question looks the same whichever option is right."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.effects import Asked, Closed, Noted, Post, Reply, Selected
from bot.core.quiz import LocalisedText, Option, Question, Quiz
from bot.core.session import Drawn, Result
from bot.present import post, reply
from bot.words import languages

TEXTS = st.text(min_size=1, max_size=12).filter(str.strip)
LOCALISED = st.dictionaries(st.sampled_from(["en", "ro", "und"]), TEXTS).flatmap(
    lambda texts: st.builds(lambda en: LocalisedText({**texts, "en": en}), TEXTS)
)
NOTES = st.none() | LOCALISED


def _keyed(question: Question, key: Collection[int]) -> Quiz:
    options = tuple(replace(option, right=index in key) for index, option in enumerate(question.options))
    return Quiz("any", LocalisedText({"en": "Any"}), ("en", "ro"), (replace(question, options=options),))


@st.composite
def same_but_for_the_key(draw: st.DrawFn) -> tuple[Quiz, Quiz, Drawn]:
    """Two quizzes of one question that differ in the key alone, with one right option or with several in both."""
    count = draw(st.integers(2, 10))
    texts, notes = draw(st.lists(LOCALISED, min_size=count, max_size=count)), draw(st.lists(NOTES, min_size=count))
    options = tuple(Option(text, right=True, note=note) for text, note in zip(texts, notes, strict=False))
    question = Question("q", draw(LOCALISED), options, draw(NOTES))
    fewest, most = draw(st.sampled_from([(1, 1), (2, count)]))
    keys = st.sets(st.integers(0, count - 1), min_size=fewest, max_size=most)
    drawn = Drawn(0, tuple(draw(st.permutations(range(count)))))
    return _keyed(question, draw(keys)), _keyed(question, draw(keys)), drawn


@settings(deadline=None)
@given(
    same_but_for_the_key(),
    st.sampled_from(languages()),
    st.booleans(),
    st.none() | st.just(timedelta(seconds=30)),
    st.integers(0, 3),
)
def test_an_open_question_is_the_same_card_whichever_option_is_right(
    quizzes: tuple[Quiz, Quiz, Drawn], language: str, private: bool, limit: timedelta | None, answered: int
) -> None:
    one, other, drawn = quizzes
    effect = Asked("s", 0, 8, drawn, limit, None, step=0, private=private, answered=answered)
    assert post(effect, one, language) == post(effect, other, language)


@settings(deadline=None)
@given(same_but_for_the_key(), st.sampled_from(languages()), st.booleans(), st.integers(0, 3))
def test_a_question_that_keeps_its_answer_for_the_end_is_the_same_card_too(
    quizzes: tuple[Quiz, Quiz, Drawn], language: str, private: bool, chosen: int
) -> None:
    one, other, drawn = quizzes
    result = Result(drawn, (chosen,) * len(drawn.options), chosen, chosen)
    effect: Post = Closed("s", 0, 8, result, reveal=False, private=private, step=1)
    assert post(effect, one, language) == post(effect, other, language)


@settings(deadline=None)
@given(same_but_for_the_key(), st.sampled_from(languages()))
def test_what_was_noted_or_selected_says_nothing_of_the_key(quizzes: tuple[Quiz, Quiz, Drawn], language: str) -> None:
    one, other, drawn = quizzes
    replies: list[Reply] = [Noted(drawn, (0,)), Noted(drawn, (1,), again=True), Selected(drawn, (0, 1))]
    for effect in replies:
        assert reply(effect, one, language) == reply(effect, other, language)
