"""Whole plays as they read. `python -m tests.adapters.console.scenes` writes them anew: read before you keep them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from adapters.console.drawing import DrawnTerminal
from adapters.console.reception import Wishes
from adapters.console.terminal import Lines
from tests.adapters.console.room import PATIENCE, Desk, Room

GOLDEN = Path(__file__).parent / "golden"
NARROW = 40
AGAIN = "\n--- and again ---\n\n"
FINISH = "Enter: Finish · a: Again › "
KEEP_ON = "Enter: Finish · a: Keep practising › "


async def whole_quiz(room: Room) -> str:
    return await room.script("A\n\nж\nz\nас\nB\n", Wishes("rivers", lang="bg", seed=1))


async def several_right(room: Room) -> str:
    script = "a\nAC\nn/a\nb, d\nA\n"
    return await room.script(script, Wishes("rivers", lang="en", seed=2))


async def feedback_at_the_end(room: Room) -> str:
    return await room.script("C\nskip\nB\n", Wishes("rivers", lang="en", seed=1, feedback="at-end"))


async def resumed(room: Room) -> str:
    first = await room.script("C\n", Wishes("rivers", lang="ro", seed=1))
    second = await room.script("poate\nda\nAB\nq\n", Wishes("rivers"))
    third = await room.script("A\n", Wishes("rivers", seed=5, pace="brisk"))
    return AGAIN.join([first, second, third])


async def started_afresh(room: Room) -> str:
    first = await room.script("C\n", Wishes("rivers", lang="en", seed=1))
    second = await room.script("A\nstop\n", Wishes("rivers", seed=3, questions=2, new=True))
    third = await room.script("s\nq\n", Wishes("rivers", seed=4))
    fourth = await room.script("n\nhelp\n", Wishes("rivers", seed=4))
    return AGAIN.join([first, second, third, fourth])


async def time_running_out(room: Room) -> str:
    desk = Desk()
    playing = asyncio.create_task(room.play(desk, Wishes("numbers", lang="en", pace="steady")))
    await desk.type("d", "Your answer: ")
    await desk.until("Your answer: ")
    room.clock.advance(20)
    await desk.type("B", "Enter: Next › ")
    await desk.type("", "Enter: Next › ")
    await desk.until("Your answer: ")
    room.clock.advance(20)
    await desk.until("Enter: Show the results › ")
    room.clock.advance(60)
    await desk.type("", FINISH)
    await playing
    return desk.screen


async def paused(room: Room) -> str:
    desk = Desk()
    playing = asyncio.create_task(room.play(desk, Wishes("rivers", lang="en", pace="brisk", seed=1)))
    await desk.until("Your answer: ")
    room.clock.advance(60)
    await desk.until("Enter: Next › ")
    room.clock.advance(60)
    await desk.until("Your answers, such as AC: ")
    room.clock.advance(60)
    await desk.type("", "Enter: Resume › ")
    await desk.type("A", "Your answer: ")
    await desk.type("", "Enter: Show the results › ")
    await desk.type("q", FINISH)
    await playing
    return desk.screen


async def left_and_resumed_with_a_clock(room: Room) -> str:
    desk = Desk()
    playing = asyncio.create_task(room.play(desk, Wishes("rivers", lang="en", pace="steady", seed=1)))
    await desk.until("Your answer: ")
    room.clock.advance(8)
    await desk.type("q", "")
    await playing
    room.clock.advance(3600)
    playing = asyncio.create_task(room.play(desk, Wishes("rivers")))
    await desk.type("", "Go on? [Y/n] ")
    await desk.until("Your answer: ")
    room.clock.advance(5)
    await desk.type("C", "")
    await desk.type("q", "Enter: Next › ")
    await playing
    room.clock.advance(60)
    playing = asyncio.create_task(room.play(desk, Wishes("rivers")))
    await desk.type("y", "Go on? [Y/n] ")
    await desk.type(None, "Enter: Next › ")
    await playing
    return desk.screen


async def picker_and_settings(room: Room) -> str:
    desk = Desk()
    playing = asyncio.create_task(room.play(desk, Wishes(lang="en")))
    await desk.type("7", "Number or name: ")
    await desk.type("numbers", "Number or name: ")
    await desk.type("?", "Settings › ")
    await desk.type("s", "Settings › ")
    await desk.type("f", "Hide settings › ")
    await desk.type("5", "Hide settings › ")
    await desk.type("s", "Hide settings › ")
    await desk.type("", "Settings › ")
    await desk.type("", "Your answer: ")
    await desk.type("B", "Your answer: ")
    await desk.type("x", "Enter: Next › ")
    await desk.type("stop", "Enter: Next › ")
    await desk.type("", "[y/N] ")
    await desk.type("stop", "Enter: Next › ")
    await desk.type("y", "[y/N] ")
    await desk.type(None, FINISH)
    await playing
    return desk.screen


async def played_again(room: Room) -> str:
    desk = Desk()
    wishes = Wishes("rivers", lang="en", seed=1, questions=2, feedback="at-end", order="shuffled")
    playing = asyncio.create_task(room.play(desk, wishes))
    await _skip(desk, times=2)
    await desk.type("again", FINISH)
    await desk.type("a", FINISH)
    await desk.until("Question 1 of 2")
    await _skip(desk, times=2)
    await desk.type("", FINISH)
    await playing
    return desk.screen


async def _skip(desk: Desk, *, times: int) -> None:
    for _ in range(times):
        await desk.type("s", "Your answer")
        await desk.type("", "Enter: ")


DAY = 86_400


async def practice_on_three_days(room: Room) -> str:
    played = await room.script("A\nAB\nA\n", Wishes("rivers", lang="en", seed=1))
    first = await room.practice("AC\n", Wishes(seed=1))
    later = await room.practice("AB\nA\nB\n")
    room.clock.advance(DAY)
    second = await room.practice("A\nA\nA\n", Wishes(seed=1))
    again = await room.practice("", Wishes(seed=1))
    room.clock.advance(DAY)
    third = await room.practice("")
    return AGAIN.join([played, first, later, second, again, third, await room.told("stats")])


async def practice_at_a_terminal(room: Room) -> str:
    desk = Desk()
    practising = asyncio.create_task(room.practise(desk, Wishes(lang="en", seed=1)))
    await desk.type("9", "Number or name: ")
    await desk.type("?", "Number or name: ")
    await desk.type("2", "Number or name: ")
    await _skip(desk, times=1)
    await desk.type("AC", "Your answers, such as AC: ")
    await desk.type("", "Enter: Next › ")
    await desk.type("stop", "Your answer: ")
    await desk.type("y", "[y/N] ")
    await desk.type("?", KEEP_ON)
    await desk.type("a", KEEP_ON)
    await desk.type("q", "Your answer")
    await practising
    practising = asyncio.create_task(room.practise(desk, Wishes("Numbers")))
    await desk.type("B", "Your answer: ")
    await desk.type("", "Enter: Next › ")
    await desk.type("B", "Your answer: ")
    await desk.type("", "Enter: Show the results › ")
    await desk.type("", KEEP_ON)
    await practising
    return desk.screen


async def nothing_is_due(room: Room) -> str:
    await room.practice("B\nB\n", Wishes("numbers", lang="bg", seed=1))
    scripted = await room.practice("")
    desk = Desk()
    practising = asyncio.create_task(room.practise(desk, Wishes("numbers")))
    await desk.type("", "Enter: Край · a: Упражни всичко › ")
    await practising
    practising = asyncio.create_task(room.practise(desk, Wishes(seed=1)))
    await desk.type("1", "Номер или име: ")
    await desk.type(None, "Твоят отговор: ")
    await practising
    return AGAIN.join([scripted, desk.screen])


async def ones_own_data(room: Room) -> str:
    await room.script("C\nAB\nA\n", Wishes("rivers", lang="ro", seed=1))
    told = [await room.told(name) for name in ("stats", "privacy")]
    kept = await room.told("forget", "n\n")
    gone = await room.told("forget", "da\n")
    return AGAIN.join([*told, kept, gone])


class Echoing(Lines):
    """Lines that appear as they are typed."""

    def __init__(self, text: str, screen: StringIO) -> None:
        super().__init__(StringIO(text))
        self._screen = screen

    async def next(self) -> str | None:
        line = await super().next()
        self._screen.write(f"{line}\n")
        return line


class Keyboard(Lines):
    """Lines that a test types once it is asked for them."""

    def __init__(self, screen: StringIO) -> None:
        super().__init__(None)
        self._screen = screen
        self._asked: asyncio.Queue[None] = asyncio.Queue()
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()

    async def asked(self) -> None:
        async with asyncio.timeout(PATIENCE):
            await self._asked.get()

    def type(self, line: str | None) -> None:
        self._screen.write("" if line is None else f"{line}\n")
        self._typed.put_nowait(line)

    async def next(self) -> str | None:
        self._asked.put_nowait(None)
        return await self._typed.get()


async def drawn(room: Room) -> str:
    out = StringIO()
    console = Console(file=out, width=NARROW, force_terminal=True, no_color=True, color_system=None, highlight=False)
    keys = Echoing("1\ns\n\nA\n\nb\n\n\n", out)
    await room.play(DrawnTerminal(keys, console), Wishes(lang="en"))
    return out.getvalue()


async def drawn_while_time_runs_out(room: Room) -> str:
    out = StringIO()
    console = Console(file=out, width=NARROW, force_terminal=True, no_color=True, color_system=None, highlight=False)
    keyboard = Keyboard(out)
    playing = asyncio.create_task(
        room.play(DrawnTerminal(keyboard, console), Wishes("numbers", lang="en", pace="brisk"))
    )
    await keyboard.asked()
    room.clock.advance(20)
    await keyboard.asked()
    keyboard.type("")
    await keyboard.asked()
    keyboard.type(None)
    await playing
    return out.getvalue()


SCENES: dict[str, Callable[[Room], Awaitable[str]]] = {
    scene.__name__: scene
    for scene in (
        whole_quiz,
        several_right,
        feedback_at_the_end,
        resumed,
        started_afresh,
        time_running_out,
        paused,
        left_and_resumed_with_a_clock,
        picker_and_settings,
        played_again,
        practice_on_three_days,
        practice_at_a_terminal,
        nothing_is_due,
        ones_own_data,
        drawn,
        drawn_while_time_runs_out,
    )
}


def play(name: str, folder: Path) -> str:
    """The scene as it reads now."""
    return asyncio.run(_play(SCENES[name], folder))


async def _play(scene: Callable[[Room], Awaitable[str]], folder: Path) -> str:
    return await scene(Room(folder))


if __name__ == "__main__":
    for name in SCENES:
        with TemporaryDirectory() as folder:
            (GOLDEN / f"{name}.txt").write_text(play(name, Path(folder)), encoding="utf-8")
