"""Jeux de règle: hands on which a player should play at once, or refuse.

They are advice at a practice table, and bind nobody. Source: EDE-19.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from table_controller.rules.cards import Card, Rank, Suit
from table_controller.rules.ecarte.tricks import ORDER, height

_COURT: Final = (Rank.JACK, Rank.QUEEN, Rank.KING)


def is_regle(cards: Sequence[Card], trump: Suit) -> bool:
    """Whether a hand is strong enough to play, or to refuse, at the first distribution.

    A hand that is stronger than a hand in the book's list counts too. Source: EDE-19a to 19d.
    """
    plain = [[card for card in cards if card.suit == suit] for suit in Suit if suit != trump]
    trumps = len(cards) - sum(map(len, plain))
    if trumps >= 3:
        return True
    test = {2: _with_two_trumps, 1: _with_one_trump, 0: _without_a_trump}[trumps]
    return test([suit for suit in plain if suit])


def _with_two_trumps(suits: list[list[Card]]) -> bool:
    """Whether the plain suits suffice with two trumps: three of a suit, or two with strength.

    Two cards of a suit suffice if one of them is high, or if another plain suit has a high card.
    Source: EDE-19b.
    """
    for suit in suits:
        beside = _beside(suits, suit)
        if len(suit) >= 3:
            return True
        if len(suit) == 2 and (
            _headed(suit, Rank.QUEEN)
            or Rank.KING in beside
            or (_at_least(suit, Rank.JACK, Rank.ACE) and _any(beside, Rank.JACK))
        ):
            return True
    return False


def _with_one_trump(suits: list[list[Card]]) -> bool:
    """Whether the plain suits suffice with one trump: a long suit and a king. Source: EDE-19c.

    The book's last hand is three of a suit and two kings. It fits in five cards only if one king is
    of the three. Then it is the same as the first hand.
    """
    return any(
        (len(suit) == 4 and _headed(suit, Rank.KING))
        or (len(suit) == 3 and _headed(suit, Rank.QUEEN) and Rank.KING in _beside(suits, suit))
        for suit in suits
    )


def _without_a_trump(suits: list[list[Card]]) -> bool:
    """Whether the cards suffice without a trump. Source: EDE-19d.

    They suffice with four court cards and two queens among them, or with two kings and two cards of
    a suit.
    """
    ranks = [rank for suit in suits for rank in _ranks(suit)]
    if sum(rank in _COURT for rank in ranks) >= 4 and ranks.count(Rank.QUEEN) >= 2:
        return True
    kings = ranks.count(Rank.KING)
    lower = [[card for card in suit if card.rank is not Rank.KING] for suit in suits]
    queened = any(len(suit) >= 2 and _headed(suit, Rank.QUEEN) for suit in lower)
    return (kings >= 2 and queened) or (kings >= 3 and any(len(suit) >= 2 for suit in suits))


def _ranks(suit: Sequence[Card]) -> list[Rank]:
    return [card.rank for card in suit]


def _beside(suits: list[list[Card]], suit: list[Card]) -> list[Rank]:
    """The ranks of the cards in the plain suits other than `suit`."""
    return [rank for other in suits if other is not suit for rank in _ranks(other)]


def _headed(suit: Sequence[Card], rank: Rank) -> bool:
    """Whether the highest card of a suit has at least the rank `rank`."""
    return max(map(height, suit)) >= ORDER.index(rank)


def _at_least(suit: Sequence[Card], *ranks: Rank) -> bool:
    """Whether a suit's cards, the highest first, are at least as high as these ranks."""
    own = sorted(map(height, suit), reverse=True)
    return all(card >= ORDER.index(rank) for card, rank in zip(own, ranks, strict=True))


def _any(ranks: Sequence[Rank], least: Rank) -> bool:
    return any(ORDER.index(rank) >= ORDER.index(least) for rank in ranks)
