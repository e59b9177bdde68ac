"""The same stakes again: those of the last partie, laid once more where they fit."""

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
    """Lay them all, each as if its player had said it; a stake that is refused is left out."""
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
    """The last partie's stakes by players who have none yet, then those outside the bank."""
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
