"""How figures are told: one line each. Knows nothing of what is measured."""

from __future__ import annotations


def percentile(values: list[float], share: float) -> float:
    """The value below which `share` of them lie."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def say(what: str, figure: str, beside: str = "") -> None:
    """One line of the report."""
    print(f"{what:<52}{figure:>24}   {beside}".rstrip(), flush=True)  # noqa: T201  # the report
