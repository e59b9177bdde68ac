"""The inputs about stakes, chouettes and banks at écarté. They name places, never roles."""

from __future__ import annotations

from table_controller.engine.messages import Input
from table_controller.rules.cards import Card
from table_controller.rules.money import Chips

# Who plays


class Draws(Input, frozen=True):
    """A player draws for the order. `more` means a further card, drawn by mistake (E07-9)."""

    seat: int
    card: Card
    more: bool = False


class TwoSides(Input, frozen=True):
    """Two parties play à deux côtés, with these players first (E07-3)."""

    left: int
    right: int


class GivesChouette(Input, frozen=True):
    """A player gives an open chouette (E07-5, E00-4)."""

    seat: int


class CallsAuction(Input, frozen=True):
    """The right to give chouette is put up for auction (E07-8)."""


class BidsFor(Input, frozen=True):
    """A player bids for the chouette.

    `together` means simultaneously with an equal bid (E07-8, ER-40).
    """

    seat: int
    chips: Chips
    together: bool = False


class KnockedDown(Input, frozen=True):
    """The highest bidder wins the auction. If several bid the same, the lot decides (E07-8)."""

    seat: int


class LaysBank(Input, frozen=True):
    """A player lays a bank and deals (EDE-0)."""

    seat: int
    chips: Chips


# The stakes


class Stakes(Input, frozen=True):
    """A player stakes on a side's hand. `consent` means with the giver's permission (E07-7)."""

    seat: int
    side: int
    chips: Chips
    consent: bool = False


class StakesAgain(Input, frozen=True):
    """The last partie's stakes are laid again, as far as they fit."""


class StakeWithdrawn(Input, frozen=True):
    """A player takes his stake back. `consent` means with the giver's permission (E07-7)."""

    seat: int
    consent: bool = False


class HoldsRest(Input, frozen=True):
    """A player stakes the sum by which one side is short of the other (E07-60)."""

    seat: int


class CutsStakes(Input, frozen=True):
    """The last stakes of the larger side are cut (ER-27)."""


class StakesOutside(Input, frozen=True):
    """A player stakes outside the bank, and `holder` bets against him (E07-62)."""

    seat: int
    holder: int
    chips: Chips
    on_giver: bool = False


class ClosesStakes(Input, frozen=True):
    """Rien ne va plus (E07-7, E07-8)."""


class LetsIn(Input, frozen=True):
    """A staker lets the first player left out share in his stake (E07-61)."""

    seat: int
    chips: Chips


class StaysOut(Input, frozen=True):
    """The first player left out declines a share (E07-61)."""


class Renounces(Input, frozen=True):
    """The player whose hand it is gives it up (E07-4, E00-4)."""

    seat: int


class PartieHeld(Input, frozen=True):
    """Le coup est tenu: the partie will be played (E07-7, E00-6)."""


class PartieDeclined(Input, frozen=True):
    """The giver declines this partie, and the stakes go back (E07-7, E00-6)."""


# The giver's side


class TakesShare(Input, frozen=True):
    """A player's parts of the chouette from now on. With 0 he gives up his share (E07-4)."""

    seat: int
    parts: int


class HoldsCards(Input, frozen=True):
    """The giver, or a sharer with half the chouette, plays its cards from now on (E07-4)."""

    seat: int


class RaisesBank(Input, frozen=True):
    """The giver adds to his bank (E07-8)."""

    chips: Chips


class HalvesBank(Input, frozen=True):
    """The giver withdraws half of his bank (E07-8)."""


class RenewsBank(Input, frozen=True):
    """The giver lays a fresh bank after losing his (E07-8, EDE-0)."""

    chips: Chips


class GivesUp(Input, frozen=True):
    """The giver gives up the chouette (E07-6, E00-5), or play on two sides ends."""


class GoesOn(Input, frozen=True):
    """A player goes on with a chouette that was given up (E07-6, E00-5)."""

    seat: int


class WillNotGoOn(Input, frozen=True):
    """A player who might go on with it declines. Seat 0 means that nobody will (E07-6, E00-5)."""

    seat: int


# After a partie


class StakeFound(Input, frozen=True):
    """A lost stake turned out to be this sum, not the sum counted (E07-60)."""

    seat: int
    chips: Chips


BettingInput = (
    Draws | TwoSides | GivesChouette | CallsAuction | BidsFor | KnockedDown | LaysBank | Stakes
    | StakesAgain | StakeWithdrawn | HoldsRest | CutsStakes | StakesOutside | ClosesStakes | LetsIn
    | StaysOut | Renounces | PartieHeld | PartieDeclined | TakesShare | HoldsCards | RaisesBank
    | HalvesBank | RenewsBank | GivesUp | GoesOn | WillNotGoOn | StakeFound
)  # fmt: skip
