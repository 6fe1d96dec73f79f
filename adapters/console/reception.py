"""Settles what is played in the console, and how, from the command line, store and person. Runs nothing itself."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from random import Random

import click

from adapters.console import inviting, phrases, shelf
from adapters.console.adapter import ConsoleAdapter
from adapters.console.terminal import Terminal
from adapters.console.visit import Person, Visit
from bot import words
from bot.content import Loaded, Severity, load_file, load_folder
from bot.core.quiz import Quiz
from bot.core.session import Feedback, Order, Pace, Phase, Session
from bot.core.session import Settings as Rules
from bot.library import Library
from bot.ports import Store
from bot.starting import usual_settings


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the command line says; None where it is silent."""

    quiz: str | None = None
    lang: str | None = None
    questions: int | None = None
    seed: int | None = None
    pace: str | None = None
    feedback: str | None = None
    order: str | None = None
    new: bool = False
    program: str = "quizbot"
    """How to call this program."""

    @property
    def for_a_new_session(self) -> tuple[str, ...]:
        """The options given that mean nothing to a session that goes on."""
        names = ("questions", "seed", "pace", "feedback", "order")
        return tuple(f"--{name}" for name in names if getattr(self, name) is not None)

    def rules(self, quiz: Quiz) -> Rules:
        """The settings of a new session. Raises UsageError for more questions than there are."""
        there = len(quiz.questions)
        if self.questions is not None and self.questions > there:
            raise click.UsageError(
                f"--questions: {self.questions} is not possible; {quiz.slug} has {there}, so write 1 to {there}"
            )
        usual = usual_settings(quiz, private=True)
        return replace(
            usual,
            count=self.questions or usual.count,
            pace=Pace(self.pace or usual.pace),
            feedback=Feedback(self.feedback or usual.feedback),
            order=Order(self.order or usual.order),
        )


class Reception:
    """Finds out what is to be played. Nothing runs yet, so that thinking about it costs no time on a clock."""

    def __init__(
        self, store: Store, content: Path, wishes: Wishes, person: Person, screen: Terminal, *, kept: bool = True
    ) -> None:
        """`kept`: whether the store is there next time."""
        self.store = store
        self._content = content
        self._wishes = wishes
        self._person = person
        self._terminal = screen
        self._program = wishes.program if kept else None
        self._advised: set[str] = set()

    async def console(self) -> tuple[ConsoleAdapter, Library] | None:
        """The console for what is wanted, and the quizzes it needs; None when nothing is, after all."""
        slug = self._wishes.quiz or await self._pick()
        if slug is None:
            return None
        chat = self._person.chat(slug)
        language = await self._language(chat)
        session = await self.store.session(chat)
        unfinished = session if session and session.live else None
        loaded = self._load(slug, needed=unfinished is None)
        library = Library([loaded.quiz] if loaded and loaded.quiz else [])
        visit = await self._visit(slug, language, unfinished, library)
        if visit is None:
            return None
        if not visit.go_on:
            visit = self._afresh(visit, loaded)
        await self._keep_language(chat, language)
        return ConsoleAdapter(visit, self._terminal), library

    async def _pick(self) -> str | None:
        language = await self._language(self._person.id)
        loaded = load_folder(self._content)
        broken = [each for each in loaded if each.quiz is None]
        if broken:
            see = f"{self._wishes.program} check {self._content}"
            click.echo(f"quizbot: {_unusable(broken)}; see: {see}", err=True)
        if len(broken) == len(loaded):
            raise click.ClickException(_nothing_in(self._content))
        unfinished = {
            self._person.slug(chat): (len(session.results), len(session.draw))
            for chat, session in await self.store.unfinished(f"{self._person.id}/")
            if session.phase is not Phase.CARD
        }
        quizzes = [each.quiz for each in loaded if each.quiz]
        return await inviting.pick(self._terminal, quizzes, words.words_of(language), unfinished)

    async def _language(self, chat: str) -> str:
        """As wished, else as kept, else as the environment says."""
        chosen = await self.store.preferences({chat, self._person.id})
        kept = chosen[chat].language or chosen[self._person.id].language
        language = self._wishes.lang or words.match(kept) or _language_of(os.environ) or words.SOURCE
        self._advise(language)
        return language

    def _advise(self, language: str) -> None:
        """Say once, in letters that any terminal has, that this one cannot show the language."""
        encoding = sys.stdout.encoding or "utf-8"
        if language in self._advised or words.can_be_written(language, encoding):
            return
        self._advised.add(language)
        name = words.words_of(words.SOURCE).language_name(language)
        advice = f"the output is {encoding}, which lacks letters of {name}; use a UTF-8 locale, such as LC_ALL=C.UTF-8"
        click.echo(f"quizbot: {advice}", err=True)

    async def _keep_language(self, chat: str, language: str) -> None:
        await self.store.prefer(chat, "language", language)
        if self._wishes.lang:
            await self.store.prefer(self._person.id, "language", language)

    def _load(self, slug: str, *, needed: bool) -> Loaded | None:
        slugs = shelf.slugs(self._content)
        if slug in slugs:
            return load_file(shelf.file_of(self._content, slug))
        if not needed:
            return None
        near = get_close_matches(slug, slugs, n=3, cutoff=0.4)
        said = f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(slugs)}"
        raise click.UsageError(f"there is no quiz {slug!r}; {said if slugs else _nothing_in(self._content)}")

    async def _visit(self, slug: str, language: str, unfinished: Session | None, library: Library) -> Visit | None:
        """What comes of an unfinished session, if there is one that has begun; None when the person leaves."""
        visit = Visit(self._person, slug, language, self._program, unfinished)
        if unfinished is None or unfinished.phase is Phase.CARD or self._wishes.new:
            return visit
        spoken = words.words_of(language)
        answer = await self._offer(slug, unfinished, spoken, library)
        if answer is None:
            return None
        if answer.go_on and (useless := self._wishes.for_a_new_session):
            named = ", ".join(useless)
            said = spoken.gettext(
                "For a new quiz only, so not used now: {options}. Start one with --new.", options=named
            )
            self._terminal.say(said)
        return replace(visit, go_on=answer.go_on, line=answer.line)

    async def _offer(
        self, slug: str, unfinished: Session, spoken: words.Words, library: Library
    ) -> inviting.Answer | None:
        quiz = await library.find(unfinished.quiz, self.store.quiz)
        answer = None
        try:
            answer = await inviting.offer(self._terminal, unfinished, quiz, spoken)
        finally:
            if answer is None:
                self._terminal.say(phrases.farewell(self._program, slug, spoken))
        return answer

    def _afresh(self, visit: Visit, loaded: Loaded | None) -> Visit:
        if loaded is None or loaded.quiz is None:
            wrong = [each for each in loaded.problems if each.severity is Severity.ERROR] if loaded else []
            raise click.ClickException("\n".join((f"the quiz {visit.slug} cannot be used:", *map(str, wrong))))
        return replace(
            visit,
            settings=self._wishes.rules(loaded.quiz),
            lots=None if self._wishes.seed is None else Random(self._wishes.seed),  # noqa: S311  # no secret
            card=not self._terminal.scripted and not self._wishes.for_a_new_session,
        )


def _unusable(broken: list[Loaded]) -> str:
    names = ", ".join(each.path.name for each in broken)
    return f"left out, because it cannot be used: {names}"


def _nothing_in(folder: Path) -> str:
    return f"no quiz in {folder} can be played: set QUIZBOT_CONTENT_DIR to a folder with quiz files"


def _language_of(environment: Mapping[str, str]) -> str | None:
    """The language that the operating system was told, if there is a catalogue for it."""
    said = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    return words.match(said.partition(".")[0].partition("@")[0])
