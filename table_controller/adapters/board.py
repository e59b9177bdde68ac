"""The current public picture as the table board shows it: seat lamps and two figures.

The module is pure. It knows what a board can show, and a lamp language given as data. It works from
the public snapshot only, so that no lamp can depend on a closed card (R-13, R-17).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from firmware_bridge.messages import OFF, SEATS, Buzzer, Lamp, Mode, Number, Picture
from table_controller.engine.messages import Severity
from table_controller.engine.pieces import Hand
from table_controller.engine.views import STANDING, SeatView, Snapshot

#: How a lamp shows each hand, outcome and mark, by its name.
Language = Mapping[str, Lamp]


def picture(now: Snapshot, language: Language) -> Picture:
    """What the board should show. A display is dark if the snapshot does not name its figure."""
    stopped = any(alert.severity is Severity.STOP for alert in now.alerts)
    held = {hand.seat: hand for hand in now.hands if hand.seat}
    seated = (seat for seat in now.seats if seat.seat <= STANDING)  # a standing player has no lamp
    lamps = tuple(
        language["alert"]
        if stopped and seat.host
        else _lamp(seat, held.get(seat.seat), language, acts=seat.seat in now.prompt.seats)
        for seat in seated
    )
    first, second = (_number(now, name) for name in (*now.displays, "", "")[:2])
    return Picture(
        lamps=lamps + (OFF,) * (SEATS - len(lamps)),
        display_1=first,
        display_2=second,
        buzzer=Buzzer.TWICE if stopped else Buzzer.OFF,
    )


def _number(now: Snapshot, name: str) -> Number:
    """The figure of that name. If two people each have one, both are side by side."""
    match [figure.value for figure in now.figures if figure.name == name]:
        case [left, right]:
            return left, right
        case [one]:
            return one
    return None


def _lamp(seat: SeatView, hand: Hand | None, language: Language, *, acts: bool) -> Lamp:
    """One seat's lamp.

    A result takes precedence over a hand, and a hand over a right. The lamp of whoever must act
    blinks.
    """
    if acts and not (hand and hand.outcome):
        own = language.get(hand.name) if hand else None
        return Lamp(Mode.BLINK, own.colour) if own else language["to_act"]
    return next((language[word] for word in _said(seat, hand) if word in language), OFF)


def _said(seat: SeatView, hand: Hand | None) -> Iterable[str]:
    """The names of everything that is true of a seat, the most important first."""
    if hand and hand.outcome:
        yield hand.outcome.name
    if hand:
        yield hand.name
    yield from (mark.name for mark in seat.marks)
