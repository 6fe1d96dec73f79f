"""The Kubernetes manifests: complete, agreeing with the image and each other, and as narrow as the bot allows."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from adapters.watch.server import FAREWELL
from bot import forms
from bot.running import DRAIN
from bot.settings import VARIABLES, Settings
from tests.deploy.dockerfile import Dockerfile
from tests.deploy.reading import DEPLOY, document, documents, faults

FOLDER = DEPLOY / "kubernetes"
IMAGE = Dockerfile()
KUSTOMIZATIONS = sorted(path.parent for path in FOLDER.glob("*/kustomization.yaml"))
FILES = [path for path in sorted(FOLDER.rglob("*.yaml")) if path.name != "kustomization.yaml"]
OBJECTS = {
    f"{path.relative_to(FOLDER).as_posix()}:{each.get('kind')}:{each.get('metadata', {}).get('name')}": each
    for path in FILES
    for each in documents(path)
}
WORKLOADS = {name: each for name, each in OBJECTS.items() if each["kind"] in ("Deployment", "StatefulSet")}
VERSIONS = {
    "ConfigMap": "v1",
    "Deployment": "apps/v1",
    "Ingress": "networking.k8s.io/v1",
    "Namespace": "v1",
    "NetworkPolicy": "networking.k8s.io/v1",
    "PodDisruptionBudget": "policy/v1",
    "Secret": "v1",
    "Service": "v1",
    "StatefulSet": "apps/v1",
}
NEEDED = {
    "Deployment": {"replicas", "selector", "template", "strategy"},
    "Ingress": {"tls", "rules"},
    "NetworkPolicy": {"podSelector", "policyTypes", "ingress", "egress"},
    "PodDisruptionBudget": {"maxUnavailable", "selector"},
    "Service": {"selector", "ports"},
    "StatefulSet": {"replicas", "selector", "template", "serviceName", "volumeClaimTemplates"},
}
every_object = pytest.mark.parametrize("found", OBJECTS.values(), ids=OBJECTS)
every_workload = pytest.mark.parametrize("workload", WORKLOADS.values(), ids=WORKLOADS)
every_kustomization = pytest.mark.parametrize("folder", KUSTOMIZATIONS, ids=[path.name for path in KUSTOMIZATIONS])


def pod(workload: Mapping[str, Any]) -> Any:
    return workload["spec"]["template"]["spec"]


def container(workload: Mapping[str, Any]) -> Any:
    (found,) = pod(workload)["containers"]
    return found


def of(folder: Path, kind: str) -> list[Any]:
    """Objects of a kind that a kustomization puts together, with those of the folders it names."""
    found = []
    for name in document(folder / "kustomization.yaml")["resources"]:
        path = folder / name
        found += of(path, kind) if path.is_dir() else [each for each in documents(path) if each["kind"] == kind]
    return found


@every_object
def test_an_object_has_what_its_kind_needs(found: Mapping[str, Any]) -> None:
    assert found["apiVersion"] == VERSIONS[found["kind"]]
    assert found["metadata"]["name"]
    assert NEEDED.get(found["kind"], set()) <= found.get("spec", {}).keys()


@every_kustomization
def test_a_kustomization_names_every_file_beside_it_and_no_other(folder: Path) -> None:
    named = document(folder / "kustomization.yaml")["resources"]
    assert all((folder / each).exists() for each in named)
    assert {path.name for path in folder.glob("*.yaml")} - {"kustomization.yaml"} == {
        each for each in named if each.endswith(".yaml")
    }


@every_kustomization
def test_no_two_objects_of_a_kustomization_have_one_name(folder: Path) -> None:
    names = [(kind, each["metadata"]["name"]) for kind in VERSIONS for each in of(folder, kind)]
    assert len(names) == len(set(names))
    assert {each["metadata"]["name"] for each in of(folder, "Namespace")} == {
        document(folder / "kustomization.yaml")["namespace"]
    }


@every_kustomization
def test_what_selects_pods_selects_those_of_the_bot(folder: Path) -> None:
    (workload,) = of(folder, "Deployment") + of(folder, "StatefulSet")
    labels = workload["spec"]["template"]["metadata"]["labels"].items()
    assert workload["spec"]["selector"]["matchLabels"].items() <= labels
    for each in of(folder, "Service"):
        assert each["spec"]["selector"].items() <= labels
    for each in of(folder, "PodDisruptionBudget"):
        assert each["spec"]["selector"]["matchLabels"].items() <= labels
    for each in of(folder, "NetworkPolicy"):
        assert each["spec"]["podSelector"]["matchLabels"].items() <= labels


@every_kustomization
def test_ports_have_one_name_and_number_everywhere(folder: Path) -> None:
    (workload,) = of(folder, "Deployment") + of(folder, "StatefulSet")
    ports = {each["name"]: each["containerPort"] for each in container(workload)["ports"]}
    assert set(ports.values()) <= IMAGE.ports
    offered = {}
    for service in of(folder, "Service"):
        for each in service["spec"]["ports"]:
            assert each["port"] == ports[each["targetPort"]]
            offered[service["metadata"]["name"], each["name"]] = each["port"]
    for ingress in of(folder, "Ingress"):
        (backend,) = (path["backend"]["service"] for rule in ingress["spec"]["rules"] for path in rule["http"]["paths"])
        assert offered[backend["name"], backend["port"]["name"]]
    for policy in of(folder, "NetworkPolicy"):
        assert {each["port"] for rule in policy["spec"]["ingress"] for each in rule["ports"]} == set(ports.values())


@every_workload
def test_its_variables_come_from_what_is_there_and_are_settings(workload: Mapping[str, Any]) -> None:
    named = {each[kind]["name"] for each in container(workload)["envFrom"] for kind in each}
    there = {each["metadata"]["name"]: each for each in OBJECTS.values() if each["kind"] in ("ConfigMap", "Secret")}
    assert named <= there.keys()
    for each in there.values():
        assert (each.get("data") or each["stringData"]).keys() <= VARIABLES.keys()


def test_the_examples_of_secrets_can_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in OBJECTS["secret.example.yaml:Secret:quizbot-secrets"]["stringData"].items():
        monkeypatch.setenv(name, value)
    assert Settings().telegram_token
    assert "/deploy/kubernetes/secret.yaml" in (DEPLOY.parent / ".gitignore").read_text("utf-8").splitlines()


@every_workload
def test_variables_for_services_do_not_look_like_settings(workload: Mapping[str, Any]) -> None:
    assert pod(workload)["enableServiceLinks"] is False


@every_workload
def test_it_runs_as_the_user_of_the_image_without_any_right(workload: Mapping[str, Any]) -> None:
    whole, own = pod(workload)["securityContext"], container(workload)["securityContext"]
    assert whole["runAsNonRoot"] is True
    assert {whole["runAsUser"], whole["runAsGroup"], whole["fsGroup"]} == {IMAGE.user}
    assert whole["seccompProfile"] == {"type": "RuntimeDefault"}
    assert own == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert pod(workload)["automountServiceAccountToken"] is False


@every_workload
def test_it_can_write_where_it_has_to(workload: Mapping[str, Any]) -> None:
    mounts = {each["name"]: each["mountPath"] for each in container(workload)["volumeMounts"]}
    volumes = {each["name"] for each in pod(workload)["volumes"]}
    claims = {each["metadata"]["name"] for each in workload["spec"].get("volumeClaimTemplates", [])}
    assert mounts.keys() == volumes | claims
    assert "/tmp" in mounts.values()  # noqa: S108  # of the container
    assert (IMAGE.last("WORKDIR") in mounts.values()) == (workload["kind"] == "StatefulSet")


@every_workload
def test_it_is_asked_how_it_is_where_it_answers(workload: Mapping[str, Any]) -> None:
    settings = OBJECTS["postgres/settings.yaml:ConfigMap:quizbot-settings"]["data"]
    ports = {each["name"]: each["containerPort"] for each in container(workload)["ports"]}
    assert ports["health"] == forms.place(settings["QUIZBOT_HEALTH_LISTEN"])[1]
    probes = {
        name: container(workload)[name]["httpGet"] for name in ("startupProbe", "livenessProbe", "readinessProbe")
    }
    assert {each["port"] for each in probes.values()} == {"health"}
    assert [each["path"] for each in probes.values()] == ["/healthz", "/healthz", "/readyz"]
    asked = workload["spec"]["template"]["metadata"]["annotations"]
    assert asked["prometheus.io/port"] == str(ports["health"])


@every_workload
def test_it_has_time_to_stop_in_order(workload: Mapping[str, Any]) -> None:
    assert pod(workload)["terminationGracePeriodSeconds"] >= 2 * (DRAIN + FAREWELL) + 5


@every_workload
def test_it_starts_the_bot_from_the_image_that_the_kustomization_names(workload: Mapping[str, Any]) -> None:
    assert not list(faults(container(workload)["args"]))
    for folder in KUSTOMIZATIONS:
        if workload in of(folder, workload["kind"]) and "images" in (there := document(folder / "kustomization.yaml")):
            assert [each["name"] for each in there["images"]] == [container(workload)["image"]]


def test_on_postgresql_an_upgrade_takes_no_process_away_before_another_serves() -> None:
    spec = OBJECTS["postgres/deployment.yaml:Deployment:quizbot"]["spec"]
    assert spec["replicas"] == 3
    assert spec["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    assert OBJECTS["postgres/disruptions.yaml:PodDisruptionBudget:quizbot"]["spec"]["maxUnavailable"] == 1


def test_on_sqlite_there_is_one_process_with_a_volume_that_only_it_has() -> None:
    spec = OBJECTS["sqlite/statefulset.yaml:StatefulSet:quizbot"]["spec"]
    assert spec["replicas"] == 1
    assert [each["spec"]["accessModes"] for each in spec["volumeClaimTemplates"]] == [["ReadWriteOncePod"]]


def test_the_webhook_is_where_the_ingress_takes_updates() -> None:
    (patch,) = document(FOLDER / "webhook" / "kustomization.yaml")["patches"]
    (rule,) = OBJECTS["webhook/ingress.yaml:Ingress:quizbot"]["spec"]["rules"]
    (path,) = rule["http"]["paths"]
    assert f"/data/QUIZBOT_TELEGRAM_WEBHOOK_URL\n  value: https://{rule['host']}{path['path']}\n" in patch["patch"]
    assert "/data/QUIZBOT_TELEGRAM_WEBHOOK_LISTEN\n  value: 0.0.0.0:8080" in patch["patch"]


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed")
@every_kustomization
def test_kubectl_puts_it_together(folder: Path, tmp_path: Path) -> None:
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(tmp_path), "KUBECONFIG": "/dev/null"}
    command = ["kubectl", "kustomize", str(folder)]
    done = subprocess.run(command, capture_output=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr.decode()
    assert b"kind: " in done.stdout
