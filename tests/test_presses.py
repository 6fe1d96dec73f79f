"""Button data: everything that is written is read again, fits every platform, and nothing else is believed."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import presses
from bot.core.events import (
    Advanced,
    Answered,
    Begun,
    Change,
    Chosen,
    Configured,
    Event,
    Resumed,
    Sent,
    Stopped,
    Toggled,
)
from bot.core.session import Actor, Feedback, Order, Pace
from bot.learning.days import Period

WORD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
SESSIONS = st.text(WORD + "_-", min_size=1, max_size=24)
SLUGS = st.text("abcdefghijklmnopqrstuvwxyz0123456789-", min_size=1, max_size=40)
NUMBERS = st.integers(0, 999_999)
CHANGES = st.builds(
    Change,
    st.none() | st.sampled_from(Pace),
    st.none() | NUMBERS,
    st.none() | st.sampled_from(Feedback),
    st.none() | st.sampled_from(Order),
    st.none() | st.booleans(),
)
NAMES = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=20)
VALUES = st.text(WORD + "-_/+", max_size=32)
REASONS = st.text("abcdefghijklmnopqrstuvwxyz-", max_size=20)
STAMPS = st.text("0123456789abcdef", min_size=4, max_size=4)
PRESSES = st.one_of(
    st.builds(presses.Choose, SESSIONS, NUMBERS, NUMBERS),
    st.builds(presses.Toggle, SESSIONS, NUMBERS, NUMBERS),
    st.builds(presses.Select, SESSIONS, NUMBERS, st.lists(st.integers(0, 99), max_size=10).map(tuple)),
    st.builds(presses.Send, SESSIONS, NUMBERS),
    st.builds(presses.Next, SESSIONS, NUMBERS),
    st.builds(presses.Begin, SESSIONS),
    st.builds(presses.Configure, SESSIONS, CHANGES, st.booleans()),
    st.builds(presses.Resume, SESSIONS),
    st.builds(presses.Stop, SESSIONS),
    st.builds(presses.Again, SESSIONS),
    st.builds(presses.Pick, SLUGS),
    st.builds(presses.Page, NUMBERS),
    st.builds(presses.Browse),
    st.builds(presses.Prefer, NAMES, VALUES),
    st.builds(presses.Speak, VALUES),
    st.builds(presses.Report, SESSIONS, NUMBERS, REASONS),
    st.builds(presses.Personal, NAMES, VALUES),
    st.builds(presses.Practise, SLUGS | st.just("")),
    st.builds(presses.ShowBoard, st.sampled_from(Period), st.booleans(), SLUGS | st.just(""), NUMBERS),
    st.builds(presses.ShowStats),
    st.builds(presses.ShowReports, NUMBERS),
    st.builds(presses.ShowZones, NUMBERS),
    st.builds(presses.Blend, STAMPS, st.integers(0, 2**160 - 1), NUMBERS, st.booleans()),
    st.builds(presses.Forget, SESSIONS, st.booleans()),
)
ANN = Actor("ann", "Ann")
NOON = datetime(2025, 3, 3, 12, tzinfo=UTC)
BRISK = Change(pace=Pace.BRISK)
ALL = Change(Pace.BRISK, 999_999, Feedback.AT_END, Order.SHUFFLED, speed_bonus=True)


@given(PRESSES)
def test_every_press_is_read_as_it_was_written(press: presses.Press) -> None:
    assert presses.load(presses.dump(press)) == press


@given(PRESSES)
def test_every_press_fits_a_button_of_every_platform(press: presses.Press) -> None:
    assert len(presses.dump(press).encode()) <= presses.MOST_BYTES


def test_even_a_change_of_everything_fits_beside_the_longest_session() -> None:
    assert len(presses.dump(presses.Configure("s" * 24, ALL, True))) <= presses.MOST_BYTES


@given(st.one_of(st.text(), st.from_regex(r"1:[atmsnbcrxgqplokwideuhzjf]:?[A-Za-z0-9:._-]*", fullmatch=True)))
def test_whatever_comes_back_is_what_was_written_or_unreadable(data: str) -> None:
    try:
        press = presses.load(data)
    except presses.UnreadableError:
        return
    assert presses.dump(press) == data


@pytest.mark.parametrize(
    "data",
    [
        "",
        "\0",
        "1",
        "1:",
        "1:a",
        "a:1:99999:-1",
        "1:a:s:0:-1",
        "1:a:s:0",
        "1:a:s:0:1:2",
        "1:a::0:1",
        "1:a:s:00:1",
        "1:a:s:1000000:1",
        "1:a:s:٣:1",
        "1:a:s:0:1\n",
        "1:a:s:0:1\0",
        "1:a:ș:0:1",
        "1:b:" + "s" * 61,
        "1:q:" + "s" * 41,
        "1:q:Upper",
        "1:q:../etc",
        "1:c:s:pz:1",
        "1:c:s:p:1",
        "1:c:s:c05:1",
        "1:c:s:c1000000:1",
        "1:c:s:c٣:1",
        "1:c:s:pbps:1",
        "1:c:s:c5pb:1",
        "1:c:s:s8ow0:1",
        "1:c:s:pb:2",
        "1:c:s:pb",
        "1:c:s:1",
        "1:l:",
        "1:l:2",
        "1:o:pace",
        "1:o::steady",
        "1:o:Pace:steady",
        "1:o:pace:" + "s" * 33,
        "1:o:pace:{0.__class__}",
        "1:o:zone:Europe/Sofia ",
        "1:i:zone:../../etc/passwd\0",
        "1:i:hidden",
        "1:d",
        "1:d:Upper",
        "1:e:y:0::0",
        "1:e:w:2::0",
        "1:e:w:0:a:",
        "1:u:",
        "1:h:-1",
        "1:j:0a1:0:0:1",
        "1:j:0a1f:00:0:1",
        "1:j:0a1f:F:0:1",
        "1:j:0a1f:" + "f" * 41 + ":0:1",
        "1:f:s",
        "1:f::1",
        "1:k",
        "1:k:български",
        "1:m:s:0",
        "1:m:s:0:.",
        "1:m:s:0:1.",
        "1:m:s:0:01",
        "1:m:s:0:1,2",
        "1:m:s:0:-1",
        "1:m:s:0:100",
        "1:m:s:0:0.1.2.3.4.5.6.7.8.9.10",
        "1:w:s:0",
        "1:w:s:-1:typo",
        "1:w:s:0:wrong key",
        "1:w:s:0:" + "s" * 21,
        "1:z:s",
        "2:a:s:0:1",
        "0:a:s:0:1",
        "x" * 65,
        "😀" * 16,
    ],
)
def test_data_made_by_hand_is_unreadable(data: str) -> None:
    with pytest.raises(presses.UnreadableError, match="not button data of version 1"):
        presses.load(data)


def test_the_complaint_about_long_data_stays_short() -> None:
    with pytest.raises(presses.UnreadableError) as complaint:
        presses.load("x" * 10_000)
    assert len(str(complaint.value)) < 120


@pytest.mark.parametrize(
    ("press", "event"),
    [
        (presses.Choose("s", 2, 3), Answered(ANN, "s", 2, (3,), NOON)),
        (presses.Toggle("s", 2, 3), Toggled("k", ANN, "s", 2, 3, NOON)),
        (presses.Select("s", 2, (0, 3)), Chosen("k", ANN, "s", 2, (0, 3), NOON)),
        (presses.Send("s", 2), Sent(ANN, "s", 2, NOON)),
        (presses.Next("s", 4), Advanced("k", ANN, "s", 4)),
        (presses.Begin("s"), Begun("k", ANN, "s")),
        (presses.Configure("s", BRISK, True), Configured("k", ANN, "s", BRISK, True)),
        (presses.Resume("s"), Resumed("k", ANN, "s")),
        (presses.Stop("s"), Stopped("k", ANN, "s")),
    ],
)
def test_a_press_is_the_event_that_its_button_names(press: presses.SessionPress, event: Event) -> None:
    assert presses.event_of(press, ANN, "k", NOON) == event


def test_buttons_say_the_same_in_every_version_from_now_on() -> None:
    """Buttons live on in old messages: a change here needs a new version."""
    written: dict[presses.Press, str] = {
        presses.Choose("s", 2, 3): "1:a:s:2:3",
        presses.Toggle("s", 2, 3): "1:t:s:2:3",
        presses.Select("s", 2, (0, 3, 11)): "1:m:s:2:0.3.11",
        presses.Select("s", 2, ()): "1:m:s:2:",
        presses.Send("s", 2): "1:s:s:2",
        presses.Next("s", 4): "1:n:s:4",
        presses.Begin("s"): "1:b:s",
        presses.Configure("s", Change(), False): "1:c:s::0",
        presses.Configure("s", BRISK, True): "1:c:s:pb:1",
        presses.Configure("s", Change(count=5), True): "1:c:s:c5:1",
        presses.Configure("s", Change(feedback=Feedback.AT_ONCE), True): "1:c:s:fo:1",
        presses.Configure("s", Change(feedback=Feedback.AT_CLOSE), True): "1:c:s:fc:1",
        presses.Configure("s", Change(feedback=Feedback.AT_END), True): "1:c:s:fe:1",
        presses.Configure("s", Change(order=Order.SHUFFLED), True): "1:c:s:os:1",
        presses.Configure("s", Change(speed_bonus=False), True): "1:c:s:s0:1",
        presses.Configure("s", ALL, True): "1:c:s:pbc999999feoss1:1",
        presses.Resume("s"): "1:r:s",
        presses.Stop("s"): "1:x:s",
        presses.Again("s"): "1:g:s",
        presses.Pick("colours"): "1:q:colours",
        presses.Page(2): "1:p:2",
        presses.Browse(): "1:l",
        presses.Prefer("pace", "steady"): "1:o:pace:steady",
        presses.Prefer("speed_bonus", "0"): "1:o:speed_bonus:0",
        presses.Speak("pt-BR"): "1:k:pt-BR",
        presses.Speak(""): "1:k:",
        presses.Report("s", 2): "1:w:s:2:",
        presses.Report("s", 2, "wrong-key"): "1:w:s:2:wrong-key",
    }
    assert {press: presses.dump(press) for press in written} == written
