"""When a message came, while the program goes on and after it stood still."""

from __future__ import annotations

from table_controller.adapters.mqtt_messages import TableState
from table_controller.floor.listen import Arrivals
from table_controller.floor.live import LiveTables, ShownTable
from tests.floor.test_store import ONE


class Clock:
    """A clock that is set by hand."""

    def __init__(self):
        self.s = 1_000.0

    def __call__(self):
        return self.s


def test_what_is_read_after_a_stall_may_have_come_during_it():
    wall, clock = Clock(), Clock()
    arrivals = Arrivals(wall, clock)
    found = []
    for pause in (0.5, 1.0, 60.0, *[1.0] * 10):
        clock.s += pause
        found.append(arrivals.came_s())

    assert found == [1_000.0] * 2 + [None] * 10 + [1_000.0]


def test_a_pause_is_told_once_so_that_nobody_is_silent_because_of_it():
    clock, pauses = Clock(), []
    arrivals = Arrivals(clock, clock, pauses.append)
    for pause in (1.0, 60.0, 1.0):
        clock.s += pause
        arrivals.beat()

    live = LiveTables()
    live.tables[ONE] = ShownTable(ONE, TableState.READY, heard_at=1_000.0)
    before = live.tables[ONE].silent(clock.s)
    for pause in pauses:
        live.stood(pause)

    assert pauses == [60.0]
    assert (before, live.tables[ONE].silent(clock.s)) == (True, False)
