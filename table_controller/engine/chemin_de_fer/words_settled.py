"""A settlement in words: the winner, his win, the sum that was played for, and the payments."""

from __future__ import annotations

from table_controller.engine.chemin_de_fer.events import Side
from table_controller.engine.chemin_de_fer.facts import CoupRecord
from table_controller.engine.chemin_de_fer.phases import Settled
from table_controller.engine.chemin_de_fer.state import Table
from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.table.words import Asked


def settled(table: Table, phase: Settled) -> Asked:
    """The prompt with the result, and with the payments that the croupier must make now."""
    record, unit = phase.record, table.house.unit
    if record.forfeit:
        return (
            phrase("The bank has lost by rule {rule}.", rule=record.forfeit),
            _pay(phase, unit),
            phrase("The cards do not count."),
            record.forfeit,
            (record.pointeur_seat,),
        )
    points = {"banker": record.banker or 0, "pointeur": record.pointeur or 0}
    match record.winner:
        case None:
            return (
                phrase("En carte: {banker} to {pointeur}.", **points),
                phrase("A tie: the coup is played again"),
                phrase("The stakes stand, the same pointeur, a new deal; no cagnotte."),
                "R-4",
                (),
            )
        case Side.BANK:
            return (
                phrase("Bank {banker}, pointeur {pointeur}.", **points),
                *_collect(record, unit),
                "ZP-20",
                (record.banker_seat,),
            )
        case Side.POINTEUR:
            return (
                phrase("Pointeur {pointeur}, bank {banker}.", **points),
                _pay(phase, unit),
                phrase(
                    "The bank has lost {staked} of {pot}: the Schlitten passes on.",
                    staked=record.staked,
                    pot=record.pot,
                ),
                "ZP-19",
                (record.pointeur_seat,),
            )


def _pay(phase: Settled, unit: str) -> Phrase:
    """The sentence with the pointeur's win, and the wins of those who staked with him."""
    seat, staked = phase.record.pointeur_seat, phase.record.staked
    own = sum(line.chips for line in phase.payments if line.seat == seat)
    if own == staked:
        return phrase("Seat {seat} wins {sum} {unit}: pay", seat=seat, sum=own, unit=unit)
    return phrase(
        "Seat {seat} wins {sum}, the others {rest} {unit}: pay",
        seat=seat,
        sum=own,
        rest=staked - own,
        unit=unit,
    )


def _collect(record: CoupRecord, unit: str) -> tuple[Phrase, Phrase]:
    """The sentences with the bank's win, and with the pot now."""
    return (
        phrase(
            "Seat {seat} wins {sum} {unit}: collect",
            seat=record.banker_seat,
            sum=record.staked,
            unit=unit,
        ),
        phrase(
            "The pot is {pot} {unit} after a cagnotte of {house}.",
            pot=record.pot_after,
            house=record.cagnotte,
            unit=unit,
        ),
    )
