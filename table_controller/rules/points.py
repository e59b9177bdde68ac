"""The value of hands in baccara games. The module knows cards but no table."""

from __future__ import annotations

from collections.abc import Iterable

from table_controller.rules.cards import PACK, Card

#: Pips of each card: ace to nine at face value, tens and court cards nothing. Source: ZX-1.
PIPS: dict[Card, int] = {card: card.rank if card.rank < 10 else 0 for card in PACK}


def points(cards: Iterable[Card]) -> int:
    """The points of a hand, 0 to 9: the last digit of the sum of its cards.

    Ace to nine count their pips; ten and court cards (*bûches*) count nothing. Source: ZX-1.
    """
    return sum(map(PIPS.__getitem__, cards)) % 10


def is_natural(cards: tuple[Card, ...]) -> bool:
    """Whether a hand is a *Schlag*: two cards that make 8 or 9. Source: ZP-7."""
    return len(cards) == 2 and points(cards) >= 8
