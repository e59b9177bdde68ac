"""The lab's board: the firmware in its emulator, on USB by the kernel's own drivers.

The kernel's ACM gadget acts as the board's USB chip, and dummy_hcd as the USB socket. `scripts/lab`
starts the machine that has both.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import subprocess
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from hardware.emulator import EmulatorError, Paced, Shown
from hardware.rungs import PortRung

BY_ID: Final = Path("/dev/serial/by-id")
_GADGET: Final = Path("/dev/ttyGS0")
_BUS: Final = Path("/sys/kernel/debug/usb/usbmon/0u")
_MODULES: Final = (("usbmon",), ("dummy_hcd",), ("g_serial", "use_acm=1"))
#: An emulated processor is slow: udev may need so many seconds to name a device.
_PATIENCE_S: Final = 120.0


class Heard(Paced):
    """The emulator in real time, with a record of all that the board has shown."""

    def __init__(self, build: str = "hc595") -> None:
        self.history: list[Shown] = []
        self._us, self._when = 0, time.monotonic()
        super().__init__(build)

    def hear(self) -> dict[str, Any]:
        """Take a line from the emulator. Record what the board shows, if that has changed."""
        heard = super().hear()
        if "us" in heard:
            self._us, self._when = heard["us"], time.monotonic()
        if not heard.keys() & {"ok", "error", "pty"}:
            self.history.append(self.seen)
        return heard

    @property
    def us(self) -> int:
        """The microseconds since the board was switched on, reckoned from the last line read."""
        return self._us + round((time.monotonic() - self._when) * 1e6)


class PacedRung(PortRung):
    """The firmware in real time at a port. Commands move the board's contacts.

    The emulator reports what the board shows.
    """

    def __init__(self, board: Heard, path: str) -> None:
        super().__init__(path)
        self._board = board
        board.command("snap")

    @property
    def us(self) -> int:
        """Microseconds since the board was switched on."""
        return self._board.us

    @property
    def seen(self) -> Shown:
        """What a person in front of the board sees."""
        return self._board.seen

    @property
    def history(self) -> list[Shown]:
        """All that the board has shown, in order."""
        return list(self._board.history)

    def command(self, command: str) -> None:
        """Give any command of `firmware/emulator/main.c`."""
        self._board.command(command)


class Usb:
    """The USB chip of a Nano: passes bytes both ways, and resets the board when DTR rises."""

    def __init__(self, board: Paced) -> None:
        self.board, self._stop = board, threading.Event()
        self.raised = 0  # how often DTR rose
        self._bus, self._board = _opened(str(_GADGET)), _opened(board.path)
        self._works = [threading.Thread(target=work) for work in (self._carry, self._watch)]
        for work in self._works:
            work.start()

    def close(self) -> None:
        """Close the chip. The board stays as it is."""
        self._stop.set()
        for work in self._works:
            work.join()
        os.close(self._bus)
        os.close(self._board)

    def _carry(self) -> None:
        while not self._stop.is_set():
            for end in select.select([self._bus, self._board], [], [], 0.1)[0]:
                try:
                    said = os.read(end, 4096)
                    os.write(self._board if end == self._bus else self._bus, said)
                except BlockingIOError:
                    continue
                except OSError:
                    said = b""
                if not said and end == self._bus:  # hung up by the kernel: the plug was pulled
                    os.close(self._bus)
                    self._bus = _opened(str(_GADGET))
                    self._stop.wait(0.05)

    def _watch(self) -> None:
        """Watch for DTR on the bus, because the gadget itself does not report DTR."""
        high, rest = False, ""
        with _BUS.open() as bus:
            os.set_blocking(bus.fileno(), False)
            while not self._stop.is_set():
                select.select([bus], [], [], 0.1)
                try:
                    rest += os.read(bus.fileno(), 65536).decode()
                except BlockingIOError:
                    continue
                *lines, rest = rest.split("\n")
                for line in lines:
                    words = line.split()
                    if words[2] == "S" and words[4:7] == ["s", "21", "22"]:
                        rises = int(words[7], 16) & 1 and not high
                        high = bool(int(words[7], 16) & 1)
                        if rises:
                            self.raised += 1
                            self.board.command("reset")


def _opened(path: str) -> int:
    """Open a line that carries bytes as they are, without waiting. Return its file descriptor."""
    handle = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)
    tty.setraw(handle)
    return handle


@contextlib.contextmanager
def lab() -> Iterator[PacedRung]:
    """Yield the lab's board. Raises EmulatorError on any machine but the lab's."""
    if socket.gethostname() != "lab":
        raise EmulatorError(
            "This machine is no lab, and loads no kernel modules: play the scenario there with "
            "`scripts/lab hardware/scenarios --board lab`."
        )
    for module in _MODULES:
        subprocess.run(["modprobe", *module], check=True)  # noqa: S603, S607  the lab's own
    _until(_GADGET.exists, "the gadget's side")
    with Heard() as board, contextlib.closing(Usb(board)):
        _until(lambda: BY_ID.exists() and any(BY_ID.iterdir()), "a name of the board by its id")
        with contextlib.closing(PacedRung(board, str(next(BY_ID.iterdir())))) as rung:
            yield rung


def _until(holds: Any, what: str) -> None:
    end = time.monotonic() + _PATIENCE_S
    while not holds():
        if time.monotonic() > end:
            raise EmulatorError(f"The lab never had {what}.")
        time.sleep(0.05)
