"""Checks the exit beam's edges against the frames, to find whether the beam can be trusted.

The exit beam is a light beam across the lip; a card interrupts the beam. The module knows times
only. A beam that misses a card that the camera saw, or that stays dark over an empty gate, is
dirty, bent or unplugged. From then on the frames open and close the passages, until beam and frames
agree again.
"""

from __future__ import annotations

from collections import deque

from firmware_bridge.trouble import Trouble

_NEAR_MS = 60.0  # the beam is in the gate's plane, so edges and frames agree to within this
_STUCK_MS = 500.0  # dark over an empty gate
_SHORTEST_MS = 40.0  # a card at a metre a second takes 63 ms; less is no proof of a fault
_QUICKEST_MS = 28.0  # a card of 57 mm at two metres a second; less is a shadow
_AWAY_MS = 150.0  # after this long without a frame nobody knows what passed

MISSED = Trouble("a card passed that it did not see: clean it, aim it, and check its cable")
STUCK = Trouble("it is dark though nothing is in the gate: clean it, aim it, and check its cable")


class Beam:
    """Compares the beam's edges with the views.

    `fault` says what is wrong with the beam, or is empty.
    """

    def __init__(self) -> None:
        self.fault: str = ""
        self._dark: deque[tuple[float, float]] = deque(maxlen=16)  # from, until
        self._paper: tuple[float, float] | None = None  # frame before it, first with it
        self._clear_since: float | None = None
        self._last_ms = float("-inf")

    def away(self, fault: str) -> None:
        """Note that the beam's reports have stopped, because of `fault`.

        The last report no longer counts.
        """
        self.fault = fault
        self._dark.clear()

    def back(self) -> None:
        """Note that the beam's reports come again.

        They prove nothing until the beam was dark once.
        """
        self.fault = ""

    def edge(self, t_ms: float, *, blocked: bool) -> None:
        """Note that at `t_ms` the beam became dark (`blocked`) or light again."""
        if blocked:
            self._dark.append((t_ms, float("inf")))
        elif self._dark:
            self._dark.append((self._dark.pop()[0], t_ms))

    def clear(self, from_ms: float, until_ms: float) -> bool:
        """Whether the beam proves that the gate was empty from `from_ms` until `until_ms`.

        As long as the beam has not been dark since its reports began, it proves nothing.
        """
        near = (dark <= until_ms and from_ms <= end for dark, end in self._dark)
        return bool(self._dark) and not self.fault and not any(near)

    def view(self, t_ms: float, *, paper: bool) -> float | None:
        """Note whether the frame of `t_ms` shows paper in the gate.

        If the beam missed a card, return the time when that card came into the gate, else None.
        The time of each missed card is returned once, at the first frame after the card. The
        missed card counts as the beam's `fault` only if it was in the gate for long enough.
        """
        if t_ms - self._last_ms > _AWAY_MS:
            self._paper, self._clear_since, self._last_ms = None, None, float("inf")
        before_ms, self._last_ms = self._last_ms, t_ms
        if paper:
            self._clear_since = None
            self._paper = self._paper or (before_ms, t_ms)
            return None
        was, self._paper = self._paper, None
        self._clear_since = t_ms if self._clear_since is None else self._clear_since
        if self._stuck(t_ms - self._clear_since, t_ms):
            self.fault = self.fault or STUCK
        elif was:
            return self._compare(*was, t_ms)
        return None

    def _stuck(self, clear_ms: float, t_ms: float) -> bool:
        """Whether the beam has long been dark over a gate that has been empty for `clear_ms`."""
        if not self._dark or self._dark[-1][1] <= t_ms:
            return False
        return min(clear_ms, t_ms - self._dark[-1][0]) > _STUCK_MS

    def _compare(self, before: float, since: float, until: float) -> float | None:
        """Compare the beam with paper that has left the gate.

        If the beam missed the paper, return the time when it came (`since`). `before`, `since` and
        `until` are the times of the last frame before the paper, the first frame with it, and the
        first frame after it. The result is None if the paper passed faster than any card can,
        because a shadow may do that without interrupting the beam.
        """
        long = until - since >= _SHORTEST_MS
        if not long and until - before < _QUICKEST_MS:
            return None
        saw = any(dark <= until + _NEAR_MS and since - _NEAR_MS <= end for dark, end in self._dark)
        working = not self.fault
        if long:
            self.fault = "" if saw else self.fault or MISSED
        return since if working and not saw else None
