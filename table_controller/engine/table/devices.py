"""Lid, cut-card sensor and mains: their reports, what follows from them, and rulings on them.

While the lid is open or the mains are lost, an alert is open; no other state records this. The
tables at the end contain everything that the program needs to know about a sensor. To add a sensor,
add it to these tables and to the pin table. The module knows no game and no card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, NamedTuple

from msgspec.structs import replace

from table_controller.engine.alerts import Alert, Alerts, is_open
from table_controller.engine.messages import (
    Event,
    Input,
    OutOfTurn,
    Phrase,
    Role,
    Severity,
    Told,
    phrase,
)
from table_controller.engine.table.events import RulingNoted
from table_controller.engine.table.felt import Change, Felt, Stop, Unread, calmed, warned
from table_controller.engine.table.repairs import with_reason

# Inputs


class LidOpened(Input, frozen=True):
    """Somebody opened the Schlitten's lid."""

    NEEDS = None


class LidClosed(Input, frozen=True):
    """Somebody closed the Schlitten's lid again."""

    NEEDS = None


class LidRuled(Input, frozen=True):
    """A supervisor rules that a coup counts although the lid was opened during it (R-51)."""

    NEEDS = Role.SUPERVISOR
    reason: str


class CutCardSensed(Input, frozen=True):
    """The white card has reached its sensor. `ahead` cards are between the sensor and the lip."""

    NEEDS = None
    ahead: int = 0


class PowerFailed(Input, frozen=True):
    """The mains failed, and the table runs on its battery."""

    NEEDS = None


class PowerBack(Input, frozen=True):
    """The mains are back."""

    NEEDS = None


#: Inputs that only sensors send.
Sensed = LidOpened | LidClosed | CutCardSensed | PowerFailed | PowerBack

# Events


class LidNoted(Event, frozen=True):
    """The lid was opened or closed, and whether a coup was under way."""

    open: bool
    coup: bool


class CutCardNoted(Event, frozen=True):
    """The sensor saw the white card. By its report, `behind` cards are behind it (R-52)."""

    behind: int


class PowerNoted(Event, frozen=True):
    """The mains failed or came back. The journal is written to the disk immediately."""

    FLUSHES: ClassVar[bool] = True

    failing: bool


#: The events about sensors.
Noted = LidNoted | CutCardNoted | PowerNoted

#: The alerts' ids: lid open; lid opened during a coup; two witnesses disagree; no mains.
LID, LID_STOP, POWER = "lid", "lid-stop", "power-fail"
DISK_FULL = "device-disk-full"
CUT_CARD = CUT_COUNT, CUT_SEEN = "cut-card-count", "cut-card-seen"

OPENED: Final = phrase("The lid was opened during the coup.")
RULE: Final = phrase("A supervisor: annul, or let it stand?")
MAINS: Final = phrase("The mains are gone.")
WAITS: Final = phrase("No coup begins before the mains are back.")
FULL: Final = phrase("The disk of the journal is full.")
ROOM: Final = phrase("No coup begins before there is room.")
LIFTED: Final = phrase("The lid is open.")
CLOSE: Final = phrase("Close the lid")

# The lid


def stopped(alerts: Alerts) -> bool:
    """Whether the table waits for a ruling because the lid was opened during a coup (R-51)."""
    return is_open(alerts, LID_STOP)


def lid_opened(felt: Felt, *, coup: bool) -> Change:
    """The felt after the lid was opened.

    If a coup is under way (`coup`), the table stops (R-51).
    """
    if is_open(felt.alerts, LID):
        return felt, ()
    remedy = phrase("Close it before the next card.")
    lid = Alert(LID, "lid_open", Severity.NOTICE, LIFTED, remedy)
    felt, told = warned(felt, lid)
    if coup:
        felt, more = lid_stops(felt)
        told = (*told, *more)
    if felt.stops:
        felt = replace(felt, stops=tuple(map(_lifted, felt.stops)))
    return felt, (LidNoted(open=True, coup=coup), *told)


def _lifted(stop: Stop) -> Stop:
    """The stop, which remembers that the lid was opened if an unread card waits."""
    return replace(stop, lifted=True) if isinstance(stop, Unread) else stop


def lid_stops(felt: Felt) -> Change:
    """The felt of a coup during which the lid was opened. It waits for a ruling (R-51)."""
    if stopped(felt.alerts):
        return felt, ()
    return warned(felt, Alert(LID_STOP, "lid_opened", Severity.STOP, OPENED, RULE))


def lid_closed(felt: Felt, *, coup: bool) -> Change:
    """The felt after the lid was closed.

    If it was opened during a coup, a ruling is still due (R-51).
    """
    felt, told = calmed(felt, LID)
    return felt, (LidNoted(open=False, coup=coup), *told) if told else ()


def lid_ruled(felt: Felt, said: LidRuled) -> Change:
    """The felt after a supervisor let the coup count.

    Raises OutOfTurn if no coup waits for a ruling.
    """
    with_reason(said.reason)
    if not stopped(felt.alerts):
        raise OutOfTurn(
            phrase("Nothing of the kind is due now."),
            phrase("It was cleared already; nothing is to be done."),
            "R-51",
        )
    felt, told = calmed(felt, LID_STOP)
    return felt, (RulingNoted(reason=said.reason), *told)


def lid_first() -> OutOfTurn:
    """The refusal of other inputs before a supervisor has ruled on the opened lid (R-51)."""
    return OutOfTurn(OPENED, RULE, "R-51")


# The cut card: count, lip and sensor are three witnesses


def cut_card(felt: Felt, said: CutCardSensed) -> Change:
    """The felt after the sensor saw the white card. Only the first report per Schlitten counts.

    The report is compared with the count, and with the lip if the lip has seen the white card.
    """
    shoe, house = felt.shoe, felt.house
    if shoe is None or shoe.cut_sensed is not None:
        return felt, ()  # without a Schlitten, something else passed the sensor
    behind = max(0, shoe.left - said.ahead)
    felt = replace(felt, shoe=replace(shoe, cut_sensed=behind))
    told: Told = (CutCardNoted(behind=behind),)
    if abs(behind - house.white_at) > house.cut_card_apart:
        what = phrase(
            "By the sensor the white card lies before {sensor} cards, by the count before {want}.",
            sensor=behind,
            want=house.white_at,
        )
        felt, more = warned(felt, _apart(CUT_COUNT, what))
        told = (*told, *more)
    felt, more = cut_compared(felt)
    return felt, (*told, *more)


def cut_compared(felt: Felt) -> Change:
    """Compare the reports of sensor and lip if both have seen the white card.

    If the reports disagree, raise an alert.
    """
    seen, sensed = (felt.shoe.white_out, felt.shoe.cut_sensed) if felt.shoe else (None, None)
    if seen is None or sensed is None or abs(seen - sensed) <= felt.house.cut_card_apart:
        return felt, ()
    what = phrase(
        "By the sensor the white card lies before {sensor} cards; it came out before {seen}.",
        sensor=sensed,
        seen=seen,
    )
    return warned(felt, _apart(CUT_SEEN, what))


def _apart(id_: str, what: Phrase) -> Alert:
    remedy = phrase("Look for the white card, and count the rest when the Schlitten is over.")
    return Alert(id_, "cut_card_disputed", Severity.WARNING, what, remedy)


# The mains


def failing(alerts: Alerts) -> bool:
    """Whether the mains failed or the journal has no room left. No coup may begin then (R-53)."""
    return is_open(alerts, POWER) or is_open(alerts, DISK_FULL)


def waiting(alerts: Alerts) -> bool:
    """Whether no first card may be dealt: the lid is open, or `failing` is true (R-53, R-56)."""
    return is_open(alerts, LID) or failing(alerts)


def why_none(alerts: Alerts) -> tuple[Phrase, Phrase, str]:
    """The reason why no coup can begin, the remedy, and the rule's id (R-53, R-56)."""
    if is_open(alerts, LID):
        return LIFTED, CLOSE, "R-56"
    return (MAINS, WAITS, "R-53") if is_open(alerts, POWER) else (FULL, ROOM, "R-53")


def power(felt: Felt, said: PowerFailed | PowerBack) -> Change:
    """The felt after the mains failed or came back. There is no event if nothing changed."""
    if isinstance(said, PowerBack):
        felt, told = calmed(felt, POWER)
        return felt, (PowerNoted(failing=False), *told) if told else ()
    if is_open(felt.alerts, POWER):
        return felt, ()
    felt, told = warned(felt, Alert(POWER, "power_fail", Severity.WARNING, MAINS, WAITS))
    return felt, (PowerNoted(failing=True), *told)


def not_begun(alerts: Alerts) -> OutOfTurn:
    """The refusal of stakes that would begin a coup while no coup may begin (R-53)."""
    return OutOfTurn(*why_none(tuple(one for one in alerts if one.id != LID)))


# The sensors: what each reports, when it may do so, and how scripts write it


class Wire(NamedTuple):
    """The inputs that one sensor sends, with `actor` as the actor.

    The sensor sends `active` when it becomes active, and `calm` when it becomes inactive again.
    It sends `calm` only while the alert `alert` is open, which the input clears. If `calm` is None,
    the sensor sends nothing when it becomes inactive, and `alert` is "".
    """

    active: type[Input]
    actor: str
    calm: type[Input] | None = None
    alert: str = ""


#: Every sensor but the exit beam, by its name in the pin table, in small letters.
SENSORS: Final[Mapping[str, Wire]] = {
    "lid": Wire(LidOpened, "lid", LidClosed, LID),
    "cut_card": Wire(CutCardSensed, "cut_card"),
    "power_fail": Wire(PowerFailed, "mains", PowerBack, POWER),
}
#: Alerts that end when their sensor says so.
BY_SENSOR: Final = frozenset(wire.alert for wire in SENSORS.values() if wire.alert)
#: Inputs that are allowed at any time, and are the same at every table.
ANY_TIME: Final[Mapping[type, Callable[[Felt, Any], Change]]] = {
    LidRuled: lid_ruled,
    CutCardSensed: cut_card,
    PowerFailed: power,
    PowerBack: power,
}
#: How their inputs are written in scripts.
LINES: Final[tuple[tuple[type[Input], str, dict[str, Any]], ...]] = (
    (LidOpened, "lid opens", {}),
    (LidClosed, "lid closes", {}),
    (LidRuled, "lid ruled {reason}", {}),
    (CutCardSensed, "cut card", {}),
    (CutCardSensed, "cut card {ahead} ahead", {}),
    (PowerFailed, "power fails", {}),
    (PowerBack, "power back", {}),
)


def sensed(name: str, *, active: bool, told: bool, ahead: int) -> Input | None:
    """The input that the sensor `name` sends when it changes; None if it sends none.

    `told` says whether the sensor's alert is open, or may be open. `ahead` is explained at
    `CutCardSensed`.
    """
    wire = SENSORS[name]
    if not active:
        return wire.calm(actor=wire.actor) if wire.calm and told else None
    if wire.active is CutCardSensed:
        return CutCardSensed(actor=wire.actor, ahead=ahead)
    return wire.active(actor=wire.actor)
