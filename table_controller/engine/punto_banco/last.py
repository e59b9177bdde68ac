"""The last coup of a Schlitten, announced as soon as it is certain (PB-3, PB-38).

The module counts how many cards the coup may still take, from the open cards only (PR-3).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from table_controller.engine.punto_banco import deal as d
from table_controller.engine.punto_banco.inputs import Side
from table_controller.engine.punto_banco.state import (
    Paying,
    Phase,
    Step,
    Table,
    on_felt,
    under_way,
)
from table_controller.engine.table.events import LastCoup
from table_controller.engine.table.schlitten import in_box
from table_controller.rules.punto_banco.tableau import (
    BANKER_DRAWS,
    PLAYER_DRAWS,
    STOOD,
    is_natural,
)

#: At least this many cards must be left for one more coup after the one with the cut card.
ONE_MORE: Final = 12
#: The points that a hand may have while a card of it is closed or still to come.
_ANY: Final = range(10)


def one_more(table: Table) -> bool:
    """Whether one more coup follows the coup in which the cut card comes out (PB-3)."""
    return table.house.after_cut == "one_more" and table.house.white_at >= ONE_MORE


def told(table: Table) -> Step:
    """Announce the last coup, if the cut card came in the present coup and the last is certain now.

    If a mishap or a corrected card changes which coup is the last, it is announced again.
    """
    felt = table.felt
    if felt.stops or not (under_way(table) or isinstance(table.phase, Paying)):
        return table, ()
    if not table.cut:
        if felt.last_coup:
            return table, ()  # it came before the first card, or no coup may follow
        table = replace(table, cut=felt.coups)
    if table.cut != felt.coups:
        return table, ()
    least, most = _bounds(_further(table.phase, squeezed=table.house.dealing == "squeezed"))
    if in_box(felt) - least < ONE_MORE:
        return _known(table, felt.coups)
    return _known(table, felt.coups + 1) if in_box(felt) - most >= ONE_MORE else (table, ())


def decided(table: Table) -> Step:
    """Announce the last coup, if the cut card came in the present coup, which is over now."""
    felt = table.felt
    if not felt.coups or table.cut != felt.coups:
        return table, ()
    return _known(table, felt.coups + (in_box(felt) >= ONE_MORE))


def _known(table: Table, coup: int) -> Step:
    if coup == table.felt.last_coup:
        return table, ()
    return on_felt(table, last_coup=coup), (LastCoup(coup=coup),)


def _bounds(numbers: Iterable[int]) -> tuple[int, int]:
    found = set(numbers)
    return min(found), max(found)


def _further(phase: Phase, *, squeezed: bool) -> set[int]:
    """All numbers of cards that the coup may still take (PB-4 to PB-7)."""
    match phase:
        case d.Dealing(player=player, banker=banker, p=p, shown=shown):
            counts = len(player) == 2 and (not squeezed or Side.PLAYER in shown)
            left = 4 - len(player) - len(banker)
            return {left + third for third in _thirds((p,) if counts else _ANY, _ANY)}
        case d.ToOpen(p=p, b=b, shown=shown):
            one = (p,) if Side.PLAYER in shown else _ANY
            return _thirds(one, (b,) if Side.BANKER in shown else _ANY)
        case d.PlayerDue(p=p, b=b):
            return _thirds((p,), (b,))
        case d.PlayerToOpen(b=b):
            return {*map(int, BANKER_DRAWS[b][:STOOD])}
        case d.BankerDue():
            return {1}
        case _:
            return {0}


def _thirds(player: Iterable[int], banker: Iterable[int]) -> set[int]:
    """All numbers of third cards that may follow if the hands have one of these points."""
    banker = tuple(banker)
    return set[int]().union(*(_AFTER[p][b] for p in player for b in banker))


def _after(p: int, b: int) -> frozenset[int]:
    """All numbers of third cards that may follow if Player has `p` and Banker `b` points.

    The points are those of the first two cards. After a natural the result is {0}; otherwise the
    table of draws decides.
    """
    if is_natural(p, b):
        return frozenset({0})
    if p > PLAYER_DRAWS:
        return frozenset({int(BANKER_DRAWS[b][STOOD])})
    return frozenset(1 + draws for draws in BANKER_DRAWS[b][:STOOD])


_AFTER: Final = tuple(tuple(_after(p, b) for b in _ANY) for p in _ANY)
