"""Turns the public picture into the picture of the table board: seat lamps and two displays.

The module is pure. It knows what a board can show. It is given a lamp language, which says for each
word how a lamp shows that word. It uses only the public snapshot, so that no lamp can depend on a
closed card (R-13, R-17).
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
    """Return the board's picture. A display is dark if the snapshot names no figure for it."""
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
    """Return the number that a display shows for the figure `name`; None without that figure.

    If two people each have such a figure, return both. The display shows both next to each other.
    """
    match [figure.value for figure in now.figures if figure.name == name]:
        case [left, right]:
            return left, right
        case [one]:
            return one
    return None


def _lamp(seat: SeatView, hand: Hand | None, language: Language, *, acts: bool) -> Lamp:
    """Return the state of one seat's lamp.

    The lamp shows the first of these that the lamp language knows: the hand's outcome, the hand,
    the seat's rights and roles. If the player must act (`acts`) and the hand has no outcome, the
    lamp blinks.
    """
    if acts and not (hand and hand.outcome):
        own = language.get(hand.name) if hand else None
        return Lamp(Mode.BLINK, own.colour) if own else language["to_act"]
    return next((language[word] for word in _said(seat, hand) if word in language), OFF)


def _said(seat: SeatView, hand: Hand | None) -> Iterable[str]:
    """Yield the words that the seat's lamp could show, the most important first.

    They are the names of its outcome, of its hand, and of its rights and roles (`marks`).
    """
    if hand and hand.outcome:
        yield hand.outcome.name
    if hand:
        yield hand.name
    yield from (mark.name for mark in seat.marks)
