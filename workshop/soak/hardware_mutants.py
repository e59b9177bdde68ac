"""Slips in the code of lamps, pictures, sensors, times and firmware.

The scenarios must notice each. A slip is a small mistake in the code. The whole library of
scenarios is also run on every board available: the twin, and the firmware in both builds.
"""

from __future__ import annotations

import random

from rich.console import Console
from rich.progress import Progress, track

from hardware.rungs import EMULATED
from table_controller.commands.hil.rehearse import Playing, play
from table_controller.commands.hil.scenarios import load
from table_controller.testing.plugin import LIBRARY
from workshop.mutation import hardware
from workshop.mutation.killer import Verdict

Row = tuple[str, str]


def run(share: float, seed: int = 1) -> list[Row]:
    """Run a share of the whole. 1.0 takes a quarter of an hour on two cores."""
    return [*_library(share, seed), _mutants(share, seed)]


def _library(share: float, seed: int) -> list[Row]:
    found = []
    for board in ("twin", *EMULATED):
        files = sorted(LIBRARY.glob("*.scenario"))
        files = random.Random(seed).sample(files, max(2, round(len(files) * share)))
        compared = 0
        for file in track(files, board, console=Console(stderr=True)):
            verdict = play(*load(file), Playing(board=board))
            assert verdict.holds, str(verdict)
            compared += verdict.compared
        text = f"{len(files)} of {len(files)} hold, {compared} expectations"
        found.append((f"scenarios on the board `{board}`", text))
    return found


def _mutants(share: float, seed: int) -> Row:
    known = hardware.mutants()
    chosen = random.Random(seed).sample(known, max(2, round(len(known) * share)))
    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task("slips in the hardware", total=len(chosen))
        ended = list(hardware.tried(chosen, lambda _, tried: bar.advance(task, tried)))
    missed = [f"{slip} ({verdict})" for slip, verdict in ended if verdict not in _NOTICED]
    assert not missed, "not noticed: " + "; ".join(missed)
    return "slips in lamps, pictures, sensors, times and firmware", f"{len(ended)} of {len(ended)}"


_NOTICED = (Verdict.KILLED, Verdict.HUNG)
