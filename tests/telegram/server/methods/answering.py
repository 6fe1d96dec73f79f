"""answerCallbackQuery and answerInlineQuery: what one person alone gets to see."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from tests.telegram.server.errors import ApiError, Json, bad
from tests.telegram.server.keyboards import payload_of, rows_of
from tests.telegram.server.markup import parsed, units
from tests.telegram.server.methods.sending import MOST_TEXT
from tests.telegram.server.queries import FRESH, Answer, InlineResult
from tests.telegram.server.wire import Request
from tests.telegram.server.world import World

MOST_POP_UP, MOST_RESULTS, MOST_BYTES = 200, 50, 64
_START = re.compile(r"[A-Za-z0-9_-]{1,64}")


def answer_callback_query(world: World, request: Request) -> bool:
    text = request.text("text")
    if units(text) > MOST_POP_UP:
        raise bad("MESSAGE_TOO_LONG")
    answer = Answer(text, request.flag("show_alert"), request.text("url"))
    if answer.url and not _is_ours(world, answer.url):
        raise bad("URL_INVALID")
    press = world.presses.get(request.text("callback_query_id"))
    if press is None or press.answer is not None or _is_old(world, press.at):
        raise _too_old()
    press.answer = answer
    press.person.pop_up(answer, press.message.chat)
    world.changes.notify()
    return True


def answer_inline_query(world: World, request: Request) -> bool:
    results = request.items("results")
    if len(results) > MOST_RESULTS:
        raise bad("RESULTS_TOO_MUCH")
    read = [_result(result) for result in results]
    if len({result.id for result in read}) < len(read):
        raise bad("RESULT_ID_DUPLICATE")
    if len(request.text("next_offset").encode()) > MOST_BYTES:
        raise bad("NEXT_OFFSET_INVALID")
    button = _button(request.structure("button"))
    ask = world.asks.get(request.text("inline_query_id"))
    if ask is None or ask.results is not None or _is_old(world, ask.at):
        raise _too_old()
    ask.results, ask.button = read, button
    world.changes.notify()
    return True


METHODS = {"answerCallbackQuery": answer_callback_query, "answerInlineQuery": answer_inline_query}


def _is_old(world: World, since: datetime) -> bool:
    return world.clock.now() - since > FRESH


def _too_old() -> ApiError:
    return bad("query is too old and response timeout expired or query ID is invalid")


def _is_ours(world: World, url: str) -> bool:
    """A press may open only the bot itself, with a payload."""
    ours = url.startswith(f"https://t.me/{world.bot['username']}?")
    return ours and payload_of(url) is not None


def _result(result: Any) -> InlineResult:
    if not isinstance(result, dict) or result.get("type") != "article":
        raise bad("can't parse inline query result: this server knows articles only")
    if not 1 <= len(str(result.get("id", "")).encode()) <= MOST_BYTES:
        raise bad("RESULT_ID_INVALID")
    content = result.get("input_message_content")
    if not result.get("title") or not isinstance(content, dict):
        raise bad("can't parse inline query result: title and input_message_content are needed")
    said = parsed(content.get("message_text", ""), content.get("parse_mode", ""), content.get("entities", []))
    if not said.text:
        raise bad("message text is empty")
    if units(said.text) > MOST_TEXT:
        raise bad("message is too long")
    rows = rows_of(result.get("reply_markup", {}), inline_only=True)
    return InlineResult(result["id"], result["title"], result.get("description", ""), said, rows)


def _button(button: Json) -> Json:
    if button and not button.get("text"):
        raise bad("can't parse button: text must be non-empty")
    if "start_parameter" in button and not _START.fullmatch(button["start_parameter"]):
        raise bad("START_PARAM_INVALID")
    return button
