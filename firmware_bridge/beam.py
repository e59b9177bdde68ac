"""The board's exit beam: reports each edge once, in this machine's time. It knows nothing of cards.

A report takes some milliseconds to arrive, and never less than zero. So the fastest of the recent
reports shows how far apart the two clocks are. Old reports are forgotten before the board's quartz
drifts.
"""

from __future__ import annotations

from collections import deque
from typing import Final, Protocol

from firmware_bridge.messages import Sensor, SensorReport, Status
from firmware_bridge.reconciler import Connected, Lost, News

#: This many reports are compared. The board reports once a second.
_KEPT: Final = 16


class BoardClock:
    """Converts the time of each report from the board's clock to this machine's clock."""

    def __init__(self) -> None:
        self._apart: deque[float] = deque(maxlen=_KEPT)
        self._last_us = 0

    def heard(self, time_us: int, now_ms: float) -> float:
        """Return, by our clock, when the board made the report that arrived at `now_ms`.

        `time_us` is the time in the report, by the board's clock.
        """
        if time_us < self._last_us:  # the board restarted
            self._apart.clear()
        self._last_us = time_us
        self._apart.append(now_ms - time_us / 1000)
        return time_us / 1000 + min(self._apart)


class BeamListener(Protocol):
    """The object that receives news about the beam."""

    def edge(self, t_ms: float, *, blocked: bool) -> None:
        """The beam was interrupted (`blocked`) at `t_ms`, or became free."""

    def beam_away(self, why: str) -> None:
        """No reports come from the beam now, for the reason `why`."""

    def beam_back(self) -> None:
        """The beam's reports come again."""


class BoardBeam:
    """Listens to a board's beam. The board's status reveals an edge whose report was lost."""

    def __init__(self) -> None:
        self._clock, self._blocked = BoardClock(), False

    def hear(self, news: News, now_ms: float, listener: BeamListener) -> None:
        """Tell `listener` what the board's `news` say about the beam."""
        match news:
            case Lost(why=why):
                self._blocked = False
                listener.beam_away(why)
                return
            case Connected():
                listener.beam_back()
                return
            case Status():
                blocked = news.is_active(Sensor.EXIT_BEAM)
            case SensorReport(sensor=Sensor.EXIT_BEAM, active=active):
                blocked = active
            case SensorReport():
                blocked = self._blocked
            case _:
                return
        at_ms = self._clock.heard(news.time_us, now_ms)
        if blocked is not self._blocked:
            self._blocked = blocked
            listener.edge(at_ms, blocked=blocked)
