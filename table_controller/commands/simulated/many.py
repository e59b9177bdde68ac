"""Plays many simulated evenings, several in parallel. Each process judges its own evenings."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from msgspec import Struct

from table_controller.commands.hil.rehearse import rung_of
from table_controller.commands.hil.virtual_time import World
from table_controller.commands.simulated import checks
from table_controller.commands.simulated.cards import Stream
from table_controller.commands.simulated.evening import (
    EveningPlan,
    SimulatedEvening,
    StoodStill,
    made,
)
from table_controller.commands.simulated.faults import Fault, Ordered, drawn
from table_controller.rules.houses import House
from table_controller.service.archive import Archive
from table_controller.service.errors import ConfigError
from table_controller.service.recording import export
from table_controller.service.scenario import clock

#: Faults drawn by chance begin within this many milliseconds. Later faults are for longer evenings.
RANDOM_MS: Final = 240_000


class Judged(Struct, frozen=True, kw_only=True):
    """The result of an evening.

    Attributes:
        minutes: the evening's own time, in minutes.
        faults: the faults played, as sentences; `names`: the same faults by name.
        late: the faults for which the evening was too short.
        alerts: the ids of all alerts that were raised.
        differences: the differences from the expectations. If there are none, the evening passes.
    """

    seed: int
    house: str
    coups: int
    inputs: int
    events: int
    minutes: float
    faults: tuple[str, ...]
    names: tuple[str, ...]
    late: tuple[str, ...]
    alerts: tuple[str, ...]
    differences: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class EveningOrder:
    """The evening to play, and the path for its recording, if there should be one."""

    house: House
    seed: int
    coups: int
    ordered: Ordered = field(default_factory=Ordered)
    random: bool = False
    stream: Stream | None = None
    board: str = "twin"
    written: Path | None = None


def play(order: EveningOrder) -> Judged:
    """Play one evening and judge it. Raises ConfigError for a fault after the evening's end."""
    ordered = order.ordered
    faults = (
        drawn(random.Random(f"faults {order.seed}"), RANDOM_MS) if order.random else ordered.faults
    )
    asked = EveningPlan(
        house=order.house,
        seed=order.seed,
        coups=order.coups,
        temper=ordered.temper,
        sensors=ordered.sensors,
        faults=faults,
        stream=order.stream,
    )
    with rung_of(order.board) as rung, TemporaryDirectory(prefix="schlitten-simulate-") as folder:
        assert rung  # its name is not empty
        with made(asked, rung, Path(folder)) as (world, evening):
            return _played(order, world, evening)


def _played(order: EveningOrder, world: World, evening: SimulatedEvening) -> Judged:
    found: list[str] = []
    try:
        world.run_until_complete(evening.play())
    except StoodStill as error:
        found = [str(error)]
    found += checks.differences(evening)
    late = checks.not_reached(evening)
    if late and not order.random and not found:
        raise _too_short(order.ordered, late[0], order.seed, world.time())
    if order.written:
        _write(evening, order.written)
    return _outcome(evening, order, world.time(), found, late)


def _too_short(ordered: Ordered, fault: Fault, seed: int, seconds: float) -> ConfigError:
    return ConfigError(
        f"{ordered.file}, line {fault.line}: {fault}: there was no occasion for it before "
        f"the evening of seed {seed} ended, at {clock(round(seconds * 1000))}. Name an "
        "earlier time, or more --coups."
    )


def _outcome(
    evening: SimulatedEvening,
    order: EveningOrder,
    seconds: float,
    found: list[str],
    late: list[Fault],
) -> Judged:
    watch = evening.watch
    played = [one.fault for one in watch.faults if one.began_s is not None]
    return Judged(
        seed=order.seed,
        house=order.house.id,
        coups=watch.coups,
        inputs=watch.inputs,
        events=watch.events,
        minutes=round(seconds / 60, 1),
        faults=tuple(map(str, played)),
        names=tuple(fault.name for fault in played),
        late=tuple(map(str, late)),
        alerts=tuple(one.id for one in watch.alerted),
        differences=tuple(dict.fromkeys(found)),
    )


def _write(evening: SimulatedEvening, path: Path) -> None:
    archive = Archive.read(evening.journal, evening.keys)
    try:
        export(archive, evening.game, path, everything=True)
    finally:
        archive.close()


@contextmanager
def _spared() -> Iterator[None]:
    """Spare the processes that begin here Ctrl-C, which a terminal sends to every process.

    Only the first process answers it, once the evenings under way have ended.
    """
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def play_all(
    orders: Iterable[EveningOrder], *, jobs: int, heard: Callable[[int, int], None]
) -> Iterator[Judged]:
    """Play the evenings, `jobs` of them in parallel.

    Yield each result, in the order in which the evenings end. `heard` gets the number done and the
    number of all.
    """
    waiting = list(orders)
    heard(0, len(waiting))
    if jobs == 1:
        for done, order in enumerate(waiting, 1):
            yield play(order)
            heard(done, len(waiting))
        return
    # Each process is started afresh, as a copy of a process in which threads run can wait for ever.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        with _spared():
            under_way = [pool.submit(play, order) for order in waiting]
        try:
            for done, one in enumerate(as_completed(under_way), 1):
                yield one.result()
                heard(done, len(waiting))
        finally:
            for one in under_way:
                one.cancel()
