"""The compose files: they agree with the image and the settings, and nothing in them may do more than it has to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from adapters.telegram.webhook import PATIENCE
from adapters.watch.server import FAREWELL
from bot import forms
from bot.running import DRAIN
from bot.settings import VARIABLES, Settings
from tests.deploy.dockerfile import Dockerfile
from tests.deploy.reading import DEPLOY, assignments, document, faults, seconds

IMAGE = Dockerfile()
FILES = {name: document(DEPLOY / name) for name in ("compose.yaml", "compose.postgres.yaml")}
SERVICES = {f"{file}:{name}": each for file, found in FILES.items() for name, each in found["services"].items()}
OURS = {name: each for name, each in SERVICES.items() if name.endswith(":quizbot")}
POSTGRES = FILES["compose.postgres.yaml"]["services"]
every_service = pytest.mark.parametrize("service", SERVICES.values(), ids=SERVICES)
every_bot = pytest.mark.parametrize("service", OURS.values(), ids=OURS)


def test_both_serve_the_bot() -> None:
    assert len(OURS) == len(FILES)


@every_service
def test_a_service_writes_nowhere_but_where_it_says_and_can_gain_no_rights(service: Mapping[str, Any]) -> None:
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert set(service.get("cap_add", [])) <= {"NET_BIND_SERVICE"}
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert not service.keys() & {"privileged", "pid", "network_mode", "devices"}
    assert all("noexec" in each for each in service.get("tmpfs", []))


@every_service
def test_a_service_comes_back_after_a_restart_of_the_machine(service: Mapping[str, Any]) -> None:
    assert service["restart"] == "unless-stopped"


@every_service
def test_an_image_is_named_with_its_version(service: Mapping[str, Any]) -> None:
    name, _, tag = service["image"].partition(":")
    assert (name == "quizbot") == (tag == "${TAG:-latest}") == ("build" in service)
    assert name == "quizbot" or re.match(r"v?\d+", tag)


@every_bot
def test_the_image_is_built_from_the_repository(service: Mapping[str, Any]) -> None:
    context = (DEPLOY / service["build"]["context"]).resolve()
    assert context / service["build"]["dockerfile"] == DEPLOY / "Dockerfile"
    assert not list(faults(service["command"]))


@every_bot
def test_its_settings_exist(service: Mapping[str, Any]) -> None:
    assert service.get("environment", {}).keys() <= VARIABLES.keys()


@every_bot
def test_it_has_time_to_stop_in_order(service: Mapping[str, Any]) -> None:
    assert seconds(service["stop_grace_period"]) >= 2 * (DRAIN + FAREWELL)


@every_bot
def test_pictures_have_somewhere_to_keep_what_they_need(service: Mapping[str, Any]) -> None:
    assert any(IMAGE.environment["MPLCONFIGDIR"].startswith(each.partition(":")[0] + "/") for each in service["tmpfs"])


def test_the_database_of_a_single_process_is_kept_in_a_volume() -> None:
    file = FILES["compose.yaml"]
    kept = {volume.split(":")[1] for volume in file["services"]["quizbot"]["volumes"] if volume[0] not in "./"}
    assert IMAGE.environment["QUIZBOT_DATABASE_URL"].removeprefix("sqlite:///").rpartition("/")[0] in kept


@pytest.mark.parametrize("file", FILES.values(), ids=FILES)
def test_every_volume_is_declared_and_used(file: Mapping[str, Any]) -> None:
    mounted = {each.partition(":")[0] for service in file["services"].values() for each in service.get("volumes", [])}
    assert {each for each in mounted if each[0] not in "./"} == file["volumes"].keys()


def mounted() -> set[str]:
    """Files and folders of the host."""
    volumes = (volume for service in SERVICES.values() for volume in service.get("volumes", []))
    return {each.partition(":")[0] for each in volumes if each.startswith("./")}


@pytest.mark.parametrize("source", sorted(mounted()))
def test_every_file_that_is_mounted_exists_or_is_made_by_the_runbook(source: str) -> None:
    made = f"deploy/{source.removeprefix('./')}\n"
    assert (DEPLOY / source).exists() or made in (DEPLOY / "RUNBOOK.md").read_text("utf-8")


@pytest.mark.parametrize("name", sorted({each["env_file"] for each in SERVICES.values() if "env_file" in each}))
def test_every_file_of_settings_has_an_example_and_is_ignored_by_git(name: str) -> None:
    assert (DEPLOY / f"{name}.example").is_file()
    assert f"/{DEPLOY.name}/*.env" in (DEPLOY.parent / ".gitignore").read_text("utf-8").splitlines()


def test_a_port_is_open_to_this_machine_alone_unless_the_world_has_to_reach_it() -> None:
    published = {str(port) for name, each in SERVICES.items() if "caddy" not in name for port in each.get("ports", [])}
    assert all(port.startswith("127.0.0.1:") for port in published)
    assert f"127.0.0.1:{IMAGE.health[-1].split(', ')[1]}" in {port.rpartition(":")[0] for port in published}


def test_three_processes_share_a_database_that_answers_before_they_start() -> None:
    bot = POSTGRES["quizbot"]
    assert bot["deploy"]["replicas"] == 3
    assert bot["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    assert "healthcheck" in POSTGRES["postgres"]
    assert "ports" not in bot, "three cannot have one port of the host"
    assert {int(port) for port in bot["expose"]} == IMAGE.ports


def test_the_example_of_the_database_opens_the_database_that_is_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    example = assignments(DEPLOY / "postgres.env.example")
    made = POSTGRES["postgres"]["environment"]
    url = example["QUIZBOT_DATABASE_URL"]
    assert re.fullmatch(rf"postgresql://{made['POSTGRES_USER']}:[^@]+@postgres/{made['POSTGRES_DB']}", url)
    monkeypatch.setenv("QUIZBOT_DATABASE_URL", url)
    assert Settings().database_url == url


def test_the_health_check_of_the_database_asks_for_the_one_that_is_used() -> None:
    made = POSTGRES["postgres"]["environment"]
    test = POSTGRES["postgres"]["healthcheck"]["test"]
    assert {f"--username={made['POSTGRES_USER']}", f"--dbname={made['POSTGRES_DB']}"} <= set(test)


def test_the_proxy_passes_updates_on_to_the_bot_and_waits_for_it() -> None:
    proxy = re.sub("#.*", "", (DEPLOY / "Caddyfile").read_text("utf-8"))
    (name,), (port,) = re.findall(r"\bname (\S+)", proxy), re.findall(r"\bport (\S+)", proxy)
    assert name in POSTGRES
    assert {int(port)} == IMAGE.ports - {forms.place(IMAGE.environment["QUIZBOT_HEALTH_LISTEN"])[1]}
    assert set(re.findall(r"\{\$(\w+)\}", proxy)) == POSTGRES["caddy"]["environment"].keys()
    assert seconds(re.findall(r"response_header_timeout (\S+)", proxy)[0]) > PATIENCE.total_seconds()


def test_litestream_copies_the_database_of_the_image_as_its_owner() -> None:
    config = document(DEPLOY / "litestream.yml")
    service = SERVICES["compose.yaml:litestream"]
    assert [each["path"] for each in config["dbs"]] == [
        IMAGE.environment["QUIZBOT_DATABASE_URL"].removeprefix("sqlite:///")
    ]
    assert service["user"].partition(":")[0] == str(IMAGE.user)
    named = set(re.findall(r"\$\{(\w+)\}", (DEPLOY / "litestream.yml").read_text("utf-8")))
    assert named <= assignments(DEPLOY / "litestream.env.example").keys()
    assert "./litestream.yml:/etc/litestream.yml:ro" in service["volumes"]


def test_what_only_some_need_is_in_a_profile() -> None:
    plain = {name.partition(":")[2] for name, each in SERVICES.items() if "profiles" not in each}
    assert plain == {"quizbot", "postgres"}
