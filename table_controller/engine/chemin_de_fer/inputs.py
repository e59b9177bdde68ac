"""Chemin de fer's own inputs, the union of all inputs at its tables, and their lines in scripts.

A line is `seat 2 banco solo`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from table_controller.engine.messages import Input, Role
from table_controller.engine.script import Notation
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.unions import CoupInput, TableInput
from table_controller.rules.money import Chips

# ---- Chemin de fer's own inputs, and the union of all inputs at its tables


class Word(StrEnum):
    """A word that a player says at the table: carte, reste, Schlag, and the like."""

    CARTE = "carte"
    RESTE = "reste"
    SCHLAG = "schlag"
    DRAWS = "draws"
    STANDS = "stands"


class Play(StrEnum):
    """The ways to play against a bank: the four games, I to IV, and the play at an open bank.

    ZP-15 explains the games I to III, ZP-16 the game IV, in which all may stake. At an open bank
    the pot has no limit (Z-5).
    """

    BANCO_SOLO = "banco_solo"
    BANCO_PARTNER = "banco_partner"
    BANCO_TABLE = "banco_table"
    OPEN = "open"
    OPEN_BANK = "open_bank"


# Players


class Declares(Input, frozen=True):
    """A player declares that he plays by the Schlitten, or that he no longer does (R-25)."""

    seat: int
    by_schlitten: bool = True


# The bank


class Banks(Input, frozen=True):
    """The player at `seat` puts up a pot of `chips` (ZP-5), or the stake of his open bank (Z-5)."""

    seat: int
    chips: Chips


class OpensBank(Input, frozen=True):
    """The player at `seat` opens a bank without limit (Z-5)."""

    seat: int


class Passes(Input, frozen=True):
    """The player at `seat` gives up his bank, or lets the Schlitten pass without a bank."""

    seat: int


class Raises(Input, frozen=True):
    """The banker adds to his pot between coups, first from his chips that were set aside (R-7)."""

    seat: int
    chips: Chips


class DrawsIn(Input, frozen=True):
    """The banker takes back his chips that were set aside (R-7)."""

    seat: int


class Halves(Input, frozen=True):
    """The banker withdraws half of his bank; he may do so once (N-3, N-5)."""

    seat: int


class Joins(Input, frozen=True):
    """The player at `seat` joins the bank as a partner with this part (Z-4, N-2)."""

    seat: int
    chips: Chips


class Suite(Input, frozen=True):
    """The banker says "Suite": he takes the pot that he won, and the bank is sold (ZP-18)."""

    seat: int


class Bids(Input, frozen=True):
    """The player at `seat` offers a pot of `chips` for the bank that is for sale (ZP-18)."""

    seat: int
    chips: Chips


class Sold(Input, frozen=True):
    """The croupier ends the sale of the bank, or the wait for somebody to take it over."""


class TakesOver(Input, frozen=True):
    """The player at `seat` takes over the bank with a pot of the same size (N-7)."""

    seat: int


# The stakes


class Banco(Input, frozen=True):
    """The player at `seat` comes forward as pointeur and stakes the whole pot alone (ZP-15 I)."""

    seat: int


class BancoWithPartner(Input, frozen=True):
    """The player at `seat` comes forward as pointeur together with one partner (ZP-15 II).

    `chips` is his own part of the pot; the partner stakes the rest.
    """

    seat: int
    chips: Chips
    partner: int


class BancoWithTable(Input, frozen=True):
    """The player at `seat` comes forward as pointeur and stakes at least half the pot (ZP-15 III).

    The other players stake the rest.
    """

    seat: int
    chips: Chips


class OpenGame(Input, frozen=True):
    """The croupier asks all players to stake; the highest stake plays the cards (ZP-16)."""


class Stakes(Input, frozen=True):
    """The player at `seat` stakes `chips` in total. `consent` says that the banker agrees (N-3)."""

    seat: int
    chips: Chips
    consent: bool = False


class StakesAgain(Input, frozen=True):
    """The croupier lays the previous coup's stakes again, as far as they are allowed."""


class Declines(Input, frozen=True):
    """The player at `seat` takes no part of the sum that is offered to him (R-21)."""

    seat: int


class TakesUp(Input, frozen=True):
    """The pointeur takes up his cards. From now on nobody can take his place (N-3)."""

    seat: int


# The deal


class Spoke(Input, frozen=True):
    """The player at `seat` said the word `word`."""

    seat: int
    word: Word


class Opened(Input, frozen=True):
    """The player at `seat` opened his cards. Nobody can take this back (R-20)."""

    seat: int


class AsksSchlitten(Input, frozen=True):
    """The banker asks "Was macht der Schlitten?" (Z-19)."""

    seat: int


class Waited(Input, frozen=True):
    """The clock reports that the pointeur has looked at his cards for a long time (Z-16)."""


class Exposed(Input, frozen=True):
    """Closed cards at `seat` were laid open by mistake (Z-6, Z-8)."""

    seat: int


class Throws(Input, frozen=True):
    """The player at `seat` threw his cards on the pile or into the basket (panier; Z-11, Z-15)."""

    seat: int


class PutRight(Input, frozen=True):
    """The croupier puts the misdeal right, and nobody objects (*retablir*; Z-12, N-4)."""


class BankLoses(Input, frozen=True):
    """The misdeal cannot be put right: the banker loses the coup (Z-12, N-4)."""


class AdmitsFaux(Input, frozen=True):
    """The pointeur admits that the custom forbids the third card he asked for (Z-21)."""

    seat: int


class LetStand(Input, frozen=True):
    """A supervisor rules that the coup counts as it is after the pointeur's failed claim (R-38)."""

    NEEDS = Role.SUPERVISOR
    reason: str


class CardCounts(Input, frozen=True):
    """A supervisor gives the pointeur back the third card that he wrongly gave away (R-55)."""

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


# ---- The lines of chemin de fer's own inputs in coup scripts: `seat 2 banco solo`

NOTATION: Final = Notation(
    (Declares, "seat {seat} by the schlitten", {}),
    (Declares, "seat {seat} plays free", {"by_schlitten": False}),
    (Banks, "seat {seat} banks {chips}", {}),
    (OpensBank, "seat {seat} banks open", {}),
    (Passes, "seat {seat} passes", {}),
    (Raises, "seat {seat} raises {chips}", {}),
    (DrawsIn, "seat {seat} draws in", {}),
    (Halves, "seat {seat} halves", {}),
    (Joins, "seat {seat} joins the bank {chips}", {}),
    (Suite, "seat {seat} suite", {}),
    (Bids, "seat {seat} bids {chips}", {}),
    (Sold, "sold", {}),
    (TakesOver, "seat {seat} takes over", {}),
    (Banco, "seat {seat} banco solo", {}),
    (BancoWithPartner, "seat {seat} banco {chips} with seat {partner}", {}),
    (BancoWithTable, "seat {seat} banco {chips} with the table", {}),
    (OpenGame, "all may stake", {}),
    (Stakes, "seat {seat} stakes {chips}", {}),
    (Stakes, "seat {seat} stakes {chips} with consent", {"consent": True}),
    (StakesAgain, "the same stakes again", {}),
    (ti.Closes, "nichts geht mehr", {}),
    (Declines, "seat {seat} declines", {}),
    (TakesUp, "seat {seat} takes up", {}),
    (Opened, "seat {seat} opens", {}),
    (Spoke, "seat {seat} {word}", {}),
    (AsksSchlitten, "seat {seat} asks the schlitten", {}),
    (Waited, "waited", {}),
    (Exposed, "seat {seat} exposed", {}),
    (Throws, "seat {seat} throws", {}),
    (ti.Misdealt, "misdealt", {}),
    (PutRight, "put right", {}),
    (BankLoses, "bank loses", {}),
    (AdmitsFaux, "seat {seat} admits faux tirage", {}),
    (LetStand, "let stand {reason}", {}),
    (CardCounts, "card counts {reason}", {}),
    (ti.Ticked, "tick {line}", {}),
    (ti.Paid, "paid", {}),
    patterns={"partner": r"\d+", "line": r"\d+", "word": "|".join(Word)},
)
