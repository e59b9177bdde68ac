"""The public picture of now, as the table board shows it: seat lamps, pot and stakes.

Pure. Knows the board's picture and a lamp language given as data; made from the public snapshot
only, so that no lamp can hang on a closed card (R-13, R-17).
"""

from __future__ import annotations

from collections.abc import Mapping

from firmware_bridge.messages import OFF, SEATS, Buzzer, Lamp, Mode, Picture
from table_controller.engine.messages import Severity
from table_controller.engine.views import STANDING, SeatView, Snapshot

#: What a lamp can say (`banker`, `won`, …), and how it says it.
Language = Mapping[str, Lamp]


def picture(now: Snapshot, language: Language) -> Picture:
    """The desired picture. Dark displays mean that no Schlitten is loaded."""
    stopped = any(alert.severity is Severity.STOP for alert in now.alerts)
    seated = (seat for seat in now.seats if seat.seat <= STANDING)  # no lamp is a standing player's
    lamps = tuple(_lamp(seat, language, stopped=stopped) for seat in seated)
    dealt = now.shoe is not None
    return Picture(
        lamps=lamps + (OFF,) * (SEATS - len(lamps)),
        display_1=now.pot if dealt else None,
        display_2=now.against if dealt else None,
        buzzer=Buzzer.TWICE if stopped else Buzzer.OFF,
    )


def _lamp(seat: SeatView, language: Language, *, stopped: bool) -> Lamp:
    """One seat: the result over the role, the role over a right; who acts blinks."""
    if stopped and seat.role == "banker":
        return language["alert"]
    if seat.acts and not seat.outcome:
        return Lamp(Mode.BLINK, language[seat.role].colour) if seat.role else language["to_act"]
    said = (seat.outcome, seat.role, *seat.marks)
    return next((language[word] for word in said if word in language), OFF)
