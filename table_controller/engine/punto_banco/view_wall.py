"""The printed table of draws on the wall."""

from __future__ import annotations

from functools import cache
from typing import Final

from table_controller.engine.messages import phrase
from table_controller.engine.pieces import Advice, Cell, Grid
from table_controller.engine.punto_banco import deal as d
from table_controller.engine.punto_banco.state import Table, foremost
from table_controller.rules.points import PIPS
from table_controller.rules.punto_banco.tableau import STOOD, banker_draws, is_natural

#: Rows that people look at. Below 3 Banker always draws, on 7 never.
ROWS = (3, 4, 5, 6)
_DRAWS: Final = phrase("draws")
_STANDS: Final = phrase("stands")


@cache
def wall() -> Grid:
    """The table of draws (PB-7): a row for Banker's points, a column for Player's third card."""
    given = (STOOD, *range(10))
    draws, stands = (
        Cell(sign="●", text=_DRAWS),
        Cell(sign="–", text=_STANDS),
    )
    return Grid(
        name="tableau",
        label=phrase("Banker's third card: Banker's points, Player's third card"),
        rule="PB-7",
        rows=tuple(map(str, ROWS)),
        columns=("–", *map(str, range(10))),
        cells=tuple(
            tuple(draws if banker_draws(points, pips) else stands for pips in given)
            for points in ROWS
        ),
        key=(draws, stands),
    )


def advice(table: Table) -> Advice | None:
    """The square of the table that says whether Banker draws.

    None if no square decides now, or if a card on which the square depends is closed (PR-3).
    """
    deal = foremost(table)
    if not isinstance(deal, d.BankerDue | d.Announced) or len(deal.banker) > 2:
        return None
    third = deal.player[2:]
    if deal.b not in ROWS or (not third and is_natural(deal.p, deal.b)):
        return None
    draws = isinstance(deal, d.BankerDue)
    return Advice(
        name="draws" if draws else "stands",
        text=_DRAWS if draws else _STANDS,
        rule="PB-7",
        row=str(deal.b),
        column=str(PIPS[third[0].card]) if third else "–",
    )
