"""A card as plain text, a line a block: what the golden texts show and what tests search."""

from __future__ import annotations

from collections.abc import Iterable

from bot.messages import Block, Button, Card, Field, Form, Link, Style, Writing

_FRAMES = {Style.PLAIN: "[{}]", Style.PRIMARY: "[[{}]]", Style.DANGER: "[!{}]"}


def plain(card: Card) -> str:
    """Role, lead, text, (tail), <url> of each block; then the picture's words and a line for each row of buttons."""
    lines = [_block(block) for block in card.blocks]
    if card.image:
        lines.append(f"{'image':<12}{card.image.alt['und']} <{card.image.path}>")
    lines += [" ".join(map(_button, row)) for row in card.buttons]
    return "\n".join(lines)


def plain_form(form: Form) -> str:
    """The title; then each field with what can be chosen, what holds now in brackets, or how much can be written."""
    return "\n".join((f"{'form':<12}{form.title}", *map(_field, form.fields)))


def _field(field: Field | Writing) -> str:
    if isinstance(field, Writing):
        return f"{'write':<12}{field.label} ({field.most})"
    shown = (f"[{each.label}]" if at == field.now else each.label for at, each in enumerate(field.choices))
    return f"{'choose':<12}{field.label}\n{12 * ' '}{' | '.join(shown)}"


def _button(button: Button | Link) -> str:
    if isinstance(button, Link):
        return f"[{button.label} <{button.url}>]"
    return _FRAMES[button.style].format(button.label)


def _block(block: Block) -> str:
    tail = f"({block.tail})" if block.tail else ""
    url = f"<{block.url}>" if block.url else ""
    said = " ".join(part for part in (block.lead, block.text.replace("\n", "\n" + 12 * " "), tail, url) if part)
    return f"{block.role.value:<12}{said}"


def texts(card: Card) -> Iterable[str]:
    """Every text that must not be empty."""
    yield from (block.text for block in card.blocks)
    yield from (label for row in labels(card) for label in row)
    if card.image:
        yield card.image.alt["und"]


def labels(card: Card) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(button.label for button in row) for row in card.buttons)


def buttons(card: Card) -> tuple[tuple[Button, ...], ...]:
    """The rows, without links."""
    return tuple(tuple(button for button in row if isinstance(button, Button)) for row in card.buttons)
