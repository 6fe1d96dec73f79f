"""Settings: every form that works, and every problem said at once, in its place, without a secret."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from bot import settings
from bot.databases import path_of
from bot.settings import SettingsError, WebhookSettings

ROOT = Path(__file__).parents[1]
HIDDEN = "hunter2-and-more"


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.upper().startswith("QUIZBOT_")]:
        monkeypatch.delenv(name)


def _problems(file: Path | None = None) -> tuple[str, ...]:
    with pytest.raises(SettingsError) as caught:
        settings.load(file)
    return caught.value.problems


def _written(folder: Path, text: str) -> Path:
    file = folder / "quizbot.env"
    file.write_text(text, encoding="utf-8")
    return file


def test_without_any_setting_everything_has_a_sensible_value() -> None:
    there = settings.load()
    assert path_of(there.database_url).endswith("quizbot.sqlite3")
    assert Path(path_of(there.database_url)).is_absolute()
    assert there.content_dir == ROOT / "content"
    assert there.telegram_token is None
    assert there.telegram_webhook is None
    assert there.discord_token is None


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("sqlite:///quiz.sqlite3", "quiz.sqlite3"),
        ("sqlite:///data/quiz.sqlite3", "data/quiz.sqlite3"),
        ("sqlite:////var/lib/quiz.sqlite3", "/var/lib/quiz.sqlite3"),
        ("sqlite:///C:/data/quiz.sqlite3", "C:/data/quiz.sqlite3"),
        ("sqlite://:memory:", ":memory:"),
        ("sqlite:///:memory:", ":memory:"),
    ],
)
def test_a_database_url_names_a_file(url: str, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZBOT_DATABASE_URL", url)
    assert path_of(settings.load().database_url) == path


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        (
            "DATABASE_URL",
            f"postgresql://ann:{HIDDEN}@host",
            "not a database; write postgresql://user:password@host:5432",
        ),
        ("DATABASE_URL", f"postgres://ann:{HIDDEN}@host:port/db", "not a database; write postgresql://user:password@"),
        ("DATABASE_CONNECTIONS", "1", "not possible; write a whole number from 2 to 100"),
        ("DATABASE_CONNECTIONS", HIDDEN, "not possible; write a whole number from 2 to 100"),
        ("DISCORD_SHARDS", "0", "not possible; write a whole number from 1 to 16384"),
        ("DATABASE_URL", f"postgresql://ann:{HIDDEN}@x@host/db", "not a database; write % in a user"),
        ("DATABASE_URL", f"postgresql://ann:{HIDDEN}%zz@host/db", "not a database; write % in a user"),
        ("DATABASE_URL", f"mysql://ann:{HIDDEN}@host/db", "not a database; write sqlite:///"),
        ("DATABASE_URL", "quiz.sqlite3", "not a database; write sqlite:///"),
        ("DATABASE_URL", "sqlite://quiz.sqlite3", "not a database; write sqlite:///"),
        ("DATABASE_URL", "sqlite:///", "not a database; write sqlite:///"),
        ("CONTENT_DIR", "/no/such/folder", "there is no such folder"),
        ("TELEGRAM_TOKEN", HIDDEN, "not a token of a Telegram bot"),
        ("TELEGRAM_TOKEN", f"123:{HIDDEN} ", "not a token of a Telegram bot"),
        ("DISCORD_TOKEN", HIDDEN, "not a token of a Discord bot"),
        ("DISCORD_TOKEN", f"Bot a.b.{HIDDEN}", "not a token of a Discord bot"),
        ("TELEGRAM_API_URL", f"ftp://{HIDDEN}", "not an address; write it as https://host"),
        ("TELEGRAM_API_URL", f"https://a b/{HIDDEN}", "not an address"),
        ("TELEGRAM_WEBHOOK_URL", HIDDEN, "not an address; write it as https://host/path"),
        ("TELEGRAM_WEBHOOK_URL", f"https://host/a b/{HIDDEN}", "not an address"),
        ("TELEGRAM_WEBHOOK_URL", f"https://host/?{HIDDEN}", "not an address"),
        ("TELEGRAM_WEBHOOK_URL", f"https://host/#{HIDDEN}", "not an address"),
        ("TELEGRAM_WEBHOOK_URL", f"https://ann:{HIDDEN}@host/", "not an address"),
        ("TELEGRAM_WEBHOOK_URL", f"http://host/{HIDDEN}", "Telegram delivers to https only"),
        ("TELEGRAM_WEBHOOK_URL", f"http://127.0.0.1/{HIDDEN}", "Telegram delivers to https only"),
        ("TELEGRAM_WEBHOOK_URL", f"https://host:8080/{HIDDEN}", "Telegram delivers to the ports 443, 80, 88 and 8443"),
        ("TELEGRAM_WEBHOOK_LISTEN", "127.0.0.1:8080", "means nothing without QUIZBOT_TELEGRAM_WEBHOOK_URL"),
        ("TELEGRAM_WEBHOOK_LISTEN", HIDDEN, "not an address to listen at; write it as host:port"),
        ("TELEGRAM_WEBHOOK_LISTEN", "host:65536", "not an address to listen at"),
        ("TELEGRAM_WEBHOOK_LISTEN", "::1:8080", "not an address to listen at"),
        ("TELEGRAM_WEBHOOK_LISTEN", "host:", "not an address to listen at"),
        ("TELEGRAM_WEBHOOK_SECRET", HIDDEN, "means nothing without QUIZBOT_TELEGRAM_WEBHOOK_URL"),
        ("TELEGRAM_WEBHOOK_SECRET", f"{HIDDEN}!", "not a secret that Telegram accepts; write 1 to 256 of"),
        ("TELEGRAM_WEBHOOK_SECRET", "a" * 257, "not a secret that Telegram accepts"),
        ("DISCORD_API_URL", "https://", "not an address"),
        ("DISCORD_API_URL", "http://host:port", "not an address"),
        ("DISCORD_API_URL", "http://[::1", "not an address"),
        ("DISCORD_GATEWAY_URL", "https://host", "not an address; write it as wss://host"),
    ],
)
def test_a_value_that_cannot_be_used_is_named_but_not_repeated(
    name: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(f"QUIZBOT_{name}", value)
    (problem,) = _problems()
    assert problem.startswith(f"QUIZBOT_{name} (environment): {said}")
    assert HIDDEN not in problem
    monkeypatch.delenv(f"QUIZBOT_{name}")
    file = _written(tmp_path, f"# a comment\n\nQUIZBOT_{name}='{value}'\n")
    (problem,) = _problems(file)
    assert problem.startswith(f"QUIZBOT_{name} ({file}, line 3): {said}")
    assert HIDDEN not in problem


@pytest.mark.parametrize(
    "url", ["https://quiz.example.org", "https://quiz.example.org:8443/telegram", "https://[2001:db8::1]:88/x"]
)
def test_a_webhook_has_an_address_that_telegram_reaches(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZBOT_TELEGRAM_WEBHOOK_URL", url)
    assert settings.load().telegram_webhook == WebhookSettings(url, "127.0.0.1:8080")


@pytest.mark.parametrize("url", ["http://127.0.0.1:9000/x", "http://quizbot:8080/x", "https://quiz.example.org:444/x"])
def test_a_server_of_ones_own_may_deliver_anywhere(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZBOT_TELEGRAM_WEBHOOK_URL", url)
    monkeypatch.setenv("QUIZBOT_TELEGRAM_API_URL", "http://localhost:8081")
    assert settings.load().telegram_webhook == WebhookSettings(url, "127.0.0.1:8080")


@pytest.mark.parametrize("listen", ["0.0.0.0:80", ":8080", "localhost:0", "[::1]:8443", "web-1.internal:65535"])
def test_a_webhook_is_listened_for_where_it_is_said(listen: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZBOT_TELEGRAM_WEBHOOK_URL", "https://quiz.example.org/telegram")
    monkeypatch.setenv("QUIZBOT_TELEGRAM_WEBHOOK_LISTEN", listen)
    monkeypatch.setenv("QUIZBOT_TELEGRAM_WEBHOOK_SECRET", HIDDEN)
    there = settings.load()
    assert there.telegram_webhook == WebhookSettings("https://quiz.example.org/telegram", listen, HIDDEN)
    assert HIDDEN not in f"{there!r} {there.telegram_webhook!r} {there.model_dump()}"


def test_a_webhook_that_cannot_be_used_is_one_problem_not_three(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZBOT_TELEGRAM_WEBHOOK_URL", "nowhere")
    monkeypatch.setenv("QUIZBOT_TELEGRAM_WEBHOOK_LISTEN", "127.0.0.1:8080")
    monkeypatch.setenv("QUIZBOT_TELEGRAM_WEBHOOK_SECRET", HIDDEN)
    (problem,) = _problems()
    assert problem.startswith("QUIZBOT_TELEGRAM_WEBHOOK_URL")
    monkeypatch.setenv("QUIZBOT_TELEGRAM_WEBHOOK_URL", "https://host:8080/")
    monkeypatch.setenv("QUIZBOT_TELEGRAM_API_URL", "nowhere")
    (problem,) = _problems()
    assert problem.startswith("QUIZBOT_TELEGRAM_API_URL")


def test_a_token_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIZBOT_TELEGRAM_TOKEN", "123:secret-part")
    monkeypatch.setenv("QUIZBOT_DISCORD_TOKEN", "a.b.secret-part")
    there = settings.load()
    assert "secret-part" not in f"{there!r} {there} {there.telegram_token} {there.model_dump()}"
    assert there.telegram_token
    assert there.telegram_token.get_secret_value() == "123:secret-part"


def test_all_problems_are_said_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUIZBOT_TELEGRAM_TOKEN", "no")
    file = _written(
        tmp_path,
        "QUIZBOT_DATABSE_URL=sqlite:///a\nexport QUIZBOT_DISCORD_API_URL=nowhere\nwhat is this\nQUIZBOT_NONSENSE=1\n"
        "OTHERS=allowed\nQUIZBOT_DISCORD_TOKEN\n",
    )
    problems = _problems(file)
    assert [re.match(r"\S+ \(.+?\)|.+?:", problem)[0] for problem in problems] == [  # type: ignore[index]  # all match
        f"QUIZBOT_DATABSE_URL ({file}, line 1)",
        f"{file}, line 3:",
        f"QUIZBOT_NONSENSE ({file}, line 4)",
        f"{file}, line 6:",
        "QUIZBOT_TELEGRAM_TOKEN (environment)",
        f"QUIZBOT_DISCORD_API_URL ({file}, line 2)",
    ]
    assert "did you mean QUIZBOT_DATABASE_URL?" in problems[0]
    assert "did you mean" not in problems[2]


def test_a_setting_that_stands_twice_in_the_file_is_named_with_its_lines(tmp_path: Path) -> None:
    file = _written(
        tmp_path,
        "QUIZBOT_TELEGRAM_TOKEN=1:a\nQUIZBOT_DISCORD_TOKEN=a.b.c\n\nOTHERS=1\nOTHERS=2\n"
        "export QUIZBOT_TELEGRAM_TOKEN=1:b\nQUIZBOT_DISCORD_TOKEN=\nQUIZBOT_TELEGRAM_TOKEN=1:a\n",
    )
    assert _problems(file) == (
        f"QUIZBOT_TELEGRAM_TOKEN ({file}, lines 1, 6 and 8): given more than once; keep one line",
        f"QUIZBOT_DISCORD_TOKEN ({file}, lines 2 and 7): given more than once; keep one line",
    )


def test_the_environment_wins_over_the_file_and_an_empty_value_counts_as_absent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = _written(
        tmp_path, "QUIZBOT_DATABASE_URL=sqlite:///file\nQUIZBOT_TELEGRAM_TOKEN=1:a\nQUIZBOT_DISCORD_TOKEN=\n"
    )
    monkeypatch.setenv("QUIZBOT_DATABASE_URL", "sqlite:///environment")
    monkeypatch.setenv("QUIZBOT_TELEGRAM_TOKEN", "")
    there = settings.load(file)
    assert path_of(there.database_url) == "environment"
    assert there.telegram_token
    assert there.discord_token is None


def test_the_environment_can_name_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = _written(tmp_path, "\ufeffQUIZBOT_DATABASE_URL='sqlite:///from the file'\n")
    monkeypatch.setenv("QUIZBOT_SETTINGS_FILE", str(file))
    assert path_of(settings.load().database_url) == "from the file"


def test_a_dollar_in_a_value_is_a_dollar(tmp_path: Path) -> None:
    assert (
        settings.load(_written(tmp_path, "QUIZBOT_DATABASE_URL=sqlite:///${HOME}\n")).database_url
        == "sqlite:///${HOME}"
    )


def test_a_file_that_cannot_be_read_is_one_problem(tmp_path: Path) -> None:
    (problem,) = _problems(tmp_path / "absent.env")
    assert "absent.env cannot be read (No such file or directory)" in problem
    file = tmp_path / "latin.env"
    file.write_bytes(b"QUIZBOT_TELEGRAM_TOKEN=1:\xe9\n")
    (problem,) = _problems(file)
    assert "is not UTF-8" in problem


def test_only_near_misses_in_the_environment_are_suspicious() -> None:
    environment = {
        "QUIZBOT_DATABSE_URL": "x",
        "QUIZBOT_TELEGRAM_TOKN": "x",
        "QUIZBOT_TEST_SEED": "x",
        "QUIZBOT_SETTINGS_FILE": "x",
        "QUIZBOT_ELSE_ENTIRELY": "x",
        "QUIZBOT_CONTENT_DIR": "x",
        "PATH": "x",
    }
    assert [suspicion.split()[0] for suspicion in settings.suspicions(environment)] == [
        "QUIZBOT_DATABSE_URL",
        "QUIZBOT_TELEGRAM_TOKN",
    ]


def test_the_example_file_is_current_and_loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    example = (ROOT / "deploy" / "quizbot.env.example").read_text(encoding="utf-8")
    assert example == settings.example(), "write it anew: python -m bot.settings > deploy/quizbot.env.example"
    assert settings.load(_written(tmp_path, example)) == settings.load()
    monkeypatch.setattr(Path, "is_dir", lambda _: True)
    there = settings.load(_written(tmp_path, re.sub(r"^#(?=QUIZBOT_)", "", example, flags=re.MULTILINE)))
    assert path_of(there.database_url) == "/var/lib/quizbot/quizbot.sqlite3"
    assert all(getattr(there, name) is not None for name in type(there).model_fields)
