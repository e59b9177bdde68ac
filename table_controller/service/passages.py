"""Counts the cards that left the Schlitten, from public events.

An event `card_drawn` is not always a card that left: a corrected card, and a card that was kept, is
promised once more. An unread card left, but it is drawn only when it is known.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from table_controller.engine.seen import Unknown
from table_controller.engine.table.inputs import StrayRuling

#: The events that the count depends on.
COUNTED: Final = frozenset(
    {"card_drawn", "card_unread", "card_removed", "schlitten_ready", "turned_up"}
)


class Passed(Struct, frozen=True):
    """What the count needs of an event."""

    ordinal: int = 0
    reason: str = ""
    ruling: str = ""


class CardsOut(Struct):
    """The passages of the Schlitten in use, as far as public events tell of them.

    Attributes:
        ordinal: the number of the last passage.
        unread: the number of the first passage that is not known yet, or 0.
        talon: whether a card was turned up at écarté, so that a card goes back on the talon.
    """

    ordinal: int = 0
    unread: int = 0
    talon: bool = False

    def read(self, kind: str, said: Passed) -> tuple[int, bool]:
        """Read the next event: by how much it changes the count, and whether a card was drawn.

        A card that is promised once more is not drawn once more.
        """
        match kind:
            case "schlitten_ready":
                self.ordinal, self.unread, self.talon = 0, 0, False
            case "turned_up":
                self.talon = True
            case "card_unread" if said.ordinal > self.ordinal:
                return self._unread(said), False
            case "card_drawn" if said.ordinal > self.ordinal:
                self.ordinal = said.ordinal
                return 1, True
            case "card_drawn" if said.ordinal == self.unread:
                self._settled()
                return 0, True
            case "card_removed":
                return self._removed(said), False
        return 0, False

    def _unread(self, said: Passed) -> int:
        """Two cards may leave in one passage. The second is announced when the first is settled."""
        cards = 2 if said.reason == Unknown.TWO_CARDS else 1
        self.ordinal, self.unread = said.ordinal + cards - 1, said.ordinal
        return cards

    def _settled(self) -> None:
        self.unread = self.unread + 1 if self.unread < self.ordinal else 0

    def _removed(self, said: Passed) -> int:
        """The change by the ruling on a card: it may be in the Schlitten again.

        None of an unread passage left. A card that goes back on an écarté talon has left: it is
        dealt later without another passage.
        """
        back = said.ruling == StrayRuling.BACK
        if said.ordinal != self.unread:
            return -1 if back and not self.talon else 0
        if not back:
            self._settled()
            return 0
        cards, self.unread = self.ordinal - self.unread + 1, 0
        return -cards
