"""Opens a table's journal, checks that it belongs to the table, and journals the start.

The module is part of the wiring, as app.py is.
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
    """Raise JournalError if the journal is another table's.

    A journal that is being restored at this table is allowed (R-54).
    """
    was, now = journal.source, plan.table.source
    if plan.starts and not plan.stream and was not in ("", now):
        raise JournalError(
            f"The journal {plan.journal} is the table {was}'s, and this one is {now}: "
            "both would tell events of one name. Name a journal of its own; where the table "
            "has a new name, make a copy (`schlitten backup`) and put it back here (`schlitten "
            "restore`)."
        )


def begun(plan: Plan, game: Game[Any], journal: Journal) -> Any:
    """The table at the beginning of its journal.

    The plan's key makes the promises of cards; without such a key, a key of this journal makes
    them.
    """
    own = promising(plan.keys, journal.archive)
    state = game.begin(plan.house, plan.promises or own)
    return game.load(state, plan.state) if plan.state else state


def note_start(plan: Plan, table: Table[Any], journal: Journal) -> None:
    """Journal this start before any other input, as every later promise depends on it (R-13)."""
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
