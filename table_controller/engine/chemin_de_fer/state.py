"""The table between two inputs: who sits, what lies where, and one class per phase.

A phase holds just the cards that are known in it; money and seats are the table's. Pure data
and the small questions that one may ask of it. Knows no rule of play.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from table_controller.engine.alerts import Alert
from table_controller.engine.chemin_de_fer.events import Side
from table_controller.engine.chemin_de_fer.inputs import STANDING, Play, Word
from table_controller.engine.commitments import Secret
from table_controller.engine.messages import Event
from table_controller.engine.seen import Unknown
from table_controller.engine.shoe import Dealt, Shoe
from table_controller.rules.cards import Card
from table_controller.rules.houses import House
from table_controller.rules.money import NONE, Chips
from table_controller.rules.points import points


class Player(Struct, frozen=True, gc=False):
    """Somebody at a place, and what he has beside his stakes.

    Attributes:
        by_schlitten: whether he declared to play by the custom (R-25).
        must_pass: how often he has yet to let the bank pass after a change of seat (N-1).
    """

    name: str
    balance: Chips
    by_schlitten: bool = False
    must_pass: int = 0


class Seller(Struct, frozen=True, gc=False):
    """Who sold the bank, and the bid that replaced his pot (Z-22, R-29)."""

    seat: int
    partners: tuple[int, ...]
    bid: Chips


class Bank(Struct, frozen=True, gc=False):
    """Who holds the bank and what he puts up.

    Attributes:
        pot: what is played for.
        aside: his too, on the table, but not played for in this coup (R-7).
        won: what the last coup brought him net of the cagnotte, 0 if it was not won (Z-25).
        own: what he put up himself; `partners`: place and part of each partner (Z-4).
        open: played without limit (Z-5).
        halved: he has halved it, or may not (N-5, N-7).
        sellers: earlier bankers from whom it was bought, the first one first (R-29).
        giver: who gave it up, where it was taken over: payment counts from his seat (N-7).
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


class Stake(Struct, frozen=True, gc=False):
    """What lies against the bank from one place."""

    seat: int
    chips: Chips


class Coup(Struct, frozen=True, gc=False):
    """Who plays against the bank, how, and what lies against it.

    Attributes:
        pointeur: who holds the cards; 0 while nobody does.
        closed: "nichts geht mehr" was said; `taken_up`: nobody can take the cards (N-3).
        tie: it is played again after equal points, by the same pointeur (R-4).
        held: what the hand must keep after a tie, so as not to lose the cards (N-5); else 0.
    """

    pointeur: int
    play: Play
    stakes: tuple[Stake, ...]
    closed: bool = False
    taken_up: bool = False
    tie: bool = False
    held: Chips = NONE

    @property
    def staked(self) -> Chips:
        """All that lies, covered or not."""
        return Chips(sum(stake.chips for stake in self.stakes))

    def stake_of(self, seat: int) -> Chips:
        """What lies from one place."""
        return Chips(sum(stake.chips for stake in self.stakes if stake.seat == seat))


class Deal(Struct, frozen=True, gc=False):
    """The cards of a coup so far, in the order they came, and which of them lie open.

    Attributes:
        shown: ordinals of the cards dealt closed that lie open by now.
        word: the pointeur's last answer.
        bound: the banker plays by the custom whatever he declared (Z-8, Z-19, R-34).
        thrown: the pointeur threw his cards away: they count nothing (Z-15).
        spare: a third card given back: the banker's, if he asks for one (Z-21).
    """

    number: int
    pointeur: tuple[Dealt, ...] = ()
    banker: tuple[Dealt, ...] = ()
    shown: tuple[int, ...] = ()
    word: Word | None = None
    bound: bool = False
    thrown: bool = False
    spare: Dealt | None = None

    @property
    def given(self) -> Dealt | None:
        """The pointeur's third card; it lies open (Z-9)."""
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
        """Whether the closed cards of this hand lie open."""
        return all(dealt.ordinal in self.shown for dealt in cards[:2])


class CoupRecord(Struct, frozen=True, gc=False):
    """A finished coup, as the row of the last ones shows it."""

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
    """What so many coups came to: of a Schlitten, or of the evening."""

    coups: int = 0
    bank: int = 0
    pointeur: int = 0
    ties: int = 0
    staked: Chips = NONE
    cagnotte: Chips = NONE


class Payment(Struct, frozen=True, gc=False):
    """One line of the settlement: chips to (negative: from) a place; place 0 is the house."""

    seat: int
    chips: int
    done: bool = False


class Books(Struct, frozen=True, gc=False):
    """What a coup moved to each player, and the rest as it was: so that it can be undone (R-20)."""

    moved: tuple[Payment, ...]
    bank: Bank | None
    coup: Coup | None
    suivi: int
    totals: tuple[Totals, Totals]


# Phases. Each says what the table waits for.


#: The steps of ZP-4, in order.
PREPARING = ("face_up", "face_down", "carte_passe", "mixed_again", "cut", "white_card")


class NoSchlitten(Struct, frozen=True, gc=False, tag=True):
    """A mixed and cut Schlitten is due; so many steps of `PREPARING` are done."""

    done: int = 0


class PlayersDue(Struct, frozen=True, gc=False, tag=True):
    """Two players at least are due."""


class BankDue(Struct, frozen=True, gc=False, tag=True):
    """The player where the Schlitten stands puts up a pot, or lets it pass."""


class StakesDue(Struct, frozen=True, gc=False, tag=True):
    """The pot is called; a pointeur may come forward."""


class Staking(Struct, frozen=True, gc=False, tag=True):
    """All may stake (ZP-15 III, ZP-16, N-3)."""


class Sharing(Struct, frozen=True, gc=False, tag=True):
    """What the table has not staked is offered round it, to the first of `seats` now (R-21)."""

    seats: tuple[int, ...]
    missing: Chips


class BankStakeDue(Struct, frozen=True, gc=False, tag=True):
    """The open bank's stake is due, of `least` at least (Z-5)."""

    least: Chips


class Auction(Struct, frozen=True, gc=False, tag=True):
    """The bank is sold to the highest bidder (ZP-18, R-28)."""

    seller: int
    partners: tuple[int, ...]
    sellers: tuple[Seller, ...]
    bids: tuple[Stake, ...] = ()


class TakeOver(Struct, frozen=True, gc=False, tag=True):
    """The bank of `giver` may be taken over at its height (N-7)."""

    giver: int
    pot: Chips


class Dealing(Struct, frozen=True, gc=False, tag=True):
    """Two cards each are due, the pointeur first. All of them closed (ZP-6)."""

    deal: Deal | None = None


class PointeurToSpeak(Struct, frozen=True, gc=False, tag=True):
    """Four cards lie; the pointeur's word is due, whatever they are (R-17)."""

    deal: Deal


class BankerToOpen(Struct, frozen=True, gc=False, tag=True):
    """The pointeur has spoken; the banker opens first (ZP-12)."""

    deal: Deal


class ThirdCardDue(Struct, frozen=True, gc=False, tag=True):
    """The banker gives the pointeur the card he asked for, open (ZP-8, Z-9)."""

    deal: Deal


class BankerToChoose(Struct, frozen=True, gc=False, tag=True):
    """The banker draws or stands (ZP-9)."""

    deal: Deal


class BankerCardDue(Struct, frozen=True, gc=False, tag=True):
    """The banker said that he draws; his card comes open (Z-9)."""

    deal: Deal


class PointeurToOpen(Struct, frozen=True, gc=False, tag=True):
    """The pointeur opens his closed cards (ZP-12)."""

    deal: Deal


class FauxOffered(Struct, frozen=True, gc=False, tag=True):
    """The pointeur's third card was given back; the banker may ask for it (Z-21, R-18)."""

    deal: Deal


class MisdealDue(Struct, frozen=True, gc=False, tag=True):
    """Misdealt: put right without protest, or lost (Z-12, N-4). `extra`: a card too many."""

    resume: Phase
    extra: Dealt | None = None


class Settled(Struct, frozen=True, gc=False, tag=True):
    """Announced; the money goes its way (ZP-14). `payments` in the order of Z-26."""

    deal: Deal
    record: CoupRecord
    payments: tuple[Payment, ...]
    before: Books


class Over(Struct, frozen=True, gc=False, tag=True):
    """No further coup from this Schlitten (R-6): it is closed and counted."""


class Unread(Struct, frozen=True, gc=False, tag=True):
    """`cards` cards from `ordinal` on left without a sure reading; the coup stands still.

    `named` is what a first person entered blind, with his name.
    """

    ordinal: int
    cards: int
    reason: Unknown
    resume: Phase
    named: tuple[str, Card] | None = None


class Stray(Struct, frozen=True, gc=False, tag=True):
    """A card left when none was due; the croupier says what it was (R-19)."""

    dealt: Dealt
    resume: Phase


class WhiteDisputed(Struct, frozen=True, gc=False, tag=True):
    """The white card came out where the count does not expect it (R-6)."""

    left: int
    resume: Phase


Phase = (
    NoSchlitten
    | PlayersDue
    | BankDue
    | StakesDue
    | Staking
    | Sharing
    | BankStakeDue
    | Auction
    | TakeOver
    | Dealing
    | PointeurToSpeak
    | BankerToOpen
    | ThirdCardDue
    | BankerToChoose
    | BankerCardDue
    | PointeurToOpen
    | FauxOffered
    | MisdealDue
    | Settled
    | Over
    | Unread
    | Stray
    | WhiteDisputed
)

#: How many coups the row of the last ones holds.
REMEMBERED = 9


class Table(Struct, frozen=True, gc=False):
    """Everything the game knows. `seats[0]` is seat 1, `standing[0]` place 101.

    Attributes:
        place: the seat where the Schlitten stands; a bank that was sold leaves it there (R-11).
        number: of the present Schlitten this evening; `coups`: begun so far.
        kept: cards drawn by mistake, the first of the next deal (Z-13).
        hidden: cards that left play unopened; known when the Schlitten is closed (R-35).
        last_coup: number of the Schlitten's last coup, once that is known, else 0.
        suivi: the place of the pointeur who lost the coup before, else 0 (ZP-13).
        totals: of this Schlitten and of the evening.
        previous: the stakes of the coup before, for "the same again".
        prompt: id of what the table waits for; it changes with every new phase.
        undo: the last human input that can be taken back, and the table before it (R-20).
    """

    house: House
    key: Secret
    phase: Phase
    seats: tuple[Player | None, ...]
    standing: tuple[Player | None, ...] = ()
    place: int = 1
    prompt: int = 1
    number: int = 0
    coups: int = 0
    shoe: Shoe | None = None
    bank: Bank | None = None
    coup: Coup | None = None
    kept: tuple[Dealt, ...] = ()
    hidden: tuple[Dealt, ...] = ()
    last_coup: int = 0
    first_coup: int = 1
    suivi: int = 0
    cagnotte: Chips = NONE
    tips: Chips = NONE
    totals: tuple[Totals, Totals] = (Totals(), Totals())
    previous: tuple[Stake, ...] = ()
    last: tuple[CoupRecord, ...] = ()
    alerts: tuple[Alert, ...] = ()
    undo: Undo | None = None


class Undo(Struct, frozen=True, gc=False):
    """The last human input that can be taken back, and the table before it."""

    said: str
    table: Table


Step = tuple[Table, tuple[Event, ...]]


def begin(house: House, key: Secret) -> Table:
    """An empty table of `house`. `key` makes the commitments' nonces."""
    return Table(house, key, NoSchlitten(), (None,) * house.seats)


def at(table: Table, phase: Phase, **changes: Any) -> Table:
    """The table in a new phase: what it waits for has a new prompt id."""
    return replace(table, phase=phase, prompt=table.prompt + 1, **changes)


def player(table: Table, seat: int) -> Player | None:
    """Who is at a place, or None where nobody is or there is no such place."""
    if seat > STANDING:
        place = seat - STANDING
        return table.standing[place - 1] if place <= len(table.standing) else None
    return table.seats[seat - 1] if 1 <= seat <= len(table.seats) else None


def put(table: Table, seat: int, who: Player | None) -> Table:
    """The table with `who` at that place."""
    if seat > STANDING:
        place = seat - STANDING - 1
        return replace(table, standing=(*table.standing[:place], who, *table.standing[place + 1 :]))
    return replace(table, seats=(*table.seats[: seat - 1], who, *table.seats[seat:]))


def pay(table: Table, seat: int, chips: int) -> Table:
    """The table after `chips` went to (negative: came from) whoever is at that place."""
    who = player(table, seat)
    if who is None:
        raise ValueError(f"nobody is at place {seat}")
    return put(table, seat, replace(who, balance=Chips(who.balance + chips)))


def balance(table: Table, seat: int) -> int:
    """What lies before a player, beside his stakes; 0 where nobody is."""
    who = player(table, seat)
    return who.balance if who else 0


def occupied_from(table: Table, seat: int) -> Iterator[int]:
    """Occupied seats round the table, from `seat` itself on. Empty ones are skipped (R-10)."""
    count = len(table.seats)
    for step in range(count):
        candidate = (seat - 1 + step) % count + 1
        if table.seats[candidate - 1] is not None:
            yield candidate


def places(table: Table) -> Iterator[int]:
    """Everybody: the occupied seats in order, then the standing."""
    yield from occupied_from(table, 1)
    for number, who in enumerate(table.standing, STANDING + 1):
        if who is not None:
            yield number


def next_seat(table: Table, seat: int) -> int:
    """The next occupied seat that the Schlitten reaches after `seat` (ZP-19, R-10)."""
    return next(occupied_from(table, seat % len(table.seats) + 1), seat)


def total(table: Table) -> int:
    """All money that came to the table and has not left it, in chips (R-16)."""
    held = sum(who.balance for who in (*table.seats, *table.standing) if who)
    bank = table.bank.pot + table.bank.aside if table.bank else 0
    lies = table.coup.staked if table.coup else 0
    return held + bank + lies + table.cagnotte + table.tips


def value(cards: tuple[Dealt, ...]) -> int:
    """Points of a hand, 0 to 9."""
    return points(dealt.card for dealt in cards)


def uninterrupted(phase: Phase) -> Phase:
    """The phase that an interruption will come back to, or the phase itself."""
    while isinstance(phase, Unread | Stray | WhiteDisputed | MisdealDue):
        phase = phase.resume
    return phase


def deal_of(phase: Phase) -> Deal | None:
    """The cards on the table, also while something interrupts their coup."""
    return getattr(uninterrupted(phase), "deal", None)
