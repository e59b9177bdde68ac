"""Side bets: which coups win them, and which step of their odds is paid.

The house sets the odds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from table_controller.rules.cards import Card
from table_controller.rules.punto_banco.coup import Coup, Winner


class SideBet(NamedTuple):
    """A bet other than the three on the result.

    Attributes:
        name: the bet's name in house files and inputs.
        steps: the number of different odds it has.
        won: a function of the coup: 0 if the bet loses, else the step of its odds that is paid,
            from 1.
    """

    name: str
    steps: int
    won: Callable[[Coup], int]


def pair(cards: tuple[Card, ...]) -> bool:
    """Whether the first two cards have the same rank. Source: PB-12."""
    return cards[0][0] == cards[1][0]  # a card is written rank first


def _perfect(coup: Coup) -> int:
    """On how many sides the first two cards are equal in rank and suit: 0, 1 or 2."""
    return (coup.player[0] == coup.player[1]) + (coup.banker[0] == coup.banker[1])


def _banker_with(coup: Coup, points: int) -> bool:
    return coup.winner is Winner.BANKER and coup.banker_points == points


def _lucky(coup: Coup) -> int:
    return len(coup.banker) - 1 if _banker_with(coup, 6) else 0


def _panda(coup: Coup) -> bool:
    return coup.winner is Winner.PLAYER and coup.player_points == 8 and len(coup.player) == 3


_BETS = (
    SideBet("player_pair", 1, lambda coup: pair(coup.player)),
    SideBet("banker_pair", 1, lambda coup: pair(coup.banker)),
    SideBet("either_pair", 1, lambda coup: pair(coup.player) or pair(coup.banker)),
    SideBet("perfect_pair", 2, _perfect),
    SideBet("dragon_7", 1, lambda coup: _banker_with(coup, 7) and len(coup.banker) == 3),
    SideBet("panda_8", 1, _panda),
    SideBet("super_6", 1, lambda coup: _banker_with(coup, 6)),
    SideBet("lucky_6", 2, _lucky),
    SideBet("big", 1, lambda coup: coup.length > 4),
    SideBet("small", 1, lambda coup: coup.length == 4),
)
#: Every side bet, by name. Source: PB-12.
SIDE_BETS: Final[Mapping[str, SideBet]] = {bet.name: bet for bet in _BETS}
