"""How fast the rules are: whole coups through `step`, and a recorded evening played again."""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import TemporaryDirectory

from table_controller.commands.simulate import evening
from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer.state import begin
from table_controller.service.recording import Recorder, Recording, header
from table_controller.service.recovery import play
from table_controller.service.sealing import Keys
from table_controller.wiring import config

COUPS = 2000
SECRET = Keys.derive(bytes(32))
WANTED = "> 100,000"


def rows() -> list[tuple[str, float, str, str]]:
    """Name, value, unit, budget or peer."""
    house = config.house("zoppot-1934")
    inputs = [
        (moment.t_ms, moment.input) for moment in evening(house, SECRET.commit, seed=1, coups=COUPS)
    ]
    best = min(_seconds(house, inputs) for _ in range(3))
    return [
        ("engine, chemin de fer with events", COUPS / best, "coups/s", ""),
        ("engine, inputs with events and promises", len(inputs) / best, "inputs/s", ""),
        ("replay of a recording, read and stepped", _replayed(house, inputs), "inputs/s", WANTED),
    ]


def _seconds(house, inputs) -> float:
    began = time.perf_counter()
    for _ in play(game, begin(house, SECRET.commit), (said for _, said in inputs)):
        pass
    return time.perf_counter() - began


def _replayed(house, inputs) -> float:
    """Inputs per second from a recording of them to the events, without a journal."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "evening.jsonl"
        head = header(game=game.name, house=house.id, code="bench")
        with Recorder(path, head) as recorder:
            for t_ms, said in inputs:
                recorder.input(t_ms, said)
        best = 0.0
        for _ in range(3):
            began = time.perf_counter()
            for _ in play(game, begin(house, SECRET.commit), Recording(path, game).inputs()):
                pass
            best = max(best, len(inputs) / (time.perf_counter() - began))
        return best
