"""When a message came, while the program goes on and after it stood still."""

from __future__ import annotations

from table_controller.floor.arrival import Arrivals


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
