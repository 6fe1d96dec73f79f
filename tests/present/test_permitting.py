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
    Lacking.ATTACH: "Attach Files",
}
SOME = [some for size in (1, 2, 4) for some in combinations(ENGLISH, size)]
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


def test_who_can_mend_it_is_said() -> None:
    assert "administrator or a moderator" in plain(present.lacking("en", (Lacking.SEND,)))
    assert "administrators" in plain(present.lacking("en", (Lacking.MEMBERSHIP,)))
    assert present.lacking("en", (Lacking.SEND,), ADDRESS).buttons == ()


def test_the_order_in_which_a_platform_names_them_does_not_matter() -> None:
    missing = tuple(ENGLISH)
    assert present.lacking("en", missing) == present.lacking("en", missing[::-1])
