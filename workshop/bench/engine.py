"""Measures how fast the rules are: whole coups through `step`, and a recorded evening replayed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from table_controller.commands.simulate import evening
from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer.state import begin
from table_controller.engine.messages import Input
from table_controller.rules.chemin_de_fer.house import House
from table_controller.service.recording import Recorder, Recording, header
from table_controller.service.recovery import play
from table_controller.service.sealing import Keys
from table_controller.wiring import config

COUPS = 2000
#: How often everything is played, and how many inputs make a piece. Of each piece the best time
#: counts, since no piece meets a slow moment of the machine every time.
ROUNDS, PIECE = 20, 250
SECRET = Keys.derive(bytes(32))
WANTED = "> 100,000"


def rows() -> list[tuple[str, float, str, str]]:
    """Measure. Return rows of name, value, unit, and the budget or a peer's value."""
    house = config.house("zoppot-1934")
    inputs = [
        (moment.t_ms, moment.input) for moment in evening(house, SECRET.commit, seed=1, coups=COUPS)
    ]
    best = _seconds(house, lambda: (said for _, said in inputs))
    return [
        ("engine, chemin de fer with events", COUPS / best, "coups/s", ""),
        ("engine, inputs with events and promises", len(inputs) / best, "inputs/s", "> 120,000"),
        ("replay of a recording, read and stepped", _replayed(house, inputs), "inputs/s", WANTED),
    ]


def _seconds(house: House, said: Callable[[], Iterable[Input]]) -> float:
    """The seconds that an evening of these inputs takes.

    Each piece of it counts with its best time.
    """
    return sum(map(min, zip(*(_pieces(house, said()) for _ in range(ROUNDS)), strict=True)))


def _pieces(house: House, said: Iterable[Input]) -> list[float]:
    marks = [time.perf_counter()]
    for number, _ in enumerate(play(game, begin(house, SECRET.commit), said), 1):
        if number % PIECE == 0:
            marks.append(time.perf_counter())
    return [till - since for since, till in pairwise((*marks, time.perf_counter()))]


def _replayed(house: House, inputs: Sequence[tuple[int, Input]]) -> float:
    """How many recorded inputs per second become events when replayed without a journal."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "evening.jsonl"
        head = header(game=game.name, house=house.id, code="bench")
        with Recorder(path, head) as recorder:
            for t_ms, said in inputs:
                recorder.input(t_ms, said)
        return len(inputs) / _seconds(house, lambda: Recording(path, game).inputs())
