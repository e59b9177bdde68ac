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
from table_controller.engine.chemin_de_fer.messages import Play, Side, Word
from table_controller.engine.commitments import Secret
from table_controller.engine.messages import Event
from table_controller.engine.seen import Unknown
from table_controller.engine.shoe import Dealt, Shoe
from table_controller.rules.cards import Card
from table_controller.rules.houses import House
from table_controller.rules.money import NONE, Chips
from table_controller.rules.points import points


class Player(Struct, frozen=True, gc=False):
    """Somebody at a seat, and what he has beside his stakes."""

    name: str
    balance: Chips


class Bank(Struct, frozen=True, gc=False):
    """Who holds the bank and what he puts up.

    Attributes:
        pot: what is played for.
        aside: his too, on the table, but not played for in this coup (R-7).
        won: what the last coup brought him net of the cagnotte, 0 if it was not won (Z-25).
    """

    seat: int
    pot: Chips
    aside: Chips = NONE
    won: Chips = NONE


class Coup(Struct, frozen=True, gc=False):
    """Who plays against the bank, how, and what lies against it; `tied`: it is a replay (R-4)."""

    pointeur: int
    play: Play
    stake: Chips
    tied: bool = False


class Deal(Struct, frozen=True, gc=False):
    """The cards of a coup so far, in the order they came, and who has shown his.

    `word` is the pointeur's last answer.
    """

    number: int
    pointeur: tuple[Dealt, ...] = ()
    banker: tuple[Dealt, ...] = ()
    pointeur_open: bool = False
    banker_open: bool = False
    word: Word | None = None

    @property
    def given(self) -> Dealt | None:
        """The pointeur's third card; it lies open (Z-9)."""
        return self.pointeur[2] if len(self.pointeur) == 3 else None


class CoupRecord(Struct, frozen=True, gc=False):
    """A finished coup, as the row of the last ones shows it."""

    number: int
    winner: Side | None
    banker_seat: int
    pointeur_seat: int
    banker: int
    pointeur: int
    pot: Chips
    staked: Chips
    cagnotte: Chips
    pot_after: Chips


# Phases. Each says what the table waits for.


class NoSchlitten(Struct, frozen=True, gc=False, tag=True):
    """A mixed and cut Schlitten is due."""


class PlayersDue(Struct, frozen=True, gc=False, tag=True):
    """Two players at least are due."""


class BankDue(Struct, frozen=True, gc=False, tag=True):
    """The player where the Schlitten stands puts up a pot, or lets it pass."""


class StakesDue(Struct, frozen=True, gc=False, tag=True):
    """The pot is called; a pointeur may come forward."""


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


class Settled(Struct, frozen=True, gc=False, tag=True):
    """Announced; the money goes its way (ZP-14). `payments` in the order of Z-26."""

    deal: Deal
    record: CoupRecord
    payments: tuple[tuple[int, int], ...]


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
    | Dealing
    | PointeurToSpeak
    | BankerToOpen
    | ThirdCardDue
    | BankerToChoose
    | BankerCardDue
    | PointeurToOpen
    | Settled
    | Over
    | Unread
    | Stray
    | WhiteDisputed
)

#: How many coups the row of the last ones holds.
REMEMBERED = 9


class Table(Struct, frozen=True, gc=False):
    """Everything the game knows. `seats[0]` is seat 1.

    Attributes:
        place: the seat where the Schlitten stands.
        number: of the present Schlitten this evening; `coups`: begun so far.
        kept: cards drawn by mistake, the first of the next deal (Z-13).
        hidden: cards that left play unopened; known when the Schlitten is closed (R-35).
        last_coup: number of the Schlitten's last coup, once that is known, else 0 (R-6).
        prompt: id of what the table waits for; it changes with every new phase.
    """

    house: House
    key: Secret
    phase: Phase
    seats: tuple[Player | None, ...]
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
    cagnotte: Chips = NONE
    last: tuple[CoupRecord, ...] = ()
    alerts: tuple[Alert, ...] = ()


Step = tuple[Table, tuple[Event, ...]]


def begin(house: House, key: Secret) -> Table:
    """An empty table of `house`. `key` makes the commitments' nonces."""
    return Table(house, key, NoSchlitten(), (None,) * house.seats)


def at(table: Table, phase: Phase, **changes: Any) -> Table:
    """The table in a new phase: what it waits for has a new prompt id."""
    return replace(table, phase=phase, prompt=table.prompt + 1, **changes)


def player(table: Table, seat: int) -> Player | None:
    """Who sits at `seat`, or None where nobody does or there is no such seat."""
    return table.seats[seat - 1] if 1 <= seat <= len(table.seats) else None


def occupied_from(table: Table, seat: int) -> Iterator[int]:
    """Occupied seats round the table, from `seat` itself on. Empty ones are skipped (R-10)."""
    count = len(table.seats)
    for step in range(count):
        candidate = (seat - 1 + step) % count + 1
        if table.seats[candidate - 1] is not None:
            yield candidate


def next_seat(table: Table, seat: int) -> int:
    """The next occupied seat that the Schlitten reaches after `seat` (ZP-19, R-10)."""
    return next(occupied_from(table, seat % len(table.seats) + 1), seat)


def pay(table: Table, seat: int, chips: int) -> tuple[Player | None, ...]:
    """The seats after `chips` went to (negative: came from) the player at `seat`."""
    who = table.seats[seat - 1]
    if who is None:
        raise ValueError(f"nobody sits at seat {seat}")
    paid = Player(who.name, Chips(who.balance + chips))
    return (*table.seats[: seat - 1], paid, *table.seats[seat:])


def total(table: Table) -> int:
    """All money that came to the table and has not left it, in chips (R-16)."""
    held = sum(who.balance for who in table.seats if who)
    bank = table.bank.pot + table.bank.aside if table.bank else 0
    return held + bank + (table.coup.stake if table.coup else 0) + table.cagnotte


def value(cards: tuple[Dealt, ...]) -> int:
    """Points of a hand, 0 to 9."""
    return points(dealt.card for dealt in cards)


def deal_of(phase: Phase) -> Deal | None:
    """The cards on the table, also while something interrupts their coup."""
    match phase:
        case Unread(resume=resume) | Stray(resume=resume) | WhiteDisputed(resume=resume):
            return deal_of(resume)
        case NoSchlitten() | PlayersDue() | BankDue() | StakesDue() | Over():
            return None
        case _:
            return phase.deal
