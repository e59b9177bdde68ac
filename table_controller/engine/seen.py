"""A reader's report about one passage at the Schlitten's lip.

It depends on no game and no device.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from table_controller.rules.cards import Card


class Unknown(StrEnum):
    """The reason why the witnesses gave no card for a passage.

    The program never guesses a card: each of these reasons stops the coup.
    """

    NO_READ = "no_read"
    """Nothing was legible while the card slid past."""
    DISAGREE = "disagree"
    """Two witnesses named different cards."""
    FOREIGN = "foreign"
    """A code that is not one of our tokens, or a card of another pack."""
    DUPLICATE = "duplicate"
    """A token that already left this Schlitten, or more equal cards than it can contain."""
    OTHER_SHOE = "other_shoe"
    """One of our tokens, but from another Schlitten's manifest."""
    TWO_CARDS = "two_cards"
    """Two cards in one passage."""
    PARTIAL = "partial"
    """Half a card, or a card pushed back."""
    UNSURE = "unsure"
    """Legible, but below the threshold."""


class Seen(Struct, frozen=True, gc=False):
    """The verdict on one passage: a card, the reason why there is none, or the white cut card.

    Attributes:
        card: the card, or None.
        copy: the number (1 to 6) that the card's label gives the card among the equal cards of all
            packs; 0 if no label gives a number.
        unknown: the reason why there is no card; None if there is a card, or if the white cut card
            passed.
        white: whether the white cut card passed.
    """

    card: Card | None = None
    copy: int = 0
    unknown: Unknown | None = None
    white: bool = False
