"""The picker, the settings of a chat, and the form of the start card."""

from __future__ import annotations

import pytest

from bot.ports import place_of
from tests.discord.sim.quizzes import COLOURS, shelf
from tests.discord.sim.stage import staged

FORM = ("Questions", "Pace", "Feedback", "Order", "Speed bonus")


# The picker


async def test_the_picker_turns_its_pages_in_place() -> None:
    async with staged(*shelf(12)) as stage:
        ann = stage.people["Ann"]
        first = await ann.slash("quiz")
        seen = [first.text]
        while first.shown.has("Next page →"):
            turned = await ann.press("Next page →", first.shown)
            assert (turned.kind, turned.message) == ("update", first.message)
            seen.append(turned.text)
        titles = [line for text in seen for line in text.splitlines() if "Quiz " in line]
        assert titles == [f"{number}. Quiz {number:02} · 3 questions" for number in range(1, 13)]
        assert "Page 1 of" in seen[0]
        back = await ann.press("← Previous page", first.shown)
        assert back.kind == "update"
        assert stage.public() == []


async def test_what_is_picked_is_started_and_the_picker_has_done_its_work() -> None:
    async with staged(*shelf(12)) as stage:
        ann = stage.people["Ann"]
        picker = await ann.slash("quiz")
        picked = await ann.press("2", picker.shown)
        assert (picked.kind, picked.message) == ("update", picker.message)
        assert picker.text == "The quiz is ready: press Start when everyone is here."
        assert picker.shown.buttons == []
        assert stage.last().text.startswith("Quiz 02\n")


async def test_in_private_the_picker_gives_way_to_the_start_card() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        picker = await ann.slash("quiz", at=ann.direct)
        await ann.press("1", picker.shown, at=ann.direct)
        assert [seen.buttons for seen in stage.messages(ann.direct)] == [[], ["Start", "Settings"]]


async def test_without_quizzes_the_picker_says_so() -> None:
    async with staged() as stage:
        await stage.stop()
        stage.quizzes = ()
        await stage.start()
        said = await stage.people["Ann"].slash("quiz")
        assert (said.alone, said.shown.buttons) == (True, [])
        assert said.text == "There is no quiz here yet."


# The settings of a chat


@pytest.mark.parametrize(
    ("label", "name", "value"),
    [
        ("română", "language", "ro"),
        ("Brisk", "pace", "brisk"),
        ("At the end", "feedback", "at-end"),
        ("Speed bonus", "speed_bonus", True),
        ("Only moderators", "starters", "moderators"),
        ("In a thread of its own", "thread", True),
    ],
)
async def test_a_setting_is_chosen_in_place_and_kept(label: str, name: str, value: object) -> None:
    async with staged() as stage:
        card = await stage.moderator("Mia").slash("settings")
        chosen = await stage.people["Mia"].press(label, card.shown)
        assert (chosen.kind, chosen.message) == ("update", card.message)
        assert sum(button.startswith("✓ ") for button in card.shown.buttons) == 6
        chat = f"discord:#{stage.here.id}"
        assert getattr((await stage.store.preferences([chat]))[chat], name) == value
        await stage.restart()
        assert (await stage.people["Mia"].slash("settings")).text == card.text


async def test_settings_of_a_channel_hold_in_its_threads() -> None:
    async with staged() as stage:
        mia, thread = stage.moderator("Mia"), stage.thread()
        card = await mia.slash("settings")
        await mia.press("Brisk", card.shown)
        assert "Pace: brisk" in (await mia.slash("settings", at=thread)).text
        await mia.slash("quiz", quiz="colours", at=thread)
        assert "Pace: brisk" in stage.last(thread).text
        assert place_of(f"discord:#{stage.here.id}/{thread.id}") == f"discord:#{stage.here.id}"


async def test_who_is_no_moderator_is_not_even_shown_the_command_and_is_refused_its_buttons() -> None:
    async with staged() as stage:
        ann, mia = stage.people["Ann"], stage.moderator("Mia")
        listed = stage.requests("PUT", "/commands$")[0]
        (command,) = [each for each in listed if each["name"] == "settings"]
        assert int(command["default_member_permissions"]) == 1 << 13  # Manage Messages
        card = await mia.slash("settings")
        data = card.shown.button("Brisk").custom_id
        assert data is not None
        pressed = await ann.forge_press(data, on=card.shown)
        assert (pressed.alone, pressed.text) == (True, "Only moderators can change the settings.")
        forced = await ann.forge_command("settings")
        assert (forced.alone, forced.text) == (True, "Only moderators can change the settings.")


async def test_where_only_moderators_may_start_others_are_told() -> None:
    async with staged() as stage:
        ann, mia = stage.people["Ann"], stage.moderator("Mia")
        await mia.press("Only moderators", (await mia.slash("settings")).shown)
        said = await ann.slash("quiz", quiz="colours")
        assert (said.alone, said.text) == (True, "Only moderators may start a quiz here.")
        assert stage.public() == []
        await mia.slash("quiz", quiz="colours")
        assert len(stage.public()) == 1


# The form of the start card


async def test_all_five_settings_of_a_quiz_are_changed_at_once() -> None:
    async with staged(*shelf(1)) as stage:
        ann = stage.people["Ann"]
        await ann.slash("quiz", quiz="quiz-01")
        form = await ann.press("Settings")
        assert (form.title, tuple(field.label for field in form.fields)) == ("Quiz 01", FORM)
        assert all(len(field.chosen) == 1 for field in form.fields)
        wanted = ("All 3 questions", "Brisk", "After each question", "Shuffled", "Speed bonus")
        sent = await ann.send_form(form, dict(zip(FORM, wanted, strict=True)))
        assert (sent.kind, sent.message) == ("update", stage.last())
        assert not sent.took
        said = stage.last().text
        for expected in ("Pace: brisk", "Feedback: after each question", "Order: shuffled", "Speed bonus: up to half"):
            assert expected in said
        again = await ann.press("Settings")
        assert tuple(field.chosen[0] for field in again.fields) == wanted


async def test_a_form_that_changes_nothing_is_answered_too() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await ann.slash("quiz", quiz="colours")
        sent = await ann.fill_in(await ann.press("Settings"))
        assert sent.kind in ("update", "deferred_update")
        assert stage.last().has("Start")


async def test_a_stranger_is_not_given_the_form_but_a_moderator_is() -> None:
    async with staged() as stage:
        ann, ben, mia = stage.people["Ann"], stage.people["Ben"], stage.moderator("Mia")
        await ann.slash("quiz", quiz="colours")
        refused = await ben.press("Settings")
        assert (refused.alone, refused.text) == (True, "Only the host or a moderator can do this.")
        await mia.fill_in(await mia.press("Settings"), Pace="Relaxed")
        assert "Pace: relaxed" in stage.last().text


async def test_a_form_that_is_sent_after_the_begin_changes_nothing() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await ann.slash("quiz", quiz="colours")
        form = await ann.press("Settings")
        await ann.press("Start")
        late = await ann.fill_in(form, Pace="Relaxed")
        assert (late.alone, late.text) == (True, "The quiz has begun already.")
        assert "Time: 20 seconds" in stage.question().text


async def test_a_form_speaks_the_language_of_whoever_fills_it_in() -> None:
    async with staged(COLOURS) as stage:
        boyan = stage.person("Боян", "bg")
        await boyan.slash("quiz", quiz="Цветове")
        form = await boyan.press("Настройки")
        assert form.title == "Цветове"
        assert not {field.label for field in form.fields} & set(FORM)
