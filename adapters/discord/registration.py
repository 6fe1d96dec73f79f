"""Tells Discord which commands there are, where that has changed. Knows none of them.

It is best effort: what cannot be registered is said in the log, and nothing waits for it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

import discord
from discord import app_commands
from discord.http import Route

from adapters.discord.commands import Catalogues

log = logging.getLogger(__name__)

Tree = app_commands.CommandTree[Any]

FIELDS = (
    *("type", "name", "name_localizations", "description", "description_localizations"),
    *("default_member_permissions", "contexts", "integration_types", "nsfw"),
    *("options", "required", "autocomplete", "choices", "value"),
)
"""What we say of a command or of one of its options. Discord says more of each, and may say yet more some day."""

SETS = ("contexts", "integration_types")

ENTRY_POINT = 4
"""The type of the command that opens an app's activity. It is not ours, yet Discord takes no list without it."""

TAKEN = ("id", "handler", *FIELDS)
"""What Discord takes of a command that it has told."""


async def register(tree: Tree) -> bool:
    """Bring Discord's list of the commands up to date, and say whether it had to be. Its client is logged in. Raises
    nothing that Discord or the network may answer."""
    try:
        wanted, listed = await _wanted(tree), await _listed(tree.client)
        if _essence(listed) == _essence(wanted):
            return False
        payload = [*wanted, *_kept(listed)]
        await tree.client.http.bulk_upsert_global_commands(_application(tree.client), payload=payload)
    except Exception as error:  # whatever it is: quizzes run without
        said = str(error) or type(error).__name__
        log.warning("the commands are not up to date in Discord (%s); the next start tries again", said)
        return False
    log.info("Discord: commands brought up to date")
    return True


async def in_sync(tree: Tree) -> bool:
    """Whether Discord lists exactly these commands, in every language. The tree's client is logged in.

    Raises discord.DiscordException, aiohttp.ClientError, OSError (with it TimeoutError).
    """
    return _essence(await _listed(tree.client)) == _essence(await _wanted(tree))


async def _wanted(tree: Tree) -> list[dict[str, Any]]:
    translator = Catalogues()
    return [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]


async def _listed(client: discord.Client) -> list[dict[str, Any]]:
    # The library's own call leaves the translations out.
    route = Route("GET", "/applications/{application_id}/commands", application_id=_application(client))
    listed: list[dict[str, Any]] = await client.http.request(route, params={"with_localizations": "true"})
    return listed


def _kept(listed: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What stays as it is, whatever we have."""
    return [{field: entry[field] for field in TAKEN if field in entry} for entry in listed if _is_foreign(entry)]


def _is_foreign(entry: Mapping[str, Any]) -> bool:
    return entry.get("type") == ENTRY_POINT


def _application(client: discord.Client) -> int:
    if client.application_id is None:
        raise app_commands.MissingApplicationID
    return client.application_id


def _essence(entries: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What can differ between two lists of our commands; their order means nothing."""
    ours = (_entry(entry) for entry in entries if not _is_foreign(entry))
    return sorted(ours, key=lambda entry: (entry["type"], entry["name"]))


def _entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    """One command or option. What is left out, null, empty and false all mean the same."""
    return {field: _value(field, entry[field]) for field in FIELDS if entry.get(field)}


def _value(field: str, value: Any) -> Any:
    if field in ("options", "choices"):
        return [_entry(option) for option in value]
    if field in SETS:
        return sorted(value)
    # Permissions come back as text, since not every language has integers that long.
    return str(value) if field == "default_member_permissions" else value
