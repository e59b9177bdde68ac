"""The phases, one class each. A class contains the facts that are known in its phase."""

from __future__ import annotations

from msgspec import Struct

from table_controller.engine.chemin_de_fer import facts as f
from table_controller.engine.table.schlitten import NoSchlitten
from table_controller.rules.money import Chips


class PlayersDue(Struct, frozen=True, gc=False, tag=True):
    """At least two players are needed."""


class BankDue(Struct, frozen=True, gc=False, tag=True):
    """The player at the Schlitten's seat puts up a pot, or lets the Schlitten pass."""


class StakesDue(Struct, frozen=True, gc=False, tag=True):
    """The pot is called, and a pointeur may come forward."""


class Staking(Struct, frozen=True, gc=False, tag=True):
    """All may stake (ZP-15 III, ZP-16, N-3)."""


class Sharing(Struct, frozen=True, gc=False, tag=True):
    """The part that nobody staked is offered round the table.

    It is now the turn of the first of `seats` (R-21).
    """

    seats: tuple[int, ...]
    missing: Chips


class BankStakeDue(Struct, frozen=True, gc=False, tag=True):
    """The open bank's stake is due, at least `least` (Z-5)."""

    least: Chips


class Auction(Struct, frozen=True, gc=False, tag=True):
    """The bank is sold to the highest bidder (ZP-18, R-28).

    If cards are counted or mixed while the bank is for sale, `after` is the phase that goes on
    after the sale (Z-25).
    """

    seller: int
    partners: tuple[int, ...]
    sellers: tuple[f.Seller, ...]
    bids: tuple[f.Stake, ...] = ()
    after: NoSchlitten | Over | None = None


class TakeOver(Struct, frozen=True, gc=False, tag=True):
    """The bank of `giver` may be taken over at its present size (N-7)."""

    giver: int
    pot: Chips


class Dealing(Struct, frozen=True, gc=False, tag=True):
    """Two cards each are due, the pointeur's first, all closed (ZP-6)."""

    deal: f.Deal | None = None


class PointeurToSpeak(Struct, frozen=True, gc=False, tag=True):
    """Four cards are dealt. The pointeur must speak, whatever they are (R-17)."""

    deal: f.Deal


class BankerToOpen(Struct, frozen=True, gc=False, tag=True):
    """The pointeur has spoken, and the banker opens first (ZP-12)."""

    deal: f.Deal


class ThirdCardDue(Struct, frozen=True, gc=False, tag=True):
    """The banker gives the pointeur the card he asked for, open (ZP-8, Z-9)."""

    deal: f.Deal


class BankerToChoose(Struct, frozen=True, gc=False, tag=True):
    """The banker draws or stands (ZP-9)."""

    deal: f.Deal


class BankerCardDue(Struct, frozen=True, gc=False, tag=True):
    """The banker said that he draws, and his card is dealt open (Z-9)."""

    deal: f.Deal


class PointeurToOpen(Struct, frozen=True, gc=False, tag=True):
    """The pointeur opens his closed cards (ZP-12)."""

    deal: f.Deal


class FauxOffered(Struct, frozen=True, gc=False, tag=True):
    """The pointeur's third card was given back, and the banker may ask for it (Z-21, R-18)."""

    deal: f.Deal


class ClaimDisputed(Struct, frozen=True, gc=False, tag=True):
    """A claim failed after the banker had drawn or burned the card. A supervisor rules (R-38)."""

    deal: f.Deal


class Settled(Struct, frozen=True, gc=False, tag=True):
    """The result is announced, and collecting and paying go on (ZP-14).

    `payments` are in the order of Z-26.
    """

    deal: f.Deal
    record: f.CoupRecord
    payments: tuple[f.Payment, ...]
    before: f.Books


class Over(Struct, frozen=True, gc=False, tag=True):
    """No further coup is dealt from this Schlitten (R-6). It is closed and counted."""


Phase = (
    NoSchlitten
    | PlayersDue
    | BankDue
    | StakesDue
    | Staking
    | Sharing
    | BankStakeDue
    | Auction
    | TakeOver
    | Dealing
    | PointeurToSpeak
    | BankerToOpen
    | ThirdCardDue
    | BankerToChoose
    | BankerCardDue
    | PointeurToOpen
    | FauxOffered
    | ClaimDisputed
    | Settled
    | Over
)
