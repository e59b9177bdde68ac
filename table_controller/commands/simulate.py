"""A seeded evening: people, a simulated lip and the engine give a stream of inputs.

All chance comes from the seed. Times are invented, at the pace of people at a table.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from table_controller.commands import players
from table_controller.engine.messages import Audience, Event, Input, Refusal
from table_controller.engine.players import USUAL, Progress, Temper
from table_controller.engine.promises import SecretKey
from table_controller.rules.houses import House
from table_controller.service.game import Game, refused
from table_controller.service.recording import Recorder, header
from table_controller.service.sealing import Keys
from table_controller.wiring.games import game

#: The least and most milliseconds between two inputs of people.
PACE_MS = (400, 2500)


class UnknownFault(ValueError):
    """A fault that this program does not know. The text names the faults that it knows."""


def read_faults(text: str, door: Game[Any]) -> frozenset[str]:
    """Read a list such as `unread,stray`: faults of the lip and of the game.

    Raises UnknownFault.
    """
    known = players.FAULTS.keys() | door.faults.keys()
    wanted = frozenset(filter(None, (part.strip() for part in text.split(","))))
    unknown = sorted(wanted - known)
    if unknown:
        raise UnknownFault(f"unknown fault {unknown[0]!r}; there are: {', '.join(sorted(known))}")
    return wanted


@dataclass(frozen=True, slots=True)
class Moment:
    """One input of the evening, its events, the table after them, and the evening's progress."""

    t_ms: int
    input: Input
    events: tuple[Event, ...]
    table: Any
    progress: Progress
    refusal: Refusal | None = None


def evening(
    house: House,
    key: SecretKey,
    *,
    seed: int,
    coups: int,
    wrong: frozenset[str] = frozenset(),
    temper: Temper = USUAL,
) -> Iterator[Moment]:
    """Play until `coups` are settled, then close the Schlitten in use. Yield each input.

    Refused inputs are yielded too. `wrong` names faults of the lip and of the game.
    """
    door = game(house.game)
    table = door.begin(house, key)
    people, lip = (
        players.seeded(door, seed, faults=wrong, temper=temper),
        players.SimulatedLip(seed, house, faults=wrong),
    )
    clock = random.Random(f"clock {seed}")
    arrivals = deque(people.arrive(table))
    t_ms, now = 0, people.progress(table)
    while now.loaded or now.coups < coups:
        if arrivals:
            said: Input = arrivals.popleft()
        elif now.close and now.coups >= coups:
            said = now.close
        elif lip.stray(now):
            said = lip.next(now)
        else:
            said = people.say(table) or lip.next(now)
        t_ms += clock.randint(*PACE_MS)
        refusal = None
        told: tuple[Event, ...] = ()
        try:
            table, told = door.step(table, said)
        except Refusal as error:
            refusal = error
        now = people.progress(table)
        yield Moment(t_ms, said, told, table, now, refusal)


def record(path: Path, house: House, *, seed: int, coups: int, faults: str) -> dict[str, int]:
    """Write a seeded evening as a recording. Return the numbers of inputs and events.

    The recording's cards are no secret. The header has the key, so that a replay makes the same
    promises. Raises UnknownFault, RecordingError.
    """
    wrong = read_faults(faults, game(house.game))
    key = sha256(f"simulation {seed}".encode()).digest()
    head = header(
        game=house.game, house=house.id, code=version("schlitten"), key=key.hex(),
        manifest={"packs": house.packs},
    )  # fmt: skip
    inputs = events = sealed = 0
    with Recorder(path, head) as recorder:
        moments = evening(house, Keys.derive(key).commit, seed=seed, coups=coups, wrong=wrong)
        for moment in moments:
            recorder.input(moment.t_ms, moment.input)
            told = (refused(moment.input, moment.refusal),) if moment.refusal else moment.events
            for event in told:
                recorder.event(moment.t_ms, event)
            shut = sum(event.audience is Audience.SEALED for event in told)
            inputs, events, sealed = inputs + 1, events + len(told), sealed + shut
            now = moment.progress
    counted = {"inputs": inputs, "events": events, "sealed": sealed}
    return {**counted, "coups": now.coups, "schlitten": now.schlitten}
