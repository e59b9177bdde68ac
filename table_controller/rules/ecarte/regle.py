"""Jeux de règle: hands with which elder should not propose, or the dealer should refuse.

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
    trumps = [card for card in cards if card.suit == trump]
    every = ([card for card in cards if card.suit == suit] for suit in Suit if suit != trump)
    plain = [suit for suit in every if suit]
    match len(trumps):
        case 0:
            return _without_a_trump(plain)
        case 1:
            return _with_one_trump(plain, king=trumps[0].rank is Rank.KING)
        case 2:
            return _with_two_trumps(plain)
    return True


def _with_two_trumps(suits: list[list[Card]]) -> bool:
    """Whether a hand with two trumps suffices. `suits` are its plain suits, those but trumps.

    Three cards of a plain suit suffice. Two cards of a plain suit suffice if the higher of them is
    at least a queen, or if another plain suit has a king. They also suffice if they are at least
    jack and ace, and another plain suit has a jack or better. Source: EDE-19b.
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


def _with_one_trump(suits: list[list[Card]], *, king: bool) -> bool:
    """Whether a hand with one trump suffices. `suits` are its plain suits. Source: EDE-19c.

    Four cards of a suit with its king suffice. So do three with its queen or king, if another plain
    suit has a king. In the book's last hand, three of a suit and two kings, the trump is one of the
    kings (`king`): then any three suffice (ER-43).
    """
    return any(
        (len(suit) == 4 and _headed(suit, Rank.KING))
        or (
            len(suit) == 3
            and (king or _headed(suit, Rank.QUEEN))
            and Rank.KING in _beside(suits, suit)
        )
        for suit in suits
    )


def _without_a_trump(suits: list[list[Card]]) -> bool:
    """Whether a hand without a trump suffices. Source: EDE-19d.

    Four court cards suffice if two of them are queens. So do two kings together with two other
    cards of one suit, one of them its queen. So do three kings with two cards of one suit.
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
    """Whether the highest of these cards of a suit has the rank `rank` or a higher one."""
    return max(map(height, suit)) >= ORDER.index(rank)


def _at_least(suit: Sequence[Card], *ranks: Rank) -> bool:
    """Whether these cards of a suit, the highest first, are at least as high as these ranks."""
    own = sorted(map(height, suit), reverse=True)
    return all(card >= ORDER.index(rank) for card, rank in zip(own, ranks, strict=True))


def _any(ranks: Sequence[Rank], least: Rank) -> bool:
    return any(ORDER.index(rank) >= ORDER.index(least) for rank in ranks)
