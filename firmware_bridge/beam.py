"""The board's exit beam: each edge once, in this machine's time. Knows no reader and no card.

A report takes some milliseconds to arrive, and never less than none: the fastest of the recent ones
shows how far apart the two clocks are. Old ones are forgotten before the board's quartz drifts.
"""

from __future__ import annotations

from collections import deque
from typing import Final, Protocol

from firmware_bridge.messages import Sensor, SensorReport, Status
from firmware_bridge.reconciler import Connected, Lost, News

#: How many reports are compared; the board reports once a second.
_KEPT: Final = 16


class BoardClock:
    """Hears the time of every report, and returns it by the clock of `now_ms`."""

    def __init__(self) -> None:
        self._apart: deque[float] = deque(maxlen=_KEPT)
        self._last_us = 0

    def heard(self, time_us: int, now_ms: float) -> float:
        """Return in our time when a report of the board's `time_us`, come at `now_ms`, was made."""
        if time_us < self._last_us:  # the board restarted
            self._apart.clear()
        self._last_us = time_us
        self._apart.append(now_ms - time_us / 1000)
        return time_us / 1000 + min(self._apart)


class BeamListener(Protocol):
    """What hears the beam."""

    def edge(self, t_ms: float, *, blocked: bool) -> None:
        """Something came into the beam at `t_ms`, or left it."""

    def beam_away(self, why: str) -> None:
        """The beam cannot be heard now."""

    def beam_back(self) -> None:
        """It can be heard again."""


class BoardBeam:
    """Hears a board; its status tells an edge whose report was lost."""

    def __init__(self) -> None:
        self._clock, self._blocked = BoardClock(), False

    def hear(self, news: News, now_ms: float, listener: BeamListener) -> None:
        """Tell `listener` what the news says of the beam."""
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
