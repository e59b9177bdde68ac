"""The offer that a button presses: the table's current offer of that name.

The module is pure. It knows offers and who is to act, but no board and no game.
"""

from __future__ import annotations

from typing import Final

from table_controller.engine.views import Offer, Snapshot

#: How long a button is held for an offer that cannot be taken back, as on the page (R-20).
HOLD_S: Final = 0.6
#: Groups of offers that a button may press: the offers that are due, and those that go with them.
GROUPS = frozenset({"main", "more"})


def pressable(offer: Offer) -> bool:
    """Whether a button can press this offer: nothing needs filling in, and its name is fixed."""
    return offer.group in GROUPS and not offer.fields and not offer.label.args


def answering(picture: Snapshot, name: str) -> Offer | None:
    """The offer that a button called `name` presses now for the seat that is to act, or None."""
    named = [offer for offer in picture.offers if pressable(offer) and offer.label.text == name]
    acting = [offer for offer in named if offer.input.get("seat") in picture.prompt.seats]
    found = acting or named
    return found[0] if len(found) == 1 else None


def lit_by(offer: Offer, picture: Snapshot) -> frozenset[int]:
    """The seats whose lamps answer the press.

    They are the speaker's, else those that act, else all.
    """
    seat = offer.input.get("seat")
    if isinstance(seat, int):
        return frozenset({seat})
    return frozenset(picture.prompt.seats or (view.seat for view in picture.seats))
