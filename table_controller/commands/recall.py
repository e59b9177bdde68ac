"""The last coups of a journal with every card that was opened, the interrupted one included.

Reads public events only: a closed card cannot be in what this shows.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from table_controller.engine.sheet import Sheet
from table_controller.service.archive import Archive
from table_controller.wiring.games import game


def coups(journal: Path) -> Sheet:
    """All coups of a journal in order, as its game tells them. Raises JournalError, ConfigError."""
    archive = Archive.read(journal)
    try:
        events = (msgspec.json.decode(row.body or b"{}") for row in archive.public())
        return game(archive.header.game).recall(events)
    finally:
        archive.close()
