"""Every fault of an author, in its place and in plain words; nothing of the file is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.content import Severity
from bot.content.values import LONGEST_OPTION, LONGEST_STEM, LONGEST_TELLING, LONGEST_TITLE, LONGEST_URL
from tests.content.writing import BILINGUAL, GOOD, HEAD, PNG, assert_said, load, said

HEADS = {
    "nothing at all": ("", "1:1: the file is empty; write"),
    "only a comment": ("# later\n", "1:1: the file is empty; write"),
    "a text instead of a quiz": ("hello", "1:1: the text 'hello' where something else belongs; write 'title:'"),
    "a list instead of a quiz": ("- a", "1:1: a list where something else belongs; write 'title:'"),
    "no title": ("languages: [en]\nquestions:\n" + GOOD, "1:1: this quiz has no 'title'; add 'title: …'"),
    "no languages": ("title: T\nquestions:\n" + GOOD, "1:1: this quiz has no 'languages'; add"),
    "no questions": ("title: T\nlanguages: [en]\n", "1:1: this quiz has no 'questions'; add"),
    "an empty list of questions": ("title: T\nlanguages: [en]\nquestions: []", "3:12: 0 questions; at least 1"),
    "questions left open": (
        "title: T\nlanguages: [en]\nquestions:",
        "3:11: nothing is written here; write a list of q",
    ),
    "questions as a mapping": ("title: T\nlanguages: [en]\nquestions: {a: b}", "3:12: a mapping where something else"),
    "no language listed": ("title: T\nlanguages: []\nquestions:\n" + GOOD, "2:12: 0 languages; at least 1"),
    "languages as a text": ("title: T\nlanguages: en\nquestions:\n" + GOOD, "2:12: the text 'en' where something else"),
    "no language tag": ("title: T\nlanguages: [en, english]\nquestions:\n" + GOOD, "2:17: 'english' is not a language"),
    "an empty tag": ("title: T\nlanguages: [en, '']\nquestions:\n" + GOOD, "2:17: nothing is written here; write it"),
    "a tag with a small country": ("title: T\nlanguages: [pt-br]\nquestions:\n" + GOOD, "2:13: 'pt-br' is not a lang"),
    "a language twice": ("title: T\nlanguages: [en, bg, en]\nquestions:\n" + GOOD, "2:21: 'en' is listed twice; rem"),
    "the tag of no language": ("title: T\nlanguages: [und]\nquestions:\n" + GOOD, "2:13: 'und' is no language to"),
    "an empty title": ("title: ' '\nlanguages: [en]\nquestions:\n" + GOOD, "1:8: the text is empty; write it, or"),
    "a title left open": ("title:\nlanguages: [en]\nquestions:\n" + GOOD, "1:7: the text is empty; write it, or"),
    "an invisible title": ('title: "\\u200b"\nlanguages: [en]\nquestions:\n' + GOOD, "1:8: the text is empty; write"),
    "a title of two lines": ("title: |\n  a\n  b\nlanguages: [en]\nquestions:\n" + GOOD, "1:8: a line break, which"),
    "a list as title": (
        "title: [a]\nlanguages: [en]\nquestions:\n" + GOOD,
        "1:8: a list where a text belongs; write a",
    ),
    "a title in no language": ("title: {}\nlanguages: [en]\nquestions:\n" + GOOD, "1:8: 0 languages; at least 1 must"),
    "a title only translated": (
        "title: {bg: Т}\nlanguages: [en, bg]\nquestions:\n" + GOOD,
        "1:8: no text in 'en', the first of 'languages'; everything is written in that one: add it",
    ),
    "a title in a language not on offer": (
        "title: {en: T, de: T}\nlanguages: [en]\nquestions:\n" + GOOD,
        "1:16: a text in 'de', which 'languages' (en) does not list; add it there, or remove this",
    ),
    "a text with a comma in a flow mapping": (
        "title: {en: Hello, world}\nlanguages: [en]\nquestions:\n" + GOOD,
        "1:20: 'world' is not a language tag; write one such as en, pt-BR or sr-Latn, and put a text with commas in q",
    ),
    "a topic with capitals": (
        "title: T\nlanguages: [en]\ntopics: [Deep Learning]\nquestions:\n" + GOOD,
        "3:10: 'Deep Learning' is not a topic; use small letters",
    ),
    "a slip in a key": (
        "title: T\nlanguages: [en]\ntopic: [a]\nquestions:\n" + GOOD,
        "3:1: 'topic' is not a key here; did you mean 'topics'?",
    ),
    "a key of another format": (
        "title: T\nlanguages: [en]\nname: x\nquestions:\n" + GOOD,
        "3:1: 'name' is not a key here; did you mean 'title'?",
    ),
    "a key that means nothing": (
        "title: T\nlanguages: [en]\nauthor: x\nquestions:\n" + GOOD,
        "3:1: 'author' is not a key here; a quiz has title, intro, languages, topics, questions",
    ),
}


@pytest.mark.parametrize(("written", "start"), HEADS.values(), ids=HEADS.keys())
def test_a_fault_of_the_quiz_is_said_in_its_place(tmp_path: Path, written: str, start: str) -> None:
    loaded = load(tmp_path, written)
    assert [message for message in said(loaded, Severity.ERROR) if message.startswith(start)]
    assert loaded.quiz is None


OPTIONS = "options: [{text: a, right: true}, b]"

QUESTIONS = {
    "a text as a question": (
        "- hello",
        "4:3: the text 'hello' where something else belongs; write a question: 'id', 'st",
    ),
    "a question left open": ("-", "4:2: nothing is written here; write a question"),
    "no id": (f"- stem: S\n  {OPTIONS}", "4:3: this question has no 'id'; add 'id: …'"),
    "no stem": (f"- id: a\n  {OPTIONS}", "4:3: this question has no 'stem'; add"),
    "no options": ("- id: a\n  stem: S", "4:3: this question has no 'options'; add"),
    "an id with a space": (f"- id: a b\n  stem: S\n  {OPTIONS}", "4:7: 'a b' is not a question id; use up to 64"),
    "an id that starts with a dot": (f"- id: ..\n  stem: S\n  {OPTIONS}", "4:7: '..' is not a question id; use"),
    "an id of 65 letters": (f"- id: {'a' * 65}\n  stem: S\n  {OPTIONS}", f"4:7: '{'a' * 40}…' is not a question id"),
    "an empty stem": (f"- id: a\n  stem: ''\n  {OPTIONS}", "5:9: the text is empty; write it"),
    "an empty translation": (f"- id: a\n  stem:\n    en: ''\n  {OPTIONS}", "6:9: the text is empty; write it"),
    "a stem that is too long": (
        f"- id: a\n  stem: {'x' * (LONGEST_STEM + 1)}\n  {OPTIONS}",
        "5:9: 4,001 characters; at most 4,000 fit here, which is Quizbot's own limit",
    ),
    "one option": (
        "- id: a\n  stem: S\n  options: [{text: a, right: true}]",
        "6:12: 1 option; at least 2 must be there",
    ),
    "eleven options": (
        "- id: a\n  stem: S\n  options:\n  - {text: a, right: true}\n" + "".join(f"  - o{n}\n" for n in range(10)),
        "7:3: 11 options; at most 10 are possible",
    ),
    "options as a text": (
        "- id: a\n  stem: S\n  options: a, b",
        "6:12: the text 'a, b' where something else belongs; w",
    ),
    "no right option": ("- id: a\n  stem: S\n  options: [a, b]", "6:3: no option is right; write the right one as"),
    "a right that is not a switch": (
        "- id: a\n  stem: S\n  options: [{text: a, right: yes}, b]",
        "6:30: neither true nor false; write one of the two",
    ),
    "an option without a text": (
        "- id: a\n  stem: S\n  options:\n  - right: true\n  - b",
        "7:5: this option has no 'text'; add 'text: …'",
    ),
    "an empty option": (
        "- id: a\n  stem: S\n  options: [{text: a, right: true}, '']",
        "6:37: the text is empty; write",
    ),
    "an option of two lines": (
        "- id: a\n  stem: S\n  options:\n  - text: |\n      a\n      b\n    right: true\n  - c",
        "7:11: a line break, which cannot be shown here; write one line",
    ),
    "an option that is too long": (
        f"- id: a\n  stem: S\n  options: [{{text: a, right: true}}, {'x' * (LONGEST_OPTION + 1)}]",
        "6:37: 1,001 characters; at most 1,000 fit here",
    ),
    "two equal options": (
        "- id: a\n  stem: S\n  options:\n  - {text: Weight  Decay, right: true}\n  - ' weight decay '",
        "8:5: reads like option 1 of this question; let more than case differ",
    ),
    "options that an invisible character tells apart": (
        '- id: a\n  stem: S\n  options: [{text: ab, right: true}, "a\\u00adb"]',
        "6:38: reads like option 1 of this question;",
    ),
    "a slip in a key of an option": (
        "- id: a\n  stem: S\n  options: [{text: a, rigth: true}, b]",
        "6:23: 'rigth' is not a key here; did you mean 'right'?",
    ),
    "the languages of an option without its text": (
        "- id: a\n  stem: S\n  options: [{text: a, right: true}, {en: b}]",
        "6:38: 'en' is not a key here; write the languages of an option under 'text', as in 'text: {en: …}'",
    ),
    "a slip in a key of a question": (
        f"- id: a\n  stem: S\n  {OPTIONS}\n  explanaton: x",
        "7:3: 'explanaton' is not a key here; did you mean 'explanation'?",
    ),
    "a word of another format": (
        f"- id: a\n  question: S\n  {OPTIONS}",
        "5:3: 'question' is not a key here; did you mean 'stem'?",
    ),
    "an answer beside options": (
        f"- id: a\n  stem: S\n  {OPTIONS}\n  answer: B",
        "7:3: 'answer' is not a key here; it is for a 'statement'; with 'options' mark",
    ),
    "a note of the question": (
        f"- id: a\n  stem: S\n  {OPTIONS}\n  note: x",
        "7:3: 'note' is not a key here; a note belongs to an option",
    ),
    "a statement with options": (
        f"- id: a\n  statement: S\n  answer: true\n  {OPTIONS}",
        "7:3: 'options' is not a key here; with 'statement' it is true/false; keep",
    ),
    "a statement without an answer": ("- id: a\n  statement: S", "4:3: this true/false question has no 'answer'; add"),
    "an answer that is not a switch": ("- id: a\n  statement: S\n  answer: No", "6:11: neither true nor false; write"),
    "an explanation that is too long": (
        f"- id: a\n  stem: S\n  {OPTIONS}\n  explanation: {'x' * (LONGEST_TELLING + 1)}",
        "7:16: 8,001 characters; at most 8,000 fit here",
    ),
    "too little time": (f"- id: a\n  stem: S\n  {OPTIONS}\n  seconds: 4", "7:12: 4 seconds; 5 to 600 are possible"),
    "too much time": (f"- id: a\n  stem: S\n  {OPTIONS}\n  seconds: 601", "7:12: 601 seconds; 5 to 600 are possible"),
    "time with a unit": (f"- id: a\n  stem: S\n  {OPTIONS}\n  seconds: 30s", "7:12: not a whole number; write one"),
    "time as infinity": (f"- id: a\n  stem: S\n  {OPTIONS}\n  seconds: .inf", "7:12: not a whole number; write one"),
    "sources as a text": (
        f"- id: a\n  stem: S\n  {OPTIONS}\n  sources: x",
        "7:12: the text 'x' where something else b",
    ),
    "a source as a text": (
        f"- id: a\n  stem: S\n  {OPTIONS}\n  sources: [x]",
        "7:13: the text 'x' where something else",
    ),
    "a source without an address": (
        f"- id: a\n  stem: S\n  {OPTIONS}\n  sources: [{{title: x}}]",
        "7:13: this source has no 'url'; add",
    ),
    "a source title that is too long": (
        f"- id: a\n  stem: S\n  {OPTIONS}\n  sources: [{{url: 'https://a.b', title: {'x' * (LONGEST_TITLE + 1)}}}]",
        "7:41: 301 characters; at most 300 fit here",
    ),
    "a picture without words": (
        f"- id: a\n  stem: S\n  {OPTIONS}\n  image: {{path: a.png}}",
        "7:10: this image has no 'alt'; add 'alt: …'",
    ),
    "a picture as a text": (
        f"- id: a\n  stem: S\n  {OPTIONS}\n  image: a.png",
        "7:10: the text 'a.png' where something",
    ),
    "an id used twice": (
        f"- id: good\n  stem: S\n  {OPTIONS}\n{GOOD}",
        "7:8: the id 'good' is already that of question 1; give this one its own",
    ),
}


@pytest.mark.parametrize(("written", "start"), QUESTIONS.values(), ids=QUESTIONS.keys())
def test_a_fault_of_a_question_is_said_in_its_place(tmp_path: Path, written: str, start: str) -> None:
    loaded = load(tmp_path, HEAD + written)
    assert [message for message in said(loaded, Severity.ERROR) if message.startswith(start)]
    assert loaded.quiz is None


@pytest.mark.parametrize(
    "address",
    [
        "example.org",
        "//example.org",
        "ftp://example.org",
        "javascript:alert(1)",
        "https://",
        "http://[x",
        "'https://a b.c'",
        '"https://a.b/\\u200b"',
        "https://a.b:99999",
        "''",
        f"https://a.b/{'x' * LONGEST_URL}",
    ],
)
def test_a_source_has_a_whole_web_address(tmp_path: Path, address: str) -> None:
    loaded = load(tmp_path, f"{HEAD}- id: a\n  stem: S\n  {OPTIONS}\n  sources:\n  - url: {address}\n")
    assert_said(
        loaded, Severity.ERROR, "8:10: 2,012 characters" if len(address) > 99 else "8:10: not a web address; write"
    )


def test_options_that_are_equal_in_one_language_only_are_found_there(tmp_path: Path) -> None:
    written = BILINGUAL + "- {id: a, stem: S, options: [{text: {en: a, bg: в}, right: true}, {text: {en: b, bg: В}}]}"
    assert_said(load(tmp_path, written), Severity.ERROR, "4:86: reads like option 1 of this question in 'bg'")


SLIPS = {
    "another word for the stem": (
        f"- id: a\n  question: S\n  {OPTIONS}",
        "5:3: 'question' is not a key here; did you mean 'stem'?",
    ),
    "another word for a statement": (
        "- id: a\n  question: S\n  answer: true",
        "5:3: 'question' is not a key here; did you mean 'statement'?",
    ),
    "a statement misspelt": (
        "- id: a\n  statment: S\n  answer: true",
        "5:3: 'statment' is not a key here; did you mean 'statement'?",
    ),
    "options misspelt": (
        "- id: a\n  stem: S\n  option: [{text: a, right: true}, b]",
        "6:3: 'option' is not a key here; did you mean 'options'?",
    ),
    "another word for right": (
        "- id: a\n  stem: S\n  options: [{text: a, correct: true}, b]",
        "6:23: 'correct' is not a key here; did you mean 'right'?",
    ),
    "a note misspelt": (
        "- id: a\n  stem: S\n  options: [{text: a, right: true}, {text: b, not: n}]",
        "6:47: 'not' is not a key here; did you mean 'note'?",
    ),
    "a key like a language tag beside a text": (
        "- id: a\n  stem: S\n  options: [{text: a, right: true}, {text: b, why: n}]",
        "6:47: 'why' is not a key here; an option has text, right, note, pinned",
    ),
    "a language beside a text": (
        "- id: a\n  stem: S\n  options: [{text: a, right: true}, {text: b, en: c}]",
        "6:47: 'en' is not a key here; an option has text, right, note, pinned",
    ),
    "an option by language without its text": (
        "- id: a\n  stem: S\n  options: [{en: a, right: true}, b]",
        "6:14: 'en' is not a key here; write the languages of an option under 'text', as in 'text: {en: …}'",
    ),
    "a key of a source": (
        f"- id: a\n  stem: S\n  {OPTIONS}\n  sources: [{{link: 'https://a.b'}}]",
        "7:14: 'link' is not a key here; did you mean 'url'?",
    ),
}


@pytest.mark.parametrize(("written", "message"), SLIPS.values(), ids=SLIPS.keys())
def test_a_slip_in_a_key_is_one_error(tmp_path: Path, written: str, message: str) -> None:
    loaded = load(tmp_path, HEAD + written)
    assert said(loaded, Severity.ERROR) == [message]
    assert loaded.quiz is None


def test_a_key_like_a_language_tag_that_is_not_on_offer_is_no_language_of_an_option(tmp_path: Path) -> None:
    written = HEAD + "- id: a\n  stem: S\n  options: [{text: a, right: true}, {why: n}]"
    assert_said(
        load(tmp_path, written),
        Severity.ERROR,
        "6:37: this option has no 'text'",
        "6:38: 'why' is not a key here; an option has text",
    )


def test_what_stands_under_a_slip_in_a_key_is_judged_in_its_place(tmp_path: Path) -> None:
    written = (
        "title: T\nlanguage: [en]\nquestion:\n"
        "- id: a\n"
        "  question: ''\n"
        "  answers:\n"
        "  - {en: x, de: y, rigth: true}\n"
        "  - text: X\n"
        "    feedback: [n]\n"
    )
    assert_said(
        load(tmp_path, written),
        Severity.ERROR,
        "2:1: 'language' is not a key here; did you mean 'languages'?",
        "3:1: 'question' is not a key here; did you mean 'questions'?",
        "5:3: 'question' is not a key here; did you mean 'stem'?",
        "5:13: the text is empty",
        "6:3: 'answers' is not a key here; did you mean 'options'?",
        "7:6: 'en' is not a key here; write the languages of an option under 'text'",
        "7:13: a text in 'de', which 'languages' (en) does not list",
        "7:20: 'rigth' is not a key here; did you mean 'right'?",
        "8:11: reads like option 1 of this question in 'en'",
        "9:5: 'feedback' is not a key here; did you mean 'note'?",
        "9:15: a list where a text belongs",
    )


def test_every_problem_of_a_file_is_said_at_once_in_the_order_of_their_places(tmp_path: Path) -> None:
    written = (
        "title: {en: T, de: T}\n"
        "languages: [en]\n"
        "topics: [A]\n"
        "questions:\n"
        "- id: a\n"
        "  stem: *x\n"
        "  options: [{text: a, right: yes}, b]\n"
        "- id: b\n"
        "  stem: S\n"
        "  options: [a, A]\n"
        "- id: b\n"
        "  statement: S\n"
        "  answer: 1\n"
    )
    loaded = load(tmp_path, written)
    assert_said(
        loaded,
        Severity.ERROR,
        "1:16: a text in 'de', which 'languages' (en) does not list",
        "3:10: 'A' is not a topic",
        "6:9: an alias '*x', which quiz files do not use",
        "7:30: neither true nor false",
        "10:3: no option is right",
        "10:16: reads like option 1",
        "11:7: the id 'b' is already that of question 2",
        "13:11: neither true nor false",
    )
    assert str(loaded.problems[1]) == f"{tmp_path}/quiz.yaml:3:10: error: {loaded.problems[1].message}"


def test_keys_that_the_checks_use_themselves_are_unknown_like_any_other(tmp_path: Path) -> None:
    written = (
        "<plain>: x\n'[key]': y\n" + HEAD + "- <choice>: x\n  id: a\n  statement: {<by language>: x, '[key]': y}\n"
    )
    assert_said(
        load(tmp_path, written),
        Severity.ERROR,
        "1:1: '<plain>' is not a key here",
        "2:1: '[key]' is not a key here",
        "6:3: '<choice>' is not a key here",
        "6:3: this true/false question has no 'answer'",
        "8:15: '<by language>' is not a language tag",
        "8:33: '[key]' is not a language tag",
    )


def test_a_file_with_ten_thousand_slips_names_the_first_thousand_and_says_so(tmp_path: Path) -> None:
    slips = "".join(f"- {{{', '.join(f'k{number}: x' for number in range(50))}}}\n" for _ in range(200))
    found = said(load(tmp_path, HEAD + slips), Severity.ERROR)
    assert 1_000 <= len(found) <= 1_100
    assert [message for message in found if "1,000 problems up to here; mend these" in message]


def test_two_thousand_questions_are_loaded_and_one_more_is_not(tmp_path: Path) -> None:
    questions = [GOOD.replace("good", f"q{number}") for number in range(2_001)]
    full = load(tmp_path, HEAD + "".join(questions[:2_000]))
    assert full.quiz is not None
    assert len(full.quiz.questions) == 2_000
    assert_said(load(tmp_path, HEAD + "".join(questions)), Severity.ERROR, "4:1: 2,001 questions; at most 2,000")


class TestPictures:
    """A picture is beside the quiz, inside the folder, and what its name says."""

    def fault(self, folder: Path, path: str) -> list[str]:
        question = f"- {{id: a, stem: S, {OPTIONS}, image: {{path: {path}, alt: A}}}}"
        return said(load(folder, HEAD + question), Severity.ERROR)

    def test_a_picture_in_the_folder_is_taken(self, tmp_path: Path) -> None:
        (tmp_path / "img").mkdir()
        (tmp_path / "img" / "graph.png").write_bytes(PNG)
        (tmp_path / "photo.JPG").write_bytes(b"\xff\xd8\xff\xe0")
        (tmp_path / "film.webp").write_bytes(b"RIFF\x00\x00\x00\x00WEBPVP8 ")
        for path in ("img/graph.png", "photo.JPG", "film.webp"):
            assert self.fault(tmp_path, path) == []

    @pytest.mark.parametrize(
        ("path", "words"),
        [
            ("missing.png", "there is no picture 'missing.png'"),
            ("notes.txt", "'notes.txt' is not a picture that every platform shows"),
            ("/etc/hosts.png", "'/etc/hosts.png' is not a path from this file's folder"),
            ("'img\\a.png'", "'img\\a.png' is not a path from this file's folder"),
            ("'C:a.png'", "'C:a.png' is not a path from this file's folder"),
            ("../outside.png", "the picture '../outside.png' is outside the content folder"),
            ("link.png", "the picture 'link.png' is outside the content folder"),
            ("loop.png", "the picture 'loop.png' cannot be read"),
            ("folder.png", "there is no picture 'folder.png'"),
            ("text.png", "'text.png' does not hold what its name says"),
            (f"{'a' * 290}.png", "the picture"),
            ("''", "nothing is written here"),
        ],
    )
    def test_another_picture_is_refused_with_the_reason(self, tmp_path: Path, path: str, words: str) -> None:
        folder = tmp_path / "content"
        folder.mkdir()
        (tmp_path / "outside.png").write_bytes(PNG)
        (folder / "link.png").symlink_to(tmp_path / "outside.png")
        (folder / "loop.png").symlink_to(folder / "loop.png")
        (folder / "folder.png").mkdir()
        (folder / "text.png").write_text("hello")
        found = self.fault(folder, path)
        assert len(found) == 1
        assert found[0].startswith(f"4:72: {words}")
