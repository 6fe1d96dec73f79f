"""What is worth mending in a quiz that can be played: said in its place, and the quiz is loaded all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.content import Loaded, Severity
from tests.content.writing import BILINGUAL, HEAD, assert_said, load, said

OTHER = "{text: aa, note: n}"
NOTED = "{text: b, note: n}, {text: c, note: n}"


def loaded_question(folder: Path, fields: str, head: str = HEAD) -> Loaded:
    """A question without other problems; `fields` start at 4:11."""
    loaded = load(folder, f"{head}- {{id: a, {fields}}}\n")
    assert loaded.quiz is not None, said(loaded)
    return loaded


def assert_warned(loaded: Loaded, *starts: str) -> None:
    assert_said(loaded, Severity.WARNING, *starts)


def test_a_question_without_anything_to_mend_is_silent(tmp_path: Path) -> None:
    assert_warned(loaded_question(tmp_path, f"stem: S, options: [{{text: a, right: true}}, {NOTED}], explanation: e"))


def test_a_statement_needs_an_explanation_and_no_note(tmp_path: Path) -> None:
    assert_warned(loaded_question(tmp_path, "statement: S, answer: true, explanation: e"))
    assert_warned(loaded_question(tmp_path, "statement: S, answer: true"), "4:3: no explanation; add 'explanation: …'")


def test_a_missing_explanation_and_a_missing_note_are_said_where_they_belong(tmp_path: Path) -> None:
    assert_warned(
        loaded_question(tmp_path, "stem: S, options: [{text: a, right: true}, b, {text: c}]"),
        "4:3: no explanation; add",
        "4:54: nothing says why this option is wrong; add 'note: …'",
        "4:57: nothing says why this option is wrong; add 'note: …'",
    )


def test_a_question_of_which_every_option_is_right_is_doubtful(tmp_path: Path) -> None:
    fields = "stem: S, options: [{text: a, right: true}, {text: b, right: true}], explanation: e"
    assert_warned(loaded_question(tmp_path, fields), "4:20: all options are right; add a wrong one")


def test_a_missing_translation_is_one_warning_a_text_that_names_the_languages(tmp_path: Path) -> None:
    head = "title: T\nlanguages: [en, bg, ro]\nquestions:\n"
    fields = f"stem: {{en: S}}, options: [{{text: a, right: true}}, {NOTED}], explanation: {{en: e, bg: е}}"
    assert_warned(
        loaded_question(tmp_path, fields, head),
        "4:17: 'stem' is not translated into bg, ro; add the translation, or its readers get 'en'",
        "4:114: 'explanation' is not translated into ro; add",
    )


def test_options_that_are_not_translated_are_compared_in_no_other_language(tmp_path: Path) -> None:
    options = "[{text: {en: a}, right: true}, {text: {en: b, bg: един много дълъг отговор}, note: n}]"
    loaded = loaded_question(tmp_path, f"stem: S, options: {options}, explanation: e", BILINGUAL)
    assert_warned(loaded, "4:37: 'text' is not translated into bg")


DIFFERENT = {
    "a translated identifier": (
        "en: use torch.optim.SGD, bg: ползвай горелка.оптим.SGD",
        "identifiers differ from 'en': torch.optim.SGD only in 'en'; write the same ones in both",
    ),
    "an identifier too many": (
        "en: a layer, bg: слой LayerNorm",
        "identifiers differ from 'en': LayerNorm only in 'bg'",
    ),
    "another number": (
        "en: 20–30% slower, bg: с 20–40% по-бавно",
        "numbers differ from 'en': 30 only in 'en'; 40 only in 'bg'",
    ),
    "a number in words": ("en: one pass, bg: 1 проход", "numbers differ from 'en': 1 only in 'bg'"),
}


@pytest.mark.parametrize(("stem", "start"), DIFFERENT.values(), ids=DIFFERENT.keys())
def test_a_translation_with_other_identifiers_or_numbers_is_named_at_its_place(
    tmp_path: Path, stem: str, start: str
) -> None:
    fields = f"stem: {{{stem}}}, options: [{{text: a, right: true}}, {NOTED}], explanation: e"
    loaded = loaded_question(tmp_path, fields.replace("bg:", "\n bg:"), BILINGUAL)
    assert_warned(loaded, f"5:6: {start}")


class TestLength:
    """A right option must not stand out by its length."""

    KEY = "a long right option of thirty characters"

    def quiz(self, folder: Path, longest: int, count: int) -> Loaded:
        """A quiz in which so many of the keys are longer than every wrong option, by one character."""
        keys = ["bbb" if number < longest else "bb" for number in range(count)]
        questions = (
            f"- {{id: q{number}, stem: S, options: [{{text: {key}, right: true}}, {OTHER}], explanation: e}}\n"
            for number, key in enumerate(keys)
        )
        return load(folder, HEAD + "".join(questions))

    def test_the_longest_option_may_be_right_in_two_of_five_questions(self, tmp_path: Path) -> None:
        assert_warned(self.quiz(tmp_path, longest=2, count=5))

    def test_the_longest_option_is_right_too_often(self, tmp_path: Path) -> None:
        start = "3:1: in 'en' the right option is the longest in 3 of 5 cases, which gives it away; shorten"
        assert_warned(self.quiz(tmp_path, longest=3, count=5), start)

    def test_in_four_questions_it_may_be_chance(self, tmp_path: Path) -> None:
        assert_warned(self.quiz(tmp_path, longest=4, count=4))

    def test_a_key_far_longer_than_the_wrong_options_is_named_at_its_place(self, tmp_path: Path) -> None:
        fields = f"stem: S, options: [{{text: b, note: n}}, {{text: {self.KEY}, right: true}}], explanation: e"
        start = "4:50: this right option has more than 1.5 times the mean length of the wrong ones in 'en', which"
        assert_warned(loaded_question(tmp_path, fields), start)

    def test_a_short_key_may_be_of_any_length(self, tmp_path: Path) -> None:
        fields = "stem: S, options: [{text: b, note: n}, {text: torch.optim.SGDxxxx, right: true}], explanation: e"
        assert_warned(loaded_question(tmp_path, fields))

    def test_each_of_several_keys_is_compared_with_the_wrong_options(self, tmp_path: Path) -> None:
        keys = f"{{text: x, right: true}}, {{text: {self.KEY}, right: true}}"
        fields = f"stem: S, options: [{keys}, {NOTED}], explanation: e"
        assert_warned(loaded_question(tmp_path, fields), "4:54: this right option has more than 1.5 times")

    def test_each_language_is_measured_and_named(self, tmp_path: Path) -> None:
        key = f"{{text: {{en: ok, bg: {self.KEY}}}, right: true}}"
        fields = f"stem: S, options: [{key}, {OTHER}], explanation: e"
        assert_warned(
            loaded_question(tmp_path, fields, BILINGUAL),
            "4:30: this right option has more than 1.5 times the mean length of the wrong ones in 'bg'",
        )


POINTERS = {
    "en": ["because answer B is larger", "Both A and B hold", "see the first option"],
    "bg": ["защото отговор Б е по-голям", "вариант B е верен", "виж първият отговор"],
    "ro": ["pentru că varianta B este mai mare", "atât A, cât și B", "vezi prima variantă"],
}


@pytest.mark.parametrize(("language", "text"), [(tag, text) for tag, texts in POINTERS.items() for text in texts])
@pytest.mark.parametrize("field", ["stem", "explanation", "note"])
def test_a_text_that_points_at_a_letter_or_place_is_doubtful_while_options_are_shuffled(
    tmp_path: Path, language: str, text: str, field: str
) -> None:
    fields = {"stem": "S", "explanation": "e", "note": "n", field: f"{{\n    {language}: '{text}'}}"}
    options = f"[{{text: a, right: true}}, {{text: b, note: {fields['note']}}}]"
    written = f"stem: {fields['stem']}, options: {options}, explanation: {fields['explanation']}"
    loaded = loaded_question(tmp_path, written, f"title: T\nlanguages: [{language}]\nquestions:\n")
    assert_warned(loaded, f"5:{9}: '")
    assert "means another option to every player" in said(loaded)[0]


def test_a_text_may_point_at_options_that_all_keep_their_place(tmp_path: Path) -> None:
    options = "[{text: a, right: true, pinned: true}, {text: b, note: n, pinned: true}]"
    assert_warned(loaded_question(tmp_path, f"stem: S, options: {options}, explanation: answer B is larger"))


def test_a_text_without_a_language_is_read_in_the_languages_of_the_quiz(tmp_path: Path) -> None:
    options = "[{text: a, right: true}, {text: b, note: n}]"
    loaded = loaded_question(tmp_path, f"stem: S, options: {options}, explanation: виж отговор Б", BILINGUAL)
    assert_warned(loaded, "4:88: 'отговор Б' means another option to every player")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "All of the above"),
        ("en", "None of the above."),
        ("bg", "Всички изброени"),
        ("bg", "Никое от изброените"),
        ("ro", "Toate cele de mai sus"),
        ("ro", "Niciuna dintre variantele de mai sus"),
    ],
)
def test_an_option_about_the_options_above_it_is_to_be_pinned(tmp_path: Path, language: str, text: str) -> None:
    head = f"title: T\nlanguages: [{language}]\nquestions:\n"
    fields = f"stem: S, options: [{{text: a, right: true}}, {{text: {text}, note: n}}], explanation: e"
    assert_warned(loaded_question(tmp_path, fields, head), "4:61: an option about the options above it")
    assert_warned(loaded_question(tmp_path, fields.replace("note: n", "note: n, pinned: true"), head))


def test_warnings_and_errors_of_a_file_come_together(tmp_path: Path) -> None:
    written = HEAD + "- {id: a, stem: S, options: [{text: a, right: true}, b]}\n- {id: b, stem: S, options: [a, a]}\n"
    loaded = load(tmp_path, written)
    assert_warned(loaded, "4:3: no expl", "4:54: nothing", "5:3: no expl", "5:30: nothing", "5:33: nothing")
    assert_said(loaded, Severity.ERROR, "5:20: no option is right", "5:33: reads like option 1")
