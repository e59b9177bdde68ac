"""The table between two inputs: who sits, what lies where, and the phase it is in.

Pure data, and the small questions that one may ask of it. Knows no rule of play.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from table_controller.engine.alerts import Alert
from table_controller.engine.chemin_de_fer.facts import (
    Bank,
    Coup,
    CoupRecord,
    Deal,
    Player,
    Stake,
    Totals,
)
from table_controller.engine.chemin_de_fer.phases import (
    MisdealDue,
    NoSchlitten,
    Phase,
    Stray,
    Unread,
    WhiteDisputed,
)
from table_controller.engine.commitments import Secret
from table_controller.engine.messages import Event, Phrase
from table_controller.engine.shoe import Dealt, Shoe
from table_controller.engine.views import STANDING
from table_controller.rules.chemin_de_fer.house import House
from table_controller.rules.money import NONE, Chips
from table_controller.rules.points import points

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
        croupier: who leads the table, "" until one said so.
        undo: the last human input that can be taken back, and the table before it (R-20).
        withdrawn: what was taken back just now, until somebody says or deals something.
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
    croupier: str = ""
    undo: Undo | None = None
    withdrawn: Phrase | None = None


class Undo(Struct, frozen=True, gc=False):
    """The last human input that can be taken back, in words too, and the table before it."""

    said: str
    table: Table
    what: Phrase = Phrase("")


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


def occupied_from(table: Table, seat: int) -> list[int]:
    """Occupied seats round the table, from `seat` itself on. Empty ones are skipped (R-10)."""
    seats = table.seats
    around = (*range(seat, len(seats) + 1), *range(1, seat))
    return [candidate for candidate in around if seats[candidate - 1] is not None]


def places(table: Table) -> Iterator[int]:
    """Everybody: the occupied seats in order, then the standing."""
    yield from occupied_from(table, 1)
    for number, who in enumerate(table.standing, STANDING + 1):
        if who is not None:
            yield number


def next_seat(table: Table, seat: int) -> int:
    """The next occupied seat that the Schlitten reaches after `seat` (ZP-19, R-10)."""
    return next(iter(occupied_from(table, seat % len(table.seats) + 1)), seat)


def total(table: Table) -> int:
    """All money that came to the table and has not left it, in chips (R-16)."""
    held = sum(who.balance for who in (*table.seats, *table.standing) if who)
    bank = table.bank.pot + table.bank.aside if table.bank else 0
    lies = table.coup.staked if table.coup else 0
    return held + bank + lies + table.cagnotte + table.tips


def value(cards: tuple[Dealt, ...]) -> int:
    """Points of a hand, 0 to 9."""
    return points([dealt.card for dealt in cards])


def uninterrupted(phase: Phase) -> Phase:
    """The phase that an interruption will come back to, or the phase itself."""
    while isinstance(phase, Unread | Stray | WhiteDisputed | MisdealDue):
        phase = phase.resume
    return phase


def deal_of(phase: Phase) -> Deal | None:
    """The cards on the table, also while something interrupts their coup."""
    return getattr(uninterrupted(phase), "deal", None)
