"""The command line as people meet it: what it answers, with which exit code, and never with a traceback."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.cli import called
from tests.program import ROOT, Program

GOOD = (ROOT / "tests" / "adapters" / "console" / "quizzes").as_posix()


@pytest.fixture
def quizbot(tmp_path: Path) -> Program:
    return Program(tmp_path, {"QUIZBOT_CONTENT_DIR": GOOD})


def test_version_is_one_line(quizbot: Program) -> None:
    ran = quizbot.run("--version")
    assert re.fullmatch(r"quizbot \d+\.\d+\.\d+\S*\n", ran.out)
    assert ran.code == 0


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["run", "--help"], ["completion", "bash"]])
def test_what_answers_at_once_loads_nothing_heavy(arguments: list[str], quizbot: Program) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "bot", *arguments],
        capture_output=True,
        env=quizbot.environment,
        text=True,
        check=True,
    )
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "click" in loaded
    heavy = {"pydantic", "pydantic_settings", "rich", "babel", "yaml", "msgspec", "aiosqlite", "asyncio", "telegram"}
    assert not loaded & heavy


@pytest.mark.parametrize(
    "arguments", [["play", "rivers", "--seed", "1"], ["practice", "rivers"], ["stats"], ["check"], ["run"]]
)
def test_whoever_serves_no_platform_loads_no_platform(arguments: list[str], quizbot: Program) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "bot", *arguments],
        capture_output=True,
        env=quizbot.environment,
        text=True,
        check=False,
    )
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "pydantic" in loaded
    assert not loaded & {"telegram", "aiohttp", "httpx", "discord", "matplotlib"}


@pytest.mark.parametrize(
    "arguments", [["--help"], ["-h"], ["play", "--help"], ["check", "-h"], ["completion", "--help"]]
)
def test_help_is_on_stdout(arguments: list[str], quizbot: Program) -> None:
    ran = quizbot.run(*arguments)
    assert ran.out.startswith("Usage: quizbot")
    assert (ran.err, ran.code) == ("", 0)


def test_the_commands_are_listed_in_whole_sentences(quizbot: Program) -> None:
    ran = Program(quizbot.folder, {**quizbot.variables, "COLUMNS": "80"}).run("--help")
    listed = re.findall(r"^  (\w+)  +(\S.*)$", ran.out.partition("Commands:\n")[2], re.MULTILINE)
    assert " ".join(name for name, _ in listed) == (
        "backup check completion db doctor export forget play practice privacy reports restore run stats"
    )
    assert all(said.endswith(".") and not said.endswith("...") for _, said in listed)
    assert max(map(len, ran.out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        *(
            (["play", "rivers", "--questions", number], f"'{number}' is not possible; write a whole number from 1")
            for number in ("0", "-1", "1000000000", "ten", "NaN", "inf", "1e309", "5.5", "٣", "")
        ),
        (["play", "rivers", "--questions", "4"], "--questions: 4 is not possible; rivers has 3, so write 1 to 3"),
        (["play", "rivers", "--lang", "xx"], "there are en (English), bg (български), ro (română)"),
        (["play", "rivers", "--pace", "fast"], "'relaxed', 'steady', 'brisk'"),
        (["play", "rivers", "--seed", "x"], "--seed"),
        (["play", "riverz"], "there is no quiz 'riverz'; did you mean rivers?"),
        (["practice", "riverz"], "there is no quiz 'riverz'; did you mean rivers?"),
        (["practice", "--seed", "x"], "--seed"),
        (["export", "."], "'.' is a directory"),
        (["play", "a", "b"], "unexpected extra argument"),
        (["check", "nowhere.yaml"], "'nowhere.yaml' does not exist"),
        (["completion", "powershell"], "'bash', 'zsh', 'fish'"),
        (["--settings", "absent.env", "play"], "settings file absent.env cannot be read"),
        (["plya"], "Did you mean 'play'"),
        (["play", "--pce", "steady"], "--pace"),
    ],
)
def test_a_mistake_is_one_clear_line_and_exit_code_2(arguments: list[str], said: str, quizbot: Program) -> None:
    ran = quizbot.run(*arguments)
    (complaint,) = ran.complaints
    assert complaint.startswith("quizbot: ")
    assert said in complaint
    assert (ran.out, ran.code) == ("", 2)


@pytest.fixture
def shelf(quizbot: Program) -> Program:
    """A content folder with quizzes beside it, in a folder in it, and under names that mean something elsewhere."""
    rivers = Path(GOOD, "rivers.yaml").read_bytes()
    for name in ("secrets", "content/constructor", "content/__proto__", "content/a/b", "content/.hidden"):
        file = quizbot.folder / f"{name}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(rivers)
    return Program(quizbot.folder, {"QUIZBOT_CONTENT_DIR": str(quizbot.folder / "content")})


@pytest.mark.parametrize(
    "name",
    [
        *("../secrets", "{folder}/secrets", "{folder}/content/constructor", "a/../constructor", "./constructor"),
        *("a/b", "a", "..", ".", ".hidden", "constructor.yaml", "{0.__class__}", "*", "con*"),
    ],
)
def test_the_name_of_a_quiz_is_never_a_path(name: str, shelf: Program) -> None:
    name = name.replace("{folder}", str(shelf.folder))
    ran = shelf.run("play", name, typed="A\n")
    (complaint,) = ran.complaints
    assert complaint.startswith(f"quizbot: there is no quiz {name!r}; ")
    assert (ran.out, ran.code) == ("", 2)


def test_a_quiz_may_be_called_what_means_something_elsewhere(shelf: Program) -> None:
    ran = shelf.run("play", "constructor", typed="A\nAB\nA\n")
    assert "Results — Rivers" in ran.out
    assert (ran.err, ran.code) == ("", 0)


def test_a_quiz_file_with_a_name_that_is_no_slug_is_refused_with_the_reason(shelf: Program) -> None:
    ran = shelf.run("play", "__proto__", typed="A\n")
    assert ran.complaints[0] == "quizbot: the quiz __proto__ cannot be used:"
    assert "__proto__.yaml:1:1: error: " in ran.complaints[1]
    assert (ran.out, ran.code) == ("", 1)


def test_every_problem_of_the_settings_is_a_line(quizbot: Program) -> None:
    variables = {
        "QUIZBOT_DATABASE_URL": "mysql://a:pw@b/c",
        "QUIZBOT_TELEGRAM_TOKEN": "pw",
        "QUIZBOT_DISCORD_TOKN": "",
    }
    ran = Program(quizbot.folder, variables).run("run")
    assert [complaint.split()[1] for complaint in ran.complaints] == [
        "QUIZBOT_DISCORD_TOKN",
        "QUIZBOT_DATABASE_URL",
        "QUIZBOT_TELEGRAM_TOKEN",
    ]
    assert "pw" not in ran.err
    assert ran.code == 2


def test_check_of_good_files_is_one_summary(quizbot: Program) -> None:
    ran = quizbot.run("check", "--strict")
    assert (ran.out, ran.err, ran.code) == ("", "2 quizzes with 5 questions: no problem\n", 0)


def test_check_names_file_line_and_column_from_here(quizbot: Program) -> None:
    (quizbot.folder / "bad.yaml").write_text(
        "title: Bad\nlanguages: [en]\nquestions: []\ncolour: red\n", encoding="utf-8"
    )
    ran = quizbot.run("check", str(quizbot.folder), GOOD)
    assert re.match(r"bad\.yaml:\d+:\d+: error: ", ran.out)
    assert ran.complaints[-1].startswith("2 quizzes with 5 questions: ")
    assert ran.code == 1


def test_warnings_fail_only_a_strict_check(quizbot: Program) -> None:
    text = re.sub(r"^ *(explanation|image):.*\n", "", Path(GOOD, "numbers.yaml").read_text("utf-8"), flags=re.MULTILINE)
    (quizbot.folder / "bare.yaml").write_text(text, encoding="utf-8")
    lenient = quizbot.run("check", "bare.yaml")
    assert re.match(r"bare\.yaml:\d+:\d+: warning: ", lenient.out)
    assert lenient.err == "1 quiz with 2 questions: 2 warnings\n"
    assert (lenient.code, quizbot.run("check", "--strict", "bare.yaml").code) == (0, 1)


def test_a_folder_without_quizzes_does_not_pass_for_checked(quizbot: Program) -> None:
    (quizbot.folder / "empty").mkdir()
    ran = quizbot.run("check", "--strict", "empty")
    assert ran.out == "empty:1:1: warning: no quiz file here; a quiz file ends in .yaml\n"
    assert ran.code == 1


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_that_asks_the_program(shell: str, quizbot: Program) -> None:
    ran = quizbot.run("completion", shell)
    assert f"_QUIZBOT_COMPLETE={shell}_complete" in ran.out
    assert ran.code == 0


@pytest.mark.parametrize(
    ("typed", "position", "completed"),
    [
        ("quizbot play ri", 2, ["rivers"]),
        ("quizbot play ", 2, ["numbers", "rivers"]),
        ("quizbot practice r", 2, ["rivers"]),
        ("quizbot play rivers --lang ", 4, ["en", "bg", "ro"]),
        ("quizbot play --pace b", 3, ["brisk"]),
        ("quizbot com", 1, ["completion"]),
    ],
)
def test_the_tab_key_completes(typed: str, position: int, completed: list[str], quizbot: Program) -> None:
    asking = {"_QUIZBOT_COMPLETE": "bash_complete", "COMP_WORDS": typed, "COMP_CWORD": str(position)}
    ran = Program(quizbot.folder, {**quizbot.variables, **asking}).run()
    assert [line.split(",")[1] for line in ran.out.splitlines()] == completed


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (".venv/bin/quizbot", ".venv/bin/quizbot"),
        ("my folder/quizbot", "'my folder/quizbot'"),
        ("/somewhere/bot/__main__.py", "quizbot"),
        ("{path}/quizbot", "quizbot"),
    ],
)
def test_the_program_is_named_so_that_the_shell_finds_it(
    typed: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "quizbot").touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert called(typed.format(path=tmp_path)) == told


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of another kind")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-"])
def test_a_closed_stream_is_no_reason_for_a_traceback(closed: str, quizbot: Program) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f'"$0" -m bot play rivers {closed}', sys.executable],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd=quizbot.folder,
        env=quizbot.environment,
        check=False,
    )
    assert (done.stderr, done.returncode) == (b"", 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("command", [("play", "rivers"), ("practice", "rivers"), ("--help",), ("privacy",)])
def test_a_full_disk_under_the_output_is_one_line(command: tuple[str, ...], quizbot: Program) -> None:
    with Path("/dev/full").open("w") as full:
        ran = quizbot.run(*command, out=full.fileno())
    assert ran.complaints == ["quizbot: No space left on device"]
    assert ran.code == 1


def test_a_database_that_cannot_be_used_is_one_line(quizbot: Program) -> None:
    (quizbot.folder / "quizbot.sqlite3").write_bytes(b"this is no database, only some text that is long enough" * 20)
    ran = quizbot.run("play", "rivers")
    (complaint,) = ran.complaints
    assert "not an SQLite file" in complaint
    assert ran.code == 1


def test_a_broken_quiz_is_named_and_the_others_are_offered(quizbot: Program) -> None:
    content = quizbot.folder / "content"
    content.mkdir()
    (content / "torn.yaml").write_text("title: [", encoding="utf-8")
    (content / "rivers.yaml").write_bytes(Path(GOOD, "rivers.yaml").read_bytes())
    program = Program(quizbot.folder, {"QUIZBOT_CONTENT_DIR": str(content)})
    offered = program.run("play")
    assert "Rivers" in offered.out
    assert offered.complaints == [
        f"quizbot: left out, because it cannot be used: torn.yaml; see: quizbot check {content}"
    ]
    assert offered.code == 0
    refused = program.run("play", "torn")
    assert refused.complaints[0] == "quizbot: the quiz torn cannot be used:"
    assert "torn.yaml:1:" in refused.complaints[1]
    assert refused.code == 1
