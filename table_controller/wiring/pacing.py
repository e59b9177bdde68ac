"""The pace of a recording in a camera's place: a card leaves once the table awaits one.

Until then it rests in the gate, and the film stands still. Knows offers and a reader; no frame.
"""

from __future__ import annotations

from typing import Any

from table_controller.engine.messages import Audience, CardSeen
from table_controller.service.game import Position
from vision.reader import Reader

_SEEN = str(CardSeen.__struct_config__.tag)


def awaits_card(now: Position[Any]) -> bool:
    """Whether a card is due, or one is to be shown again."""
    picture = now.by_hand(now.snapshot(Audience.CROUPIER), reads=False)
    due = any(one.group == "main" and one.input["type"] == _SEEN for one in picture.offers)
    return due or now.asks_again


class FilmPace:
    """Lets one card pass for each that is awaited. `held` is called by the film's own thread."""

    def __init__(self) -> None:
        self._reader: Reader | None = None
        self._free = False

    def begin(self, reader: Reader, now: Position[Any]) -> None:
        """This reader watches the film."""
        self._reader, self._free = reader, awaits_card(now)

    def held(self) -> bool:
        """Whether the film must stand still: a card is in the gate, and none is due."""
        reader = self._reader
        if reader is None:
            return False
        if reader.next_due_ms is not None:  # one has passed: its verdict decides about the next
            self._free = False
        return reader.in_gate and not self._free

    def tell(self, now: Position[Any]) -> None:
        """Hear what the table awaits now."""
        if self._reader and self._reader.next_due_ms is None:
            self._free = awaits_card(now)
