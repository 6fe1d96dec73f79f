"""What a run needed and how it answered, interval by interval, and whether that stayed as it was. Plays nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import median

from tests.bench.processes import handles, resident
from tests.bench.report import percentile
from tests.soak.installation import Installation


@dataclass(frozen=True, slots=True)
class Bound:
    """How much more of something there may be at the end: 10 % and so much."""

    unit: str
    more: float

    def __call__(self, before: float, after: float) -> bool:
        return after <= before * 1.1 + self.more


BOUNDS: Mapping[str, Bound] = {
    "memory": Bound("MB", 6.0),
    # What waited at once has left connections open, those of the platform to a webhook too; which process has them, and
    # when there were many, is a matter of chance.
    "handles": Bound("", 40.0),
    "p50": Bound("ms", 15.0),
    "p99": Bound("ms", 1000.0),
}
"""What is watched. Where one answer in a hundred is late, it is what went wrong at that moment that counts."""


@dataclass
class Watch:
    """`series` are values in the order of time, by what they are of and which of BOUNDS. Of handles it is the fewest in
    an interval: where many wait at once, each has one."""

    installations: Sequence[Installation]
    fewest: dict[str, int] = field(default_factory=dict)
    series: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))

    def look(self) -> str:
        """Take the values of one interval; they as a line."""
        return "; ".join(part for each in self.installations for part in (*self._processes(each), *self._people(each)))

    def glance(self) -> None:
        """Count handles, as often as there may be fewer for a moment."""
        for process in (process for each in self.installations for process in each.processes):
            with suppress(OSError):
                if process.id is not None:
                    open_ = handles(process.id)
                    self.fewest[process.name] = min(open_, self.fewest.get(process.name, open_))

    def _processes(self, installation: Installation) -> Iterator[str]:
        for process in installation.processes:
            with suppress(OSError):
                if process.id is not None:
                    memory, open_ = resident(process.id), self.fewest.pop(process.name, handles(process.id))
                    if process.steady:
                        self.series[process.name, "memory"].append(memory)
                        self.series[process.name, "handles"].append(open_)
                    yield f"{process.name} {memory:.0f} MB {open_} handles"

    def _people(self, installation: Installation) -> Iterator[str]:
        for platform, seen in installation.seen.items():
            took, seen.took = seen.took, []
            name = f"{installation.name} {platform}"
            if took:
                p50, p99 = (percentile(took, share) * 1e3 for share in (0.5, 0.99))
                self.series[name, "p50"].append(p50)
                self.series[name, "p99"].append(p99)
                yield f"{name} p50 {p50:.0f} p99 {p99:.0f} ms, {len(took)} answered"
            yield f"{len(seen.acknowledged):,} counted, {seen.unanswered} unanswered, {seen.stuck} stuck"

    def trends(self) -> Iterator[tuple[str, bool]]:
        """Of each series the median of the second and of the last sixth (of handles the fewest, for they come and go
        with what waits), and whether the bound holds."""
        for (name, kind), values in self.series.items():
            sixth = len(values) // 6
            if sixth:
                usual = min if kind == "handles" else median
                before, after = usual(values[sixth : 2 * sixth]), usual(values[-sixth:])
                bound = BOUNDS[kind]
                yield f"{name}, {kind}: {before:.0f} -> {after:.0f} {bound.unit}".rstrip(), bound(before, after)
