"""Every secret is found wherever it stands, none is repeated, and what is made up is let pass by its value alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hygiene.files import ROOT, files
from tests.hygiene.secrets import MADE_UP, secrets, secrets_in

# Each with a stroke that is taken out, so that this file holds none.
STROKED = {
    "telegram": "78123|45678:AAH9xQ-7fKpLmZ2vT4wEr8sY|uIoPnBcDg3j",
    "telegram-in-an-address": "https://api.telegram.org/bot7812345678:AAH9xQ-7fKpLmZ2vT4wEr8|sYuIoPnBcDg3j/getMe",
    "discord": "MTE4NzQ1MDIzODQyMDE0ODI4.GkQ2|zx.8fK2mN4pQ6rS8tU0vW2xY4zA6bC8dE0fG2hI4j",
    "discord-webhook": "https://discord.com/api/webhooks/1187450238420148285|/x8fK2mN4pQ6rS8tU0vW2xY4zA6bC8dE0fG2hI4j",
    "key": "-----BEGIN OPENSSH PRIVATE| KEY-----",
    "plain-key": "-----BEGIN PRIVATE| KEY-----",
    "address": "postgresql:|//quizbot:correct-horse@db.example.org/quizbot",
    "aws": "AKIAZ7Q2M5R8|T1V4X6B9",
    "code-host": "ghp_|a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
    "index": "pypi-|AgEIcHlwaS5vcmcCJDU1ZjE4",
    "setting": "QUIZBOT_TELEGRAM_WEBHOOK_SECRET|=q8w7e6r5t4y3u2i1o0p9",
    "setting-in-yaml": "  - POSTGRES_PASSWORD|: 'q8w7e6r5t4y3u2i1o0p9'",
}
SECRETS = {name: stroked.replace("|", "") for name, stroked in STROKED.items()}


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_found_with_its_line_and_is_not_repeated(name: str, tmp_path: Path) -> None:
    path = tmp_path / "deep" / "notes.md"
    path.parent.mkdir()
    path.write_text(f"one\ntwo\n{SECRETS[name]}\n")
    found = list(map(str, secrets(tmp_path, files(tmp_path))))
    assert found
    assert all(line.startswith("deep/notes.md:3: ") for line in found)
    assert SECRETS[name] not in "".join(found)


@pytest.mark.parametrize("value", MADE_UP)
def test_what_is_made_up_passes_and_with_one_character_more_it_does_not(value: str) -> None:
    written = value if ":" in value else f"postgresql://quizbot:{value}@host/name"
    assert not list(secrets_in(written))
    assert list(secrets_in(written.replace(value, value + "x")))


@pytest.mark.parametrize(
    "innocent",
    [
        "QUIZBOT_DATABASE_URL=postgresql://quizbot:${POSTGRES_PASSWORD}@db/quizbot",
        "QUIZBOT_TELEGRAM_TOKEN=",
        "https://example.org:8443/telegram",
        "see adapters.discord.permissions",
        "--hash=sha256:" + "0" * 64,
        "from 12:30 to 123456:",
    ],
)
def test_what_is_none_is_let_be(innocent: str) -> None:
    assert not list(secrets_in(innocent))


def test_pictures_have_no_text(tmp_path: Path) -> None:
    (tmp_path / "apple.png").write_bytes(b"\x89PNG\0" + SECRETS["key"].encode())
    assert not list(secrets(tmp_path, files(tmp_path)))


def test_what_is_made_or_hidden_is_no_part_of_an_archive(tmp_path: Path) -> None:
    for folder in (".venv", "__pycache__", "quizbot.egg-info", "bot"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "file").write_text("")
    (tmp_path / ".gitignore").write_text("")
    assert [path.relative_to(tmp_path).as_posix() for path in files(tmp_path)] == [".gitignore", "bot/file"]


def test_there_is_none_here() -> None:
    assert list(map(str, secrets(ROOT, files(ROOT)))) == []
