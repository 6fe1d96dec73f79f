"""Every setting, from the environment or a settings file, with all problems said at once. Opens nothing but that file.

A value that may be secret is never repeated: not in a problem, not in a `repr`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, TypeVar

from dotenv.parser import Binding, parse_stream
from platformdirs import user_data_path
from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError, ValidationInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

import bot
from bot import forms

PREFIX = "QUIZBOT_"
FILE_VARIABLE = f"{PREFIX}SETTINGS_FILE"
WEBHOOK_VARIABLE = f"{PREFIX}TELEGRAM_WEBHOOK_URL"
OTHERS = re.compile(rf"{FILE_VARIABLE}|{PREFIX}TEST_.*")
"""Variables with our prefix that are no settings."""


USUAL_LISTEN = "127.0.0.1:8080"
"""It is plain HTTP that is listened for: unless somebody says otherwise, only a proxy on this machine can reach it."""

Given = TypeVar("Given")


class SettingsError(Exception):
    """The settings cannot be used; `problems` are all of them, a line each."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


def _usual_database() -> str:
    return f"sqlite:///{(user_data_path('quizbot', appauthor=False) / 'quizbot.sqlite3').as_posix()}"


def _shipped_content() -> Path:
    return Path(bot.__path__[0]).parent / "content"


@dataclass(frozen=True, slots=True)
class WebhookSettings:
    """Updates are delivered to `url` and taken in at `listen` (host:port), each with `secret`; None: one is made."""

    url: str = field(repr=False)
    listen: str
    secret: str | None = field(default=None, repr=False)


def _reachable(url: str, info: ValidationInfo) -> str:
    """A Bot API server of one's own reaches other addresses than Telegram does."""
    own = info.data.get("telegram_api_url", "unreadable")
    return url if own else forms.public_webhook(url)


def _for_webhook(value: Given, info: ValidationInfo) -> Given:
    if info.data.get("telegram_webhook_url", "unreadable") is None:
        raise ValueError(f"means nothing without {WEBHOOK_VARIABLE}; set that, or leave this out")
    return value


class Settings(BaseSettings):
    """What an operator may choose. A setting `name` is the variable `QUIZBOT_NAME`; an empty value counts as absent."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, extra="ignore", frozen=True, hide_input_in_errors=True
    )

    database_url: Annotated[str, AfterValidator(forms.database)] = Field(
        default_factory=_usual_database,
        description=f"Where sessions and scores are kept: {forms.DATABASES}",
        examples=["sqlite:////var/lib/quizbot/quizbot.sqlite3"],
        repr=False,
    )
    database_connections: Annotated[int, BeforeValidator(forms.connections)] = Field(
        default=4,
        description="How many connections to PostgreSQL one process makes at most",
        examples=["4"],
    )
    content_dir: Annotated[Path, AfterValidator(forms.folder)] = Field(
        default_factory=_shipped_content,
        description="The folder with the quiz files; those that come with Quizbot when absent",
        examples=["/srv/quizbot/content"],
    )
    telegram_token: Annotated[SecretStr, AfterValidator(forms.telegram_token)] | None = Field(
        default=None,
        description="The token of the Telegram bot, from @BotFather",
        examples=["123456789:copy-it-from-BotFather"],
    )
    telegram_api_url: Annotated[str, AfterValidator(forms.http)] | None = Field(
        default=None,
        description="A Telegram Bot API server of your own",
        examples=["http://localhost:8081"],
        repr=False,
    )
    telegram_webhook_url: Annotated[str, AfterValidator(forms.webhook), AfterValidator(_reachable)] | None = Field(
        default=None,
        description="Where Telegram delivers updates, by https through a reverse proxy; polled for when absent",
        examples=["https://quiz.example.org/telegram"],
        repr=False,
    )
    telegram_webhook_listen: Annotated[str, AfterValidator(forms.listening), AfterValidator(_for_webhook)] | None = (
        Field(
            default=None,
            description="Where the reverse proxy passes them on to, in plain HTTP; 127.0.0.1:8080 when absent",
            examples=["0.0.0.0:8080"],
        )
    )
    telegram_webhook_secret: (
        Annotated[SecretStr, AfterValidator(forms.webhook_secret), AfterValidator(_for_webhook)] | None
    ) = Field(
        default=None,
        description="The secret that Telegram has to show with them; made from the token when absent",
        examples=["1-to-256-letters-and-digits"],
    )
    discord_token: Annotated[SecretStr, AfterValidator(forms.discord_token)] | None = Field(
        default=None,
        description="The token of the Discord bot, from the Developer Portal",
        examples=["copy-it.from-the.DeveloperPortal"],
    )
    discord_shards: Annotated[int, BeforeValidator(forms.shards)] | None = Field(
        default=None,
        description="Into how many shards the bot's servers are divided, and the shards among all processes; when "
        "absent, one process has them all, as many as Discord recommends",
        examples=["4"],
    )
    discord_api_url: Annotated[str, AfterValidator(forms.http)] | None = Field(
        default=None,
        description="A Discord HTTP API other than the public one",
        examples=["http://localhost:8082/api/v10"],
        repr=False,
    )
    discord_gateway_url: Annotated[str, AfterValidator(forms.websocket)] | None = Field(
        default=None,
        description="A Discord gateway other than the public one",
        examples=["ws://localhost:8083"],
        repr=False,
    )
    health_listen: Annotated[str, AfterValidator(forms.listening)] | None = Field(
        default=None,
        description="Where /healthz, /readyz and /metrics are answered, in plain HTTP; nowhere when absent",
        examples=["127.0.0.1:8090"],
    )
    log_format: Annotated[str, AfterValidator(forms.log_format)] = Field(
        default="text",
        description="How the log is written: text, or json with one object a line",
        examples=["json"],
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003  # the library calls it with all of them
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment before what is passed in, which comes from the file."""
        return env_settings, init_settings

    @property
    def telegram_webhook(self) -> WebhookSettings | None:
        """How Telegram delivers; None when updates come by polling."""
        if self.telegram_webhook_url is None:
            return None
        secret = self.telegram_webhook_secret
        return WebhookSettings(
            self.telegram_webhook_url,
            self.telegram_webhook_listen or USUAL_LISTEN,
            secret.get_secret_value() if secret else None,
        )


VARIABLES: Mapping[str, str] = {f"{PREFIX}{name.upper()}": name for name in Settings.model_fields}
"""Variable -> field."""


def load(file: Path | None = None) -> Settings:
    """The settings from the environment and, where it is silent, from `file` (in the format of systemd's
    EnvironmentFile), else from the file that QUIZBOT_SETTINGS_FILE names. Raises SettingsError."""
    named = os.environ.get(FILE_VARIABLE)
    file = file or (Path(named) if named else None)
    bindings = _read(file) if file else []
    problems = [problem for each in bindings if (problem := _misplaced(each, f"{file}, line {_line_of(each)}"))]
    problems += _repeated(bindings, file)
    given = {binding.key: binding.value for binding in bindings}
    lines = {binding.key: _line_of(binding) for binding in bindings}
    values = {name: given[variable] for variable, name in VARIABLES.items() if given.get(variable)}
    try:
        settings = Settings(**values)  # type: ignore[arg-type]  # texts; what becomes of them is the model's part
    except ValidationError as error:
        for detail in error.errors(include_input=False, include_url=False):
            variable = f"{PREFIX}{detail['loc'][0]}".upper()
            origin = "environment" if variable in map(str.upper, os.environ) else f"{file}, line {lines.get(variable)}"
            problems.append(f"{variable} ({origin}): {detail.get('ctx', {}).get('error', detail['msg'])}")
        raise SettingsError(problems) from None
    if problems:
        raise SettingsError(problems)
    return settings


def _read(file: Path) -> list[Binding]:
    try:
        with file.open(encoding="utf-8-sig") as stream:
            return list(parse_stream(stream))
    except OSError as error:
        problem = f"the settings file {file} cannot be read ({error.strerror}); check its name and its permissions"
    except UnicodeDecodeError:
        problem = f"the settings file {file} is not UTF-8; save it in that encoding"
    raise SettingsError([problem])


def _line_of(binding: Binding) -> int:
    """The line of its name: blank lines before it are a part of it."""
    text = binding.original.string
    return binding.original.line + text[: len(text) - len(text.lstrip())].count("\n")


def _misplaced(binding: Binding, place: str) -> str | None:
    """What is wrong with a line whatever its value may be."""
    if binding.error or (binding.key and binding.value is None):
        return f"{place}: not a setting; write NAME=value, or # before a comment"
    if not binding.key or not binding.key.startswith(PREFIX) or binding.key in VARIABLES:
        return None
    near = _nearest(binding.key)
    return f"{binding.key} ({place}): there is no such setting" + (f"; did you mean {near}?" if near else "")


def _repeated(bindings: Sequence[Binding], file: Path | None) -> Iterable[str]:
    """Settings of which it is not clear which value is meant."""
    for variable in VARIABLES:
        lines = [str(_line_of(each)) for each in bindings if each.key == variable]
        if len(lines) > 1:
            named = f"{', '.join(lines[:-1])} and {lines[-1]}"
            yield f"{variable} ({file}, lines {named}): given more than once; keep one line"


def _nearest(variable: str) -> str | None:
    return next(iter(get_close_matches(variable, VARIABLES, n=1, cutoff=0.8)), None)


def suspicions(environment: Mapping[str, str]) -> list[str]:
    """Variables of the environment that look like a setting that was meant, a line each."""
    strange = (name for name in sorted(environment) if name.startswith(PREFIX) and not OTHERS.fullmatch(name))
    found = ((name, _nearest(name)) for name in strange if name not in VARIABLES)
    return [f"{name} (environment): there is no such setting; did you mean {near}?" for name, near in found if near]


def example() -> str:
    """A settings file that shows every setting, commented out."""
    head = (
        "# Settings of Quizbot. Name this file with `quizbot --settings FILE` or QUIZBOT_SETTINGS_FILE;",
        "# it also serves as EnvironmentFile= of systemd and env_file: of Docker Compose. The environment wins.",
    )
    return "\n".join([*head, *(_line(variable, name) for variable, name in VARIABLES.items()), ""])


def _line(variable: str, name: str) -> str:
    field: Any = Settings.model_fields[name]
    return f"\n# {field.description}.\n#{variable}={field.examples[0]}"


if __name__ == "__main__":
    sys.stdout.write(example())
