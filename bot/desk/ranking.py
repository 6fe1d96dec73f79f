"""Leaderboards: which one is meant, and the page of it. Changes nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from difflib import get_close_matches

from bot import present
from bot.boards import EVERYWHERE, Board, Leaderboard
from bot.core.quiz import Quiz
from bot.desk.asking import Answer, Request, Show
from bot.desk.preferring import Preferred
from bot.desk.zoning import zone_of
from bot.learning import days
from bot.learning.days import Period
from bot.messages import Card
from bot.ports import place_of
from bot.present.ranking import PAGE, Viewer, pages, periods
from bot.present.zones import UTC
from bot.presses import ShowBoard
from bot.running import Service
from bot.words import folded

USUAL = Period.WEEK
"""What is shown when no time is named: old enough to say something, and new every Monday, so that whoever has just come
can be ahead."""

NEAR_ENOUGH = 0.5


class Ranking:
    """Shows leaderboards."""

    def __init__(self, service: Service, preferred: Preferred) -> None:
        self._service = service
        self._library = service.library
        self._preferred = preferred

    async def command(self, request: Request, argument: str) -> Answer:
        """The leaderboard that these words mean: a period, a quiz, both or nothing."""
        meant = self._meant(argument)
        if meant:
            return await self._answer(request, meant, Show.ASIDE)
        near, usual = self._near(argument), ShowBoard(USUAL, request.private, "", 0)
        return Answer(present.no_such_board(await self._preferred.personal(request), argument, near, usual))

    async def show(self, request: Request, press: ShowBoard) -> Answer:
        """A page of a leaderboard, in place of the message whose button was pressed."""
        if press.slug and self._library.edition(press.slug) is None:
            return Answer(present.no_longer_offered(await self._preferred.personal(request)))
        answer = await self._answer(request, press, Show.INSTEAD)
        if request.private or not (await self._preferred.of(request.by.person)).hidden:
            return answer
        # Where the card is everybody's, it is not the place to say who is hidden.
        return replace(answer, note=present.you_are_hidden(await self._preferred.personal(request)))

    async def _answer(self, request: Request, wanted: ShowBoard, show: Show) -> Answer:
        now = self._service.clock.now()
        # No quiz in private counts for others, so there is one board there: that across chats.
        wanted = replace(wanted, everywhere=wanted.everywhere or request.private)
        zone = await zone_of(request, self._preferred, self._service.store)
        counted = None if wanted.everywhere else zone
        board = Board(
            EVERYWHERE if wanted.everywhere else place_of(request.chat),
            wanted.period,
            days.start_of(wanted.period, days.calendar_day(now, counted)),
            wanted.slug,
        )
        shown, found = await self._page(board, wanted, request.by.person)
        reset = days.reset_of(wanted.period, now, counted)
        return Answer(await self._card(request, shown, found, reset and reset.astimezone(days.zone(zone)), zone), show)

    async def _page(self, board: Board, wanted: ShowBoard, person: str) -> tuple[ShowBoard, Leaderboard]:
        """The page that is wanted, or the last one where there are not so many by now."""
        found = await self._service.store.leaderboard(board, wanted.page * PAGE, PAGE, person)
        last = pages(found.count) - 1
        if wanted.page <= last:
            return wanted, found
        return replace(wanted, page=last), await self._service.store.leaderboard(board, last * PAGE, PAGE, person)

    async def _card(
        self, request: Request, shown: ShowBoard, found: Leaderboard, reset: datetime | None, zone: str | None
    ) -> Card:
        edition = self._library.edition(shown.slug)
        return present.leaderboard(
            found,
            shown,
            await self._preferred.common(request),
            quiz=edition.quiz if edition else None,
            reset=reset,
            city=zone or UTC,
            viewer=await self._viewer(request),
        )

    async def _viewer(self, request: Request) -> Viewer | None:
        if not request.private:
            return None
        own = await self._preferred.of(request.by.person)
        return Viewer(hidden=bool(own.hidden), joined=bool(own.everywhere))

    # What is meant

    def _meant(self, argument: str) -> ShowBoard | None:
        """The first page of what these words mean; None where no quiz is called so, or several are."""
        words, known = folded(argument), periods()
        if words in known or not argument.strip():
            return ShowBoard(known.get(words, USUAL), False, "", 0)
        whole, split = (USUAL, words), _with_period(words)
        # A whole name means its quiz whatever it begins with; of a part of a name, less has to be explained.
        for find, readings in ((self._called, [whole, *split]), (self._called_partly, [*split, whole])):
            for period, name in readings:
                if quiz := find(name):
                    return ShowBoard(period, False, quiz.slug, 0)
        return None

    def _called(self, name: str) -> Quiz | None:
        """The quiz with this name."""
        return next((quiz for quiz in self._library.quizzes if name in _names(quiz)), None)

    def _called_partly(self, name: str) -> Quiz | None:
        """The only quiz that has all these words in its names."""
        found = self._with_words(name)
        return found[0] if len(found) == 1 else None

    def _with_words(self, name: str) -> list[Quiz]:
        wanted = name.split()
        names = ((quiz, " ".join(_names(quiz))) for quiz in self._library.quizzes)
        return [quiz for quiz, said in names if wanted and all(word in said for word in wanted)]

    def _near(self, argument: str) -> list[Quiz]:
        """The quizzes that may be meant, the nearest first: those with the words in their names, and those alike."""
        words = folded(argument)
        wanted = [*(name for _, name in _with_period(words)), words]
        called = {name: quiz for quiz in self._library.quizzes for name in _names(quiz)}
        partly = [quiz for name in wanted for quiz in self._with_words(name)]
        close = (get_close_matches(name, called, n=len(called) or 1, cutoff=NEAR_ENOUGH) for name in wanted)
        alike = [called[name] for names in close for name in names]
        return list({quiz.slug: quiz for quiz in (*partly, *alike)}.values())


def _with_period(words: str) -> list[tuple[Period, str]]:
    """The ways to read some words as a period with the name of a quiz after or before it; the longest period first."""
    split, known = words.split(), periods()
    most = max(len(period.split()) for period in known)
    cuts = (at for at in range(1, len(split)) if min(at, len(split) - at) <= most)
    halves = [(" ".join(split[:at]), " ".join(split[at:])) for at in cuts]
    first = [(known[before], after) for before, after in reversed(halves) if before in known]
    return first + [(known[after], before) for before, after in halves if after in known]


def _names(quiz: Quiz) -> tuple[str, ...]:
    return (folded(quiz.slug), *map(folded, quiz.title.texts.values()))
