"""What somebody fills in alone, as Discord's modal. Knows no chat and not what comes of it."""

from __future__ import annotations

from typing import assert_never

import discord
from discord.ui import Label, Modal, TextInput

from adapters.discord.buttons import MOST_CHOICES, SELECT, choice, label
from bot import presses
from bot.messages import Field, Form, Writing

MOST_TITLE = 45
MOST_FIELDS = 5
MOST_WRITTEN = 4000

TEXT = "1:text:"
"""How the id of a text begins; which field of the form it is follows."""


def modal(form: Form) -> Modal:
    """The form: `custom_id` is what it is for, the values of its lists are press data, and a text may stay empty."""
    shown = Modal(title=label(form.title, MOST_TITLE), custom_id=presses.dump(form.press))
    for number, field in enumerate(form.fields[:MOST_FIELDS]):
        shown.add_item(_field(number, field))
    shown.stop()  # or the library keeps it until somebody sends it
    return shown


def _field(number: int, field: Field | Writing) -> Label[Modal]:
    match field:
        case Field():
            return Label(text=label(field.label, MOST_TITLE), component=_choices(number, field))
        case Writing():
            return Label(text=label(field.label, MOST_TITLE), component=_text(number, field))
        case _:
            assert_never(field)


def _choices(number: int, field: Field) -> discord.ui.Select[Modal]:
    shown = [choice(each, chosen=at == field.now) for at, each in enumerate(field.choices[:MOST_CHOICES])]
    return discord.ui.Select(custom_id=f"{SELECT}{number}", options=shown)


def _text(number: int, field: Writing) -> TextInput[Modal]:
    return TextInput(
        custom_id=f"{TEXT}{number}",
        style=discord.TextStyle.paragraph,
        required=False,
        max_length=min(max(field.most, 1), MOST_WRITTEN),
    )
