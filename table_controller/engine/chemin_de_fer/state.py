"""The table between two inputs: the things on it, and its phase.

It is plain data, with functions that read it. The module decides no rule of play.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from table_controller.engine.chemin_de_fer import phases as p
from table_controller.engine.chemin_de_fer.facts import Bank, Coup, CoupRecord, Deal, Stake, Totals
from table_controller.engine.messages import Event
from table_controller.engine.promises import SecretKey
from table_controller.engine.shoe import Dealt
from table_controller.engine.table import felt
from table_controller.engine.table.felt import Felt
from table_controller.engine.table.schlitten import NoSchlitten
from table_controller.engine.table.stops import Stop
from table_controller.engine.table.undo import Undo
from table_controller.rules.chemin_de_fer.house import House
from table_controller.rules.points import points

#: The row shows this many past coups.
REMEMBERED = 9


class Table(Struct, frozen=True, gc=False):
    """The whole state of a table of chemin de fer.

    Attributes:
        felt: the things that every card table has.
        place: the seat that has the Schlitten. It does not change when the bank is sold (R-11).
        prompt: the id of the question that the table asks; it changes with every new phase.
        suivi: the place of the pointeur who lost the previous coup, else 0 (ZP-13).
        totals: the totals of this Schlitten and of the evening.
        previous: the stakes of the previous coup, for "the same again".
        by_schlitten: places whose players declared to play by the custom (R-25).
        must_pass: for each place, how often its player must still let the bank pass after changing
            seats (N-1).
        undo: the last input from a person that can be taken back, and the table before it (R-20).
    """

    house: House
    phase: p.Phase
    felt: Felt
    place: int = 1
    prompt: int = 1
    bank: Bank | None = None
    coup: Coup | None = None
    suivi: int = 0
    totals: tuple[Totals, Totals] = (Totals(), Totals())
    previous: tuple[Stake, ...] = ()
    last: tuple[CoupRecord, ...] = ()
    by_schlitten: tuple[int, ...] = ()
    must_pass: tuple[tuple[int, int], ...] = ()
    undo: Undo[Table] | None = None

    @property
    def banker(self) -> int:
        """The place of the banker, 0 while there is none."""
        return self.bank.seat if self.bank else 0

    @property
    def pointeur(self) -> int:
        """The place of the pointeur, 0 while there is none."""
        return self.coup.pointeur if self.coup else 0


Step = tuple[Table, tuple[Event, ...]]


def begin(house: House, key: SecretKey) -> Table:
    """An empty table of `house`. The nonces of the promises are made with `key`."""
    return Table(house, NoSchlitten(), Felt(house, key, (None,) * house.seats))


def at(table: Table, phase: p.Phase, **changes: Any) -> Table:
    """The table in a new phase, with a new prompt id."""
    return replace(table, phase=phase, prompt=table.prompt + 1, **changes)


def on_felt(table: Table, **changes: Any) -> Table:
    """The table with these changes to its felt."""
    return replace(table, felt=replace(table.felt, **changes))


def pay(table: Table, seat: int, chips: int) -> Table:
    """The table after the player at `seat` got `chips`; a negative sum is taken from him."""
    return replace(table, felt=felt.pay(table.felt, seat, chips))


def money(table: Table) -> dict[str, int]:
    """The chips of each player, of the bank, of all stakes, and of the house, by name (R-16)."""
    bank = table.bank.pot + table.bank.aside if table.bank else 0
    stakes = table.coup.staked if table.coup else 0
    return felt.money(table.felt, bank=bank, stakes=stakes)


def value(cards: tuple[Dealt, ...]) -> int:
    """The points of a hand, 0 to 9."""
    return points([dealt.card for dealt in cards])


def passes_due(table: Table, seat: int) -> int:
    """How often the player at that place must still let the bank pass (N-1, R-40)."""
    return dict(table.must_pass).get(seat, 0)


def due_to_pass(table: Table, seat: int, count: int) -> Table:
    """The table where the player at `seat` must still let the bank pass `count` times."""
    due = {**dict(table.must_pass), seat: count}
    return replace(table, must_pass=tuple((at, n) for at, n in sorted(due.items()) if n))


#: The things that a table may wait for.
Awaited = p.Phase | Stop


def foremost(table: Table) -> Awaited:
    """The stop that people must settle first, or else the phase."""
    return table.felt.stops[-1] if table.felt.stops else table.phase


def deal_of(phase: p.Phase) -> Deal | None:
    """The cards on the table, or None if there are none."""
    return getattr(phase, "deal", None)


def unstaked(table: Table) -> bool:
    """Whether the table waits for the coup's first stake (R-53)."""
    if table.felt.stops:
        return False
    lies = table.coup is not None and table.coup.staked > 0
    return isinstance(table.phase, p.StakesDue) or (isinstance(table.phase, p.Staking) and not lies)


def under_way(table: Table) -> bool:
    """Whether cards of an unsettled coup are on the table."""
    return deal_of(table.phase) is not None and not isinstance(table.phase, p.Settled)


def cards_lie(table: Table) -> bool:
    """Whether `under_way`, and a card lies in a hand: the only one may be thrown out (N-9)."""
    deal = deal_of(table.phase)
    return under_way(table) and deal is not None and bool(deal.cards)


def in_play(table: Table, seat: int) -> bool:
    """Whether the player at that place has money in the coup, the bank or its sale."""
    bank, coup, phase = table.bank, table.coup, table.phase
    busy = False
    match phase:
        case p.Settled(before=before):  # announced, but not yet paid
            bank, coup = before.bank, before.coup
        case p.Auction(seller=seller, bids=bids):  # his partners are paid out (Z-4)
            busy = seat == seller or any(bid.seat == seat for bid in bids)
        case p.TakeOver(giver=giver):
            busy = seat == giver
        case p.Sharing(seats=asked):
            busy = seat == asked[0]
    in_bank = bank and (seat == bank.seat or seat in dict(bank.partners))
    in_coup = coup and (seat == coup.pointeur or coup.stake_of(seat))
    return bool(in_bank or in_coup or busy)
