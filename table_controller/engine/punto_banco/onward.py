"""Where the table goes when a coup is over: to the next one, or to the Schlitten's end (PB-3)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from table_controller.engine.punto_banco.state import Betting, Over, Step, Table, at
from table_controller.engine.table.cards import doubled
from table_controller.engine.table.events import SchlittenOver
from table_controller.engine.table.felt import Felt

#: A coup takes six cards at most; and that many twice are left where one more is dealt (PB-3).
_BETTING: Final = Betting()
MOST: Final = 6
ONE_MORE: Final = 12


def in_box(felt: Felt) -> int:
    """Cards that the next coup can be dealt from: those kept are its first (PB-20, PB-21)."""
    return (felt.shoe.left if felt.shoe else 0) + len(felt.kept)


def one_more(table: Table) -> bool:
    """Whether a cut card that comes out during a coup lets one more be dealt (PB-3)."""
    return table.house.after_cut == "one_more" and table.house.white_at >= ONE_MORE


def ended(table: Table) -> bool:
    """Whether no further coup is dealt from this Schlitten (PB-3, PB-25, PB-27)."""
    felt, shoe = table.felt, table.felt.shoe
    holds = in_box(felt)
    if table.withdraw or 0 < felt.last_coup <= felt.coups or holds < MOST:
        return True
    if shoe is None:
        return False
    if shoe.over and table.house.foreign == "withdrawn" and doubled(felt):
        return True
    if shoe.white_out is None:  # it must have been out by the count
        return shoe.left < felt.house.white_at
    return shoe.left < shoe.white_out and felt.last_coup > 0 and holds < ONE_MORE


def onward(table: Table) -> Step:
    """The next coup's bets, or the Schlitten's end. Source: PB-3, PB-25, PB-27."""
    if not ended(table):
        return replace(table, phase=_BETTING, prompt=table.prompt + 1), ()
    felt = table.felt
    over = SchlittenOver(shoe=felt.shoe.id if felt.shoe else "", left=in_box(felt))
    return at(table, Over()), (over,)
