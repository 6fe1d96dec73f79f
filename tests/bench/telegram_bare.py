"""A program on the bare library, to measure beside: it acknowledges every press and does nothing else.

Its arguments are the address of a Bot API server, the token, and `stock` for the library's own request layer or
`aiohttp` for ours.
"""

from __future__ import annotations

import sys
from typing import Any

from telegram import Update
from telegram.ext import Application, CallbackQueryHandler, ContextTypes

from adapters.telegram.request import AiohttpRequest


async def acknowledge(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
    """The least that a press needs."""
    if update.callback_query:
        await update.callback_query.answer()


def application(server: str, token: str, layer: str) -> Application[Any, Any, Any, Any, Any, Any]:
    """The program, as the library's guide builds one for many people at once."""
    builder = Application.builder().token(token).base_url(f"{server}/bot").concurrent_updates(True)
    if layer == "aiohttp":
        builder = builder.request(AiohttpRequest()).get_updates_request(AiohttpRequest(8))
    made = builder.build()
    made.add_handler(CallbackQueryHandler(acknowledge))
    return made


if __name__ == "__main__":
    application(*sys.argv[1:4]).run_polling(allowed_updates=["callback_query"])
