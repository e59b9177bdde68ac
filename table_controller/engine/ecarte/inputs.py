"""Écarté's own inputs, in addition to those of every table. They name players by their seats."""

from __future__ import annotations

from enum import StrEnum

from table_controller.engine.messages import Input
from table_controller.engine.table.inputs import Corrects, ThrownAway
from table_controller.engine.table.unions import TableInput
from table_controller.rules.cards import Card, Suit


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
