"""Identifiers, numbers and pointing phrases as they are found in prose of several languages."""

from __future__ import annotations

import pytest

from bot.content.parallel import identifiers, numbers
from bot.content.phrases import is_sweeping, pointer

NAMES = {
    "call optimizer.step(), then zero_grad().": {"optimizer.step()", "zero_grad()"},
    "torch.nn.BatchNorm2d. And more": {"torch.nn.BatchNorm2d"},
    "слагаме .grad на LayerNorm-а и на PyTorch-а": {".grad", "LayerNorm", "PyTorch"},
    "LayerNorm-ul și hardware-ul, de ex. în PyTorch": {"LayerNorm", "PyTorch"},
    "with use_reentrant=False, lr=0.1.": {"use_reentrant=False", "lr=0.1"},
    "on the order of sqrt(N) or O(N log N)": {"sqrt(N)", "O(N log N)"},
    "def __init__(self)": {"__init__(self)"},
    "ReLU, iPhone, camelCase": {"ReLU", "iPhone", "camelCase"},
    "e.g. a layer(s), i.e. U.S. GPUs, a.k.a. FSDP, Ph.D. The end.": set(),
    "т.е. слоеве, т.нар. „слой“, напр. и др.": set(),
    "ș.a.m.d., strat(uri), d.p.d.v. tehnic": set(),
    "Fill in: ____ is _ of": set(),
    "Обединени. Край.Нов": set(),
}


@pytest.mark.parametrize(("text", "found"), NAMES.items(), ids=NAMES.keys())
def test_identifiers_are_told_from_prose(text: str, found: set[str]) -> None:
    assert identifiers(text) == found


SAME_NUMBERS = [
    ("0.5 and 0.50", "0,5 и 0,50"),
    ("1,000", "1 000"),
    ("1,000", "1\u202f000"),
    ("1,000", "1.000"),
    ("1,234.5", "1.234,5"),
    ("1,000,000", "1\u00a0000\u00a0000"),
    ("0.125", "0,125"),
    ("1e3 steps", "1000 стъпки"),
    ("1e-3", "0,001"),
    ("16GB", "16 GB"),
    ("12/1/2024", "1.12.2024"),
    ("the 1st of 8.", "1-ви от 8"),
    ("٣٫٥", "3.5"),
    ("20–30%", "20-30 %"),
    ("fp16 and H2O, v2.8", "няма число"),
    ("torch.nn.BatchNorm2d(3)", "идентификатор"),
]


@pytest.mark.parametrize(("one", "other"), SAME_NUMBERS)
def test_numbers_are_the_same_however_a_language_writes_them(one: str, other: str) -> None:
    assert numbers(one) == numbers(other)


@pytest.mark.parametrize(("one", "other"), [("0.5", "5"), ("1,5", "15"), ("100", "1000"), ("2", "two"), ("1 000", "1")])
def test_different_numbers_stay_different(one: str, other: str) -> None:
    assert numbers(one) != numbers(other)


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        ("en", "As option C. says", "option C"),
        ("en-GB", "The options A and C", "options A"),
        ("en", "the last answer", "the last answer"),
        ("en", "neither A nor B", "neither A nor B"),
        ("en", "Option C++ is a language", None),
        ("en", "an answer a person gives", None),
        ("en", "the answer I gave", None),
        ("en", "a first option", None),
        ("en", "the option above", "option above"),
        ("en", "Select all of the options below", None),
        ("bg", "вариантът по-горе", "вариантът по-горе"),
        ("ro", "varianta de mai sus", "varianta de mai sus"),
        ("bg", "Отговорът А", "Отговорът А"),
        ("bg", "и А, и Б", "и А, и Б"),
        ("bg", "последната възможност", "последната възможност"),
        ("bg", "дава отговор в края", None),
        ("ro", "răspunsul C", "răspunsul C"),
        ("ro", "opţiunea „B”", "opțiunea „B"),
        ("ro", "al doilea răspuns", "al doilea răspuns"),
        ("ro", "o variantă a modelului", None),
        ("de", "Antwort B", None),
    ],
)
def test_words_that_name_an_option_by_letter_or_place_are_found(language: str, text: str, found: str | None) -> None:
    assert pointer(language, text) == found


@pytest.mark.parametrize(
    ("language", "text", "sweeping"),
    [
        ("en", "all the above", True),
        ("en", "None of these", True),
        ("en", "None of the other options", True),
        ("en", "All answers are correct.", True),
        ("en", "All options of the optimizer", False),
        ("en", "All these parameters", False),
        ("en", "None", False),
        ("bg", "Нито едно от горните", True),
        ("bg", "Всички отговори са верни", True),
        ("bg", "Всички параметри", False),
        ("ro", "Niciunul din cele enumerate", True),
        ("ro", "Toate răspunsurile sunt corecte", True),
        ("ro", "Toate straturile", False),
        ("de", "Alle oben genannten", False),
    ],
)
def test_options_about_the_other_options_are_found(language: str, text: str, sweeping: bool) -> None:
    assert is_sweeping(language, text) is sweeping
