"""A house: its limits, packs and customs as data. The files lie in `table_controller/houses`."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from table_controller.rules.tableau import TABLEAUX


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """One house's way of playing. Sums are in smallest chips (R-16).

    Attributes:
        id: as in the file's name; `title` is what hangs over the table.
        game: that is played there; absent in a file, it is chemin de fer.
        lamps: path of the house's own lamp language, from the house file's folder; "": none.
        unit: printed after a sum, as G.
        seats: places at the table (ZP-3, N-1).
        packs: of 52 cards (ZP-2).
        white_at: cards behind the white card (ZP-4); a coup needs as many (Z-24).
        least_pot: least sum a bank is begun with (ZP-5, R-12).
        least_stake: least stake of a pointeur (ZP-16, R-12).
        most_pot: greatest pot, 0 for no limit (R-12).
        cagnotte_bp: the house's share of what the bank wins, in basis points (R-8).
        tableau: the custom shown and, for who plays by it, binding (ZX-2).
        stakes: `games` where the pointeur names one of four (ZP-15), `highest` where the
            highest stake holds the cards (R-33).
        sale: what becomes of a bank that is given up: `auction` (ZP-18) or `take_over` (N-7).
        tie: what stands after equal points: `all` (R-4), or `staked` only (N-5).
        halving: whether a banker may halve his bank, once (N-3, N-5).
        passes_after_move: how often a player who changed his seat lets the bank pass (N-1, R-40).
        retablir: until when a misdeal can be put right: `always` without protest (Z-12),
            `third_card` until the coup's first third card, `third_dealt` with three cards
            of the deal and not with its fourth (N-4, R-15, R-50).
        cut_card_apart: cards that the witnesses of the white card may be apart (R-52).
        slow_look_s: seconds until a gentle reminder to who looks at his cards; 0: none (Z-16).
    """

    id: str
    title: str
    game: str = field(default="chemin-de-fer", repr=False)  # not in digests of before it was there
    lamps: str = field(default="", repr=False)  # what a lamp looks like changes no game
    unit: str
    seats: int
    packs: int = 6
    white_at: int = 7
    least_pot: int = 10
    least_stake: int = 2
    most_pot: int = 0
    cagnotte_bp: int = 500
    tableau: str = "zx-2"
    stakes: str = "games"
    sale: str = "auction"
    tie: str = "all"
    halving: bool = False
    passes_after_move: int = 0
    retablir: str = "always"
    slow_look_s: int = 20
    cut_card_apart: int = 2

    def __post_init__(self) -> None:
        for name, least, most in _RANGES:
            value = getattr(self, name)
            if not least <= value <= most:
                raise ValueError(f"{name} is {value}; allowed: {least} to {most}")
        for name, allowed in _CHOICES.items():
            chosen = getattr(self, name)
            if chosen not in allowed:
                raise ValueError(f"{name} is {chosen!r}; allowed: {', '.join(allowed)}")
        if self.most_pot and self.most_pot < self.least_pot:
            raise ValueError(
                f"most_pot is {self.most_pot}; allowed: 0 (no limit) or at least least_pot "
                f"({self.least_pot})"
            )


_RANGES = (
    ("seats", 2, 12),
    ("packs", 1, 8),
    ("white_at", 6, 52),
    ("least_pot", 1, 10**9),
    ("least_stake", 1, 10**9),
    ("most_pot", 0, 10**9),
    ("cagnotte_bp", 0, 10_000),
    ("passes_after_move", 0, 9),
    ("slow_look_s", 0, 3600),
    ("cut_card_apart", 0, 52),
)

_CHOICES: dict[str, tuple[str, ...]] = {
    "tableau": tuple(TABLEAUX),
    "stakes": ("games", "highest"),
    "sale": ("auction", "take_over"),
    "tie": ("all", "staked"),
    "retablir": ("always", "third_card", "third_dealt"),
}

#: Every setting of a house file, for the documentation and its test.
SETTINGS = tuple(setting.name for setting in fields(House))
