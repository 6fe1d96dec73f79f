"""Long texts on cards: whole where they are read, and cut only where what is cut still reads differently."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.core.effects import Verdict
from bot.core.quiz import Option, Question
from bot.core.session import Drawn, Result
from bot.messages import Card, Role
from bot.present import post, reply
from bot.words import languages
from tests.present.plain import plain
from tests.present.sample import quiz_of, same, standing
from tests.present.scenes import ALONE, CARD, CLOSED, ENDED, MISSED, OWN

ALIKE = ("A plain word " * 8)[:99]
OPTIONS = tuple(f"{ALIKE}{number}{' and so on' * 3}"[:120] for number in range(4))
STEM = ("Stem " * 600).strip()
EXPLANATION = ("Because. " * 556).strip()
QUESTION = Question(
    "long",
    same(STEM),
    tuple(Option(same(text), right=at == 2, note=same(f"Note {at}: {text}")) for at, text in enumerate(OPTIONS)),
    same(EXPLANATION),
)
QUIZ = quiz_of(QUESTION, title=same("T" * 300))
DRAWN = Drawn(0, (3, 2, 1, 0))
WRONG = Result(DRAWN, (1, 0, 0, 0), 1, 0)


def _said(card: Card, role: Role) -> list[str]:
    return [block.text for block in card.blocks if block.role is role]


def test_the_texts_are_as_long_as_meant_and_differ_late() -> None:
    assert [len(text) for text in (*OPTIONS, QUIZ.title["und"])] == [120, 120, 120, 120, 300]
    assert len({text[:99] for text in OPTIONS}) == 1
    assert len({text[:100] for text in OPTIONS}) == 4
    assert (len(STEM), len(EXPLANATION)) == (2999, 5003)


@pytest.mark.parametrize("language", languages())
def test_a_question_is_asked_and_closed_with_every_text_whole(language: str) -> None:
    asked = replace(ALONE, total=1, drawn=DRAWN)
    for effect in (asked, replace(CLOSED, result=WRONG), replace(MISSED, result=WRONG)):
        card = post(effect, QUIZ, language)
        assert _said(card, Role.STEM) == [STEM]
        assert _said(card, Role.OPTION) == [OPTIONS[option] for option in DRAWN.options]
        assert _said(card, Role.EXPLANATION) == ([] if effect is asked else [EXPLANATION])


def test_alone_the_key_is_told_whole() -> None:
    for result in (WRONG, replace(WRONG, tally=(0, 0, 0, 0), answered=0)):
        said = _said(post(replace(MISSED, result=result), QUIZ, "en"), Role.LINE)
        assert said == [f"Right answer: B. {OPTIONS[2]}"]


def test_alone_a_long_key_is_told_whole_also_where_no_other_option_looks_like_it() -> None:
    options = (Option(same("Short")), Option(same("word " * 40), right=True))
    result = Result(Drawn(0, (0, 1)), (1, 0), 1, 0)
    card = post(replace(MISSED, result=result), quiz_of(replace(QUESTION, options=options)), "en")
    assert _said(card, Role.LINE) == [f"Right answer: B. {' '.join(['word'] * 40)}"]


def test_every_right_option_of_several_is_told_whole() -> None:
    several = replace(QUESTION, options=tuple(replace(each, right=at > 1) for at, each in enumerate(QUESTION.options)))
    said = _said(post(replace(MISSED, result=WRONG), quiz_of(several), "en"), Role.LINE)
    assert said == [f"Right answers: A. {OPTIONS[3]}; B. {OPTIONS[2]}"]


def test_a_private_verdict_has_note_and_explanation_whole() -> None:
    card = reply(Verdict(DRAWN, (0,), False, 0, "digest"), QUIZ, "en")
    assert _said(card, Role.NOTE) == [f"Note 0: {OPTIONS[0]}"]
    assert _said(card, Role.EXPLANATION) == [EXPLANATION]


def _listed(question: Question) -> str:
    (line,) = [block for block in post(replace(OWN, results=(WRONG,)), quiz_of(question), "en").blocks if block.lead]
    return line.tail


def test_in_the_list_of_what_was_missed_options_that_differ_late_can_be_told_apart() -> None:
    tails = set()
    for key in range(4):
        options = tuple(replace(each, right=at == key) for at, each in enumerate(QUESTION.options))
        tails.add(_listed(replace(QUESTION, options=options)).partition(". ")[2])
    assert tails == set(OPTIONS)


def test_in_the_list_of_what_was_missed_an_option_unlike_the_others_is_cut() -> None:
    options = (Option(same("Short")), Option(same("Brief")), Option(same("word " * 40), right=True), Option(same("No")))
    tail = _listed(replace(QUESTION, options=options))
    assert tail == f"Right answer: B. {'word ' * 18}word…"


def test_thirty_players_with_long_names_are_named_whole_or_counted() -> None:
    names = [f"{number:02}{'n' * 30}" for number in range(30)]
    places = tuple(standing(number + 1, name, right=30 - number) for number, name in enumerate(names[:20]))
    card = post(replace(ENDED, results=(WRONG,), standings=places, players=30, others=10), QUIZ, "en")
    assert [said.partition(" ")[0] for said in _said(card, Role.STANDING)] == names[:20]
    assert "and 10 more" in _said(card, Role.LINE)


def test_a_long_title_stands_whole_on_its_cards() -> None:
    assert QUIZ.title["und"] in plain(post(CARD, QUIZ, "en"))
    assert QUIZ.title["und"] in plain(post(replace(ENDED, results=(WRONG,)), QUIZ, "en"))
