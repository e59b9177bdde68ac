"""A house: the settings that tables of every game share, as data.

Each game has its own settings type. The files are in `table_controller/houses`. Sums are in
smallest chips (R-16).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

#: The least and the most a setting may be, inclusive.
Ranges = Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """One house's table, whatever the game.

    Attributes:
        id: the house's id, which is also the file's name. `title` is shown above the table.
        game: the game played there.
        lamps: the path of the house's own lamp file, relative to the house file's folder; "" if it
            has none.
        unit: the unit printed after a sum, such as G.
        seats: the number of seats at the table (ZP-3, N-1).
        packs: the number of packs in the Schlitten (ZP-2).
        white_at: the number of cards behind the white card (ZP-4), as many as a coup needs (Z-24);
            0 if the house uses no white card.
        cut_card_apart: the greatest distance, in cards, between two witnesses' positions of the
            white card (R-52).
        chips: values of the house's chips, the smallest first, in smallest chips.
        pack: the number of cards in one pack. The game sets it, not a house file.
    """

    pack: ClassVar[int] = 52
    #: The settings that limit stakes and bank, the least stake first. Each game says which they
    #: are.
    LIMITS: ClassVar[tuple[str, ...]] = ()

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
    )  # left out of the digest: how a lamp looks does not affect the game
    chips: tuple[int, ...] = field(default=(1, 2, 5, 10, 50, 100, 500), repr=False)  # nor do chips

    def __post_init__(self) -> None:
        within(self, RANGES)
        rack = sorted(set(self.chips))
        if list(self.chips) != rack or not 1 <= len(rack) <= MOST_CHIPS or rack[0] < 1:
            raise ValueError(
                f"chips is {list(self.chips)}; want 1 to {MOST_CHIPS} values, the smallest first, "
                "such as [1, 5, 25, 100]"
            )

    @property
    def limits(self) -> dict[str, int]:
        """The limits of this table by the names of their settings, without those that are 0."""
        return {name: value for name in self.LIMITS if (value := getattr(self, name))}


#: How many chips fit side by side on the narrowest desk.
MOST_CHIPS = 7
RANGES: Ranges = {
    "seats": (2, 12), "packs": (1, 8), "white_at": (0, 52), "cut_card_apart": (0, 52)
}  # fmt: skip


def within(house: House, ranges: Ranges) -> None:
    """Raise ValueError if a setting is outside its range.

    The error names the setting, its value, and the allowed range.
    """
    for name, (least, most) in ranges.items():
        value = getattr(house, name)
        if not least <= value <= most:
            raise ValueError(f"{name} is {value}; allowed: {least} to {most}")
