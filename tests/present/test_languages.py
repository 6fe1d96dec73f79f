"""A question is shown in one language throughout: the reader's, or the quiz's own with a remark."""

from __future__ import annotations

import pytest

from bot.core.effects import Asked, Closed, Reply, Verdict
from bot.core.quiz import NEUTRAL, Image, LocalisedText, Option, Question, Source
from bot.core.session import Drawn, Result
from bot.messages import Role
from bot.present import picker, post, reply
from bot.words import languages
from tests.present.plain import plain
from tests.present.sample import ENGLISH_ONLY, QUIZ, quiz_of, same
from tests.present.scenes import CARD

DRAWN = Drawn(0, (0, 1))
ASKED = Asked("s", 0, 1, DRAWN, None, None, step=0, private=True)
CLOSED = Closed("s", 0, 1, Result(DRAWN, (0, 1), 1, 0), reveal=True, private=True, step=1)

GERMAN = Question(
    "q",
    LocalisedText({"de": "Was spart Speicher?", "ro": "Ce economisește memorie?"}),
    (
        Option(LocalisedText({"de": "Neu berechnen", "ro": "Recalcularea"}), right=True),
        Option(LocalisedText({"de": "Mehr speichern"}), note=LocalisedText({"de": "Das kostet.", "ro": "Asta costă."})),
    ),
    LocalisedText({"de": "Rechnen statt speichern.", "ro": "Calcul în loc de memorie."}),
    sources=(Source("https://example.org/a", LocalisedText({"ro": "Sursă"})),),
    image=Image("a.png", LocalisedText({"de": "Eine Kurve", "ro": "O curbă"})),
)
QUIZ_OF_GERMAN = quiz_of(GERMAN, languages=("de", "ro"))
REMARKS = {
    "en": "Not translated yet; shown in German.",
    "bg": "Още няма превод; показано на немски.",
    "ro": "Încă netradus; afișat în germană.",
}


@pytest.mark.parametrize("language", languages())
def test_a_half_translated_question_is_shown_in_the_quiz_language_with_a_remark(language: str) -> None:
    for effect in (ASKED, CLOSED):
        card = post(effect, QUIZ_OF_GERMAN, language)
        said = plain(card)
        assert [block.text for block in card.blocks if block.role is Role.REMARK] == [REMARKS[language]]
        assert "Was spart Speicher?" in said
        assert "Mehr speichern" in said
        assert "Eine Kurve" in said
        assert "Ce economisește" not in said
        assert "Recalcularea" not in said
        assert "curbă" not in said


@pytest.mark.parametrize("language", languages())
def test_the_verdict_on_it_is_in_the_readers_language_and_its_reasons_in_the_quizs(language: str) -> None:
    wrong: Reply = Verdict(DRAWN, (1,), False, 0, "digest")
    said = plain(reply(wrong, QUIZ_OF_GERMAN, language))
    assert said.endswith(REMARKS[language])
    assert "Das kostet." in said
    assert "Asta costă." not in said


def test_a_reader_of_the_quiz_language_sees_no_remark() -> None:
    assert not [block for block in post(ASKED, QUIZ_OF_GERMAN, "de").blocks if block.role is Role.REMARK]


def test_a_neutral_text_needs_no_translation() -> None:
    neutral = Question("q", same("2 + 2"), (Option(same("4"), right=True), Option(same("5"))))
    for language in languages():
        card = post(ASKED, quiz_of(neutral), language)
        assert not [block for block in card.blocks if block.role is Role.REMARK]


def test_a_picture_is_described_in_the_language_of_its_question() -> None:
    image = post(ASKED, quiz_of(ENGLISH_ONLY), "ro").image
    assert image == Image("rate.png", LocalisedText({NEUTRAL: "A falling curve"}))


def test_the_start_card_of_an_untranslated_quiz_says_so() -> None:
    title = LocalisedText({"de": "Speicher"})
    for language, remark in REMARKS.items():
        quiz = quiz_of(GERMAN, languages=("de",), title=title)
        assert [b.text for b in post(CARD, quiz, language).blocks[:2]] == ["Speicher", remark]


def test_a_title_is_shown_in_some_language_rather_than_not_at_all() -> None:
    quiz = quiz_of(ENGLISH_ONLY, title=LocalisedText({"fr": "Mémoire"}))
    assert post(CARD, quiz, "ro").blocks[0].text == "Mémoire"
    assert "Mémoire" in plain(picker([quiz], "ro", 0))


def test_two_readers_see_the_same_letters_for_the_same_options() -> None:
    effect = Asked("s", 0, 4, Drawn(0, (3, 1, 0, 2)), None, None, step=0, private=False)
    pressed = [[b.press for b in post(effect, QUIZ, language).all_buttons] for language in languages()]
    assert pressed[0] == pressed[1] == pressed[2]
