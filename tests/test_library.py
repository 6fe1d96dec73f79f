"""The quizzes at hand: what can be mixed of those on offer, and that a session finds its mix again whatever changes."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace

import pytest

from bot import codec, library
from bot.core.quiz import Image, LocalisedText, Question, QuestionRef, Quiz
from bot.library import Edition, Library
from tests.core.building import plain_quiz, question, quiz_of

TITLE = LocalisedText({"en": "Mix", "bg": "Микс"})
COLOURS = plain_quiz()
RIVERS = replace(
    quiz_of(
        replace(question("q0"), topics=("water", "europe")),
        replace(question("danube"), topics=("europe",)),
    ),
    slug="rivers",
)
LAKES = replace(quiz_of(replace(question("q0"), topics=("water",))), slug="lakes")
LIBRARY = Library([RIVERS, COLOURS, LAKES])


def spoken(quiz: Quiz, *languages: str) -> Quiz:
    """The quiz in these languages, of which the first is its own."""

    def said(words: str) -> LocalisedText:
        return LocalisedText({language: f"{words} ({language})" for language in languages})

    def told(asked: Question) -> Question:
        options = tuple(replace(option, text=said(option.text["en"])) for option in asked.options)
        return replace(asked, stem=said(asked.stem["en"]), options=options)

    return replace(quiz, languages=languages, title=said("title"), questions=tuple(map(told, quiz.questions)))


def refs(*names: str) -> list[QuestionRef]:
    """Questions by slug and id, with a slash between."""
    return [QuestionRef(*name.split("/")) for name in names]


def named(found: tuple[QuestionRef, ...]) -> list[str]:
    return [f"{ref.slug}/{ref.question}" for ref in found]


def made(edition: Edition | None) -> Edition:
    assert edition is not None
    return edition


def ids(quiz: Quiz | None) -> list[str]:
    assert quiz is not None
    return [asked.id for asked in quiz.questions]


class Shelf:
    """A store of pinned texts that remembers what it was asked for."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = dict(texts)
        self.asked: list[str] = []

    async def pinned(self, digest: str) -> str | None:
        self.asked.append(digest)
        return self.texts.get(digest)


# What is on offer


def test_quizzes_and_topics_are_listed_in_order() -> None:
    assert [quiz.slug for quiz in LIBRARY.quizzes] == ["colours", "lakes", "rivers"]
    assert LIBRARY.topics == ("europe", "water")


def test_a_question_is_found_by_its_name_for_good_in_its_own_quiz() -> None:
    assert LIBRARY.question(QuestionRef("rivers", "danube")) == (RIVERS, RIVERS.questions[1])
    assert LIBRARY.question(QuestionRef("lakes", "q0")) == (LAKES, LAKES.questions[0])
    for ref in refs("lakes/danube", "mix/q0", "rivers/rivers"):
        assert LIBRARY.question(ref) is None


# What can be mixed


@pytest.mark.parametrize(
    ("recipe", "questions"),
    [
        ((), []),
        (("lakes",), ["lakes/q0"]),
        (("rivers", "lakes"), ["rivers/q0", "rivers/danube", "lakes/q0"]),
        (("lakes", "rivers"), ["lakes/q0", "rivers/q0", "rivers/danube"]),
        (("#water",), ["lakes/q0", "rivers/q0"]),
        (("#europe", "#water"), ["rivers/q0", "rivers/danube", "lakes/q0"]),
        (("rivers", "#water", "rivers"), ["rivers/q0", "rivers/danube", "lakes/q0"]),
        (("water", "#rivers", "vanished", "#", "lakes"), ["lakes/q0"]),
    ],
)
def test_a_blend_has_every_question_of_its_quizzes_and_topics_once(
    recipe: tuple[str, ...], questions: list[str]
) -> None:
    assert named(LIBRARY.blend(recipe)) == questions


def test_a_mix_asks_what_was_named_in_that_order_each_question_once() -> None:
    wanted = refs("rivers/danube", "colours/q2", "rivers/q0", "colours/q2", "lakes/q0")
    quiz = made(LIBRARY.mix(TITLE, wanted, ["rivers", "#water"])).quiz
    assert ids(quiz) == ["rivers/danube", "colours/q2", "rivers/q0", "lakes/q0"]
    assert [quiz.ref(asked) for asked in quiz.questions] == refs("rivers/danube", "colours/q2", "rivers/q0", "lakes/q0")
    assert (quiz.slug, quiz.title, quiz.recipe, quiz.mixed) == ("mix", TITLE, ("rivers", "#water"), True)


def test_a_question_of_a_mix_is_what_it_is_in_its_quiz() -> None:
    quiz = made(LIBRARY.mix(TITLE, refs("rivers/danube"))).quiz
    (asked,) = quiz.questions
    assert replace(asked, id="danube", origin=None) == RIVERS.questions[1]
    assert quiz.fingerprint(asked) == RIVERS.fingerprint(RIVERS.questions[1])
    assert RIVERS.ref(RIVERS.questions[1]) == quiz.ref(asked)


def test_the_picture_of_a_question_comes_along() -> None:
    pictured = replace(question("seen"), image=Image("seen.png", LocalisedText({"en": "A river"})))
    quiz = made(Library([quiz_of(pictured)]).mix(TITLE, refs("colours/seen"))).quiz
    assert quiz.questions[0].image == pictured.image


def test_what_is_no_longer_offered_is_left_out_and_of_nothing_there_is_no_mix() -> None:
    wanted = refs("vanished/q0", "lakes/q0", "lakes/vanished")
    assert ids(made(LIBRARY.mix(TITLE, wanted)).quiz) == ["lakes/q0"]
    assert LIBRARY.mix(TITLE, refs("vanished/q0")) is None
    assert LIBRARY.mix(TITLE, []) is None


def test_the_same_mix_is_the_same_edition_in_every_process_and_another_is_not() -> None:
    wanted = refs("rivers/q0", "lakes/q0")
    edition = made(LIBRARY.mix(TITLE, wanted, ["rivers", "lakes"]))
    elsewhere = Library([LAKES, RIVERS])
    assert elsewhere.mix(LocalisedText({"bg": "Микс", "en": "Mix"}), wanted, ("rivers", "lakes")) == edition
    others = [
        LIBRARY.mix(TITLE, wanted),
        LIBRARY.mix(TITLE, wanted[::-1], ["rivers", "lakes"]),
        LIBRARY.mix(COLOURS.title, wanted, ["rivers", "lakes"]),
        Library([LAKES, replace(RIVERS, questions=RIVERS.questions[:1])]).mix(TITLE, wanted, ["rivers", "lakes"]),
    ]
    assert len({edition.digest, *(made(other).digest for other in others)}) == 5


# Languages


@pytest.mark.parametrize(
    ("one", "other", "languages"),
    [
        (("en", "bg"), ("en", "bg", "ro"), ("en", "bg")),
        (("de", "en"), ("en", "de"), ("de", "en")),
        (("de", "en"), ("fr", "en"), ("en",)),
        (("de",), ("fr",), ("de", "fr")),
        (("de",), ("de",), ("de",)),
    ],
)
def test_a_mix_offers_the_languages_that_all_of_it_speaks_else_those_that_each_is_written_in(
    one: tuple[str, ...], other: tuple[str, ...], languages: tuple[str, ...]
) -> None:
    both = Library([spoken(COLOURS, *one), spoken(LAKES, *other)])
    assert made(both.mix(TITLE, both.blend(["colours", "lakes"]))).quiz.languages == languages


def test_a_question_that_a_reader_cannot_read_is_shown_in_the_language_of_its_own_quiz() -> None:
    both = Library([spoken(COLOURS, "de", "fr"), spoken(LAKES, "fr")])
    quiz = made(both.mix(TITLE, refs("colours/q0", "lakes/q0"))).quiz
    assert [quiz.language_for(asked, "fr") for asked in quiz.questions] == ["fr", "fr"]
    assert [quiz.language_for(asked, "ro") for asked in quiz.questions] == ["de", "fr"]


# What a session pins


def test_a_session_of_a_mix_pins_what_it_is_made_from_and_nothing_else() -> None:
    edition = made(LIBRARY.mix(TITLE, refs("rivers/q0", "lakes/q0", "rivers/danube")))
    parts = [made(LIBRARY.edition(slug)) for slug in ("rivers", "lakes")]
    assert LIBRARY.texts(edition.digest) == {each.digest: each.text for each in (edition, *parts)}
    assert len(edition.text) < 400
    assert LIBRARY.texts(parts[0].digest) == {parts[0].digest: parts[0].text}
    assert LIBRARY.texts("nothing") == {}


async def test_a_mix_is_what_it_was_whatever_became_of_its_quizzes() -> None:
    edition = made(LIBRARY.mix(TITLE, LIBRARY.blend(["rivers", "lakes"]), ["rivers", "lakes"]))
    shelf = Shelf(LIBRARY.texts(edition.digest))
    for later in ([], [COLOURS], [LAKES], [replace(RIVERS, questions=RIVERS.questions[:1])], [RIVERS, LAKES]):
        assert await Library(later).find(edition.digest, shelf.pinned) == edition.quiz


async def test_what_is_in_memory_is_not_read_from_the_store() -> None:
    edition = made(LIBRARY.mix(TITLE, refs("rivers/q0", "lakes/q0")))
    shelf = Shelf(LIBRARY.texts(edition.digest))
    assert await LIBRARY.find(edition.digest, shelf.pinned) == edition.quiz
    assert shelf.asked == []
    later = Library([LAKES])
    for _ in range(2):
        assert await later.find(edition.digest, shelf.pinned) == edition.quiz
    assert shelf.asked == [edition.digest, made(LIBRARY.edition("rivers")).digest]
    assert later.quiz(edition.digest) == edition.quiz


async def test_a_mix_that_came_from_the_store_can_be_made_and_pinned_again() -> None:
    edition = made(LIBRARY.mix(TITLE, refs("rivers/q0", "lakes/q0")))
    later = Library([RIVERS, LAKES])
    await later.find(edition.digest, Shelf(LIBRARY.texts(edition.digest)).pinned)
    assert later.mix(TITLE, refs("rivers/q0", "lakes/q0")) == edition
    assert later.texts(edition.digest) == LIBRARY.texts(edition.digest)


@pytest.mark.parametrize(
    "damage", ["no part", "another part", "no mix", "half a mix", "a part that is a mix", "part cut"]
)
async def test_a_mix_of_which_something_cannot_be_read_is_not_there_and_the_log_says_so(
    damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    edition = made(LIBRARY.mix(TITLE, refs("rivers/danube", "lakes/q0")))
    part = made(LIBRARY.edition("rivers")).digest
    texts = LIBRARY.texts(edition.digest)
    match damage:
        case "no part":
            del texts[part]
        case "another part":
            texts[part] = codec.dump_quiz(COLOURS)
        case "no mix":
            del texts[edition.digest]
        case "half a mix":
            texts[edition.digest] = edition.text[:40]
        case "a part that is a mix":
            texts[part] = edition.text
        case "part cut":
            texts[part] = texts[part][:-1]
    with caplog.at_level(logging.ERROR):
        assert await Library([]).find(edition.digest, Shelf(texts).pinned) is None
    assert edition.digest in caplog.text


# Memory


async def test_memory_holds_a_bounded_number_of_questions_and_keeps_what_was_asked_for_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(library, "MOST_HELD", 10)
    here = Library([COLOURS])
    titles = [LocalisedText({"en": f"Mix {number}"}) for number in range(6)]
    first, second, third = (made(here.mix(title, here.blend(["colours"]))) for title in titles[:3])
    assert here.quiz(first.digest)  # so the second is now the one that nobody has asked for the longest
    made(here.mix(titles[3], here.blend(["colours"])))
    assert here.quiz(second.digest) is None
    assert here.texts(second.digest) == {}
    assert here.quiz(first.digest) == first.quiz
    assert here.quiz(third.digest) == third.quiz
    big = plain_quiz(11)
    shelf = Shelf({"big": codec.dump_quiz(big)})
    assert await here.find("big", shelf.pinned) == big
    assert here.quiz("big") == big
    assert [here.quiz(each.digest) for each in (first, third)] == [None, None]
