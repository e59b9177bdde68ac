"""A table, a publisher and a subscriber that are killed and restarted until all is played.

The scripted evening, the table, the publisher and a subscriber who keeps every message run in a
separate process. The inputs are found again by the journal's own count.
"""

import os
from functools import partial
from typing import Any, NamedTuple

from table_controller.commands import players, simulate
from table_controller.engine.chemin_de_fer import game as chemin_de_fer
from table_controller.engine.chemin_de_fer.state import begin
from table_controller.service.journal import Journal
from table_controller.service.outbox import Outbox
from table_controller.service.recovery import recover
from table_controller.service.table import Table
from table_controller.wiring import config
from tests import killer
from tests.killer import Life
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
            path, evenings.KEYS, game=self.game.name, house="zoppot-1934", code="1"
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


def serve(folder, scene, passing):
    """Serve the rest of the evening and tell the subscriber, one message at a time."""
    journal, table = scene.open(folder)
    outbox = Outbox(journal)
    ear = os.open(folder / "heard", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    write = journal._write

    def dangerous(batch):
        passing(POINTS[0])
        write(batch)
        passing(POINTS[1])

    def publish():
        for row in outbox.pending(100):
            os.write(ear, b"%s %s\n" % (row.event_id.split("-", 1)[1].encode(), row.body))
            passing(POINTS[2])
            outbox.delivered(row.id)

    journal._write = dangerous
    publish()
    for n, said in enumerate(scene.inputs[journal.last :], journal.last + 1):
        table.take(said, n)
        publish()
    journal.close()


def run(folder, scene, life=None):
    """Serve in a process of its own; return whether it lived to the end."""
    return killer.live(partial(serve, folder, scene), life or Life())


def evening(folder, scene, *, each, at_random, seed):
    """Play the evening with so many kills at each point and at random instants; count them."""
    kills = dict.fromkeys([*POINTS, ""], 0)
    for life in killer.lives(
        POINTS, each=each, at_random=at_random, seed=seed, passes=4, within_s=(0.001, 0.02)
    ):
        kills[life.point] += not run(folder, scene, life)
    assert run(folder, scene)
    return kills
