"""A question as one reader sees it: in one language throughout, its options lettered in the drawn order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from bot.core.quiz import NEUTRAL, Image, LocalisedText, Question, Quiz, Source
from bot.core.session import Drawn
from bot.messages import Block, Button, Mark, Role, Style
from bot.presses import Browse, Press
from bot.words import END_OF_ISOLATE, ISOLATE, Words, isolated, paragraphs, shortened, words_of

LETTERS = "ABCDEFGHIJ"
BRIEF = 100
"""Characters that a text may have where it is only called to mind."""

_NOTHING_VISIBLE = "…"


def wording(text: LocalisedText, *languages: str) -> str:
    """The text in the first of these languages that it has, else in whichever it has."""
    spoken = next((language for language in languages if text.speaks(language)), None)
    return text[spoken] if spoken else next(iter(text.texts.values()))


def title_of(quiz: Quiz, language: str) -> str:
    """The title on one line, in the quiz's own language where it has no translation."""
    return isolated(wording(quiz.title, language, quiz.source_language)) or _NOTHING_VISIBLE


def titled(quiz: Quiz, language: str, most: int) -> str:
    """The title in at most `most` characters, for where a platform has no more room."""
    title = wording(quiz.title, language, quiz.source_language)
    fitting = (shortened(title, length) for length in (most, most - len(ISOLATE + END_OF_ISOLATE)))
    return next((short for short in fitting if 0 < len(short) <= most), _NOTHING_VISIBLE)


def body(text: str) -> str:
    """A text of the content as a block of its own."""
    return paragraphs(text) or _NOTHING_VISIBLE


def letters(drawn: Drawn, options: Iterable[int]) -> str:
    """The letters of these options (indexes as written), in the order shown: "A, C"."""
    chosen = set(options)
    return ", ".join(letter for letter, option in zip(LETTERS, drawn.options, strict=False) if option in chosen)


@dataclass(frozen=True, slots=True)
class Shown:
    """A question of a session for readers of one language; `language` is the one its texts are in."""

    question: Question
    drawn: Drawn
    language: str
    translated: bool
    words: Words

    def say(self, text: LocalisedText) -> str:
        return body(wording(text, self.language))

    def brief(self, text: LocalisedText) -> str:
        return shortened(wording(text, self.language), BRIEF) or _NOTHING_VISIBLE

    def letter(self, option: int) -> str:
        return LETTERS[self.drawn.options.index(option)]

    def heading(self, at: int, total: int) -> tuple[Block, ...]:
        """Which question it is, and the question."""
        progress = Block(Role.PROGRESS, self.words.gettext("Question {number} of {total}", number=at + 1, total=total))
        return progress, *self.remarks(), Block(Role.STEM, self.say(self.question.stem))

    def remarks(self) -> tuple[Block, ...]:
        return () if self.translated else (untranslated(self.words, self.language),)

    def option(self, option: int) -> Block:
        return Block(Role.OPTION, self.say(self.question.options[option].text), lead=self.letter(option))

    def notes(self, options: Iterable[int]) -> tuple[Block, ...]:
        """What the author says of these options, each with its letter."""
        wanted = set(options)
        noted = ((option, self.question.options[option].note) for option in self.drawn.options if option in wanted)
        return tuple(Block(Role.NOTE, self.say(note), lead=self.letter(option)) for option, note in noted if note)

    def explanation(self) -> tuple[Block, ...]:
        explanation = self.question.explanation
        return (Block(Role.EXPLANATION, self.say(explanation)),) if explanation else ()

    def sources(self) -> tuple[Block, ...]:
        return tuple(Block(Role.SOURCE, self._source_name(source), url=source.url) for source in self.question.sources)

    def _source_name(self, source: Source) -> str:
        name = wording(source.title, self.language) if source.title else source.url.partition("://")[2]
        return shortened(name, BRIEF) or _NOTHING_VISIBLE

    def image(self) -> Image | None:
        """The picture, described in the language of the question only."""
        image = self.question.image
        return replace(image, alt=LocalisedText({NEUTRAL: self.say(image.alt)})) if image else None

    def right_answer(self, *, brief: bool = False) -> str:
        """Every right option by letter and text, on one line; whole, unless it is only called to mind."""
        line = self._brief_option if brief else self._whole_option
        named = [f"{self.letter(key)}. {line(key)}" for key in self.drawn.options if key in self.question.key]
        label = self.words.gettext("Right answers:") if self.question.several else self.words.gettext("Right answer:")
        return f"{label} {'; '.join(named)}"

    def _whole_option(self, option: int) -> str:
        return isolated(wording(self.question.options[option].text, self.language)) or _NOTHING_VISIBLE

    def _brief_option(self, option: int) -> str:
        """Cut only where no other option then reads the same."""
        cut = [self.brief(each.text) for each in self.question.options]
        return cut[option] if cut.count(cut[option]) == 1 else self._whole_option(option)


def shown(quiz: Quiz, drawn: Drawn, language: str) -> Shown:
    """The question that was drawn, for readers of `language`."""
    question = quiz.questions[drawn.question]
    spoken = quiz.language_for(question, language)
    return Shown(question, drawn, spoken, question.speaks(language), words_of(language))


def judged(words: Words, *, right: bool, incomplete: bool = False, tail: str = "") -> Block:
    """The verdict on a response; `incomplete` when all that was chosen is right, but more is."""
    if right:
        return Block(Role.VERDICT, words.gettext("✓ Right."), tail=tail, mark=Mark.RIGHT)
    said = words.gettext("✗ Not complete: more answers are right.") if incomplete else words.gettext("✗ Wrong.")
    return Block(Role.VERDICT, said, tail=tail, mark=Mark.WRONG)


def untranslated(words: Words, language: str) -> Block:
    """Says why a text is in `language`."""
    name = words.language_name(language)
    return Block(Role.REMARK, words.gettext("Not translated yet; shown in {language}.", language=name))


def introduction(quiz: Quiz, language: str) -> tuple[Block, ...]:
    """What the quiz says of itself, and why that is in another language. Of a mix, each question says so itself."""
    source = quiz.source_language
    foreign = language not in quiz.languages and source != NEUTRAL and not quiz.mixed
    remark = (untranslated(words_of(language), source),) if foreign else ()
    intro = (Block(Role.LINE, body(wording(quiz.intro, language, source))),) if quiz.intro else ()
    return *remark, *intro


def turning(words: Words, page: int, pages: int, press: Callable[[int], Press]) -> tuple[Button, ...]:
    """The ways to the pages before and after this one (from 0), where there are any; `press` leads to a page."""
    back = (Button(words.gettext("← Previous page"), press(page - 1)),) if page > 0 else ()
    onward = (Button(words.gettext("Next page →"), press(page + 1)),) if page + 1 < pages else ()
    return (*back, *onward)


def browsing(words: Words) -> tuple[tuple[Button, ...], ...]:
    """The way to all quizzes, as the only button."""
    return ((Button(words.gettext("Choose a quiz"), Browse(), Style.PRIMARY),),)
