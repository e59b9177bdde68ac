"""Runs and repeats among opened cards, and how often honest shuffles produce them.

The module knows only opened cards, in the order in which they left the Schlitten. It knows no coup,
no person and no closed card. It says what was seen and how rare this is, never why.

How rarity is computed: for each kind, `expected` gives the average number of runs of a given length
or more in an honest Schlitten. The average is exact: it is a sum over all places where a run may
begin. A search for several kinds finds more runs than a search for one. So the `odds` of a run add
up, over all kinds, everything that is as rare or rarer. The average per year is an upper bound on
the chance in a year.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import groupby, pairwise, takewhile
from math import comb, perm, prod
from typing import Final, NamedTuple

from table_controller.rules.cards import PACK, Card

#: A notice is given if honest shuffles would produce such a run less often than once in this many
#: years.
ONE_YEAR_IN: Final = 20
#: The odds of runs longer than this many cards are not told apart.
LONGEST: Final = 20


class Kind(StrEnum):
    """A pattern to look for in consecutive cards."""

    RANK = "rank"
    """Cards of one rank."""
    SUIT = "suit"
    """Cards of one suit."""
    STEP = "step"
    """Each card one rank above, or each one rank below, the card before; ace after king, in any
    suits."""
    SEQUENCE = "sequence"
    """The same as STEP in one suit, as in a new pack."""
    REPEAT = "repeat"
    """The same cards in the same order as earlier in this Schlitten."""
    AGAIN = "again"
    """The same cards as in the previous Schlitten, in order or reversed."""


class Shuffle(NamedTuple):
    """How many cards a table shuffles, and how often.

    Attributes:
        packs: the packs of 52 cards in a Schlitten.
        shown: the greatest number of cards of the Schlitten that are opened.
        a_year: how many Schlitten are dealt at this table in a year.
    """

    packs: int
    shown: int
    a_year: int


class Found(NamedTuple):
    """A run or a repeat of `length` cards. It begins with the opened card `at`, counted from 0."""

    kind: Kind
    length: int
    at: int


class Notice(NamedTuple):
    """A run that was seen, and how rare it is.

    `odds` is how often, on average, a year of honest shuffles here shows such a run or a rarer one.
    So it is an upper bound on the chance to see one in a year at all.
    """

    found: Found
    odds: float

    @property
    def years(self) -> int:
        """In how many years honest shuffles show such a run once; a million at most."""
        return int(1 / max(self.odds, 1e-6))


def notices(opened: Sequence[Card], before: Sequence[Card], shuffle: Shuffle) -> list[Notice]:
    """The runs that honest shuffles show less often than once in `ONE_YEAR_IN` years.

    The rarest comes first. `before` are the opened cards of the previous Schlitten, in the order
    gathered, or none.
    """
    rare = odds(shuffle)
    least = {
        kind: next((n for n, chance in by_length.items() if chance < 1 / ONE_YEAR_IN), LONGEST)
        for kind, by_length in rare.items()
    }
    told = (
        Notice(found, rare[found.kind][min(found.length, LONGEST)])
        for found in look(opened, before, least)
    )
    return sorted(told, key=lambda notice: (notice.odds, -notice.found.length))


@cache
def odds(shuffle: Shuffle) -> Mapping[Kind, Mapping[int, float]]:
    """For each kind and length: how often a year of honest shuffles shows such a run or a rarer.

    The figure counts runs of the same kind that are at least as long, and runs of every other kind
    that are at most as frequent.
    """
    lengths = range(2, LONGEST + 1)
    often = {kind: [expected(kind, n, shuffle) for n in lengths] for kind in Kind}

    def in_a_year(this: float) -> float:
        rarer = (next((each for each in of if each <= this), 0.0) for of in often.values())
        return shuffle.a_year * sum(rarer)

    return {kind: dict(zip(lengths, map(in_a_year, of), strict=True)) for kind, of in often.items()}


def expected(kind: Kind, length: int, shuffle: Shuffle) -> float:
    """The exact average number of runs of this length or longer in an honest Schlitten.

    A run is counted at the place where it begins: the first place of all, or a place after a card
    that does not belong to the run. At each later place, the chance of a run that is one card
    longer is subtracted: the card before belongs to such a run.
    """
    packs, cards, _ = shuffle
    here, longer = _chance(kind, length, packs), _chance(kind, length + 1, packs)
    if kind is Kind.REPEAT:  # at two places, at least one card apart
        places = cards - 2 * length
        first, others = places, places * (places - 1) // 2
    elif kind is Kind.AGAIN:  # one place in each Schlitten
        places = cards - length + 1
        first, others = 2 * places - 1, (places - 1) ** 2
    else:
        first, others = 1, cards - length
    return max(first, 0) * here + max(others, 0) * (here - longer)


@cache
def _chance(kind: Kind, length: int, packs: int) -> float:
    """The probability that a run of this length is at given consecutive places.

    For a repeat, two rows of places are given.
    """
    cards = 52 * packs
    match kind:
        case Kind.RANK:
            return _drawn([4 * packs - n for n in range(1, length)], cards)
        case Kind.SUIT:
            return _drawn([13 * packs - n for n in range(1, length)], cards)
        case Kind.STEP:
            return 2 * _drawn([4 * packs - n // 13 for n in range(1, length)], cards)
        case Kind.SEQUENCE:
            return 2 * _drawn([packs - n // 13 for n in range(1, length)], cards)
        case Kind.REPEAT:
            ways = _arranged(tuple(perm(packs, 2 * n) for n in range(LONGEST + 2)))
            return ways[length] / max(1, perm(cards, 2 * length))  # 0 if there are too few cards
        case Kind.AGAIN:
            ways = _arranged(tuple(perm(packs, n) ** 2 for n in range(LONGEST + 2)))
            return 2 * ways[length] / max(1, perm(cards, length)) ** 2


def _drawn(fit: Sequence[int], cards: int) -> float:
    """The probability that every card drawn after the first one fits, from `cards` cards in all.

    `fit` says, for each of these draws, how many of the cards left would fit.
    """
    return prod(max(each, 0) / (cards - n) for n, each in enumerate(fit, 1))


@cache
def _arranged(of_one: tuple[int, ...]) -> list[int]:
    """For rows of 0, 1, 2, … places: the number of ways to fill them with cards of all 52 kinds.

    `of_one[n]` is the number of ways to pick n cards of one kind for a row.
    """
    ways = [1] + [0] * (len(of_one) - 1)
    for _ in PACK:
        ways = [
            sum(comb(n, m) * ways[n - m] * of_one[m] for m in range(n + 1))
            for n in range(len(of_one))
        ]
    return ways


def look(
    opened: Sequence[Card], before: Sequence[Card], least: Mapping[Kind, int]
) -> Iterator[Found]:
    """Yield every run and repeat with at least the given length of its kind, at its full length."""
    for kind, link in _LINKS.items():
        at = 0
        for goes_on, pairs in groupby(pairwise(opened), key=lambda pair: link(*pair)):
            run = len(list(pairs))
            if goes_on is not None and run + 1 >= least[kind]:
                yield Found(kind, run + 1, at)
            at += run
    yield from _repeats(opened, least[Kind.REPEAT])
    for at, _, length in _common(opened, before, least[Kind.AGAIN]):
        yield Found(Kind.AGAIN, length, at)
    for at, _, length in _common(opened, before[::-1], least[Kind.AGAIN]):
        yield Found(Kind.AGAIN, length, at)


def _repeats(opened: Sequence[Card], least: int) -> Iterator[Found]:
    """Yield the rows of cards that repeat an earlier row of the same Schlitten.

    The two rows do not overlap, and are at least one card apart.
    """
    for at, first, length in _common(opened, opened, least):
        if (apart := at - first) > least:
            yield Found(Kind.REPEAT, min(length, apart - 1), at)


def _common(
    row: Sequence[Card], other: Sequence[Card], least: int
) -> Iterator[tuple[int, int, int]]:
    """Yield where the two rows have the same cards, at least `least` of them one after another.

    Each result is the place in `row`, the place in `other`, and the number of equal cards.
    """
    found = defaultdict(list)
    for at in range(len(other) - least + 1):
        found[tuple(other[at : at + least])].append(at)
    for at in range(len(row) - least + 1):
        for there in found.get(tuple(row[at : at + least]), ()):
            if at and there and row[at - 1] == other[there - 1]:
                continue  # this row began earlier
            both = zip(row[at:], other[there:], strict=False)
            yield at, there, len(list(takewhile(lambda pair: pair[0] == pair[1], both)))


def _same_rank(one: Card, two: Card) -> int | None:
    return 0 if one.rank == two.rank else None


def _same_suit(one: Card, two: Card) -> int | None:
    return 0 if one.suit is two.suit else None


def _step(one: Card, two: Card) -> int | None:
    """1 or -1 if the second card is one rank above or below the first, otherwise None.

    An ace follows a king.
    """
    step = (two.rank - one.rank + 1) % 13 - 1
    return step if abs(step) == 1 else None


def _step_in_suit(one: Card, two: Card) -> int | None:
    return _step(one, two) if one.suit is two.suit else None


#: How a card continues from the card before, or None. A run continues in one way throughout.
_LINKS: Final[Mapping[Kind, Callable[[Card, Card], int | None]]] = {
    Kind.RANK: _same_rank,
    Kind.SUIT: _same_suit,
    Kind.STEP: _step,
    Kind.SEQUENCE: _step_in_suit,
}
