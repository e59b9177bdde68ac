"""What follows when a coup is over: the next coup, or the end of the Schlitten (PB-3)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from table_controller.engine.punto_banco.last import decided
from table_controller.engine.punto_banco.state import Betting, Over, Step, Table, at
from table_controller.engine.table.cards import doubled
from table_controller.engine.table.events import SchlittenOver
from table_controller.engine.table.schlitten import in_box

_BETTING: Final = Betting()
#: A coup takes at most six cards.
MOST: Final = 6


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
    # By the count, the cut card must already be out.
    return shoe.white_out is None and shoe.left < felt.house.white_at


def onward(table: Table) -> Step:
    """The table with open bets for the next coup, or at the Schlitten's end.

    Source: PB-3, PB-25, PB-27.
    """
    table, told = decided(table) if table.cut else (table, ())
    if not ended(table):
        if table.over:
            table = replace(table, over=())
        return replace(table, phase=_BETTING, prompt=table.prompt + 1), told
    felt = table.felt
    over = SchlittenOver(shoe=felt.shoe.id if felt.shoe else "", left=in_box(felt))
    return at(table, Over()), (*told, over)
