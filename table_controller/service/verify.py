"""Checks a journal, a recording or a captured stream, and names the first row that is wrong.

The check covers chains, numbering, sums, and each opened card against its promise. The module knows
rows, and the two events that every game has for a card. A function of the game checks the sums.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from table_controller.service.archive import Archive, Head
from table_controller.service.capture import CapturedStreams, Stream
from table_controller.service.errors import UNREADABLE, JournalError, VerifyError
from table_controller.service.recording import Recording, is_recording
from table_controller.service.rows import Anchor, EventRow
from table_controller.service.sealing import Keys

#: A game's own check. It gets the public events in order (of a recording: all events). It returns
#: the index of the first event whose sums do not balance, and the reason; or None.
Sums = Callable[[Iterable[dict[str, Any]]], tuple[int, str] | None]
#: Finds a game's check by the game's name, which is "" if a stream does not name its game.
SumsOf = Callable[[str], Sums]


class Findings(Struct, frozen=True, kw_only=True):
    """The result of a check.

    Attributes:
        kind: `journal`, `recording` or `stream`.
        rows: the number of rows that were read.
        fault: the first row that is wrong, and the reason; "" if every row is right.
        promised, opened: the number of promised cards, and of cards that were opened as promised.
        unproven: the number of public rows that no anchor covers. Somebody could cut them off or
            forge them.
        unbound: the number of a journal's rows that no chain covers.
        inner: whether the inner chain was checked too, which needs the table's key.
        people: false for a recording from which the people were left out.
    """

    kind: str
    rows: int
    fault: str = ""
    promised: int = 0
    opened: int = 0
    unproven: int = 0
    unbound: int = 0
    inner: bool = False
    people: bool = True

    @property
    def holds(self) -> bool:
        """Whether every row that was read is right."""
        return not self.fault

    def __str__(self) -> str:
        if self.fault:
            return f"This {self.kind} does not hold: {self.fault}."
        inner = " (with the table's key)" if self.inner else ""
        return (
            f"This {self.kind} holds{inner}: {self.rows} {self._rows}, {self.promised} cards "
            f"promised, {self.opened} opened as promised{self._unproven}.{self._beside}"
        )

    @property
    def _rows(self) -> str:
        return "inputs and events" if self.kind == "recording" else "rows"

    @property
    def _unproven(self) -> str:
        """The number of unproven rows, in words; "" for a recording, which has no chain."""
        if self.kind == "recording":
            return ""
        return f", {self.unproven} public rows unproven, since no anchor covers them"

    @property
    def _beside(self) -> str:
        """Sentences about parts that are left out of the file, or cannot be proven; or ""."""
        if not self.people:
            return (
                " The list of people is not in it, nor who signed in, nor what was refused for "
                "somebody's role."
            )
        if self.kind != "journal":
            return ""
        keyless = " Without the key nothing is proven of what was sealed, or said to the table."
        what = "" if self.inner else keyless
        noted = (
            f" No chain binds {self.unbound} notes: requests heard, events that wait for the "
            "broker, and what versions before it did not bind."
        )
        return what + (noted if self.unbound else "")


def verify(
    path: Path,
    keys: Keys | None = None,
    *,
    anchors: Sequence[Anchor] = (),
    sums: SumsOf | None = None,
) -> Findings:
    """Check the file at `path`: a journal, a recording or a captured stream.

    `anchors` are copies of the public chain's end that were kept elsewhere; a stream contains its
    own. `sums` gives a game's check of sums. Raises VerifyError if the file is none of the three,
    JournalError or RecordingError if the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            first = file.readline(65536)
    except OSError as error:
        raise VerifyError(f"Cannot read {path}: {error.strerror}.") from None
    if first.startswith(b"SQLite format 3\0"):
        archive = Archive.read(path, keys)
        try:
            return _Journal(archive, anchors, inner=keys is not None).verdict(sums)
        finally:
            archive.close()
    if is_recording(path):
        return _recording(Recording(path), sums)
    return _streams(CapturedStreams(path, anchors), sums)


def read_anchors(path: Path) -> list[Anchor]:
    """Read a file of anchors, one per line. Raises VerifyError."""
    try:
        lines = path.read_bytes().splitlines()
        return [msgspec.json.decode(line, type=Anchor) for line in lines if line.strip()]
    except (OSError, *UNREADABLE):
        raise VerifyError(
            f"{path} is no anchor: want lines of JSON with count and head, as `schlitten backup` "
            "writes them beside a copy."
        ) from None


class KeptPromises:
    """Collects the promises, and checks that each opened card agrees with its promise.

    `whole` is False if the beginning of the events is missing, where a card may have been promised.
    """

    def __init__(self, *, whole: bool = True) -> None:
        self._promises: dict[int, str] = {}
        self._whole = whole
        self.promised = self.opened = 0

    def hear(self, event: dict[str, Any]) -> str:
        """Note an event. Return its fault, or "" if there is none."""
        try:
            match event.get("type"):
                case "card_drawn":
                    self._promises[event["ordinal"]] = event["commitment"]
                    self.promised += 1
                case "card_opened":
                    return self._open(event["ordinal"], event["card"], event["nonce"])
        except (LookupError, TypeError, ValueError):
            return "it lacks a field of its kind"
        return ""

    def _open(self, ordinal: int, card: str, nonce: str) -> str:
        promise = self._promises.get(ordinal)
        if promise is None:
            return f"card {ordinal} was opened, but never promised" if self._whole else ""
        found = hashlib.sha256(bytes.fromhex(nonce) + card.encode()).hexdigest()
        if not hmac.compare_digest(found, promise):
            return f"card {ordinal} was opened as {card}, but that is not what was promised"
        self.opened += 1
        return ""


class _Journal:
    """One pass over a journal, row by row, to check the rows."""

    def __init__(self, archive: Archive, anchors: Sequence[Anchor], *, inner: bool) -> None:
        self._archive, self._inner = archive, inner
        self._anchors = {anchor.count: anchor.head for anchor in anchors if anchor.count}
        self._inner_ends = {anchor.n: anchor.mac for anchor in anchors if anchor.mac}
        self._head: Head = archive.root()
        self._cards, self._proven = KeptPromises(), 0

    def verdict(self, sums: SumsOf | None) -> Findings:
        """Read all rows and return the findings."""
        try:
            fault = self._rows() or self._archive.unsound() or self._tail() or self._sums(sums)
        except (JournalError, *UNREADABLE) as error:
            fault = f"after input {self._head.n} it cannot be read ({error})"
        return Findings(
            kind="journal",
            rows=self._head.n + self._head.id,
            fault=fault,
            promised=self._cards.promised,
            opened=self._cards.opened,
            unproven=self._head.seqs["public"] - self._proven,
            unbound=0 if fault else self._archive.unbound(),
            inner=self._inner,
        )

    def _rows(self) -> str:
        for row, events in self._archive.turns():
            fault = self._archive.advance(self._head, row, events)
            if fault:
                return fault
            what = self._inner_end()
            if what:
                return what
            for event in events:
                what = self._public(event) if event.audience == "public" else ""
                if what:
                    return f"event {event.id} (public {event.seq}): {what}"
        return ""

    def _public(self, event: EventRow) -> str:
        anchor = self._anchors.get(event.seq)
        if anchor is not None:
            if (event.link or b"").hex() != anchor:
                return "the chain up to here is not what the anchor says"
            self._proven = event.seq
        return self._cards.hear(msgspec.json.decode(event.body or b"{}"))

    def _inner_end(self) -> str:
        """Return a fault if the end of the inner chain differs from that in an anchor, or "".

        This needs no key.
        """
        known = self._inner_ends.get(self._head.n)
        if known is not None and self._head.mac.hex() != known:
            return f"up to input {self._head.n} the inner chain is not what the anchor says"
        return ""

    def _tail(self) -> str:
        last = max(self._inner_ends, default=0)
        if last > self._head.n:
            return f"it ends at input {self._head.n}, but it had {last}: its tail is missing"
        there, had = self._head.seqs["public"], max(self._anchors, default=0)
        if had > there:
            return f"it ends at public row {there}, but it had {had}: its tail is missing"
        return ""

    def _sums(self, sums: SumsOf | None) -> str:
        if sums is None:
            return ""
        bodies = (msgspec.json.decode(event.body or b"{}") for event in self._archive.public())
        wrong = sums(self._archive.header.game)(bodies)
        return f"public row {wrong[0] + 1}: {wrong[1]}" if wrong else ""


def _recording(recording: Recording, sums: SumsOf | None) -> Findings:
    """Check a recording's promises, opened cards and sums, without playing its inputs."""
    lines = list(recording.lines())
    events = [(number, line["event"]) for number, line in lines if "event" in line]
    cards = KeptPromises()
    faults = ((number, cards.hear(event)) for number, event in events)
    fault = next((f"line {number}: {what}" for number, what in faults if what), "")
    if not fault and sums:
        wrong = sums(recording.header.game)(event for _, event in events)
        fault = f"line {events[wrong[0]][0]}: {wrong[1]}" if wrong else ""
    return Findings(
        kind="recording",
        rows=len(lines),
        fault=fault,
        promised=cards.promised,
        opened=cards.opened,
        people=recording.header.people,
    )


def _streams(capture: CapturedStreams, sums: SumsOf | None) -> Findings:
    """Check each stream separately, whether the streams are of several tables or of one."""
    verdicts, before = list[Findings](), dict[str, Stream]()
    for stream in capture.streams:
        verdict = _stream(stream, before.get(stream.source), sums)
        if verdict.fault and len(capture.streams) > 1:
            named = f"{stream.source}, stream {stream.name}: {verdict.fault}"
            verdict = replace(verdict, fault=named)
        verdicts.append(verdict)
        before[stream.source] = stream
    return Findings(
        kind="stream",
        rows=sum(verdict.rows for verdict in verdicts),
        fault=next((verdict.fault for verdict in verdicts if verdict.fault), ""),
        promised=sum(verdict.promised for verdict in verdicts),
        opened=sum(verdict.opened for verdict in verdicts),
        unproven=sum(verdict.unproven for verdict in verdicts),
    )


def _stream(capture: Stream, before: Stream | None, sums: SumsOf | None) -> Findings:
    told = capture.told
    events = [msgspec.json.decode(one.body) for one in told]
    fault, unproven = capture.chain(before)
    cards = KeptPromises(whole=bool(told) and told[0].seq == 1)
    for one, event in zip(told, events, strict=True):
        what = "" if fault else cards.hear(event)
        fault = fault or (f"line {one.line} (public {one.seq}): {what}" if what else "")
    if not fault and sums:
        wrong = sums(capture.game)(events)
        fault = f"line {told[wrong[0]].line}: {wrong[1]}" if wrong else ""
    return Findings(
        kind="stream",
        rows=capture.rows,
        fault=fault,
        promised=cards.promised,
        opened=cards.opened,
        unproven=unproven,
    )
