"""Taking back people's last inputs, until a card is opened or money moves (R-20, R-46).

In a game's `step.py`, `TAKEN_BACK` lists the inputs that can be taken back, and the label of the
button for each. This module says the same for the inputs that every table shares.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any, Final, Generic, Protocol, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import replace

from table_controller.engine.messages import (
    AlertAcknowledged,
    Audience,
    Booted,
    CardSeen,
    DeviceBack,
    DeviceLost,
    Input,
    OutOfTurn,
    Phrase,
    Told,
    phrase,
)
from table_controller.engine.shoe import Dealt
from table_controller.engine.table import devices, persons
from table_controller.engine.table.cards import stray_alert
from table_controller.engine.table.events import Withdrawn
from table_controller.engine.table.felt import (
    Felt,
    Laid,
    Stray,
    Unread,
    WhiteDisputed,
    first,
    on,
    stopped,
    warned,
)
from table_controller.engine.table.inputs import (
    CroupierChanged,
    ReadingCounted,
    Ruled,
    TakesBack,
    Ticked,
)

S = TypeVar("S")


class Undo(Struct, Generic[S], frozen=True, gc=False):
    """The last input from a person that can be taken back, and the table before it.

    `told` is the number of public events of this input, and `since` the number of public events
    after them.
    """

    said: Input
    table: S
    told: int = 0
    since: int = 0


class Undoable(Laid, Protocol):
    """A game's table that remembers what can be taken back."""

    @property
    def undo(self) -> Undo[Any] | None:
        """The last input and the table before it; None if nothing can be taken back."""


T = TypeVar("T", bound=Undoable)

#: Inputs that do not replace the news that something was taken back.
UNHEARD: Final = frozenset(
    {
        TakesBack, DeviceLost, DeviceBack, AlertAcknowledged, Booted,
        ReadingCounted, *get_args(devices.Sensed), *persons.KINDS,
    }
)  # fmt: skip
#: Inputs that stay when an earlier input is taken back (R-46). Cards become strays (R-19).
BESIDE: Final = UNHEARD | {CardSeen, CroupierChanged, Ruled, devices.LidRuled}
#: Rulings on a card that waits. They are never taken back, since the card would wait again.
STOPPED: Final = Unread | Stray | WhiteDisputed


def remembered(
    before: T,
    now: T,
    said: Input,
    told: Told,
    words: Mapping[type, Phrase],
    *,
    final: bool,
    idle: Container[type] = (),
) -> T:
    """The table `now`, which remembers the table `before` if the input `said` can be taken back.

    `told` are the input's events.

    An input can be taken back if its type is in `words`, unless a card then waits for a ruling.
    After any other input, an earlier input can no longer be taken back. Only the inputs in `BESIDE`
    and the clock's inputs in `idle` do not change what can be taken back. `final` means that
    neither this input nor an earlier one can be taken back.
    """
    kind = type(said)
    if now.felt.withdrawn and kind not in UNHEARD and kind not in idle:
        now = on(now, replace(now.felt, withdrawn=None))
    if kind in words:
        stops = now.felt.stops
        waits = final or (stops and isinstance(stops[-1], STOPPED))
        undo = None if waits else Undo(said, before, _public(told))
        return replace(now, undo=undo)  # type: ignore[type-var]
    if now.undo is None:
        return now
    if final or (kind not in BESIDE and kind not in idle):
        return replace(now, undo=None)  # type: ignore[type-var]
    since = now.undo.since + _public(told)
    return replace(now, undo=replace(now.undo, since=since))  # type: ignore[type-var]


def _public(told: Told) -> int:
    return sum(event.audience is Audience.PUBLIC for event in told)


def may_take_back(table: Undoable) -> bool:
    """Whether the last input can be taken back now without undoing anything else (R-20, R-46)."""
    waits = isinstance(first(table.felt), STOPPED) or devices.stopped(table.felt.alerts)
    return table.undo is not None and not waits


def ticks(table: Undoable) -> bool:
    """Whether the last input that can be taken back ticked a line of the settlement."""
    return table.undo is not None and isinstance(table.undo.said, Ticked)


def by_seat(said: Input, what: Phrase, *, chips: int | None = None) -> Phrase:
    """The label `what` of the input `said`, with its seat and the sum `chips`, if known.

    A line of the settlement, which has no seat, is named by its number.
    """
    if isinstance(said, Ticked):
        return Phrase(what.text, {"line": said.line + 1})
    seat = getattr(said, "seat", None)
    if seat is None:
        return what
    if chips is None:
        return phrase("seat {seat}, {what}", seat=seat, what=what)
    return phrase("seat {seat}, {what}, {chips}", seat=seat, what=what, chips=chips)


def taken_back(now: T, what: Phrase) -> tuple[T, Told]:
    """The table before its last input, whose label is `what`.

    Cards that left since then and devices' alerts stay (R-46). Raises OutOfTurn if nothing can be
    taken back.
    """
    undo = now.undo
    if undo is None or not may_take_back(now):
        raise OutOfTurn(
            phrase("There is nothing that can be taken back now."),
            phrase("An opening, a card and moved money stand; a supervisor repairs them."),
            "R-20",
        )
    felt = now.felt
    back = replace(
        undo.table.felt,
        shoe=felt.shoe,
        last_coup=felt.last_coup,
        alerts=felt.alerts,
        croupier=felt.croupier,
        persons=felt.persons,
        boot=felt.boot,
        withdrawn=what,
    )
    ago = undo.told + undo.since
    tag = str(undo.said.__struct_config__.tag)
    told = Withdrawn(said=tag, ago=ago if undo.told else 0, events=undo.told)
    table = on(undo.table, back, prompt=now.prompt + 1)
    if table.undo is None:
        return table, (told,)
    before = replace(table.undo, since=table.undo.since + ago)
    return replace(table, undo=before), (told,)


def laid_aside(felt: Felt, dealt: Dealt) -> tuple[Felt, Told]:
    """The felt with a closed card that left after the withdrawn input.

    The card is laid aside until the croupier rules on it (R-19).
    """
    felt, told = warned(felt, stray_alert(dealt))
    return stopped(felt, Stray(dealt)), told
