"""Texts and names of every kind and length, as they reach a reader: whole, as they are, within the limits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.core.quiz import LocalisedText, Option, Question, Quiz
from tests.discord.sim.quizzes import PICTURE, PICTURED, titled
from tests.discord.sim.seen import Seen
from tests.discord.sim.stage import staged
from tests.discord.sim.test_sessions import begin

NASTY = (
    *("<b>", "&quot;", "a_b*c", "[x](y)", "`", "__init__", "{0.__class__}", "%s", "@everyone", "@here", "<@1>", "<#1>"),
    *("<t:0:R>", "</quiz:1>", "||x||", "~~x~~", "# x", "> x", "- x", "1. x", "🎲" * 32, "https://e.org/_a_", ":smile:"),
)
"""What is shown as it is, wherever it stands."""

TURNED = "abc \u202edef"
"""It turns what comes after it round."""

JOINERS = dict.fromkeys(map(ord, "\u2060\u200b\u2066\u2067\u2068\u2069\u200d"))


def plainly(text: str) -> str:
    """Without signs that nobody sees."""
    return text.translate(JOINERS)


def asking(stem: str, *options: str, explanation: str = "", title: str = "Texts") -> Quiz:
    """A quiz of one question with these texts, of whose options the first is right, and one more."""

    def text(said: str) -> LocalisedText:
        return LocalisedText({"en": said})

    shown = tuple(Option(text(option), right=not number) for number, option in enumerate(options))
    asked = Question("texts", text(stem), shown, explanation=text(explanation) if explanation else None)
    return titled("texts", title, asked, replace(asked, id="more"))


async def played(quiz: Quiz, name: str = "Ann") -> list[Seen]:
    """Every message that people see of a quiz: start card, question, verdict, closed question, standings."""
    async with staged(quiz, people=(name, "Ben")) as stage:
        ann = stage.people[name]
        question = await begin(stage, ann, quiz.slug)
        open_text = question.text
        await ann.press("A")
        await ann.press("Next")
        await ann.slash("stop")
        seen = ann.sees()
        assert not any(each.pinged for each in seen)
        assert open_text
        return seen


@pytest.mark.parametrize("nasty", NASTY)
async def test_whatever_stands_in_a_quiz_or_a_name_is_shown_as_it_is(nasty: str) -> None:
    quiz = asking(f"What is {nasty}?", f"It is {nasty}", "Nothing", explanation=f"Well, {nasty}.", title=f"On {nasty}")
    seen = await played(quiz, f"Ann {nasty}")
    read = [plainly(each.text) for each in seen]
    assert any(f"On {nasty}" in text for text in read)
    assert any(f"What is {nasty}?" in text and f"It is {nasty}" in text for text in read)
    assert sum(f"Well, {nasty}." in text for text in read) == 2
    standings = read[-1] if "Results" in read[-1] else read[-2]
    assert f"Ann {nasty} — " in standings


async def test_what_turns_a_text_round_does_so_in_its_own_place_only() -> None:
    seen = await played(asking("Who?", "A", "B"), TURNED)
    (standings,) = [each for each in seen if "Results" in each.text]
    line = next(line for line in standings.text.splitlines() if "def" in line)
    begun = [line.count(sign) for sign in "\u202a\u202b\u202d\u202e"]
    assert sum(begun) <= line.count("\u202c"), "what is begun in a name ends in it"


async def test_a_text_from_right_to_left_is_shown_whole_with_its_letters_and_scores() -> None:
    quiz = asking("מהי C++?", "שפת תכנות (C++)", "מאכל", explanation="10/12 מהתשובות", title="חידון C++")
    seen = await played(quiz, "דנה")
    read = [plainly(each.text) for each in seen]
    assert any("מהי C++?" in text and "שפת תכנות (C++)" in text for text in read)
    assert any(line.startswith(("A. ", "B. ")) for text in read for line in text.splitlines())
    assert any("דנה — " in text for text in read)


@pytest.mark.parametrize(
    ("stem", "explanation", "title"),
    [
        ("s" * 400, "e" * 600, "t" * 300),
        ("s" * 3000, "e" * 5000, "t" * 300),
        ("ש" * 3000, "🎲" * 2500, "🎲" * 150),
        ("*" * 3000, "_" * 5000, "`" * 300),
        ("a\n" * 1500, "> b\n" * 1250, "c d " * 75),
    ],
    ids=["long", "longer", "wide", "marks", "lines"],
)
async def test_long_texts_fit_and_are_cut_with_a_mark_at_most(stem: str, explanation: str, title: str) -> None:
    quiz = asking(stem, "o" * 120 + "1", "o" * 120 + "2", explanation=explanation, title=title)
    seen = await played(quiz)
    assert all(each.units <= 4000 for each in seen)
    question = next(each for each in seen if "Question 1 of 2" in each.text)
    assert "o" * 120 + "1" in question.text


async def test_four_options_that_differ_at_the_hundredth_character_are_read_whole() -> None:
    options = [f"{'o' * 99}{letter}{'p' * 20}" for letter in "WXYZ"]
    seen = await played(asking("Which?", *options))
    question = next(each for each in seen if "Question 1 of 2" in each.text)
    assert all(option in question.text for option in options)


async def test_twenty_names_of_thirty_two_characters_stand_in_the_results_and_the_rest_is_counted() -> None:
    names = [f"{number:03} " + "🎲" * 14 for number in range(30)]
    async with staged(people=names) as stage:
        people = list(stage.people.values())
        await begin(stage, people[0], Feedback="After each question")
        for person in people:
            await person.answer(right=True)
        await people[0].press("Next")
        await people[0].slash("stop")
        results = stage.with_button("Again")
        assert sum("🎲" in line for line in results.text.splitlines()) == 20
        assert "and 10 more" in results.text
        assert results.units <= 4000


async def test_a_hundred_and_twenty_people_finish_in_one_message() -> None:
    names = [f"Player {number:03}" for number in range(120)]
    async with staged(people=names) as stage:
        people = list(stage.people.values())
        question = await begin(stage, people[0])
        for number, person in enumerate(people):
            await person.answer(right=number % 3 == 0)
        await people[0].press("Next")
        await people[0].slash("stop")
        assert "40 of 120 got it right" in question.text
        results = stage.with_button("Again")
        assert "and 100 more" in results.text
        assert results.text.count("1. Player") == 20


async def test_somebody_who_has_left_stands_in_the_results_by_the_name_they_had() -> None:
    async with staged() as stage:
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        await begin(stage, ann)
        await ben.answer(right=True)
        stage.guild.remove_member(ben.member(stage.guild))
        await ann.press("Next")
        await ann.slash("stop")
        assert "Ben — 1 of 1 right" in stage.with_button("Again").text


async def test_the_name_in_the_guild_is_the_one_that_is_shown() -> None:
    async with staged() as stage:
        nick = stage.person("Nicholas", nick="Nick")
        await begin(stage, nick)
        await nick.answer(right=True)
        await nick.press("Next")
        await nick.slash("stop")
        assert "Nick — 1 of 1 right" in stage.with_button("Again").text


# Pictures


async def test_a_picture_is_shown_with_words_for_who_cannot_see_it(tmp_path: Path) -> None:
    (tmp_path / PICTURE).write_bytes(b"\x89PNG\r\n\x1a\n and so on")
    async with staged(PICTURED, pictures=tmp_path) as stage:
        ann = stage.people["Ann"]
        question = await begin(stage, ann, "pictured")
        assert question.pictures == [("picture.png", "A falling curve")]
        await ann.press("A")
        await ann.press("Next")
        assert question.pictures == [("picture.png", "A falling curve")]
        await stage.pass_time(20)
        assert stage.question().pictures == []


async def test_a_picture_whose_file_is_missing_is_told_in_words() -> None:
    async with staged(PICTURED) as stage:
        question = await begin(stage, stage.people["Ann"], "pictured")
        assert question.pictures == []
        assert "A falling curve" in question.text
