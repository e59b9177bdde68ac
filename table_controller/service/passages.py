"""Counts the cards that left the Schlitten, from public events.

An event `card_drawn` is not always a card that left: a corrected card, and a card that was kept, is
promised once more. An unread card left, but it is drawn only when it is known.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct

from table_controller.engine.seen import Unknown
from table_controller.engine.table.inputs import StrayRuling

#: The events that the count depends on.
COUNTED: Final = ("card_drawn", "card_unread", "card_removed", "schlitten_ready", "turned_up")


class _Said(Struct):
    ordinal: int = 0
    reason: str = ""
    ruling: str = ""


_READ = msgspec.json.Decoder(_Said)


class Passages:
    """The passages of the Schlitten in use, as far as public events tell of them.

    `ordinal` is the number of the last passage.
    """

    def __init__(self) -> None:
        self.ordinal = 0
        self._unknown = set[int]()
        self._talon = False

    def read(self, kind: str, body: bytes) -> tuple[int, bool]:
        """Read the next event: by how much it changes the count, and whether a card was drawn.

        A card that is promised once more is not drawn once more.
        """
        if kind in ("schlitten_ready", "turned_up"):
            if kind == "schlitten_ready":
                self.ordinal, self._unknown = 0, set()
            self._talon = kind == "turned_up"
            return 0, False
        said = _READ.decode(body)
        if kind == "card_removed":
            return (-self._back(said.ordinal) if said.ruling == StrayRuling.BACK else 0), False
        new = said.ordinal > self.ordinal
        if kind == "card_unread":
            return (self._unread(said) if new else 0), False
        self.ordinal = max(self.ordinal, said.ordinal)
        known = said.ordinal in self._unknown
        self._unknown.discard(said.ordinal)
        return int(new), new or known

    def _unread(self, said: _Said) -> int:
        """Two cards may leave in one passage. The second is announced when the first is known."""
        cards = 2 if said.reason == Unknown.TWO_CARDS else 1
        self.ordinal = said.ordinal + cards - 1
        self._unknown.update(range(said.ordinal, self.ordinal + 1))
        return cards

    def _back(self, ordinal: int) -> int:
        """How many cards are in the Schlitten again after the ruling on this passage.

        None of an unread passage left. A card that goes back on an écarté talon has left: it is
        dealt later without another passage.
        """
        if ordinal in self._unknown:
            cards = {one for one in self._unknown if one >= ordinal}
            self._unknown -= cards
            return len(cards)
        return 0 if self._talon else 1
