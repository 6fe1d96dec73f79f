"""The bot's commands as they are registered, and to whom and where they are offered. Knows no route."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from tests.discord.server.errors import Json

if TYPE_CHECKING:
    from tests.discord.server.channels import Channel
    from tests.discord.server.people import Person

_KINDS = {str: 3, bool: 5, int: 4, float: 10}
_GUILD, _PERSON = 0, 1


class Invocable(IntEnum):
    """How a command is invoked."""

    SLASH = 1
    USER = 2
    MESSAGE = 3
    ENTRY = 4


@dataclass(frozen=True, slots=True)
class Command:
    """A registered command, as the API tells it."""

    json: Json

    @property
    def name(self) -> str:
        return str(self.json["name"])

    @property
    def names(self) -> list[str]:
        """Its name, and that in each language."""
        return [self.name, *(self.json.get("name_localizations") or {}).values()]

    @property
    def kind(self) -> Invocable:
        return Invocable(self.json["type"])

    def data(self, **more: Any) -> Json:
        """As an interaction tells it."""
        return {"id": self.json["id"], "name": self.name, "type": self.kind, **more}

    def option(self, name: str, value: Any) -> Json:
        """A value for an option, as an interaction tells it."""
        kind = _KINDS[type(value)]
        assert self._option(name)["type"] == kind, f"the option {name!r} of /{self.name} takes no {value!r}"
        return {"name": name, "type": kind, "value": value}

    def completes(self, name: str) -> bool:
        """Whether an option has autocomplete."""
        return bool(self._option(name).get("autocomplete"))

    def _option(self, name: str) -> Json:
        options = {option["name"]: option for option in self.json.get("options") or []}
        assert name in options, f"/{self.name} has no option {name!r}, but {list(options)}"
        found: Json = options[name]
        return found

    def is_offered(self, person: Person, channel: Channel) -> bool:
        contexts, installs = self.json.get("contexts"), self.json.get("integration_types") or [_GUILD]
        if channel.context not in (contexts if contexts is not None else [0, 1, 2]):
            return False
        here = channel.guild.has_bot if channel.guild else channel.context == 1
        if not ((here and _GUILD in installs) or (person.installed and _PERSON in installs)):
            return False
        return self._is_permitted(person, channel)

    def _is_permitted(self, person: Person, channel: Channel) -> bool:
        needed = int(self.json.get("default_member_permissions") or 0)
        held = channel.permissions_of(person)
        if channel.guild is None or held.administrator:
            return True
        sees = held.view_channel and held.use_application_commands
        return sees and held.value & needed == needed and self.json.get("default_member_permissions") != "0"


def registered(payload: Json, id: str, version: str, application: str) -> Command:  # noqa: A002 - its name in the API
    """What becomes of a command that is registered: what was not said has its default."""
    told: Json = {"id": id, "application_id": application, "version": version, "type": 1, "nsfw": False}
    told |= {"default_member_permissions": None, "description": "", "dm_permission": True, "contexts": None}
    told |= {"integration_types": [_GUILD], "name_localizations": None, "description_localizations": None}
    told |= payload
    needed = told["default_member_permissions"]
    return Command(told | {"default_member_permissions": None if needed is None else str(needed)})
