"""What YAML may do to a quiz file: nothing. Texts stay as written, and whatever is dangerous or broken is refused."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from bot.content import Severity, load_file
from tests.content.writing import GOOD, HEAD, assert_said, load, said

AS_WRITTEN = ["yes", "No", "on", "010", "12:30", "1e3", "null", "~"]
MARKUP = ["<b>", "&quot;", "a_b*c", "[x](y)", "`", "__init__", "{0.__class__}", "%s", "@everyone", "👍" * 32]


def options_of(folder: Path, written: list[str]) -> list[str]:
    options = "".join(f"  - {text}\n" for text in written)
    loaded = load(folder, f"{HEAD}- id: a\n  stem: S\n  options:\n  - {{text: key, right: true}}\n{options}")
    assert loaded.quiz is not None, said(loaded, Severity.ERROR)
    return [option.text["en"] for option in loaded.quiz.questions[0].options[1:]]


def test_texts_that_yaml_takes_for_other_types_stay_as_they_are_written(tmp_path: Path) -> None:
    assert options_of(tmp_path, AS_WRITTEN) == AS_WRITTEN


def test_texts_that_look_like_markup_or_formats_stay_as_they_are_written(tmp_path: Path) -> None:
    quoted = [f"'{text}'" for text in MARKUP[:-1]] + MARKUP[-1:]
    assert options_of(tmp_path, quoted[:9]) == MARKUP[:9]
    assert options_of(tmp_path, quoted[9:]) == MARKUP[9:]


def test_keys_and_languages_that_yaml_takes_for_other_types_stay_as_they_are_written(tmp_path: Path) -> None:
    written = (
        "title: {no: Prøve}\nlanguages: [no]\ntopics: [on]\nquestions:\n"
        "- {id: 012, stem: {no: S}, options: [{text: {no: a}, right: true}, b]}\n"
    )
    quiz = load(tmp_path, written).quiz
    assert quiz is not None
    assert (quiz.languages, quiz.questions[0].id, quiz.questions[0].topics) == (("no",), "012", ("on",))


def test_names_that_mean_something_to_programs_are_data(tmp_path: Path) -> None:
    written = HEAD + GOOD.replace("good", "constructor") + GOOD.replace("good", "c.o_n-s")
    quiz = load(tmp_path, written, "constructor.yaml").quiz
    assert quiz is not None
    assert (quiz.slug, [question.id for question in quiz.questions]) == ("constructor", ["constructor", "c.o_n-s"])


@pytest.mark.parametrize("name", ["__proto__.yaml", "...yaml", "a--b.yaml", "A.yaml", "тест.yaml", f"{'a' * 41}.yaml"])
def test_a_file_name_that_is_no_slug_is_refused(tmp_path: Path, name: str) -> None:
    assert_said(load(tmp_path, HEAD + GOOD, name), Severity.ERROR, "1:1: the file's name ")


def test_line_breaks_are_kept_in_stems_and_the_last_one_of_a_block_is_not(tmp_path: Path) -> None:
    stem = "  stem: |\n    one\n      two\n\n"
    options = "  options:\n  - text: >\n      folded\n      line\n    right: true\n  - b\n"
    quiz = load(tmp_path, f"{HEAD}- id: a\n{stem}{options}").quiz
    assert quiz is not None
    assert quiz.questions[0].stem["en"] == "one\n  two"
    assert quiz.questions[0].options[0].text["en"] == "folded line"


def test_a_byte_order_mark_and_windows_line_ends_change_neither_texts_nor_places(tmp_path: Path) -> None:
    written = (HEAD + GOOD + GOOD).replace("\n", "\r\n").encode("utf-8-sig")
    assert_said(load(tmp_path, written), Severity.ERROR, "5:8: the id 'good' is already that of question 1")


def test_columns_count_characters_and_not_bytes(tmp_path: Path) -> None:
    assert_said(
        load(tmp_path, "title: {en: 😀щ, de: x}\nlanguages: [en]\nquestions:\n" + GOOD), Severity.ERROR, "1:17: a te"
    )


BROKEN = {
    "a tab before a key": ("title: T\n\tlanguages: [en]", "2:1: a tab where YAML wants spaces; indent with spaces"),
    "a tab before a list": ("title: T\nquestions:\n\t- id: a", "3:1: a tab where YAML wants spaces"),
    "a colon in a text": ("title: What: this", "1:12: a ': ' inside a text, or a key indented differently; put"),
    "a quote never closed": ("title: 'T\nlanguages: [en]", "1:8: the quote that opens here is never closed"),
    "a quote inside a quote": ("title: 'it's'", "1:12: this line fits nothing above it"),
    "an unknown escape": (r'title: "\sigma"', r"1:9: in double quotes a \ starts a code, and this one is unknown"),
    "a half escape": (r'title: "\xi"', "1:11: in double quotes \\x, \\u and \\U are followed by"),
    "a lone surrogate": (r'title: "\ud800"', "1:11: this \\u code is no character"),
    "a text that starts with @": ("title: @home", "1:8: a text cannot start with @; put the text in single quotes"),
    "a text that starts with a backtick": ("title: `x`", "1:8: a text cannot start with `; put"),
    "a text that starts with %": ("title: %s", "1:8: a text cannot start with %; put"),
    "a lone star": ("title: *", "1:9: a text that starts with & or * means something else in YAML"),
    "a list never closed": ("title: T\nlanguages: [en\nquestions:\n", "3:10: a list in [ ] goes wrong here"),
    "a mapping never closed": ("title: {en: T\n", "2:1: a mapping in { } goes wrong here"),
    "a list after its key": ("title: - a", "1:8: a '- ' where no list can start"),
    "a key without a colon": ("title\nlanguages: [en]", "2:10: a ': ' inside a text"),
    "keys that do not line up": ("title: T\n languages: [en]", "2:11: a ': ' inside a text"),
    "a list that does not line up": ("questions:\n  - a\n - b", "3:2: this line fits nothing above it"),
    "a key inside a list": ("- a\nb: c", "2:1: this line does not belong to the list above"),
    "a second document": ("title: T\n---\ntitle: T", "2:1: a second document; a file holds one quiz"),
    "text after the end": ("title: T\n...\nx", "3:1: text after the end of the quiz"),
    "another version of YAML": ("%YAML 9.1\n---\na: b", "1:1: this cannot be read as YAML"),
    "a control character": ("title: a\x07b", "1:9: a control character (U+0007) in the file; delete it"),
    "a noncharacter": ("title: a\ufffeb", "1:9: a control character (U+FFFE) in the file"),
    "a line separator": ("title: a\u2028b", "1:9: a control character (U+2028) in the file"),
}


@pytest.mark.parametrize(("written", "start"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_file_is_refused_in_its_place_with_a_way_to_mend_it(tmp_path: Path, written: str, start: str) -> None:
    assert_said(load(tmp_path, written), Severity.ERROR, start)


UNWANTED = {
    "an anchor": ("&x T", "1:8: an anchor '&x', which quiz files do not use; if it is text, put it in single quotes"),
    "an alias": ("*x", "1:8: an alias '*x', which quiz files do not use"),
    "a tag": ("!important T", "1:8: a tag '!important', which quiz files do not use"),
    "a tag and nothing else": ("!important", "1:8: a tag '!important', which quiz files do not use"),
    "a tag that makes objects": (
        "!!python/object/apply:os.system T",
        "1:8: a tag 'tag:yaml.org,2002:python/object/apply:os…'",
    ),
    "a Greek letter in double quotes": (
        r'"\theta"',
        r"1:9: a tab (U+0009) in this text; in double quotes \t means that; write",
    ),
    "a backslash before a Greek letter": (r'"a\\t \theta"', r"1:14: a tab (U+0009) in this text; in double quotes \t"),
    "an escape sequence": (r'"\x1b[31m"', r"1:9: a control character (U+001B) in this text; in double quotes \e means"),
    "a null character": (r'"a\0"', r"1:10: a control character (U+0000) in this text; in double quotes \0 means that"),
    "a carriage return": (r'"\rho"', r"1:9: a carriage return (U+000D) in this text; in double quotes \r means that"),
    "a backspace": (r'"a\u0008"', r"1:10: a control character (U+0008) in this text; in double quotes \b means that"),
    "a noncharacter": (
        r'"\U0001FFFE"',
        r"1:9: a control character (U+1FFFE) in this text; in double quotes a \ starts",
    ),
    "a bidi override": ("a\u202eb", "1:9: an invisible control of the writing direction (U+202E) in this text; del"),
    "a bidi isolate": (r'"\u2066"', "1:9: an invisible control of the writing direction (U+2066) in this text; delete"),
    "a tab": ("'it''s a\tb'", "1:16: a tab (U+0009) in this text; write spaces instead"),
    "a tab in the second line": ("|\n  a\n  b\tc", "3:4: a tab (U+0009) in this text; write spaces instead"),
    "a tab of which another may be left out": (
        '"a\t\n  b\tc"',
        "1:8: a tab (U+0009) in this text; in double quotes \\t",
    ),
    "a control that may be in a comment": ("| # \u202e\n  a\u202eb", "1:8: an invisible control of the writing dir"),
}


@pytest.mark.parametrize(("title", "start"), UNWANTED.values(), ids=UNWANTED.keys())
def test_what_no_text_may_hold_is_refused_in_its_place(tmp_path: Path, title: str, start: str) -> None:
    loaded = load(tmp_path, f"intro: {title}\nlanguages: [en]\ntitle: T\nquestions:\n{GOOD}")
    assert_said(loaded, Severity.ERROR, start)
    assert loaded.quiz is None


def test_each_control_character_of_a_text_is_named_and_hides_nothing_else(tmp_path: Path) -> None:
    written = HEAD + GOOD.replace("explanation: e", 'explanation: "\\theta is answer B, \\beta, \\tau"')
    loaded = load(tmp_path, written.replace("id: good", 'id: "go\\td"'))
    assert_said(
        loaded,
        Severity.ERROR,
        "4:11: a tab (U+0009)",
        "4:95: a tab (U+0009)",
        "4:115: a control character (U+0008)",
        "4:122: a tab (U+0009)",
    )
    assert_said(loaded, Severity.WARNING, "4:94: 'answer B' means another option")


def test_a_list_or_mapping_with_an_anchor_is_judged_like_any_other(tmp_path: Path) -> None:
    written = HEAD + "- &a {id: a, stem: S, options: &o [{text: a, right: true}, &b {note: n}], explanation: e}\n"
    assert_said(
        load(tmp_path, written),
        Severity.ERROR,
        "4:3: an anchor '&a'",
        "4:32: an anchor '&o'",
        "4:60: an anchor '&b'",
        "4:60: this option has no 'text'",
    )


def test_a_key_that_comes_twice_is_refused_with_both_places(tmp_path: Path) -> None:
    written = HEAD + GOOD.replace("stem: S", "stem: S, stem: Z")
    assert_said(
        load(tmp_path, written), Severity.ERROR, "4:23: the key 'stem' is here a second time, first at 4:14; rem"
    )


def test_a_list_as_a_key_is_refused(tmp_path: Path) -> None:
    assert_said(load(tmp_path, "? [a]\n: b\n" + HEAD + GOOD), Severity.ERROR, "1:3: a list or mapping as a key")


def test_bytes_that_are_not_utf8_are_refused_with_their_place(tmp_path: Path) -> None:
    written = "title: Тест\nlanguages: [en]\n".encode() + "intro: щ".encode("cp1251")
    assert_said(load(tmp_path, written), Severity.ERROR, "3:8: the byte 0xF9 is not UTF-8; save the file in the enc")
    assert_said(load(tmp_path, "title: T".encode("utf-16")), Severity.ERROR, "1:1: the byte 0xFF is not UTF-8")


class TestHostileFiles:
    """Refused before they cost anything."""

    def refused(self, folder: Path, written: str) -> list[str]:
        started = time.monotonic()
        loaded = load(folder, written)
        assert time.monotonic() - started < 5
        assert loaded.quiz is None
        return said(loaded)

    def test_a_bomb_of_aliases_is_never_expanded(self, tmp_path: Path) -> None:
        bomb = "a: &a [x, x]\n" + "".join(
            f"{name}: &{name} [{', '.join([f'*{chr(ord(name) - 1)}'] * 9)}]\n" for name in "bcdefghij"
        )
        found = self.refused(tmp_path, bomb)
        assert "1:1: this quiz has no 'languages'; add 'languages: …'" in found
        assert [message for message in found if message.startswith("2:4: an anchor '&b'")]

    def test_a_file_of_ten_megabytes_is_not_read(self, tmp_path: Path) -> None:
        (message,) = self.refused(tmp_path, "x" * 10_000_000)
        assert message.startswith("1:1: the file is larger than 4 MiB, which is Quizbot's own limit; split")

    @pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "[\n", "? "])
    def test_endless_nesting_is_refused(self, tmp_path: Path, opening: str) -> None:
        (message,) = self.refused(tmp_path, opening * 100_000)
        assert "which is Quizbot's own limit" in message or "brackets opened inside each other" in message

    def test_endless_keys_and_aliases_are_cut_short(self, tmp_path: Path) -> None:
        (keys,) = self.refused(tmp_path, "".join(f"k{number}: x\n" for number in range(100_000)))
        assert keys.startswith("101:1: more than 100 keys in one mapping")
        assert len(self.refused(tmp_path, "a: [" + "*x, " * 100_000 + "]")) == 1_001

    @pytest.mark.parametrize("entries", ["a, ", "{rigth: x}, ", "[], "])
    def test_endless_options_are_counted_and_not_judged_one_by_one(self, tmp_path: Path, entries: str) -> None:
        found = self.refused(tmp_path, f"{HEAD}- {{id: a, stem: S, options: [{entries * 100_000}]}}")
        assert "4:29: 100,000 options; at most 10 are possible, which is Quizbot's own limit: remove or split" in found
        assert len(found) < 500

    @pytest.mark.parametrize("key", ["languages", "topics"])
    def test_endless_names_are_counted_and_not_judged_one_by_one(self, tmp_path: Path, key: str) -> None:
        found = self.refused(tmp_path, f"{key}: [{'en, ' * 100_000}]\n{HEAD.replace('languages: [en]', '')}{GOOD}")
        assert [message for message in found if message.startswith(f"1:{len(key) + 3}: 100,000 {key}; at most")]
        assert len(found) < 500


class TestFilesThatCannotBeRead:
    """A missing, unreadable or odd file is a problem of that file, never an exception."""

    def test_a_missing_file_is_a_problem(self, tmp_path: Path) -> None:
        loaded = load_file(tmp_path / "none.yaml")
        assert_said(loaded, Severity.ERROR, "1:1: the file cannot be read (No such file or directory); check its name")

    def test_a_folder_and_a_pipe_are_problems(self, tmp_path: Path) -> None:
        (tmp_path / "folder.yaml").mkdir()
        os.mkfifo(tmp_path / "pipe.yaml")
        for name in ("folder", "pipe"):
            assert_said(load_file(tmp_path / f"{name}.yaml"), Severity.ERROR, "1:1: this is not a regular file")

    def test_a_name_that_no_file_can_have_is_a_problem(self) -> None:
        assert_said(
            load_file(Path("a\0b.yaml")), Severity.ERROR, "1:1: the file cannot", "1:1: the file's name 'a\\u0000b'"
        )
