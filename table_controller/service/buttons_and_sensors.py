"""Buttons and sensors at a table: what a press offers, and what a report becomes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, get_args

from table_controller.engine.alerts import is_open
from table_controller.engine.messages import Audience
from table_controller.engine.table import offers
from table_controller.engine.table.devices import SENSORS, sensed
from table_controller.service.debouncing import Flaps
from table_controller.service.errors import BadInput
from table_controller.service.table import Table, refusal

# ---- Buttons at a table


class Buttons:
    """The buttons of one table.

    `names` gives the name of the offer for each button's number. `hold_s` is how long a button must
    be held, in seconds, to press an offer that cannot be taken back.
    """

    def __init__(
        self, table: Table[Any], names: Mapping[str, str], *, hold_s: float = offers.HOLD_S
    ) -> None:
        self._table, self._names, self._hold_s = table, names, hold_s
        self._released: dict[tuple[int, str], asyncio.Event] = {}

    def begin(self, number: int, source: str) -> asyncio.Event:
        """Note that a button goes down. The returned event is set when the button goes up."""
        released = self._released[number, source] = asyncio.Event()
        return released

    def end(self, number: int, source: str) -> None:
        """Note that a button goes up."""
        if (number, source) in self._released:
            self._released.pop((number, source)).set()

    def away(self, source: str) -> None:
        """Treat all buttons of `source` as released, because `source` was cut off."""
        for number, of in list(self._released):
            if of == source:
                self.end(number, of)

    async def answer(
        self, number: int, source: str, released: asyncio.Event
    ) -> frozenset[int] | None:
        """Press the button's offer. `released` is the event that `begin` returned.

        Return the seats whose lamps answer; None if the table does not accept the press. For an
        offer that cannot be taken back, the button must be held as long as the button on a page
        (R-20).
        """
        picture = self._table.now.snapshot(Audience.CROUPIER)
        offer = offers.answering(picture, self._names.get(str(number), ""))
        if offer is None or (offer.hold and await self._let_go(released)):
            return None
        said = {**offer.input, "prompt": picture.prompt.id}
        with suppress(BadInput):
            told = await self._table.ask(said, actor=f"button:{source}-{number}")
            return offers.lit_by(offer, picture) if refusal(told) is None else None
        return None

    async def _let_go(self, released: asyncio.Event) -> bool:
        """Wait. Return whether the button was released before it was held for `hold_s`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._hold_s):
                return await released.wait()
        return False


# ---- Turns the reports of a table's sensors into inputs, at a rate that a journal can bear


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
