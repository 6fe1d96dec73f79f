"""What is missing where a quiz cannot run: everything by its name, who can give it, and what works anyway."""

from __future__ import annotations

from itertools import combinations

import pytest

from bot import present
from bot.messages import Card, Link
from bot.permissions import Lacking
from bot.words import languages
from tests.present.plain import plain, texts

ENGLISH = {
    Lacking.VIEW: "View Channel",
    Lacking.SEND: "Send Messages",
    Lacking.SEND_IN_THREADS: "Send Messages in Threads",
    Lacking.OPEN_THREADS: "Create Public Threads",
    Lacking.ATTACH: "Attach Files",
}
SOME = [some for size in (1, 2, 5) for some in combinations(ENGLISH, size)]
ADDRESS = "https://example.org"


def named(card: Card) -> list[str]:
    return [said for said in texts(card) if said.startswith("• ")]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("missing", SOME)
def test_every_permission_that_is_missing_is_named_and_no_other(language: str, missing: tuple[Lacking, ...]) -> None:
    lines = named(present.lacking(language, missing, ADDRESS))
    assert len(lines) == len(missing)
    for line, lacking in zip(lines, missing, strict=True):
        name = ENGLISH[lacking]
        assert line == f"• {name}" if language == "en" else line.endswith(f"({name})")


@pytest.mark.parametrize("language", languages())
def test_where_it_is_no_member_no_permission_would_help_and_the_private_chat_does(language: str) -> None:
    for missing in ((Lacking.MEMBERSHIP,), tuple(Lacking)):
        card = present.lacking(language, missing, ADDRESS)
        assert named(card) == []
        assert [link.url for row in card.buttons for link in row if isinstance(link, Link)] == [ADDRESS]
    assert present.lacking(language, (Lacking.MEMBERSHIP,)).buttons == ()


@pytest.mark.parametrize("language", languages())
def test_of_a_closed_thread_no_permission_is_named_but_one_that_is_missing_as_well(language: str) -> None:
    def said(*missing: Lacking) -> list[str]:
        return list(texts(present.lacking(language, missing)))

    assert len(said(Lacking.LOCKED)) == len(said(Lacking.ENTRY)) == 1
    assert said(Lacking.LOCKED, Lacking.ENTRY) == said(Lacking.ENTRY) + said(Lacking.LOCKED)
    assert said(Lacking.ATTACH, Lacking.LOCKED) == said(Lacking.LOCKED) + said(Lacking.ATTACH)


def test_what_a_person_can_do_about_a_closed_thread_is_said() -> None:
    assert "a moderator can unlock it" in plain(present.lacking("en", (Lacking.LOCKED,)))
    said = plain(present.lacking("en", (Lacking.ENTRY,)))
    assert "mention me in it first" in said
    assert "in its channel" in said


def test_who_can_mend_it_is_said() -> None:
    assert "administrator or a moderator" in plain(present.lacking("en", (Lacking.SEND,)))
    assert "administrators" in plain(present.lacking("en", (Lacking.MEMBERSHIP,)))
    assert present.lacking("en", (Lacking.SEND,), ADDRESS).buttons == ()


def test_the_order_in_which_a_platform_names_them_does_not_matter() -> None:
    missing = tuple(ENGLISH)
    assert present.lacking("en", missing) == present.lacking("en", missing[::-1])
