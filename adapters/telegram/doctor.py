"""What keeps a Telegram bot from serving well, as findings: asks Telegram, changes nothing, never asks for updates.

Asking for updates would take them from a bot that runs; so another program with the same token cannot be seen here.
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterator
from datetime import datetime, timedelta

from telegram import Bot, User, WebhookInfo
from telegram.error import InvalidToken, TelegramError

from adapters.redaction import host_of
from adapters.telegram.addresses import TelegramAddresses
from adapters.telegram.redaction import redact
from adapters.telegram.request import PUBLIC_API, AiohttpRequest, server_of
from bot import forms
from bot.doctor import Finding, ok, problem, warning
from bot.settings import WebhookSettings

RECENT = timedelta(hours=1)
"""A failed delivery longer ago says nothing of today."""

MANY = 100
"""Updates that wait: more than a bot that runs would leave."""


async def findings(token: str, api_url: str | None, webhook: WebhookSettings | None, now: datetime) -> list[Finding]:
    """Everything about the bot with this token; without an answer, only why there is none."""
    request = AiohttpRequest()
    server = server_of(api_url)
    bot = Bot(token, base_url=f"{server}/bot", request=request, get_updates_request=AiohttpRequest())
    await request.initialize()
    try:
        me = await bot.get_me()
        info = await bot.get_webhook_info()
    except InvalidToken:
        return [_refused(api_url)]
    except TelegramError as error:
        return [_unreachable(server, redact(str(error), token))]
    finally:
        await request.shutdown()
    return [_reached(me, server), *_abilities(me), *_delivery(info, webhook, now)]


def _refused(api_url: str | None) -> Finding:
    advice = "Take it anew from @BotFather (/mybots, API Token), and set QUIZBOT_TELEGRAM_TOKEN to it."
    if api_url:
        advice += f" If it is right, {host_of(api_url)} is no Bot API server: correct QUIZBOT_TELEGRAM_API_URL."
    return problem(f"Telegram: {host_of(server_of(api_url))} does not accept the token", advice)


def _unreachable(server: str, reason: str) -> Finding:
    advice = "Check the connection and the name server; behind a proxy, set HTTPS_PROXY."
    if server != PUBLIC_API:
        advice = "Check that the server runs, and QUIZBOT_TELEGRAM_API_URL."
    return problem(f"Telegram: no answer from {host_of(server)}: {reason}", advice)


def _reached(me: User, server: str) -> Finding:
    link = TelegramAddresses(me.username or "").group("new")
    return ok(f"Telegram: @{me.username}, at {host_of(server)}; add it to a group: {link}")


def _abilities(me: User) -> Iterator[Finding]:
    if me.can_join_groups:
        yield ok("Groups: it can be added to groups")
    else:
        yield problem("Groups: it cannot be added to groups", "Write /setjoingroups to @BotFather, and choose Enable.")
    if not me.can_read_all_group_messages:
        yield ok("Privacy mode: on; in groups it sees commands and replies to it only")
    else:
        yield warning(
            "Privacy mode: off; it is sent every message of its groups, and needs none of them",
            "Write /setprivacy to @BotFather, and choose Enable; then add it to its groups anew.",
        )
    if me.supports_inline_queries:
        yield ok("Inline mode: on; quizzes can be shared into any chat")
    else:
        yield warning(
            f"Inline mode: off; quizzes cannot be shared by writing @{me.username} in a chat",
            "Write /setinline to @BotFather, and give it a text such as: Search quizzes",
        )


def _delivery(info: WebhookInfo, wanted: WebhookSettings | None, now: datetime) -> Iterator[Finding]:
    """How updates come, and whether they do."""
    if wanted is None:
        yield _polling(info)
    else:
        yield _registered(info, wanted)
        yield _listening(wanted.listen)
        if info.url == wanted.url:
            yield from _failures(info, wanted, now)
    if info.pending_update_count > MANY:
        yield warning(
            f"Updates: {info.pending_update_count} wait", "Start the bot, and see in its log whether it takes them."
        )


def _polling(info: WebhookInfo) -> Finding:
    if not info.url:
        return ok("Updates: by polling; no webhook is set")
    return warning(
        f"Updates: by polling, but a webhook to {host_of(info.url)} is set",
        "`quizbot run` removes it. If another program needs it, that program needs a bot of its own.",
    )


def _registered(info: WebhookInfo, wanted: WebhookSettings) -> Finding:
    if info.url == wanted.url:
        return ok(f"Updates: by webhook to {host_of(wanted.url)}")
    now = f"it is set to another address, at {host_of(info.url)}" if info.url else "it is not set yet"
    return warning(f"Updates: by webhook to {host_of(wanted.url)}, but {now}", "`quizbot run` sets it when it starts.")


def _failures(info: WebhookInfo, wanted: WebhookSettings, now: datetime) -> Iterator[Finding]:
    failed = info.last_error_date
    if failed and now - failed < RECENT:
        yield warning(
            f"Updates: Telegram could not deliver at {failed:%H:%M} UTC: {redact(info.last_error_message or '')}",
            f"Check that the reverse proxy has a valid certificate and passes requests on to {wanted.listen}, "
            "and that `quizbot run` is running.",
        )


def _listening(address: str) -> Finding:
    """Whether that address can be listened at: it is tried, and left again at once."""
    host, port = forms.place(address)
    family = socket.AF_INET6 if host and ":" in host else socket.AF_INET
    try:
        with socket.create_server((host or "", port), family=family):
            return ok(f"Webhook: can listen at {address}")
    except OSError as error:
        return _occupied(address, error)


def _occupied(address: str, error: OSError) -> Finding:
    if error.errno == errno.EADDRINUSE:
        return warning(
            f"Webhook: somebody listens at {address} already",
            "That is right while your bot runs. Else stop that program, or change QUIZBOT_TELEGRAM_WEBHOOK_LISTEN.",
        )
    return problem(
        f"Webhook: cannot listen at {address}: {error.strerror or error}",
        "Set QUIZBOT_TELEGRAM_WEBHOOK_LISTEN to an address of this machine and a free port.",
    )
