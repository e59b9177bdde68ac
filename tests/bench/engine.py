"""How fast the rules are: whole coups through `step`, and a recorded evening played again."""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import TemporaryDirectory

from table_controller import config
from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer.state import begin
from table_controller.service.recording import Recording
from table_controller.service.recovery import play
from table_controller.service.sealing import Keys
from table_controller.simulate import evening, record

COUPS = 2000


def rows() -> list[tuple[str, float, str, str]]:
    """Name, value, unit, budget or peer."""
    house = config.house("zoppot-1934")
    key = Keys.derive(bytes(32)).commit
    inputs = [moment.input for moment in evening(house, key, seed=1, coups=COUPS)]
    best = min(_seconds(house, key, inputs) for _ in range(3))
    return [
        ("engine, chemin de fer with events", COUPS / best, "coups/s", ""),
        ("engine, inputs with events and promises", len(inputs) / best, "inputs/s", ""),
        ("replay of a recording, read and stepped", _replayed(house), "inputs/s", "> 100,000"),
    ]


def _seconds(house, key, inputs) -> float:
    began = time.perf_counter()
    for _ in play(game, begin(house, key), inputs):
        pass
    return time.perf_counter() - began


def _replayed(house) -> float:
    """Inputs per second from the file to the events, without a journal."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "evening.jsonl"
        made = record(path, house, seed=1, coups=COUPS, faults="")
        recording = Recording(path, game)
        key = Keys.derive(bytes.fromhex(recording.header.key)).commit
        inputs = list(recording.inputs())
        assert len(inputs) == made["inputs"]
        best = 0.0
        for _ in range(3):
            began = time.perf_counter()
            for _ in play(game, begin(house, key), recording.inputs()):
                pass
            best = max(best, len(inputs) / (time.perf_counter() - began))
        return best
