"""Finds the offer that a button presses: the table's current offer whose label the button names.

The module is pure. It knows offers and the seats that must act, but no board and no game.
"""

from __future__ import annotations

from typing import Final

from table_controller.engine.views import Offer, Snapshot

#: How long a button is held for an offer that cannot be taken back, as on the page (R-20).
HOLD_S: Final = 0.6
#: Groups of offers that a button may press: the offers that are due, and those that go with them.
GROUPS = frozenset({"main", "more"})


def pressable(offer: Offer) -> bool:
    """Whether a button can press this offer: it has no fields to fill in, and a fixed label."""
    return offer.group in GROUPS and not offer.fields and not offer.label.args


def answering(picture: Snapshot, name: str) -> Offer | None:
    """The offer that the button `name` presses now, or None.

    If several offers have this name, the button presses the one for a seat that must act. There is
    no answer if more than one is left.
    """
    named = [offer for offer in picture.offers if pressable(offer) and offer.label.text == name]
    acting = [offer for offer in named if offer.input.get("seat") in picture.prompt.seats]
    found = acting or named
    return found[0] if len(found) == 1 else None


def lit_by(offer: Offer, picture: Snapshot) -> frozenset[int]:
    """The seats whose lamps light up in answer to the press.

    They are the seat in the offer's input, otherwise the seats that must act, otherwise all seats.
    """
    seat = offer.input.get("seat")
    if isinstance(seat, int):
        return frozenset({seat})
    return frozenset(picture.prompt.seats or (view.seat for view in picture.seats))
