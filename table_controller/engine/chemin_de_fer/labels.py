"""Labels that depend on data: how a house closes stakes. The module knows houses but no table."""

from __future__ import annotations

from table_controller.engine.messages import Phrase, phrase
from table_controller.rules.chemin_de_fer.house import House


def closing_words(house: House, *, staked: bool) -> Phrase:
    """Each house closes the stakes in its own words (ZP-16, N-3)."""
    if not staked:
        return phrase("nobody stakes")
    if house.stakes == "highest":
        return phrase("rien ne va plus")
    return phrase("nichts geht mehr, ab dafür")
