"""The pace of a film that replaces a camera: a card leaves the gate only when one is due.

Until then the card stays in the gate, and the film pauses. The module knows offers and a reader,
but no frame.
"""

from __future__ import annotations

from typing import Any

from table_controller.engine.messages import Audience, CardSeen
from table_controller.service.game import Position
from vision.reader import Reader

_SEEN = str(CardSeen.__struct_config__.tag)


def awaits_card(now: Position[Any]) -> bool:
    """Whether a card is due, or the last card must be shown again."""
    picture = now.by_hand(now.snapshot(Audience.CROUPIER), reads=False)
    due = any(one.group == "main" and one.input["type"] == _SEEN for one in picture.offers)
    return due or now.asks_again


class FilmPace:
    """Lets one card of a film pass for each card that the table awaits.

    The film's own thread calls `held`.
    """

    def __init__(self) -> None:
        self._reader: Reader | None = None
        self._free = False

    def begin(self, reader: Reader, now: Position[Any]) -> None:
        """Begin with the reader that watches the film, and the table's position."""
        self._reader, self._free = reader, awaits_card(now)

    def held(self) -> bool:
        """Whether the film must pause, since a card is in the gate and none is due."""
        reader = self._reader
        if reader is None:
            return False
        if reader.next_due_ms is not None:  # one has passed, and its verdict decides about the next
            self._free = False
        return reader.in_gate and not self._free

    def tell(self, now: Position[Any]) -> None:
        """Note whether the table awaits a card now."""
        if self._reader and self._reader.next_due_ms is None:
            self._free = awaits_card(now)
