"""The board in an emulator. simavr runs the same ELF file that avrdude would flash.

`Paced` runs in real time behind a pty and is opened like any board (`schlitten demo --board
emulated`). The tests use an emulator that runs only when commanded, and then as fast as it can. The
module must not know the meaning of what the board shows. The module reports what a person in front
of the board would see.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import IO, Any, Final, Self

#: The firmware's folder. SCHLITTEN_FIRMWARE may name another folder, such as a copy with a planted
#: bug.
FIRMWARE: Final = Path(
    os.environ.get("SCHLITTEN_FIRMWARE") or Path(__file__).parent / "firmware"
).absolute()
BUILDS: Final = ("hc595", "apa102")
_PACKAGES: Final = "gcc-avr avr-libc simavr libsimavr-dev libelf-dev gcc make"


class EmulatorError(Exception):
    """The emulator cannot be built, or has stopped. The text names the remedy."""


class ToolsMissing(EmulatorError):
    """The tools that build the firmware are not installed here."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a person sees on the board, `us` microseconds after the board was switched on."""

    us: int = 0
    lamps: str = "0" * 12  # by seat a digit of colour bits: 1 red, 2 green, 4 blue, 8 it glares
    display_1: str = ""  # eight characters, empty while the display is off
    display_2: str = ""
    buzzer: bool = False


def built(target: str) -> Path:
    """Build `make TARGET` from the firmware's present sources. Return the folder of the result.

    Each state of the sources has its own folder, which appears whole or not at all. So programs
    that run at the same time (test workers) may ask for the same state. Raises ToolsMissing, or
    EmulatorError with make's output.
    """
    wanted = FIRMWARE / "build" / f"{_digest()}-{target}"
    if not wanted.is_dir():
        _need_tools()
        try:
            wanted.parent.mkdir(exist_ok=True)
            with _alone(wanted.parent / "lock"):
                if not wanted.is_dir():  # another process may have built it while we waited
                    _build(target, wanted)
        except OSError as error:
            raise EmulatorError(f"cannot build the firmware: {error}") from error
    return wanted


def _build(target: str, wanted: Path) -> None:
    with TemporaryDirectory(dir=wanted.parent) as scratch:
        made = Path(scratch) / target
        made.mkdir()
        _make(target, made)
        made.rename(wanted)


def _digest() -> str:
    """The digest of everything that `make` reads.

    The folders in `build` are skipped, as they may vanish meanwhile.
    """
    digest = sha256()
    sources = [*FIRMWARE.glob("*.[ch]"), *FIRMWARE.glob("*/*.[ch]")]
    for path in sorted([FIRMWARE / "Makefile", *sources]):
        text = path.read_bytes()
        digest.update(f"{path.relative_to(FIRMWARE)} {len(text)}\n".encode() + text)
    return digest.hexdigest()[:16]


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Hold a lock against other processes. If this process dies, the lock is released."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _need_tools() -> None:
    missing = [tool for tool in ("make", "gcc", "avr-gcc") if not shutil.which(tool)]
    if missing:
        raise ToolsMissing(f"no {' and no '.join(missing)} here: install {_PACKAGES}")


def _make(target: str, folder: Path) -> None:
    done = subprocess.run(  # noqa: S603  our own Makefile
        ["make", "-C", FIRMWARE, f"BUILD={folder.relative_to(FIRMWARE)}", target],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise EmulatorError(f"make {target} failed (it needs {_PACKAGES}):\n{done.stderr}")


def elf(build: str = "hc595") -> Path:
    """The firmware's ELF file for a lamp build, as made by `make`."""
    return built("all") / f"board-{build}.elf"


class Emulator:
    """The emulator as a child process: takes a command in each line, answers with lines of JSON."""

    def __init__(self, mode: str, build: str) -> None:
        self._child = subprocess.Popen(  # noqa: S603  our own program
            [built("emulator") / "emulator", elf(build), mode],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            start_new_session=True,  # Ctrl-C is for the program that started it
        )
        self.seen = Shown()

    def say(self, command: str) -> None:
        try:
            _open(self._child.stdin).write(command + "\n")
            _open(self._child.stdin).flush()
        except BrokenPipeError:
            raise EmulatorError("the emulator has stopped") from None

    def hear(self) -> dict[str, Any]:
        line = _open(self._child.stdout).readline()
        if not line:
            raise EmulatorError("the emulator has stopped")
        heard: dict[str, Any] = json.loads(line)
        if not heard.keys() & {"ok", "error", "pty"}:
            self.seen = replace(self.seen, **heard)
        return heard

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _open(self._child.stdin).close()
        self._child.wait()
        _open(self._child.stdout).close()


def _open(pipe: IO[str] | None) -> IO[str]:
    assert pipe is not None
    return pipe


class Paced(Emulator):
    """The emulator in real time. Open `path` like a board's port."""

    def __init__(self, build: str = "hc595") -> None:
        super().__init__("--pty", build)
        self.path: str = self.hear()["pty"]
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        try:
            while True:
                self.hear()
        except (EmulatorError, ValueError):  # the emulator ended, or its pipe was closed
            return

    def command(self, command: str) -> None:
        """Send a command listed in `firmware/emulator/main.c`, such as `button 3 1`."""
        self.say(command)

    def shown(self) -> Shown:
        """Return what a person in front of the board sees now."""
        return self.seen
