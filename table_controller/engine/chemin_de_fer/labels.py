"""Labels that hang on data: what can be taken back, how a house closes stakes.

Knows inputs by their types' names, and houses; knows no table.
"""

from __future__ import annotations

from table_controller.engine.messages import Phrase, phrase
from table_controller.rules.houses import House

#: What can be taken back (R-20), by the input's type.
TAKEN_BACK = {
    "banks": phrase("the sum in the bank"),
    "opens_bank": phrase("the open bank"),
    "passes": phrase("the passing on"),
    "raises": phrase("the raised pot"),
    "draws_in": phrase("the sum drawn in"),
    "halves": phrase("the halving"),
    "joins": phrase("the partner"),
    "suite": phrase("Suite"),
    "bids": phrase("the bid"),
    "sold": phrase("the sale"),
    "takes_over": phrase("the taking over"),
    "banco": phrase("Banco"),
    "banco_with_partner": phrase("Banco with a partner"),
    "banco_with_table": phrase("Banco with the table"),
    "open_game": phrase("all may stake"),
    "stakes": phrase("the stake"),
    "stakes_again": phrase("the same stakes again"),
    "closes": phrase("nichts geht mehr"),
    "declines": phrase("the refusal"),
    "takes_up": phrase("the cards taken up"),
    "spoke": phrase("the word"),
    "declares": phrase("the declaration"),
    "misdealt": phrase("the misdeal"),
    "put_right": phrase("the deal put right"),
}


def closing_words(house: House, *, staked: bool) -> Phrase:
    """Each house closes the stakes in its own words (ZP-16, N-3)."""
    if not staked:
        return phrase("nobody stakes")
    if house.stakes == "highest":
        return phrase("rien ne va plus")
    return phrase("nichts geht mehr, ab dafür")
