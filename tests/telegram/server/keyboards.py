"""Inline keyboards: what may be under a message. Knows nothing of who presses."""

from __future__ import annotations

import re
from typing import Any

from tests.telegram.server.errors import Json, bad

Rows = list[list[Json]]

MOST_BUTTONS, MOST_IN_A_ROW, MOST_DATA_BYTES = 100, 8, 64
ACTIONS = frozenset(
    {
        "callback_data",
        "callback_game",
        "copy_text",
        "login_url",
        "pay",
        "switch_inline_query",
        "switch_inline_query_chosen_chat",
        "switch_inline_query_current_chat",
        "url",
        "web_app",
    }
)
STYLES = frozenset({"danger", "primary", "success"})
_OTHER_MARKUP = frozenset({"keyboard", "remove_keyboard", "force_reply"})
_DEEP_LINK = re.compile(r"https?://t\.me/\w+/?\?(?:start|startgroup)=(.*)", re.ASCII)
_PAYLOAD = re.compile(r"[A-Za-z0-9_-]{1,64}")


def payload_of(url: str) -> str | None:
    """What a deep link carries, None for any other address. A payload that Telegram would not pass on is an error."""
    found = _DEEP_LINK.match(url)
    if found is None:
        return None
    payload = found[1].partition("&")[0]
    if not _PAYLOAD.fullmatch(payload):
        raise bad("BUTTON_URL_INVALID")
    return payload


def rows_of(markup: Json, *, inline_only: bool = False) -> Rows:
    """The rows of an inline keyboard; none of any other markup."""
    if not markup:
        return []
    if "inline_keyboard" not in markup:
        if inline_only or not _OTHER_MARKUP & set(markup):
            raise bad("inline keyboard expected")
        return []
    rows = [row for row in markup["inline_keyboard"] if row]
    if any(len(row) > MOST_IN_A_ROW for row in rows) or sum(map(len, rows)) > MOST_BUTTONS:
        raise bad("REPLY_MARKUP_TOO_LONG")
    for row in rows:
        for button in row:
            _check(button)
    return rows


def _check(button: Any) -> None:
    what = "can't parse inline keyboard button"
    if not isinstance(button, dict) or not isinstance(button.get("text"), str):
        raise bad(f'{what}: Field "text" must be of type String')
    if not button["text"].strip():
        raise bad(f'{what}: Field "text" must be non-empty')
    actions = ACTIONS & set(button)
    if not actions:
        raise bad(f"{what}: Text buttons are unallowed in the inline keyboard")
    if len(actions) > 1:
        raise bad(f"{what}: exactly one action is allowed, found {', '.join(sorted(actions))}")
    if button.get("style", "primary") not in STYLES:
        raise bad(f"{what}: unknown style")
    _check_action(button)


def _check_action(button: Json) -> None:
    if "callback_data" in button and not 1 <= len(button["callback_data"].encode()) <= MOST_DATA_BYTES:
        raise bad("BUTTON_DATA_INVALID")
    if "url" in button:
        if not re.match(r"(?:https?|tg)://\S+", button["url"]):
            raise bad(f"inline keyboard button URL '{button['url']}' is invalid: Wrong HTTP URL")
        payload_of(button["url"])
