"""Draws charts as pictures, beside the event loop, where the library for it is installed. Knows no words and no people.

A picture is a card of its own: opaque, for a chat may be light or dark, and a platform makes what it likes of what is
transparent. Its colours stand out from the card (4.5 : 1 or more), and the parts of a bar differ by hatching as well.
"""

from __future__ import annotations

import asyncio
import gc
import io
import logging
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bot.charts import Chart, Panel, Tone
from bot.remembering import Remembered

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

log = logging.getLogger(__name__)

WIDTH, HEIGHT = 1000, 640
"""Pixels."""

DOTS = 100
"""Pixels an inch; it only says how large a point of type is."""

CARD = "#1f2733"
INK = "#f2f5f8"
SUBDUED = "#a9b5c3"
TONES: Mapping[Tone, str] = {Tone.RIGHT: "#4fd0ae", Tone.WRONG: "#ffb86b", Tone.DUE: "#8fbcff"}
HATCHES: Mapping[Tone, str] = {Tone.WRONG: "//"}

BROAD = 0.8
"""How much of its room a bar takes."""

HEADING, LABEL = 21, 18
"""Points. A telephone shows the picture at little more than a third of its size, and it is to be read there."""

PATIENCE = 2.0
"""Seconds that somebody waits for a picture, of the three that Discord waits; then they have the words alone."""

MOST_KEPT = 16
"""Pictures; whoever asks twice in a row gets the same."""

GIVES_WAY = 0.0005
"""Seconds after which the thread that draws lets another go on. A press changes threads a dozen times, and with what is
usual it would wait ten times as long at each of them."""

_ONE_AT_A_TIME = threading.Lock()
"""In the whole process, for the library promises nothing about two threads."""


class Pictures:
    """Charts drawn in a thread, one at a time; the last ones are kept."""

    def __init__(self, paint: Callable[[Chart], bytes] | None = None, patience: float = PATIENCE) -> None:
        """`paint` makes a PNG of a chart, however long that takes; None: `painted`. `patience` is in seconds."""
        self._paint = paint or painted
        self._patience = patience
        self._possible = True
        self._kept: Remembered[Chart, bytes] = Remembered(MOST_KEPT)
        self._drawing: dict[Chart, asyncio.Task[bytes | None]] = {}
        self._turn = asyncio.Semaphore()

    async def picture(self, chart: Chart) -> bytes | None:
        """The chart as a PNG; None, and a line in the log, where it cannot be drawn, or not soon enough."""
        if chart in self._kept or not self._possible:
            return self._kept.get(chart)
        if chart not in self._drawing:
            self._drawing[chart] = asyncio.create_task(self._draw(chart), name="picture")
        # Nobody can end a thread, so its turn lasts as long as it does, and only whoever waits gives up.
        done, _ = await asyncio.wait((self._drawing[chart],), timeout=self._patience)
        if not done:
            log.warning("a picture was not there within %g s: it is said in words alone", self._patience)
        return next(iter(done)).result() if done else None

    async def _draw(self, chart: Chart) -> bytes | None:
        try:
            async with self._turn:
                self._kept[chart] = await asyncio.to_thread(self._paint, chart)
            return self._kept[chart]
        except ImportError:
            self._possible = False
            log.info("statistics come without pictures: matplotlib is not installed (the extra `pictures`)")
        except Exception:
            log.exception("a picture could not be drawn: it is said in words alone")
        finally:
            del self._drawing[chart]
        return None


def painted(chart: Chart) -> bytes:
    """The chart as a PNG of WIDTH × HEIGHT; a fraction of a second, and some more the first time. Raises ImportError
    where there is no matplotlib, ValueError where its type lacks a letter."""
    with _ONE_AT_A_TIME, _giving_way():
        known = "matplotlib" in sys.modules
        from matplotlib.figure import Figure

        if not known:
            # Its modules stay: later collections need not stop everything, for 30 ms each, to look at them again.
            gc.freeze()
        _check(chart)
        figure = Figure(figsize=(WIDTH / DOTS, HEIGHT / DOTS), dpi=DOTS, facecolor=CARD)
        _fill(figure, chart.panels)
        file = io.BytesIO()
        figure.savefig(file, format="png", dpi=DOTS, facecolor=CARD)
        return file.getvalue()


@contextmanager
def _giving_way() -> Iterator[None]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(GIVES_WAY)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def _fill(figure: Figure, panels: Sequence[Panel]) -> None:
    rooms = figure.subplots(len(panels), squeeze=False)[:, 0]
    figure.subplots_adjust(left=0.075, right=0.97, top=0.89, bottom=0.09, hspace=0.66)
    for room, panel in zip(rooms, panels, strict=True):
        _prepare(room)
        _heading(room, panel)
        _bars(room, panel)
        _numbers(room, panel)
        _labels(room, panel)


def _prepare(room: Axes) -> None:
    room.set_facecolor(CARD)
    for side, spine in room.spines.items():
        spine.set_visible(side == "bottom")
        spine.set_color(SUBDUED)
    room.tick_params(length=0, pad=8)


def _heading(room: Axes, panel: Panel) -> None:
    room.set_title(panel.title, loc="left", x=-0.055, pad=16, color=INK, **_type(HEADING))


def _bars(room: Axes, panel: Panel) -> None:
    """A shape for each part, for a patch for each bar takes ten times as long."""
    from matplotlib.collections import PolyCollection

    feet = [0] * len(panel.bars)
    for at, part in enumerate(panel.parts):
        heads = [foot + bar.counts[at] for foot, bar in zip(feet, panel.bars, strict=True)]
        shape = PolyCollection(
            [_corners(*each) for each in enumerate(zip(feet, heads, strict=True)) if len(set(each[1])) > 1],
            facecolor=TONES[part.tone],
            hatch=HATCHES.get(part.tone),
            edgecolor=CARD,
            linewidth=1,
            label=part.name,
        )
        room.add_collection(shape, autolim=False)
        feet = heads
    room.set_xlim(-0.6, len(feet) - 0.4)
    room.set_ylim(0, max(1, *feet) * (1.2 if panel.numbered else 1.06))
    if len(panel.parts) > 1:
        _legend(room)


def _corners(at: int, ends: tuple[int, int]) -> Sequence[tuple[float, float]]:
    left, right, (foot, head) = at - BROAD / 2, at + BROAD / 2, ends
    return (left, foot), (left, head), (right, head), (right, foot)


def _legend(room: Axes) -> None:
    room.legend(
        loc="lower right",
        bbox_to_anchor=(1.01, 1.01),
        ncols=2,
        frameon=False,
        labelcolor=INK,
        handlelength=1.3,
        handleheight=0.9,
        handletextpad=0.4,
        columnspacing=1.2,
        borderaxespad=0,
        prop=_type(LABEL)["fontproperties"],
    )


def _numbers(room: Axes, panel: Panel) -> None:
    """The sum over each bar, or a scale at the side."""
    from matplotlib.ticker import MaxNLocator

    if not panel.numbered:
        room.yaxis.set_major_locator(MaxNLocator(3, integer=True))
        room.grid(axis="y", color=SUBDUED, alpha=0.35, linewidth=1)
        room.set_axisbelow(True)
        return
    room.set_yticks([])
    for at, bar in enumerate(panel.bars):
        if total := sum(bar.counts):
            room.annotate(
                str(total), (at, total), (0, 4), textcoords="offset points", ha="center", color=INK, **_type(LABEL)
            )


def _labels(room: Axes, panel: Panel) -> None:
    named = [(at, bar.label) for at, bar in enumerate(panel.bars) if bar.label]
    room.set_xticks([at for at, _ in named], [label for _, label in named], color=INK, **_type(LABEL))
    for (at, _), label in zip(named, room.get_xticklabels(), strict=True):
        label.set_horizontalalignment("right" if at == len(panel.bars) - 1 else "center")
    for label in room.get_yticklabels():
        label.set(color=SUBDUED, **_type(LABEL))


def _type(size: float) -> dict[str, Any]:
    """The library's own type, whatever the machine has: Latin, Cyrillic and Greek letters."""
    from matplotlib.font_manager import FontProperties

    return {"fontproperties": FontProperties(fname=_file(), size=size)}


def _file() -> str:
    from matplotlib import get_data_path

    return f"{get_data_path()}/fonts/ttf/DejaVuSans.ttf"


def _check(chart: Chart) -> None:
    """Better no picture than one with empty boxes for words."""
    from matplotlib.font_manager import get_font

    words = [text for panel in chart.panels for text in (panel.title, *_names(panel))]
    missing = {letter for text in words for letter in text if not get_font(_file()).get_char_index(ord(letter))}
    if missing:
        raise ValueError(f"the type of pictures lacks these letters: {' '.join(sorted(missing))}")


def _names(panel: Panel) -> Sequence[str]:
    return [*(part.name for part in panel.parts), *(bar.label for bar in panel.bars)]
