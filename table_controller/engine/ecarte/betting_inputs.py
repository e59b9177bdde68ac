"""The inputs about stakes, chouettes and banks at écarté. They name players by their places."""

from __future__ import annotations

from table_controller.engine.messages import Input
from table_controller.rules.cards import Card
from table_controller.rules.money import Chips

# Who plays


class Draws(Input, frozen=True):
    """A player draws a card to find the order of players (E07-9).

    `more` means that he drew one more card by mistake.
    """

    seat: int
    card: Card
    more: bool = False


class TwoSides(Input, frozen=True):
    """Two parties will stake against each other, à deux côtés (E07-3).

    The players `left` and `right` hold the cards first.
    """

    left: int
    right: int


class GivesChouette(Input, frozen=True):
    """A player gives an open chouette (E07-5, E00-4)."""

    seat: int


class CallsAuction(Input, frozen=True):
    """The right to give a chouette is put up for auction (E07-8)."""


class BidsFor(Input, frozen=True):
    """A player bids for the right to give a chouette.

    `together` means that he makes the highest bid at the same moment as another player (E07-8,
    ER-40).
    """

    seat: int
    chips: Chips
    together: bool = False


class KnockedDown(Input, frozen=True):
    """The auction ends: the player at `seat`, who bid most, gets the chouette (E07-8).

    If several players bid most, the lot has decided between them.
    """

    seat: int


class LaysBank(Input, frozen=True):
    """A player lays a bank and deals (EDE-0)."""

    seat: int
    chips: Chips


# The stakes


class Stakes(Input, frozen=True):
    """A player stakes on a side. `consent` means that the giver permits it (E07-7)."""

    seat: int
    side: int
    chips: Chips
    consent: bool = False


class StakesAgain(Input, frozen=True):
    """The croupier lays the last partie's stakes again, as far as they are allowed."""


class StakeWithdrawn(Input, frozen=True):
    """A player takes his stake back. `consent` means that the giver permits it (E07-7)."""

    seat: int
    consent: bool = False


class HoldsRest(Input, frozen=True):
    """A player stakes the rest, the sum by which one side is below the other (E07-60)."""

    seat: int


class CutsStakes(Input, frozen=True):
    """The croupier cuts the last stakes of the side that staked more (ER-27)."""


class StakesOutside(Input, frozen=True):
    """A player stakes outside the bank, and `holder` bets against him (E07-62)."""

    seat: int
    holder: int
    chips: Chips
    on_giver: bool = False


class ClosesStakes(Input, frozen=True):
    """The giver closes the stakes: "rien ne va plus" (E07-7, E07-8)."""


class LetsIn(Input, frozen=True):
    """The player at `seat` gives a part of his covered stake to another player.

    The other is the first of the players whose stakes the bank does not cover (E07-61).
    """

    seat: int
    chips: Chips


class StaysOut(Input, frozen=True):
    """The first player whose stake is not covered wants no part of another's stake (E07-61)."""


class Renounces(Input, frozen=True):
    """The player whose turn it is to hold the cards gives up this turn (E07-4, E00-4)."""

    seat: int


class PartieHeld(Input, frozen=True):
    """The giver holds the partie, so that it will be played: "le coup est tenu" (E07-7, E00-6)."""


class PartieDeclined(Input, frozen=True):
    """The giver declines this partie, and the stakes are given back (E07-7, E00-6)."""


# The giver's side


class TakesShare(Input, frozen=True):
    """A player has this many parts of the chouette from now on; 0 ends his share (E07-4)."""

    seat: int
    parts: int


class HoldsCards(Input, frozen=True):
    """The giver, or a sharer with half of the chouette, holds its cards from now on (E07-4)."""

    seat: int


class RaisesBank(Input, frozen=True):
    """The giver adds to his bank (E07-8)."""

    chips: Chips


class HalvesBank(Input, frozen=True):
    """The giver withdraws half of his bank (E07-8)."""


class RenewsBank(Input, frozen=True):
    """The giver lays a fresh bank after he lost his (E07-8, EDE-0)."""

    chips: Chips


class GivesUp(Input, frozen=True):
    """The giver gives up the chouette (E07-6, E00-5), or the play on two sides ends."""


class GoesOn(Input, frozen=True):
    """A player goes on with a chouette that was given up (E07-6, E00-5)."""

    seat: int


class WillNotGoOn(Input, frozen=True):
    """A player who may go on with a chouette says that he will not. Seat 0: no player will.

    Source: E07-6, E00-5.
    """

    seat: int


# After a partie


class StakeFound(Input, frozen=True):
    """A lost stake turned out to be `chips`, not the sum that was counted (E07-60)."""

    seat: int
    chips: Chips


BettingInput = (
    Draws | TwoSides | GivesChouette | CallsAuction | BidsFor | KnockedDown | LaysBank | Stakes
    | StakesAgain | StakeWithdrawn | HoldsRest | CutsStakes | StakesOutside | ClosesStakes | LetsIn
    | StaysOut | Renounces | PartieHeld | PartieDeclined | TakesShare | HoldsCards | RaisesBank
    | HalvesBank | RenewsBank | GivesUp | GoesOn | WillNotGoOn | StakeFound
)  # fmt: skip
