"""A coup as text: one line an input, behind `=>` what comes of it. Each game brings its lines.

    seat 2 banco solo
    card 7h           => seat 2 closed card

What is written can be read again. Comments begin with `#`; ` [lip]` behind an input names its
actor, where it is not the croupier; a line without `=>` expects nothing in particular. A line that
begins with `?` says nothing to the table: it asks what its screens show now.

    ? payments        => 2:-50, house:2
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct, ValidationError, convert
from msgspec.structs import fields, replace

from table_controller.engine.messages import (
    AlertAcknowledged,
    CardNamed,
    CardSeen,
    DeviceBack,
    DeviceLost,
    Event,
    Input,
)
from table_controller.engine.table import devices
from table_controller.engine.table import events as te
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.felt import T, on
from table_controller.rules.cards import Card

#: How an input is written: braces hold fields; fields that a line implies stand behind it.
Line = tuple[type[Input], str, dict[str, Any]]

#: The lines of every table.
LINES: Final[tuple[Line, ...]] = (
    (CardSeen, "card {card}", {}),
    (CardSeen, "card {card} copy {copy}", {}),
    (CardSeen, "card unread {unknown}", {}),
    (CardSeen, "white card", {"white": True}),
    (CardNamed, "named {card}", {}),
    (ti.UnreadRuled, "no card left", {}),
    (ti.Sits, "seat {seat} sits {chips} {name}", {}),
    (ti.Stands, "standing {chips} {name}", {}),
    (ti.BuysIn, "seat {seat} buys in {chips}", {}),
    (ti.CashesOut, "seat {seat} cashes out {chips}", {}),
    (ti.Tips, "seat {seat} tips {chips}", {}),
    (ti.Leaves, "seat {seat} leaves", {}),
    (ti.Moves, "seat {seat} moves to {to}", {}),
    (ti.Swaps, "seat {seat} swaps with {other}", {}),
    (ti.CroupierChanged, "croupier {name}", {}),
    (ti.Prepared, "prepared", {}),
    (ti.ThrownAway, "thrown away {reason}", {}),
    (ti.TakesBack, "take back", {}),
    (ti.Corrects, "correct {ordinal} {card} {reason}", {}),
    (ti.Transfers, "transfer {chips} from {seat} to {to} {reason}", {}),
    (ti.Ruled, "ruled {reason}", {}),
    (ti.SchlittenClosed, "schlitten closed", {}),
    (ti.SchlittenLoaded, "schlitten {shoe}", {}),
    (ti.StrayRuled, "stray {ruling}", {}),
    (ti.StrayRuled, "stray {ruling} {reason}", {}),
    (ti.WhiteRuled, "white {ruling}", {}),
    (ti.Annulled, "annul {reason}", {}),
    (DeviceLost, "lost {device}: {why}", {}),
    (DeviceBack, "back {device}", {}),
    (AlertAcknowledged, "seen {alert}", {}),
    (devices.LidOpened, "lid opens", {}),
    (devices.LidClosed, "lid closes", {}),
    (devices.LidRuled, "lid ruled {reason}", {}),
    (devices.CutCardSensed, "cut card", {}),
    (devices.CutCardSensed, "cut card {ahead} ahead", {}),
    (devices.PowerFailed, "power fails", {}),
    (devices.PowerBack, "power back", {}),
)

#: What may stand for a field; anything for those not named here.
_PATTERNS: Final = {
    "seat": r"\d+",
    "chips": r"\d+",
    "copy": r"\d",
    "to": r"\d+",
    "other": r"\d+",
    "line": r"\d+",
    "ordinal": r"\d+",
    "ahead": r"\d+",
    "card": r"[A2-9TJQK][cdhs]",
    "shoe": r"[a-z0-9_-]+",
    "device": r"[a-z0-9_-]+",
    "alert": r"[a-z0-9_-]+",
    "ruling": r"[a-z_]+",
    "unknown": r"[a-z_]+",
}

_FIELD = re.compile(r"\{(\w+)\}")


class Question(Struct, frozen=True):
    """A line `? totals`: what the screens show of that, asked between two inputs."""

    about: str


class Notation:
    """How a game's inputs are written: its own lines beside those of every table.

    `patterns` says what may stand for a field of its own; anything for those not named.
    """

    def __init__(self, own: Iterable[Line], patterns: Mapping[str, str]) -> None:
        lines = (*LINES, *own)
        known = {**_PATTERNS, **patterns}
        self._read = tuple((_pattern(text, known), kind, implied) for kind, text, implied in lines)
        self._write = {
            (kind, frozenset([*_FIELD.findall(text), *implied])): text
            for kind, text, implied in lines
        }

    def parse(self, line: str) -> Input:
        """Read one input such as `seat 2 leaves` or `card 7h [lip]`. Raises ValueError."""
        text, actor = line.strip(), {}
        if text.endswith("]") and " [" in text:
            text, _, name = text[:-1].rpartition(" [")
            actor = {"actor": name}
        for pattern, kind, implied in self._read:
            found = pattern.fullmatch(text)
            if found:
                known: dict[str, Any] = {**found.groupdict(), **implied, **actor}
                try:
                    return convert(known, kind, strict=False)
                except ValidationError as error:
                    raise ValueError(
                        f"not a line of a coup script: {line.strip()!r}: {error}"
                    ) from None
        raise ValueError(f"not a line of a coup script: {line.strip()!r} (e.g. 'seat 2 leaves')")

    def write(self, said: Input) -> str:
        """The inverse of `parse`; the prompt is no part of a script.

        Raises ValueError for an input that one line cannot hold.
        """
        known = {
            field.name: getattr(said, field.name)
            for field in fields(said)
            if field.name not in ("actor", "prompt")
            and (field.required or getattr(said, field.name) != field.default)
        }
        template = self._write.get((type(said), frozenset(known)))
        line = template.format(**known) if template else ""
        line += f" [{said.actor}]" if said.actor != "croupier" else ""
        if not template or "#" in line or "=>" in line or not self._reads_back(line, said):
            raise ValueError(f"an input that no script line can hold: {type(said).__name__}")
        return line

    def _reads_back(self, line: str, said: Input) -> bool:
        try:
            return self.parse(line) == replace(said, prompt=None)
        except ValueError:
            return False

    def read(self, text: str) -> Iterator[tuple[Input | Question, str | None]]:
        """Lines of a script, each with what is expected of it (None: nothing in particular)."""
        for line in text.splitlines():
            content = line.split("#", 1)[0].strip()
            if content:
                said, arrow, expected = content.partition("=>")
                question = said.startswith("?")
                asked = Question(said[1:].strip()) if question else self.parse(said)
                yield asked, expected.strip() if arrow else None

    def lines(self, text: str) -> Iterator[tuple[Input, str | None]]:
        """What a script says to the table, its questions left out."""
        for said, expected in self.read(text):
            if isinstance(said, Input):
                yield said, expected


def _pattern(template: str, known: Mapping[str, str]) -> re.Pattern[str]:
    return re.compile(_FIELD.sub(lambda f: f"(?P<{f[1]}>{known.get(f[1], '.+')})", template))


def short(table: T, left: int) -> T:
    """The same table with only `left` cards in its Schlitten, as if the others had been dealt."""
    shoe = table.felt.shoe
    if shoe is None:
        return table
    out = shoe.cards - left
    felt = replace(table.felt, shoe=replace(shoe, out=out, ordinal=out))
    return on(table, felt, prompt=table.prompt + 1)


#: How an event reads.
Shown = Callable[[Any], str]


def show(
    events: Iterable[Event],
    shown: Mapping[type, Shown],
    *,
    by_hand: Container[tuple[int, Card]] = (),
) -> str:
    """What came of an input, as the croupier would say it; parts divided by `; `.

    A card that is drawn and opened at once is told with its face; of those `by_hand`, by place and
    card, another event tells.
    """
    told = list(events)
    bare = {event.ordinal for event in told if isinstance(event, te.CardOpened)}
    parts = []
    for event in told:
        if isinstance(event, te.CardOpened) and (event.seat, event.card) in by_hand:
            continue
        if isinstance(event, te.CardDrawn) and event.ordinal in bare:
            continue
        parts.append(shown[type(event)](event) if type(event) in shown else "")
    return "; ".join(filter(None, parts))


def seat(number: int) -> str:
    """Where a card lies that is a seat's, or nobody's."""
    return f"seat {number}" if number else "aside"


#: How the events of every table read.
SHOWN: Final[dict[type, Shown]] = {
    te.SchlittenReady: lambda e: f"Schlitten {e.number} ready, {e.cards} cards",
    te.SeatChanged: lambda e: f"seat {e.seat} is at {e.to}",
    te.Withdrawn: lambda e: f"withdrawn: {e.said}",
    te.CardCorrected: lambda e: f"card {e.ordinal} corrected",
    te.CardDrawn: lambda e: f"{seat(e.seat)} closed card",
    te.CardUnread: lambda e: f"card unread: {e.reason}",
    te.CardOpened: lambda e: f"{seat(e.seat)} open card {e.card}",
    te.CardRemoved: lambda e: f"card {e.ruling}",
    te.WhiteCardOut: lambda e: f"white card at {e.left}",
    te.LastCoup: lambda e: f"last coup: {e.coup}",
    devices.LidNoted: lambda e: f"lid {'open' if e.open else 'closed'}{' in a coup' * e.coup}",
    devices.CutCardNoted: lambda e: f"cut card before {e.behind}",
    devices.PowerNoted: lambda e: f"power {'fails' if e.failing else 'back'}",
    te.CoupAnnulled: lambda e: f"coup annulled: {e.reason}",
    te.SchlittenOver: lambda e: f"Schlitten over, {e.left} left",
    te.SchlittenCounted: lambda e: f"Schlitten closed after {e.coups} coups",
}
