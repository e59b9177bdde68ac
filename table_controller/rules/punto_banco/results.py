"""The facts about a coup that roads, counters and printed sheets need.

No closed card is part of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from table_controller.rules.punto_banco.coup import Coup, Winner
from table_controller.rules.punto_banco.side_bets import pair

#: A result as written: the winner's letter, then `p`, `b`, `n` for pairs and a natural.
_WRITTEN = re.compile(r"([PBT])(p?)(b?)(n?)")


class Result(NamedTuple):
    """Who won a coup, whether a side's first two cards were a pair, and whether it was a natural.

    A result is written as `B`, `Tp` (with a Player pair) or `Ppbn` (with both pairs, a natural).
    """

    winner: Winner
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False

    def __str__(self) -> str:
        marks = zip("pbn", self[1:], strict=True)
        return self.winner + "".join(letter for letter, there in marks if there)


#: Every possible result, to be looked up, so that a million coups need not build it anew.
_RESULTS = {marks: Result._make(marks) for marks in product(Winner, *[(False, True)] * 3)}


def result(coup: Coup) -> Result:
    """This coup as the roads record it. Source: PB-12, PB-31."""
    return _RESULTS[coup.winner, pair(coup.player), pair(coup.banker), coup.natural]


def read(text: str) -> tuple[Result, ...]:
    """Read the results of a Schlitten, such as `BBTpPn`; spaces between them are optional.

    Raises ValueError if a part is no result.
    """
    written = "".join(text.split())
    found = list(_WRITTEN.finditer(written))
    if "".join(match[0] for match in found) != written:
        raise ValueError(f"not results: {text!r} (want P, B or T, each with its p, b, n: BBTpPn)")
    return tuple(
        Result(Winner(won), *map(bool, marks)) for won, *marks in map(re.Match.groups, found)
    )


def show(results: Iterable[Result]) -> str:
    """The inverse of `read`: the results as text."""
    return "".join(map(str, results))


class Counters(NamedTuple):
    """How often each kind of result occurred in a Schlitten."""

    coups: int
    player: int
    banker: int
    ties: int
    player_pairs: int
    banker_pairs: int
    naturals: int


def counters(results: Sequence[Result]) -> Counters:
    """How often each kind of result occurs in `results`."""
    winners, *marks = zip(*results, strict=True) if results else ((),) * 4
    return Counters(
        len(results),
        winners.count(Winner.PLAYER),
        winners.count(Winner.BANKER),
        winners.count(Winner.TIE),
        *map(sum, marks),
    )
