"""Programs that run as children of this one, and end whenever this one ends."""

from __future__ import annotations

import asyncio
import os
import pwd
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

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


class Child:
    """A running child. The end of what it writes to its standard error says why it ended."""

    def __init__(self, process: Process) -> None:
        self._process, self.said = process, b""
        self._hearing = asyncio.create_task(self._hear())

    @classmethod
    async def begin(
        cls, *words: str, folder: Path | None = None, env: dict[str, str] | None = None,
        as_us: bool = False, tells: bool = False,
    ) -> Self:  # fmt: skip
        """Start a program in a folder. Root starts it as `with_us` says. Raises OSError.

        `tells` says that its output is read (`line`). Ctrl-C at a terminal is for us, and not for
        the child.
        """
        return cls(
            await asyncio.create_subprocess_exec(
                *with_us(*words, as_us=as_us),
                stdin=DEVNULL, stdout=PIPE if tells else DEVNULL, stderr=PIPE, cwd=folder, env=env,
                process_group=0,
            )
        )  # fmt: skip

    @property
    def runs(self) -> bool:
        """Whether it runs now."""
        return self._process.returncode is None

    @property
    def pid(self) -> int:
        """Its process number."""
        return self._process.pid

    async def line(self) -> bytes:
        """Its next line of output; b"" if it ended."""
        assert self._process.stdout is not None
        return await self._process.stdout.readline()

    async def ended(self) -> str:
        """Wait until it has ended. Return its last line, or else how it ended."""
        code = await self._process.wait()
        await asyncio.shield(self._hearing)
        if last := self.said.decode(errors="replace").strip().splitlines()[-1:]:
            return (last[0].partition(": ")[2] or last[0]).rstrip(".")  # without the time stamp
        return f"killed by signal {-code}" if code < 0 else f"exit code {code}"

    async def end(self) -> None:
        """Kill it: it has nothing to save."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
        await self._hearing
        if self._process.stdout:
            await self._process.stdout.read()  # until its end: only then is the pipe closed

    async def _hear(self) -> None:
        """Read its errors and remember the last part. If nobody read them, it would block."""
        assert self._process.stderr is not None
        while said := await self._process.stderr.read(4096):
            self.said = (self.said + said)[-_KEPT:]


def with_us(*words: str, parent: int = 0, as_us: bool = False) -> tuple[str, ...]:
    """Return a command line that starts a program, and ends it when this process ends.

    If `parent` is the number of another process, the program ends when that process ends. Root
    starts the program under Mosquitto's user, unless it shall run `as_us`.
    """
    whose = (parent or os.getpid(), *((0, 0) if as_us else user_of_mosquitto()))
    return (sys.executable, "-I", "-S", "-c", _WITH_US, *map(str, whose), *words)


def user_of_mosquitto() -> tuple[int, int]:
    """Return the user and group under which Mosquitto runs if we are root.

    Otherwise return (0, 0), which means our own user and group.
    """
    if os.geteuid() == 0:
        for name in ("mosquitto", "nobody"):
            with suppress(KeyError):
                found = pwd.getpwnam(name)
                return found.pw_uid, found.pw_gid
    return 0, 0
