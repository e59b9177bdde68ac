"""The offer "the same stakes again": the previous coup's stakes, as far as they are allowed now."""

from __future__ import annotations

from table_controller.engine.chemin_de_fer import ledger
from table_controller.engine.chemin_de_fer.facts import Stake
from table_controller.engine.chemin_de_fer.inputs import Play, Stakes, StakesAgain
from table_controller.engine.chemin_de_fer.phases import Phase, StakesDue, Staking
from table_controller.engine.chemin_de_fer.stakes import stakes
from table_controller.engine.chemin_de_fer.state import Step, Table
from table_controller.engine.messages import Event, OutOfTurn, phrase


def fitting(table: Table) -> tuple[Stake, ...]:
    """The previous coup's stakes that are allowed now, of players who have not staked yet."""
    coup, bank, house = table.coup, table.bank, table.house
    if bank is None or not isinstance(table.phase, StakesDue | Staking):
        return ()
    if isinstance(table.phase, StakesDue) and house.stakes == "games" and not bank.open:
        return ()  # the pointeur has not yet named his game (ZP-15)
    named = coup.pointeur if coup and coup.play is Play.BANCO_TABLE else 0
    return tuple(
        stake
        for stake in table.previous
        if stake.chips >= house.least_stake
        and stake.seat != named
        and not (coup and coup.stake_of(stake.seat))
        and ledger.able(table, stake.seat, stake.chips)
    )


def stakes_again(table: Table, _phase: Phase, _said: StakesAgain) -> Step:
    """Lay the previous coup's stakes again, all at once, as if each player had named his own stake.

    A stake that is not allowed now is not laid. Raises OutOfTurn if none is allowed now.
    """
    again = fitting(table)
    if not again:
        raise OutOfTurn(
            phrase("None of the last stakes can be laid again now."),
            phrase("Name each stake with its seat."),
        )
    told: tuple[Event, ...] = ()
    for stake in again:
        said = Stakes(seat=stake.seat, chips=stake.chips)
        table, more = stakes(table, table.phase, said)
        told += more
    return table, told
