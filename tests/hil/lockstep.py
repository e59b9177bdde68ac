"""The real firmware in virtual time: the emulator that runs only when it is told."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from hardware.emulator import Emulator, EmulatorError, Shown


class Lockstep(Emulator):
    """The emulator in virtual time. `seen` is what the board shows, `history` all it has shown."""

    def __init__(self, build: str = "hc595") -> None:
        super().__init__("--lockstep", build)
        self.us = 0
        self.history: list[Shown] = []

    def run(self, us: int, data: bytes = b"") -> bytes:
        """Put `data` on the line, run until `us` have passed or the board has ended a frame.

        Returns what it said.
        """
        answer = self.command(f"run {us} {data.hex()}")
        return bytes.fromhex(answer["tx"])

    def command(self, command: str) -> dict[str, Any]:
        """Give a command of `firmware/emulator/main.c`; return its answer."""
        self.say(command)
        while True:
            heard = self.hear()
            if "error" in heard:
                raise EmulatorError(f"the emulator does not know the command {command!r}")
            self.us = heard["us"]
            if "ok" in heard:
                return heard
            self.history.append(self.seen)


def firmware_size(path: Path) -> tuple[int, int]:
    """Bytes of flash and of RAM (without the stack) that a firmware's ELF takes."""
    told = subprocess.run(
        ["avr-size", path],
        capture_output=True,
        text=True,
        check=True,
    )
    text, data, bss = (int(word) for word in told.stdout.splitlines()[1].split()[:3])
    return text + data, data + bss
