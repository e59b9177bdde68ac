"""The state of a partie of écarté, its deal and its tricks.

Side 0 is the left player's, side 1 the right player's.
"""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct

from table_controller.engine.ecarte.inputs import Why
from table_controller.engine.shoe import Dealt, Shoe
from table_controller.rules.cards import Card, Suit
from table_controller.rules.money import NONE, Chips

T = TypeVar("T")


class Due(Struct, frozen=True, gc=False):
    """Marks that a side may make. Only the players themselves mark (ER-24).

    `rule` is the id of the rule that allows the marks, and `deal` the number of their deal.
    """

    side: int
    points: int
    why: Why
    rule: str
    deal: int = 0


class Trick(Struct, frozen=True, gc=False):
    """A finished trick: the side that led, its card, the reply, and the side that won."""

    leader: int
    led: Card
    reply: Card
    winner: int


class Deal(Struct, frozen=True, gc=False):
    """One distribution of cards and its five tricks.

    In a pair, the left player's value comes first.

    Attributes:
        number: the deal's number in the evening.
        dealer: the side that deals; the other side is elder.
        first: the number of cards in the first packet, 3 or 2; `chosen`: whether the dealer said so
            for this deal.
        taken: the cards that each side has received, which nobody may know (R-13).
        came: the number of cards dealt so far, up to the turned-up card.
        held: the number of cards that each side has now.
        turned: the turned-up card.
        looked: whether each side has looked at its cards, or at the cards it bought last.
        bought: how many propositions were accepted so far. From the first on, the penalties
            for refusing and for leading d'autorité no longer apply (E07-40, E07-41).
        refused: whether the dealer refused at the first distribution; `authority`: whether elder
            led without proposing.
        asked: how many cards elder last asked for.
        laid_away: the number of cards that both sides have discarded so far.
        top, bottom: cards outside the Schlitten that are dealt before its cards, and after them
            (ER-23).
        forced: whether the dealer must accept the next proposition (E07-42).
        barred: whether each side may not mark a king (E07-23, E07-24).
        said: whether each side has said "le roi".
        kings: whether each side has marked a king in its hand; `bought_at`: how many propositions
            were accepted by then.
        lost_kings: whether each side lost its mark for a king because it had too many cards
            (E07-23, E07-24); the mark may have been false all the same (E07-29).
        false_kings: whether each side's mark was found false and taken back (E07-29).
        turned_marked: whether the dealer has marked the king that he turned up.
        marks: marks of each side in this deal, which are taken back if it is annulled (ER-16).
        tricks: the finished tricks; `led`: the card led to the next trick; `leader`: the side that
            led it or must lead.
        announced: the suit that the leader announced.
        given: the tricks that each side got because the other threw its cards away (E00-52).
        shown: each side's cards that everybody knows, without those played.
        open: whether each side plays with open cards.
        revoked: whether each side revoked, so that its win counts one less (E07-44); `excused`:
            whether the croupier let its play stand.
        replayed: whether the tricks are being played again.
        ragged: whether a wrong number was corrected, so that it is uncertain who received which
            card.
        ended: whether the tricks are made and counted; `thrown_in`: whether cards were thrown away
            (E07-54).
        trick_marks: marks of each side for the deal's tricks.
        exposed: whether a card of elder's was exposed in dealing, so that elder will be asked
            whether the deal counts (E07-17).
        annulled: whether the deal is void (ER-16).
        fell: whether the card on the table fell from a hand (E07-53, E00-51).
        unbeaten: the tricks, from 0, in which a player could have beaten the lead, and the player's
            side (EDE-14); `heard`: on how many of them the croupier has ruled.
    """

    number: int
    dealer: int
    first: int = 3
    chosen: bool = False
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
    lost_kings: tuple[bool, bool] = (False, False)
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
        """The side that leads first: the one that does not deal."""
        return 1 - self.dealer

    @property
    def trump(self) -> Suit:
        """The suit of the turned-up card (E07-30). Raises ValueError before a card is turned up."""
        if self.turned is None:
            raise ValueError("no card is turned up")
        return self.turned.card.suit

    @property
    def first_lead(self) -> bool:
        """Whether no card has been led yet."""
        return not self.tricks and self.led is None


class Emptied(Struct, frozen=True, gc=False):
    """A Schlitten of this partie after its deal.

    Its cards are revealed when the partie ends (ER-20).
    """

    shoe: str
    number: int
    cards: tuple[Dealt, ...]


class Waiting(Struct, frozen=True, gc=False):
    """A deal that was set aside, and its Schlitten (E00-18, ER-29)."""

    deal: Deal
    shoe: Shoe


class Past(Struct, frozen=True, gc=False):
    """A finished partie: the winner's seat (0 for nobody), and the marks, the winner's first.

    `paid` is the sum that changed hands; 0 before the stakes are settled.
    """

    number: int
    winner: int
    score: tuple[int, int]
    paid: Chips = NONE


class Partie(Struct, frozen=True, gc=False):
    """A game to five marks.

    Attributes:
        number: the partie's number in the evening.
        seats: the left player's seat, then the right player's.
        score: the marks of each side.
        dealer: the side that deals now, or next.
        packets: the size of each side's first packet in this partie; 0 if not said yet (E07-14).
        due: marks that the sides may still make.
        emptied: the Schlitten used so far.
        aside: the deals that were set aside and are still to be played, in the order dealt.
        ordinal: the number of the last card in earlier Schlitten of the partie, so that promises
            have distinct numbers.
        last: the deal gathered last, in which a revoke may still be claimed (ER-13).
        fresh: whether two cards were identical, so that a fresh pack is due (ER-10).
    """

    number: int
    seats: tuple[int, int]
    score: tuple[int, int] = (0, 0)
    dealer: int = 0
    packets: tuple[int, int] = (0, 0)
    due: tuple[Due, ...] = ()
    emptied: tuple[Emptied, ...] = ()
    aside: tuple[Waiting, ...] = ()
    ordinal: int = 0
    last: Deal | None = None
    fresh: bool = False


def paired(pair: tuple[T, T], side: int, value: T) -> tuple[T, T]:
    """The pair with the value of one side replaced."""
    return (value, pair[1]) if side == 0 else (pair[0], value)
