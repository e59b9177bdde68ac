"""Lid, cut-card sensor and mains: their reports, the consequences, and who rules on them.

An open lid and lost mains are alerts until they are over; there is no other state for them. The
tables at the end contain everything that the program has to know about a sensor. To add a sensor,
add it there and in the pin table. The module knows no game and no card.
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
from table_controller.engine.table.felt import Change, Felt, calmed, warned
from table_controller.engine.table.repairs import with_reason

# Inputs


class LidOpened(Input, frozen=True):
    """The Schlitten's lid is open."""

    NEEDS = None


class LidClosed(Input, frozen=True):
    """The Schlitten's lid is closed again."""

    NEEDS = None


class LidRuled(Input, frozen=True):
    """A supervisor lets a coup stand during which the lid was opened (R-51)."""

    NEEDS = Role.SUPERVISOR
    reason: str


class CutCardSensed(Input, frozen=True):
    """The white card is at its sensor. Between it and the lip there are `ahead` cards."""

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
    """The sensor shows that this many cards are behind the white card (R-52)."""

    behind: int


class PowerNoted(Event, frozen=True):
    """The mains failed or came back. The journal is written to its file immediately."""

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
    """The lid is open. If a `coup` is under way, the table stops (R-51)."""
    if is_open(felt.alerts, LID):
        return felt, ()
    remedy = phrase("Close it before the next card.")
    lid = Alert(LID, "lid_open", Severity.NOTICE, LIFTED, remedy)
    felt, told = warned(felt, lid)
    if coup and not stopped(felt.alerts):
        felt, more = warned(felt, Alert(LID_STOP, "lid_opened", Severity.STOP, OPENED, RULE))
        told = (*told, *more)
    return felt, (LidNoted(open=True, coup=coup), *told)


def lid_closed(felt: Felt, *, coup: bool) -> Change:
    """The lid is closed again. A coup that was stopped still waits for a ruling (R-51)."""
    felt, told = calmed(felt, LID)
    return felt, (LidNoted(open=False, coup=coup), *told) if told else ()


def lid_ruled(felt: Felt, said: LidRuled) -> Change:
    """A supervisor lets the coup stand. Raises OutOfTurn if no coup waits for that."""
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
    """The refusal of every other input until somebody has ruled (R-51)."""
    return OutOfTurn(OPENED, RULE, "R-51")


# The cut card: count, lip and sensor are three witnesses


def cut_card(felt: Felt, said: CutCardSensed) -> Change:
    """The sensor's report, once per Schlitten, checked against the count and the lip."""
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
    """Compare sensor and lip once both have seen the white card."""
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
    """Whether the mains failed or the journal has no room left, so that no coup begins (R-53)."""
    return is_open(alerts, POWER) or is_open(alerts, DISK_FULL)


def waiting(alerts: Alerts) -> bool:
    """Whether no first card may be dealt: `failing`, or the lid is open (R-53, R-56)."""
    return is_open(alerts, LID) or failing(alerts)


def why_none(alerts: Alerts) -> tuple[Phrase, Phrase, str]:
    """The reason why no coup can begin, the remedy, and the rule (R-53, R-56)."""
    if is_open(alerts, LID):
        return LIFTED, CLOSE, "R-56"
    return (MAINS, WAITS, "R-53") if is_open(alerts, POWER) else (FULL, ROOM, "R-53")


def power(felt: Felt, said: PowerFailed | PowerBack) -> Change:
    """The mains failed or came back. There is no event if nothing changed."""
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
    """The input that a sensor sends when it becomes active, and in which actor's name.

    `calm` is the input it sends once it is inactive again. It sends it only if `alert` is open,
    which `calm` then clears.
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
    """The input that a sensor's change becomes, or None if it is no news.

    `told` says whether its alert is open, or may be. For `ahead` see `CutCardSensed`.
    """
    wire = SENSORS[name]
    if not active:
        return wire.calm(actor=wire.actor) if wire.calm and told else None
    if wire.active is CutCardSensed:
        return CutCardSensed(actor=wire.actor, ahead=ahead)
    return wire.active(actor=wire.actor)
