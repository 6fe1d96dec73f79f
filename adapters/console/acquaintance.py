"""Whoever sits at the console: the language to speak with them, and their time zone. Knows no quiz and no session."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

import click

from adapters.console.visit import Person
from bot import words
from bot.ports import Store


class Acquaintance:
    """What a person wishes, has chosen before, and what the operating system says of them."""

    def __init__(self, store: Store, person: Person, *, wished: str | None = None, zone: str | None = None) -> None:
        """`wished` is a language of the interface; `zone` the time zone of this machine by its IANA name."""
        self._store = store
        self._person = person
        self._wished = wished
        self._zone = zone
        self._advised: set[str] = set()

    @property
    def locale(self) -> str | None:
        """The language that the operating system was told, if there is a catalogue for it."""
        return _language_of(os.environ)

    async def language(self) -> str:
        """As wished, else as chosen before, else as the environment says."""
        chosen = (await self._store.preferences({self._person.id}))[self._person.id].language
        language = self._wished or words.match(chosen) or self.locale or words.SOURCE
        self._advise(language)
        return language

    async def keep(self, chat: str) -> None:
        """Keep it for what will be said in this chat, and for what becomes of it."""
        known = await self._store.preferences({self._person.id, chat})
        own = known[self._person.id]
        now = {"language": self._wished or own.language, "locale": self.locale, "zone": self._zone or own.zone}
        for name, value in now.items():
            if getattr(own, name) != value:
                await self._store.prefer(self._person.id, name, value)
        if known[chat].language:
            # Kept there by earlier versions; it would go before the person's.
            await self._store.prefer(chat, "language", None)

    def _advise(self, language: str) -> None:
        """Say once, in letters that any terminal has, that this one cannot show the language."""
        encoding = sys.stdout.encoding or "utf-8"
        if language in self._advised or words.can_be_written(language, encoding):
            return
        self._advised.add(language)
        name = words.words_of(words.SOURCE).language_name(language)
        advice = f"the output is {encoding}, which lacks letters of {name}; use a UTF-8 locale, such as LC_ALL=C.UTF-8"
        click.echo(f"quizbot: {advice}", err=True)


def _language_of(environment: Mapping[str, str]) -> str | None:
    said = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    return words.match(said.partition(".")[0].partition("@")[0])
