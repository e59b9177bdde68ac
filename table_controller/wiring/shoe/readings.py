"""Stores how well each Schlitten was read: a line for each in a file next to the journal.

The figures are for technicians only. Replay does not need them, and a torn line is skipped.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import json

from table_controller.adapters.mqtt_messages import ReadingQuality
from table_controller.service.errors import UNREADABLE

_LAST = 5


def kept_in(journal: Path) -> Path:
    """Return the path of the file with the figures, next to a journal."""
    return journal.with_name(journal.name + ".reading")


def keep(journal: Path, told: ReadingQuality) -> None:
    """Add a closed Schlitten's figures. Raises OSError."""
    with kept_in(journal).open("ab") as file:
        file.write(json.encode(told) + b"\n")


def last_kept(journal: Path) -> tuple[ReadingQuality, ...]:
    """Return the figures of the Schlitten that were closed last, the newest first."""
    try:
        lines = kept_in(journal).read_bytes().splitlines()[-_LAST:]
    except FileNotFoundError:
        return ()
    found = []
    for line in reversed(lines):
        try:
            found.append(json.decode(line, type=ReadingQuality))
        except UNREADABLE:
            continue
    return tuple(found)
