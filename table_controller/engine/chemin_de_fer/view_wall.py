"""The tableau on the wall, and the cell that applies now (ZX-2, R-17)."""

from __future__ import annotations

from functools import cache

from table_controller.engine.chemin_de_fer.hands import duty_of
from table_controller.engine.chemin_de_fer.phases import BankerToChoose
from table_controller.engine.chemin_de_fer.state import Table, foremost
from table_controller.engine.chemin_de_fer.words import ADVICE
from table_controller.engine.messages import phrase
from table_controller.engine.pieces import Advice, Cell, Grid
from table_controller.rules.chemin_de_fer.tableau import TABLEAUX, Duty

#: Rows and columns that people look at. Everybody knows those above and below (R-1).
ROWS = (3, 4, 5, 6)
COLUMNS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0)
#: A column's heading: the third card, as it is on the table.
_HEADS = {pips: str(pips) for pips in COLUMNS} | {1: "A", 0: "10"}

_CELLS = {
    Duty.DRAW: Cell(sign="●", text=phrase("draws")),
    Duty.STAND: Cell(sign="–", text=phrase("stands")),
    Duty.CHOOSE: Cell(sign="◐", text=phrase("as he chooses")),
}


@cache
def wall(tableau: str) -> Grid:
    """The tableau of that name as a grid.

    There is one row per points of the bank, and one column per third card given.
    """
    duties = TABLEAUX[tableau]
    return Grid(
        name="tableau",
        label=phrase("Tableau: bank's points, third card given"),
        rule="ZX-2",
        rows=tuple(map(str, ROWS)),
        columns=tuple(_HEADS[pips] for pips in COLUMNS),
        cells=tuple(tuple(_CELLS[duties[row, pips]] for pips in COLUMNS) for row in ROWS),
        key=tuple(_CELLS.values()),
    )


def advice(table: Table) -> Advice | None:
    """The tableau's advice at the banker's turn; None at other times.

    The cards that it depends on are open (R-17).
    """
    due = foremost(table)
    if not isinstance(due, BankerToChoose):
        return None
    point, given, duty = duty_of(table, due.deal)
    text, rule = ADVICE[duty]
    if duty is Duty.NO_INFORMATION:
        return Advice(name=duty.value, text=text, rule=rule)
    column = "" if given is None else _HEADS[given]
    return Advice(name=duty.value, text=text, rule=rule, row=str(point), column=column)
