"""The embedded broker: Debian's Mosquitto as a child of this process, for this machine only.

The module knows accounts and a port, but no table and no event. At each start it writes the
broker's configuration into a folder that nobody else may enter. The configuration has the same
parts as for a Mosquitto elsewhere (`mosquitto.py`). The folder also has a socket for the table
itself, so that other clients cannot crowd the table out.
"""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from firmware_bridge.trouble import Trouble
from table_controller.adapters import mosquitto
from table_controller.adapters.addresses import CannotServe, is_loopback, listening
from table_controller.adapters.broker_rules import BrokerAccount

#: Seconds within which it must serve, and the interval between checks meanwhile.
READY_S: Final = 5.0
LOOK_S: Final = 0.002
#: A script that starts the program named by its later arguments, unless the process named by the
#: first one has already ended. The kernel kills the program as soon as that process ends, however
#: it ends (prctl's PDEATHSIG). As root, the script changes its user first, since doing so
#: afterwards would clear PDEATHSIG.
_WITH_US: Final = """
import ctypes, os, sys
parent, user, group = map(int, sys.argv[1:4])
if user:
    os.setgroups([])
    os.setgid(group)
    os.setuid(user)
ctypes.CDLL(None).prctl(1, 9)
if os.getppid() == parent:
    os.execv(sys.argv[4], sys.argv[4:])
"""
#: How much of the end of its output is kept. The last line says why it ended.
_KEPT: Final = 1000


class EmbeddedBroker:
    """Our own Mosquitto. After it has `ended`, `start` can start it again; `stop` is final."""

    #: Whether its port speaks TLS, so that it may serve a network.
    TLS = False

    def __init__(
        self, accounts: Iterable[BrokerAccount], *, host: str = "127.0.0.1", port: int = 1883
    ) -> None:
        """Port 0 takes any free port. Raises CannotServe for an address beyond this machine."""
        if not is_loopback(host) and not self.TLS:
            raise CannotServe(
                Trouble(
                    "The embedded broker serves this machine only, not {host}: want 127.0.0.1 "
                    "or {v6}. For a network, set up a Mosquitto with TLS "
                    "(systemd/mosquitto/README.md).",
                    host=repr(host),
                    v6="::1",
                )
            )
        self.host, self.port = host, port
        self._accounts = tuple({account.user.name: account for account in accounts}.values())
        self._folder: TemporaryDirectory[str] | None = None
        self._child: Process | None = None
        self._hearing: asyncio.Task[None] | None = None
        self._said = b""

    @property
    def serves(self) -> bool:
        """Whether Mosquitto runs now."""
        return self._child is not None and self._child.returncode is None

    @property
    def pid(self) -> int | None:
        """Mosquitto's process number; None while Mosquitto does not run."""
        return self._child.pid if self._child and self.serves else None

    @property
    def socket(self) -> Path | None:
        """The socket that only the table uses.

        It stays the same until `stop`; None before `start`.
        """
        return Path(self._folder.name, "table.sock") if self._folder else None

    async def start(self) -> None:
        """Start Mosquitto.

        Raises CannotServe with the remedy if it is missing or does not answer.
        """
        any_port = self.port == 0
        try:
            await self._start()
        except CannotServe:
            if not any_port or b"in use" not in self._said:
                raise
            self.port = 0  # somebody took the port before Mosquitto did
            await self._start()

    async def _start(self) -> None:
        name = program()
        with listening(self.host, self.port) as free:
            self.port = free.getsockname()[1]
        try:
            folder = self._prepared()
            await self._begin(name, folder)
        except OSError as error:
            await self._end()
            if isinstance(error, CannotServe):
                raise
            raise CannotServe(
                Trouble("The embedded broker cannot be started: {error}.", error=str(error))
            ) from error
        except asyncio.CancelledError:
            await self._end()
            raise

    async def ended(self) -> None:
        """Wait until Mosquitto has ended, then raise CannotServe with the reason."""
        child = self._child
        if child is None:
            return
        await child.wait()
        why = await self._why(child)
        raise CannotServe(
            Trouble("The embedded broker ended ({error}). It begins again.", error=why)
        )

    async def stop(self) -> None:
        """End Mosquitto, which frees the port, and remove its folder.

        Does nothing if Mosquitto is not running.
        """
        await self._end()
        if self._folder:
            self._folder.cleanup()
        self._folder = None

    def _prepared(self) -> Path:
        """Write the files that Mosquitto reads when it starts. Return their folder.

        Nobody else can read them. Raises OSError.
        """
        if self._folder is None:
            place = os.environ.get("RUNTIME_DIRECTORY") or None  # systemd's, gone with the service
            self._folder = TemporaryDirectory(
                prefix="schlitten-broker-", dir=place, ignore_cleanup_errors=True
            )
        folder = Path(self._folder.name)
        texts = self._texts(folder)
        his = _its_user()
        Path(folder, "table.sock").unlink(missing_ok=True)
        for name, text in texts.items():
            file = folder / name
            file.unlink(missing_ok=True)
            file.touch(0o600)
            file.write_text(text)
            if his != (0, 0):
                os.chown(file, *his)
        if his != (0, 0):
            os.chown(folder, *his)
        return folder

    def _texts(self, folder: Path) -> dict[str, str]:
        """The text of each file that Mosquitto reads, by the file's name."""
        return {
            "passwords": mosquitto.passwords(self._accounts),
            "acl": mosquitto.acl(account.user for account in self._accounts),
            "mosquitto.conf": mosquitto.embedded(folder, self.host, self.port),
        }

    async def _begin(self, name: str, folder: Path) -> None:
        """Start Mosquitto, and wait until it can be reached. Raises CannotServe, OSError."""
        child = self._child = await asyncio.create_subprocess_exec(
            *with_us(name, "-c", str(folder / "mosquitto.conf")),
            stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE, cwd=folder, env={},
            process_group=0,  # Ctrl-C at a terminal is for us; the broker is stopped after that
        )  # fmt: skip
        self._said = b""
        self._hearing = asyncio.create_task(self._hear(child))
        with suppress(TimeoutError):
            async with asyncio.timeout(READY_S):
                while child.returncode is None:
                    if await _answers(folder / "table.sock"):
                        return
                    await asyncio.sleep(LOOK_S)
        if child.returncode is None:
            raise CannotServe(
                Trouble("Mosquitto did not serve within {s} s. It begins again.", s=round(READY_S))
            )
        why = await self._why(child)
        raise CannotServe(Trouble("Mosquitto did not start ({error}).", error=why))

    async def _hear(self, child: Process) -> None:
        """Read Mosquitto's output and remember the last part of the output.

        If nobody read it, Mosquitto would block.
        """
        assert child.stderr is not None
        while said := await child.stderr.read(4096):
            self._said = (self._said + said)[-_KEPT:]

    async def _why(self, child: Process) -> str:
        """The last line of Mosquitto's output, or how Mosquitto ended."""
        if self._hearing:
            await self._hearing
        if last := self._said.decode(errors="replace").strip().splitlines()[-1:]:
            return (last[0].partition(": ")[2] or last[0]).rstrip(".")  # without the time stamp
        code = child.returncode or 0
        return f"killed by signal {-code}" if code < 0 else f"exit code {code}"

    async def _end(self) -> None:
        if self._child is None:
            return
        with suppress(ProcessLookupError):
            self._child.kill()  # it has nothing to save
        await self._child.wait()
        if self._hearing:
            await self._hearing
        self._child = self._hearing = None


def program() -> str:
    """Mosquitto's path, found even if PATH lacks the sbin folders. Raises CannotServe."""
    paths = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"))
    if found := shutil.which("mosquitto", path=paths):
        return found
    raise CannotServe(
        Trouble(
            "Mosquitto is not on this machine, so there is no broker here; all else is served. "
            "`sudo apt install mosquitto`, or set [broker] kind = 'none'."
        )
    )


def with_us(*words: str, parent: int = 0) -> tuple[str, ...]:
    """Return a command line that starts a program, and ends it when this process ends.

    If `parent` is the number of another process, the program ends when that process ends.
    """
    whose = (parent or os.getpid(), *_its_user())
    return (sys.executable, "-I", "-S", "-c", _WITH_US, *map(str, whose), *words)


def _its_user() -> tuple[int, int]:
    """Return the user and group under which Mosquitto runs if we are root.

    Otherwise return (0, 0), which means our own user and group.
    """
    if os.geteuid() == 0:
        for name in ("mosquitto", "nobody"):
            with suppress(KeyError):
                found = pwd.getpwnam(name)
                return found.pw_uid, found.pw_gid
    return 0, 0


async def _answers(door: Path) -> bool:
    """Whether a process listens at this Unix socket."""
    try:
        _, line = await asyncio.open_unix_connection(door)
    except OSError:
        return False
    line.close()
    return True
