"""The things on the table: bank, stakes, cards, results. They are plain data."""

from __future__ import annotations

from msgspec import Struct

from table_controller.engine.chemin_de_fer.events import Side
from table_controller.engine.chemin_de_fer.inputs import Play, Word
from table_controller.engine.shoe import Dealt
from table_controller.rules.money import NONE, Chips


class Seller(Struct, frozen=True, gc=False):
    """A banker who sold the bank, and the buyer's bid, which became the new pot (Z-22, R-29)."""

    seat: int
    partners: tuple[int, ...]
    bid: Chips


class Bank(Struct, frozen=True, gc=False):
    """The bank: the banker's seat, and the money in the bank.

    Attributes:
        pot: the sum that is played for.
        aside: the banker's chips on the table that are not played for in this coup (R-7).
        won: the banker's win in the last coup, after the cagnotte; 0 if he did not win. After a win
            he may give the bank to another (ZP-18, N-7). This sum is also the first pot of a new
            Schlitten (Z-25).
        whole: whether a coup was annulled after the win, so that a new Schlitten leaves the pot as
            it is (R-30, R-39).
        own: the part that the banker put up himself; `partners`: place and part of each partner
            (Z-4).
        open: whether the bank is played without limit (Z-5).
        halved: whether the banker has already halved the bank, or may not halve it (N-5, N-7).
        sellers: the earlier bankers who sold this bank, the earliest first (R-29).
        giver: the seat of the player from whom the present banker took over the bank, else 0. The
            order of payment begins after that seat (N-7).
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
    """The stake of one place against the bank."""

    seat: int
    chips: Chips


class Coup(Struct, frozen=True, gc=False):
    """The pointeur and his game, and the stakes against the bank.

    Attributes:
        pointeur: the place that plays the cards; 0 while there is none.
        closed: whether "nichts geht mehr" was said; `taken_up`: whether nobody can take the
            pointeur's place any more (N-3).
        tie: whether the coup is a replay after equal points, by the same pointeur (R-4).
        held: after a tie, the least stake that the pointeur needs to keep the cards (N-5); else 0.
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
        """The sum of all stakes, whether the pot covers them or not."""
        return Chips(sum(stake.chips for stake in self.stakes))

    def stake_of(self, seat: int) -> Chips:
        """The stake of the place `seat`, 0 if it has none."""
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
        spare: the pointeur's third card, if he gave it back. The banker gets this card if he draws
            (Z-21).
        claimed: the card given back, if only the pointeur says that the custom forbade it. His hand
            proves it or not when it opens (R-38).
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
        """The pointeur's third card, which is open (Z-9); None if he has no third card."""
        return self.pointeur[2] if len(self.pointeur) == 3 else None

    @property
    def pointeur_open(self) -> bool:
        """Whether the pointeur has his two closed cards and both are open now."""
        return len(self.pointeur) >= 2 and self.lies_open(self.pointeur)

    @property
    def banker_open(self) -> bool:
        """Whether the banker has his two closed cards and both are open now."""
        return len(self.banker) >= 2 and self.lies_open(self.banker)

    def lies_open(self, cards: tuple[Dealt, ...]) -> bool:
        """Whether the cards of this hand that were dealt closed are all open now."""
        shown = self.shown
        return not [dealt for dealt in cards[:2] if dealt.ordinal not in shown]


class CoupRecord(Struct, frozen=True, gc=False):
    """A finished coup, as the row of past coups shows it."""

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
    """The totals of all coups of a Schlitten, or of an evening."""

    coups: int = 0
    bank: int = 0
    pointeur: int = 0
    ties: int = 0
    staked: Chips = NONE
    cagnotte: Chips = NONE


class Payment(Struct, frozen=True, gc=False):
    """One line of the settlement: the player at `seat` gets `chips`, or pays them if negative.

    Place 0 is the house.
    """

    seat: int
    chips: int
    done: bool = False


class Books(Struct, frozen=True, gc=False):
    """The sums that a coup paid to each player, and the state before the coup was settled (R-20).

    With these, the settlement can be undone.
    """

    moved: tuple[Payment, ...]
    bank: Bank | None
    coup: Coup | None
    suivi: int
    totals: tuple[Totals, Totals]
