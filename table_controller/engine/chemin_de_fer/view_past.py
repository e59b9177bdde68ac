"""The past: the row of the last coups, and their totals, as figures and words only."""

from __future__ import annotations

from table_controller.engine.chemin_de_fer.events import Side
from table_controller.engine.chemin_de_fer.facts import CoupRecord, Totals
from table_controller.engine.chemin_de_fer.settle import counted
from table_controller.engine.chemin_de_fer.state import Table
from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.pieces import Figure, Result, Tone, Total

_TOTALS = {
    "coup": phrase("last coup"),
    "schlitten": phrase("Schlitten"),
    "evening": phrase("evening"),
}
#: The winning hand's name, its letter, and its colour.
_WON: dict[Side | None, tuple[str, str, Tone]] = {
    Side.BANK: ("banker", "B", "gold"),
    Side.POINTEUR: ("pointeur", "P", "blue"),
    None: ("tie", "=", "grey"),
}


def results(table: Table) -> tuple[Result, ...]:
    """The row of the last coups."""
    return tuple(result(record, table.house.unit) for record in table.last)


def result(record: CoupRecord, unit: str) -> Result:
    """A finished coup for the row of past coups.

    Everybody sees the house's share: it is taken openly, and without it no sum adds up (R-8).
    """
    name, sign, tone = _WON[record.winner]
    by_pointeur = record.winner is Side.POINTEUR
    seat = record.pointeur_seat if by_pointeur else record.banker_seat
    pot = Figure(name="pot", label=phrase("pot"), value=record.pot, unit=unit)
    took = Figure(name="cagnotte", label=phrase("cagnotte"), value=record.cagnotte, unit=unit)
    # A pointeur wins only for himself. The payment goes to all who staked with him.
    to_all = phrase("the bank pays") if by_pointeur else Phrase("")
    return Result(
        coup=record.number,
        name=name,
        text=_ended(record),
        sign=sign,
        tone=tone,
        count=record.pointeur if by_pointeur else record.banker,
        winner=phrase("seat {n} wins", n=seat) if record.winner else Phrase(""),
        paid=Figure(name="paid", label=to_all, value=record.staked, unit=unit)
        if record.winner
        else None,
        after=Phrase("") if record.winner else phrase("the coup is replayed"),
        figures=(pot, took) if record.cagnotte else (pot,),
    )


def _ended(record: CoupRecord) -> Phrase:
    """How a coup ended, in a few words."""
    if record.banker is None or record.pointeur is None:
        return phrase("The bank lost without its cards")
    if record.winner is Side.BANK:
        return phrase("Bank {won} : {lost}", won=record.banker, lost=record.pointeur)
    if record.winner is Side.POINTEUR:
        return phrase("Pointeur {won} : {lost}", won=record.pointeur, lost=record.banker)
    return phrase("En carte {both} : {both}", both=record.banker)


def totals(table: Table) -> tuple[Total, ...]:
    """The totals of the last coup, of this Schlitten and of the evening."""
    last = tuple(counted(Totals(), record) for record in table.last[-1:])
    names = tuple(_TOTALS)[-2 - len(last) :]
    return tuple(
        Total(of=name, label=_TOTALS[name], figures=_figures(total, table.house.unit))
        for name, total in zip(names, (*last, *table.totals), strict=True)
    )


def _figures(total: Totals, unit: str) -> tuple[Figure, ...]:
    return (
        Figure(name="coups", label=phrase("coups"), value=total.coups),
        Figure(name="bank", label=phrase("bank won"), value=total.bank),
        Figure(name="pointeur", label=phrase("pointeur won"), value=total.pointeur),
        Figure(name="ties", label=phrase("en carte"), value=total.ties),
        Figure(name="staked", label=phrase("staked"), value=total.staked, unit=unit),
        Figure(name="cagnotte", label=phrase("cagnotte"), value=total.cagnotte, unit=unit),
    )
