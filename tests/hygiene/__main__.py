"""Looks the repository over: secrets, pins, and what is known against those. Prints, and decides nothing."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import click

from tests.hygiene import advisories, pins, secrets
from tests.hygiene.files import ROOT, files


def main() -> int:
    """The exit code: 1 when something has to be mended."""
    looked_over = files(ROOT)
    audit = advisories.asked(ROOT / pins.DEVELOPED, datetime.now(UTC).date())
    faults = [*map(str, secrets.secrets(ROOT, looked_over)), *pins.faults(ROOT), *audit.faults]
    for fault in faults:
        click.echo(fault, err=True)
    click.echo(f"{len(looked_over)} files without a secret, pins that fit; {audit.said}" if not faults else audit.said)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
