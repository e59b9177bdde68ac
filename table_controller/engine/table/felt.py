"""The things on and around every card table, as plain data, which is part of a game's table.

A stop among them halts the table until a person or the lip settles it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from table_controller.engine import alerts as alerting
from table_controller.engine.alerts import Alert, Alerts
from table_controller.engine.messages import Phrase, Told
from table_controller.engine.promises import SecretKey
from table_controller.engine.seen import Unknown
from table_controller.engine.shoe import Dealt, Shoe
from table_controller.engine.table.roles import Person
from table_controller.engine.views import STANDING
from table_controller.rules.cards import Card
from table_controller.rules.houses import House
from table_controller.rules.money import NONE, Chips

# ---- The stops


class Unread(Struct, frozen=True, gc=False, tag=True):
    """`cards` cards, from the passage `ordinal` on, left without a certain reading. The coup stops.

    `named` is the first person who typed the card, and the card; None before that. `differ` says
    that the last two people typed different cards, until somebody types or shows a card again.

    `alerts` were open when the cards left. They decide whether the first card was due, whatever
    happens until somebody knows it (R-51, R-53, R-56). `lifted` says that the lid was opened since.
    """

    ordinal: int
    cards: int
    reason: Unknown
    named: tuple[str, Card] | None = None
    differ: bool = False
    alerts: Alerts = ()
    lifted: bool = False


class Stray(Struct, frozen=True, gc=False, tag=True):
    """A card left when none was due. The croupier rules on it (R-19)."""

    dealt: Dealt


class WhiteDisputed(Struct, frozen=True, gc=False, tag=True):
    """The white card came out when the count did not expect it (R-6). `left` cards were left then.

    `coup` is 0, except in one case: the white card came out in a coup, and the bank lost this coup
    by a rule before the croupier ruled on the white card. `coup` is then the number of that coup.
    """

    left: int
    coup: int = 0


class MisdealDue(Struct, frozen=True, gc=False, tag=True):
    """A misdeal waits until it is put right without protest, or the coup is lost (Z-12, N-4).

    `extra` is a card that was dealt in excess, or None.
    """

    extra: Dealt | None = None


Stop = Unread | Stray | WhiteDisputed | MisdealDue


# ---- The things on and around every card table, as plain data, which is part of a game's table


class Player(Struct, frozen=True, gc=False):
    """A person at a place, and his chips that are not staked."""

    name: str
    balance: Chips


class Felt(Struct, frozen=True, gc=False):
    """The things that every card table has. `seats[0]` is seat 1, and `standing[0]` is place 101.

    Attributes:
        house: the house's rules for seats, packs, white card and unit. Only the game reads its
            other settings.
        key: the secret key. Together with `boot`, the start of the service, it makes the cards'
            promises (R-13).
        number: the current Schlitten's number this evening; `coups`: the coups begun so far.
        kept: cards drawn by mistake, which will be the first of the next deal (Z-13).
        hidden: cards that left play unopened. They are revealed when the Schlitten is closed
            (R-35).
        back: ordinals of the `hidden` cards that went back into the Schlitten unseen (R-19).
        first_coup: the number of the Schlitten's first coup.
        last_coup: the number of the Schlitten's last coup once this is known, before that 0.
        cagnotte: the house's share so far, in smallest chips.
        croupier: the name of the person who leads the table, "" until somebody is named.
        stops: the stops that must be settled before the game goes on; the last is settled first.
        persons: people with roles; none until the first supervisor is added.
        withdrawn: the label of the input that was just taken back, until the next input or card.
    """

    house: House
    key: SecretKey
    seats: tuple[Player | None, ...]
    standing: tuple[Player | None, ...] = ()
    number: int = 0
    coups: int = 0
    shoe: Shoe | None = None
    kept: tuple[Dealt, ...] = ()
    hidden: tuple[Dealt, ...] = ()
    first_coup: int = 1
    last_coup: int = 0
    cagnotte: Chips = NONE
    tips: Chips = NONE
    alerts: tuple[Alert, ...] = ()
    croupier: str = ""
    withdrawn: Phrase | None = None
    stops: tuple[Stop, ...] = ()
    persons: tuple[Person, ...] = ()
    boot: str = ""
    back: tuple[int, ...] = ()


#: The outcome of an input: the felt after it, and the events it caused.
Change = tuple[Felt, Told]


class Laid(Protocol):
    """A game's table: a frozen struct that contains the felt and numbers its prompts."""

    @property
    def felt(self) -> Felt:
        """The things that every card table has."""

    @property
    def prompt(self) -> int:
        """The id of the question that the table asks now."""


T = TypeVar("T", bound=Laid)


def on(table: T, felt: Felt, **changes: Any) -> T:
    """The game's table with this felt and with other changed fields (`changes`)."""
    return replace(table, felt=felt, **changes)  # type: ignore[type-var]


def after(table: T, felt: Felt) -> T:
    """The game's table with this felt. The table gets a new prompt if its stops have changed."""
    return on(table, felt, prompt=table.prompt + (felt.stops is not table.felt.stops))


def warned(felt: Felt, alert: Alert) -> Change:
    """The felt with the open alert `alert`, and the events."""
    alerts, told = alerting.raised(felt.alerts, alert)
    return replace(felt, alerts=alerts), told


def calmed(felt: Felt, *ids: str) -> Change:
    """The felt without the alerts of these ids, and an event for each alert that was open."""
    alerts = felt.alerts
    told: Told = ()
    for id_ in ids:
        alerts, more = alerting.cleared(alerts, id_)
        told += more
    return (replace(felt, alerts=alerts), told) if told else (felt, ())


def player(felt: Felt, seat: int) -> Player | None:
    """The player at a place, or None if nobody is there or there is no such place."""
    if seat > STANDING:
        place = seat - STANDING
        return felt.standing[place - 1] if place <= len(felt.standing) else None
    return felt.seats[seat - 1] if 1 <= seat <= len(felt.seats) else None


def put(felt: Felt, seat: int, who: Player | None) -> Felt:
    """The felt with `who` at the place `seat`; None makes the place free."""
    if seat > STANDING:
        place = seat - STANDING - 1
        return replace(felt, standing=(*felt.standing[:place], who, *felt.standing[place + 1 :]))
    return replace(felt, seats=(*felt.seats[: seat - 1], who, *felt.seats[seat:]))


def pay(felt: Felt, seat: int, chips: int) -> Felt:
    """The table after the player at `seat` got `chips`; a negative sum is taken from him."""
    who = player(felt, seat)
    if who is None:
        raise ValueError(f"nobody is at place {seat}")
    return put(felt, seat, replace(who, balance=Chips(who.balance + chips)))


def balance(felt: Felt, seat: int) -> int:
    """The chips in front of the player at `seat`, without his stakes; 0 if nobody is there."""
    who = player(felt, seat)
    return who.balance if who else 0


def occupied_from(felt: Felt, seat: int) -> list[int]:
    """The occupied seats in their order round the table, beginning at `seat` (R-10)."""
    seats = felt.seats
    around = (*range(seat, len(seats) + 1), *range(1, seat))
    return [candidate for candidate in around if seats[candidate - 1] is not None]


def places(felt: Felt) -> Iterator[int]:
    """The places where somebody is: the occupied seats in order, then the standing players."""
    yield from occupied_from(felt, 1)
    for number, who in enumerate(felt.standing, STANDING + 1):
        if who is not None:
            yield number


def next_seat(felt: Felt, seat: int) -> int:
    """The next occupied seat after `seat` (ZP-19, R-10), or `seat` itself if nobody else sits."""
    return next(iter(occupied_from(felt, seat % len(felt.seats) + 1)), seat)


def money(felt: Felt, **beside: int) -> dict[str, int]:
    """How many chips the players and the house have, in smallest chips, by the owner's name (R-16).

    `beside` are the chips in other places, which the game adds.
    """
    people = (*enumerate(felt.seats, 1), *enumerate(felt.standing, STANDING + 1))
    held: dict[str, int] = {f"seat {place}": who.balance for place, who in people if who}
    return {**held, **beside, "cagnotte": felt.cagnotte, "tips": felt.tips}


def first(felt: Felt) -> Stop | None:
    """The stop that people must settle first, or None."""
    return felt.stops[-1] if felt.stops else None


def stopped(felt: Felt, stop: Stop) -> Felt:
    """The felt with one more stop, which must be settled before the others."""
    return replace(felt, stops=(*felt.stops, stop))


def instead(felt: Felt, stop: Stop) -> Felt:
    """The felt with `stop` in place of the stop that must be settled first."""
    return replace(felt, stops=(*felt.stops[:-1], stop))


def released(felt: Felt) -> Felt:
    """The felt after the stop that came `first` was settled."""
    return replace(felt, stops=felt.stops[:-1])


def aside(felt: Felt) -> tuple[Dealt, ...]:
    """The cards that were laid aside until the croupier rules on them."""
    cards = (
        stop.dealt if isinstance(stop, Stray) else stop.extra
        for stop in reversed(felt.stops)
        if isinstance(stop, Stray | MisdealDue)
    )
    return tuple(card for card in cards if card)


def closed(felt: Felt, lying: Iterable[Dealt]) -> tuple[Dealt, ...]:
    """Every closed card, each once: the coup's closed cards `lying`, and the others.

    The others were laid aside, kept or hidden.
    """
    cards = (*felt.kept, *felt.hidden, *aside(felt), *lying)
    return tuple({one.ordinal: one for one in cards if one.ordinal not in felt.back}.values())


def disputed(felt: Felt) -> WhiteDisputed | None:
    """The stop for a white card that the croupier must still rule on; None if there is none.

    The stop is found even if another stop must be settled first.
    """
    return next((stop for stop in felt.stops if isinstance(stop, WhiteDisputed)), None)
