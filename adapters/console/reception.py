"""Settles what is played in the console, and how, from the command line, store and person. Runs nothing itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from random import Random

import click

from adapters.console import inviting, phrases, shelf
from adapters.console.acquaintance import Acquaintance
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


class Arrival:
    """Somebody has come to the console and wants something. Nothing runs yet, so that thinking about it costs no time
    on a clock."""

    def __init__(
        self,
        store: Store,
        content: Path,
        wishes: Wishes,
        person: Person,
        screen: Terminal,
        *,
        zone: str | None = None,
        kept: bool = True,
    ) -> None:
        """`zone`: the time zone of this machine; `kept`: whether the store is there next time."""
        self.store = store
        self._content = content
        self._wishes = wishes
        self._person = person
        self._terminal = screen
        self._kept = kept
        self._acquaintance = Acquaintance(store, person, wished=wishes.lang, zone=zone)

    async def _unfinished(self, chat: str) -> Session | None:
        """What goes on in a chat, if anything does."""
        session = await self.store.session(chat)
        return session if session and session.live else None


class Reception(Arrival):
    """Finds out what is to be played."""

    async def console(self) -> tuple[ConsoleAdapter, Library] | None:
        """The console for what is wanted, and the quizzes it needs; None when nothing is, after all."""
        slug = self._wishes.quiz or await self._pick()
        if slug is None:
            return None
        chat = self._person.chat(slug)
        language = await self._acquaintance.language()
        unfinished = await self._unfinished(chat)
        loaded = self._load(slug, needed=unfinished is None)
        library = Library([loaded.quiz] if loaded and loaded.quiz else [])
        visit = await self._visit(chat, slug, language, unfinished, library)
        if visit is None:
            return None
        if not visit.go_on:
            visit = self._afresh(visit, loaded)
        await self._acquaintance.keep(chat)
        return ConsoleAdapter(visit, self._terminal), library

    async def _pick(self) -> str | None:
        language = await self._acquaintance.language()
        quizzes = all_quizzes(self._content, self._wishes.program)
        unfinished = {
            self._person.slug(chat): (len(session.results), len(session.draw))
            for chat, session in await self.store.unfinished(f"{self._person.id}/")
            if session.phase is not Phase.CARD
        }
        return await inviting.pick(self._terminal, quizzes, words.words_of(language), unfinished)

    def _load(self, slug: str, *, needed: bool) -> Loaded | None:
        slugs = shelf.slugs(self._content)
        if slug in slugs:
            return load_file(shelf.file_of(self._content, slug))
        if not needed:
            return None
        raise no_such_quiz(slug, slugs, self._content)

    async def _visit(
        self, chat: str, slug: str, language: str, unfinished: Session | None, library: Library
    ) -> Visit | None:
        """What comes of an unfinished session, if there is one that has begun; None when the person leaves."""
        program = self._wishes.program
        command = f"{program} play {slug}" if self._kept else None
        visit = Visit(self._person, chat, slug, language, program, command, unfinished)
        if unfinished is None or unfinished.phase is Phase.CARD or self._wishes.new:
            return visit
        spoken = words.words_of(language)
        answer = await self._offer(unfinished, spoken, library, command)
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
        self, unfinished: Session, spoken: words.Words, library: Library, command: str | None
    ) -> inviting.Answer | None:
        quiz = await library.find(unfinished.quiz, self.store.quiz)
        answer = None
        try:
            answer = await inviting.offer(self._terminal, unfinished, quiz, spoken)
        finally:
            if answer is None:
                self._terminal.say(phrases.farewell(command, spoken))
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


def all_quizzes(folder: Path, program: str) -> list[Quiz]:
    """The quizzes that can be played; of files that cannot be used is said, on stderr, how `program` says more. Raises
    ClickException where there is none."""
    loaded = load_folder(folder)
    broken = [each for each in loaded if each.quiz is None]
    if broken:
        click.echo(f"quizbot: {_unusable(broken)}; see: {program} check {folder}", err=True)
    if len(broken) == len(loaded):
        raise click.ClickException(_nothing_in(folder))
    return [each.quiz for each in loaded if each.quiz]


def no_such_quiz(name: str, slugs: Sequence[str], folder: Path) -> click.UsageError:
    """There is no quiz of this name, but those in the folder are called so."""
    near = get_close_matches(name, slugs, n=3, cutoff=0.4)
    said = f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(slugs)}"
    return click.UsageError(f"there is no quiz {name!r}; {said if slugs else _nothing_in(folder)}")


def _unusable(broken: list[Loaded]) -> str:
    names = ", ".join(each.path.name for each in broken)
    return f"left out, because it cannot be used: {names}"


def _nothing_in(folder: Path) -> str:
    return f"no quiz in {folder} can be played: set QUIZBOT_CONTENT_DIR to a folder with quiz files"
