"""Long, foreign and hostile texts and names: shown as they are, within Telegram's limits, and never refused."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from adapters.characters import JOINER
from bot.core.quiz import LocalisedText, Option, Question, Quiz, Source
from tests.clock import VirtualClock
from tests.core.building import plain_quiz, text
from tests.telegram.playing import playing
from tests.telegram.server import BotApi, Group, Person
from tests.telegram.server.markup import units
from tests.telegram.study import Study

HOSTILE = (
    "<b>bold</b>",
    "&quot;&amp;",
    "a_b*c [x](y) `z`",
    "__init__",
    "{0.__class__}",
    "%s %(name)s",
    "@everyone",
    "/stop",
    "#tag",
    "</blockquote>",
    "🎉" * 32,
    "👩‍👩‍👧‍👦🇧🇬",
    "tg://user?id=1",
)


@pytest.fixture
def ann(server: BotApi) -> Person:
    return server.person("Ann")


@pytest.fixture
def group(server: BotApi, ann: Person) -> Group:
    return server.supergroup("Study", [ann], [ann])


def one_question(stem: str, *options: str, explanation: str = "Because.", note: str = "No.") -> Quiz:
    """A quiz with a single question; its first option is right."""
    written = tuple(
        Option(text(option), right=number == 0, note=None if number == 0 else text(note))
        for number, option in enumerate(options)
    )
    sources = (Source("https://example.org/a?b=1&c=<2>", text(stem)),)
    question = Question("q0", text(stem), written, text(explanation), sources=sources)
    return Quiz("colours", text(stem), ("en",), (question,), intro=text(stem))


def seen(said: str) -> str:
    return said.replace(JOINER, "")


def letter_of(asked: str, option: str) -> str:
    return next(line[0] for line in seen(asked).splitlines() if line[1:] == f". {option}")


async def test_long_options_that_differ_late_are_read_whole(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person
) -> None:
    options = [f"{'The gradient is divided by the number of steps, ' * 2}{last} {'x' * 20}" for last in "abcd"]
    async with playing(server, clock, one_question("Which?", *options)) as bot:
        asked = await Study(bot, group, ann).begin()
        assert all(option in asked.text for option in options)
        assert asked.keyboard == [["A", "B", "C", "D"], ["Next"]]


@pytest.mark.parametrize(
    ("stem", "explanation"),
    [(300, 600), (400, 5000), (3000, 600), (3000, 5000), (3000, 4096)],
)
@pytest.mark.parametrize("letter", ["x", "ж", "🎉"], ids=["Latin", "Cyrillic", "emoji"])
async def test_long_stems_and_explanations_are_fitted_in_the_platforms_own_units(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, stem: int, explanation: int, letter: str
) -> None:
    word = letter * 9 + " "
    told = {"explanation": word * (explanation // 10), "note": "n" * 900}
    quiz = one_question(word * (stem // 10), "yes", "no", "both", "neither", **told)
    quiz = replace(quiz, title=text(word * 30))
    async with playing(server, clock, quiz) as bot:
        study = Study(bot, group, ann)
        asked = await study.begin()
        wrong = letter_of(asked.text, "no")
        assert all(f". {option}" in asked.text for option in ("yes", "no", "both", "neither"))
        pop_up = await study.press(ann, wrong, asked)
        assert pop_up.startswith(f"✗ Wrong. You chose {wrong}.")
        assert units(pop_up) <= 200
        assert pop_up.endswith("…")
        await bot.wait(600)
        for said in ("yes · ✓ right", "no · 1 chose it", "0 of 1 got it right"):
            assert said in asked.text
        assert all(units(message.said.text) <= 4096 for message in study.messages)
        assert "Results — " in study.texts[-1]
    assert all(call.status == 200 for call in server.requests if call.status)


@pytest.mark.parametrize("hostile", HOSTILE)
async def test_what_looks_like_markup_is_shown_as_written_and_calls_nobody(
    server: BotApi, clock: VirtualClock, hostile: str
) -> None:
    ann = server.person(hostile)
    group = server.supergroup(hostile, [ann], [ann])
    quiz = one_question(hostile, hostile, f"not {hostile}", explanation=hostile, note=hostile)
    async with playing(server, clock, quiz) as bot:
        study = Study(bot, group, ann)
        card = await study.choose()
        assert f"Host: {hostile}" in seen(card.text)
        await study.press(ann, "Start", card)
        asked = study.last
        assert seen(asked.text).startswith(f"Question 1 of 1\n\n{hostile}\n\n")
        pop_up = await study.press(ann, letter_of(asked.text, f"not {hostile}"), asked)
        assert hostile in seen(pop_up)
        await bot.wait(300)
        assert f"1. {hostile} — 0 of 1 right" in seen(study.last.text)
        for message in study.messages:
            assert {entity["type"] for entity in message.entities} <= {
                "bold",
                "italic",
                "expandable_blockquote",
                "text_link",
            }
            assert not [entity for entity in message.entities if entity.get("url", "https://example").startswith("tg:")]
            assert not re.search(r"(?<!\w)[@#]\w", message.said.text)
        place = next(line for line in study.last.text.splitlines() if line.startswith("1."))
        assert not re.search(r"(?<!\w)[@/#](?=\w)|://", place)
    assert all(call.status == 200 for call in server.requests if call.status)


@pytest.mark.parametrize("name", ["", " ", "\u200b", "\u3164", "\u202e\u202d"])
async def test_whoever_has_a_name_that_shows_nothing_is_someone(server: BotApi, clock: VirtualClock, name: str) -> None:
    nobody = server.person(name or "\u200e")
    group = server.supergroup("Study", [nobody], [nobody])
    async with playing(server, clock) as bot:
        study = Study(bot, group, nobody)
        card = await study.choose()
        assert "Host: someone" in card.text
        await study.press(nobody, "Start", card)
        await study.answer(nobody)
        await bot.wait(60)
        await study.write(nobody, "/stop")
        await bot.wait(5)
        assert "🥇 1. someone — 1 of 3 right" in study.last.text


async def test_a_name_that_turns_or_breaks_its_line_cannot(server: BotApi, clock: VirtualClock) -> None:
    eve = server.person("Eve\u202e\n2. Bob — 9 of 9")
    group = server.supergroup("Study", [eve], [eve])
    async with playing(server, clock) as bot:
        card = await Study(bot, group, eve).choose()
        assert "Host: Eve 2. Bob — 9 of 9" in card.text.splitlines()


async def test_a_right_to_left_question_is_isolated_and_stays_readable_beside_scores(
    server: BotApi, clock: VirtualClock
) -> None:
    dana = server.person("דנה", "he")
    group = server.supergroup("Study", [dana], [dana])
    stem = LocalisedText({"he": "מה נכון לגבי C++?"})
    options = tuple(Option(LocalisedText({"he": said}), right=said == "C++") for said in ("C++", "סי", "C", "D"))
    quiz = Quiz("cpp", stem, ("he",), (Question("q0", stem, options),))
    async with playing(server, clock, quiz) as bot:
        study = Study(bot, group, dana)
        asked = await study.begin()
        assert "\n\n\u2068מה נכון לגבי C++?\u2069\n\n" in asked.text
        assert "Not translated yet; shown in Hebrew." in asked.text
        assert letter_of(asked.text, "\u2068סי\u2069") in "ABCD"
        await study.press(dana, letter_of(asked.text, "C++"), asked)
        await bot.wait(60)
        assert "🥇 1. \u2068דנה\u2069 — 1 of 1 right" in study.last.text


async def test_everybody_is_answered_in_their_own_language_and_the_group_in_its(
    server: BotApi, clock: VirtualClock
) -> None:
    said = {"en": "Because.", "bg": "Защото.", "ro": "Pentru că."}
    question = replace(
        plain_quiz(1).questions[0],
        explanation=LocalisedText(said),
        stem=LocalisedText({"en": "Why?", "bg": "Защо?", "ro": "De ce?"}),
    )
    options = tuple(
        replace(option, text=LocalisedText(dict.fromkeys(said, option.text["en"]))) for option in question.options
    )
    quiz = Quiz("why", text("Why"), ("en", "bg", "ro"), (replace(question, options=options),))
    people = [server.person(name, language) for name, language in (("Боян", "bg"), ("Ann", "en"), ("Ion", "ro-RO"))]
    stranger = server.person("Max", "de")
    group = server.supergroup("Study", [*people, stranger], people[:1])
    async with playing(server, clock, quiz) as bot:
        study = Study(bot, group, people[0])
        await study.write(people[0], "/quiz why")
        await study.press(people[0], "Старт")
        asked = study.last
        assert "Защо?" in asked.text
        answers = await study.everyone([*people, stranger])
        assert [answer.splitlines()[-1] for answer in answers] == ["Защото.", "Because.", "Pentru că.", "Защото."]
        await bot.wait(60)
        assert "Защото." in asked.text
    assert all("Because." not in text for text in study.texts)


async def test_a_hundred_and_twenty_players_end_in_one_message_that_names_twenty(
    server: BotApi, clock: VirtualClock
) -> None:
    people = [server.person(f"{'Ж' * 60} {number:03}") for number in range(120)]
    group = server.supergroup("Study", people, people[:1])
    async with playing(server, clock, plain_quiz(1)) as bot:
        study = Study(bot, group, people[0])
        asked = await study.begin()
        presses = [await person.press(asked, "ABCD"[number % 4]) for number, person in enumerate(people)]
        for press in presses:
            await press.answered()
        await bot.wait(60)
        (results,) = [said for said in study.texts if said.startswith("Results")]
        assert "30 of 120 got it right" in asked.text
        assert results.count("🥇 1. ") == results.count("— 1 of 1 right") == 20
        assert "and 100 more" in results
        assert units(results) <= 4096


async def test_whoever_changes_their_name_stands_under_the_last_one(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person
) -> None:
    async with playing(server, clock) as bot:
        study = Study(bot, group, ann)
        await study.begin()
        await study.answer(ann)
        await bot.wait(26)
        ann.name = "Anna"
        await study.answer(ann)
        await study.write(ann, "/stop")
        await bot.wait(5)
        assert "🥇 1. Anna — 2 of 2 right" in study.last.text
