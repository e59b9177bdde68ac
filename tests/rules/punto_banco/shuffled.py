"""Honest and false shuffles, and how often one causes a notice about a suspicious order."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import sqrt

from table_controller.rules.cards import PACK, Card
from table_controller.rules.punto_banco.irregularities import Notice, Shuffle, notices

NEW = PACK * 8
#: Eight packs. Some cards are burned, and those behind the cut card are not dealt.
SHOWN = 402
#: A table with 3,000 Schlitten a year, and a table with one a year, which has many notices.
BUSY, IDLE = Shuffle(8, SHOWN, 3000), Shuffle(8, SHOWN, 1)
#: The number of cards in the stretch that nobody shuffled.
SLUG = 20

Schlitten = Sequence[Card]


def honest(luck: random.Random) -> Schlitten:
    """Shuffle the cards until nothing of their order is left."""
    cards = list(NEW)
    luck.shuffle(cards)
    return cards


def riffled(cards: Schlitten, luck: random.Random) -> Schlitten:
    """Cut the cards near the middle and riffle them once, as people do.

    The model is by Gilbert, Shannon and Reeds.
    """
    cut = sum(luck.random() < 0.5 for _ in cards)
    halves = [list(cards[:cut]), list(cards[cut:])]
    mixed: list[Card] = []
    while any(halves):
        first = luck.random() * sum(map(len, halves)) < len(halves[0])
        mixed.append(halves[0 if first else 1].pop(0))
    return mixed


def slugged(cards: Schlitten, luck: random.Random) -> Schlitten:
    """Shuffle the cards well, except for one stretch of them, which stays together somewhere."""
    begin = luck.randrange(len(cards) - SLUG)
    slug = list(cards[begin : begin + SLUG])
    rest = [*cards[:begin], *cards[begin + SLUG :]]
    luck.shuffle(rest)
    at = luck.randrange(SHOWN - SLUG)
    return [*rest[:at], *slug, *rest[at:]]


#: The false shuffles. Each makes a Schlitten from the Schlitten before, by chance.
FALSE: dict[str, Callable[[Schlitten, random.Random], Schlitten]] = {
    "in the order of new packs": lambda _before, _luck: NEW,
    "new packs, riffled once": lambda _before, luck: riffled(NEW, luck),
    f"{SLUG} cards of new packs left together": lambda _before, luck: slugged(NEW, luck),
    f"{SLUG} cards of the Schlitten before left together": slugged,
    "the Schlitten before again": lambda before, _luck: before,
    "the Schlitten before again, backwards": lambda before, _luck: before[::-1],
}


def told(of: int, seed: int, shuffle: Shuffle) -> list[Notice]:
    """Every notice about `of` honest Schlitten, dealt one after the other."""
    luck = random.Random(seed)
    before: Schlitten = honest(luck)[:SHOWN]
    found: list[Notice] = []
    for _ in range(of):
        opened = honest(luck)[:SHOWN]
        found += notices(opened, before, shuffle)
        before = opened
    return found


def noticed(make: Callable[[Schlitten, random.Random], Schlitten], of: int, seed: int) -> int:
    """Return how many of `of` Schlitten that `make` shuffles cause a notice at the busy table."""
    luck = random.Random(seed)
    before = [honest(luck) for _ in range(of)]
    return sum(bool(notices(make(each, luck)[:SHOWN], each[:SHOWN], BUSY)) for each in before)


def rates(found: Sequence[Notice], of: int, shuffle: Shuffle) -> list[tuple[float, int, float]]:
    """Return, for each rarity that a notice states, how many were expected and how many came.

    Also return the difference, in standard deviations of the expected number.
    """
    stated = sorted({each.odds for each in found}, reverse=True)
    table = []
    for rarity in stated:
        wanted = of * rarity / shuffle.a_year
        came = sum(each.odds <= rarity for each in found)
        table.append((wanted, came, (came - wanted) / sqrt(wanted)))
    return table
