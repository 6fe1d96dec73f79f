"""When Discord will not have the bot before its operator changes something, and what that is. Knows no connection."""

from __future__ import annotations

import discord

from bot.supervising import HopelessError

NOT_ACCEPTED = (
    "Discord does not accept the bot's token: on https://discord.com/developers/applications, page Bot, press Reset "
    "Token, and set QUIZBOT_DISCORD_TOKEN to the token it shows"
)
INTENTS_REFUSED = (
    "Discord refuses the intents of the bot, which asks for guilds alone: check that QUIZBOT_DISCORD_TOKEN is the "
    "token of a bot, from the page Bot of https://discord.com/developers/applications"
)
TOO_FEW_SHARDS = (
    "Discord wants the bot's servers divided into more shards: leave QUIZBOT_DISCORD_SHARDS out, or set it to a larger "
    "number in all processes; `quizbot doctor` says how many Discord advises"
)
REFUSALS = {4004: NOT_ACCEPTED, 4013: INTENTS_REFUSED, 4014: INTENTS_REFUSED}
"""Codes with which the gateway closes for good."""

SHARDING_REQUIRED = 4011
"""For good only where the operator has chosen the number of shards; else more are asked for the next time."""


def hopeless(error: Exception, *, chosen: bool) -> HopelessError | None:
    """What there is to mend, if that is why a connection has failed; `chosen`: the operator says how many shards there
    are."""
    match error:
        case discord.LoginFailure():
            return HopelessError(NOT_ACCEPTED)
        case discord.PrivilegedIntentsRequired():
            return HopelessError(INTENTS_REFUSED)
        case discord.ConnectionClosed(code=code) if code in REFUSALS:
            return HopelessError(REFUSALS[code])
        case discord.ConnectionClosed(code=code) if code == SHARDING_REQUIRED and chosen:
            return HopelessError(TOO_FEW_SHARDS)
        case _:
            return None
