"""The locks fit pyproject, and whatever does not fit is named with what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hygiene.files import ROOT
from tests.hygiene.pins import faults

HASH = f"--hash=sha256:{'0' * 64}"
PYPROJECT = """
[project]
dependencies = [
    "click>=8.3,<9",   # the command line
]
[project.optional-dependencies]
pictures = ["matplotlib>=3.10"]  # draws
[dependency-groups]
build = ["setuptools>=80"]  # builds
dev = [
    "pytest>=9",  # the tests
]
"""
USED = f"""
click==8.3.1 \\
    {HASH}
    # via quizbot (pyproject.toml)
colorama==0.4.6 ; sys_platform == 'win32' \\
    {HASH} \\
    {HASH}
    # via click
matplotlib==3.10.1 \\
    {HASH}
    # via
    #   quizbot (pyproject.toml)
setuptools==80.9.0 \\
    {HASH}
    # via quizbot (pyproject.toml:build)
"""
DEVELOPED = f"""{USED}pytest==9.1.0 \\
    {HASH}
    # via quizbot (pyproject.toml:dev)
"""


def found(folder: Path, pyproject: str = PYPROJECT, used: str = USED, developed: str | None = None) -> list[str]:
    """The faults of a repository with these files; what is changed in the one lock is changed in the other."""
    (folder / "pyproject.toml").write_text(pyproject)
    (folder / "requirements.lock").write_text(used)
    (folder / "requirements-dev.lock").write_text(DEVELOPED.replace(USED, used) if developed is None else developed)
    return list(faults(folder))


def test_what_fits_is_no_fault(tmp_path: Path) -> None:
    assert found(tmp_path) == []


def test_what_is_here_fits() -> None:
    assert list(faults(ROOT)) == []


@pytest.mark.parametrize(
    ("pyproject", "said"),
    [
        (("click>=8.3,<9", "click>=8.4,<9"), "asks for click<9,>=8.4, and the lock has 8.3.1: run: make lock"),
        (("matplotlib>=3.10", "pillow>=12"), "asks for pillow>=12, and the lock lacks it"),
        (("matplotlib>=3.10", "pillow>=12"), "matplotlib is pinned, and pyproject.toml asks for it no more"),
        (("setuptools>=80", "setuptools>=90"), "requirements.lock: pyproject.toml asks for setuptools>=90"),
        (("pytest>=9", "pytest>=10"), "requirements-dev.lock: pyproject.toml asks for pytest>=10"),
        (("# the command line", ""), "click>=8.3,<9 has no reason"),
        (("# draws", "#"), "matplotlib>=3.10 has no reason"),
    ],
)
def test_what_pyproject_asks_for_is_pinned_with_a_reason(pyproject: tuple[str, str], said: str, tmp_path: Path) -> None:
    assert said in "\n".join(found(tmp_path, PYPROJECT.replace(*pyproject)))


@pytest.mark.parametrize(
    ("lock", "said"),
    [
        ((f"click==8.3.1 \\\n    {HASH}", "click==8.3.1"), "click has no hash"),
        ((HASH, "--hash=sha256:0"), "colorama has no hash"),
        (("click==8.3.1", "click>=8.3.1"), "is no pin of one version"),
        (("click==8.3.1", "--index-url https://example.org/simple\nclick==8.3.1"), "is no pin of one version"),
        (("click==8.3.1", "-e ./click\nclick==8.3.1"), "is no pin of one version"),
        (("click==8.3.1", "click @ https://example.org/click.zip"), "is no pin of one version"),
    ],
)
def test_a_pin_is_one_version_with_hashes(lock: tuple[str, str], said: str, tmp_path: Path) -> None:
    assert said in "\n".join(found(tmp_path, used=USED.replace(*lock)))


@pytest.mark.parametrize(("change", "said"), [("8.3.2", "click is 8.3.1 in requirements.lock, and as 8.3.2 here")])
def test_what_is_tested_is_what_is_installed(change: str, said: str, tmp_path: Path) -> None:
    assert said in "\n".join(found(tmp_path, developed=DEVELOPED.replace("click==8.3.1", f"click=={change}")))
