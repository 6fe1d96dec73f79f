"""How languages speak of options by their letter or place: data, for warnings about options that are shuffled.

Each entry is a regular expression; words are found in any case, letters only as capitals. A language is one entry more.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Phrases:
    """One language. `option` and `letter` stand for "answer B"; `places` are whole, such as "the first option";
    `pairs` have {letter} twice, as in "both A and B"; `sweeping` are options such as "all of the above"."""

    option: str
    letter: str
    places: tuple[str, ...]
    pairs: tuple[str, ...]
    sweeping: tuple[str, ...]


_ENGLISH = Phrases(
    option=r"(?:answer|option|choice|distractor)s?",
    letter="[A-HJ]",  # "the answer I gave"
    places=(
        r"the (?:first|second|third|fourth|fifth|last) (?:answer|option)s?",
        r"(?:answer|option) (?:number \d|above|below)",
    ),
    pairs=("both {letter} and {letter}", "neither {letter} nor {letter}", "either {letter} or {letter}"),
    sweeping=(
        r"(?:all|none|any|both|neither|either)(?: of)? (?:the )?above",
        r"(?:all|none|both|neither)(?: of)? (?:the )?(?:other )?(?:answers|options|choices)(?: (?:is|are) \w+)?\W*$",
        r"(?:all|none|both|neither) of (?:these|those|them)\W*$",
    ),
)

_BULGARIAN = Phrases(
    option="(?:отговор(?:а|ът|и|ите)?|вариант(?:а|ът|и|ите)?|опци(?:я|ята|и|ите)|възможност(?:та|и|ите)?)",
    letter="[А-ИA-H]",
    places=(
        "(?:първи|втори|трети|четвърти|пети|последни)(?:я|ят|те) (?:отговор|вариант|опци|възможност)\\w*",
        "(?:първата|втората|третата|четвъртата|петата|последната) (?:опция|възможност)",
        "(?:отговор|вариант)(?:а|ът) (?:по-горе|по-долу)",
    ),
    pairs=("и {letter},? и {letter}", "както {letter}, така и {letter}", "нито {letter},? нито {letter}"),
    sweeping=(
        r"всичк[ио] (?:\w+ )?(?:от )?(?:изброен|посочен|горепосочен|гореизброен|споменат|по-горе|горни)\w*",
        (
            r"(?:нико[йея]|нико[йея] ед\w+|нито ед(?:ин|на|но)) (?:\w+ )?(?:от )?"
            r"(?:изброен|посочен|горепосочен|гореизброен|споменат|по-горе|горни)\w*"
        ),
        r"(?:всички|нито един|никой) отговори? (?:са верни|не е верен|е верен)",
    ),
)

_ROMANIAN = Phrases(
    option="(?:r[aă]spuns(?:ul|uri|urile)?|variant(?:a|ă|e|ele)|op[tț]iun(?:e|ea|i|ile)|alternativ(?:a|ă|e|ele))",
    letter="[A-HJ]",
    places=(
        "(?:primul|al (?:doilea|treilea|patrulea|cincilea)|ultimul) r[aă]spuns",
        "(?:prima|a (?:doua|treia|patra|cincea)|ultima) (?:variant[aă]|op[tț]iune|alternativ[aă])",
        "(?:r[aă]spunsul|varianta|op[tț]iunea) de mai (?:sus|jos)",
    ),
    pairs=(
        "at[aâ]t {letter},? c[aâ]t [sș]i {letter}",
        "[sș]i {letter},? [sș]i {letter}",
        "nici {letter},? nici {letter}",
    ),
    sweeping=(
        (
            r"(?:toate|niciun(?:a|ul)|nici un(?:a|ul)|ambele) (?:\w+ ){0,2}?"
            r"(?:de mai sus|enumerate|men[tț]ionate|anterioare)"
        ),
        r"(?:toate|ambele) (?:variantele|r[aă]spunsurile|op[tț]iunile) (?:sunt )?(?:corecte|gre[sș]ite)",
        r"niciun(?:a|ul) (?:dintre|din) (?:acestea|ele|variante|r[aă]spunsuri|op[tț]iuni)",
    ),
)

PHRASES: Mapping[str, Phrases] = {"en": _ENGLISH, "bg": _BULGARIAN, "ro": _ROMANIAN}

_OLD_LETTERS = str.maketrans("şţŞŢ", "șțȘȚ")  # Romanian as it was typed before its letters were on keyboards


def pointer(language: str, text: str) -> str | None:
    """The words of `text` that name an option by letter or place, if there are any."""
    base = _base(language)
    found = _pointing(base).search(_even(base, text))
    return found[0] if found else None


def is_sweeping(language: str, text: str) -> bool:
    """Whether `text` is an option about the other options, such as "none of the above"."""
    base = _base(language)
    return bool(_sweeping(base).match(_even(base, text)))


def _base(language: str) -> str:
    return language.partition("-")[0]


def _even(language: str, text: str) -> str:
    even = " ".join(unicodedata.normalize("NFC", text).split())
    return even.translate(_OLD_LETTERS) if language == "ro" else even


@cache
def _pointing(language: str) -> re.Pattern[str]:
    if not (phrases := PHRASES.get(language)):
        return _NEVER
    letter = rf"(?-i:{phrases.letter})(?![\w+#*'’-])"
    lettered = rf"{phrases.option} [„“«\"'(]?{letter}"
    pairs = (pair.format(letter=letter) for pair in phrases.pairs)
    return re.compile(rf"\b(?:{'|'.join((lettered, *pairs, *phrases.places))})", re.IGNORECASE)


@cache
def _sweeping(language: str) -> re.Pattern[str]:
    phrases = PHRASES.get(language)
    return re.compile(rf"\W*(?:{'|'.join(phrases.sweeping)})", re.IGNORECASE) if phrases else _NEVER


_NEVER = re.compile(r"(?!)")
