"""The exit beam at the board: its reports in this machine's time."""

import asyncio
from typing import Any

from firmware_bridge.beam import BoardClock
from firmware_bridge.messages import Cause, LampBuild, Sensor, SensorReport, Status
from firmware_bridge.reconciler import Connected, Lost
from tests.whole.lips import until
from tests.whole.wired import table

BEAM = 1


class Heard:
    """What a reader would hear."""

    def __init__(self):
        self.edges, self.faults = [], []

    def edge(self, t_ms, *, blocked):
        self.edges.append((t_ms, blocked))

    def beam_away(self, fault):
        self.faults.append(fault)

    def beam_back(self):
        self.faults.append("")


def test_the_quickest_report_tells_how_far_the_clocks_are_apart():
    """Reports come 3, 9 and 2 ms late; after a new start of the board it is told anew."""
    clock = BoardClock()

    assert clock.heard(1_000_000, 51_003.0) == 51_003.0
    assert clock.heard(1_100_000, 51_109.0) == 51_103.0
    assert clock.heard(1_200_000, 51_202.0) == 51_202.0
    assert clock.heard(1_300_000, 51_309.0) == 51_302.0
    assert clock.heard(5_000, 60_004.0) == 60_004.0


def test_a_card_in_the_boards_beam_is_heard_by_the_reader(tmp_path):
    """As the real firmware reports it; a lost board is a beam that is away until it is back."""

    async def play():
        async with table(tmp_path, "emulated") as served:
            heard: Any = Heard()
            served.service.devices.beam = lambda: heard
            served.wires.sense(BEAM, active=True)
            await until(lambda: len(heard.edges) == 1)
            served.wires.sense(BEAM, active=False)
            await until(lambda: len(heard.edges) == 2)
            served.service.devices.hear(Lost("Its cable is out."))
            served.service.devices.hear(Connected(7, True, Cause.UNKNOWN, LampBuild.HC595))
            return heard

    heard = asyncio.run(play())

    assert [blocked for _, blocked in heard.edges] == [True, False]
    assert heard.edges[0][0] < heard.edges[1][0]
    assert heard.faults == ["Its cable is out.", ""]


def test_an_edge_that_was_lost_is_told_by_the_boards_next_status(tmp_path):
    """And none is told twice."""

    async def play():
        async with table(tmp_path, "twin") as served:
            heard: Any = Heard()
            served.service.devices.beam = lambda: heard
            hear = served.service.devices.hear
            hear(SensorReport(1, 1_000_000_000, Sensor.EXIT_BEAM, True))
            for n, active in enumerate((1, 1, 0, 0), 1):
                hear(Status(1_000_000_000 + n * 1_000_000, Cause.UNKNOWN, 0, 0, 0, 0, active))
            return [blocked for _, blocked in heard.edges]

    assert asyncio.run(play()) == [True, False]
