"""Everyone in their own language: the channel in its own, each answer in that of whoever asked."""

from __future__ import annotations

from bot.core.quiz import LocalisedText, Option, Question
from bot.words import words_of
from tests.discord.sim.quizzes import COLOURS, titled
from tests.discord.sim.stage import Stage, staged

NOTHING_RUNS = "No quiz is running here; start one first."


def in_words_of(language: str, english: str, **named: str) -> str:
    return words_of(language).gettext(english, **named)


async def asked_in_english(stage: Stage) -> None:
    """A question in a channel that speaks English."""
    await stage.people["Ann"].slash("quiz", quiz="colours-everywhere")
    await stage.people["Ann"].press("Start")


async def test_two_people_in_two_languages_are_each_told_in_their_own() -> None:
    async with staged(COLOURS) as stage:
        boyan, carmen = stage.person("Боян", "bg"), stage.person("Carmen", "ro")
        await asked_in_english(stage)
        question = stage.question()
        assert "Which colour is the sky?" in question.text
        letter = next(line[0] for line in question.text.splitlines() if line.endswith("Green"))
        in_bulgarian, in_romanian = await boyan.press(letter), await carmen.press(letter)
        assert in_bulgarian.text.startswith("✗ Грешно.")
        assert "Това е тревата." in in_bulgarian.text
        assert "Въздухът разсейва" in in_bulgarian.text
        assert in_romanian.text.startswith("✗ Greșit.")
        assert "Aceea e iarba." in in_romanian.text
        assert "Which colour is the sky?" in question.text
        english = await stage.people["Ann"].press(letter)
        assert "That is the grass." in english.text


async def test_one_who_changes_their_language_changes_nobody_elses() -> None:
    async with staged(COLOURS) as stage:
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        await asked_in_english(stage)
        card = await ann.slash("language")
        said = await ann.press("română", card.shown)
        assert "română" in said.text
        await ann.press("A")
        again = in_words_of("ro", "You chose {letters}; the first choice counts.", letters="A")
        assert (await ann.press("A")).text == again
        assert (await ben.press("A")).text.split()[1] in ("Right.", "Wrong.")
        assert "Which colour is the sky?" in stage.question().text
        await stage.restart()
        assert (await ann.press("A")).text == again


async def test_a_choice_is_kept_whatever_the_app_speaks_and_can_be_taken_back() -> None:
    async with staged(COLOURS) as stage:
        ann = stage.people["Ann"]
        await ann.press("български", (await ann.slash("language")).shown)
        ann.locale = "ro"
        assert (await ann.slash("stop")).text == in_words_of("bg", NOTHING_RUNS)
        card = await ann.slash("language")
        await ann.press(next(label for label in card.shown.buttons if "(" in label), card.shown)
        assert (await ann.slash("stop")).text == in_words_of("ro", NOTHING_RUNS)


async def test_who_speaks_what_there_is_no_catalogue_for_is_answered_as_the_channel_is() -> None:
    async with staged(COLOURS) as stage:
        mia, jin = stage.moderator("Mia"), stage.person("Jin", "ko")
        assert (await jin.slash("stop")).text == NOTHING_RUNS
        await mia.press("română", (await mia.slash("settings")).shown)
        assert (await jin.slash("stop")).text == in_words_of("ro", NOTHING_RUNS)


async def test_a_channel_speaks_as_its_moderators_choose() -> None:
    async with staged(COLOURS) as stage:
        mia = stage.moderator("Mia")
        await mia.press("български", (await mia.slash("settings")).shown)
        await mia.slash("quiz", quiz="colours-everywhere")
        await mia.press(in_words_of("bg", "Start"))
        assert "Какъв цвят е небето?" in stage.question().text


async def test_a_quiz_without_a_translation_says_so_and_shows_no_empty_line() -> None:
    async with staged(titled("only", "Only English")) as stage:
        boyan = stage.person("Боян", "bg")
        await boyan.slash("quiz", quiz="only")
        await boyan.press(in_words_of("bg", "Start"))
        question = stage.question()
        assert "q0?" in question.text
        assert "англ" in question.text.lower()


async def test_a_quiz_in_a_language_of_its_own_is_asked_in_that_of_its_source_with_a_note() -> None:
    def only(words: str) -> LocalisedText:
        return LocalisedText({"de": words})

    sky = Question("sky", only("Wie ist der Himmel?"), (Option(only("Blau"), right=True), Option(only("Grün"))))
    async with staged(titled("himmel", only("Der Himmel"), sky, languages=("de",)), people=()) as stage:
        claire = stage.person("Claire", "fr")
        await claire.slash("quiz", quiz="himmel", at=claire.direct)
        await claire.press("Start", at=claire.direct)
        question = stage.question(claire.direct)
        assert "Wie ist der Himmel?" in question.text
        assert "German" in question.text
        assert "{" not in "".join(seen.text for seen in stage.public(claire.direct))
