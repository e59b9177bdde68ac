"""The offers to type a card: one that is due, one that may come, or one that left by mistake."""

from __future__ import annotations

from table_controller.engine.chemin_de_fer import phases as p
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.table import offers as to

#: Phases in which a card is due, ...
_DUE = p.Dealing | p.ThirdCardDue | p.BankerCardDue
#: ... and phases in which a card may come unannounced: as a draw, a replay's first card or a deal's
#: first.
_WELCOME = p.BankerToChoose | p.Settled | p.Staking
#: Phases whose next card is dealt open (Z-9).
_THIRD = p.ThirdCardDue | p.BankerToChoose | p.BankerCardDue


def cards_by_hand(table: s.Table) -> to.Offers:
    """The offers to type a card that left the Schlitten, instead of having it read (R-13)."""
    phase = s.foremost(table)
    group = "main" if isinstance(phase, _DUE) else "mistake"
    group = "more" if isinstance(phase, _WELCOME) else group
    return to.cards_by_hand(table.felt, group, lies_open=isinstance(phase, _THIRD))
