"""The state of a partie of écarté, its deal and its tricks. Sides are 0, the left, and 1."""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct

from table_controller.engine.ecarte.inputs import Why
from table_controller.engine.shoe import Dealt, Shoe
from table_controller.rules.cards import Card, Suit

T = TypeVar("T")


class Due(Struct, frozen=True, gc=False):
    """What a side may mark, for which deal and by which rule; only players mark (ER-24)."""

    side: int
    points: int
    why: Why
    rule: str
    deal: int = 0


class Trick(Struct, frozen=True, gc=False):
    """A finished trick: who led which card, the reply, and who took it."""

    leader: int
    led: Card
    reply: Card
    winner: int


class Deal(Struct, frozen=True, gc=False):
    """One distribution of cards and its five tricks. In pairs, the left player comes first.

    Attributes:
        number: its number in the evening.
        dealer: the side that deals; the other is elder.
        first: how many cards are in the first packet, 3 or 2.
        taken: the cards each has received, which nobody may know (R-13).
        came: cards dealt so far, up to the turn-up.
        held: how many cards each holds now.
        turned: the turned-up card.
        looked: who has looked at his cards, or at those that he bought last.
        bought: propositions accepted so far; the first lifts the penalties (E07-40).
        refused: the dealer refused at the first distribution; `authority`: elder led at once.
        asked: how many cards elder last asked for.
        laid_away: how many cards both have discarded so far.
        top, bottom: cards outside the Schlitten that are served first, and last (ER-23).
        forced: the dealer must grant the next proposition (E07-42).
        barred: who may not mark a king (E07-23, E07-24).
        said: who has said "le roi".
        kings: who has marked a held king; `bought_at`: how many propositions were accepted by then.
        false_kings: whose mark was found false and taken back (E07-29).
        turned_marked: the dealer has marked the king that he turned up.
        marks: marks made for this deal so far, taken back if it is annulled (ER-16).
        tricks: those finished; `led`: the card led to the next; `leader`: who led it or is to lead.
        announced: the suit that the leader announced.
        given: tricks awarded to a side for cards thrown away (E00-52).
        shown: cards of each that everybody knows, apart from those played.
        open: who plays with open cards.
        revoked: who revoked, so that his win counts one less (E07-44); `excused`: whose play the
            croupier let stand.
        replayed: the tricks are being played again.
        ragged: a wrong number was corrected, so it is uncertain who received which card.
        ended: the tricks are made and counted; `thrown_in`: cards were thrown away (E07-54).
        trick_marks: marks made for its tricks.
        exposed: a card of elder's was exposed in dealing; he will say if the deal stands (E07-17).
        annulled: the deal is void (ER-16).
        fell: the card on the table fell from a hand (E07-53, E00-51).
        unbeaten: tricks, from 0, whose lead a player could have beaten, and which side it was
            (EDE-14); `heard`: how many of them the croupier has ruled on.
    """

    number: int
    dealer: int
    first: int = 3
    came: int = 0
    taken: tuple[tuple[Dealt, ...], tuple[Dealt, ...]] = ((), ())
    held: tuple[int, int] = (0, 0)
    turned: Dealt | None = None
    looked: tuple[bool, bool] = (False, False)
    bought: int = 0
    refused: bool = False
    authority: bool = False
    asked: int = 0
    laid_away: int = 0
    top: tuple[Dealt, ...] = ()
    bottom: tuple[Dealt, ...] = ()
    forced: bool = False
    barred: tuple[bool, bool] = (False, False)
    said: tuple[bool, bool] = (False, False)
    kings: tuple[bool, bool] = (False, False)
    bought_at: tuple[int, int] = (0, 0)
    false_kings: tuple[bool, bool] = (False, False)
    turned_marked: bool = False
    marks: tuple[int, int] = (0, 0)
    tricks: tuple[Trick, ...] = ()
    led: Card | None = None
    leader: int = -1
    announced: Suit | None = None
    given: tuple[int, int] = (0, 0)
    shown: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
    open: tuple[bool, bool] = (False, False)
    revoked: tuple[bool, bool] = (False, False)
    excused: tuple[bool, bool] = (False, False)
    replayed: bool = False
    ragged: bool = False
    ended: bool = False
    thrown_in: bool = False
    trick_marks: tuple[int, int] = (0, 0)
    exposed: bool = False
    annulled: bool = False
    fell: bool = False
    unbeaten: tuple[tuple[int, int], ...] = ()
    heard: int = 0

    @property
    def elder(self) -> int:
        """The side that leads first."""
        return 1 - self.dealer

    @property
    def trump(self) -> Suit:
        """The suit of the turned-up card (E07-30). Raises ValueError before one is turned up."""
        if self.turned is None:
            raise ValueError("no card is turned up")
        return self.turned.card.suit

    @property
    def first_lead(self) -> bool:
        """Whether the first lead is still to come."""
        return not self.tricks and self.led is None


class Emptied(Struct, frozen=True, gc=False):
    """A used Schlitten of this partie, and its cards, revealed when the partie ends (ER-20)."""

    shoe: str
    number: int
    cards: tuple[Dealt, ...]


class Waiting(Struct, frozen=True, gc=False):
    """A deal that was set aside, and its Schlitten (E00-18, ER-29)."""

    deal: Deal
    shoe: Shoe


class Past(Struct, frozen=True, gc=False):
    """A finished partie: its winner, 0 for nobody, and the score, the left player's first."""

    number: int
    winner: int
    score: tuple[int, int]


class Partie(Struct, frozen=True, gc=False):
    """A game to five.

    Attributes:
        number: its number in the evening.
        seats: the left player's, the right player's.
        score: marks of each.
        dealer: the side that deals now, or next.
        packets: how many cards each deals first in this partie; 0: not said yet (E07-14).
        due: what may still be marked.
        emptied: the Schlitten used so far.
        waiting: a deal that was set aside.
        ordinal: the number of the last card in earlier Schlitten of the partie, so that promises
            have distinct numbers.
        last: the deal gathered last, in which a revoke may still be claimed (ER-13).
        fresh: two cards were identical, so a fresh pack is due (ER-10).
    """

    number: int
    seats: tuple[int, int]
    score: tuple[int, int] = (0, 0)
    dealer: int = 0
    packets: tuple[int, int] = (0, 0)
    due: tuple[Due, ...] = ()
    emptied: tuple[Emptied, ...] = ()
    waiting: Waiting | None = None
    ordinal: int = 0
    last: Deal | None = None
    fresh: bool = False


def paired(pair: tuple[T, T], side: int, value: T) -> tuple[T, T]:
    """The pair with one side's value replaced."""
    return (value, pair[1]) if side == 0 else (pair[0], value)
