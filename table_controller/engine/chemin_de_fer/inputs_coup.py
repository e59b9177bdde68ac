"""What happens in a coup, after it, and to put it right."""

from __future__ import annotations

from table_controller.engine.chemin_de_fer.inputs_table import StrayRuling, WhiteRuling, Word
from table_controller.engine.messages import Input
from table_controller.rules.cards import Card
from table_controller.rules.money import Chips

# The deal


class Spoke(Input, frozen=True):
    """The player at `seat` said a word."""

    seat: int
    word: Word


class Opened(Input, frozen=True):
    """The hand at `seat` lies open. It cannot be taken back (R-20)."""

    seat: int


class AsksSchlitten(Input, frozen=True):
    """The banker asks "Was macht der Schlitten?" (Z-19)."""

    seat: int


class Waited(Input, frozen=True):
    """The clock: somebody has looked at his cards for long (Z-16)."""


class Exposed(Input, frozen=True):
    """Closed cards at `seat` were laid open by mistake (Z-6, Z-8)."""

    seat: int


class Throws(Input, frozen=True):
    """The player at `seat` threw his cards on the pile or into the panier (Z-11, Z-15)."""

    seat: int


class Misdealt(Input, frozen=True):
    """The banker dealt in the wrong order or number (Z-12, N-4)."""


class PutRight(Input, frozen=True):
    """The misdeal is put right without protest (*retablir*; Z-12, N-4)."""


class BankLoses(Input, frozen=True):
    """The misdeal cannot be put right: the banker loses the coup (Z-12, N-4)."""


class AdmitsFaux(Input, frozen=True):
    """The pointeur admits that the custom forbids the card he asked for (Z-21)."""

    seat: int


class LetStand(Input, frozen=True):
    """A supervisor lets the coup stand as the cards lie, his claim having failed (R-38)."""

    reason: str


# After it, and repairs


class Paid(Input, frozen=True):
    """Everything of this coup is collected and paid; the table goes on (ZP-14)."""


class Ticked(Input, frozen=True):
    """One payment of the list is done; `line` counts from 0 (Z-26)."""

    line: int


class StrayRuled(Input, frozen=True):
    """The croupier says what the card was that left when none was due (R-19)."""

    ruling: StrayRuling


class UnreadRuled(Input, frozen=True):
    """The croupier says of an unread passage that no card of this Schlitten left in it."""


class WhiteRuled(Input, frozen=True):
    """The croupier decides where white card and count disagree (R-6)."""

    ruling: WhiteRuling


class TakesBack(Input, frozen=True):
    """The last human input is taken back (R-20)."""


class Annulled(Input, frozen=True):
    """The coup is annulled without loss to either side (Z-24, Z-27)."""

    reason: str


class Corrects(Input, frozen=True):
    """A supervisor corrects a misread card, with a reason (R-20)."""

    SEALED = True
    ordinal: int
    card: Card
    reason: str


class Transfers(Input, frozen=True):
    """A supervisor moves chips from one place to another; 0 is the cagnotte (R-20, Z-27)."""

    seat: int
    to: int
    chips: Chips
    reason: str


class Ruled(Input, frozen=True):
    """A supervisor rules where the rules are silent: noted, with its reason (Z-27, N-8, N-11)."""

    reason: str
