"""Écarté's own events, in addition to those of every card table. They never name a closed card.

In the events about stakes, chouettes and banks, place 0 is the bank.
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from table_controller.engine.ecarte.inputs import Matter, Option, Why
from table_controller.engine.ecarte.state import Mode, Question
from table_controller.engine.messages import Audience, Event
from table_controller.engine.table.events import CardCorrected
from table_controller.engine.table.unions import TableEvent
from table_controller.rules.cards import Card, Suit
from table_controller.rules.money import Chips

# ---- Écarté's own events, in addition to those of every card table


class How(StrEnum):
    """The way in which a partie ended: by marks, because a player left, or as void."""

    MARKS = "marks"
    LEFT = "left"
    VOID = "void"


class PartieBegun(Event, frozen=True):
    """A partie begins. Its two players must cut for the deal (E07-10)."""

    partie: int
    left: int
    right: int


class CutShown(Event, frozen=True):
    """A player cut for the deal and showed this card."""

    seat: int
    card: Card


class DealerFound(Event, frozen=True):
    """The cut decided who deals first.

    Seat 0 means that the cards are equal, so that both players must cut again (ER-12).
    """

    seat: int


class CardsAsked(Event, frozen=True):
    """A player called for fresh cards.

    `pays` means that he pays for them (E07-48); otherwise the house does (E00-46).
    """

    seat: int
    pays: bool


class TurnedUp(Event, frozen=True):
    """The eleventh card was turned up; its suit is trumps.

    `king` means that the card is a king, which the dealer may mark (E07-26).
    """

    seat: int
    card: Card
    king: bool


class CardExposed(Event, frozen=True):
    """The dealer exposed a card of the player at `seat`."""

    seat: int


class CardsCounted(Event, frozen=True):
    """The player at `seat` has the wrong number of cards."""

    seat: int
    cards: int


class Proposed(Event, frozen=True):
    """Elder asks the dealer to let both exchange cards."""

    seat: int


class ProposalAnswered(Event, frozen=True):
    """The dealer accepted or refused elder's proposition."""

    seat: int
    accepted: bool


class Discarded(Event, frozen=True):
    """A player discarded cards, which will be replaced.

    `short` is how many of these cards he takes back, because the talon has too few new ones.
    """

    seat: int
    cards: int
    short: int = 0


class KingSaid(Event, frozen=True):
    """A player said "le roi"."""

    seat: int


class Marked(Event, frozen=True):
    """A player made `points` marks. `left` and `right` are the scores now."""

    seat: int
    points: int
    why: Why
    left: int
    right: int


class Unmarked(Event, frozen=True):
    """Marks were taken back, by the player or because a rule demands it."""

    seat: int
    points: int
    rule: str
    left: int
    right: int


class MarksDue(Event, frozen=True):
    """A player may now make `points` marks, which the rule `rule` allows (ER-24)."""

    seat: int
    points: int
    why: Why
    rule: str


class MarksLapsed(Event, frozen=True):
    """Marks were lost, because the player did not make them before the next turn-up (E07-57)."""

    seat: int
    points: int


class SuitAnnounced(Event, frozen=True):
    """A player announced the suit that he will lead."""

    seat: int
    suit: Suit


class CardPlayed(Event, frozen=True):
    """A player led a card, if `lead` is true, or played a card to the other's lead."""

    seat: int
    card: Card
    lead: bool


class CardShown(Event, frozen=True):
    """A card of a player's hand is open, and known to everybody."""

    seat: int
    card: Card


class CardTakenUp(Event, frozen=True):
    """A player took back into his hand the card that he played last."""

    seat: int


class TrickWon(Event, frozen=True):
    """A player took a trick. `left` and `right` are the number of tricks of each player now."""

    seat: int
    left: int
    right: int


class RevokeFound(Event, frozen=True):
    """Open cards prove that a player revoked in the trick `trick` (E07-44)."""

    seat: int
    trick: int


class NotBeaten(Event, frozen=True):
    """Open cards prove that a player could have beaten the lead of a trick in its suit.

    The croupier must rule on this (EDE-14, ER-1).
    """

    NOTES: ClassVar[bool] = True
    seat: int
    trick: int
    rule: str


class DealRestored(Event, frozen=True):
    """All cards were taken back, and the tricks are played again (E07-44, EDE-27)."""

    seat: int


class OpenCards(Event, frozen=True):
    """A player must play on with open cards (E07-38, E07-52, EDE-22)."""

    seat: int


class MayNotMarkKing(Event, frozen=True):
    """A player may not mark a king in this deal (E07-23, E07-24)."""

    seat: int


class MustGrant(Event, frozen=True):
    """The dealer must accept the next proposition (E07-42)."""

    seat: int


class QuestionAsked(Event, frozen=True):
    """The rules leave a decision to the player at `seat`, or at seat 0 to the croupier."""

    seat: int
    question: Question
    rule: str


class QuestionAnswered(Event, frozen=True):
    """The person who was asked chose this answer."""

    seat: int
    question: Question
    option: Option


class RuleCalled(Event, frozen=True):
    """Somebody reported a matter on which the croupier or the committee must rule.

    `rule` is the id of the rule that demands the ruling.
    """

    NOTES: ClassVar[bool] = True
    matter: Matter
    rule: str


class DealMended(Event, frozen=True):
    """A mistake in the deal was corrected."""

    rule: str


class DealSetAside(Event, frozen=True):
    """The deal was set aside as it is.

    It will be played after the rightful dealer's deal (E00-18).
    """

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

    `winner` is the seat of its winner, 0 for nobody. `left` and `right` are the numbers of tricks.
    `left_marks` and `right_marks` are the numbers of marks that may be made for them.
    """

    SETTLES: ClassVar[bool] = True
    deal: int
    winner: int
    left: int
    right: int
    left_marks: int
    right_marks: int


class Contradicted(Event, frozen=True):
    """A player played `cards` cards that the Schlitten did not deal to him (ER-22).

    The staff learns this when the deal is over.
    """

    audience: ClassVar[Audience] = Audience.CROUPIER
    seat: int
    cards: int


class PartieEnded(Event, frozen=True):
    """A partie is over, and its stakes must be settled. Seat 0 means that nobody won."""

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


# ---- The events about stakes, chouettes and banks at an écarté table


class CardDrawnForOrder(Event, frozen=True):
    """A player drew this card to find the order of players (E07-9)."""

    seat: int
    card: Card


class BettingBegun(Event, frozen=True):
    """The players stake in this mode from now on.

    `seat` is the player who gives the chouette; it is 0 à deux côtés.
    """

    mode: Mode
    seat: int


class AuctionCalled(Event, frozen=True):
    """The right to give a chouette will be auctioned (E07-8)."""


class BidMade(Event, frozen=True):
    """A player bids `chips` for the right to give a chouette."""

    seat: int
    chips: Chips


class OrderTold(Event, frozen=True):
    """The order of players on a side. The player `hand` plays next; 0 means nobody (E07-3)."""

    side: int
    hand: int
    waiting: tuple[int, ...]


class SharesTold(Event, frozen=True):
    """The sharers of a chouette and their parts, the giver first (E07-4).

    `hand` is the sharer who plays the cards.
    """

    seats: tuple[int, ...]
    parts: tuple[int, ...]
    hand: int


class BankTold(Event, frozen=True):
    """The bank of a chouette: its sum now and at first (E07-8).

    `renewed` and `halved` say how often the giver has laid it again or halved it.
    """

    chips: Chips
    start: Chips
    renewed: int
    halved: int


class StakeLaid(Event, frozen=True):
    """A player's stake on a side changed. `chips` is his total stake, and `total` the side's."""

    seat: int
    side: int
    chips: Chips
    total: Chips


class RestHeld(Event, frozen=True):
    """A player covers the rest: he stakes the sum by which one side is below the other (E07-60)."""

    seat: int
    side: int
    chips: Chips


class StakesShut(Event, frozen=True):
    """The stakes are closed. They may change only with the giver's permission (E07-7)."""


class LeftOut(Event, frozen=True):
    """The bank does not cover `chips` of a player's stake, which go back to him (E07-61)."""

    seat: int
    chips: Chips


class StakedOutside(Event, frozen=True):
    """A player laid a stake outside the bank. `holder` bets against him (E07-62).

    `on_giver` says whether the stake is on the giver's win.
    """

    seat: int
    holder: int
    chips: Chips
    on_giver: bool


class HandRenounced(Event, frozen=True):
    """A player gave up his turn to hold the cards (E07-4)."""

    seat: int


class PartieWithdrawn(Event, frozen=True):
    """The giver declined this partie, and the stakes were given back (E07-7)."""

    seat: int


class ChouetteGivenUp(Event, frozen=True):
    """The giver has given up his chouette (E07-6)."""

    seat: int


class Surplus(Event, frozen=True):
    """The sum that the payer keeps from the lost stakes after all payments (E07-60).

    A negative sum means that he had to add it from his own money.
    """

    seat: int
    chips: int


class StakePaid(Event, frozen=True):
    """One payment after a partie; the payments come in order.

    Place 0 is the bank (E07-60, ER-26).
    """

    seat: int
    to: int
    chips: Chips


class StakeReturned(Event, frozen=True):
    """A stake was given back to the player who laid it."""

    seat: int
    chips: Chips


class BettingOver(Event, frozen=True):
    """The chouette, or the play on two sides, has ended."""


BettingEvent = (
    CardDrawnForOrder | BettingBegun | AuctionCalled | BidMade | OrderTold | SharesTold | BankTold
    | StakeLaid | RestHeld | StakesShut | LeftOut | StakedOutside | HandRenounced
    | PartieWithdrawn | ChouetteGivenUp | Surplus | StakePaid | StakeReturned | BettingOver
)  # fmt: skip
