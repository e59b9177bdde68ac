"""A house of chemin de fer: its limits and customs as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from table_controller.rules import houses

_SUM = (1, 10**9)
RANGES: houses.Ranges = {
    **houses.RANGES,
    "white_at": (6, 52),
    "least_pot": _SUM,
    "least_stake": _SUM,
    "most_pot": (0, 10**9),
    "cagnotte_bp": (0, 10_000),
    "passes_after_move": (0, 9),
    "slow_look_s": (0, 3600),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class House(houses.House):
    """One house's way of playing chemin de fer.

    Attributes:
        least_pot: the least pot that a player can put up as banker (ZP-5, R-12).
        least_stake: the least stake against the bank (ZP-16, R-12).
        most_pot: the greatest pot, 0 for no limit (R-12).
        cagnotte_bp: the house's share of the bank's winnings, in basis points (R-8).
        tableau: the name of the tableau on the wall. It binds those who play by it (ZX-2).
        stakes: `games` if the pointeur names one of four games (ZP-15), `highest` if the player who
            has staked most plays the cards (R-33).
        sale: what happens to a bank that is given up: `auction` (ZP-18) or `take_over` (N-7).
        tie: the stakes that stay after equal points: `all` (R-4), or only the `staked` (covered)
            parts (N-5).
        halving: whether a banker may halve his bank, once (N-3, N-5).
        passes_after_move: how often a player who changed seats must let the bank pass (N-1, R-40).
        retablir: how long a misdeal can be put right: `always` if nobody protests (Z-12);
            `third_card` until the coup's first third card; `third_dealt` while three cards of the
            deal are out, but not four (N-4, R-15, R-50).
        slow_look_s: seconds until the croupier is reminded of a player who still looks at his
            cards; 0 for no reminder (Z-16).
    """

    LIMITS: ClassVar[tuple[str, ...]] = ("least_stake", "least_pot", "most_pot")

    game: Literal["chemin-de-fer"] = "chemin-de-fer"
    least_pot: int = 10
    least_stake: int = 2
    most_pot: int = 0
    cagnotte_bp: int = 500
    tableau: Literal["zx-2", "modern"] = "zx-2"
    stakes: Literal["games", "highest"] = "games"
    sale: Literal["auction", "take_over"] = "auction"
    tie: Literal["all", "staked"] = "all"
    halving: bool = False
    passes_after_move: int = 0
    retablir: Literal["always", "third_card", "third_dealt"] = "always"
    slow_look_s: int = 20

    def __post_init__(self) -> None:
        houses.within(self, RANGES)
        if self.most_pot and self.most_pot < self.least_pot:
            raise ValueError(
                f"most_pot is {self.most_pot}; allowed: 0 (no limit) or at least least_pot "
                f"({self.least_pot})"
            )
