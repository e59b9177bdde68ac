"""Chemin de fer's own inputs, and the union of all inputs at its tables.

`seat` is a seat's number. Places from 101 on are the standing players (ZP-17).
"""

from __future__ import annotations

from enum import StrEnum

from table_controller.engine.messages import Input, Role
from table_controller.engine.table.unions import CoupInput, TableInput
from table_controller.rules.money import Chips


class Word(StrEnum):
    """A player's word at the table."""

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


# Players


class Declares(Input, frozen=True):
    """The player says that he plays by the Schlitten, or that he no longer does (R-25)."""

    seat: int
    by_schlitten: bool = True


# The bank


class Banks(Input, frozen=True):
    """The player at `seat` puts up this pot (ZP-5), or this stake in his open bank (Z-5)."""

    seat: int
    chips: Chips


class OpensBank(Input, frozen=True):
    """The player at `seat` plays his bank without limit (Z-5)."""

    seat: int


class Passes(Input, frozen=True):
    """The player at `seat` gives up the bank, or lets the Schlitten pass on."""

    seat: int


class Raises(Input, frozen=True):
    """The banker adds to his pot between coups, first from the chips set aside (R-7)."""

    seat: int
    chips: Chips


class DrawsIn(Input, frozen=True):
    """The banker draws in the chips set aside (R-7)."""

    seat: int


class Halves(Input, frozen=True):
    """The banker withdraws half of his bank, once (N-3, N-5)."""

    seat: int


class Joins(Input, frozen=True):
    """The player at `seat` joins the bank as a partner with this part (Z-4, N-2)."""

    seat: int
    chips: Chips


class Suite(Input, frozen=True):
    """The banker draws in the pot that he won, and the bank is sold (ZP-18)."""

    seat: int


class Bids(Input, frozen=True):
    """A bid for the bank: the pot that the bidder would put up (ZP-18)."""

    seat: int
    chips: Chips


class Sold(Input, frozen=True):
    """The croupier ends the auction, or stops waiting for somebody to take over the bank."""


class TakesOver(Input, frozen=True):
    """The player at `seat` takes over the bank at its present size (N-7)."""

    seat: int


# The stakes


class Banco(Input, frozen=True):
    """The player at `seat` comes forward as pointeur for the whole pot (ZP-15 I)."""

    seat: int


class BancoWithPartner(Input, frozen=True):
    """He plays with one partner.

    `chips` is his own part, and the rest is the partner's (ZP-15 II).
    """

    seat: int
    chips: Chips
    partner: int


class BancoWithTable(Input, frozen=True):
    """He stakes `chips`, at least half the pot, and the others the rest (ZP-15 III)."""

    seat: int
    chips: Chips


class OpenGame(Input, frozen=True):
    """Nobody wants games I to III, so the croupier asks all to stake (ZP-16)."""


class Stakes(Input, frozen=True):
    """The new total stake at `seat`. `consent` says that the banker agrees (N-3)."""

    seat: int
    chips: Chips
    consent: bool = False


class StakesAgain(Input, frozen=True):
    """The previous coup's stakes are laid again, as far as they fit."""


class Declines(Input, frozen=True):
    """The player at `seat` takes nothing of the part offered to him (R-21)."""

    seat: int


class TakesUp(Input, frozen=True):
    """The hand takes up its cards. From now on nobody can take them from it (N-3)."""

    seat: int


# The deal


class Spoke(Input, frozen=True):
    """The player at `seat` spoke."""

    seat: int
    word: Word


class Opened(Input, frozen=True):
    """The hand at `seat` is open. This cannot be taken back (R-20)."""

    seat: int


class AsksSchlitten(Input, frozen=True):
    """The banker asks "Was macht der Schlitten?" (Z-19)."""

    seat: int


class Waited(Input, frozen=True):
    """The clock reports that somebody has looked at his cards for a long time (Z-16)."""


class Exposed(Input, frozen=True):
    """Closed cards at `seat` were laid open by mistake (Z-6, Z-8)."""

    seat: int


class Throws(Input, frozen=True):
    """The player at `seat` threw his cards on the pile or into the panier (Z-11, Z-15)."""

    seat: int


class PutRight(Input, frozen=True):
    """The misdeal is put right without protest (*retablir*; Z-12, N-4)."""


class BankLoses(Input, frozen=True):
    """The misdeal cannot be put right: the banker loses the coup (Z-12, N-4)."""


class AdmitsFaux(Input, frozen=True):
    """The pointeur admits that the custom forbids the card he asked for (Z-21)."""

    seat: int


class LetStand(Input, frozen=True):
    """After the pointeur's failed claim, a supervisor lets the coup stand as it is (R-38)."""

    NEEDS = Role.SUPERVISOR
    reason: str


class CardCounts(Input, frozen=True):
    """A supervisor gives the pointeur the card back that he wrongly gave away (R-55)."""

    NEEDS = Role.SUPERVISOR
    reason: str


# After the coup, and repairs


CheminDeFerInput = (
    TableInput
    | CoupInput
    | Declares
    | Banks
    | OpensBank
    | Passes
    | Raises
    | DrawsIn
    | Halves
    | Joins
    | Suite
    | Bids
    | Sold
    | TakesOver
    | Banco
    | BancoWithPartner
    | BancoWithTable
    | OpenGame
    | Stakes
    | StakesAgain
    | Declines
    | TakesUp
    | Spoke
    | Opened
    | AsksSchlitten
    | Waited
    | Exposed
    | Throws
    | PutRight
    | BankLoses
    | AdmitsFaux
    | LetStand
    | CardCounts
)
