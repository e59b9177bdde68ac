"""What happens round a coup: people, the Schlitten, the bank, the stakes.

`seat` is a seat's number; places from 101 on are the standing players (ZP-17).
"""

from __future__ import annotations

from enum import StrEnum

from table_controller.engine.messages import Input
from table_controller.rules.money import Chips


class Word(StrEnum):
    """What a player says, as the table says it."""

    CARTE = "carte"
    RESTE = "reste"
    SCHLAG = "schlag"
    DRAWS = "draws"
    STANDS = "stands"


class Play(StrEnum):
    """The four games of ZP-15 and ZP-16, in their order, and the open bank (Z-5)."""

    BANCO_SOLO = "banco_solo"
    BANCO_PARTNER = "banco_partner"
    BANCO_TABLE = "banco_table"
    OPEN = "open"
    OPEN_BANK = "open_bank"


class StrayRuling(StrEnum):
    """What the croupier says of a card that left when none was due (R-19)."""

    KEPT = "kept"
    """Still closed: the first card of the next deal (Z-13)."""
    BURNED = "burned"
    """It was uncovered: thrown on the pile (Z-13)."""
    FACE_UP = "face_up"
    """It lay face up in the pack: thrown out (N-9)."""
    MISDEALT = "misdealt"
    """It was handed to a place in the wrong order or number (Z-12)."""
    BACK = "back"
    """It was none: a hand in the light, a card pushed back before it left."""


class WhiteRuling(StrEnum):
    """What the croupier decides where the white card and the count disagree (R-6)."""

    LAST_COUP = "last_coup"
    PLAY_ON = "play_on"
    ANNUL = "annul"
    """The coup under way began with too few cards (Z-24)."""


# Players


class Sits(Input, frozen=True):
    """A player takes a seat with so many chips."""

    seat: int
    name: str
    chips: Chips


class Stands(Input, frozen=True):
    """A player without a seat comes to the table with so many chips (ZP-17)."""

    name: str
    chips: Chips


class BuysIn(Input, frozen=True):
    """A player brings more chips to the table."""

    seat: int
    chips: Chips


class CashesOut(Input, frozen=True):
    """A player takes chips from the table."""

    seat: int
    chips: Chips


class Tips(Input, frozen=True):
    """A player gives the croupiers something."""

    seat: int
    chips: Chips


class Leaves(Input, frozen=True):
    """A player leaves with his chips."""

    seat: int


class Moves(Input, frozen=True):
    """A player takes another, free seat (N-1)."""

    seat: int
    to: int


class Swaps(Input, frozen=True):
    """Two players agree to change seats (N-1)."""

    seat: int
    other: int


class Declares(Input, frozen=True):
    """The player says that he plays by the Schlitten, or no longer does (R-25)."""

    seat: int
    by_schlitten: bool = True


class CroupierChanged(Input, frozen=True):
    """Another croupier leads the table."""

    name: str


# The Schlitten


class Prepared(Input, frozen=True):
    """One step of mixing, cutting and loading is done (ZP-4)."""


class SchlittenLoaded(Input, frozen=True):
    """A mixed and cut Schlitten stands ready; `shoe` names its manifest."""

    shoe: str


class SchlittenClosed(Input, frozen=True):
    """The Schlitten is over, emptied and counted: what stayed closed may be known (R-35)."""


class ThrownAway(Input, frozen=True):
    """The mass of cards was mixed up: all of it is thrown away (N-9)."""

    reason: str


# The bank


class Banks(Input, frozen=True):
    """The player at `seat` puts up so much as the pot (ZP-5), or into his open bank (Z-5)."""

    seat: int
    chips: Chips


class OpensBank(Input, frozen=True):
    """The player at `seat` plays his bank without limit (Z-5)."""

    seat: int


class Passes(Input, frozen=True):
    """The player at `seat` gives the bank up, or lets the Schlitten pass on."""

    seat: int


class Raises(Input, frozen=True):
    """The banker adds to his pot, between coups; first what lies aside (R-7)."""

    seat: int
    chips: Chips


class DrawsIn(Input, frozen=True):
    """The banker draws in what lies aside (R-7)."""

    seat: int


class Halves(Input, frozen=True):
    """The banker withdraws half of his bank, once (N-3, N-5)."""

    seat: int


class Joins(Input, frozen=True):
    """The player at `seat` is taken into the bank as a partner with so much (Z-4, N-2)."""

    seat: int
    chips: Chips


class Suite(Input, frozen=True):
    """The banker draws in the pot that he won; the bank is sold (ZP-18)."""

    seat: int


class Bids(Input, frozen=True):
    """A bid for the bank: the pot that the bidder would put up (ZP-18)."""

    seat: int
    chips: Chips


class Sold(Input, frozen=True):
    """The croupier ends the auction, or the waiting for somebody to take the bank over."""


class TakesOver(Input, frozen=True):
    """The player at `seat` takes the bank over at its height (N-7)."""

    seat: int


# The stakes


class Banco(Input, frozen=True):
    """The player at `seat` comes forward as pointeur for the whole pot (ZP-15 I)."""

    seat: int


class BancoWithPartner(Input, frozen=True):
    """He plays with one partner: `chips` is his own part, the rest the partner's (ZP-15 II)."""

    seat: int
    chips: Chips
    partner: int


class BancoWithTable(Input, frozen=True):
    """He stakes `chips`, half the pot at least, and the others the rest (ZP-15 III)."""

    seat: int
    chips: Chips


class OpenGame(Input, frozen=True):
    """Nobody wants games I to III: the croupier asks all to stake (ZP-16)."""


class Stakes(Input, frozen=True):
    """The stake at `seat` is now so much, all in all; `consent`: of the banker (N-3)."""

    seat: int
    chips: Chips
    consent: bool = False


class StakesAgain(Input, frozen=True):
    """The stakes of the coup before are laid again, as far as they fit."""


class Closes(Input, frozen=True):
    """No more may be staked: "nichts geht mehr, ab dafür", "rien ne va plus" (ZP-16, N-3)."""


class Declines(Input, frozen=True):
    """The player at `seat` takes nothing of the part that is offered him (R-21)."""

    seat: int


class TakesUp(Input, frozen=True):
    """The hand takes up its cards: nobody can take them from it now (N-3)."""

    seat: int
