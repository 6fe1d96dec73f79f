"""What a running bot counts and measures, for whoever watches it. Knows no part, and no label names a chat or a person.

Every process has figures of its own. What stands in the database (posts that wait, live sessions, workers) is the same
in all that serve it: take the largest of them, not the sum.
"""

from __future__ import annotations

from datetime import timedelta

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    Info,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
"""Of what `exposition` returns."""

TURNS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
ACKNOWLEDGEMENTS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 5.0, 10.0, 15.0)
LATENESS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
EVENTS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0)

# When a series began says the scraper better; half of all lines would be about that.
disable_created_metrics()  # type: ignore[no-untyped-call]  # the library forgot this one

REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)
PlatformCollector(registry=REGISTRY)
GCCollector(registry=REGISTRY)

INFO = Info("quizbot", "The version of Quizbot, and of the tables it works with.", registry=REGISTRY)

# Turns

TURN_SECONDS = Histogram(
    "quizbot_turn_seconds",
    "From when an event was handed in until what came of it was durable.",
    ["platform"],
    buckets=TURNS,
    registry=REGISTRY,
)
ACKNOWLEDGEMENT_SECONDS = Histogram(
    "quizbot_acknowledgement_seconds",
    "Until somebody's press or command was answered. Discord: from when Discord made the interaction. Telegram: "
    "commands from the second in which Telegram had the message; presses, which carry no time, from when they came in.",
    ["platform"],
    buckets=ACKNOWLEDGEMENTS,
    registry=REGISTRY,
)
TRANSACTION_SECONDS = Histogram(
    "quizbot_transaction_seconds",
    "How long a transaction over the turns of all chats that waited took, commit included.",
    buckets=TURNS,
    registry=REGISTRY,
)
TRANSACTION_EVENTS = Histogram(
    "quizbot_transaction_events", "Events that shared such a transaction.", buckets=EVENTS, registry=REGISTRY
)
MAILBOX_EVENTS = Gauge(
    "quizbot_mailbox_events", "Events that wait for a transaction, or are in one.", registry=REGISTRY
)
RESPONSES = Counter("quizbot_responses", "Answers that counted.", ["platform"], registry=REGISTRY)
LIVE_SESSIONS = Gauge("quizbot_live_sessions", "Sessions that have not ended.", ["platform"], registry=REGISTRY)
DEADLINE_LATENESS_SECONDS = Histogram(
    "quizbot_deadline_lateness_seconds",
    "How long after its moment a deadline was fired, but for what was due before this process started.",
    buckets=LATENESS,
    registry=REGISTRY,
)

# Posts

OUTBOX_POSTS = Gauge(
    "quizbot_outbox_posts",
    "Posts in the outbox: waiting to be delivered, or refused by the platform and set aside.",
    ["platform", "state"],
    registry=REGISTRY,
)
OUTBOX_OLDEST_SECONDS = Gauge(
    "quizbot_outbox_oldest_seconds",
    "How long the oldest waiting post could have been delivered already; 0 where none waits.",
    ["platform"],
    registry=REGISTRY,
)
DELIVERIES = Counter(
    "quizbot_deliveries",
    "Attempts to deliver a post, by what came of them: delivered, throttled, postponed, unavailable, refused, gone "
    "(the chat), moved, message_gone (to edit; what came of the post counts as well), failed (nobody foresaw it).",
    ["platform", "outcome"],
    registry=REGISTRY,
)
RATE_LIMITED = Counter(
    "quizbot_rate_limited", "Requests that the platform refused as too many (429).", ["platform"], registry=REGISTRY
)

# Store and workers

STORE_ERRORS = Counter(
    "quizbot_store_errors",
    "Transactions that the database did not do: unavailable (it could not be reached), other.",
    ["kind"],
    registry=REGISTRY,
)
WORKERS = Gauge("quizbot_workers", "Processes that serve this database.", registry=REGISTRY)
ROLE_HELD = Gauge(
    "quizbot_role_held", "1 for each role that this process has now, else 0.", ["role"], registry=REGISTRY
)
READY = Gauge("quizbot_ready", "1 while this process is ready, as /readyz tells, else 0.", registry=REGISTRY)


def acknowledged(platform: str, after: timedelta) -> None:
    """Somebody was answered so long after they pressed or commanded something, by clocks that may differ."""
    ACKNOWLEDGEMENT_SECONDS.labels(platform).observe(max(after.total_seconds(), 0.0))


def exposition() -> bytes:
    """Everything, in the text format of Prometheus."""
    return generate_latest(REGISTRY)
