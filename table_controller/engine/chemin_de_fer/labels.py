"""Labels that depend on the house: the words with which the croupier closes the stakes.

The module knows houses but no table.
"""

from __future__ import annotations

from table_controller.engine.messages import Phrase, phrase
from table_controller.rules.chemin_de_fer.house import House


def closing_words(house: House, *, staked: bool) -> Phrase:
    """The label of the button that closes the stakes, in this house's words (ZP-16, N-3).

    `staked` says whether anybody has staked.
    """
    if not staked:
        return phrase("nobody stakes")
    if house.stakes == "highest":
        return phrase("rien ne va plus")
    return phrase("nichts geht mehr, ab dafür")
