"""The embedded broker: Debian's Mosquitto as a child of this process, for this machine only.

The module knows accounts and a port, but no table and no event. At each start it writes the
broker's configuration into a folder that nobody else may enter. The configuration has the same
parts as for a Mosquitto elsewhere (`mosquitto.py`). The folder also has a socket for the table
itself, so that other clients cannot crowd the table out.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from firmware_bridge.trouble import Trouble
from table_controller.adapters import mosquitto
from table_controller.adapters.addresses import CannotServe, is_loopback, listening
from table_controller.adapters.broker_rules import BrokerAccount
from table_controller.adapters.children import Child, user_of_mosquitto

#: Seconds within which it must serve, and the interval between checks meanwhile.
READY_S: Final = 5.0
LOOK_S: Final = 0.002


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
        self._child: Child | None = None

    @property
    def serves(self) -> bool:
        """Whether Mosquitto runs now."""
        return self._child is not None and self._child.runs

    @property
    def pid(self) -> int | None:
        """Mosquitto's process number; None while Mosquitto does not run."""
        return self._child.pid if self._child and self._child.runs else None

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
            if not any_port:
                raise
            self.port = 0  # somebody may have taken the port before Mosquitto did
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
        if self._child is None:
            return
        why = await self._child.ended()
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
        his = user_of_mosquitto()
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
        config = str(folder / "mosquitto.conf")
        child = self._child = await Child.begin(name, "-c", config, folder=folder, env={})
        with suppress(TimeoutError):
            async with asyncio.timeout(READY_S):
                while child.runs:
                    if await _answers(folder / "table.sock"):
                        return
                    await asyncio.sleep(LOOK_S)
        if child.runs:
            raise CannotServe(
                Trouble("Mosquitto did not serve within {s} s. It begins again.", s=round(READY_S))
            )
        why = await child.ended()
        raise CannotServe(Trouble("Mosquitto did not start ({error}).", error=why))

    async def _end(self) -> None:
        if self._child:
            await self._child.end()
        self._child = None


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


async def _answers(door: Path) -> bool:
    """Whether a process listens at this Unix socket."""
    try:
        _, line = await asyncio.open_unix_connection(door)
    except OSError:
        return False
    line.close()
    return True
