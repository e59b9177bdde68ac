"""Écarté's own inputs, the union of all inputs at its tables, and their lines in scripts.

The inputs of the game name players by their seats; those about stakes, chouettes and banks by
their places. A line is `seat 3 proposes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from table_controller.engine.messages import Input
from table_controller.engine.script import Line, Notation
from table_controller.engine.table.inputs import Corrects, ThrownAway
from table_controller.engine.table.unions import TableInput
from table_controller.rules.cards import Card, Suit
from table_controller.rules.money import Chips

# ---- Écarté's own inputs, in addition to those of every table


class Why(StrEnum):
    """The reason for a mark."""

    KING = "king"
    TRICKS = "tricks"
    FAULT = "fault"


class Option(StrEnum):
    """An answer to a question that the rules leave to a person."""

    KEEP = "keep"
    ANNUL = "annul"
    BACK = "back"
    BOTTOM = "bottom"
    TAKE = "take"
    DRAW = "draw"
    PUT_ASIDE = "put_aside"
    DEAL = "deal"
    DEMAND = "demand"
    WAIVE = "waive"
    SHOWN = "shown"
    NOT_SHOWN = "not_shown"
    RESTORE = "restore"
    MEND = "mend"
    STANDS = "stands"
    TWO = "two"
    TRICKS = "tricks"
    LOSES = "loses"
    VOID = "void"


class Matter(StrEnum):
    """A matter for the croupier or the games committee to rule on."""

    KARBATSCH = "karbatsch"
    OUTSIDER = "outsider"
    OTHER_HAND = "other_hand"
    TRICKS_TAKEN = "tricks_taken"
    FELL = "fell"
    DOUBT = "doubt"


# Before the deal


class Opponents(Input, frozen=True):
    """The croupier names the two players of the next partie."""

    left: int
    right: int


class CutsForDeal(Input, frozen=True):
    """A player cut the pack, or drew a card, to find the dealer, and shows it (E07-10, EDE-3)."""

    seat: int
    card: Card


class FreshCards(Input, frozen=True):
    """A player calls for fresh cards, before the next cut (E07-48)."""

    seat: int


class Reshuffles(Input, frozen=True):
    """Elder shuffles again. After him the dealer may shuffle (E07-49)."""

    seat: int


class CutFaulty(Input, frozen=True):
    """Elder lifted or left fewer than two cards, so he must cut again (E07-47)."""


class Packets(Input, frozen=True):
    """The dealer says whether his first packet has 3 cards or 2 (E07-13, EDE-4)."""

    first: int


# Mistakes in the deal


class FacedInPack(Input, frozen=True):
    """The card that was dealt last had been face up in the pack (E07-15)."""


class Exposed(Input, frozen=True):
    """The dealer exposed a card of the player at `seat` while dealing (E07-17, E07-16)."""

    seat: int


class WrongPackets(Input, frozen=True):
    """The dealer changed the size of his packets (E07-14, ER-21).

    `first` is the size of the first packet that he really dealt.
    """

    first: int


class WrongNumber(Input, frozen=True):
    """At the first distribution, a player got too many cards or too few (E07-19)."""


class DealtOutOfTurn(Input, frozen=True):
    """The wrong player dealt.

    `proposed` means that this was noticed only after a proposition (E07-18).
    """

    proposed: bool = False


class Looks(Input, frozen=True):
    """A player looks at his cards, or at the cards he bought."""

    seat: int


# Propositions and answers


class Proposes(Input, frozen=True):
    """Elder asks to exchange cards: "Proponálok", "Carte!" (E07-35, EDE-9b)."""

    seat: int


class Accepts(Input, frozen=True):
    """The dealer accepts the proposition: "Mennyit?", "Wieviel?" (E07-35, EDE-10a)."""

    seat: int


class Refuses(Input, frozen=True):
    """The dealer refuses the proposition: "Bitte zu spielen!" (E07-37, EDE-10b)."""

    seat: int


class Discards(Input, frozen=True):
    """A player discards `cards` cards face down and asks for as many new ones (E07-35)."""

    seat: int
    cards: int


class Counted(Input, frozen=True):
    """After the exchange, a player turns out to have `cards` cards (E07-20 to 22, E07-24)."""

    seat: int
    cards: int


class AskedWrongly(Input, frozen=True):
    """Elder asked for more or fewer cards than he discarded; he has `cards` cards now (E07-23)."""

    seat: int
    cards: int


# The king, and the marks


class SaysKing(Input, frozen=True):
    """A player says "le roi" (E07-27, E07-28)."""

    seat: int


class Marks(Input, frozen=True):
    """A player makes `points` marks. Only he himself may make them (E07-58)."""

    seat: int
    points: int
    why: Why


class Unmarks(Input, frozen=True):
    """A player takes back his mark for a king (E07-29)."""

    seat: int


# The play


class Announces(Input, frozen=True):
    """A player announces the suit that he will lead (E07-32, EDE-13)."""

    seat: int
    suit: Suit


class HasNone(Input, frozen=True):
    """The leader has no card of the suit that he announced, so the card he led may stay (ER-3)."""

    seat: int


class PlaysCard(Input, frozen=True):
    """A player leads a card, or plays it to the other's lead."""

    seat: int
    card: Card


class TakesUp(Input, frozen=True):
    """A player takes back the last card that he played (E07-32, E07-34, E07-44)."""

    seat: int


class Shows(Input, frozen=True):
    """A card of a player's hand becomes open without being played (E07-38, E07-52, E07-54)."""

    seat: int
    card: Card


class Twins(Input, frozen=True):
    """A player has a card that is already open on the table, so that there are two of it.

    `card` is the card; None means the card that was led. Source: E07-11, E00-11, ER-32.
    """

    seat: int
    card: Card | None = None


# Faults


class Revoked(Input, frozen=True):
    """A player revoked (E07-44, EDE-26).

    `earlier` means that he revoked in a trick before the last one. A revoke in the last trick can
    still be put right without penalty (ER-37).
    """

    seat: int
    earlier: bool = False


class Touched(Input, frozen=True):
    """A player touched the discards, or changed the number that he asked for (E07-38, EDE-22)."""

    seat: int


class LooksAtTricks(Input, frozen=True):
    """A player looked at tricks that are already face down (E07-52, EDE-22)."""

    seat: int


class ThrowsAway(Input, frozen=True):
    """A player throws away all his cards.

    `mixed` means that nobody can sort out whose cards they are (E07-54, E00-52).
    """

    seat: int
    mixed: bool = False


class ThrowsIn(Input, frozen=True):
    """A player who has just trumped throws in his other cards, which he must show (E07-54)."""

    seat: int


class Quits(Input, frozen=True):
    """A player leaves the partie (E07-55, E00-53)."""

    seat: int


class PlaysOn(Input, frozen=True):
    """The person at `to` plays on in place of a player who left (E00-53, ER-7).

    He must have a stake or a share in the partie.
    """

    seat: int
    to: int


class FalseCards(Input, frozen=True):
    """The cards turned out to be false (E07-56)."""


class Reported(Input, frozen=True):
    """Somebody reports a matter on which the croupier or the committee must rule."""

    matter: Matter


class Chooses(Input, frozen=True):
    """A player or, at seat 0, the croupier answers the question that the rules leave to him."""

    seat: int
    option: Option


class Onward(Input, frozen=True):
    """The partie is settled, and the next may begin."""


EcarteInput = (
    TableInput | Corrects | ThrownAway
    | Opponents | CutsForDeal | FreshCards | Reshuffles | CutFaulty | Packets
    | FacedInPack | Exposed | WrongPackets | WrongNumber | DealtOutOfTurn | Looks
    | Proposes | Accepts | Refuses | Discards | Counted | AskedWrongly
    | SaysKing | Marks | Unmarks
    | Announces | HasNone | PlaysCard | TakesUp | Shows | Twins
    | Revoked | Touched | LooksAtTricks | ThrowsAway | ThrowsIn | Quits | PlaysOn | FalseCards
    | Reported | Chooses | Onward
)  # fmt: skip


# ---- The inputs about stakes, chouettes and banks at écarté. They name players by their places

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


# ---- The lines of the inputs about stakes, chouettes and banks in a deal's script

LINES: Final[tuple[Line, ...]] = (
    (Draws, "seat {seat} draws {card}", {}),
    (Draws, "seat {seat} draws {card} too", {"more": True}),
    (TwoSides, "seat {left} and seat {right} play a deux cotes", {}),
    (GivesChouette, "seat {seat} gives chouette", {}),
    (CallsAuction, "auction", {}),
    (BidsFor, "seat {seat} bids {chips}", {}),
    (BidsFor, "seat {seat} bids {chips} together", {"together": True}),
    (KnockedDown, "knocked down to seat {seat}", {}),
    (LaysBank, "seat {seat} lays a bank of {chips}", {}),
    (Stakes, "seat {seat} stakes {chips} on side {side}", {}),
    (Stakes, "seat {seat} stakes {chips} on side {side} with leave", {"consent": True}),
    (StakesAgain, "the same stakes again", {}),
    (StakeWithdrawn, "seat {seat} takes his stake back", {}),
    (StakeWithdrawn, "seat {seat} takes his stake back with leave", {"consent": True}),
    (HoldsRest, "seat {seat} holds the rest", {}),
    (CutsStakes, "the last stakes are cut", {}),
    (StakesOutside, "seat {seat} stakes {chips} with seat {holder}", {}),
    (StakesOutside, "seat {seat} backs the giver for {chips} with seat {holder}",
     {"on_giver": True}),
    (ClosesStakes, "rien ne va plus", {}),
    (LetsIn, "seat {seat} lets in {chips}", {}),
    (StaysOut, "stays out", {}),
    (Renounces, "seat {seat} renounces", {}),
    (PartieHeld, "le coup est tenu", {}),
    (PartieDeclined, "the giver withdraws", {}),
    (TakesShare, "seat {seat} has {parts} parts of it", {}),
    (HoldsCards, "seat {seat} holds the cards", {}),
    (RaisesBank, "the bank is raised by {chips}", {}),
    (HalvesBank, "the bank is halved", {}),
    (RenewsBank, "a fresh bank of {chips}", {}),
    (GivesUp, "given up", {}),
    (GoesOn, "seat {seat} goes on", {}),
    (WillNotGoOn, "seat {seat} will not go on", {}),
    (StakeFound, "seat {seat} had staked {chips}", {}),
)  # fmt: skip
PATTERNS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("left", "right", "holder", "parts"), r"\d+"),
    "side": "[01]",
}


# ---- The lines of écarté's own inputs in a deal's script: `seat 3 proposes`

NOTATION: Final = Notation(
    (Opponents, "seat {left} against seat {right}", {}),
    (CutsForDeal, "seat {seat} cuts {card}", {}),
    (FreshCards, "seat {seat} calls for fresh cards", {}),
    (Reshuffles, "seat {seat} shuffles again", {}),
    (CutFaulty, "faulty cut", {}),
    (Packets, "first {first}", {}),
    (FacedInPack, "faced in the pack", {}),
    (Exposed, "exposed of seat {seat}", {}),
    (WrongPackets, "dealt first {first}", {}),
    (WrongNumber, "wrong number", {}),
    (DealtOutOfTurn, "dealt out of turn", {}),
    (DealtOutOfTurn, "dealt out of turn, proposed", {"proposed": True}),
    (Looks, "seat {seat} looks", {}),
    (Proposes, "seat {seat} proposes", {}),
    (Accepts, "seat {seat} accepts", {}),
    (Refuses, "seat {seat} refuses", {}),
    (Discards, "seat {seat} discards {cards}", {}),
    (Counted, "seat {seat} holds {cards}", {}),
    (AskedWrongly, "seat {seat} asked wrongly, holds {cards}", {}),
    (SaysKing, "seat {seat} le roi", {}),
    (Marks, "seat {seat} marks {points} {why}", {}),
    (Unmarks, "seat {seat} unmarks", {}),
    (Announces, "seat {seat} announces {suit}", {}),
    (HasNone, "seat {seat} has none", {}),
    (PlaysCard, "seat {seat} plays {card}", {}),
    (TakesUp, "seat {seat} takes up", {}),
    (Shows, "seat {seat} shows {card}", {}),
    (Twins, "seat {seat} plays its twin", {}),
    (Twins, "seat {seat} plays its twin {card}", {}),
    (Revoked, "seat {seat} revoked", {}),
    (Revoked, "seat {seat} revoked earlier", {"earlier": True}),
    (Touched, "seat {seat} touched the discards", {}),
    (LooksAtTricks, "seat {seat} looked at tricks", {}),
    (ThrowsAway, "seat {seat} throws away", {}),
    (ThrowsAway, "seat {seat} throws away, mixed", {"mixed": True}),
    (ThrowsIn, "seat {seat} throws in", {}),
    (Quits, "seat {seat} quits", {}),
    (PlaysOn, "seat {to} plays on for seat {seat}", {}),
    (FalseCards, "false cards", {}),
    (Reported, "reported {matter}", {}),
    (Chooses, "seat {seat} chooses {option}", {}),
    (Onward, "onward", {}),
    *LINES,
    patterns={
        **dict.fromkeys(("left", "right", "first", "cards", "points"), r"\d+"),
        **dict.fromkeys(("why", "matter", "option"), r"[a-z_]+"),
        "suit": "[cdhs]",
        **PATTERNS,
    },
)
