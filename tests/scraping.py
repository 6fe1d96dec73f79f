"""What the metrics say, read as a scraper reads it, and what has been added since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from prometheus_client.parser import text_string_to_metric_families

from bot import metrics

Labels = frozenset[tuple[str, str]]
OURS = "quizbot_"


@dataclass(frozen=True, slots=True)
class Scrape:
    """The values of one moment, by name and labels."""

    values: Mapping[tuple[str, Labels], float]

    def __call__(self, name: str, **labels: str) -> float:
        """The value of one series; 0 where nothing was counted yet."""
        return self.values.get((OURS + name, frozenset(labels.items())), 0.0)

    @property
    def labels(self) -> set[tuple[str, str]]:
        """Every label with every value it has."""
        return {label for _, labels in self.values for label in labels}

    @property
    def names(self) -> set[str]:
        return {name for name, _ in self.values}


def scrape(text: str | None = None) -> Scrape:
    """What a scraper gets, now or in `text`."""
    return Scrape(dict(_samples(text if text is not None else metrics.exposition().decode())))


def _samples(text: str) -> Iterator[tuple[tuple[str, Labels], float]]:
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            yield (sample.name, frozenset(sample.labels.items())), sample.value


class Since:
    """What has been counted since this was made: the tests of one process share the metrics."""

    def __init__(self) -> None:
        self._before = scrape()

    def __call__(self, name: str, **labels: str) -> float:
        return scrape()(name, **labels) - self._before(name, **labels)
