"""Settles what is practised in the console, from the command line, store and person. Runs nothing itself."""

from __future__ import annotations

from random import Random

from adapters.console.practising import PracticeAdapter
from adapters.console.reception import Arrival, all_quizzes, no_such_quiz
from adapters.console.visit import PRACTICE, Visit
from bot.core.session import Session
from bot.desk.naming import Naming
from bot.library import Library


class Preparation(Arrival):
    """Finds out what somebody practises: all that they have met, or one quiz; or the rest of what they have begun. Of
    the wishes `quiz`, `lang` and `seed` mean something."""

    async def console(self) -> tuple[PracticeAdapter, Library]:
        """The console for it, and all the quizzes there are. Raises click's errors for what people can mend."""
        library = Library(all_quizzes(self._content, self._wishes.program))
        slug = self._slug(library)
        chat = self._person.chat(PRACTICE)
        unfinished = await self._unfinished(chat)
        visit = Visit(
            self._person,
            chat,
            slug,
            await self._acquaintance.language(),
            self._wishes.program,
            f"{self._wishes.program} practice" if self._kept else None,
            unfinished,
            go_on=unfinished is not None and await self._is_wanted(unfinished, slug, library),
            lots=None if self._wishes.seed is None else Random(self._wishes.seed),  # noqa: S311  # no secret
        )
        await self._acquaintance.keep(chat)
        return PracticeAdapter(visit, self._terminal), library

    def _slug(self, library: Library) -> str:
        """The quiz that is named, by its slug in any spelling or by its title; nothing where none is."""
        wanted = self._wishes.quiz or ""
        if not wanted:
            return ""
        found = Naming(library).edition(wanted)
        if found is None:
            raise no_such_quiz(wanted, [quiz.slug for quiz in library.quizzes], self._content)
        return found.quiz.slug

    async def _is_wanted(self, unfinished: Session, slug: str, library: Library) -> bool:
        """Whether what is unfinished has only questions of the quiz that is wanted. Reading it also takes it in."""
        quiz = await library.find(unfinished.quiz, self.store.quiz)
        return not slug or (quiz is not None and all(quiz.ref(each).slug == slug for each in quiz.questions))
