"""The limits of the API: what is beyond them is refused, and what is just within is taken."""

from __future__ import annotations

from typing import Any

import pytest

from tests.discord.server import Discord, GuildChannel
from tests.discord.server.raw import Raw

MODERN = 1 << 15
Json = dict[str, Any]


def text(content: str = "x") -> Json:
    return {"type": 10, "content": content}


def button(**changes: Any) -> Json:
    return {"type": 2, "style": 1, "label": "A", "custom_id": "a"} | changes


def row(*inner: Json) -> Json:
    return {"type": 1, "components": list(inner)}


def select(number: int, **changes: Any) -> Json:
    told = [{"label": f"Option {each}", "value": str(each)} for each in range(number)]
    return {"type": 3, "custom_id": "s", "options": told} | changes


def modern(*components: Json, **changes: Any) -> Json:
    return {"flags": MODERN, "components": list(components)} | changes


def buttons(number: int) -> list[Json]:
    return [button(custom_id=str(each)) for each in range(number)]


ALLOWED = [
    {"content": "x" * 2000},
    modern(*[text()] * 40),
    modern(text("x" * 2000), text("y" * 2000)),
    modern({"type": 17, "components": [text(), row(*buttons(5))], "accent_color": 0xFFFFFF}),
    modern(row(select(25, max_values=25, min_values=0))),
    modern(row(button(label="x" * 80, custom_id="x" * 100))),
    modern(row(button(custom_id=None, url="https://example.org", style=5))),
    modern({"type": 14}, text()),
]
REFUSED = [
    {"content": "x" * 2001},
    {"content": ""},
    {"content": "x", "nonce": "x" * 26},
    {"content": "x", "components": [text()]},
    modern(*[text()] * 41),
    modern(text("x" * 2000), text("y" * 2001)),
    modern(text(), content="x"),
    modern(text("")),
    modern(button()),
    modern({"type": 17, "components": []}),
    modern(row(*buttons(6))),
    modern(row()),
    modern(row(select(2), button())),
    modern(row(select(26))),
    modern(row(select(0))),
    modern(row(select(2, max_values=3))),
    modern(row(select(2, placeholder="x" * 151))),
    modern(row(select(1, options=[{"label": "x" * 101, "value": "x"}]))),
    modern(row(select(1, options=[{"label": "x", "value": "x"}, {"label": "y", "value": "x"}]))),
    modern(row(button(label="x" * 81))),
    modern(row(button(custom_id="x" * 101))),
    modern(row(button(label=""))),
    modern(row(button(custom_id=None))),
    modern(row(button(), button(label="B"))),
    modern(row(button(url="https://example.org"))),
    modern({"type": 12, "items": []}),
    modern({"type": 12, "items": [{"media": {"url": "attachment://no.png"}}]}),
    modern({"type": 12, "items": [{"media": {"url": "https://e.org/a.png"}, "description": "x" * 1025}]}),
]


@pytest.fixture
def channel(server: Discord) -> GuildChannel:
    return server.guild("Study").channel("quiz")


@pytest.mark.parametrize("body", ALLOWED)
async def test_what_is_within_the_limits_is_taken(raw: Raw, channel: GuildChannel, body: Json) -> None:
    await raw.result("POST", f"/channels/{channel.id}/messages", body)
    assert len(channel.messages) == 1


@pytest.mark.parametrize("body", REFUSED)
async def test_what_is_beyond_the_limits_is_refused_when_sent_and_when_edited(
    raw: Raw, server: Discord, channel: GuildChannel, body: Json
) -> None:
    address = f"/channels/{channel.id}/messages"
    assert await raw.refusal("POST", address, body) in ((400, 50035), (400, 50006))
    await raw.result("POST", address, modern(text("before")))
    if body.get("flags") and "content" not in body:
        assert await raw.refusal("PATCH", f"{address}/{channel.last.id}", body) == (400, 50035)
    assert channel.last.text == "before"
    assert len(server.violations) >= 1


FORM = {"title": "Form", "custom_id": "f", "components": [{"type": 18, "label": "L", "component": select(2)}]}


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (9, FORM | {"title": "x" * 46}),
        (9, FORM | {"title": ""}),
        (9, FORM | {"components": []}),
        (9, FORM | {"components": [{"type": 18, "label": "x" * 46, "component": select(2)}]}),
        (9, FORM | {"components": [{"type": 10, "content": "x"}] * 6}),
        (9, FORM | {"components": [text(), button()]}),
        (4, {"content": "x" * 2001}),
        (7, modern(text(""))),
        (8, {"choices": []}),
    ],
)
async def test_answers_are_held_to_the_limits_and_can_be_given_again(
    raw: Raw, server: Discord, channel: GuildChannel, kind: int, data: Json
) -> None:
    await raw.result("POST", f"/channels/{channel.id}/messages", modern(row(button())))
    asked = server.person("Ann").press(channel.last, "A")
    address = f"/interactions/{asked.id}/{asked.token}/callback"
    assert await raw.refusal("POST", address, {"type": kind, "data": data}) == (400, 50035)
    assert asked.kind is None
    await raw.result("POST", address, {"type": 9, "data": FORM})
    assert (await asked).form is not None


@pytest.mark.parametrize(
    "choices",
    [
        [{"name": "x", "value": "x"}] * 26,
        [{"name": "x" * 101, "value": "x"}],
        [{"name": "x", "value": "x" * 101}],
        [{"name": "", "value": "x"}],
    ],
)
async def test_choices_are_held_to_the_limits(
    raw: Raw, server: Discord, channel: GuildChannel, choices: list[Json]
) -> None:
    option = {"type": 3, "name": "quiz", "description": "Which", "autocomplete": True}
    quiz = {"name": "quiz", "description": "Play", "options": [option]}
    await raw.result("PUT", f"/applications/{server.bot['id']}/commands", [quiz])
    asked = server.person("Ann").autocomplete(channel, "quiz", quiz="s")
    address = f"/interactions/{asked.id}/{asked.token}/callback"
    assert await raw.refusal("POST", address, {"type": 8, "data": {"choices": choices}}) == (400, 50035)
    await raw.result("POST", address, {"type": 8, "data": {"choices": []}})
    assert asked.choices == []


QUIZ = {"name": "quiz", "type": 1, "description": "Play"}


@pytest.mark.parametrize(
    "commands",
    [
        [QUIZ, QUIZ],
        [QUIZ | {"name": "Quiz"}],
        [QUIZ | {"name": "a quiz"}],
        [QUIZ | {"name": "x" * 33}],
        [QUIZ | {"description": ""}],
        [QUIZ | {"description": "x" * 101}],
        [QUIZ | {"description_localizations": {"bg": "x" * 101}}],
        [QUIZ | {"name_localizations": {"bg": "Викторина"}}],
        [QUIZ | {"options": [{"type": 3, "name": "Quiz", "description": "x"}]}],
        [{"name": "Quiz score", "type": 2, "description": "x"}],
        [QUIZ | {"name": f"quiz-{number}"} for number in range(101)],
    ],
)
async def test_commands_are_held_to_the_limits(raw: Raw, server: Discord, commands: list[Json]) -> None:
    address = f"/applications/{server.bot['id']}/commands"
    assert await raw.refusal("PUT", address, commands) == (400, 50035)
    assert server.commands == []


async def test_registered_commands_keep_their_ids_and_are_told_with_their_languages(raw: Raw, server: Discord) -> None:
    address = f"/applications/{server.bot['id']}/commands"
    told = QUIZ | {"name_localizations": {"bg": "викторина"}, "description_localizations": {"bg": "Играй"}}
    (first,) = await raw.result("PUT", address, [told])
    (again,) = await raw.result("PUT", address, [told | {"description": "Play now"}])
    assert (first["id"], first["integration_types"], first["contexts"]) == (again["id"], [0], None)
    (whole,) = await raw.result("GET", f"{address}?with_localizations=true")
    (plain,) = await raw.result("GET", address)
    assert whole["name_localizations"] == {"bg": "викторина"}
    assert "name_localizations" not in plain


async def test_files_that_are_too_large_together_are_refused(raw: Raw, server: Discord, channel: GuildChannel) -> None:
    server.world.most_bytes = 100
    address, body = f"/channels/{channel.id}/messages", {"content": "x"}
    await raw.result("POST", address, body, ("a.png", bytes(100)))
    assert await raw.refusal("POST", address, body, ("a.png", bytes(50)), ("b.png", bytes(51))) == (413, 40005)


async def test_a_file_of_some_megabytes_arrives_whole(raw: Raw, channel: GuildChannel) -> None:
    await raw.result("POST", f"/channels/{channel.id}/messages", {"content": "x"}, ("a.png", bytes(3_000_000)))
    assert [len(file.content) for file in channel.last.files.values()] == [3_000_000]


@pytest.mark.parametrize(
    "body", [modern({}), modern({"type": 1, "components": "x"}), {"components": 7}, {"embeds": [1]}]
)
async def test_a_body_of_no_shape_is_refused(raw: Raw, channel: GuildChannel, body: Json) -> None:
    assert await raw.refusal("POST", f"/channels/{channel.id}/messages", body) == (400, 50035)
