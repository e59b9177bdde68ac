"""Écarté's own events, beyond those of every card table. They never name a closed card."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from table_controller.engine.ecarte.inputs import Matter, Option, Why
from table_controller.engine.ecarte.phases import Question
from table_controller.engine.messages import Audience, Event
from table_controller.engine.table.events import CardCorrected
from table_controller.engine.table.unions import TableEvent
from table_controller.rules.cards import Card, Suit


class How(StrEnum):
    """How a partie ended."""

    MARKS = "marks"
    LEFT = "left"
    VOID = "void"


class PartieBegun(Event, frozen=True):
    """Two players cut for the deal (E07-10)."""

    partie: int
    left: int
    right: int


class CutShown(Event, frozen=True):
    """A player's cut for the deal."""

    seat: int
    card: Card


class DealerFound(Event, frozen=True):
    """The player who deals first.

    Seat 0 means that the cards are equal and both cut again (ER-12).
    """

    seat: int


class CardsAsked(Event, frozen=True):
    """A player called for fresh cards. `pays` says whether he pays (E07-48) or not (E00-46)."""

    seat: int
    pays: bool


class TurnedUp(Event, frozen=True):
    """The eleventh card fixes trumps.

    If `king`, it is a king, which the dealer may mark (E07-26).
    """

    seat: int
    card: Card
    king: bool


class CardExposed(Event, frozen=True):
    """The dealer exposed a card of this player."""

    seat: int


class CardsCounted(Event, frozen=True):
    """A player has the wrong number of cards."""

    seat: int
    cards: int


class Proposed(Event, frozen=True):
    """Elder asks for cards."""

    seat: int


class ProposalAnswered(Event, frozen=True):
    """The dealer's answer."""

    seat: int
    accepted: bool


class Discarded(Event, frozen=True):
    """Cards were discarded, to be replaced. `short` tells how many of them are taken back."""

    seat: int
    cards: int
    short: int = 0


class KingSaid(Event, frozen=True):
    """A player said "le roi"."""

    seat: int


class Marked(Event, frozen=True):
    """A player marked. `left` and `right` are the scores now."""

    seat: int
    points: int
    why: Why
    left: int
    right: int


class Unmarked(Event, frozen=True):
    """A mark was taken back, by the player or by the rule."""

    seat: int
    points: int
    rule: str
    left: int
    right: int


class MarksDue(Event, frozen=True):
    """A player may now make this many marks, by this rule (ER-24)."""

    seat: int
    points: int
    why: Why
    rule: str


class MarksLapsed(Event, frozen=True):
    """Marks that were not made before the next turn-up are lost (E07-57)."""

    seat: int
    points: int


class SuitAnnounced(Event, frozen=True):
    """A player announced the suit that he will lead."""

    seat: int
    suit: Suit


class CardPlayed(Event, frozen=True):
    """A card was led, or played to a lead."""

    seat: int
    card: Card
    lead: bool


class CardShown(Event, frozen=True):
    """A card of a hand is open."""

    seat: int
    card: Card


class CardTakenUp(Event, frozen=True):
    """A card went back into the hand."""

    seat: int


class TrickWon(Event, frozen=True):
    """A trick is taken. `left` and `right` are the tricks of each player."""

    seat: int
    left: int
    right: int


class RevokeFound(Event, frozen=True):
    """Open cards prove that a player revoked in that trick (E07-44)."""

    seat: int
    trick: int


class NotBeaten(Event, frozen=True):
    """Open cards prove that a player could have beaten that trick's lead in suit.

    The croupier rules on it (EDE-14, ER-1).
    """

    NOTES: ClassVar[bool] = True
    seat: int
    trick: int
    rule: str


class DealRestored(Event, frozen=True):
    """All cards are taken back, and the tricks are played again (E07-44, EDE-27)."""

    seat: int


class OpenCards(Event, frozen=True):
    """A player plays on with open cards (E07-38, E07-52, EDE-22)."""

    seat: int


class MayNotMarkKing(Event, frozen=True):
    """A player may not mark a king in this deal (E07-23, E07-24)."""

    seat: int


class MustGrant(Event, frozen=True):
    """The dealer must grant the next proposition (E07-42)."""

    seat: int


class QuestionAsked(Event, frozen=True):
    """The rules leave a decision to a player or, at seat 0, to the croupier."""

    seat: int
    question: Question
    rule: str


class QuestionAnswered(Event, frozen=True):
    """The answer that was chosen."""

    seat: int
    question: Question
    option: Option


class RuleCalled(Event, frozen=True):
    """A matter for the croupier or the committee to rule on, and the rule that calls for it."""

    NOTES: ClassVar[bool] = True
    matter: Matter
    rule: str


class DealMended(Event, frozen=True):
    """A mistake in the deal was corrected."""

    rule: str


class DealSetAside(Event, frozen=True):
    """The deal waits as it is, to be played after the rightful dealer's deal (E00-18)."""

    dealer: int


class DealResumed(Event, frozen=True):
    """The deal that was set aside is played now (E00-18)."""

    dealer: int


class DealAnnulled(Event, frozen=True):
    """The deal is void and its marks are taken back. `dealer` deals next (ER-16)."""

    deal: int
    dealer: int
    rule: str


class DealEnded(Event, frozen=True):
    """A deal is over.

    The event tells its winner (0: nobody), the tricks, and the marks due for them.
    """

    SETTLES: ClassVar[bool] = True
    deal: int
    winner: int
    left: int
    right: int
    left_marks: int
    right_marks: int


class Contradicted(Event, frozen=True):
    """A player played cards that the Schlitten did not deal him. Told at the deal's end (ER-22)."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    seat: int
    cards: int


class PartieEnded(Event, frozen=True):
    """A partie is over and its stakes are to be settled. Seat 0 means that nobody won it."""

    partie: int
    winner: int
    loser: int
    left: int
    right: int
    how: How


class PlayerReplaced(Event, frozen=True):
    """Another person plays on in place of a player who left (E00-53)."""

    seat: int
    to: int


EcarteEvent = (
    TableEvent | CardCorrected
    | PartieBegun | CutShown | DealerFound | CardsAsked | TurnedUp | CardExposed | CardsCounted
    | Proposed | ProposalAnswered | Discarded | KingSaid | Marked | Unmarked | MarksDue
    | MarksLapsed | SuitAnnounced | CardPlayed | CardShown | CardTakenUp | TrickWon | RevokeFound
    | NotBeaten
    | DealRestored | OpenCards | MayNotMarkKing | MustGrant | QuestionAsked | QuestionAnswered
    | RuleCalled | DealMended | DealSetAside | DealResumed | DealAnnulled | DealEnded
    | Contradicted | PartieEnded | PlayerReplaced
)  # fmt: skip
