"""A captured stream: a table's messages as a program at the broker recorded them, one per line.

Each line is a CloudEvent, or `{"topic": …, "payload": …}` with a CloudEvent as its payload. An
event that was sent twice counts once. Snapshots contain anchors. The module knows the envelope and
the public chain, but no broker.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from table_controller.service.errors import VerifyError
from table_controller.service.rows import FIRST_LINK, Anchor, link, told_as


class CapturedEvent(Struct, frozen=True, gc=False):
    """A public event, captured at `line`. The chain covers all the other fields."""

    line: int
    seq: int
    t_ms: int
    body: bytes
    envelope: bytes = b""


class _Message(Struct, frozen=True):
    """One line of a capture: a CloudEvent, or a topic with a CloudEvent as its `payload`."""

    id: str = ""
    source: str = ""
    type: str = ""
    specversion: str = "1.0"
    datacontenttype: str = "application/json"
    time: str = ""
    seq: int = 0
    data: Raw | UnsetType = UNSET
    payload: Raw | UnsetType = UNSET


class _Shown(Struct, frozen=True):
    """The part of a snapshot message that names the game."""

    game: str = ""


class _Picture(Struct, frozen=True):
    """The part of a snapshot message that contains the end of the public chain."""

    count: int
    chain_head: str
    stream: str = ""
    snapshot: _Shown = _Shown()


class Stream:
    """The captured events of one stream of a table.

    Attributes:
        source, name: the names of the table and of the stream.
        told: the public events in order of `seq`, each once.
        game: the game's name in one of the snapshots, or "".
        heads: the chain's value after each public event, where it is known, by the event's `seq`.
    """

    def __init__(self, source: str, name: str) -> None:
        self.source, self.name, self.game = source, name, ""
        self.heads: dict[int, bytes] = {}
        self._public: dict[int, CapturedEvent] = {}
        self._croupier: dict[int, bytes] = {}
        self._anchors: dict[int, bytes] = {}
        self._fault = ""

    @property
    def told(self) -> list[CapturedEvent]:
        """The public events in order, each once."""
        return [self._public[seq] for seq in sorted(self._public)]

    @property
    def rows(self) -> int:
        """The number of captured events, public and for the croupier."""
        return len(self._public) + len(self._croupier)

    def anchor(self, anchor: Anchor, where: str) -> None:
        """Note an anchor of this stream. `where` names the anchor in an error."""
        head = bytes.fromhex(anchor.head)
        if self._anchors.setdefault(anchor.count, head) != head:
            self._amiss(f"{where}: another head of public row {anchor.count}")

    def hear(self, number: int, audience: str, message: _Message) -> None:
        """Note an event of this audience, which the capture has in line `number`."""
        if audience == "sealed":
            self._amiss(f"line {number}: a sealed event was published")
            return
        body, bound = _data(message), _bound(message)
        if audience == "croupier":
            same = self._croupier.setdefault(message.seq, body) == body
        else:
            told = CapturedEvent(number, message.seq, _t_ms(message.time), body, bound)
            known = self._public.setdefault(message.seq, told)
            same = (known.t_ms, known.body, known.envelope) == (told.t_ms, body, bound)
        if not same:
            self._amiss(f"line {number}: {audience} row {message.seq} was told otherwise")
        elif bound and not _fits(message, body):
            self._amiss(f"line {number}: the message is not named as its event")

    def chain(self, before: Stream | None = None) -> tuple[str, int]:
        """Return the first fault, or "", and the number of public events that no anchor covers.

        If a copy of the journal was restored, `before` is the table's stream before the
        restoration.
        """
        told = self.told
        fault = (
            self._fault
            or _gap(sorted(self._public), "public")
            or _gap(sorted(self._croupier), "croupier")
        )
        if fault or not told:
            return fault, len(told)
        first = told[0].seq - 1
        head = FIRST_LINK if not first else self._anchors.get(first)
        if head is None and before:
            head = before.heads.get(first)
        unproven = 0
        for one in told:
            unproven += 1
            anchor = self._anchors.get(one.seq)
            if head is None:
                head = anchor  # the capture began in mid-chain, and its value is known from here on
                continue
            head = self.heads[one.seq] = link(head, one.seq, one.t_ms, one.body, one.envelope)
            if anchor not in (None, head):
                return f"up to line {one.line} (public {one.seq}) a row was altered", unproven
            unproven = 0 if anchor else unproven
        last, had = told[-1].seq, max(self._anchors, default=0)
        if had > last:
            fault = f"it ends at public row {last}, but the table had {had}: its tail is missing"
        return fault, unproven

    def _amiss(self, fault: str) -> None:
        self._fault = self._fault or fault


class CapturedStreams:
    """The messages of a capture, sorted by table and stream. Raises VerifyError.

    Attributes:
        streams: one for each stream that has an event, in the order in which they began.
    """

    def __init__(self, path: Path, anchors: Sequence[Anchor] = ()) -> None:
        self._streams: dict[tuple[str, str], Stream] = {}
        self._pictures: dict[str, list[tuple[int, _Picture]]] = {}
        with path.open("rb") as file:
            for number, text in enumerate(file, 1):
                try:
                    if text.strip():
                        self._hear(number, text)
                except ValueError:  # also raised for invalid JSON or UTF-8
                    raise VerifyError(
                        f"{path}, line {number}: neither a journal, a recording, nor a captured "
                        'message ({"topic":…,"payload":…} or a CloudEvent). Capture it again.'
                    ) from None
        self.streams = list(self._streams.values())
        for source, pictures in self._pictures.items():
            for number, picture in pictures:
                self._anchor(source, number, picture)
        for anchor in anchors:
            for stream in self.streams:
                if anchor.stream in ("", stream.name):
                    stream.anchor(anchor, "the anchor")

    def _anchor(self, source: str, number: int, picture: _Picture) -> None:
        """Note a snapshot's anchor in the stream to which it belongs."""
        for stream in self.streams:
            if stream.source == source and picture.stream in ("", stream.name):
                anchor = Anchor(picture.count, picture.chain_head, stream.name)
                stream.game = picture.snapshot.game
                stream.anchor(anchor, f"line {number}")
                return

    def _hear(self, number: int, text: bytes) -> None:
        message = _message(text)
        if message is None:
            return
        if message.type == "schlitten.snapshot":
            picture = msgspec.json.decode(_data(message), type=_Picture)
            bytes.fromhex(picture.chain_head)
            self._pictures.setdefault(message.source, []).append((number, picture))
            return
        start, _, audience = message.id.rpartition("-")[0].rpartition("-")
        if audience in ("public", "croupier", "sealed"):
            key = message.source, start.partition("-")[0]
            stream = self._streams.setdefault(key, Stream(*key))
            stream.hear(number, audience, message)


class _Kind(Struct, frozen=True):
    """The part of an event that names its type."""

    type: str = ""


def _message(text: bytes) -> _Message | None:
    message = msgspec.json.decode(text, type=_Message)
    if message.payload is UNSET:
        if not message.id:
            raise ValueError("no CloudEvent")
        return message
    payload = bytes(message.payload)
    if payload.startswith(b'"'):
        payload = msgspec.json.decode(payload, type=str).encode()
    if not payload or payload == b"null":
        return None  # a retained message was cleared
    return msgspec.json.decode(payload, type=_Message)


def _data(message: _Message) -> bytes:
    """Return the event as the journal contains it, without spaces that a tool may have added."""
    if message.data is UNSET:
        raise ValueError("no data")
    return msgspec.json.format(bytes(message.data), indent=-1)


def _bound(message: _Message) -> bytes:
    """Return the part of a message that the chain covers.

    The part is empty if the message is from a version that did not journal its starts.
    """
    parts = message.id.split("-")
    return f"{message.id} {message.source} {message.type}".encode() if len(parts) > 3 else b""


def _fits(message: _Message, body: bytes) -> bool:
    """Whether the message's type and id agree with its event, and its format is the one we send."""
    kind = msgspec.json.decode(body, type=_Kind).type
    plain = (message.specversion, message.datacontenttype) == ("1.0", "application/json")
    named = message.type == told_as(kind) and message.id.endswith(f"-{message.seq}")
    return plain and named


def _t_ms(time: str) -> int:
    since = datetime.fromisoformat(time) - datetime.fromisoformat("1970-01-01T00:00:00Z")
    return since // timedelta(milliseconds=1)


def _gap(seqs: list[int], audience: str) -> str:
    for before, after in pairwise(seqs):
        if after != before + 1:
            return f"{audience} row {before + 1} is missing (the next one is {after})"
    return ""
