"""Sums of money in whole smallest chips, and the house's share. The module knows no table."""

from __future__ import annotations

from typing import NewType

#: A sum in smallest chips of the house (R-16). Never negative on the table.
Chips = NewType("Chips", int)

NONE = Chips(0)


def cagnotte(winnings: Chips, *, rate_bp: int = 500) -> Chips:
    """The house's share of the bank's winnings in a coup, in smallest chips, rounded down.

    `rate_bp` is in basis points: 500 is 5 %, the default of the house file. If the bank won
    nothing, the share is 0. Raises ValueError on a negative sum. Source: ZP-20, R-8.
    """
    if winnings < 0:
        raise ValueError(f"winnings cannot be negative: {winnings} chips")
    return Chips(winnings * rate_bp // 10_000)
