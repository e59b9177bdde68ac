"""Limits the number of screens. Each screen has a place, and places are shared among addresses.

The module knows addresses and how to count, but no picture and no HTTP.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(slots=True, eq=False)
class ScreenPlace:
    """A screen's place. `lost` is true once the place was given to another screen."""

    address: str
    lose: Callable[[], None]
    lost: bool = False


class Places:
    """The places for the screens of one audience.

    If all are taken, a new screen gets the oldest place of the address with the most places. That
    address must have at least two places more than the address of the new screen. So a stranger who
    takes all places cannot shut out the house's own wall.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: dict[ScreenPlace, None] = {}

    def open_to(self, address: str) -> bool:
        """Whether a screen at this address would get a place."""
        return len(self._held) < self._most or self._spare(address) is not None

    @contextmanager
    def held(self, address: str, lose: Callable[[], None]) -> Iterator[ScreenPlace]:
        """Give a screen a place until the block ends.

        If the screen gets none, the yielded place is `lost` from the start. `lose` is called when
        the place is given to another screen.
        """
        place = ScreenPlace(address, lose, lost=not self.open_to(address))
        if not place.lost:
            self._make_room(address)
            self._held[place] = None
        try:
            yield place
        finally:
            self._held.pop(place, None)

    def _make_room(self, address: str) -> None:
        spare = self._spare(address) if len(self._held) >= self._most else None
        if spare:
            del self._held[spare]
            spare.lost = True
            spare.lose()

    def _spare(self, address: str) -> ScreenPlace | None:
        """Return the oldest place of the address that has the most places.

        Return None if that address has not at least two places more than `address`.
        """
        counts = Counter(place.address for place in self._held)
        if not counts:
            return None
        greediest, most = counts.most_common(1)[0]
        if most <= counts[address] + 1:
            return None
        return next(place for place in self._held if place.address == greediest)
