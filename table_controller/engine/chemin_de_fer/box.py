"""How many cards the box still holds, and whether they are enough for a coup.

Counts them; knows neither a card's face nor whose it is.
"""

from __future__ import annotations

from table_controller.engine.chemin_de_fer.state import Table
from table_controller.engine.messages import AgainstRules, phrase


def in_box(table: Table) -> int:
    """Cards left for the next coup; those kept under Z-13 count as in the Schlitten (R-6)."""
    return (table.felt.shoe.left if table.felt.shoe else 0) + len(table.felt.kept)


def short(table: Table, *, drawn: int = 0) -> bool:
    """Whether too few cards are left to begin a coup, `drawn` being of it (Z-24, R-6, R-37)."""
    return in_box(table) + drawn < table.house.white_at


def ended(table: Table, *, drawn: int = 0) -> bool:
    """Whether the Schlitten admits no further coup once the present one is done (R-6).

    `drawn` cards have left the box already and would be the first of that further coup.
    """
    played = 0 < table.felt.last_coup <= table.felt.coups
    return played or short(table, drawn=drawn)


def enough_cards(table: Table) -> None:
    """Raise AgainstRules where too few cards are left to begin a coup. Source: R-6, Z-24, R-37."""
    if short(table):
        raise AgainstRules(
            phrase("The Schlitten holds fewer than {least} cards.", least=table.house.white_at),
            phrase("Close it and load the next one; then the coup can be played."),
            "R-6",
        )
