"""The offer "the same stakes again": the last partie's stakes, as far as they are allowed now."""

from __future__ import annotations

from collections.abc import Iterator

from table_controller.engine.ecarte import purse
from table_controller.engine.ecarte.betting import Bets
from table_controller.engine.ecarte.betting_inputs import Stakes, StakesAgain, StakesOutside
from table_controller.engine.ecarte.phases import StakesDue
from table_controller.engine.ecarte.stakes import outside, stakes
from table_controller.engine.ecarte.state import Step, Table
from table_controller.engine.messages import Event, OutOfTurn, Refusal, phrase
from table_controller.rules.ecarte.stakes import laid


def stakes_again(table: Table, phase: StakesDue, _said: StakesAgain) -> Step:
    """Lay the last partie's stakes again, all at once, as if each player had named his own stake.

    A stake that the table refuses is not laid. Raises OutOfTurn if none can be laid.
    """
    told: tuple[Event, ...] = ()
    for said in _as_said(purse.the_bets(table)):
        try:
            if isinstance(said, Stakes):
                table, more = stakes(table, phase, said)
            else:
                table, more = outside(table, phase, said)
        except Refusal:
            continue
        told += more
    if not told:
        raise OutOfTurn(
            phrase("None of the last stakes can be laid again now."),
            phrase("Name each stake with its seat."),
        )
    return table, told


def _as_said(bets: Bets) -> Iterator[Stakes | StakesOutside]:
    """The inputs that would lay the last partie's stakes again, and those outside the bank.

    A player who has staked on a side already is not among them.
    """
    for side, before in enumerate(bets.previous.stakes):
        for stake in before:
            if not any(laid(now, stake.place) for now in bets.stakes):
                yield Stakes(seat=stake.place, side=side, chips=stake.chips)
    now = {(bet.place, bet.holder, bet.on_giver) for bet in bets.beside}
    for bet in bets.previous.beside:
        if (bet.place, bet.holder, bet.on_giver) not in now:
            yield StakesOutside(
                seat=bet.place, holder=bet.holder, chips=bet.chips, on_giver=bet.on_giver
            )
