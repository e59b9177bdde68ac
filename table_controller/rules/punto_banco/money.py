"""The payout of a bet, and the house's commission. The module knows a finished coup but no seat.

Sums are in smallest chips. They are rounded in the house's favour (PB-10).
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Final

from table_controller.rules.money import Chips
from table_controller.rules.punto_banco.coup import Coup, Winner
from table_controller.rules.punto_banco.side_bets import SIDE_BETS

#: The three bets on the result, as named in houses and inputs.
PLAYER, BANKER, TIE = "player", "banker", "tie"
MAIN: Final = (PLAYER, BANKER, TIE)
_BET_ON: Final = {Winner.PLAYER: PLAYER, Winner.BANKER: BANKER, Winner.TIE: TIE}
_ODDS = re.compile(r"\d+(\.\d+)?:1")


@cache  # called for every place and spot of a picture
def odds(text: str) -> tuple[Fraction, ...]:
    """The odds of a bet, per chip, from a text such as `8:1`, `0.54:1`, or in steps `12:1 20:1`.

    Raises ValueError if the text has another form.
    """
    steps = text.split()
    if not steps or not all(map(_ODDS.fullmatch, steps)):
        raise ValueError(f"not odds: {text!r} (want e.g. '8:1', or in steps '12:1 20:1')")
    return tuple(Fraction(Decimal(step.removesuffix(":1"))) for step in steps)


def payout(stake: Chips, to_one: Fraction, *, chip: int = 1) -> Chips:
    """The sum paid for a winning stake, rounded down to a multiple of `chip`. Source: PB-10."""
    return Chips(stake * to_one.numerator // to_one.denominator // chip * chip)


def commission(winnings: Chips, *, rate_bp: int = 500, chip: int = 1) -> Chips:
    """The commission on Banker's winnings, rounded up to a multiple of `chip`.

    It never exceeds the winnings. `rate_bp` is in basis points: 500 is 5 %. Source: PB-9, PB-10.
    """
    exact = -(-winnings * rate_bp // 10_000)
    return Chips(min(winnings, -(-exact // chip) * chip))


def backed(coup: Coup) -> str:
    """The name of the bet that wins with the result of this coup."""
    return _BET_ON[coup.winner]


def stands(bet: str, coup: Coup, *, pushes_on_seven: bool) -> bool:
    """Whether a stake on this bet neither wins nor loses.

    This is so for Player and Banker on a tie (PB-9). If `pushes_on_seven` says that the house has
    this rule, it is so for Banker too, if he wins with 7 on three cards (PB-11 b).
    """
    if bet == TIE:
        return False
    if coup.winner is Winner.TIE:
        return True
    return pushes_on_seven and bet == BANKER and SIDE_BETS["dragon_7"].won(coup) > 0


def pays_half(coup: Coup) -> bool:
    """Whether Banker won with 6, for which some houses pay 1:2 without commission.

    Source: PB-11 (a).
    """
    return SIDE_BETS["super_6"].won(coup) > 0


#: Even money, and half of it.
EVEN, HALF = Fraction(1), Fraction(1, 2)
