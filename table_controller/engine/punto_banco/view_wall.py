"""The table of draws, as it hangs on the wall."""

from __future__ import annotations

from functools import cache

from table_controller.engine.messages import phrase
from table_controller.engine.pieces import Cell, Grid
from table_controller.rules.punto_banco.tableau import STOOD, banker_draws

#: Rows that people look at: below 3 Banker always draws, with 7 he never does.
ROWS = (3, 4, 5, 6)


@cache
def wall() -> Grid:
    """The table of draws: Banker's points downwards, Player's third card across (PB-7)."""
    given = (STOOD, *range(10))
    draws, stands = (
        Cell(sign="●", text=phrase("draws")),
        Cell(sign="–", text=phrase("stands")),
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
