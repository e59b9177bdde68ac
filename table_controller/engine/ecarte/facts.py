"""What lies on a table of écarté: a partie, its deal, the tricks. Sides are 0, the left, and 1."""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct

from table_controller.engine.ecarte.inputs import Why
from table_controller.engine.shoe import Dealt, Shoe
from table_controller.rules.cards import Card, Suit

T = TypeVar("T")


class Due(Struct, frozen=True, gc=False):
    """What a side may mark, for which deal and by which rule; the program never marks (ER-24)."""

    side: int
    points: int
    why: Why
    rule: str
    deal: int = 0


class Trick(Struct, frozen=True, gc=False):
    """A finished trick: who led what, what was played to it, who took it."""

    leader: int
    led: Card
    reply: Card
    winner: int


class Deal(Struct, frozen=True, gc=False):
    """One distribution of cards and its five tricks. Pairs hold the left player's first.

    Attributes:
        number: of the evening.
        dealer: the side that deals; the other is elder.
        first: cards of the first packet, 3 or 2.
        taken: the cards that each received, which nobody may know (R-13).
        came: cards that came so far in dealing.
        held: how many each holds now.
        turned: the turned-up card.
        looked: who has looked at his cards, or at those that he bought last.
        bought: accepted propositions so far; with the first the penalties are off (E07-40).
        refused: the dealer refused at the first distribution; `authority`: elder led at once.
        asked: how many cards elder asked for last.
        laid_away: how many cards were laid away so far, by both.
        top, bottom: cards beside the Schlitten that are served first, and last (ER-23).
        forced: the dealer must grant the next proposition (E07-42).
        barred: who may not mark a king (E07-23, E07-24).
        said: who has said "le roi".
        kings: who has a mark for a held king; `bought_at`: after how many purchases he made it.
        false_kings: whose mark was found false, and went back (E07-29).
        turned_marked: the dealer has marked the king that he turned up.
        marks: marks made for this deal so far, which an annulled deal takes back (ER-16).
        tricks: the finished ones; `led`: the card that lies, and `leader` whose it is or who leads.
        announced: the suit that the leader announced.
        given: tricks given to a side for cards thrown away (E00-52).
        shown: cards of each that are known to all, beside those that he played.
        open: who plays with open cards.
        revoked: whose win counts one less (E07-44); `excused`: whose play the croupier let stand.
        replayed: the tricks are played again.
        ragged: numbers were mended: which passage went where is not certain.
        ended: the tricks are made, and counted; `thrown_in`: cards were thrown away (E07-54).
        trick_marks: marks made for its tricks.
        exposed: a card of elder's was exposed in dealing; he says what becomes of it (E07-17).
        annulled: it counts for nobody (ER-16).
        fell: the card that lies fell from a hand (E07-53, E00-51).
        unbeaten: tricks whose lead the other could have beaten, counted from 0, and who it was
            (EDE-14); `heard`: of so many of them the croupier has ruled.
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
        """The suit of the turned-up card (E07-30). Raises ValueError before it is turned."""
        if self.turned is None:
            raise ValueError("no card is turned up")
        return self.turned.card.suit

    @property
    def first_lead(self) -> bool:
        """Whether no card has been led yet."""
        return not self.tricks and self.led is None


class Emptied(Struct, frozen=True, gc=False):
    """A Schlitten of this partie and its cards, which are revealed at the partie's end (ER-20)."""

    shoe: str
    number: int
    cards: tuple[Dealt, ...]


class Waiting(Struct, frozen=True, gc=False):
    """A deal that was set aside, and its Schlitten (E00-18, ER-29)."""

    deal: Deal
    shoe: Shoe


class Past(Struct, frozen=True, gc=False):
    """A partie that is over: who won it, 0 for nobody, and the marks, the left player's first."""

    number: int
    winner: int
    score: tuple[int, int]


class Partie(Struct, frozen=True, gc=False):
    """A game to five.

    Attributes:
        number: of the evening.
        seats: the left player's, the right player's.
        score: marks of each.
        dealer: the side that deals now, or next.
        packets: by how many each deals first in this partie, 0: not said yet (E07-14).
        due: what may still be marked.
        emptied: its Schlitten so far.
        waiting: a deal that was set aside.
        ordinal: of the last passage of its earlier Schlitten: promises stay apart till its end.
        last: the deal that was gathered, in which a revoke may yet be claimed (ER-13).
        fresh: two cards were alike, so that a fresh pack is due (ER-10).
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
    """The pair with that side's value changed."""
    return (value, pair[1]) if side == 0 else (pair[0], value)
