"""Sessions, players, posts and quizzes as text and numbers for the store, and back. Knows no SQL.

Whatever is written here may be read by the next version: a field that is added needs a default.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, TypeVar

import msgspec

from bot.core import effects
from bot.core.effects import Post
from bot.core.quiz import Quiz
from bot.core.session import EPOCH, Player, Session

_encoder = msgspec.json.Encoder()
_ordered = msgspec.json.Encoder(order="sorted")
_session = msgspec.json.Decoder(Session)
_quiz = msgspec.json.Decoder(Quiz)
_tagged = msgspec.json.Decoder(tuple[str, msgspec.Raw])
_selection = msgspec.json.Decoder(tuple[int, tuple[int, ...], tuple[str, ...]])
_posts: dict[str, msgspec.json.Decoder[Any]] = {
    kind.__name__: msgspec.json.Decoder(kind)
    for kind in (
        effects.StartCard,
        effects.Asked,
        effects.Closed,
        effects.Paused,
        effects.Returned,
        effects.Ended,
        effects.HostTold,
        effects.Reminded,
        effects.Broken,
    )
}

T = TypeVar("T")

_MILLISECOND = timedelta(milliseconds=1)

PlayerRow = tuple[str, str, int, int, int, int, int, int, str | None]


class UnreadableError(ValueError):
    """Text in the store that this version cannot read."""


def millis(moment: datetime) -> int:
    """Whole milliseconds since 1970-01-01 UTC, cut, not rounded."""
    return (moment - EPOCH) // _MILLISECOND


def moment(milliseconds: int) -> datetime:
    """The aware UTC time of `millis`."""
    return EPOCH + timedelta(milliseconds=milliseconds)


def quantised(moment_: datetime) -> datetime:
    """The time as the store keeps it: UTC, whole milliseconds."""
    utc = moment_.astimezone(UTC)
    return utc.replace(microsecond=utc.microsecond // 1000 * 1000)


def dump_session(session: Session) -> str:
    """The session as JSON."""
    return _encoder.encode(session).decode()


def load_session(text: str) -> Session:
    """The session that `dump_session` wrote. Raises UnreadableError."""
    return _decoded(_session, text)


def dump_quiz(quiz: Quiz) -> str:
    """The quiz as JSON in one canonical form: equal quizzes give equal text."""
    return _ordered.encode(quiz).decode()


def load_quiz(text: str) -> Quiz:
    """The quiz that `dump_quiz` wrote. Raises UnreadableError."""
    return _decoded(_quiz, text)


def digest(text: str) -> str:
    """What a session pins: a hash of the canonical form of its quiz, 32 hexadecimal digits."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def dump_post(post: Post) -> str:
    """The post as JSON, with its kind."""
    return _encoder.encode((type(post).__name__, post)).decode()


def load_post(text: str) -> Post:
    """The post that `dump_post` wrote. Raises UnreadableError."""
    kind, body = _decoded(_tagged, text)
    if kind not in _posts:
        raise UnreadableError(f"no post is called {kind}")
    post: Post = _decoded(_posts[kind], bytes(body))
    return post


def dump_options(options: tuple[int, ...]) -> int:
    """A set of options as one number, a bit each."""
    return sum(1 << option for option in options)


@cache
def load_options(bits: int) -> tuple[int, ...]:
    """The options whose bits are set, in order."""
    return tuple(option for option in range(bits.bit_length()) if bits >> option & 1)


def dump_player(player: Player) -> PlayerRow:
    """The columns of a player. A selection that is not sent yet is JSON, and None for nearly everyone."""
    selection = None
    if player.toggles:
        selection = _encoder.encode((player.selecting, player.selection, player.toggles)).decode()
    return (
        player.person,
        player.name,
        player.points,
        player.right,
        player.answered,
        player.taken,
        player.question,
        dump_options(player.options),
        selection,
    )


def load_player(row: PlayerRow) -> Player:
    """The player that `dump_player` gave columns for. Raises UnreadableError."""
    person, name, points, right, answered, taken, question, options, selection = row
    player = (person, name, points, right, answered, taken, question, load_options(options))
    return Player(*player, *_decoded(_selection, selection)) if selection else Player(*player)


def _decoded(decoder: msgspec.json.Decoder[T], text: str | bytes) -> T:
    try:
        return decoder.decode(text)
    except (msgspec.MsgspecError, ValueError) as error:
        raise UnreadableError(str(error)) from error
