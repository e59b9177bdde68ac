"""How many marks a deal of écarté is worth: tricks, vole, refusal, d'autorité, king, faults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from table_controller.rules.ecarte.house import House

#: Marks that win the partie. Source: E07-45, E00-7, EDE-18.
PARTIE: Final = 5
#: Tricks in a deal, and how many win it. Source: E07-43.
TRICKS: Final = 5
WINS: Final = 3
#: A king of trumps, turned up or held. Source: E07-26.
KING: Final = 1

Side = Literal["dealer", "elder"]
"""The player who deals, and the player who receives the first cards and leads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DealCourse:
    """The facts about a deal on which its marks depend.

    Attributes:
        dealer, elder: the number of tricks that each has won.
        exchanged: whether cards were bought, so that the penalties no longer apply (E07-40,
            E07-41).
        refused: whether the dealer refused the first proposition.
        authority: whether elder led without proposing (d'autorité).
        revoked: the sides that revoked and did not put it right in time (E07-44).
        false_kings: the sides that marked a king that they did not have, and left it marked
            (E07-29).
    """

    dealer: int
    elder: int
    exchanged: bool = False
    refused: bool = False
    authority: bool = False
    revoked: frozenset[Side] = frozenset()
    false_kings: frozenset[Side] = frozenset()


def other(side: Side) -> Side:
    """The opponent of `side`."""
    return "elder" if side == "dealer" else "dealer"


def winner(deal: DealCourse) -> Side | None:
    """The side with at least three tricks; None if neither has, because cards were thrown away."""
    if deal.dealer >= WINS:
        return "dealer"
    return "elder" if deal.elder >= WINS else None


def worth(deal: DealCourse, side: Side) -> int:
    """The marks that `side` may make for its tricks if there was no fault: 0, 1 or 2.

    Two reasons for a mark do not add up. Source: E07-40, E07-41, E07-43; EDE-17a to 17d.
    """
    if winner(deal) != side:
        return 0
    tricks = deal.dealer if side == "dealer" else deal.elder
    failed = deal.authority if side == "dealer" else deal.refused
    return 2 if tricks == TRICKS or (failed and not deal.exchanged) else 1


def marks(house: House, deal: DealCourse, side: Side) -> int:
    """The marks that `side` may make when the deal is over, without the mark for its king.

    A player who revoked marks one for a vole, and nothing for three or four tricks (E07-44,
    EDE-27). At E07 he marks one if he could otherwise mark two (ER-9). A player who left a false
    king marked loses the deal's marks, and his opponent has one more (E07-29). At EDE a false king
    has no further effect (ER-2).
    """
    due = worth(deal, side)
    if side in deal.revoked and due:
        tricks = deal.dealer if side == "dealer" else deal.elder
        lessened = due == 2 and house.revoke_of_two == "one" and house.revoke == "mended"
        due = 1 if tricks == TRICKS or lessened else 0
    if house.false_king == "penalty":
        if side in deal.false_kings:
            due = 0
        if other(side) in deal.false_kings:
            due += 1
    return due
