"""Inputs that people at a chemin de fer table may send at any time, including declarations.

The module knows nothing of cards.
"""

from __future__ import annotations

from collections.abc import Iterable

from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer import phases as p
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.chemin_de_fer.seating import may_declare
from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.table import offers as to
from table_controller.engine.table.felt import places


def people(table: s.Table) -> to.Offers:
    """The offers about people, which the page shows after one tap on "people at the table"."""
    return to.people(
        table.felt,
        [place for place in places(table.felt) if not s.in_play(table, place)],
        brings=brings(table),
        between=may_declare(table.phase),
        come=not isinstance(s.foremost(table), p.PlayersDue),
        own=_declarations(table),
    )


def brings(table: s.Table) -> int:
    """The sum that a newcomer probably brings, which the page suggests."""
    return 10 * table.house.least_pot


def _declarations(table: s.Table) -> to.Offers:
    """The offers to declare, before the first card, who plays by the Schlitten (R-25)."""
    if not may_declare(table.phase):
        return ()
    free = [place for place in places(table.felt) if place not in table.by_schlitten]
    by, freely = phrase("plays by the Schlitten"), phrase("plays free again")
    return (
        *_declares(table, by, free, by_schlitten=True),
        *_declares(table, freely, table.by_schlitten, by_schlitten=False),
    )


def _declares(
    table: s.Table, label: Phrase, who: Iterable[int], *, by_schlitten: bool
) -> to.Offers:
    picks = to.one_of(table.felt, who)
    return to.offer(i.Declares, label, picks, group="people", by_schlitten=by_schlitten)
