"""The things on the table: bank, stakes, cards, results. Pure data."""

from __future__ import annotations

from msgspec import Struct

from table_controller.engine.chemin_de_fer.events import Side
from table_controller.engine.chemin_de_fer.inputs import Play, Word
from table_controller.engine.shoe import Dealt
from table_controller.rules.money import NONE, Chips


class Seller(Struct, frozen=True, gc=False):
    """The seller of the bank, and the bid that replaced his pot (Z-22, R-29)."""

    seat: int
    partners: tuple[int, ...]
    bid: Chips


class Bank(Struct, frozen=True, gc=False):
    """The bank: its holder, and the money in it.

    Attributes:
        pot: the sum that is played for.
        aside: chips of his on the table that are not played for in this coup (R-7).
        won: his net win in the last coup, after the cagnotte; 0 if he did not win. A winner may
            give the bank to another (ZP-18, N-7). This sum is also a new Schlitten's first pot
            (Z-25).
        whole: whether a coup was annulled since, so that a new Schlitten leaves the pot as it is
            (R-30, R-39).
        own: the part that he put up himself; `partners`: place and part of each partner (Z-4).
        open: whether it is played without limit (Z-5).
        halved: whether he has already halved it, or may not (N-5, N-7).
        sellers: earlier bankers from whom it was bought, earliest first (R-29).
        giver: the seat of the player from whom it was taken over. Payment counts from that seat
            (N-7).
    """

    seat: int
    pot: Chips
    aside: Chips = NONE
    won: Chips = NONE
    own: Chips = NONE
    partners: tuple[tuple[int, Chips], ...] = ()
    open: bool = False
    halved: bool = False
    sellers: tuple[Seller, ...] = ()
    giver: int = 0
    whole: bool = False


class Stake(Struct, frozen=True, gc=False):
    """One place's stake against the bank."""

    seat: int
    chips: Chips


class Coup(Struct, frozen=True, gc=False):
    """The opponents of the bank, how they play, and their stakes.

    Attributes:
        pointeur: the place that plays the cards; 0 while there is none.
        closed: whether "nichts geht mehr" was said; `taken_up`: whether nobody can take the cards
            any more (N-3).
        tie: whether the coup is a replay after equal points, by the same pointeur (R-4).
        held: the stake that the pointeur must leave after a tie to keep the cards (N-5); else 0.
        tied: those stakes of the last tie that have not been withdrawn (N-5, R-36).
        tie_pot: the sum that was played for in that tie, which is the pot if the bank is taken over
            (N-7); else 0.
    """

    pointeur: int
    play: Play
    stakes: tuple[Stake, ...]
    closed: bool = False
    taken_up: bool = False
    tie: bool = False
    held: Chips = NONE
    tied: tuple[Stake, ...] = ()
    tie_pot: Chips = NONE

    @property
    def staked(self) -> Chips:
        """All stakes, covered or not."""
        return Chips(sum(stake.chips for stake in self.stakes))

    def stake_of(self, seat: int) -> Chips:
        """One place's stake."""
        for stake in self.stakes:
            if stake.seat == seat:
                return stake.chips
        return NONE


class Deal(Struct, frozen=True, gc=False):
    """The cards of a coup so far, in the order dealt, and which of them are open.

    Attributes:
        shown: ordinals of the cards that were dealt closed and are now open.
        word: the pointeur's last answer.
        bound: whether the banker must play by the custom, whatever he declared (Z-8, Z-19, R-34).
        thrown: whether the pointeur threw his cards away, so that they count nothing (Z-15).
        spare: a third card that was given back. The banker gets it if he asks for a card (Z-21).
        claimed: a card that was given back on the pointeur's word alone. His hand may prove it
            (R-38).
    """

    number: int
    pointeur: tuple[Dealt, ...] = ()
    banker: tuple[Dealt, ...] = ()
    shown: tuple[int, ...] = ()
    word: Word | None = None
    bound: bool = False
    thrown: bool = False
    spare: Dealt | None = None
    claimed: Dealt | None = None

    @property
    def cards(self) -> tuple[Dealt, ...]:
        """The cards of both hands: the pointeur's, then the banker's."""
        return (*self.pointeur, *self.banker)

    @property
    def given(self) -> Dealt | None:
        """The pointeur's third card, which is open (Z-9)."""
        return self.pointeur[2] if len(self.pointeur) == 3 else None

    @property
    def pointeur_open(self) -> bool:
        """Whether both his closed cards have been laid open."""
        return len(self.pointeur) >= 2 and self.lies_open(self.pointeur)

    @property
    def banker_open(self) -> bool:
        """Whether both his closed cards have been laid open."""
        return len(self.banker) >= 2 and self.lies_open(self.banker)

    def lies_open(self, cards: tuple[Dealt, ...]) -> bool:
        """Whether this hand's closed cards have been laid open."""
        shown = self.shown
        return not [dealt for dealt in cards[:2] if dealt.ordinal not in shown]


class CoupRecord(Struct, frozen=True, gc=False):
    """A finished coup, as shown in the row of past coups."""

    number: int
    winner: Side | None
    banker_seat: int
    pointeur_seat: int
    banker: int | None
    pointeur: int | None
    pot: Chips
    staked: Chips
    cagnotte: Chips
    pot_after: Chips
    forfeit: str = ""


class Totals(Struct, frozen=True, gc=False):
    """The totals of a Schlitten's coups, or of the evening's."""

    coups: int = 0
    bank: int = 0
    pointeur: int = 0
    ties: int = 0
    staked: Chips = NONE
    cagnotte: Chips = NONE


class Payment(Struct, frozen=True, gc=False):
    """One line of the settlement: chips to a place, or from it if negative.

    Place 0 is the house.
    """

    seat: int
    chips: int
    done: bool = False


class Books(Struct, frozen=True, gc=False):
    """The sums that a coup paid to each player. What it changed is also kept, to undo it (R-20)."""

    moved: tuple[Payment, ...]
    bank: Bank | None
    coup: Coup | None
    suivi: int
    totals: tuple[Totals, Totals]
