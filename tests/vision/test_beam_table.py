"""The exit beam at its limits. The cases are in beam.table next to this file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import tables
from vision.beam import MISSED, STUCK, Beam


class Seen:
    """A beam, and the pictures that it is compared with."""

    def __init__(self):
        self.beam = Beam()

    def dark(self, t_ms):
        self.beam.edge(t_ms, blocked=True)

    def light(self, t_ms):
        self.beam.edge(t_ms, blocked=False)

    def flicker(self, t_ms, times):
        for at in range(int(times)):
            self.dark(t_ms + at)
            self.light(t_ms + at + 0.5)

    def away(self, why):
        self.beam.away(why)

    def paper(self, *times):
        return [self.beam.view(t_ms, paper=True) for t_ms in times][-1]

    def clear(self, *times):
        return [self.beam.view(t_ms, paper=False) for t_ms in times][-1]

    def card(self, since, until):
        self.paper(since, (since + until) / 2)
        return self.clear(until)

    def fault(self):
        names: dict[str, str] = {MISSED: "MISSED", STUCK: "STUCK"}
        return names.get(self.beam.fault, self.beam.fault)


@pytest.mark.parametrize("case", tables.cases(Path(__file__).with_name("beam.table")))
def test_the_beam_at_its_limits(case):
    """Each met exactly and missed by a little."""
    tables.play(case, Seen())
