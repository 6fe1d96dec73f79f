"""What a typed line means on each kind of card."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.console.reading import Chosen, Command, Meaning, Pressed, keys, understand
from bot.core.events import Change
from bot.core.session import Pace
from bot.messages import Button, Card, Link, Style
from bot.presses import (
    Again,
    Begin,
    Browse,
    Choose,
    Configure,
    Next,
    Page,
    Pick,
    Practise,
    Resume,
    Send,
    ShowStats,
    Stop,
    Toggle,
)

BRISK = Change(pace=Pace.BRISK)


def _asked(kind: type[Choose] | type[Toggle], count: int = 4) -> Card:
    """A card of an open question whose letter A is option 3, B option 2 and so on."""
    letters = tuple(Button("ABCDEFGHIJ"[at], kind("s", 1, count - 1 - at)) for at in range(count))
    steps = (Button("Skip", Next("s", 2)),)
    return Card((), (letters, (Button("Send", Send("s", 1), Style.PRIMARY), *steps) if kind is Toggle else steps))


ONE = _asked(Choose)
SEVERAL = _asked(Toggle)
CLOSED = Card((), ((Button("Next", Next("s", 3), Style.PRIMARY),),))
PAUSED = Card((), ((Button("Resume", Resume("s"), Style.PRIMARY), Button("Stop", Stop("s"), Style.DANGER)),))
CONFIGURING = Card(
    (),
    (
        (
            Button("Steady", Configure("s", Change(pace=Pace.STEADY), True)),
            Button("Brisk", Configure("s", BRISK, True)),
        ),
        (Button("Start", Begin("s"), Style.PRIMARY), Button("Hide settings", Configure("s", Change(), False))),
    ),
)
RESULTS = Card((), ((Button("Again", Again("s"), Style.PRIMARY), Button("Another quiz", Browse())),))
MISTAKEN = Card((), (*RESULTS.buttons, (Button("Practise my mistakes", Practise()),)))
PRACTISED = Card((), ((Button("Keep practising", Practise()), Button("Statistics", ShowStats())),))
NOTHING_DUE = Card((), ((Button("1", Practise("rivers")),), (Button("Practise everything", Practise()),)))
LINKED = Card((), ((Link("Play alone", "https://example.org"), Button("Next", Next("s", 3))),))
PICKER = Card(
    (),
    ((Button("9", Pick("rivers")),), (Button("← Previous page", Page(0)), Button("Next page →", Page(2)))),
)


@pytest.mark.parametrize(
    ("card", "line", "meaning"),
    [
        (ONE, "A", Pressed(Choose("s", 1, 3))),
        (MISTAKEN, "a", Pressed(Again("s"))),
        (PRACTISED, "A", Pressed(Practise())),
        (PRACTISED, "", None),
        (PRACTISED, "1", None),
        (NOTHING_DUE, "1", Pressed(Practise("rivers"))),
        (NOTHING_DUE, "a", Pressed(Practise())),
        (NOTHING_DUE, "rivers", None),
        (ONE, " b ", Pressed(Choose("s", 1, 2))),
        (ONE, "d.", Pressed(Choose("s", 1, 0))),
        (ONE, "c)", Pressed(Choose("s", 1, 1))),
        (ONE, "А", Pressed(Choose("s", 1, 3))),  # Cyrillic
        (ONE, "в", Pressed(Choose("s", 1, 2))),  # Cyrillic
        (ONE, "с", Pressed(Choose("s", 1, 1))),  # Cyrillic
        (ONE, "б", Pressed(Choose("s", 1, 2))),  # the Cyrillic letter on the key B
        (ONE, "ц", Pressed(Choose("s", 1, 1))),  # the Cyrillic letter on the key C
        (ONE, "Д", Pressed(Choose("s", 1, 0))),  # the Cyrillic letter on the key D
        (ONE, "Ｂ", Pressed(Choose("s", 1, 2))),  # full width
        (ONE, "s", Pressed(Next("s", 2))),
        (ONE, "Skip", Pressed(Next("s", 2))),
        (ONE, "E", None),
        (ONE, "AB", None),
        (ONE, "1", None),
        (ONE, "", None),
        (ONE, "Ж", None),
        (ONE, "{0.__class__}", None),
        (ONE, "a\x00", None),
        (_asked(Choose, 10), "Ј", Pressed(Choose("s", 1, 0))),  # Cyrillic
        (SEVERAL, "A", Chosen("s", 1, (3,))),
        (SEVERAL, "AC", Chosen("s", 1, (3, 1))),
        (SEVERAL, "c, а", Chosen("s", 1, (1, 3))),
        (SEVERAL, "a;b + d", Chosen("s", 1, (3, 2, 0))),
        (SEVERAL, "AA", None),
        (ONE, "AAAA", None),
        (SEVERAL, "AX", None),
        (SEVERAL, ",", None),
        (SEVERAL, "", None),
        (SEVERAL, "s", Pressed(Next("s", 2))),
        (CLOSED, "", Pressed(Next("s", 3))),
        (CLOSED, "   ", Pressed(Next("s", 3))),
        (CLOSED, "A", None),
        (CLOSED, "s", None),
        (PAUSED, "", Pressed(Resume("s"))),
        (CONFIGURING, "", Pressed(Begin("s"))),
        (CONFIGURING, "b", Pressed(Configure("s", BRISK, True))),
        (CONFIGURING, "в", Pressed(Configure("s", BRISK, True))),  # Cyrillic
        (CONFIGURING, "s", Pressed(Configure("s", Change(), False))),
        (CONFIGURING, "3", None),  # a setting, not the third
        (CONFIGURING, "c", None),
        (RESULTS, "a", Pressed(Again("s"))),
        (RESULTS, "А", Pressed(Again("s"))),  # Cyrillic
        (RESULTS, "", None),
        (RESULTS, "again", None),
        (RESULTS, "b", None),
        (LINKED, "", Pressed(Next("s", 3))),
        (LINKED, "p", None),
        (PICKER, "9", Pressed(Pick("rivers"))),
        (PICKER, ">", Pressed(Page(2))),
        (PICKER, "<", Pressed(Page(0))),
        (PICKER, "", None),
        *((card, "q", Command.LEAVE) for card in (ONE, SEVERAL, CLOSED, PAUSED, CONFIGURING, RESULTS, PICKER)),
        (ONE, "QUIT", Command.LEAVE),
        (ONE, "stop", Command.STOP),
        (ONE, "?", Command.HELP),
        (Card(()), "A", None),
    ],
)
def test_a_line_says(card: Card, line: str, meaning: Meaning | None) -> None:
    assert understand(line, card) == meaning


@given(
    line=st.text(max_size=20),
    card=st.sampled_from([ONE, SEVERAL, CLOSED, PAUSED, CONFIGURING, RESULTS, LINKED, PICKER]),
)
def test_no_line_means_more_than_the_card_offers(line: str, card: Card) -> None:
    there = [button.press for button in card.all_buttons]
    match understand(line, card):
        case Pressed(press):
            assert press in there
        case Chosen(session, question, options):
            assert options
            assert all(Toggle(session, question, option) in there for option in options)


@pytest.mark.parametrize("card", [ONE, SEVERAL, CLOSED, PAUSED, CONFIGURING, RESULTS, LINKED, PICKER])
def test_every_key_presses_its_button(card: Card) -> None:
    for key, button in keys(card).items():
        if not isinstance(button.press, Toggle):
            assert understand(key, card) == Pressed(button.press)
