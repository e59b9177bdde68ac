"""Tricks at écarté: which card beats another, which cards may answer a lead, and who wins."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final

from table_controller.rules.cards import Card, Rank, Suit

#: From lowest to highest. Source: E07-12, E00-12, EDE-2.
ORDER: Final = (
    Rank.SEVEN, Rank.EIGHT, Rank.NINE, Rank.TEN, Rank.ACE, Rank.JACK, Rank.QUEEN, Rank.KING
)  # fmt: skip
_HEIGHT: Final = {rank: height for height, rank in enumerate(ORDER)}

#: Says whether a reply is a breach, given the reply, all cards then in hand, the lead and the
#: trumps.
Offends = Callable[[Card, list[Card], Card, Suit], bool]


def height(card: Card) -> int:
    """The rank of a card in play, within its suit: 0 for the seven, 7 for the king.

    Source: E07-12.
    """
    return _HEIGHT[card.rank]


def drawn_height(card: Card) -> int:
    """The rank of a card that is drawn or cut at E07 and E00: the ace is lowest. Source: E07-9."""
    return -1 if card.rank is Rank.ACE else height(card)


def king_of(trump: Suit) -> Card:
    """The king of trumps, which is worth a mark. Source: E07-26."""
    return Card("K" + trump)


def takes(reply: Card, led: Card, trump: Suit) -> bool:
    """Whether the reply wins the trick. If both cards are identical, the leader wins (ER-18).

    Source: E07-30.
    """
    if reply.suit == led.suit:
        return height(reply) > height(led)
    return reply.suit == trump


def legal(cards: Sequence[Card], led: Card, trump: Suit) -> tuple[Card, ...]:
    """Those of `cards` that may be played to a lead.

    A player must follow suit and beat the lead. If he cannot do both, he must follow suit. If he
    cannot follow suit, he must trump. If he cannot trump, any card is allowed.

    Source: E07-44, E00-44, EDE-14.
    """
    same = tuple(card for card in cards if card.suit == led.suit)
    higher = tuple(card for card in same if height(card) > height(led))
    trumps = tuple(card for card in cards if card.suit == trump)
    return higher or same or trumps or tuple(cards)


def is_renonce(reply: Card, held: Collection[Card], led: Card, trump: Suit) -> bool:
    """Whether a reply is a renonce, the breach of the rules of play that counts at EDE.

    A card of the suit that does not beat the lead is no renonce (ER-1). `held` is the player's
    whole hand before the reply, with the reply itself. Source: EDE-26a to 26c.
    """
    if any(card.suit == led.suit for card in held):
        return reply.suit != led.suit
    return reply.suit != trump and any(card.suit == trump for card in held)


def breaches(reply: Card, held: Sequence[Card], led: Card, trump: Suit) -> bool:
    """Whether a reply is not allowed by the rules of play (E07-44).

    `held` is the player's hand before the reply.
    """
    return reply not in legal(held, led, trump)


#: A player's cards in order, each with the card to which it replied, or with None if the player led
#: or only showed the card.
Open = Iterable[tuple[Card | None, Card]]


def replies(played: Open) -> Iterator[tuple[int, Card, Card, list[Card]]]:
    """Yield each reply: its trick (from 0), the lead, the reply, and the cards surely in hand then.

    A card that the player showed later was in his hand then. Nothing is inferred about closed
    cards.
    """
    shown = list(played)
    for number, (led, own) in enumerate(shown):
        if led is not None:
            yield number, led, own, [card for _, card in shown[number:]]


def proven(played: Open, trump: Suit, offends: Offends = breaches) -> int | None:
    """The first trick in which a player's open cards prove a breach, counted from 0, or None.

    Nobody is accused falsely. `offends` decides whether a reply is a breach, from the reply, the
    cards held, the lead and the trumps. Source: E07-44.
    """
    found = (n for n, led, own, held in replies(played) if offends(own, held, led, trump))
    return next(found, None)
