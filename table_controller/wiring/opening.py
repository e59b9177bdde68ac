"""A table's journal at the start: opened, compared with the plan, and told of the start.

Wiring, like app.py.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from table_controller.engine.messages import Booted
from table_controller.service.errors import JournalError, ServiceError
from table_controller.service.game import Game
from table_controller.service.journal import Journal
from table_controller.service.table import Table
from table_controller.wiring.plan import Plan, promising


def opened(plan: Plan, game: Game[Any]) -> Journal:
    """Open the journal of a planned table. Raises JournalError."""
    return Journal.open(
        plan.journal,
        plan.keys,
        game=game.name,
        house=plan.house.id,
        code=version("schlitten"),
        durable=plan.durable,
        pen=plan.pen,
    )


def check_own(plan: Plan, journal: Journal) -> None:
    """Raise JournalError for another table's journal, unless it was restored here (R-54)."""
    was, now = journal.source, plan.table.source
    if plan.starts and not plan.stream and was not in ("", now):
        raise JournalError(
            f"The journal {plan.journal} is the table {was}'s, and this one is {now}: "
            "both would tell events of one name. Name a journal of its own; where the table "
            "has a new name, make a copy (`schlitten backup`) and put it back here (`schlitten "
            "restore`)."
        )


def begun(plan: Plan, game: Game[Any], journal: Journal) -> Any:
    """The table at the beginning of its journal, with the cards' promises of this journal."""
    own = promising(plan.keys, journal.archive)
    state = game.begin(plan.house, plan.promises or own)
    return game.load(state, plan.state) if plan.state else state


def note_start(plan: Plan, table: Table[Any], journal: Journal) -> None:
    """Journal this start first, as every later promise depends on it (R-13)."""
    said = Booted(
        actor="service",
        boot=journal.boot,
        code=version("schlitten"),
        source=plan.table.source,
        stream=plan.stream or journal.stream,
    )
    try:
        table.take(said, plan.clock())
    except ServiceError:
        journal.close()
        raise
