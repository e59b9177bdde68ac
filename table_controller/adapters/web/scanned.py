"""A label that a scanner typed on the page: its card, which only the table knows.

The page sends the text and never learns the card. The module knows no manifest: the wiring looks
the text up.
"""

from __future__ import annotations

from collections.abc import Callable

from table_controller.adapters.web.gate import NotLetIn
from table_controller.adapters.web.hub import Said
from table_controller.engine.messages import Phrase, phrase
from table_controller.rules.cards import Card

#: Looks up a label's text: its card, or the reason why it is none.
Labels = Callable[[str], Card | Phrase]


def no_labels(_text: str) -> Phrase:
    """The labels of a table that has no manifest."""
    return phrase("This table knows no labels: the settings name no manifest.")


def named(said: Said, labels: Labels) -> Said:
    """Return the input with the card whose label was scanned, if one was.

    Raises NotLetIn, with the reason, if the text is no label of a card on this table.
    """
    if "scanned" not in said:
        return said
    found = labels(str(said["scanned"]))
    if isinstance(found, Phrase):
        raise NotLetIn(found, phrase("Nothing was entered. Touch the card's rank and suit."))
    rest = {name: value for name, value in said.items() if name != "scanned"}
    return {**rest, "card": str(found)}
