"""All reports by their names, for the page, the command line and files."""

from __future__ import annotations

from typing import Any, Final

from table_controller.floor.figures import count
from table_controller.floor.past import FloorPast
from table_controller.floor.reports import By, Period, counts, integrity, report, responses
from table_controller.floor.schlitten import compare, unlikely
from table_controller.floor.store import Store

#: Each report's name.
REPORTS: Final = ("figures", "counts", "responses", "integrity", "schlitten")


def ready(store: Store, past: FloorPast) -> None:
    """Count what changed since, and compare the Schlitten that have ended since."""
    count(store)
    compare(store, past)


def made(name: str, store: Store, by: By, period: Period) -> list[Any]:
    """Make the lines of the report called `name`, one of `REPORTS`, of what has been counted."""
    match name:
        case "figures":
            return report(store, by, period)
        case "counts":
            return counts(store, period)
        case "responses":
            return responses(store, period)
        case "integrity":
            return integrity(store, period)
    return unlikely(store, period)
