"""Kills a served table with SIGKILL where it is told to, and starts it again until it is done.

The scripted evening, the table, a publisher and a subscriber who keeps what he hears run in a
process of their own; the inputs are found again by the journal's own count.
"""

import os
import random
import signal
import time
import traceback

from table_controller.service.outbox import Outbox
from tests.service import evenings

POINTS = ("before the commit", "between commit and publish", "between publish and acknowledgement")
INPUTS = evenings.evening(7, 120)


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


def serve(folder, killer):
    """Serve the rest of the evening and tell the subscriber, one message at a time."""
    journal = evenings.open_journal(folder / "table.db")
    table, outbox = evenings.serve(journal), Outbox(journal)
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
    for n, said in enumerate(INPUTS[journal.last :], journal.last + 1):
        table.take(said, n)
        publish()
    journal.close()


def run(folder, killer, instant_s=None):
    """Serve in a process of its own; return whether it lived to the end."""
    child = os.fork()
    if not child:
        try:
            serve(folder, killer)
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


def evening(folder, *, each, at_random, seed):
    """Play the evening with so many kills at each point and at random instants; count them."""
    luck = random.Random(seed)
    plan = [(point, None) for point in POINTS for _ in range(each)]
    plan += [("", luck.uniform(0.001, 0.02)) for _ in range(at_random)]
    luck.shuffle(plan)
    kills = dict.fromkeys([*POINTS, ""], 0)
    for point, instant_s in plan:
        kills[point] += not run(folder, Killer(point, luck.randint(1, 4)), instant_s)
    assert run(folder, Killer("", 0))
    return kills
