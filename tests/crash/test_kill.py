"""Killed without warning at any moment, the bot loses nothing that it acknowledged, and goes on where it was: one
process on SQLite, and three on PostgreSQL, which is killed as well.

What a killed process has handed to the operating system survives it; that commits also survive a power cut is a
matter of `synchronous=FULL`, which tests/storage holds, and of the server's own settings.
"""

from __future__ import annotations

import asyncio
import signal
from collections import Counter, defaultdict

import pytest

from bot.core.session import Ending, Phase, wake_at
from tests.crash import scales
from tests.crash.aftermath import Aftermath, Score
from tests.crash.stage import Shown
from tests.seed import SEED

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this operating system kills in another way")

HANGING = 6.0 - 2.0
"""Seconds that the database may at least be away before its processes count as gone: see `bot.storage.workers`."""


@pytest.fixture(scope="module", params=["sqlite", "postgres"], ids=f"{{}}, seed {SEED}".format)
def after(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Aftermath:
    folder = tmp_path_factory.mktemp("killed")
    if request.param == "sqlite":
        return asyncio.run(scales.on_sqlite(folder, SEED, scales.chosen().sqlite))
    request.getfixturevalue("postgres_server")
    return asyncio.run(scales.on_postgres(folder, SEED, scales.chosen().postgres))


def _lines_of_slots(after: Aftermath) -> dict[tuple[str, str], list[Shown]]:
    lines: dict[tuple[str, str], list[Shown]] = defaultdict(list)
    for line in after.shown:
        lines[line.session, line.slot].append(line)
    return lines


def test_every_process_was_killed_but_the_last_ones_and_none_complained(after: Aftermath) -> None:
    killed = after.killed
    assert killed.exits == [-signal.SIGKILL] * killed.scale.kills
    assert killed.finished == [0] * killed.scale.players
    assert len(killed.away) == killed.scale.server_kills
    assert after.complaints == ""


def test_every_acknowledged_response_is_kept_as_it_was_acknowledged(after: Aftermath) -> None:
    assert after.acknowledged
    for response, options in after.acknowledged:
        assert response in after.responses, response
        assert after.responses[response].options == options, response


def test_scores_are_the_sums_of_the_responses(after: Aftermath) -> None:
    sums: dict[tuple[str, str], Score] = defaultdict(lambda: Score(0, 0, 0))
    for (session, _, person), response in after.responses.items():
        so_far = sums[session, person]
        sums[session, person] = Score(
            so_far.answered + 1, so_far.right + response.right, so_far.points + response.points
        )
    assert after.scores == dict(sums)


def test_what_was_said_of_each_closed_question_is_what_people_responded(after: Aftermath) -> None:
    given = defaultdict(list)
    for (id_, question, _), response in after.responses.items():
        given[id_, question].append(response)
    for session, at in after.asked():
        result, responses = session.results[at], given[session.id, at]
        chosen = [option for response in responses for option in response.options]
        assert result.answered == len(responses)
        assert result.right == sum(response.right for response in responses)
        assert list(result.tally) == [chosen.count(option) for option in range(len(result.tally))]


def test_a_session_counts_its_players_once(after: Aftermath) -> None:
    for session in after.sessions.values():
        assert session.players == sum(playing == session.id for playing, _ in after.scores)


def test_every_session_that_was_begun_came_to_its_end(after: Aftermath) -> None:
    assert set(after.began) <= after.sessions.keys()
    assert {session.ending for session in after.sessions.values()} == {Ending.COMPLETED}


def test_a_session_has_a_deadline_exactly_while_it_is_live(after: Aftermath) -> None:
    for session in after.sessions.values():
        assert after.wakes[session.id] == wake_at(session)
        assert (after.wakes[session.id] is None) == (session.phase is Phase.ENDED)


def test_deadlines_closed_what_nobody_answered(after: Aftermath) -> None:
    assert any(result.answered == 0 for session in after.sessions.values() for result in session.results)


def test_every_question_was_shown_open_but_for_those_that_somebody_skipped_unseen(after: Aftermath) -> None:
    lines = _lines_of_slots(after)
    for session, at in after.asked():
        if session.results[at].answered or (session.id, at) not in after.skipped:
            kinds = [line.kind for line in lines[session.id, f"q{at}"]]
            assert kinds[:1] == ["Asked"], (session.id, at, kinds)


def test_every_question_was_last_of_all_shown_closed(after: Aftermath) -> None:
    lines = _lines_of_slots(after)
    for session, at in after.asked():
        kinds = [line.kind for line in lines[session.id, f"q{at}"]]
        assert kinds[-1:] == ["Closed"], (session.id, at, kinds)
        assert "Asked" not in kinds[kinds.index("Closed") :], (session.id, at, kinds)


def test_a_question_is_shown_only_once_the_one_before_is_closed(after: Aftermath) -> None:
    closed: set[tuple[str, str]] = set()
    for line in after.shown:
        if line.kind == "Asked" and line.slot != "q0":
            assert (line.session, f"q{int(line.slot[1:]) - 1}") in closed, line
        if line.kind == "Closed":
            closed.add((line.session, line.slot))


def test_every_session_showed_its_standings(after: Aftermath) -> None:
    assert {line.session for line in after.shown if line.kind == "Ended"} == after.sessions.keys()


def test_only_messages_of_the_same_slot_are_edited(after: Aftermath) -> None:
    sent: dict[str, tuple[str, str, str]] = {}
    for line in after.shown:
        place = (line.chat, line.session, line.slot)
        assert sent.setdefault(line.message, place) == place
        assert line.nonce != "-" or line.message in sent


def test_a_process_that_lives_sends_no_message_twice(after: Aftermath) -> None:
    sent = Counter((line.run, line.session, line.slot) for line in after.shown if line.nonce != "-")
    assert [message for message, times in sent.items() if times > 1] == []


def test_no_other_process_sends_what_one_that_lives_has_sent(after: Aftermath) -> None:
    if max(after.killed.away, default=0.0) > HANGING:
        pytest.skip("the database was away for so long that processes took each other for gone")
    last: dict[tuple[str, str], Shown] = {}
    for line in after.shown:
        if line.nonce != "-":
            before = last.get((line.session, line.slot))
            assert before is None or after.gone[before.run] <= line.at, (before, line)
            last[line.session, line.slot] = line


def test_nothing_is_left_to_deliver(after: Aftermath) -> None:
    assert after.undelivered == 0
