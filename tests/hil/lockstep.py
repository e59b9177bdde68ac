"""The real firmware in virtual time, and its use of the chip."""

from __future__ import annotations

import subprocess
from pathlib import Path

from hardware.rungs import Lockstep

__all__ = ["Lockstep", "firmware_size"]


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
