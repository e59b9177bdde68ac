"""Chemin de fer's own events, and the union of all events at its tables."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from table_controller.engine.chemin_de_fer.inputs import Play, Word
from table_controller.engine.messages import Event
from table_controller.engine.table.unions import CoupEvent, TableEvent
from table_controller.rules.cards import Card
from table_controller.rules.chemin_de_fer.tableau import Duty
from table_controller.rules.money import Chips


class Side(StrEnum):
    """The two hands of a coup: the bank's and the pointeur's."""

    BANK = "bank"
    POINTEUR = "pointeur"


class Declared(Event, frozen=True):
    """A player declared that he plays by the Schlitten, or that he no longer does (R-25)."""

    seat: int
    by_schlitten: bool


class BankOpened(Event, frozen=True):
    """A banker plays without limit: "zur offenen Bank" (Z-5)."""

    seat: int


class PotChanged(Event, frozen=True):
    """The pot changed, or the banker's chips on the table that are not in play (R-7, N-5).

    The banker raised or halved the pot, or took chips back. After a tie, some houses reduce the pot
    to the sum of the stakes that it covers. `aside` is the sum of the chips not in play.
    """

    seat: int
    pot: Chips
    aside: Chips


class PartnerJoined(Event, frozen=True):
    """A partner joined the bank (Z-4)."""

    seat: int
    chips: Chips
    pot: Chips


class AuctionBegun(Event, frozen=True):
    """The bank is for sale after "Suite" (ZP-18), or another player may take it over (N-7)."""

    seat: int
    pot: Chips


class BidMade(Event, frozen=True):
    """A player offers a pot of `chips` for the bank that is for sale (ZP-18)."""

    seat: int
    chips: Chips


class BankSold(Event, frozen=True):
    """The bank changed hands, from `seat` to `to`.

    The new banker has put up his pot (ZP-18, N-7).
    """

    seat: int
    to: int
    pot: Chips


class BankPosted(Event, frozen=True):
    """The banker has put up his pot: "… banco" (ZP-5)."""

    seat: int
    pot: Chips


class SchlittenPassed(Event, frozen=True):
    """The Schlitten goes on to the next seat (ZP-19)."""

    seat: int
    to: int


class PointeurNamed(Event, frozen=True):
    """The player at `seat` is pointeur, in the game `play`, with this stake (ZP-15)."""

    seat: int
    play: Play
    stake: Chips


class GameOpened(Event, frozen=True):
    """The croupier asks all players to stake (ZP-16)."""

    play: Play


class StakeLaid(Event, frozen=True):
    """A player's stake changed; `chips` is his new total stake."""

    seat: int
    chips: Chips


class StakesClosed(Event, frozen=True):
    """No more stakes are accepted.

    `staked` is the sum of all stakes, and `covered` the part of it that the pot covers (ZP-16,
    R-23).
    """

    staked: Chips
    covered: Chips


class PartOffered(Event, frozen=True):
    """The croupier offers the player at `seat` the part of the pot that nobody staked (R-21)."""

    seat: int
    chips: Chips


class CardsTakenUp(Event, frozen=True):
    """The pointeur has taken up his cards (N-3)."""

    seat: int


class Said(Event, frozen=True):
    """A player answered, for example carte or reste. The answer counts."""

    seat: int
    word: Word


class HandOpened(Event, frozen=True):
    """All cards of a hand are open, in the order in which they were dealt. `points` is 0 to 9."""

    seat: int
    cards: tuple[Card, ...]
    points: int


class Advised(Event, frozen=True):
    """The custom's advice to the banker at his turn (ZX-2, Z-20).

    `given` are the points of the pointeur's third card; None after "reste". `duty` is the advice:
    to draw, to stand, or to choose freely. Sometimes the custom has no advice, as at most houses
    after "reste".
    """

    seat: int
    point: int
    given: int | None
    duty: Duty


class Answered(Event, frozen=True):
    """The croupier's answer to the banker's question "Was macht der Schlitten?" (Z-19, Z-20, R-27).

    `binds` says whether the banker must do what the answer says.
    """

    seat: int
    duty: Duty
    binds: bool


class HandThrown(Event, frozen=True):
    """A player threw his cards away (Z-11, Z-15)."""

    seat: int


class FauxTirage(Event, frozen=True):
    """A faux tirage: the custom forbids this third card, so it is given back (Z-21, R-18)."""

    seat: int
    ordinal: int


class ClaimFailed(Event, frozen=True):
    """The pointeur gave back a card as a faux tirage, but the custom did not forbid it (R-38).

    If `returned`, the card is again the third card of the player at `seat`; otherwise the banker
    has drawn the card, or it was burned.
    """

    seat: int
    ordinal: int
    returned: bool


class CoupSettled(Event, frozen=True):
    """The coup is decided. `winner` is None if both hands have equal points (*en carte*).

    Attributes:
        banker, pointeur: points, None if a hand stayed closed; a thrown hand counts 0 (Z-15).
        forfeit: the rule by which the bank lost regardless of points (Z-11, Z-12, N-4), or "".
        pot: the pot during the coup.
        staked: the sum of the stakes that the pot covers.
        cagnotte: the house's share; 0 unless the bank won.
        pot_after: the pot after the coup: pot + staked - cagnotte if the bank won, pot - staked if
            the pointeur won, otherwise pot.
    """

    SETTLES: ClassVar[bool] = True
    coup: int
    winner: Side | None
    banker_seat: int
    pointeur_seat: int
    banker: int | None
    pointeur: int | None
    pot: Chips
    staked: Chips
    cagnotte: Chips
    pot_after: Chips
    forfeit: str = ""


CheminDeFerEvent = (
    TableEvent
    | CoupEvent
    | BankPosted
    | SchlittenPassed
    | PointeurNamed
    | Said
    | HandOpened
    | Advised
    | CoupSettled
    | Declared
    | BankOpened
    | PotChanged
    | PartnerJoined
    | AuctionBegun
    | BidMade
    | BankSold
    | GameOpened
    | StakeLaid
    | StakesClosed
    | PartOffered
    | CardsTakenUp
    | Answered
    | HandThrown
    | FauxTirage
    | ClaimFailed
)
