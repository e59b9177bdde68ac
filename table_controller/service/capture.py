"""A captured stream: what somebody outside wrote down of a table's messages, one per line.

Lines are CloudEvents, or `{"topic": …, "payload": …}` with one as payload. Events told twice
count once; snapshots bring anchors. Knows the envelope and the public chain, no broker.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from table_controller.service.errors import VerifyError
from table_controller.service.rows import FIRST_LINK, Anchor, link


class Told(Struct, frozen=True, gc=False):
    """A public event as captured at `line`."""

    line: int
    seq: int
    t_ms: int
    body: bytes


class _Message(Struct, frozen=True):
    """A line of a capture: a CloudEvent, or a topic with one as its payload."""

    id: str = ""
    type: str = ""
    time: str = ""
    seq: int = 0
    data: Raw | UnsetType = UNSET
    payload: Raw | UnsetType = UNSET


class _Shown(Struct, frozen=True):
    """What was played."""

    game: str = ""


class _Picture(Struct, frozen=True):
    """Where the public chain stood, as a snapshot says."""

    count: int
    chain_head: str
    snapshot: _Shown = _Shown()


class Capture:
    """A stream from a file, sorted. Raises VerifyError at a line that is no message.

    Attributes:
        told: the public events in order of `seq`, each once.
        rows: how many public and croupier events there are.
        game: as a snapshot among them says, or "".
    """

    def __init__(self, path: Path, anchors: Sequence[Anchor] = ()) -> None:
        self._public: dict[int, Told] = {}
        self._croupier: dict[int, bytes] = {}
        self._anchors = {anchor.count: anchor.head for anchor in anchors}
        self._fault = self.game = ""
        with path.open("rb") as file:
            for number, text in enumerate(file, 1):
                try:
                    fault = self._hear(number, text) if text.strip() else ""
                except (msgspec.DecodeError, UnicodeDecodeError, ValueError):
                    raise VerifyError(
                        f"{path}, line {number}: neither a journal, a recording, nor a captured "
                        'message ({"topic":…,"payload":…} or a CloudEvent). Capture it again.'
                    ) from None
                self._fault = self._fault or fault
        self.told = [self._public[seq] for seq in sorted(self._public)]
        self.rows = len(self._public) + len(self._croupier)

    def chain(self) -> tuple[str, int]:
        """Return the first row that is missing or off the chain, and the number of unproven."""
        fault = (
            self._fault
            or _gap(sorted(self._public), "public")
            or _gap(sorted(self._croupier), "croupier")
        )
        if fault or not self.told:
            return fault, len(self.told)
        head = FIRST_LINK if self.told[0].seq == 1 else self._anchor(self.told[0].seq - 1)
        unproven = 0
        for one in self.told:
            unproven += 1
            anchor = self._anchor(one.seq)
            if head is None:
                head = anchor  # the capture began amid the chain: it is known from here on
                continue
            head = link(head, one.seq, one.t_ms, one.body)
            if anchor not in (None, head):
                return f"up to line {one.line} (public {one.seq}) a row was altered", unproven
            unproven = 0 if anchor else unproven
        last, had = self.told[-1].seq, max(self._anchors, default=0)
        if had > last:
            fault = f"it ends at public row {last}, but the table had {had}: its tail is missing"
        return fault, unproven

    def _anchor(self, count: int) -> bytes | None:
        head = self._anchors.get(count)
        return None if head is None else bytes.fromhex(head)

    def _hear(self, number: int, text: bytes) -> str:
        message = _message(text)
        if message is None:
            return ""
        if message.type == "schlitten.snapshot":
            picture = msgspec.json.decode(_data(message), type=_Picture)
            bytes.fromhex(picture.chain_head)
            self.game = picture.snapshot.game
            known = self._anchors.setdefault(picture.count, picture.chain_head)
            agree = known == picture.chain_head
            return "" if agree else f"line {number}: another head of public row {picture.count}"
        return self._event(number, message)

    def _event(self, number: int, message: _Message) -> str:
        audience = message.id.rpartition("-")[0].rpartition("-")[2]
        if audience == "sealed":
            return f"line {number}: a sealed event was published"
        if audience == "croupier":
            body = _data(message)
            same = self._croupier.setdefault(message.seq, body) == body
        elif audience == "public":
            told = Told(number, message.seq, _t_ms(message.time), _data(message))
            known = self._public.setdefault(message.seq, told)
            same = (known.t_ms, known.body) == (told.t_ms, told.body)
        else:
            return ""  # health, answers, other pictures
        return "" if same else f"line {number}: {audience} row {message.seq} was told otherwise"


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
    """Return the event as the journal has it: without blanks that a tool may have put in."""
    if message.data is UNSET:
        raise ValueError("no data")
    return msgspec.json.format(bytes(message.data), indent=-1)


def _t_ms(time: str) -> int:
    since = datetime.fromisoformat(time) - datetime.fromisoformat("1970-01-01T00:00:00Z")
    return since // timedelta(milliseconds=1)


def _gap(seqs: list[int], audience: str) -> str:
    for before, after in pairwise(seqs):
        if after != before + 1:
            return f"{audience} row {before + 1} is missing (the next one is {after})"
    return ""
