"""Buttons at a table. Each presses the table's current offer of its name.

The module knows offers and how long a button is held, but no wire, no lamp and no tone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from table_controller.engine.messages import Audience
from table_controller.engine.table import buttons
from table_controller.service.errors import BadInput
from table_controller.service.table import Table, refusal


class Buttons:
    """The buttons of one table.

    `names` are the offers that the buttons press, by number. `hold_s` is in seconds.
    """

    def __init__(
        self, table: Table[Any], names: Mapping[str, str], *, hold_s: float = buttons.HOLD_S
    ) -> None:
        self._table, self._names, self._hold_s = table, names, hold_s
        self._released: dict[tuple[int, str], asyncio.Event] = {}

    def begin(self, number: int, source: str) -> asyncio.Event:
        """A button goes down. `answer` may wait for its release."""
        released = self._released[number, source] = asyncio.Event()
        return released

    def end(self, number: int, source: str) -> None:
        """A button goes up."""
        if (number, source) in self._released:
            self._released.pop((number, source)).set()

    def away(self, source: str) -> None:
        """Treat all of that source's buttons as released, as their release could not be heard."""
        for number, of in list(self._released):
            if of == source:
                self.end(number, of)

    async def answer(
        self, number: int, source: str, released: asyncio.Event
    ) -> frozenset[int] | None:
        """Press the button's offer.

        Return the seats whose lamps answer, None if nothing accepts the press. For an offer that
        cannot be taken back, the button must be held as long as on a page (R-20).
        """
        picture = self._table.now.snapshot(Audience.CROUPIER)
        offer = buttons.answering(picture, self._names.get(str(number), ""))
        if offer is None or (offer.hold and await self._let_go(released)):
            return None
        said = {**offer.input, "prompt": picture.prompt.id}
        with suppress(BadInput):
            told = await self._table.ask(said, actor=f"button:{source}-{number}")
            return buttons.lit_by(offer, picture) if refusal(told) is None else None
        return None

    async def _let_go(self, released: asyncio.Event) -> bool:
        """Whether a button is released before it was held long enough."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._hold_s):
                return await released.wait()
        return False
