"""Turns the reports of a table's sensors into inputs, at a rate that a journal can bear.

The module knows the things that sensors report, and how many sensors report each. It knows no wire
and no board.
"""

from __future__ import annotations

from typing import Any, get_args

from table_controller.engine.alerts import is_open
from table_controller.engine.table.devices import SENSORS, sensed
from table_controller.service.flaps import Flaps
from table_controller.service.table import Table


class Sensing:
    """The sensors of one table, each known by the name in `SENSORS` of the thing that it senses.

    `CutCardSensed` explains `ahead`.

    Several sensors may report the same thing. The thing is active as long as at least one of these
    sensors is active.
    """

    def __init__(self, table: Table[Any], ahead: int, flaps: Flaps | None = None) -> None:
        self._table, self._ahead, self._flaps = table, ahead, flaps or Flaps()
        self._active: dict[tuple[str, str], bool] = {}  # by the thing sensed and the sensor
        self._told: dict[str, bool] = {}

    def hear(self, name: str, source: str, *, active: bool) -> None:
        """Note that a sensor at `source` became active or inactive. Report a change to the table.

        A sensor that often recovers is reported inactive only after a quiet time.
        """
        if self._active.get((name, source)) is active:
            return
        self._active[name, source] = active
        if any(now for (what, _), now in self._active.items() if what == name):
            self._flaps.amiss(name)
            if not self._told.get(name):
                self._tell(name, active=True)
        elif self._told.get(name, True):
            self._flaps.well(name, lambda: self._tell(name, active=False))

    def unheard(self, name: str, source: str) -> None:
        """Treat a sensor that has reported nothing as inactive.

        In an earlier run of the program the sensor may have been active.
        """
        if SENSORS[name].calm and (name, source) not in self._active:
            self.hear(name, source, active=False)

    def _tell(self, name: str, *, active: bool) -> None:
        now = self._table.now
        # an alert raised just now may not be open yet; an alert of an earlier run is
        told = self._told.get(name, False) or is_open(now.alerts, SENSORS[name].alert)
        self._told[name] = active
        said = sensed(name, active=active, told=told, ahead=self._ahead)
        if said and type(said) in get_args(now.game.inputs):
            self._table.say(said)

    def close(self) -> None:
        """Report no more changes."""
        self._flaps.close()
