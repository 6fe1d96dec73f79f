"""The picture of one's progress: that it can be seen, by whomever and wherever, and that nothing waits for it."""

from __future__ import annotations

import asyncio
import logging
import struct
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image

from bot.charts import Bar, Chart, Panel, Part, Tone
from bot.drawing import CARD, GIVES_WAY, HATCHES, HEIGHT, INK, SUBDUED, TONES, WIDTH, Pictures, painted

PARTS = (Part(Tone.RIGHT, "right"), Part(Tone.WRONG, "wrong"))


def chart(*counts: int, title: str = "Answers") -> Chart:
    """Two panels: right and wrong answers, and as many reviews as there are answers."""
    answers = tuple(Bar((count, 2), f"day {at}" if at % 7 == 0 else "") for at, count in enumerate(counts))
    reviews = tuple(Bar((count,)) for count in counts)
    return Chart((Panel(title, PARTS, answers), Panel("Reviews", (Part(Tone.DUE, ""),), reviews, numbered=True)))


FULL = chart(*(1000 + 37 * at % 400 for at in range(30)))


def test_a_picture_is_a_png_of_the_size_it_should_have() -> None:
    drawn = painted(chart(1, 2, 3))
    assert drawn.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", drawn[16:24]) == (WIDTH, HEIGHT)


def test_a_picture_is_opaque_to_its_corners_for_a_chat_may_be_light_or_dark() -> None:
    picture = Image.open(BytesIO(painted(FULL))).convert("RGBA")
    assert picture.getchannel("A").getextrema() == (255, 255)
    corners = [(0, 0), (WIDTH - 1, 0), (0, HEIGHT - 1), (WIDTH - 1, HEIGHT - 1)]
    assert {picture.getpixel(corner) for corner in corners} == {(*_rgb(CARD), 255)}


def test_a_picture_is_small_enough_for_a_slow_line() -> None:
    assert len(painted(FULL)) < 100_000


def test_other_numbers_and_other_words_are_another_picture_and_the_same_are_the_same() -> None:
    pictures = [painted(each) for each in (chart(1, 2), chart(1, 3), chart(1, 2, title="Отговори"), chart(1, 2))]
    assert len(set(pictures)) == 3
    assert pictures[0] == pictures[3]


def test_nothing_at_all_can_be_drawn_too() -> None:
    assert painted(chart(0, 0, 0))


def test_numbers_over_bars_do_not_touch_what_is_above_them() -> None:
    """The highest bar ends well below its title."""
    panel = Panel("", (Part(Tone.DUE, ""),), (Bar((1,)), Bar((9,))), numbered=True)
    picture = Image.open(BytesIO(painted(Chart((panel, panel))))).convert("RGB")
    coloured = [y for y in range(HEIGHT // 2) if picture.getpixel((3 * WIDTH // 4, y)) == _rgb(TONES[Tone.DUE])]
    assert 0.25 < coloured[0] / (HEIGHT // 2) < 0.5


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour.removeprefix("#")))


def _luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in _shares(colour)]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _shares(colour: str) -> list[float]:
    return [part / 255 for part in _rgb(colour)]


@pytest.mark.parametrize("colour", [INK, SUBDUED, *TONES.values()])
def test_whatever_is_drawn_stands_out_from_the_card(colour: str) -> None:
    assert (_luminance(colour) + 0.05) / (_luminance(CARD) + 0.05) >= 4.5


def test_right_and_wrong_are_told_apart_by_more_than_colour() -> None:
    assert HATCHES.get(Tone.RIGHT) != HATCHES.get(Tone.WRONG)
    lined = chart(5)
    plain = Chart((Panel("Answers", (PARTS[0], Part(Tone.RIGHT, "wrong")), lined.panels[0].bars), lined.panels[1]))
    stripes = [_stripes(painted(each)) for each in (lined, plain)]
    assert stripes[0] > stripes[1] + 2


def _stripes(drawn: bytes) -> int:
    """How often the colour changes down the middle of the first bar, whose upper part is what is wrong."""
    shades = Image.open(BytesIO(drawn)).convert("L").tobytes()
    light = [shade > 100 for shade in shades[WIDTH // 2 :: WIDTH][: HEIGHT // 2]]
    return sum(one is not other for one, other in pairwise(light))


def test_words_that_cannot_be_written_make_no_picture_of_empty_boxes() -> None:
    with pytest.raises(ValueError, match="lacks these letters: 学"):
        painted(chart(1, title="学 3"))


# Beside the event loop


@dataclass
class Painter:
    """Paints when it is let go on, and counts how many are at it at once, and in which threads."""

    go_on: threading.Event = field(default_factory=threading.Event)
    begun: threading.Event = field(default_factory=threading.Event)
    painted: list[Chart] = field(default_factory=list)
    threads: set[int] = field(default_factory=set)
    at_it: int = 0
    most: int = 0
    fails_with: Exception | None = None

    def __call__(self, chart: Chart) -> bytes:
        self.painted.append(chart)
        self.threads.add(threading.get_ident())
        self.at_it += 1
        self.most = max(self.most, self.at_it)
        self.begun.set()
        self.go_on.wait(60)
        self.at_it -= 1
        if self.fails_with:
            raise self.fails_with
        return repr(chart).encode()


def ready(fails_with: Exception | None = None) -> Painter:
    painter = Painter(fails_with=fails_with)
    painter.go_on.set()
    return painter


async def test_a_picture_is_drawn_in_another_thread() -> None:
    painter = ready()
    assert await Pictures(painter).picture(chart(1)) == repr(chart(1)).encode()
    assert threading.get_ident() not in painter.threads


SEEN: list[float] = []


class Watched(tuple[Bar, ...]):
    """Bars that note how long whoever draws them keeps others waiting."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Bar]:
        SEEN.append(sys.getswitchinterval())
        return super().__iter__()


@pytest.mark.parametrize("title", ["Answers", "学"])
def test_whoever_draws_gives_way_to_others_meanwhile_and_no_longer(title: str) -> None:
    SEEN.clear()
    usual = sys.getswitchinterval()
    with suppress(ValueError):
        painted(Chart((Panel(title, PARTS, Watched((Bar((1, 2)),))),)))
    assert set(SEEN) == {GIVES_WAY}
    assert sys.getswitchinterval() == usual > GIVES_WAY


async def test_one_picture_is_drawn_at_a_time_and_the_same_one_only_once() -> None:
    painter = Painter()
    pictures = Pictures(painter)
    asked = [asyncio.create_task(pictures.picture(each)) for each in (chart(1), chart(2), chart(1), chart(2))]
    await asyncio.to_thread(painter.begun.wait, 60)
    painter.go_on.set()
    drawn = await asyncio.gather(*asked)
    assert painter.most == 1
    assert painter.painted == [chart(1), chart(2)]
    assert drawn[0] == drawn[2] != drawn[1] == drawn[3]


async def test_a_picture_that_was_drawn_is_kept() -> None:
    painter = ready()
    pictures = Pictures(painter)
    assert await pictures.picture(chart(1)) == await pictures.picture(chart(1))
    assert painter.painted == [chart(1)]


async def test_nobody_waits_longer_than_their_patience_and_the_thread_keeps_its_turn(
    caplog: pytest.LogCaptureFixture,
) -> None:
    painter = Painter()
    pictures = Pictures(painter, patience=0)
    assert await pictures.picture(chart(1)) is None
    assert await pictures.picture(chart(2)) is None
    assert "within 0 s" in caplog.text
    await asyncio.to_thread(painter.begun.wait, 60)
    assert painter.painted == [chart(1)]
    painter.go_on.set()
    while len(painter.painted) < 2 or painter.at_it:
        await asyncio.to_thread(lambda: None)
    assert painter.most == 1


async def test_a_picture_that_fails_is_told_to_the_log_and_the_next_is_tried(
    caplog: pytest.LogCaptureFixture,
) -> None:
    painter = ready(RuntimeError("no ink"))
    pictures = Pictures(painter)
    assert await pictures.picture(chart(1)) is None
    assert "no ink" in caplog.text
    painter.fails_with = None
    assert await pictures.picture(chart(1)) is not None


async def test_without_the_library_there_are_words_alone_and_one_line_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    caplog.set_level(logging.INFO)
    pictures = Pictures()
    assert [await pictures.picture(chart(count)) for count in (1, 2)] == [None, None]
    assert [record.levelname for record in caplog.records if record.name == "bot.drawing"] == ["INFO"]
    assert "pictures" in caplog.text
