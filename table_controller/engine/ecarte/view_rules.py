"""What screens read out of the books: what somebody rules on, and customs."""

from __future__ import annotations

from collections.abc import Iterator

from table_controller.engine.ecarte import phases as p
from table_controller.engine.ecarte import state as s
from table_controller.engine.ecarte.faults import MATTERS
from table_controller.engine.ecarte.labels import MATTERS as LABELS
from table_controller.engine.messages import Phrase
from table_controller.engine.pieces import Note

#: Of money and jetons, of advice: E07, E00, EDE; where a book is silent, nothing.
_JETONS = {"E07": "46", "E00": "8"}
_ADVICE = {"E07": "59", "E00": "57"}
_ONLY = Phrase("")


def read_out(table: s.Table) -> tuple[Note, ...]:
    """The rules by which a person answers, and those of courtesy where they are wanted."""
    due = s.foremost(table)
    asked = (Note(_ONLY, due.rule, whole=True),) if isinstance(due, p.Asked) else ()
    called = (
        Note(LABELS[matter], s.book_rule(table, *MATTERS[matter]), whole=True)
        for matter in table.called
    )
    return (*called, *asked, *_customs(table, due))


def _customs(table: s.Table, due: s.Awaited) -> Iterator[Note]:
    if isinstance(due, p.StakesDue) and not (table.bets and table.bets.stakes[1]):
        yield from _of_the_book(table, _JETONS)
    if isinstance(due, p.NoSchlitten) and not due.done and table.bets:
        yield from _of_the_book(table, _ADVICE)


def _of_the_book(table: s.Table, numbers: dict[str, str]) -> Iterator[Note]:
    book = table.house.book
    if book in numbers:
        yield Note(_ONLY, f"{book}-{numbers[book]}", whole=True)
