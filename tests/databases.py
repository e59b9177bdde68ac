"""Databases for the floor's tests: SQLite in a folder, and a PostgreSQL of this test run's own.

`pytest --store sqlite` or `--store postgresql` plays one of them; without it, both are played where
PostgreSQL is installed. The server is private: its data are in a temporary folder, and it listens
on a socket there alone. As root it runs as Debian's user `postgres`, since it refuses root.
"""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

import pytest

from tests.limits import PATIENCE_S

STORES: Final = ("sqlite", "postgresql")
#: A test kills processes, never the machine: no flush to the disk could be missed.
QUICK: Final = ("-F",)


def programs() -> Path | None:
    """The folder of PostgreSQL's programs, the newest; None: it is not installed."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda one: int(one.parts[-3])
    )
    return found[-1].parent if found else None


class Postgres:
    """A private server. Can die and come again; `url` makes a new empty database."""

    def __init__(self, *, durable: bool = False) -> None:
        """Not `durable`: nothing is flushed, which no process notices."""
        bin_ = programs()
        assert bin_ is not None, "no PostgreSQL here: apt install postgresql"
        self._bin, self._options = bin_, () if durable else QUICK
        self.folder = Path(mkdtemp(prefix="pg-", dir="/tmp"))  # short: a socket's path is
        self._as = _as_postgres(self.folder)
        self._numbers = itertools.count(1)
        call = [*self._as, str(bin_ / "initdb"), "-D", str(self.folder / "data"), "-A", "trust"]
        call += ["-U", "floor", "-N", "-E", "UTF8", "--locale=C.UTF-8"]
        subprocess.run(call, check=True, capture_output=True, cwd=self.folder, timeout=PATIENCE_S)
        self._process: subprocess.Popen[bytes]
        self.start()

    def start(self) -> None:
        """Serve; return once it answers.

        After a kill, PostgreSQL does not begin while a process of its sessions still ends, since
        both would write to the same data. It is begun again until none is left.
        """
        self._begin()
        until = time.monotonic() + PATIENCE_S
        ready = (self._bin / "pg_isready", "-q", "-h", self.folder, "-U", "floor", "-d", "postgres")
        while subprocess.run(ready, check=False).returncode:
            log = self.folder / "log"
            assert time.monotonic() < until, f"postgres does not answer: {log.read_text()[-500:]}"
            if self._process.poll() is not None:
                self._begin()
            time.sleep(0.02)

    def _begin(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *self._as, self._bin / "postgres", "-D", self.folder / "data", "-h", "",
                    "-k", self.folder, *self._options,
                ],
                cwd=self.folder, stdout=subprocess.DEVNULL, stderr=log,
            )  # fmt: skip

    def url(self) -> str:
        """The address of a new database."""
        name = f"floor_{next(self._numbers)}"
        self.say(f"create database {name} template template0")
        return f"postgresql://floor@/{name}?host={self.folder}"

    def say(self, statement: str, database: str = "postgres") -> None:
        """Say it as the owner of all."""
        call = (self._bin / "psql", "-qX", "-h", self.folder, "-U", "floor", "-d", database)
        subprocess.run([*call, "-tc", statement], check=True, timeout=PATIENCE_S)

    @property
    def pid(self) -> int:
        """The process that starts one for every session."""
        return self._process.pid

    @property
    def serves(self) -> bool:
        """Whether PostgreSQL runs now."""
        return self._process.poll() is None

    def kill(self) -> None:
        """Kill it as kill -9 does, with every process of its sessions."""
        self._process.kill()
        self._process.wait(PATIENCE_S)

    def stop(self) -> None:
        """End it, and remove its data."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(PATIENCE_S)
        shutil.rmtree(self.folder, ignore_errors=True)


def _as_postgres(folder: Path) -> tuple[str, ...]:
    """The beginning of a command that ends with us; as root, it also gives root up."""
    if os.geteuid():
        return ("setpriv", "--pdeathsig", "INT", "--")
    shutil.chown(folder, "postgres", "postgres")
    who = ("--reuid", "postgres", "--regid", "postgres", "--init-groups")
    return ("setpriv", *who, "--pdeathsig", "INT", "--")


def add_option(parser: Any) -> None:
    """Add `--store`."""
    parser.addoption("--store", choices=STORES, help="play the floor's tests on this one alone")


def pytest_generate_tests(metafunc):
    asked = metafunc.config.getoption("--store")
    there = STORES if programs() else STORES[:1]
    for name in {"databases", "shared_url"} & {*metafunc.fixturenames}:
        metafunc.parametrize(name, [asked] if asked else there, indirect=True)


@pytest.fixture(scope="session")
def postgres():
    server = Postgres()
    yield server
    server.stop()


@pytest.fixture
def databases(request, tmp_path):
    """A function that returns the address of a new empty database of the store under test."""
    if request.param == "postgresql":
        return request.getfixturevalue("postgres").url
    numbers = itertools.count(1)

    def made():
        folder = tmp_path / f"db-{next(numbers)}"
        folder.mkdir()
        return f"sqlite:///{folder / 'floor.db'}"

    return made


@pytest.fixture(scope="module")
def shared_url(request, tmp_path_factory):
    """The address of a new empty database, which all tests of a file share."""
    if request.param == "postgresql":
        return request.getfixturevalue("postgres").url()
    return f"sqlite:///{tmp_path_factory.mktemp('floor') / 'floor.db'}"


@pytest.fixture
def url(databases):
    """The address of a new empty database."""
    return databases()
