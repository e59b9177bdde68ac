"""A house: what every game's tables have, as data. Each game has a settings type of its own.

The files lie in `table_controller/houses`. Sums are in smallest chips (R-16).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

#: Least and most of a setting, both allowed.
Ranges = Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """One house's table, whatever is played there.

    Attributes:
        id: as in the file's name; `title` is what hangs over the table.
        game: that is played there.
        lamps: path of the house's own lamp language, from the house file's folder; "": none.
        unit: printed after a sum, as G.
        seats: places at the table (ZP-3, N-1).
        packs: in the Schlitten (ZP-2).
        white_at: cards behind the white card (ZP-4), of which a coup needs as many (Z-24); 0: none.
        cut_card_apart: cards that the witnesses of the white card may be apart (R-52).
    """

    id: str
    title: str
    game: str
    unit: str
    seats: int
    packs: int = 6
    white_at: int = 7
    cut_card_apart: int = 2
    lamps: str = field(
        default="", repr=False
    )  # in no digest: what a lamp looks like changes no game

    def __post_init__(self) -> None:
        within(self, RANGES)


RANGES: Ranges = {
    "seats": (2, 12), "packs": (1, 8), "white_at": (0, 52), "cut_card_apart": (0, 52)
}  # fmt: skip


def within(house: House, ranges: Ranges) -> None:
    """Raise ValueError where a setting is out of its range, naming it and what is allowed."""
    for name, (least, most) in ranges.items():
        value = getattr(house, name)
        if not least <= value <= most:
            raise ValueError(f"{name} is {value}; allowed: {least} to {most}")
