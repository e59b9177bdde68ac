"""What people say of stakes, chouettes and banks at a table of écarté. In places, never roles."""

from __future__ import annotations

from table_controller.engine.messages import Input
from table_controller.rules.cards import Card
from table_controller.rules.money import Chips

# Who plays


class Draws(Input, frozen=True):
    """A player draws for the order; with `more` he drew another card by mistake (E07-9)."""

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
    """The right to give chouette is put up to auction (E07-8)."""


class BidsFor(Input, frozen=True):
    """A player offers so much for the chouette; `together`: at once with who did (E07-8, ER-40)."""

    seat: int
    chips: Chips
    together: bool = False


class KnockedDown(Input, frozen=True):
    """The highest bidder has it; of several who offered it, who won the lot (E07-8)."""

    seat: int


class LaysBank(Input, frozen=True):
    """A player lays a bank and deals (EDE-0)."""

    seat: int
    chips: Chips


# The stakes


class Stakes(Input, frozen=True):
    """A player lays so much on a side's hand; `consent`: the giver allows it now (E07-7)."""

    seat: int
    side: int
    chips: Chips
    consent: bool = False


class StakeWithdrawn(Input, frozen=True):
    """A player takes his stake back; `consent`: the giver allows it now (E07-7)."""

    seat: int
    consent: bool = False


class HoldsRest(Input, frozen=True):
    """A player holds what one side has less than the other (E07-60)."""

    seat: int


class CutsStakes(Input, frozen=True):
    """The last stakes of the greater side are cut (ER-27)."""


class StakesOutside(Input, frozen=True):
    """A player stakes outside the bank; `holder` holds it (E07-62)."""

    seat: int
    holder: int
    chips: Chips
    on_giver: bool = False


class ClosesStakes(Input, frozen=True):
    """Rien ne va plus (E07-7, E07-8)."""


class LetsIn(Input, frozen=True):
    """A staker lets the first of those left out share in his stake (E07-61)."""

    seat: int
    chips: Chips


class StaysOut(Input, frozen=True):
    """The first of those left out wants no share (E07-61)."""


class Renounces(Input, frozen=True):
    """Who has the hand gives it up (E07-4, E00-4)."""

    seat: int


class PartieHeld(Input, frozen=True):
    """Le coup est tenu: the partie is played (E07-7, E00-6)."""


class PartieDeclined(Input, frozen=True):
    """The giver withdraws from this partie: the stakes go back (E07-7, E00-6)."""


# The giver's side


class TakesShare(Input, frozen=True):
    """A player has so many parts of the chouette from now on; 0: none any more (E07-4)."""

    seat: int
    parts: int


class HoldsCards(Input, frozen=True):
    """The giver, or who has a half of the chouette, holds its cards from now on (E07-4)."""

    seat: int


class RaisesBank(Input, frozen=True):
    """The giver adds to his bank (E07-8)."""

    chips: Chips


class HalvesBank(Input, frozen=True):
    """The giver draws half of his bank back (E07-8)."""


class RenewsBank(Input, frozen=True):
    """The giver lays a fresh bank after he lost his (E07-8, EDE-0)."""

    chips: Chips


class GivesUp(Input, frozen=True):
    """The giver gives the chouette up (E07-6, E00-5), or the two sides end."""


class GoesOn(Input, frozen=True):
    """A player goes on with a chouette that was given up (E07-6, E00-5)."""

    seat: int


class WillNotGoOn(Input, frozen=True):
    """A player who might go on with it will not; seat 0: nobody will (E07-6, E00-5)."""

    seat: int


# After a partie


class StakeFound(Input, frozen=True):
    """A lost stake was found to be so much, not what had been added up (E07-60)."""

    seat: int
    chips: Chips


BettingInput = (
    Draws | TwoSides | GivesChouette | CallsAuction | BidsFor | KnockedDown | LaysBank | Stakes
    | StakeWithdrawn | HoldsRest | CutsStakes | StakesOutside | ClosesStakes | LetsIn | StaysOut
    | Renounces | PartieHeld | PartieDeclined | TakesShare | HoldsCards | RaisesBank | HalvesBank
    | RenewsBank | GivesUp | GoesOn | WillNotGoOn | StakeFound
)  # fmt: skip
