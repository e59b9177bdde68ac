"""Runs and repeats among opened cards, and how often honest shuffles show such a thing.

Knows opened cards only, in the order in which they left the Schlitten; no coup, no person, no
closed card. Says what was seen and how rare it is, never why.

How rare: for each kind the number of runs of so many cards or more that an honest Schlitten shows
on average is exact, since it is a sum over the places where one may begin (`expected`). Who looks
for several kinds at once finds more: the odds of a run are those of all kinds together, of what is
as rare or rarer (`odds`). The average of a year is what the chance of a year is at most.
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

#: A notice is given where fewer than one honest year in so many would bring one.
ONE_YEAR_IN: Final = 20
#: Odds are not told apart beyond so many cards.
LONGEST: Final = 20


class Kind(StrEnum):
    """What is looked for among the cards, one after the other."""

    RANK = "rank"
    """Cards of one rank."""
    SUIT = "suit"
    """Cards of one suit."""
    STEP = "step"
    """Each one rank up, or each one down, ace after king, whatever the suits."""
    SEQUENCE = "sequence"
    """The same, in one suit: as a new pack lies."""
    REPEAT = "repeat"
    """The very cards, in their order, that this Schlitten had before."""
    AGAIN = "again"
    """The very cards that the Schlitten before it had, in their order or backwards."""


class Shuffle(NamedTuple):
    """What is shuffled at a table, and how often.

    Attributes:
        packs: of 52 in a Schlitten.
        shown: how many of its cards are opened, at most.
        a_year: Schlitten that are dealt at this table in a year.
    """

    packs: int
    shown: int
    a_year: int


class Found(NamedTuple):
    """A run or a repeat: `length` cards from the `at`-th opened one on, counted from 0."""

    kind: Kind
    length: int
    at: int


class Notice(NamedTuple):
    """What was seen, and how often a year of honest shuffles here shows that or rarer.

    `odds` is that average, and so the chance, at most, that such a year shows it at all.
    """

    found: Found
    odds: float

    @property
    def years(self) -> int:
        """In how many years honest shuffles show such a thing once; a million at most."""
        return int(1 / max(self.odds, 1e-6))


def notices(opened: Sequence[Card], before: Sequence[Card], shuffle: Shuffle) -> list[Notice]:
    """What is rarer than one honest year in `ONE_YEAR_IN`, the rarest first.

    `before` are the opened cards of the Schlitten before, in the order in which they were
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
    """For each kind and length, how often an honest year here shows that or rarer.

    That or rarer: of its own kind so long or longer, and of each other kind what is not more
    often met with.
    """
    lengths = range(2, LONGEST + 1)
    often = {kind: [expected(kind, n, shuffle) for n in lengths] for kind in Kind}

    def in_a_year(this: float) -> float:
        rarer = (next((each for each in of if each <= this), 0.0) for of in often.values())
        return shuffle.a_year * sum(rarer)

    return {kind: dict(zip(lengths, map(in_a_year, of), strict=True)) for kind, of in often.items()}


def expected(kind: Kind, length: int, shuffle: Shuffle) -> float:
    """How many runs so long or longer an honest Schlitten shows, on average; exact.

    A run is counted where it begins: at the first place, or after a card that does not belong
    to it, for which longer runs are taken from those so long.
    """
    packs, cards, _ = shuffle
    here, longer = _chance(kind, length, packs), _chance(kind, length + 1, packs)
    if kind is Kind.REPEAT:  # at two places, with a card between at least
        places = cards - 2 * length
        first, others = places, places * (places - 1) // 2
    elif kind is Kind.AGAIN:  # a place in either Schlitten
        places = cards - length + 1
        first, others = 2 * places - 1, (places - 1) ** 2
    else:
        first, others = 1, cards - length
    return max(first, 0) * here + max(others, 0) * (here - longer)


@cache
def _chance(kind: Kind, length: int, packs: int) -> float:
    """That so many places one after the other hold such a run (two such rows: a repeat)."""
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
            return ways[length] / max(1, perm(cards, 2 * length))  # more than there are: no way
        case Kind.AGAIN:
            ways = _arranged(tuple(perm(packs, n) ** 2 for n in range(LONGEST + 2)))
            return 2 * ways[length] / max(1, perm(cards, length)) ** 2


def _drawn(fit: Sequence[int], cards: int) -> float:
    """That after a first card so many fit in turn, drawn one by one from the rest."""
    return prod(max(each, 0) / (cards - n) for n, each in enumerate(fit, 1))


@cache
def _arranged(of_one: tuple[int, ...]) -> list[int]:
    """In how many ways cards of all 52 kinds fill a row of 0, 1, 2, … places.

    `of_one[n]` are the ways to take the n cards of one kind that a row may have.
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
    """Every run and repeat of at least so many cards, as long as it goes."""
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
    """Rows that came before in the same Schlitten, not overlapping, a card between at least."""
    for at, first, length in _common(opened, opened, least):
        if (apart := at - first) > least:
            yield Found(Kind.REPEAT, min(length, apart - 1), at)


def _common(
    row: Sequence[Card], other: Sequence[Card], least: int
) -> Iterator[tuple[int, int, int]]:
    """Where a row of at least so many cards stands in both, and how long it is, not longer."""
    found = defaultdict(list)
    for at in range(len(other) - least + 1):
        found[tuple(other[at : at + least])].append(at)
    for at in range(len(row) - least + 1):
        for there in found.get(tuple(row[at : at + least]), ()):
            if at and there and row[at - 1] == other[there - 1]:
                continue  # it began earlier
            both = zip(row[at:], other[there:], strict=False)
            yield at, there, len(list(takewhile(lambda pair: pair[0] == pair[1], both)))


def _same_rank(one: Card, two: Card) -> int | None:
    return 0 if one.rank == two.rank else None


def _same_suit(one: Card, two: Card) -> int | None:
    return 0 if one.suit is two.suit else None


def _step(one: Card, two: Card) -> int | None:
    """Up or down by one rank; an ace follows a king."""
    step = (two.rank - one.rank + 1) % 13 - 1
    return step if abs(step) == 1 else None


def _step_in_suit(one: Card, two: Card) -> int | None:
    return _step(one, two) if one.suit is two.suit else None


#: How a card goes on from the one before it, or None; a run goes on in one way.
_LINKS: Final[Mapping[Kind, Callable[[Card, Card], int | None]]] = {
    Kind.RANK: _same_rank,
    Kind.SUIT: _same_suit,
    Kind.STEP: _step,
    Kind.SEQUENCE: _step_in_suit,
}
