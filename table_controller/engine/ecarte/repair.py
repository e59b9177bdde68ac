"""Cards that left when none was due, and what people take back (R-19, R-20)."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.alerts import Alert
from table_controller.engine.ecarte.dealing import DUE, back_on_talon, turned_too
from table_controller.engine.ecarte.ending import laid
from table_controller.engine.ecarte.phases import Dealing
from table_controller.engine.ecarte.state import Step, Table, foremost, under_way
from table_controller.engine.messages import (
    AgainstRules,
    Event,
    Input,
    Phrase,
    Severity,
    phrase,
)
from table_controller.engine.shoe import Dealt
from table_controller.engine.table import cards, devices
from table_controller.engine.table.events import CardRemoved
from table_controller.engine.table.felt import after, calmed, released, stopped, warned
from table_controller.engine.table.inputs import StrayRuled, StrayRuling
from table_controller.engine.table.promises import drawn, opened
from table_controller.engine.table.stops import Stray


def lying(table: Table) -> tuple[Dealt, ...]:
    """The cards of the deal that may lie closed: all that left, but for the one turned up."""
    return laid(table.deal)


def lay(table: Table, dealt: Dealt) -> Step:
    """Put a known card where it is due, or aside as a stray (R-19)."""
    phase, alerts = foremost(table), table.felt.alerts
    due = DUE.get(type(phase))
    begins = isinstance(phase, Dealing) and table.deal is not None and not table.deal.came
    held = devices.stopped(alerts) or (begins and devices.failing(alerts))
    if due and not held:
        return due(table, phase, dealt)
    felt, told = warned(table.felt, stray_alert(dealt))
    now = after(table, stopped(felt, Stray(dealt)))
    return now, (*drawn(table.felt, 0, dealt), *told)


def stray_alert(dealt: Dealt) -> Alert:
    """What to do about a card that left when none was due. Never names it."""
    return replace(
        cards.stray_alert(dealt),
        severity=Severity.STOP,
        remedy=phrase("Closed, it goes back on the talon; or it lies open. Say which."),
    )


#: What a stray card can be at écarté.
RULINGS = (StrayRuling.BACK, StrayRuling.FACE_UP)


def stray_ruled(table: Table, phase: Stray, said: StrayRuled) -> Step:
    """Closed, it is the talon's first again; open, it was turned as well (E07-25, ER-23)."""
    dealt, deal = phase.dealt, table.deal
    if said.ruling not in RULINGS:
        raise AgainstRules(
            phrase("A deal is one Schlitten: no card is kept for the next."),
            phrase("Say whether it is closed or uncovered."),
            "R-19",
        )
    if not under_way(table) or deal is None or deal.turned is None:
        felt, told = cards.stray_ruled(table.felt, phase, said)
        return after(table, felt), told
    felt, told = calmed(table.felt, stray_alert(dealt).id)
    told = (CardRemoved(ordinal=dealt.ordinal, ruling=said.ruling), *told)
    table = after(table, released(felt))
    if said.ruling is StrayRuling.BACK:
        return back_on_talon(table, dealt), told
    shown: tuple[Event, ...] = opened(felt, 0, (dealt,))
    table, more = turned_too(table, foremost(table), dealt)
    return table, (*shown, *told, *more)


def described(said: Input) -> Phrase:
    """What was said and by whom, for the button that takes it back."""
    seat = getattr(said, "seat", None)
    what = phrase("the last word")
    return what if seat is None else phrase("seat {seat}, {what}", seat=seat, what=what)
