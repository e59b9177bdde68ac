"""A coup as text: one line an input, behind `=>` what comes of it. Each game brings its lines.

    seat 2 sits 100 Anna
    card 7h           => seat 2 closed card

What is written can be read again. Comments begin with `#`; ` [lip]` behind an input names its
actor, where it is not the croupier; a line without `=>` expects nothing in particular. A line that
begins with `?` says nothing to the table: it asks what its screens show now.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
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

#: How an input is written: braces hold fields; fields that the line implies stand behind it.
Line = tuple[type[Input], str, dict[str, Any]]

#: What is said at every table.
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
#: What may stand for a field; anything for those not named here or by the game.
PATTERNS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("seat", "chips", "to", "other", "ordinal", "ahead"), r"\d+"),
    **dict.fromkeys(("shoe", "device", "alert"), r"[a-z0-9_-]+"),
    **dict.fromkeys(("ruling", "unknown"), r"[a-z_]+"),
    "copy": r"\d",
    "card": r"[A2-9TJQK][cdhs]",
}
_FIELD = re.compile(r"\{(\w+)\}")


class Notation:
    """How one game's inputs are written and read."""

    def __init__(
        self, lines: Iterable[Line], patterns: Mapping[str, str] = PATTERNS, *, such_as: str
    ) -> None:
        lines = tuple(lines)
        self._such_as, self._patterns = such_as, {**PATTERNS, **patterns}
        self._read = [(self._pattern(text), kind, implied) for kind, text, implied in lines]
        self._write = {
            (kind, frozenset([*_FIELD.findall(text), *implied])): text
            for kind, text, implied in lines
        }

    def _pattern(self, template: str) -> re.Pattern[str]:
        found = _FIELD.sub(lambda f: f"(?P<{f[1]}>{self._patterns.get(f[1], '.+')})", template)
        return re.compile(found)

    def read(self, line: str) -> Input:
        """Read one input, its actor behind it in brackets. Raises ValueError."""
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
                    raise ValueError(f"{self._no_line(line)}: {error}") from None
        raise ValueError(f"{self._no_line(line)} (e.g. {self._such_as!r})")

    @staticmethod
    def _no_line(line: str) -> str:
        return f"not a line of a coup script: {line.strip()!r}"

    def write(self, said: Input) -> str:
        """The inverse of `read`; the prompt is no part of a script.

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
            return self.read(line) == replace(said, prompt=None)
        except ValueError:
            return False

    def script(self, text: str) -> Iterator[tuple[Input | Question, str | None]]:
        """Lines of a script, each with what is expected of it (None: nothing in particular)."""
        for line in text.splitlines():
            content = line.split("#", 1)[0].strip()
            if content:
                said, arrow, expected = content.partition("=>")
                asked = Question(said[1:].strip()) if said.startswith("?") else self.read(said)
                yield asked, expected.strip() if arrow else None


class Question(Struct, frozen=True):
    """A line `? totals`: what the screens show of that, asked between two inputs."""

    about: str


def place(seat: int) -> str:
    """A place in a script: `seat 3`, `aside`."""
    return f"seat {seat}" if seat else "aside"


#: What the events of every table read as.
SHOWN: Final[Mapping[type, Callable[[Any], str]]] = {
    te.SchlittenReady: lambda e: f"Schlitten {e.number} ready, {e.cards} cards",
    te.SeatChanged: lambda e: f"seat {e.seat} is at {e.to}",
    te.Withdrawn: lambda e: f"withdrawn: {e.said}",
    te.CardCorrected: lambda e: f"card {e.ordinal} corrected",
    te.CardDrawn: lambda e: f"{place(e.seat)} closed card",
    te.CardUnread: lambda e: f"card unread: {e.reason}",
    te.CardOpened: lambda e: f"{place(e.seat)} open card {e.card}",
    te.CardRemoved: lambda e: f"card {e.ruling}",
    te.WhiteCardOut: lambda e: f"white card at {e.left}",
    te.LastCoup: lambda e: f"last coup: {e.coup}",
    te.CoupAnnulled: lambda e: f"coup annulled: {e.reason}",
    te.SchlittenOver: lambda e: f"Schlitten over, {e.left} left",
    te.SchlittenCounted: lambda e: f"Schlitten closed after {e.coups} coups",
    devices.LidNoted: lambda e: f"lid {'open' if e.open else 'closed'}{' in a coup' * e.coup}",
    devices.CutCardNoted: lambda e: f"cut card before {e.behind}",
    devices.PowerNoted: lambda e: f"power {'fails' if e.failing else 'back'}",
}


def shown(events: Iterable[Event], words: Mapping[type, Callable[[Any], str]]) -> str:
    """What came of an input, as the croupier would say it; parts divided by `; `.

    A card that lies open is told with its face alone.
    """
    told = list(events)
    bare = {e.ordinal for e in told if isinstance(e, te.CardOpened)}
    parts = (
        words[type(event)](event)
        for event in told
        if type(event) in words and not (isinstance(event, te.CardDrawn) and event.ordinal in bare)
    )
    return "; ".join(filter(None, parts))
