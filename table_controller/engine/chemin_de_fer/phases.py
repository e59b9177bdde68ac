"""The phases, one class for each. A class's fields are the facts that only this phase has."""

from __future__ import annotations

from msgspec import Struct

from table_controller.engine.chemin_de_fer import facts as f
from table_controller.engine.table.schlitten import NoSchlitten
from table_controller.rules.money import Chips


class PlayersDue(Struct, frozen=True, gc=False, tag=True):
    """The table waits until at least two players are there."""


class BankDue(Struct, frozen=True, gc=False, tag=True):
    """The player to whom the Schlitten has come puts up a pot, or lets the Schlitten pass."""


class StakesDue(Struct, frozen=True, gc=False, tag=True):
    """The banker has put up the pot, and a pointeur may come forward."""


class Staking(Struct, frozen=True, gc=False, tag=True):
    """All players may stake (ZP-15 III, ZP-16, N-3)."""


class Sharing(Struct, frozen=True, gc=False, tag=True):
    """The part that nobody has staked is offered to one player after another (R-21).

    The first of `seats` must answer now.
    """

    seats: tuple[int, ...]
    missing: Chips


class BankStakeDue(Struct, frozen=True, gc=False, tag=True):
    """The banker of an open bank must put up its stake, at least `least` (Z-5)."""

    least: Chips


class Auction(Struct, frozen=True, gc=False, tag=True):
    """The bank is sold to the highest bidder (ZP-18, R-28).

    If the bank is sold while cards are counted or mixed, `after` is the phase of that work, which
    goes on after the sale (Z-25).
    """

    seller: int
    partners: tuple[int, ...]
    sellers: tuple[f.Seller, ...]
    bids: tuple[f.Stake, ...] = ()
    after: NoSchlitten | Over | None = None


class TakeOver(Struct, frozen=True, gc=False, tag=True):
    """Another player may take over the bank of `giver` with a pot of the same size (N-7)."""

    giver: int
    pot: Chips


class Dealing(Struct, frozen=True, gc=False, tag=True):
    """The pointeur and the banker get two closed cards each, the pointeur first (ZP-6)."""

    deal: f.Deal | None = None


class PointeurToSpeak(Struct, frozen=True, gc=False, tag=True):
    """Four cards are dealt. The pointeur must speak, whatever cards he has (R-17)."""

    deal: f.Deal


class BankerToOpen(Struct, frozen=True, gc=False, tag=True):
    """The pointeur has spoken. The banker must open his cards first (ZP-12)."""

    deal: f.Deal


class ThirdCardDue(Struct, frozen=True, gc=False, tag=True):
    """The banker must deal the pointeur's third card open (ZP-8, Z-9)."""

    deal: f.Deal


class BankerToChoose(Struct, frozen=True, gc=False, tag=True):
    """The banker must draw or stand (ZP-9)."""

    deal: f.Deal


class BankerCardDue(Struct, frozen=True, gc=False, tag=True):
    """The banker said that he draws. His third card is dealt open (Z-9)."""

    deal: f.Deal


class PointeurToOpen(Struct, frozen=True, gc=False, tag=True):
    """The pointeur must open his closed cards (ZP-12)."""

    deal: f.Deal


class FauxOffered(Struct, frozen=True, gc=False, tag=True):
    """The pointeur's third card was given back, and the banker may ask for it (Z-21, R-18)."""

    deal: f.Deal


class ClaimDisputed(Struct, frozen=True, gc=False, tag=True):
    """A claim failed after the banker had drawn the card or it was burned (R-38).

    A supervisor must rule.
    """

    deal: f.Deal


class Settled(Struct, frozen=True, gc=False, tag=True):
    """The result is announced, and the croupier collects and pays (ZP-14).

    `payments` are in the order of Z-26.
    """

    deal: f.Deal
    record: f.CoupRecord
    payments: tuple[f.Payment, ...]
    before: f.Books


class Over(Struct, frozen=True, gc=False, tag=True):
    """No further coup is dealt from this Schlitten (R-6). The croupier must close and count it."""


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
