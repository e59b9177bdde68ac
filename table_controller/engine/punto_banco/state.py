"""The table between two inputs: the things on it, and its phase.

It is plain data, with functions that read it. The module decides no rule of play.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from table_controller.engine.messages import Event
from table_controller.engine.promises import SecretKey
from table_controller.engine.punto_banco.deal import (
    Announced,
    BankerDue,
    BankerToOpen,
    Dealing,
    Lying,
    PlayerDue,
    PlayerToOpen,
    ToOpen,
    closed_cards,
)
from table_controller.engine.shoe import Dealt
from table_controller.engine.table import felt
from table_controller.engine.table.felt import Felt
from table_controller.engine.table.schlitten import NoSchlitten
from table_controller.engine.table.stops import Stop
from table_controller.engine.table.undo import Undo
from table_controller.rules.cards import Card
from table_controller.rules.money import NONE, Chips
from table_controller.rules.punto_banco.coup import Winner
from table_controller.rules.punto_banco.house import House
from table_controller.rules.punto_banco.results import Result


class Bet(Struct, frozen=True, gc=False):
    """The stake of one place on one spot."""

    seat: int
    spot: str
    chips: Chips


class Payment(Struct, frozen=True, gc=False):
    """One line of the settlement (PB-14), about one place's stake on one spot.

    Attributes:
        chips: the sum that the house pays on top of the stake; negative for a stake that it
            collects.
        owed: the part of `chips` that is commission in the player's box (PB-10).
        stake: the stake itself.
    """

    seat: int
    spot: str
    chips: Chips
    stake: Chips
    owed: Chips = NONE
    done: bool = False


class Record(Struct, frozen=True, gc=False):
    """The record of a finished coup, for the roads, the counters and the row of past coups.

    All cards were open at its end. The record keeps them in the order dealt (PR-4).
    """

    coup: int
    winner: Winner
    player: int
    banker: int
    cards: int
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False
    player_cards: tuple[Card, ...] = ()
    banker_cards: tuple[Card, ...] = ()

    @property
    def result(self) -> Result:
        """The coup's entry in the roads."""
        return Result(self.winner, self.player_pair, self.banker_pair, self.natural)


class Done(Struct, frozen=True, gc=False):
    """The last settled coup, until the next coup's first card (PB-26).

    `bets` are the stakes on it, and `payments` the lines of its settlement. `free` is the
    number of coups in a row before it that had no stakes.
    """

    deal: Announced
    bets: tuple[Bet, ...]
    payments: tuple[Payment, ...]
    free: int


# Phases besides those of the deal


class Burning(Struct, frozen=True, gc=False, tag=True):
    """The first card must be turned, or `left` more cards must be burned face down (PB-2)."""

    left: int | None = None


class Betting(Struct, frozen=True, gc=False, tag=True):
    """The bets are open. The coup's first card closes them (PB-4)."""


class Paying(Struct, frozen=True, gc=False, tag=True):
    """The table agreed, and the croupier collects and pays (PB-14)."""

    deal: Announced
    payments: tuple[Payment, ...]


class Over(Struct, frozen=True, gc=False, tag=True):
    """No further coup is dealt from this Schlitten (PB-3). The croupier must close and count it."""


Phase = (
    NoSchlitten
    | Burning
    | Betting
    | Dealing
    | ToOpen
    | PlayerDue
    | PlayerToOpen
    | BankerDue
    | BankerToOpen
    | Announced
    | Paying
    | Over
)
#: The things that a table may wait for.
Awaited = Phase | Stop
#: Between two coups.
BETWEEN = (NoSchlitten, Burning, Betting, Over)


class Table(Struct, frozen=True, gc=False):
    """The whole state of a table of punto banco.

    Attributes:
        felt: the things that every card table has; its `cagnotte` is the house's tray.
        prompt: the id of the question that the table asks; it changes with every new phase.
        bets: the stakes on the spots. After a tie some stay for the next coup (PB-9).
        order: the stakes in the order laid, if the house has a differential (PB-36).
        over: the stakes that the differential sent back when the bets closed, until the bets are
            open again.
        previous: the stakes of the previous coup, for "the same again".
        owed: the commission in each place's box (PB-10).
        free: how many coups in a row were without a stake (PB-16).
        past: this Schlitten's coups, without the void ones (PR-2).
        before: the coups of the previous Schlitten (PR-4).
        done: the last settled coup, until the next coup's first card (PB-26).
        withdraw: whether a foreign or doubled card came, so that the Schlitten ends after this coup
            (PB-27).
        cut: the number of the coup in which the cut card came, if one more coup may follow; else 0
            (PB-3).
        undo: the last input from a person that can be taken back (R-20).
    """

    house: House
    phase: Phase
    felt: Felt
    prompt: int = 1
    bets: tuple[Bet, ...] = ()
    previous: tuple[Bet, ...] = ()
    owed: tuple[tuple[int, Chips], ...] = ()
    free: int = 0
    past: tuple[Record, ...] = ()
    before: tuple[Record, ...] = ()
    done: Done | None = None
    withdraw: bool = False
    undo: Undo[Table] | None = None
    order: tuple[Bet, ...] = ()
    over: tuple[Bet, ...] = ()
    cut: int = 0


Step = tuple[Table, tuple[Event, ...]]


def begin(house: House, key: SecretKey) -> Table:
    """An empty table of `house`. The nonces of the promises are made with `key`."""
    tray = Chips(house.tray if house.bets else 0)
    return Table(house, NoSchlitten(), Felt(house, key, (None,) * house.seats, cagnotte=tray))


def at(table: Table, phase: Phase, **changes: Any) -> Table:
    """The table in a new phase, with a new prompt id."""
    return replace(table, phase=phase, prompt=table.prompt + 1, **changes)


def on_felt(table: Table, **changes: Any) -> Table:
    """The table with these changes to its felt."""
    return replace(table, felt=replace(table.felt, **changes))


def pay(table: Table, seat: int, chips: int) -> Table:
    """The table after the house paid `chips` to the player; a negative sum is taken from him."""
    now = felt.pay(table.felt, seat, chips) if chips else table.felt
    return replace(table, felt=replace(now, cagnotte=Chips(now.cagnotte - chips)))


def staked(bets: tuple[Bet, ...]) -> Chips:
    """The sum of all stakes."""
    return Chips(sum([bet.chips for bet in bets])) if bets else NONE


def money(table: Table) -> dict[str, int]:
    """How many chips the players, the stakes and the house's tray have (R-16)."""
    return felt.money(table.felt, stakes=staked(table.bets))


def foremost(table: Table) -> Awaited:
    """The stop that people must settle first, or else the phase."""
    return table.felt.stops[-1] if table.felt.stops else table.phase


def lying(table: Table) -> Lying | None:
    """The cards of the coup under way, or of the coup that is being paid; None between coups."""
    phase = table.phase
    return phase.deal if isinstance(phase, Paying) else phase if isinstance(phase, Lying) else None


def under_way(table: Table) -> bool:
    """Whether there are cards of a coup whose result the table has not agreed on."""
    phase = table.phase
    return isinstance(phase, Lying) and phase.number > 0


def cards_lie(table: Table) -> bool:
    """Whether `under_way`, and a card lies in a hand: the only one may be burned (PB-23)."""
    deal = lying(table)
    return under_way(table) and deal is not None and bool(deal.player)


def closed_of(table: Table) -> tuple[Dealt, ...]:
    """The cards of the coup that nobody has opened yet (PR-3)."""
    deal, squeezed = lying(table), table.house.dealing == "squeezed"
    closed = closed_cards(deal, squeezed=squeezed) if deal else frozenset()
    return tuple(card for card in cards_of(deal) if card.ordinal in closed)


def cards_of(deal: Lying | None) -> tuple[Dealt, ...]:
    """All cards of a coup, Player's first; none if `deal` is None."""
    return (*deal.player, *deal.banker) if deal else ()
