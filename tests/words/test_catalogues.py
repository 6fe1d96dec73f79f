"""The catalogues say everything the source says, in every language, and nothing else."""

from __future__ import annotations

import re

import pytest

from bot.words import languages, words_of
from tests.words.messages import catalogue, extracted, forms, places, written

SYMBOLS = "✓✗←→"

every_language = pytest.mark.parametrize("language", languages())


def test_there_are_english_bulgarian_and_romanian() -> None:
    assert languages() == ("en", "bg", "ro")


def test_the_extractor_sees_every_message_that_the_source_says() -> None:
    assert extracted() == written()


@every_language
def test_a_catalogue_holds_exactly_the_messages_of_the_source(language: str) -> None:
    listed = {(message.context, forms(message.id)[0]) for message in catalogue(language) if message.id}
    assert listed == extracted()
    assert not catalogue(language).obsolete


@every_language
def test_every_message_is_translated_in_every_plural_form(language: str) -> None:
    messages = catalogue(language)
    for message in messages:
        expected = messages.num_plurals if isinstance(message.id, tuple | list) else 1
        assert len(forms(message.string)) == expected, message.id
        assert all(form.strip() for form in forms(message.string)), message.id
        assert not (message.fuzzy and message.id), message.id


@every_language
def test_every_form_has_the_places_and_symbols_of_the_english_one(language: str) -> None:
    for message in catalogue(language):
        if not message.id:
            continue
        english = forms(message.id)
        assert len({places(form) for form in english}) == 1, english
        for form in forms(message.string):
            assert places(form) == places(english[0]), form
            assert [letter for letter in form if letter in SYMBOLS] == [s for s in english[0] if s in SYMBOLS], form


@every_language
def test_a_place_is_a_plain_name_so_that_no_value_is_looked_into(language: str) -> None:
    for message in catalogue(language):
        for form in forms(message.string) if message.id else ():
            assert all(place.isidentifier() for place in places(form)), form


def test_english_says_what_the_source_says() -> None:
    for message in catalogue("en"):
        if message.id:
            assert forms(message.string) == forms(message.id)


@every_language
@pytest.mark.parametrize(
    ("message", "label"),
    [
        ("The quiz has not begun yet; press Start first.", "Start"),
        ("A quiz is waiting here; its host or a moderator can press Start, or /stop it.", "Start"),
        ("The quiz is paused; press Resume to go on.", "Resume"),
        ("The quiz is ready: press Start.", "Start"),
        ("The quiz is ready: press Start when everyone is here.", "Start"),
        ("The quiz is ready in the thread “{name}”: press Start when everyone is there.", "Start"),
        ("Selected: {letters}. Press Send when done.", "Send"),
        ("Pace: relaxed. No clock; go on with Next.", "Next"),
        ("/quiz shows the quizzes; choose one and press Start.", "Start"),
        ("Read why an answer is right or wrong, then go on with Next.", "Next"),
        (
            "A question closes when its time is over, when everyone has answered, or when the host presses Next.",
            "Next",
        ),
    ],
)
def test_a_sentence_names_a_button_as_it_is_labelled(language: str, message: str, label: str) -> None:
    catalogue = words_of(language).catalogue
    assert catalogue.gettext(label) in catalogue.gettext(message)


@every_language
def test_every_form_names_the_commands_of_the_english_one(language: str) -> None:
    for message in catalogue(language):
        named = [sorted(re.findall(r"(?<!\w)/[a-z]+", form)) for form in (*forms(message.id), *forms(message.string))]
        assert named.count(named[0]) == len(named), message.id


def test_romanian_puts_de_between_twenty_or_more_and_a_noun() -> None:
    plurals = [forms(message.string) for message in catalogue("ro") if isinstance(message.id, tuple | list)]
    counting_a_noun = [said for said in plurals if len(set(said)) > 1]
    assert counting_a_noun
    for _, few, many in counting_a_noun:
        assert "} de " in many
        assert many.replace("} de ", "} ") == few


def test_romanian_is_written_with_comma_below_and_not_with_cedilla() -> None:
    said = "".join(form for message in catalogue("ro") for form in forms(message.string))
    assert not set(said) & set("şţŞŢ")
    assert set(said) >= set("ăâîșț")
