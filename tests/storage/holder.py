"""A process that opens a database file and holds it until its standard input ends: python -m tests.storage.holder FILE.

Says `open` once it has it, or else why not, and ends with 1.
"""

from __future__ import annotations

import asyncio
import sys

from bot.ports import StoreError
from bot.storage.sqlite import open_sqlite
from tests.storage.building import PLATFORM


async def hold(path: str) -> int:
    try:
        store = await open_sqlite(path, [PLATFORM])
    except StoreError as error:
        sys.stdout.write(f"{error}\n")
        return 1
    sys.stdout.write("open\n")
    sys.stdout.flush()
    sys.stdin.read()
    await store.close()
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(hold(sys.argv[1])))
