"""Cards, packs and their notation. The module knows no game."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Final

RANKS = "A23456789TJQK"
SUITS = "cdhs"


class Rank(IntEnum):
    """A card's rank as a number: the ace is 1, the king is 13."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13


class Suit(StrEnum):
    """A suit, written as its first letter."""

    CLUBS = "c"
    DIAMONDS = "d"
    HEARTS = "h"
    SPADES = "s"


class _CardBase(StrEnum):
    """The properties of a card. The members of `Card` are made from RANKS and SUITS."""

    rank: Rank
    """Ace is 1, king is 13."""
    suit: Suit
    """Clubs, diamonds, hearts or spades."""

    def __init__(self, code: str) -> None:
        self.rank = Rank(RANKS.index(code[0]) + 1)
        self.suit = Suit(code[1])


class Card(_CardBase):
    """One card, written as rank and suit: `Card("7h")` is the seven of hearts.

    A string enum of 52 members: msgspec writes a card as its code, and checks each code that it
    reads.
    """

    Ac, Ad, Ah, As = "Ac", "Ad", "Ah", "As"
    C2c, C2d, C2h, C2s = "2c", "2d", "2h", "2s"
    C3c, C3d, C3h, C3s = "3c", "3d", "3h", "3s"
    C4c, C4d, C4h, C4s = "4c", "4d", "4h", "4s"
    C5c, C5d, C5h, C5s = "5c", "5d", "5h", "5s"
    C6c, C6d, C6h, C6s = "6c", "6d", "6h", "6s"
    C7c, C7d, C7h, C7s = "7c", "7d", "7h", "7s"
    C8c, C8d, C8h, C8s = "8c", "8d", "8h", "8s"
    C9c, C9d, C9h, C9s = "9c", "9d", "9h", "9s"
    Tc, Td, Th, Ts = "Tc", "Td", "Th", "Ts"
    Jc, Jd, Jh, Js = "Jc", "Jd", "Jh", "Js"
    Qc, Qd, Qh, Qs = "Qc", "Qd", "Qh", "Qs"
    Kc, Kd, Kh, Ks = "Kc", "Kd", "Kh", "Ks"


#: One pack, ace to king of clubs, then diamonds, hearts, spades.
PACK: tuple[Card, ...] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
#: A pack of écarté: seven to king, and the ace.
PACK_32: tuple[Card, ...] = tuple(card for card in PACK if not 2 <= card.rank <= 6)
#: Every kind of pack, by its number of cards.
PACKS: dict[int, tuple[Card, ...]] = {52: PACK, 32: PACK_32}


def parse(code: str) -> Card:
    """The card of a code such as `7h` or `Ks`. Raises ValueError if there is no such card."""
    try:
        return Card(code)
    except ValueError:
        raise ValueError(f"not a card code: {code!r} (want rank then suit, e.g. '7h')") from None


#: Signs that people and programs write for suits.
_SIGNS: Final = dict(zip("♣♦♥♠", SUITS, strict=True)) | dict(zip("♧♢♡♤", SUITS, strict=True))


#: How a sign is to be drawn, which follows it.
_SHAPES: Final = "\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}"


def spelled(text: str) -> Card:
    """The card that a person wrote: `7h`, `10D`, `q♠`. Raises ValueError if it is none."""
    plain = text.strip().rstrip(_SHAPES)
    rank, suit = plain[:-1].strip().upper(), plain[-1:]
    return parse(("T" if rank == "10" else rank) + _SIGNS.get(suit, suit.lower()))


def hand(codes: str) -> tuple[Card, ...]:
    """The cards of codes that are separated by spaces, such as `Kd 5s`. Raises ValueError."""
    return tuple(parse(code) for code in codes.split())


def show(cards: tuple[Card, ...]) -> str:
    """The inverse of `hand`: the codes of the cards, separated by spaces."""
    return " ".join(cards)
