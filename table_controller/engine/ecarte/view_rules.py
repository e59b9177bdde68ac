"""The rules that screens quote from the books: those for a ruling that is due, and courtesies."""

from __future__ import annotations

from collections.abc import Iterator

from table_controller.engine.ecarte import phases as p
from table_controller.engine.ecarte import state as s
from table_controller.engine.ecarte.faults import called_by
from table_controller.engine.ecarte.labels import MATTERS as LABELS
from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.pieces import Note

#: The rule on money and jetons in E07 and E00; EDE has none.
_JETONS = {"E07": "46", "E00": "8"}
#: Whether a player may forbid advice beforehand.
_ADVICE = {"restricted": "E07-59", "free": "E00-57"}
_ONLY = Phrase("")


def read_out(table: s.Table) -> tuple[Note, ...]:
    """The notes that quote the rules for a ruling that is due, and rules of courtesy."""
    due = s.foremost(table)
    asked = (Note(_ONLY, due.rule, whole=True),) if isinstance(due, p.Asked) else ()
    called = ((LABELS[matter], called_by(table, matter)) for matter in table.called)
    ruled = (Note(label, by, whole=bool(by)) for label, by in called)
    return (*ruled, *_unbeaten(table), *asked, *_customs(table, due))


def _unbeaten(table: s.Table) -> Iterator[Note]:
    """The notes about leads that were not beaten, until somebody has ruled (EDE-14, ER-1)."""
    for number, side in table.deal.unbeaten[table.deal.heard :] if table.deal else ():
        seat = s.seat_of(table, side)
        text = phrase(
            "Seat {seat} could have beaten the lead of trick {n}.", seat=seat, n=number + 1
        )
        yield Note(text, "EDE-14", whole=True)


def _customs(table: s.Table, due: s.Awaited) -> Iterator[Note]:
    book = table.house.book
    unstaked = isinstance(due, p.StakesDue) and not (table.bets and table.bets.stakes[1])
    if unstaked and book in _JETONS:
        yield Note(_ONLY, f"{book}-{_JETONS[book]}", whole=True)
    if isinstance(due, p.NoSchlitten) and not due.done and table.bets and book != "EDE":
        yield Note(_ONLY, _ADVICE[table.house.advice], whole=True)
