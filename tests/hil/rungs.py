"""Boards for the same scenarios. If a real board needs a person, the test is skipped."""

from __future__ import annotations

import pytest

from hardware import rungs
from hardware.rungs import TwinRung

__all__ = ["PortRung", "TwinRung"]


class PortRung(rungs.PortRung):
    """A real board, in real time."""

    def command(self, command: str) -> None:
        """As the emulator's, where a program can do it; else the test is skipped."""
        try:
            super().command(command)
        except rungs.TakesAHand as error:
            pytest.skip(str(error))
