"""Buttons at a table. A button presses the current offer that has the button's name.

The module knows offers and how long a button is held, but no wire, no lamp and no tone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from table_controller.engine.messages import Audience
from table_controller.engine.table import offers
from table_controller.service.errors import BadInput
from table_controller.service.table import Table, refusal


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
