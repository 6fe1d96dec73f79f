"""Several processes of one bot on Discord: its shards are divided among them, and nobody notices which has which."""

from __future__ import annotations

from adapters.discord.chats import PLATFORM
from bot.vitals import Connection
from tests.clock import VirtualClock
from tests.core.building import LIMIT
from tests.discord.conversing import CALLBACK, Study, edits_of, key_of, study_group
from tests.discord.many import Many, Process, many
from tests.discord.server import Answer, Discord
from tests.scraping import Since

TAKEN_OVER = 8.0
"""Seconds after which the shards of a process that was killed are served by others."""

HANDED_OVER = 8.0
"""Seconds after which the shards are divided anew when a process comes or goes in order."""

CONNECTED, STANDING_BY = Connection.CONNECTED, Connection.STANDING_BY
COMMANDS = r"^/applications/\d+/commands$"


async def divided(bots: Many, *shares: int) -> None:
    """Wait until they are connected for so many shards each."""
    await bots.until(lambda: sorted(map(len, bots.connected)) == sorted(shares), HANDED_OVER)


def groups(bots: Many, number: int) -> list[Study]:
    """A channel in a guild of each of so many shards, in order."""
    made = []
    for index in range(number):
        channel, (host, _) = study_group(bots.server, f"Host {index}", f"Guest {index}", title=f"Study {index}")
        made.append(bots.study(channel, host))
    return made


def of(at: int, *studies: Study) -> list[tuple[int, str]]:
    return sorted((at, f"discord:{study.host.id}") for study in studies)


def _connection(process: Process) -> Connection:
    return process.service.vitals.platforms[PLATFORM]


# Who has what


async def test_four_shards_are_two_and_two_and_when_one_process_is_killed_the_other_has_all(
    server: Discord, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 2, shards=4) as bots:
        await divided(bots, 2, 2)
        assert sorted(bots.processes[0].shards + bots.processes[1].shards) == [0, 1, 2, 3]
        first, second = bots.processes
        assert first.adapter.transport.workers() == 2
        sessions = {session.id for session in server.gateway.connected if session.shard in second.shards}
        await first.kill()
        took = await bots.until(lambda: second.shards == [0, 1, 2, 3], TAKEN_OVER)
        assert first.adapter.transport.workers() == 2
        assert second.adapter.transport.workers() == 1
        assert took > 3, "nobody takes what may be somebody's"
        assert sessions <= {session.id for session in server.gateway.connected}, "its own go on meanwhile"


async def test_one_that_stops_in_order_hands_its_shards_over_within_a_heartbeat(
    server: Discord, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 2, shards=4) as bots:
        await divided(bots, 2, 2)
        await bots.processes[0].stop()
        assert await bots.until(lambda: bots.processes[1].shards == [0, 1, 2, 3], 3) <= 2


async def test_one_that_comes_gets_its_share_and_nothing_else_is_interrupted(
    server: Discord, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 2, shards=4) as bots:
        await divided(bots, 2, 2)
        begun = server.gateway.identified
        await bots.begin()
        await divided(bots, 1, 1, 2)
        assert server.gateway.identified == begun + 1


async def test_without_a_number_one_process_has_all_shards_and_another_all_when_it_is_gone(
    server: Discord, clock: VirtualClock, postgres_url: str
) -> None:
    server.gateway.shards = 2
    async with many(server, clock, postgres_url, 3) as bots:
        assert sorted(bots.connected) == [[], [], [0, 1]]
        await next(process for process in bots.processes if process.shards).kill()
        await bots.until(lambda: sorted(bots.connected) == [[], [0, 1]], TAKEN_OVER)


async def test_whoever_has_no_shard_any_more_stands_by(server: Discord, clock: VirtualClock, postgres_url: str) -> None:
    async with many(server, clock, postgres_url, 2, shards=1) as bots:
        states = [_connection(process) for process in bots.processes]
        (client,) = bots.processes[0].adapter.clients
        bots.processes[0].service.crew.renounce(bots.processes[0].adapter.duties.roles)
        await bots.until(lambda: bots.connected == [[], [0]], HANDED_OVER)
        client.dispatch("shard_disconnect", 0)  # which the library may say late
        await bots.quiet()
        states += [_connection(process) for process in bots.processes]
        assert states == [*(CONNECTED, STANDING_BY), *(STANDING_BY, CONNECTED)]


async def test_a_shard_connects_to_the_gateway_that_discord_names(
    server: Discord, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 0, shards=1) as bots:
        await bots.begin(told_gateway=False)
        await bots.until(lambda: bots.connected == [[0]], 1)


async def test_one_process_of_all_brings_the_commands_up_to_date(
    server: Discord, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 3, shards=3) as bots:
        await divided(bots, 1, 1, 1)
        assert len(server.calls("PUT", COMMANDS)) == 1
        assert len(server.calls("GET", COMMANDS)) == 1


async def test_a_process_that_cannot_log_in_leaves_everything_to_the_others_until_it_can(
    server: Discord, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 1, shards=2) as bots:
        since = Since()
        server.fail("GET", "/users/@me$", 403, times=2)
        failing = await bots.begin()
        study = groups(bots, 1)[0]
        await study.begin()
        await study.answer(study.host)
        assert bots.connected == [[0, 1], []]
        assert not failing.adapter.transport.is_open
        assert since("deliveries_total", platform="discord", outcome="unavailable") == 0
        await divided(bots, 1, 1)


async def test_the_first_process_fails_and_the_second_has_all_meanwhile(
    server: Discord, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 2, shards=2) as bots:
        await divided(bots, 1, 1)
        failing, other = bots.processes
        server.fail("GET", "/users/@me$", 403, times=4)
        (session,) = (each for each in server.gateway.connected if each.shard in failing.shards)
        session.resumable = False
        assert session.connection
        session.connection.close(4010)
        await bots.until(lambda: other.shards == [0, 1], 10)
        await bots.until(lambda: len(failing.shards) == 1, 60)


# Whoever presses


async def test_a_press_under_way_when_its_shard_changes_hands_is_answered_by_the_process_that_heard_it(
    server: Discord, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 1, shards=2) as bots:
        studies = groups(bots, 2)
        for study in studies:
            await study.begin_relaxed()
        with server.hold("POST", CALLBACK) as answering:
            presses = [study.host.press(study.question, key_of(study.question)) for study in studies]
            await answering.reached(2)
            await bots.begin()
            await bots.until(lambda: bots.processes[0].held == 1, HANDED_OVER)
        await bots.quiet()
        assert all(press.text.startswith("✓ Right.") for press in presses)
        assert bots.processes[0].shards == [0]


async def test_while_shards_change_hands_every_press_is_answered_or_can_be_made_again_and_counts_once(
    server: Discord, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 1, shards=2) as bots:
        studies = groups(bots, 2)
        for study in studies:
            await study.begin_relaxed()
        await bots.begin()
        pressed = []
        while not all(bots.connected):
            pressed += [study.host.press(study.question, key_of(study.question)) for study in studies]
            await bots.wait(0.5)
        for study in studies:
            assert (await study.answer(study.host)).startswith(("✓", "You chose"))
            assert sum("Question 1 of" in text for text in study.texts) == 1
        assert all(press.kind is Answer.MESSAGE for press in pressed if press.kind)
        assert sum(press.kind is not None for press in pressed) >= len(pressed) - 6
        assert await bots.responses() == of(0, *studies)


async def test_after_a_kill_in_the_middle_of_an_answer_it_counts_once_and_the_quiz_goes_on(
    server: Discord, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 2, shards=2) as bots:
        await divided(bots, 1, 1)
        studies = groups(bots, 2)
        for study in studies:
            await study.begin()
        hit = studies[0]
        with server.hold("POST", CALLBACK) as answering:
            hit.host.press(hit.question, key_of(hit.question))
            await answering.reached()
            await bots.process_of(hit.channel).kill()
        await bots.until(lambda: bots.connected == [[0, 1]], TAKEN_OVER)
        assert (await hit.press(hit.host, "A", hit.question)).startswith("You chose")
        await studies[1].answer(studies[1].host)
        assert await bots.responses() == of(0, *studies)
        questions = [study.question for study in studies]
        await bots.wait(LIMIT)
        assert all("1 of 1 got it right" in question.text for question in questions)


async def test_two_presses_that_two_processes_hear_count_once_each_and_change_one_message(
    server: Discord, clock: VirtualClock, postgres_url: str
) -> None:
    """As while processes are told another number of shards, one by one."""
    async with many(server, clock, postgres_url, 1, shards=1) as bots:
        await bots.begin(shards=2)
        await bots.until(lambda: bots.connected == [[0], [0, 1]], HANDED_OVER)
        channel, (ann, bob) = study_group(server, "Ann", "Bob")
        study = bots.study(channel, ann)
        card = await study.choose()
        started = [person.press(card, "Start") for person in (ann, ann)]
        await bots.quiet()
        presses = [person.press(study.question, key_of(study.question)) for person in (ann, bob)]
        for press in (*started, *presses):
            await bots.answer(press)
        await bots.wait(1)
        for press in (*started, *presses):
            callbacks = server.calls("POST", rf"/interactions/{press.id}/")
            assert sorted(call.status for call in callbacks) in ([200, 400], [204, 400])
        await bots.wait(LIMIT)
        assert await bots.responses() == sorted((0, f"discord:{person.id}") for person in (ann, bob))
        assert [text.split("\n")[0] for text in study.texts[:2]] == ["Colours", "Question 1 of 3"]
        assert sum("Question 1 of" in text for text in study.texts) == 1
        assert "2 of 2 got it right" in study.texts[1]


# Posts


async def test_alone_each_press_is_answered_by_the_edit_whoever_else_delivers(
    server: Discord, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 3, shards=3) as bots:
        await divided(bots, 1, 1, 1)
        ann = server.person("Ann")
        study = bots.study(ann.direct, ann)
        card = await study.choose()
        asked = [ann.press(card, "Start")]
        await bots.answer(asked[0])
        for _ in range(2):
            asked.append(ann.press(study.question, key_of(study.question)))
            await bots.answer(asked[-1])
            asked.append(ann.press(study.last, "Next"))
            await bots.answer(asked[-1])
            await bots.wait(0.5)
        # A question that follows is a message of its own.
        assert [press.kind for press in asked] == [Answer.EDIT, *[Answer.EDIT, Answer.DEFERRED_EDIT] * 2]
        assert server.calls("PATCH") == []


async def test_what_a_process_was_to_edit_when_it_was_killed_another_edits(
    server: Discord, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 2, shards=2) as bots:
        await divided(bots, 1, 1)
        ann = server.person("Ann")
        study = bots.study(ann.direct, ann)
        card = await study.choose()
        (hearing,) = (process for process in bots.processes if 0 in process.shards)
        with server.hold("POST", CALLBACK) as answering:
            ann.press(card, "Start")
            await answering.reached()
            reserved = await bots.rows("SELECT DISTINCT reserved_for FROM outbox")
            await hearing.kill()
        assert reserved == [(hearing.name,)]
        await bots.until(lambda: bool(edits_of(server, card)), TAKEN_OVER + 1)
        assert "Question 1 of 3" in study.last.text
        await bots.until(lambda: bots.connected == [[0, 1]], TAKEN_OVER)
        assert (await bots.answer(ann.press(study.question, key_of(study.question)))).kind is Answer.EDIT


async def test_a_process_that_cannot_log_in_takes_up_no_posts_not_even_those_of_its_own_timers(
    server: Discord, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 1) as bots:
        study = groups(bots, 1)[0]
        await study.begin()
        await study.answer(study.host)
        server.fail("GET", "/users/@me$", 403, times=20)
        await bots.begin()
        await bots.wait(LIMIT - 1)
        question, since = study.question, Since()
        bots.processes[0].line.away = True
        await bots.wait(2)
        assert await bots.rows("SELECT * FROM outbox")
        assert "got it right" not in question.text
        bots.processes[0].line.away = False
        await bots.wait(1)
        assert "1 of 1 got it right" in question.text
        assert since("deliveries_total", platform="discord", outcome="unavailable") == 0


async def test_a_timer_is_fired_and_what_it_shows_is_posted_by_a_process_without_a_shard(
    server: Discord, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 2) as bots:
        study = groups(bots, 1)[0]
        await study.begin()
        await study.answer(study.host)
        await bots.wait(LIMIT - 1)
        (hearing,) = (process for process in bots.processes if process.shards)
        hearing.line.away = True
        await bots.wait(2)
        assert hearing.shards
        assert "1 of 1 got it right" in study.last.text
