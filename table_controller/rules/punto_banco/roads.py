"""The five roads of a Schlitten, from its results. The module knows no card, money or screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

from table_controller.rules.punto_banco.coup import Winner
from table_controller.rules.punto_banco.results import Result

#: Rows of every road; the columns are as many as it needs.
ROWS = 6


class Colour(StrEnum):
    """The colour of a cell: red for Banker, blue for Player, green for a tie.

    Derived roads use red and blue without this meaning.
    """

    RED = "red"
    BLUE = "blue"
    GREEN = "green"


_COLOURS = {Winner.BANKER: Colour.RED, Winner.PLAYER: Colour.BLUE, Winner.TIE: Colour.GREEN}


class Cell(NamedTuple):
    """One entry of a road: its row and column, from 0, its colour, and the marks on it.

    `ties` counts the ties after this entry. On the first cell, it also counts the ties before. The
    pairs are those of the coup that made the entry (PB-31).
    """

    row: int
    column: int
    colour: Colour
    ties: int = 0
    player_pair: bool = False
    banker_pair: bool = False


Road = tuple[Cell, ...]
"""The entries of one road, in their order."""


class Ask(NamedTuple):
    """The next entry of each derived road; None if the road will not have begun by then (PB-34)."""

    eye: Colour | None
    small: Colour | None
    cockroach: Colour | None


@dataclass(frozen=True, slots=True)
class Roads:
    """All the roads of a Schlitten, and the next entries of its derived roads.

    `if_player` are these entries if Player wins the next coup, `if_banker` if Banker does.
    """

    bead: Road
    big: Road
    eye: Road
    small: Road
    cockroach: Road
    if_player: Ask
    if_banker: Ask


def roads(results: Sequence[Result]) -> Roads:
    """The roads of these coups, in order. Source: PB-30 to PB-34, PR-1, PR-2."""
    won = [each.winner for each in results if each.winner is not Winner.TIE]
    streaks = [(winner, len(list(same))) for winner, same in groupby(won)]
    lengths = [length for _, length in streaks]
    return Roads(
        _bead(results),
        _big(results, lengths),
        _derived(lengths, 1),
        _derived(lengths, 2),
        _derived(lengths, 3),
        _ask(streaks, Winner.PLAYER),
        _ask(streaks, Winner.BANKER),
    )


def _bead(results: Sequence[Result]) -> Road:
    """The bead plate: every coup, column by column, six in each column. Source: PB-30."""
    return tuple(
        Cell(at % ROWS, at // ROWS, _COLOURS[winner], 0, player_pair, banker_pair)
        for at, (winner, player_pair, banker_pair, _) in enumerate(results)
    )


def _big(results: Sequence[Result], lengths: Sequence[int]) -> Road:
    """The big road: a column for each streak. `lengths` are the lengths of the streaks.

    A tie is counted on the last cell. If there is no cell yet, a green cell counts the ties, until
    the first winner's cell takes its place and its ties. Source: PB-31.
    """
    places = _laid(lengths)
    road: list[Cell] = []
    for winner, player_pair, banker_pair, _ in results:
        if winner is not Winner.TIE:
            waiting = road.pop().ties if road and road[-1].colour is Colour.GREEN else 0
            road.append(Cell(*next(places), _COLOURS[winner], waiting, player_pair, banker_pair))
        elif road:
            road[-1] = road[-1]._replace(ties=road[-1].ties + 1)
        else:
            road.append(Cell(0, 0, Colour.GREEN, 1))
    return tuple(road)


def _laid(lengths: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield row and column of each cell, for streaks of these lengths. Source: PB-31, PB-32, PR-1.

    A streak goes down its column. Where the next cell is taken or the road ends, the streak turns
    and goes on to the right as its tail. The cell to the right is always free: another tail could
    have reached it only along the same row, through the cell where this tail ends.
    """
    taken: set[tuple[int, int]] = set()
    top = -1
    for length in lengths:
        top += 1
        while (0, top) in taken:
            top += 1
        row, column, turned = 0, top, False
        for _ in range(length):
            taken.add((row, column))
            yield row, column
            turned = turned or row + 1 == ROWS or (row + 1, column) in taken
            row, column = (row, column + 1) if turned else (row + 1, column)


def _derived(lengths: Sequence[int], k: int) -> Road:
    """A derived road: big eye boy (`k` is 1), small road (2) or cockroach (3).

    Source: PB-33, PB-34.
    """
    found = (
        _entry(lengths, n, m, k)
        for n, length in enumerate(lengths, 1)
        for m in range(1, length + 1)
    )
    colours = [colour for colour in found if colour]
    places = _laid(len(list(same)) for _, same in groupby(colours))
    return tuple(Cell(*place, colour) for place, colour in zip(places, colours, strict=True))


def _entry(lengths: Sequence[int], n: int, m: int, k: int) -> Colour | None:
    """The entry of the k-th derived road for row `m` of streak `n`, both counted from 1.

    None if the road has not begun there. Source: PB-33.
    """
    if m == 1:
        if n - 1 - k < 1:
            return None
        return Colour.RED if lengths[n - 2] == lengths[n - 2 - k] else Colour.BLUE
    if n - k < 1:
        return None
    return Colour.BLUE if m == lengths[n - 1 - k] + 1 else Colour.RED


def _ask(streaks: Sequence[tuple[Winner, int]], winner: Winner) -> Ask:
    """The next entry of each derived road if `winner` wins the next coup. Source: PB-34."""
    lengths = [length for _, length in streaks]
    n, m = len(streaks) + 1, 1
    if streaks and streaks[-1][0] is winner:
        n, m = len(streaks), lengths[-1] + 1
    return Ask(*(_entry(lengths, n, m, k) for k in (1, 2, 3)))
