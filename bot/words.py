"""The languages of the interface: one gettext catalogue each, and how numbers, times and foreign texts go into them.

Knows no card, no platform and no rule. English is the source: a message is named by its English sentence, and a
catalogue that lacks it shows that. A language is a file `locale/<tag>.po`; adding a file adds the language.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from io import BytesIO
from typing import Literal

from babel import Locale, UnknownLocaleError
from babel.core import get_global
from babel.dates import format_datetime
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from babel.units import format_unit

from bot.core.quiz import LocalisedText

SOURCE = "en"
"""The language that messages are written in, and the last one to fall back to."""

ISOLATE, END_OF_ISOLATE = "\u2068", "\u2069"

_UNITS = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))
_NO_TIME = (0, "second")
_WEEKDAY = re.compile("E+|c+")  # in a pattern for dates
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_RIGHT_TO_LEFT = {"R", "AL", "AN"}
INVISIBLE = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and symbols that show nothing


def msgid(message: str) -> str:
    """Marks the English form of a message for extraction where it is only kept, to be said later."""
    return message


def isolated(text: str) -> str:
    """A text from people or content as it may stand inside one of our sentences: one line, no control characters.

    Text with right-to-left letters is set apart from the sentence, so that it cannot turn what is around it.
    """
    return _set_apart(_one_line(text))


def paragraphs(text: str) -> str:
    """A text that stands on its own, such as a stem: like `isolated`, but its lines and its spacing stay."""
    lines = (_UNSAFE.sub("", line.expandtabs(4)).rstrip() for line in text.splitlines())
    return "\n".join(map(_set_apart, lines)).strip("\n")


def folded(text: str) -> str:
    """The words of a text without what people write in one way or another: capitals, accents, hyphens, spaces."""
    letters = unicodedata.normalize("NFKD", text)
    for _ in range(2):  # folding brings letters that can be taken apart, and taking apart brings capitals
        letters = unicodedata.normalize("NFKD", letters.casefold())
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join("".join(letter if letter.isalnum() else " " for letter in bare).split())


def shortened(text: str, most: int) -> str:
    """The text on one line, cut at a word to at most `most` characters, the mark "…" included; isolated."""
    line = _one_line(text)
    if len(line) <= most:
        return _set_apart(line)
    head = line[: most - 1]
    whole_words, _, rest = head.rpartition(" ")
    return _set_apart((whole_words if len(rest) < most // 2 else head).rstrip(" ,;:.–—-") + "…")


def _one_line(text: str) -> str:
    return " ".join(_UNSAFE.sub("", " ".join(text.split())).split())


@lru_cache(maxsize=4096)  # it looks at every character, and every answer to a question says the same again
def _set_apart(line: str) -> str:
    # An isolate ends with its line, so every line needs its own.
    turned = any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in line)
    return f"{ISOLATE}{line}{END_OF_ISOLATE}" if turned else line


def _visible(text: str) -> bool:
    return any(unicodedata.category(letter)[0] in "LNPS" and letter not in INVISIBLE for letter in text)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language. A message is a template for `str.format` with named places; only the template is
    parsed, never what goes into it: numbers are written as the language writes them, other texts are isolated."""

    language: str
    locale: Locale
    catalogue: NullTranslations

    def gettext(self, message: str, /, **values: object) -> str:
        """The sentence whose English form is `message`."""
        return self._filled(self.catalogue.gettext(message), values)

    def pgettext(self, context: str, message: str, /, **values: object) -> str:
        """Like `gettext`, for an English form that means different things; `context` says which."""
        return self._filled(self.catalogue.pgettext(context, message), values)

    def ngettext(self, one: str, many: str, count: int, /, **values: object) -> str:
        """The sentence for `count`, which fills the place `{count}`; `one` and `many` are its English forms."""
        return self._filled(self.catalogue.ngettext(one, many, count), {"count": count, **values})

    def number(self, value: float) -> str:
        """A number with the language's decimal mark and grouping, at most three decimals: 1.5 or 1,5."""
        return format_decimal(value, locale=self.locale)

    def duration(self, length: timedelta) -> str:
        """A time in words, in whole seconds and at most two units: "30 seconds", "2 min 30 sec"."""
        left = round(length.total_seconds())
        parts: list[tuple[int, str]] = []
        for unit, seconds in _UNITS:
            whole, left = divmod(left, seconds)
            parts += [(whole, unit)] if whole else []
        width: Literal["long", "short"] = "long" if len(parts) < 2 else "short"
        return " ".join(format_unit(many, unit, width, locale=self.locale) for many, unit in parts[:2] or [_NO_TIME])

    def moment(self, when: datetime) -> str:
        """A day and a time of it, by the clock that `when` is told by: "Monday, December 7, 00:00"."""
        skeleton = self.locale.datetime_skeletons.get("MMMMEd")
        pattern = _WEEKDAY.sub("EEEE", skeleton.pattern if skeleton else "E, d MMMM")
        return f"{format_datetime(when, pattern, locale=self.locale)}, {self.time(when)}"

    def time(self, when: datetime) -> str:
        """A time of the day, by the clock that `when` is told by: "14:05"."""
        return format_datetime(when, "HH:mm", locale=self.locale)

    def city(self, zone: str) -> str:
        """The city that stands for a time zone, of which this is the IANA name: Sofia, София; UTC for none."""
        canonical = get_global("zone_aliases").get(zone, zone)
        named = self.locale.time_zones.get(canonical, {}).get("city")
        return str(named or canonical.rpartition("/")[2].replace("_", " "))

    def name(self, name: str) -> str:
        """A person's name, or "someone" for a name that shows nothing."""
        line = isolated(name)
        return line if _visible(line) else self.gettext("someone")

    def language_name(self, tag: str) -> str:
        """What this language calls another: English, английски, engleză; the tag itself when it has no name for it."""
        try:
            return Locale.parse(tag, sep="-").get_display_name(self.locale) or tag
        except (UnknownLocaleError, ValueError):
            return tag

    def _filled(self, template: str, values: dict[str, object]) -> str:
        return template.format(**{place: self._shown(value) for place, value in values.items()})

    def _shown(self, value: object) -> str:
        return self.number(value) if isinstance(value, int | float) else isolated(str(value))


@cache
def languages() -> tuple[str, ...]:
    """The tags (BCP 47) of the languages there is a catalogue for, the source first."""
    tags = (entry.name.removesuffix(".po") for entry in files("bot.locale").iterdir() if entry.name.endswith(".po"))
    return tuple(sorted(tags, key=lambda tag: (tag != SOURCE, tag)))


def name_of(language: str) -> str:
    """What a language calls itself: English, български, română."""
    return Locale.parse(language, sep="-").get_display_name() or language


def match(wanted: str | None) -> str | None:
    """The catalogue for a locale tag as platforms send it (`bg-BG`, `pt_BR`, any case), None when there is none."""
    tags = {tag.casefold(): tag for tag in languages()}
    subtags = (wanted or "").replace("_", "-").casefold().split("-")
    shorter = ("-".join(subtags[:length]) for length in range(len(subtags), 0, -1))
    return next((tags[tag] for tag in shorter if tag in tags), None)


def can_be_written(language: str, encoding: str) -> bool:
    """Whether an encoding has every letter of our sentences in this language."""
    catalogue = files("bot.locale").joinpath(f"{language}.po").read_text(encoding="utf-8")
    try:
        "".join(filter(str.isalpha, catalogue)).encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def words_of(language: str) -> Words:
    """The words for a reader of `language`; English when there is no catalogue for it."""
    return _words(match(language) or SOURCE)


def prepare() -> None:
    """Read now what every language takes at first use, about 10 ms each, so that nobody waits for it later."""
    for language in languages():
        words = words_of(language)
        words.duration(timedelta(seconds=1))
        words.language_name(SOURCE)


@cache
def _words(tag: str) -> Words:
    return Words(tag, Locale.parse(tag, sep="-"), _catalogue(tag))


def _catalogue(tag: str) -> NullTranslations:
    source = files("bot.locale").joinpath(f"{tag}.po").read_bytes()
    compiled = BytesIO()
    write_mo(compiled, read_po(BytesIO(source), locale=tag.replace("-", "_")))
    return GNUTranslations(BytesIO(compiled.getvalue()))


@cache
def true_false() -> tuple[LocalisedText, LocalisedText]:
    """The two options of a statement to judge, in every language of the interface."""
    every = {language: words_of(language) for language in languages()}
    true = {language: words.pgettext("the statement is", "True") for language, words in every.items()}
    false = {language: words.pgettext("the statement is", "False") for language, words in every.items()}
    return LocalisedText(true), LocalisedText(false)
