"""Checks the journal's disk and write-ahead log, and warns long before the disk is full."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, NamedTuple

from firmware_bridge.trouble import Trouble
from table_controller.engine.table.devices import DISK_FULL
from table_controller.service import store

MIB: Final = 1 << 20
#: Less free space raises an alert. An evening takes some 30 MiB, so weeks remain to free some
#: space.
SCARCE_BYTES = 1024 * MIB
#: With less, no coup begins. The rest is several times as much as the coup under way can need.
LEAST_BYTES = 64 * MIB
#: A longer log raises an alert: another program keeps reading the journal, so the log is not
#: emptied.
LONG_BYTES = 64 * MIB
#: With a longer log, no coup begins, as nothing else limits the log's size.
LONGEST_BYTES = 512 * MIB

SCARCE: Final = Trouble(
    "Less than 1 GiB is free on the journal's disk. Move old copies and recordings away; with "
    "less than 64 MiB no coup begins."
)
FULL: Final = Trouble("There is no room for a coup. Free some: it goes on by itself.")


class Room(NamedTuple):
    """The free space on the journal's disk, the log's length, and another program that reads it."""

    free: int
    log: int
    other: str = ""


def look(journal: Path) -> Room:
    """Return the present state of a journal's disk."""
    disk = os.statvfs(journal.parent)
    log = store.log_bytes(journal)
    other = store.holder(journal) if log > LONG_BYTES else ""
    return Room(disk.f_bavail * disk.f_frsize, log, other)


def amiss(room: Room) -> dict[str, str]:
    """Return sentences with the remedy about disk and log, by device; "" if all is well."""
    long = _read_by(room.other)
    full = room.free < LEAST_BYTES or room.log > LONGEST_BYTES
    return {
        "disk": SCARCE if room.free < SCARCE_BYTES else "",
        "journal-log": long if room.log > LONG_BYTES else "",
        DISK_FULL.removeprefix("device-"): FULL if full else "",
    }


def _read_by(other: str) -> Trouble:
    """The sentence about another program that reads the journal; `other` names it, or is ""."""
    if not other:
        return Trouble(
            "Another program reads the journal without end, so that its log cannot be emptied. End "
            "that one; with 512 MiB of log no coup begins."
        )
    return Trouble(
        "Another program ({other}) reads the journal without end, so that its log cannot be "
        "emptied. End that one; with 512 MiB of log no coup begins.",
        other=other,
    )
