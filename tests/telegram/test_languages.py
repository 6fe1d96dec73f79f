"""On Telegram everybody reads in their own language as far as there are words in it, else in that of the quiz."""

from __future__ import annotations

from pathlib import Path

from bot.core.quiz import LocalisedText, Option, Question, Quiz
from tests.clock import VirtualClock
from tests.telegram.playing import playing
from tests.telegram.server import BotApi, Person
from tests.telegram.study import MOMENT, Study, study_group
from tests.transcripts.capitals import CAPITALS

NOTE = "Not translated yet; shown in German."


def german(words: str) -> LocalisedText:
    return LocalisedText({"de": words})


COLOURS = Quiz(
    "farben",
    german("Farben"),
    ("de",),
    (
        Question(
            "himmel",
            german("Welche Farbe hat der Himmel?"),
            (Option(german("Blau"), right=True), Option(german("Grün"), note=german("So ist das Gras."))),
            explanation=german("Die Luft streut blaues Licht."),
        ),
    ),
)


def is_whole(said: str) -> bool:
    """Nothing in it is a mapping, or stands for a text that there is not."""
    return not any(sign in said for sign in ("{", "}", "LocalisedText", "None", "'de'", "…"))


async def play(study: Study, person: Person) -> list[str]:
    """A question, answered wrong, to the end; all that is said."""
    await study.press(person, "Start")
    wrong = next(line[0] for line in study.last.said.text.splitlines() if line.endswith("Grün"))
    pop_up = await study.press(person, wrong)
    await study.bot.wait(MOMENT)
    await study.press(person, study.last.keyboard[-1][0])
    await study.bot.wait(30)
    return [pop_up, *study.texts]


async def test_who_speaks_another_language_is_asked_in_the_quizs_own_with_a_note(
    server: BotApi, clock: VirtualClock
) -> None:
    luc = server.person("Luc", "fr")
    group = server.supergroup("Study", [luc], [luc])
    async with playing(server, clock, COLOURS) as bot:
        study = Study(bot, group, luc)
        await study.write(luc, "/quiz farben")
        assert NOTE in study.last.said.text
        pop_up, *said = await play(study, luc)
        assert "So ist das Gras." in pop_up
        closed = next(text for text in said if text.startswith("Question 1 of 1"))
        assert NOTE in closed
        assert all(words in closed for words in ("Welche Farbe hat der Himmel?", "Blau", "Die Luft streut"))
        await bot.wait(MOMENT)
        await study.write(luc, "/stats")
        assert "1. Welche Farbe hat der Himmel? · Farben · 1 of 1 wrong" in study.last.said.text
        assert all(map(is_whole, study.texts[1:]))


async def test_alone_and_in_practice_as_well(server: BotApi, clock: VirtualClock) -> None:
    luc = server.person("Luc", "fr")
    async with playing(server, clock, COLOURS) as bot:
        study = Study(bot, luc.private, luc)
        await study.write(luc, "/practice farben")
        question = study.last
        assert question.said.text.splitlines()[:4] == [
            "Question 1 of 1",
            NOTE,
            "",
            "Welche Farbe hat der Himmel?",
        ]
        await study.press(luc, next(line[0] for line in question.said.text.splitlines() if line.endswith("Grün")))
        await bot.wait(MOMENT)
        assert "So ist das Gras." in question.said.text
        await study.press(luc, "Show the results")
        await bot.wait(MOMENT)
        assert "1. Welche Farbe hat der Himmel? · Right answer: " in study.last.said.text
        assert study.last.said.text.startswith("Results — Practice: Farben")
        await study.write(luc, "/stats")
        assert "• Farben · 0 of 1 right · 0%" in study.last.said.text
        assert all(map(is_whole, study.texts))


async def test_one_who_changes_their_language_changes_nobody_elses(
    server: BotApi, clock: VirtualClock, tmp_path: Path
) -> None:
    ann, ben = server.person("Ann"), server.person("Ben")
    group = study_group(server, "Study", [ann, ben])
    path = tmp_path / "quizbot.sqlite3"
    async with playing(server, clock, CAPITALS, path=path) as bot:
        await ann.write(ann.private, "/language")
        await bot.quiet()
        await (await ann.press(ann.private.last, "română")).answered()
        study = Study(bot, group, ben)
        await study.write(ben, "/quiz capitals")
        await study.press(ben, "Start")
        assert "Capital of Bulgaria?" in study.last.said.text
        assert (await study.press(ann, "A")).split()[1] in ("Corect.", "Greșit.")
        assert (await study.press(ben, "A")).split()[1] in ("Right.", "Wrong.")
    async with playing(server, clock, CAPITALS, path=path) as bot:
        study = Study(bot, group, ben)
        assert await study.press(ann, "A") == "Ai ales A; contează prima alegere."
        assert await study.press(ben, "A") == "You chose A; the first choice counts."
        assert "Capital of Bulgaria?" in study.last.said.text
