"""Facts of the first distribution, by walking the engine's own deal and turn-up."""

from fractions import Fraction
from math import factorial

import pytest

from table_controller.engine.messages import CardSeen
from table_controller.rules.cards import PACK_32
from table_controller.rules.ecarte.tricks import king_of
from tests.engine.ecarte_playing import E07, EDE, said, started


def walked(house):
    """Every turn-up with every place of its king, each once: who turned or holds a trump king."""
    begun, found = started(house), {"turned": 0, "elder": 0, "dealer": 0, "talon": 0}
    for turned in PACK_32:
        king = king_of(turned.suit)
        others = [card for card in PACK_32 if card not in (turned, king)]
        for position in range(31):
            held = () if turned is king else (king,)
            order = [*others[:position], *held, *others[position:]]
            now = said(begun, *(CardSeen(card=card) for card in (*order[:10], turned)))
            hands = [[dealt.card for dealt in hand] for hand in now.deal.taken]
            if now.deal.turned.card is king:
                found["turned"] += 1
            elif king in hands[now.deal.elder]:
                found["elder"] += 1
            else:
                found["dealer" if king in hands[now.deal.dealer] else "talon"] += 1
    return {who: Fraction(times, 32 * 31) for who, times in found.items()}


@pytest.mark.parametrize("house", [E07, EDE], ids=lambda house: house.id)
def test_where_the_king_of_trumps_lies(house):
    """E07-13, E07-26, EDE-4, EDE-5: 4/32 turned up, 35/248 in each hand, 101/248 anywhere."""
    found = walked(house)

    assert found["turned"] == Fraction(4, 32)
    assert found["elder"] == found["dealer"] == Fraction(7, 8) * Fraction(5, 31)
    assert found["turned"] + found["elder"] + found["dealer"] == Fraction(101, 248)


def test_how_many_deals_there_are():
    """E07-1, E07-13, EDE-1, EDE-5: five, five and one of 32, and 21 stay in the talon."""
    now, ways = started(E07), 1
    for card in PACK_32[:11]:
        ways *= now.felt.shoe.left
        now = said(now, CardSeen(card=card))
    elder, dealer = (len(hand) for hand in now.deal.taken)

    assert now.felt.shoe.left == 21
    assert ways // (factorial(elder) * factorial(dealer)) == 357_655_858_560
