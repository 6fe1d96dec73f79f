"""Several buttons at once, from a list or a form, as the one press that they come to. Pure; asks nobody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

from bot.core.events import Change
from bot.presses import Configure, Press, Select, Toggle, UnreadableError, load


def selected(values: Sequence[str]) -> Press:
    """What a selection of buttons, by their data, comes to: the press of the only one, or all the options that are to
    be chosen of one question. Raises UnreadableError where they mean nothing together."""
    match [load(value) for value in values]:
        case [Toggle(session, question), *_] as toggles:
            options = tuple(toggle.option for toggle in toggles if isinstance(toggle, Toggle))
            if toggles == [Toggle(session, question, option) for option in options]:
                return Select(session, question, options)
        case [press]:
            return press
    raise UnreadableError(f"nothing that can be selected together: {[value[:64] for value in values[:2]]}")


def filled_in(form: Configure, values: Sequence[str]) -> Configure:
    """The press that a form comes to: every change that was chosen in it, of the same session, but what it showed
    already, for others may have changed that meanwhile. Raises UnreadableError where something else was chosen."""
    chosen: dict[str, object] = {}
    for value in values:
        press = load(value)
        if not isinstance(press, Configure) or press.session != form.session:
            raise UnreadableError(f"no choice of the form {form}: {value[:64]!r}")
        chosen |= _named(press.change)
    shown = _named(form.change).items()
    return replace(form, change=Change(**dict(chosen.items() - shown)))  # type: ignore[arg-type]


def _named(change: Change) -> dict[str, object]:
    named = {field.name: getattr(change, field.name) for field in fields(Change)}
    return {name: value for name, value in named.items() if value is not None}
