"""Watches the journal's disk and log: warns long before the disk is full. Starts nothing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, NamedTuple

from table_controller.engine.table.devices import DISK_FULL
from table_controller.service import store

MIB: Final = 1 << 20
#: Less than this raises an alert: an evening takes some 30 MiB, so there are weeks to free some.
SCARCE_BYTES = 1024 * MIB
#: With less than this no coup begins: the coup under way can be written several times over.
LEAST_BYTES = 64 * MIB
#: A longer log is not being emptied: another program reads the journal without end.
LONG_BYTES = 64 * MIB
#: With a longer log no coup begins: nothing else limits it.
LONGEST_BYTES = 512 * MIB

SCARCE: Final = (
    "Less than 1 GiB is free on the journal's disk. Move old copies and recordings away; with "
    "less than 64 MiB no coup begins."
)
FULL: Final = "There is no room for a coup. Free some: it goes on by itself."


class Room(NamedTuple):
    """What is free on the journal's disk, how long its log is, and who else has it open."""

    free: int
    log: int
    other: str = ""


def look(journal: Path) -> Room:
    """Look at a journal's disk."""
    disk = os.statvfs(journal.parent)
    log = store.log_bytes(journal)
    other = store.holder(journal) if log > LONG_BYTES else ""
    return Room(disk.f_bavail * disk.f_frsize, log, other)


def amiss(room: Room) -> dict[str, str]:
    """What to say of disk and log: a sentence with the remedy, or "" if all is well."""
    who = f"Another program ({room.other})" if room.other else "Another program"
    long = (
        f"{who} reads the journal without end, so that its log cannot be emptied. End that one; "
        "with 512 MiB of log no coup begins."
    )
    full = room.free < LEAST_BYTES or room.log > LONGEST_BYTES
    return {
        "disk": SCARCE if room.free < SCARCE_BYTES else "",
        "journal-log": long if room.log > LONG_BYTES else "",
        DISK_FULL.removeprefix("device-"): FULL if full else "",
    }
