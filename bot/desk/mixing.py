"""What mixes are made of: what there is to choose from, what a choice is called, what it comes to. Knows no chat."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b

from bot import present
from bot.core.quiz import Quiz
from bot.library import TOPIC, Edition, Library
from bot.present.blending import Topic
from bot.presses import Blend

MOST_OFFERED = 160
"""What a press has bits for."""

ENOUGH = 2
"""Quizzes, or topics, of which there is something to mix."""


class Mixing:
    """The quizzes and topics of a library as what goes into a mix: first the quizzes, by slug, then the topics."""

    def __init__(self, library: Library) -> None:
        self._library = library

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Everything on the list, as a recipe has it."""
        quizzes = (quiz.slug for quiz in self._library.quizzes)
        return (*quizzes, *(f"{TOPIC}{topic}" for topic in self._library.topics))[:MOST_OFFERED]

    @cached_property
    def stamp(self) -> str:
        """Tells this list from another."""
        return blake2b("\0".join(self.names).encode(), digest_size=2).hexdigest()

    @cached_property
    def offer(self) -> list[present.Ingredient]:
        """What stands on the list."""
        return self.parts(self.names)

    @cached_property
    def beginning(self) -> Blend | None:
        """The way to the list with nothing chosen, if there is something to mix."""
        library = self._library
        enough = len(library.quizzes) >= ENOUGH or len(library.topics) >= ENOUGH
        return Blend(self.stamp, 0, 0, ready=False) if enough else None

    def parts(self, recipe: Sequence[str]) -> list[present.Ingredient]:
        """What a recipe names and what is still on offer, each once."""
        found = (self._part(named) for named in dict.fromkeys(recipe))
        return [part for part in found if part]

    def _part(self, named: str) -> present.Ingredient | None:
        if named.startswith(TOPIC):
            questions = self._library.blend([named])
            return Topic(named.removeprefix(TOPIC), len(questions)) if questions else None
        edition = self._library.edition(named)
        return edition.quiz if edition else None

    def chosen(self, press: Blend) -> list[str]:
        """The recipe of what is in the mix so far."""
        return [named for number, named in enumerate(self.names) if press.chosen >> number & 1]

    def press(self, named: str) -> Blend | None:
        """Starts a mix of this alone, if it is on the list."""
        return Blend(self.stamp, 1 << self.names.index(named), 0, ready=True) if named in self.names else None

    def count(self, recipe: Sequence[str]) -> int:
        """How many questions it comes to."""
        return len(self._library.blend(recipe))

    def anew(self, quiz: Quiz) -> Edition | None:
        """What this quiz, perhaps of an earlier day, comes to today; None also for what was drawn for one learner."""
        return self.edition(quiz.recipe if quiz.mixed else [quiz.slug])

    def edition(self, recipe: Sequence[str]) -> Edition | None:
        """What it comes to today: the quiz itself where it is just one, else a mix; None where nothing is left."""
        parts = self.parts(recipe)
        names = [TOPIC + part.name if isinstance(part, Topic) else part.slug for part in parts]
        if len(names) == 1 and (alone := self._library.edition(names[0])):
            return alone
        return self._library.mix(present.mix_title(parts), self._library.blend(names), names) if parts else None
