"""The parts of a page besides the game's own picture.

The module is part of the wiring, as app.py is. The parts are the devices that are not set up, and
an alert about the journal's fault, which cannot be journaled. If nothing reads the cards, there are
also offers to type them.
"""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.alerts import clears, explained
from table_controller.engine.messages import Severity, phrase
from table_controller.engine.views import AlertView, Snapshot
from table_controller.service.game import Position, S
from table_controller.wiring.config import BrokerSettings

#: The remedy if the journal cannot be written.
DISK = phrase("Look at the disk, full or gone: the table goes on by itself.")
#: Alerts that say that the reader of cards is away.
UNREADING = frozenset({"device-camera", "device-lip"})


def not_set_up(*, reads: bool, board: str, broker: BrokerSettings | None) -> frozenset[str]:
    """Return the devices that this table's settings leave out, named as in `picture.DEVICES`."""
    brokered = broker is not None and broker.kind != "none"
    there = {"shoe": reads, "camera": reads, "board": bool(board), "broker": brokered}
    return frozenset(device for device, set_up in there.items() if not set_up)


def with_entries(now: Position[S], picture: Snapshot, *, reads: bool) -> Snapshot:
    """Return the staff's picture with offers to type cards.

    `reads` says whether a reader of cards is set up.
    """
    away = any(alert.id in UNREADING for alert in now.alerts)
    return now.by_hand(picture, reads=reads and not away)


def with_taping(picture: Snapshot, by: str) -> Snapshot:
    """Return the staff's picture with a note that frames and serial bytes are recorded.

    `by` is the person who switched this on; "" if nobody did.
    """
    alert = AlertView(
        id="tape",
        code="tape_running",
        severity=Severity.NOTICE,
        what=phrase("Pictures and bytes are being recorded."),
        remedy=phrase("Switched last by {by}.", by=by),
    )
    return replace(picture, alerts=(*picture.alerts, alert))


def with_trouble(picture: Snapshot, trouble: str, *, staff: bool) -> Snapshot:
    """Return the picture with an alert about the journal's own fault, which `trouble` describes."""
    what = phrase("The journal cannot be written: the table stands still.")
    alert = AlertView(
        id="journal",
        code="journal_stopped",
        severity=Severity.STOP,
        what=what if staff else None,
        remedy=explained(DISK, trouble) if staff else None,
        clears=clears("journal_stopped") if staff else None,
    )
    return replace(picture, alerts=(alert, *picture.alerts))
