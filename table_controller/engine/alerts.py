"""A table's open alerts. An alert is raised once, acknowledged, and cleared when its cause is gone.

The module knows no game. An alert never names a closed card.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from table_controller.engine.messages import (
    AlertAcknowledged,
    AlertCleared,
    AlertDetailed,
    AlertRaised,
    AlertSeen,
    DeviceBack,
    DeviceLost,
    OutOfTurn,
    Phrase,
    Severity,
    Told,
    phrase,
)


class Alert(Struct, frozen=True, gc=False):
    """A matter that a person must attend to. The public sees only its `code`."""

    id: str
    code: str
    severity: Severity
    what: Phrase
    remedy: Phrase
    acknowledged: bool = False


#: What people call the devices that the program itself watches.
DEVICES = {
    "board": phrase("board"),
    "broker": phrase("broker"),
    "camera": phrase("camera"),
    "lip": phrase("lip"),
    "page": phrase("page"),
    "module": phrase("barcode module"),
    "beam": phrase("exit beam"),
    "pins": phrase("the Pi's pins"),
    "frames": phrase("pictures of the lip"),
    "recording": phrase("recording"),
    "reading": phrase("card reading"),
    "voice": phrase("voice"),
    "tape": phrase("tape"),
}
#: What to do about each device, in a croupier's words. The device's own message is appended.
REMEDIES = {
    "board": phrase("Look at its plug: lamps and digits come back by themselves."),
    "broker": phrase("Look at the network: what was not sent follows in its order."),
    "camera": phrase("Look at its cable and the light: it comes back by itself."),
    "lip": phrase("Look at its cable: it comes back by itself."),
    "page": phrase("Stop what else uses its port: it tries again by itself."),
    "module": phrase("Look at its cable: it comes back by itself."),
    "beam": phrase("Look at its cable: it comes back by itself."),
    "pins": phrase("Look at what else uses them: they come back by themselves."),
    "frames": phrase("Count the cards on the table: one may have left unseen."),
    "recording": phrase("Name another recording in the settings: the table goes on."),
    "reading": phrase("It begins anew by itself: report the line in the log."),
    "voice": phrase("The table goes on in silence: call the technician."),
    "tape": phrase("The table goes on, and the journal has all that is said: look at the disk."),
}

#: Codes of alerts that clear with their cause (for a sensor's alert see `table/devices.py`), and of
#: alerts that only a supervisor can clear, by a ruling or by annulling the coup. A croupier clears
#: all others.
BY_ITSELF = frozenset({"device_lost", "slow_look", "journal_stopped", "journal_disk"})
BY_SUPERVISOR = frozenset({"lid_opened", "schlitten_miscounted", "cards_run_out"})

Alerts = tuple[Alert, ...]


def clears(code: str) -> str:
    """The person who clears an alert with this code: `supervisor` or `croupier`.

    The answer is `itself` if the alert clears without a person, once its cause is gone.
    """
    if code in BY_ITSELF:
        return "itself"
    return "supervisor" if code in BY_SUPERVISOR else "croupier"


def is_open(alerts: Alerts, id_: str) -> bool:
    """Whether the alert with the id `id_` is open."""
    return any(alert.id == id_ for alert in alerts)


def raised(alerts: Alerts, alert: Alert) -> tuple[Alerts, Told]:
    """Open `alert`, which replaces an open alert with the same id.

    Return the alerts and the events.
    """
    others = tuple(other for other in alerts if other.id != alert.id)
    return (*others, alert), (
        AlertRaised(id=alert.id, code=alert.code, severity=alert.severity),
        AlertDetailed(
            id=alert.id,
            code=alert.code,
            severity=alert.severity,
            what=alert.what,
            remedy=alert.remedy,
        ),
    )


def cleared(alerts: Alerts, id_: str) -> tuple[Alerts, Told]:
    """Clear the alert with the id `id_`. Return the open alerts and the events.

    There are no events if no alert with this id was open.
    """
    left = tuple(alert for alert in alerts if alert.id != id_)
    return left, (AlertCleared(id=id_),) if len(left) < len(alerts) else ()


def acknowledged(alerts: Alerts, said: AlertAcknowledged) -> tuple[Alerts, Told]:
    """Note that somebody has seen the alert. Raises OutOfTurn if the alert is not open."""
    if not is_open(alerts, said.alert):
        raise OutOfTurn(
            phrase("There is no open alert {alert}.", alert=said.alert),
            phrase("It was cleared already; nothing is to be done."),
        )
    seen = tuple(
        replace(alert, acknowledged=True) if alert.id == said.alert else alert for alert in alerts
    )
    return seen, (AlertSeen(id=said.alert),)


def explained(remedy: Phrase, why: str | Phrase) -> Phrase:
    """The remedy, followed in brackets by the reason `why` of the device or disk."""
    return phrase("{remedy} ({why})", remedy=remedy, why=why)


def device(alerts: Alerts, said: DeviceLost | DeviceBack) -> tuple[Alerts, Told]:
    """Open the alert of a device that was lost, or clear the alert of a device that is back.

    The alert's id is `device-<name>`.
    """
    id_ = f"device-{said.device}"
    if isinstance(said, DeviceBack):
        return cleared(alerts, id_)
    lost = Alert(
        id_,
        "device_lost",
        Severity.WARNING,
        phrase("No answer from: {device}.", device=DEVICES.get(said.device, said.device)),
        explained(REMEDIES[said.device], said.why)
        if said.device in REMEDIES
        else phrase("{why}", why=said.why),
    )
    return raised(alerts, lost)
