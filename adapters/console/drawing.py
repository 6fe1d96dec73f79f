"""The console on a terminal that can draw: panels, colours, wrapped lines. Every colour stands beside a word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.box import ROUNDED
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.panel import Panel
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from adapters.console.plain import body, lead, picture, tail
from adapters.console.terminal import Lines
from bot.core.quiz import Image
from bot.messages import Block, Mark, Role

WIDEST = 100

STYLES: dict[Role, str] = {
    Role.TITLE: "bold",
    Role.STEM: "bold",
    Role.FACT: "dim",
    Role.REMARK: "italic dim",
    Role.VERDICT: "bold",
    Role.SOURCE: "dim",
}
MARKS: dict[Mark, str] = {Mark.RIGHT: "green", Mark.WRONG: "red"}
LEAD = "bold cyan"


class DrawnTerminal:
    """A terminal with somebody at it."""

    scripted = False

    def __init__(self, lines: Lines, console: Console | None = None) -> None:
        self._lines = lines
        self._console = console or Console(highlight=False, markup=False, emoji=False)
        self._prompting = False

    def show(self, blocks: Sequence[Block], image: Image | None) -> None:
        if any(block.role in (Role.STEM, Role.TITLE) for block in blocks):
            self._print(_framed(blocks, image))
        else:
            self._print(*(_said(block) for block in blocks))

    def say(self, text: str) -> None:
        self._print(Text(text))

    async def ask(self, prompt: str) -> str | None:
        *above, last = Text(prompt, style="cyan").wrap(self._console, self._width - 1)
        for part in above:
            self._console.print(part)
        self._console.print(last, end=" ")
        self._console.file.flush()
        self._prompting = True
        line = await self._lines.next()
        self._prompting = False
        if line is None:
            self._console.print()
        return line

    def _print(self, *drawn: RenderableType) -> None:
        if self._prompting:
            # Whoever is typing has the line; what comes unasked begins on its own.
            self._prompting = False
            self._lines.forget()
            self._console.print()
        for each in drawn:
            self._console.print(_Trimmed(each), width=self._width, end="")

    @property
    def _width(self) -> int:
        """As wide as the window is now, within reason."""
        return min(self._console.width, WIDEST)


class _Trimmed:
    """What is drawn, without the blanks that the library fills lines up with."""

    def __init__(self, drawn: RenderableType) -> None:
        self._drawn = drawn

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in console.render_lines(self._drawn, options, pad=False):
            while line and not line[-1].text.strip():
                line.pop()
            yield from line[:-1]
            yield from (Segment(last.text.rstrip(), last.style) for last in line[-1:])
            yield Segment.line()


def _framed(blocks: Sequence[Block], image: Image | None) -> RenderableType:
    """A question or a card in a frame; what is said of it, below."""
    progress = next((block.text for block in blocks if block.role is Role.PROGRESS), None)
    inside = [block for block in blocks if block.role is not Role.PROGRESS]
    frame = Panel(
        Group(*_spaced(inside, image)),
        title=Text(progress) if progress else None,
        title_align="left",
        box=ROUNDED,
        border_style="cyan",
        padding=(0, 1),
    )
    return Group(Text(), frame)


def _spaced(blocks: Iterable[Block], image: Image | None) -> Iterable[RenderableType]:
    """With a blank line wherever one kind of block follows another."""
    before: Role | None = None
    for block in blocks:
        if before is not None and block.role is not before:
            yield Text()
        yield _drawn(block)
        if image and block.role is Role.STEM:
            yield Text(picture(image), style="dim")
        before = block.role


def _said(block: Block) -> RenderableType:
    """What is said below a frame, set in from its edge; the explanation apart from the verdict."""
    return Padding(_drawn(block), (int(block.role is Role.EXPLANATION), 0, 0, 2))


def _drawn(block: Block) -> RenderableType:
    style = f"{STYLES.get(block.role, '')} {MARKS.get(block.mark, '')}".strip()
    said = Text.assemble((body(block), style), (tail(block), MARKS.get(block.mark, "dim")))
    if not block.lead:
        return said
    grid = Table.grid(padding=0)
    grid.add_column(no_wrap=True)
    grid.add_column(ratio=1)
    grid.add_row(Text(lead(block), style=LEAD), said)
    return grid
