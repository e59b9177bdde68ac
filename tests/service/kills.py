"""Kills a served table with SIGKILL where it is told to, and starts it again until it is done.

The scripted evening, the table, a publisher and a subscriber who keeps what he hears run in a
process of their own; the inputs are found again by the journal's own count.
"""

import os
import random
import signal
import time
import traceback
from typing import Any, NamedTuple

from table_controller.commands import players, simulate
from table_controller.engine.chemin_de_fer import game as chemin_de_fer
from table_controller.engine.chemin_de_fer.state import begin
from table_controller.service.journal import Journal
from table_controller.service.outbox import Outbox
from table_controller.service.recovery import recover
from table_controller.service.table import Table
from table_controller.wiring import config
from tests.service import counting, evenings

POINTS = ("before the commit", "between commit and publish", "between publish and acknowledgement")


class Scene(NamedTuple):
    """A game, how it begins, and what happens."""

    game: Any
    begin: Any
    inputs: list[Any]

    def open(self, folder):
        """Open the journal and recover the table."""
        path = folder / "table.db"
        journal = Journal.open(
            path, evenings.KEYS, game=self.game.name, house="zoppot-1934", code="1", t_ms=0
        )
        state = recover(journal.archive, self.game, self.begin).state
        return journal, Table(self.game, state, journal, clock=lambda: 0)


def scene(name, count=400):
    """Return a scripted evening: of the counting game, or of a real one with every fault."""
    if name == "counting":
        return Scene(counting, counting.begin, evenings.evening(7, count))
    house, key = config.house("zoppot-1934"), evenings.KEYS.commit
    wrong = frozenset({*players.FAULTS, *chemin_de_fer.faults})
    moments = simulate.evening(house, key, seed=7, coups=max(3, count // 12), wrong=wrong)
    return Scene(chemin_de_fer, lambda: begin(house, key), [m.input for m in moments])


class Killer:
    """Ends this process at the `count`-th time that `point` is passed."""

    def __init__(self, point, count):
        self._point, self._count = point, count

    def passes(self, point):
        """Die here, if this is the place."""
        if point == self._point:
            self._count -= 1
            if self._count == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def serve(folder, scene, killer):
    """Serve the rest of the evening and tell the subscriber, one message at a time."""
    journal, table = scene.open(folder)
    outbox = Outbox(journal)
    ear = os.open(folder / "heard", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    write = journal._write

    def dangerous(batch):
        killer.passes(POINTS[0])
        write(batch)
        killer.passes(POINTS[1])

    def publish():
        for row in outbox.pending(100):
            os.write(ear, b"%s %s\n" % (row.event_id.split("-", 1)[1].encode(), row.body))
            killer.passes(POINTS[2])
            outbox.delivered(row.id)

    journal._write = dangerous
    publish()
    for n, said in enumerate(scene.inputs[journal.last :], journal.last + 1):
        table.take(said, n)
        publish()
    journal.close()


def run(folder, scene, killer=None, instant_s=None):
    """Serve in a process of its own; return whether it lived to the end."""
    child = os.fork()
    if not child:
        try:
            serve(folder, scene, killer or Killer("", 0))
        except BaseException:  # noqa: BLE001 - the child must never return into pytest
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    if instant_s is not None:
        time.sleep(instant_s)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return False
    assert os.waitstatus_to_exitcode(status) == 0, "the service failed: see its traceback"
    return True


def evening(folder, scene, *, each, at_random, seed):
    """Play the evening with so many kills at each point and at random instants; count them."""
    luck = random.Random(seed)
    plan: list[tuple[str, float | None]] = [(point, None) for point in POINTS for _ in range(each)]
    plan += [("", luck.uniform(0.001, 0.02)) for _ in range(at_random)]
    luck.shuffle(plan)
    kills = dict.fromkeys([*POINTS, ""], 0)
    for point, instant_s in plan:
        kills[point] += not run(folder, scene, Killer(point, luck.randint(1, 4)), instant_s)
    assert run(folder, scene)
    return kills
