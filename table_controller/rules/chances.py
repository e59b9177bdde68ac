"""How likely the first two cards of two hands are, and how unlikely a count of outcomes is.

Chances of cards are exact fractions. The module knows pips and packs, but no third cards and no
table.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import exp, lgamma, log
from typing import NamedTuple

#: How many cards of one pack have each value; tens and court cards count nothing (ZX-1).
IN_A_PACK = (16, *(4,) * 9)
#: Terms that add less than this to a sum are left out.
_NOTHING = 1e-16


class Opening(NamedTuple):
    """The first two cards of both hands: the points of the first and of the second hand.

    `left` is how many cards of each value, 0 to 9, are left in the Schlitten then. `ways` is the
    number of ways to deal the four cards.
    """

    first: int
    second: int
    left: tuple[int, ...]
    ways: int


def openings(packs: int) -> Iterator[Opening]:
    """Yield every way to deal four cards from a full Schlitten, by the values of the cards."""
    full = tuple(packs * many for many in IN_A_PACK)
    for pips in product(range(10), repeat=4):
        ways, left = 1, list(full)
        for count in pips:
            ways *= left[count]
            left[count] -= 1
        if ways:
            a, b, c, d = pips
            yield Opening((a + b) % 10, (c + d) % 10, tuple(left), ways)


@cache
def natural(packs: int) -> Fraction:
    """The chance that the first two cards of either hand make 8 or 9."""
    ways = sum(one.ways for one in openings(packs) if max(one.first, one.second) > 7)
    return Fraction(ways, _orders(packs * 52, 4))


def pair(packs: int) -> Fraction:
    """The chance that two cards have the same rank."""
    return Fraction(packs * 4 - 1, packs * 52 - 1)


def _orders(cards: int, drawn: int) -> int:
    """The number of ways to draw `drawn` of `cards` cards, if each order is a way of its own."""
    ways = 1
    for n in range(cards, cards - drawn, -1):
        ways *= n
    return ways


def unlikely(hits: int, trials: int, chance: Fraction) -> float:
    """The probability that a count is at least as far from the expected count as `hits`.

    `hits` of `trials` had the outcome whose chance is `chance`. Trials are treated as independent.
    The result is twice the smaller tail of the binomial distribution, and at most 1.
    """
    if not 0 <= hits <= trials:
        raise ValueError(f"{hits} of {trials} cannot be: hits are from 0 to the number of trials")
    if chance in (0, 1):
        return float(hits == trials * chance)
    below = _tail(hits, trials, float(chance), -1)
    above = _tail(hits, trials, float(chance), 1)
    return min(1.0, 2 * min(below, above))


def _tail(hits: int, trials: int, p: float, step: int) -> float:
    """The probability of `hits` or more (if `step` is 1), or of `hits` or fewer (-1)."""
    ways = lgamma(trials + 1) - lgamma(hits + 1) - lgamma(trials - hits + 1)
    term = exp(ways + hits * log(p) + (trials - hits) * log(1 - p))
    total, at, odds = 0.0, hits, p / (1 - p)
    while 0 <= at <= trials:
        total += term
        past_the_top = (at - trials * p) * step > 0
        if past_the_top and term < total * _NOTHING:
            break
        if step > 0:
            term *= odds * (trials - at) / (at + 1)
        else:
            term *= at / (odds * (trials - at + 1))
        at += step
    return min(total, 1.0)
