"""Facts of the first distribution, found by dealing: every card goes through the engine."""

from __future__ import annotations

import csv
from fractions import Fraction
from itertools import combinations
from math import factorial
from pathlib import Path

from table_controller.engine.ecarte.state import Deal, Table
from table_controller.engine.messages import CardSeen
from table_controller.rules.cards import PACK_32, Card, Suit
from table_controller.rules.ecarte.house import House
from table_controller.rules.ecarte.tricks import king_of
from tests.engine.ecarte_playing import E07, said, started

FIGURES = Path(__file__).parents[1] / "rules" / "ecarte_facts.csv"
TRUMPS = "elder holds {} trumps (turn-up a trump): ways dealer has <2 trumps / >=2 trumps"


def golden() -> dict[str, str]:
    """Each fact's exact figure, or its value where it has none, as the table has it."""
    with FIGURES.open(newline="") as rows:
        return {row["fact"]: row["exact"] for row in csv.DictReader(rows)}


def dealt(now: Table, *cards: Card) -> Table:
    """The table after these passages at the lip."""
    return said(now, *(CardSeen(card=card) for card in cards))


def the_deal(now: Table) -> Deal:
    """Its deal, the eleventh card being turned up."""
    assert now.deal is not None
    assert now.deal.turned is not None
    return now.deal


def kings(house: House) -> dict[str, Fraction]:
    """Every turn-up with every place of its king, each once: who turned him up or was dealt him."""
    begun, found = started(house), {"turned": 0, "elder": 0, "dealer": 0, "talon": 0}
    for turned in PACK_32:
        king = king_of(turned.suit)
        others = [card for card in PACK_32 if card not in (turned, king)]
        for position in range(31):
            held = () if turned is king else (king,)
            order = [*others[:position], *held, *others[position:]]
            deal = the_deal(dealt(begun, *order[:10], turned))
            hands = [[card.card for card in hand] for hand in deal.taken]
            if deal.turned and deal.turned.card is king_of(deal.trump):
                found["turned"] += 1
            elif king in hands[deal.elder]:
                found["elder"] += 1
            else:
                found["dealer" if king in hands[deal.dealer] else "talon"] += 1
    return {who: Fraction(times, 32 * 31) for who, times in found.items()}


def deals(house: House) -> tuple[int, int]:
    """How many first distributions there are, by what the Schlitten holds; and the talon."""
    now, ways = started(house), 1
    for card in PACK_32[:11]:
        ways *= now.felt.shoe.left if now.felt.shoe else 0
        now = dealt(now, card)
    for hand in the_deal(now).taken:
        ways //= factorial(len(hand))
    return ways, now.felt.shoe.left if now.felt.shoe else 0


def few_trumps(held: int) -> tuple[int, int]:
    """Ways in which the dealer has fewer than two trumps, and two or more, dealt one by one."""
    turned = Card("7h")
    trumps = [card for card in PACK_32 if card.suit == Suit.HEARTS and card is not turned]
    others = [card for card in PACK_32 if card.suit != Suit.HEARTS]
    elder = [*trumps[:held], *others[: 5 - held]]
    left = [card for card in PACK_32 if card not in (*elder, turned)]
    first, found = dealt(started(E07), *elder[:3]), [0, 0]
    for three in combinations(range(26), 3):
        then = dealt(first, *(left[n] for n in three), *elder[3:])
        for fourth in range(three[-1] + 1, 25):
            nearly = dealt(then, left[fourth])
            for fifth in range(fourth + 1, 26):
                deal = the_deal(dealt(nearly, left[fifth], turned))
                hand = deal.taken[deal.dealer]
                found[sum(card.card.suit == deal.trump for card in hand) >= 2] += 1
    return found[0], found[1]
