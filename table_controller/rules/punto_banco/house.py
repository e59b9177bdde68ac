"""A house of punto banco: how it deals, which bets it takes, and how it treats mishaps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from table_controller.rules import houses
from table_controller.rules.punto_banco.money import odds
from table_controller.rules.punto_banco.side_bets import SIDE_BETS

_SUM = (0, 10**9)
RANGES: houses.Ranges = {
    **houses.RANGES,
    "burn_cards": (0, 20),
    "commission_bp": (0, 10_000),
    "round_to": (1, 10**6),
    "least_bet": (1, 10**9),
    "most_bet": _SUM,
    "least_side": (1, 10**9),
    "most_side": _SUM,
    "differential": _SUM,
    "free_coups": (0, 20),
    "tray": _SUM,
    "schlitten_a_year": (1, 100_000),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class House(houses.House):
    """One house's way of dealing punto banco.

    Attributes:
        burn: how many cards are burned first: the first card's `value`, or a `fixed` number (PB-2).
        burn_cards: that fixed number.
        after_cut: the coups dealt after the coup in which the cut card appears: `one_more` or
            `none` (PB-3).
        dealing: `open`, or `squeezed` if cards stay closed until a side opens them for the table
            (PB-15).
        bets: whether bets are recorded by seat. Otherwise the table only announces results.
        least_bet, most_bet: the limits of a place's stake on Player, Banker or Tie; a `most_bet` of
            0 is no limit (PB-13).
        least_side, most_side: the limits of a stake on a side bet.
        differential: the most by which the totals on Player and on Banker may differ when bets
            close, 0 for no limit (PB-13, PB-36).
        banker_pays: `commission` for 1:1 less commission. `half_on_six` (PB-11 a) and
            `push_on_seven` (PB-11 b) pay 1:1 without commission.
        commission_bp: the house's share of Banker's winnings, in basis points (PB-9).
        commission: when the house takes the commission: `at_once`; or it is noted in `boxes`, and
            owed until the Schlitten ends or the player leaves (PB-10).
        round_to: commission is rounded up, and payouts are rounded down, to a multiple of this
            number of chips (PB-10).
        tie_pays: the odds of Tie (PB-9).
        side_bets: the odds of each side bet offered (PB-12).
        paid_first: the winning bets that are paid first: `side` bets and Tie, or the `main` bets
            (PB-14).
        free_coups: how many coups in a row may be dealt without a stake (PB-16).
        extra_card: a surplus card that nobody has seen is `kept` for the next coup, or `burned`
            (PB-20, PB-21).
        face_up: a card found face up is `burned`, or its coup is `void` (PB-23).
        wrong_hand: cards dealt to the wrong hand are `put_right`, or the coup is `void` (PB-24).
        foreign: after a foreign or doubled card, the Schlitten is `withdrawn` at the end of the
            coup, or `stays` (PB-27).
        tray: the chips with which the house begins an evening.
        schlitten_a_year: the number of Schlitten dealt here in a year; how rare a run is depends
            on this number (PR-4).
    """

    LIMITS: ClassVar[tuple[str, ...]] = (
        "least_bet",
        "most_bet",
        "least_side",
        "most_side",
        "differential",
    )

    game: Literal["punto-banco"] = "punto-banco"
    packs: int = 8
    white_at: int = 14
    burn: Literal["value", "fixed"] = "value"
    burn_cards: int = 0
    after_cut: Literal["one_more", "none"] = "one_more"
    dealing: Literal["open", "squeezed"] = "open"
    bets: bool = True
    least_bet: int = 5
    most_bet: int = 0
    least_side: int = 1
    most_side: int = 0
    differential: int = 0
    banker_pays: Literal["commission", "half_on_six", "push_on_seven"] = "commission"
    commission_bp: int = 500
    commission: Literal["at_once", "boxes"] = "at_once"
    round_to: int = 1
    tie_pays: str = "8:1"
    side_bets: Mapping[str, str] = field(default_factory=dict)
    paid_first: Literal["side", "main"] = "side"
    free_coups: int = 3
    extra_card: Literal["kept", "burned"] = "kept"
    face_up: Literal["burned", "void"] = "burned"
    wrong_hand: Literal["put_right", "void"] = "put_right"
    foreign: Literal["withdrawn", "stays"] = "withdrawn"
    tray: int = 1_000_000
    schlitten_a_year: int = 3000

    def __post_init__(self) -> None:
        houses.within(self, RANGES)
        for least, most in (("least_bet", "most_bet"), ("least_side", "most_side")):
            if 0 < getattr(self, most) < getattr(self, least):
                raise ValueError(
                    f"{most} is {getattr(self, most)}; allowed: 0 (no limit) or at least {least} "
                    f"({getattr(self, least)})"
                )
        if len(odds(self.tie_pays)) != 1:
            raise ValueError(f"tie_pays is {self.tie_pays!r}; allowed: one odds, such as '8:1'")
        for name, text in self.side_bets.items():
            if name not in SIDE_BETS:
                raise ValueError(f"side bet {name!r}; allowed: {', '.join(SIDE_BETS)}")
            steps = SIDE_BETS[name].steps
            if len(odds(text)) != steps:
                raise ValueError(f"side bet {name} is {text!r}; it pays in {steps} steps")
