"""The public picture of now, as the table board shows it: seat lamps, pot and stakes.

Pure. Knows the board's picture and a lamp language given as data; made from the public snapshot
only, so that no lamp can hang on a closed card (R-13, R-17).
"""

from __future__ import annotations

from collections.abc import Mapping

from firmware_bridge.messages import OFF, SEATS, Buzzer, Lamp, Mode, Picture
from table_controller.engine.messages import Severity
from table_controller.engine.views import SeatView, Snapshot

#: What a lamp can say (`banker`, `won`, …), and how it says it.
Language = Mapping[str, Lamp]


def picture(now: Snapshot, language: Language) -> Picture:
    """The desired picture. Dark displays mean that no Schlitten is loaded."""
    stopped = any(alert.severity is Severity.STOP for alert in now.alerts)
    lamps = tuple(_lamp(seat, language, stopped=stopped) for seat in now.seats)
    dealt = now.shoe is not None
    return Picture(
        lamps=lamps + (OFF,) * (SEATS - len(lamps)),
        pot=now.pot if dealt else None,
        stakes=now.against if dealt else None,
        buzzer=Buzzer.TWICE if stopped else Buzzer.OFF,
    )


def _lamp(seat: SeatView, language: Language, *, stopped: bool) -> Lamp:
    """One seat: the result over the role, the role over a right; who acts blinks."""
    said = seat.outcome if seat.outcome in language else seat.role
    if stopped and seat.role == "banker":
        return language["alert"]
    if not said and seat.marks:
        said = next((mark for mark in seat.marks if mark in language), "")
    lamp = language.get(said)
    if seat.acts and not seat.outcome:
        acting = language["to_act"]
        return Lamp(Mode.BLINK, lamp.colour) if lamp else acting
    return lamp or OFF
