"""A seeded evening: people, a simulated lip and the engine, as a stream of inputs.

Nothing is random but the seed; the time is invented, as people at a table take it.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from table_controller.commands.players import FAULTS, People, SimulatedLip
from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer.state import Table, begin
from table_controller.engine.chemin_de_fer.step import BETWEEN
from table_controller.engine.commitments import Secret
from table_controller.engine.messages import Event, Input, Refusal
from table_controller.engine.table.inputs import SchlittenClosed
from table_controller.rules.houses import House
from table_controller.service.game import refused
from table_controller.service.recording import Recorder, header
from table_controller.service.sealing import Keys

#: Milliseconds that people take between two inputs, least and most.
PACE_MS = (400, 2500)


class UnknownFault(ValueError):
    """A fault that this program does not know. The text names those it does."""


def read_faults(text: str) -> frozenset[str]:
    """Read a list such as `unread,stray`. Raises UnknownFault."""
    wanted = frozenset(filter(None, (part.strip() for part in text.split(","))))
    unknown = sorted(wanted - set(FAULTS))
    if unknown:
        raise UnknownFault(f"unknown fault {unknown[0]!r}; there are: {', '.join(sorted(FAULTS))}")
    return wanted


@dataclass(frozen=True, slots=True)
class Moment:
    """One input of the evening, what came of it, and the table after it."""

    t_ms: int
    input: Input
    events: tuple[Event, ...]
    table: Table
    refusal: Refusal | None = None


def evening(
    house: House, key: Secret, *, seed: int, coups: int, wrong: frozenset[str] = frozenset()
) -> Iterator[Moment]:
    """Play until `coups` are settled, then close the Schlitten in use. Refusals are news too."""
    table = begin(house, key)
    people, lip = People(seed, faults=wrong), SimulatedLip(seed, table, faults=wrong)
    clock = random.Random(f"clock {seed}")
    arrivals = deque(people.arrive(table))
    t_ms = 0
    while table.felt.shoe or table.felt.coups < coups:
        if arrivals:
            said: Input = arrivals.popleft()
        elif table.felt.coups >= coups and isinstance(table.phase, BETWEEN):
            said = SchlittenClosed()
        else:
            said = _next(table, people, lip)
        t_ms += clock.randint(*PACE_MS)
        refusal = None
        told: tuple[Event, ...] = ()
        try:
            table, told = game.step(table, said)
        except Refusal as refused:
            refusal = refused
        yield Moment(t_ms, said, told, table, refusal)


def _next(table: Table, people: People, lip: SimulatedLip) -> Input:
    """Somebody speaks, or a card leaves."""
    if lip.stray(table):
        return lip.next(table)
    return people.say(table) or lip.next(table)


def record(path: Path, house: House, *, seed: int, coups: int, faults: str) -> dict[str, int]:
    """Write a seeded evening as a recording, inputs and events; return how much it holds.

    Its cards are no secret: the header has the key, so that a replay makes the same promises.
    Raises UnknownFault, RecordingError.
    """
    wrong = read_faults(faults)
    key = sha256(f"simulation {seed}".encode()).digest()
    head = header(
        game=game.name, house=house.id, code=version("schlitten"), key=key.hex(),
        manifest={"packs": house.packs},
    )  # fmt: skip
    inputs = events = 0
    last = begin(house, Secret(b""))
    with Recorder(path, head) as recorder:
        moments = evening(house, Keys.derive(key).commit, seed=seed, coups=coups, wrong=wrong)
        for moment in moments:
            recorder.input(moment.t_ms, moment.input)
            told = (refused(moment.input, moment.refusal),) if moment.refusal else moment.events
            for event in told:
                recorder.event(moment.t_ms, event)
            inputs, events, last = inputs + 1, events + len(told), moment.table
    return {
        "inputs": inputs,
        "events": events,
        "coups": last.felt.coups,
        "schlitten": last.felt.number,
    }
