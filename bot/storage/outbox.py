"""The outbox: posts on their way, in order within a chat, side by side across chats."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from bot.codec import millis, moment
from bot.core.timing import COUNTER_EVERY
from bot.ports import Deferred, Delivered, Outcome, Outgoing, Postponed, SetAside, place_of
from bot.storage import preferences
from bot.storage.driver import Connection, Dialect, first, queue

# A head is a chat's next post: nothing of the chat is under way or held back after a failure, and nothing before it
# waits, but for a counter that is not due yet.
CLAIMABLE = """
    SELECT head.id, head.revision, head.attempts, head.chat, head.session, head.slot, head.body,
           message.reference, session.quiz
    FROM outbox AS head
    LEFT JOIN message ON message.session = head.session AND message.slot = head.slot
    LEFT JOIN session ON session.id = head.session
    WHERE head.refused IS NULL AND head.ready_at <= $2 AND head.claimed_until <= $2
      AND head.platform = $1
      AND (head.reserved_for IS NULL OR head.reserved_for = $4 OR head.reserved_until <= $2)
      AND NOT EXISTS (
          SELECT 1 FROM outbox AS other
          WHERE other.refused IS NULL AND other.chat = head.chat AND other.id <> head.id AND (
              other.claimed_until > $2
              OR (other.attempts > 0 AND other.ready_at > $2)
              OR (other.id < head.id AND (other.lazy = 0 OR other.ready_at <= $2))
          )
      )
    ORDER BY head.id LIMIT $3 {free}
"""
# An open question of the session that nobody can see yet: its first message still waits.
UNSEEN = """
    SELECT 1 FROM outbox
    WHERE outbox.session = session.id AND outbox.refused IS NULL AND outbox.body LIKE '["Asked",%'
      AND NOT EXISTS (
          SELECT 1 FROM message WHERE message.session = outbox.session AND message.slot = outbox.slot
      )
"""
CLAIM = "UPDATE outbox SET claimed_until = $2, claimed_by = $3, attempts = attempts + 1 WHERE id = $1"
CLAIMED = "SELECT id FROM outbox WHERE claimed_until > 0 AND claimed_by = $1 AND platform = $2"
FREE = "UPDATE outbox SET claimed_until = 0, claimed_by = NULL WHERE id = $1 AND claimed_by = $2"
# In the order in which turns replace posts.
HELD = """
    SELECT outbox.id FROM {wanted} JOIN outbox ON outbox.id = CAST(wanted.value AS BIGINT)
    ORDER BY outbox.session, outbox.slot {held}
"""
# Nothing stays of a post that was dropped while it was under way: its chat is gone, or whoever it was for is forgotten.
KEEP_MESSAGE = """
    INSERT INTO message (session, slot, reference)
    SELECT $1, $2, $3 WHERE EXISTS (SELECT 1 FROM outbox WHERE outbox.id = $4)
    ON CONFLICT (session, slot) DO UPDATE SET reference = excluded.reference
"""
REMOVE = "DELETE FROM outbox WHERE id = $1 AND revision = $2"
# A worker that stood still for longer than its claim has no say any more about what another has claimed since.
OWN = "(claimed_by = {worker} OR claimed_until = 0)"
# What is still there after REMOVE was replaced while it was under way.
RELEASE = f"""
    UPDATE outbox SET claimed_until = 0, attempts = 0, ready_at = CASE WHEN lazy = 1 THEN $2 ELSE ready_at END
    WHERE id = $1 AND {OWN.format(worker="$3")}
"""
DEFER = f"""
    UPDATE outbox SET claimed_until = 0, ready_at = $2, lazy = 0, attempts = CASE WHEN $3 = 1 THEN 1 ELSE attempts END
    WHERE id = $1 AND {OWN.format(worker="$4")}
"""
# Others pass it, however urgent it was before. One that was replaced while it was under way waits by the rules of its
# own, unless it is a counter as well.
POSTPONE = f"""
    UPDATE outbox SET claimed_until = 0, attempts = 0,
        lazy = CASE WHEN revision = $2 THEN 1 ELSE lazy END,
        ready_at = CASE WHEN revision = $2 OR lazy = 1 THEN $3 ELSE ready_at END
    WHERE id = $1 AND {OWN.format(worker="$4")}
"""
SET_ASIDE = f"""
    UPDATE outbox SET claimed_until = 0, attempts = 0, refused = $3
    WHERE id = $1 AND revision = $2 AND {OWN.format(worker="$4")}
"""


async def claim(
    connection: Connection, dialect: Dialect, worker: str, platform: str, now: datetime, until: datetime, limit: int
) -> list[Outgoing]:
    """Lease the next post of each chat to `worker`; see `Store.claim`."""
    # One process at a time: two that see different moments could take up two posts of one chat.
    await queue(connection, dialect, f"claims {platform}")
    claimable = CLAIMABLE.format(free=dialect.free("head"))
    rows = await connection.fetch(claimable, platform, millis(now), limit, worker)
    await connection.write(CLAIM, [(row[0], millis(until), worker) for row in rows])
    chats = {row[3] for row in rows}
    chosen = await preferences.load(connection, dialect, {*chats, *map(place_of, chats)})
    return [
        Outgoing(id_, revision, attempts, chat, session, slot, body, message, quiz, preferences.spoken(chosen, chat))
        for id_, revision, attempts, chat, session, slot, body, message, quiz in rows
    ]


async def unclaim(connection: Connection, dialect: Dialect, worker: str, platform: str, held: Collection[int]) -> None:
    """Free what `worker` has claimed, but for the posts with these ids; see `Store.unclaim`."""
    claimed = {id_ for (id_,) in await connection.fetch(CLAIMED, worker, platform)}
    unheard = claimed.difference(held)
    await hold(connection, dialect, unheard)
    await connection.write(FREE, [(id_, worker) for id_ in sorted(unheard)])


async def hold(connection: Connection, dialect: Dialect, ids: Iterable[int]) -> None:
    """Keep other processes from these posts, in one order for all of them."""
    if dialect.shared:
        statement = HELD.format(wanted=dialect.json_texts, held=dialect.held("outbox"))
        await connection.fetch(statement, json.dumps([str(id_) for id_ in ids]))


async def settle(
    connection: Connection, dialect: Dialect, worker: str, outcomes: Sequence[Outcome], now: datetime
) -> None:
    """Write what became of posts that `worker` had claimed; see `Store.settle`."""
    await hold(connection, dialect, [outcome.outgoing.id for outcome in outcomes])
    sent: list[tuple[str, str, str, int]] = []
    finished: list[tuple[int, int]] = []
    deferred: list[tuple[int, int, int, str]] = []
    postponed: list[tuple[int, int, int, str]] = []
    aside: list[tuple[int, int, str, str]] = []
    for outcome in outcomes:
        outgoing = outcome.outgoing
        match outcome:
            case Delivered(message=message):
                finished.append((outgoing.id, outgoing.revision))
                if message is not None:
                    sent.append((outgoing.session, outgoing.slot, message, outgoing.id))
            case Deferred(ready=ready, full=full):
                deferred.append((outgoing.id, millis(ready), int(full), worker))
            case Postponed(ready=ready):
                postponed.append((outgoing.id, outgoing.revision, millis(ready), worker))
            case SetAside(reason=reason):
                aside.append((outgoing.id, outgoing.revision, _storable(reason), worker))
    await connection.write(KEEP_MESSAGE, sent)
    await connection.write(REMOVE, finished)
    await connection.write(SET_ASIDE, aside)
    replaced = [*(id_ for id_, _ in finished), *(id_ for id_, *_ in aside)]
    await connection.write(RELEASE, [(id_, millis(now + COUNTER_EVERY), worker) for id_ in replaced])
    await connection.write(DEFER, deferred)
    await connection.write(POSTPONE, postponed)


def _storable(reason: str) -> str:
    """As any database holds it, for a platform may answer nonsense, and nothing else could be noted beside it."""
    return reason.encode(errors="replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")


async def next_ready(connection: Connection, platform: str, now: datetime) -> datetime | None:
    """See `Store.next_ready`."""
    at = await first(
        connection,
        "SELECT MIN(ready_at) FROM outbox WHERE refused IS NULL AND ready_at > $2 AND platform = $1",
        platform,
        millis(now),
    )
    return None if at is None else moment(at)
