"""Écarté: deals by whim with mistakes, worlds that differ in closed cards, the facts walked."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations

from table_controller.engine.ecarte.events import DealAnnulled, DealEnded, PartieEnded
from table_controller.engine.ecarte.playing import may_be
from table_controller.engine.ecarte.state import Table, total
from table_controller.engine.messages import CardSeen
from table_controller.rules.cards import PACK_32, Card, Suit
from tests.engine.ecarte_playing import E07, HOUSES, said, started, table, walk
from tests.engine.ecarte_worlds import pair

#: The whole run: deals of each house, and pairs of worlds.
DEALS, PAIRS = 300_000, 100_000
#: How often a mistake may happen, in the three thirds of the deals.
RATES = (0.02, 0.2, 1.0)

Row = tuple[str, str]


def run(share: float) -> list[Row]:
    """All three."""
    return [*_deals(share), *_worlds(share), *_facts()]


def _deals(share: float) -> list[Row]:
    rows = []
    for house in HOUSES:
        found: Counter[str] = Counter()
        for rate in RATES:
            wanted, seed = found["deals"] + round(DEALS * share / len(RATES)), 0
            while found["deals"] < wanted:
                seed += 1
                begun = table(house)
                _walked(begun, random.Random(f"{house.id} {rate} {seed}"), rate, found)
        ended = f"{found['ended']} played out, {found['annulled']} annulled"
        rows.append(
            (f"deals at {house.id}", f"{found['deals']}: {ended}, {found['parties']} parties")
        )
    return rows


def _walked(begun: Table, luck: random.Random, rate: float, found: Counter[str]) -> None:
    money, since = total(begun), 0
    for _word, now, told, _refusal in walk(begun, luck, 3000, mistakes=rate):
        since += 1
        for event in told:
            if isinstance(event, DealEnded | DealAnnulled):
                which = "ended" if isinstance(event, DealEnded) else "annulled"
                found.update(("deals", which))
                since = 0
            found["parties"] += isinstance(event, PartieEnded)
        assert since < 2000, "a deal does not end"
        assert total(now) == money, "money was made or lost"
        if now.partie:
            assert min(now.partie.score) >= 0, "marks below nothing"
        deal = now.deal
        if deal and deal.turned and not deal.ended:
            for side in (0, 1):
                assert deal.held[side] <= 0 or may_be(deal, side), "no card is legal"


def _worlds(share: float) -> list[Row]:
    pairs = round(PAIRS * share)
    compared = sum([pair(HOUSES[seed % 3], seed) for seed in range(pairs)])
    return [("pairs of worlds", f"{pairs}, {compared} inputs compared, every output equal")]


def _facts() -> list[Row]:
    """Dealer hands with fewer than two trumps, all 65,780 dealt one by one."""
    rows = []
    for held in range(6):
        few, many = few_trumps(held)
        rows.append((f"elder holds {held} trumps", f"{few} / {many}: {Fraction(few, few + many)}"))
    return rows


def few_trumps(held: int) -> tuple[int, int]:
    """Ways in which the dealer has fewer than two trumps, and two or more, by the engine's deal."""
    turned = Card("7h")
    trumps = [card for card in PACK_32 if card.suit == Suit.HEARTS and card is not turned]
    others = [card for card in PACK_32 if card.suit != Suit.HEARTS]
    elder = [*trumps[:held], *others[: 5 - held]]
    left = [card for card in PACK_32 if card not in (*elder, turned)]
    first = said(started(E07), *(CardSeen(card=card) for card in elder[:3]))
    few = many = 0
    for three in combinations(range(26), 3):
        then = said(first, *(CardSeen(card=left[n]) for n in three))
        then = said(then, *(CardSeen(card=card) for card in elder[3:]))
        for two in combinations(range(three[-1] + 1, 26), 2):
            now = said(then, *(CardSeen(card=left[n]) for n in two), CardSeen(card=turned))
            assert now.deal is not None
            hand = now.deal.taken[now.deal.dealer]
            if sum(dealt.card.suit == now.deal.trump for dealt in hand) < 2:
                few += 1
            else:
                many += 1
    return few, many
