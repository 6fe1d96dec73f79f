"""How figures are told: one line each. Knows nothing of what is measured."""

from __future__ import annotations


def percentile(values: list[float], share: float) -> float:
    """The value below which `share` of them lie."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def say(what: str, figure: str, beside: str = "") -> None:
    """One line of the report."""
    print(f"{what:<52}{figure:>28}   {beside}".rstrip(), flush=True)  # noqa: T201  # the report


def spread(latencies: list[float]) -> str:
    """The median of so many seconds, and what all but one in a hundred kept to."""
    p50, p99 = (percentile(latencies, share) * 1e3 for share in (0.5, 0.99))
    return f"p50 {p50:.2f} ms, p99 {p99:.2f} ms"


def beside(latencies: list[float], others: list[float], what: str) -> str:
    """How that compares with the same of something else."""
    p50, p99 = (percentile(latencies, share) / percentile(others, share) for share in (0.5, 0.99))
    return f"{p50:.1f} times the p50 of {what}, {p99:.1f} times its p99"
