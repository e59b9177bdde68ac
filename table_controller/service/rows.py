"""The rows of a journal, and the two chains over them. The module knows no file and no game.

The public chain is `link = SHA-256(previous link, seq, t_ms, envelope, body)` over public rows. The
chain begins with 32 zero bytes; seq and t_ms are eight bytes each. The envelope `id source type` is
preceded by its length in four bytes. Rows of versions that did not journal their starts have no
envelope. Anybody who has the messages can compute this chain.

The inner chain is an HMAC over every row's stored bytes. The chain covers the ciphertext of sealed
rows, since anybody could find a card from the card's hash in 52 tries.
"""

from __future__ import annotations

import hashlib
import hmac
from enum import IntEnum
from struct import Struct as Packed

from msgspec import Struct

from table_controller.engine.messages import Audience

FORMAT = 1
FIRST_LINK = bytes(32)

_LINK = Packed(">qq").pack
_INPUT = Packed(">cQqBQii").pack
_BESIDE = Packed(">ii").pack
_EVENT = Packed(">cQQqQiiii").pack


class Outcome(IntEnum):
    """What became of an input: accepted, refused, or failed because of a fault in the program."""

    TAKEN = 0
    REFUSED = 1
    FAILED = 2
    """The program failed on the input. Replay skips the input, since nothing changed."""


class Header(Struct, frozen=True, kw_only=True):
    """The identity of a journal, written once. The inner chain begins with this header.

    Attributes:
        format: the version of the database tables.
        journal: a random id, to which sealed fields and event ids are bound.
        game, house: as `chemin-de-fer`, `zoppot-1934`.
        code: the version of the program that began the journal.
        key: the check of the key that sealed the journal (`Keys.check`).
    """

    format: int
    journal: str
    game: str
    house: str
    code: str
    key: str


class Row(Struct, frozen=True, gc=False):
    """An event that may be published. Its `event_id` never changes, so readers recognise a repeat.

    `source` is the table's name when the event was journaled. It is "" in older rows.
    """

    id: int
    audience: Audience
    seq: int
    type: str
    body: bytes
    t_ms: int
    event_id: str
    source: str = ""


class InputRow(Struct, frozen=True, gc=False):
    """An input as stored. `body` is JSON, or None if the input is sealed.

    `upto` is the id of the newest event once this input was journaled. `save` is the sealed state,
    if the input closed a Schlitten. `money` is the money at each place, if the input moved money.
    """

    n: int
    t_ms: int
    outcome: int
    upto: int
    body: bytes | None
    sealed: bytes | None
    mac: bytes = b""
    save: bytes | None = None
    money: bytes | None = None


class Pressed(Struct, frozen=True, gc=False):
    """The id of a press, and whether it changed anything. A repeated press gets this answer."""

    id: str
    changed: bool


class EventRow(Struct, frozen=True, gc=False):
    """An event as stored. Only public rows have a `link`."""

    id: int
    n: int
    t_ms: int
    audience: str
    seq: int
    type: str
    body: bytes | None
    sealed: bytes | None
    link: bytes | None
    mac: bytes = b""


class Boot(Struct, frozen=True, gc=False):
    """A start of the service. Its names are in all messages after input `after`.

    Attributes:
        id: a random id; "" for versions that did not journal their starts.
        source: the table's name in its messages.
        stream: the stream of its events. There is a new one once a copy of the journal was
            restored.
    """

    after: int
    stream: str
    id: str = ""
    source: str = ""

    def event_id(self, audience: str, seq: int) -> str:
        """Return an event's permanent name, made from its `seq`, its number for its audience.

        Sealed events leave no gap in these numbers. Two starts from the same copy of a journal give
        different names to their events.
        """
        start = f"{self.stream}-{self.id[:BOOT_DIGITS]}" if self.id else self.stream
        return f"{start}-{audience}-{seq}"

    def envelope(self, audience: str, seq: int, kind: str) -> bytes:
        """Return the part of a message, besides its time and body, that the public chain covers."""
        if not self.id:
            return b""
        return f"{self.event_id(audience, seq)} {self.source} {told_as(kind)}".encode()

    def told(self, row: EventRow) -> Row:
        """Return an event of this start in the form in which it is published.

        `row` must not be a sealed event.
        """
        named = self.event_id(row.audience, row.seq)
        audience = Audience(row.audience)
        return Row(
            row.id, audience, row.seq, row.type, row.body or b"", row.t_ms, named, self.source
        )


#: How many digits of a start's id are in the ids of its events.
BOOT_DIGITS = 16


def told_as(kind: str) -> str:
    """Return the type of the message that publishes an event of this kind."""
    return f"schlitten.{kind}"


class Anchor(Struct, frozen=True, gc=False):
    """The length of the public chain and its end (hex). Each `snapshot` contains an anchor.

    `stream` is the chain's stream, or "" in anchors of versions that could not restore copies. An
    anchor written next to a copy of the journal also contains the end of the inner chain: `mac`,
    after input `n`.
    """

    count: int
    head: str
    stream: str = ""
    n: int = 0
    mac: str = ""


def link(previous: bytes, seq: int, t_ms: int, body: bytes, envelope: bytes = b"") -> bytes:
    """Return the next link of the public chain."""
    bound = len(envelope).to_bytes(4) + envelope if envelope else b""
    return hashlib.sha256(previous + _LINK(seq, t_ms) + bound + body).digest()


def first_mac(key: bytes, header: bytes) -> bytes:
    """Return the first value of the inner chain, which covers the header's stored bytes."""
    return hmac.digest(key, b"header" + header, "sha256")


def input_mac(key: bytes, previous: bytes, row: InputRow, boot: Boot) -> bytes:
    """Return the inner chain's next value, over an input's stored bytes, saved state and money.

    In rows of versions that did not journal their starts, this value covers neither saved state nor
    money.
    """
    body, sealed = row.body, row.sealed
    head = _INPUT(b"i", row.n, row.t_ms, row.outcome, row.upto, _length(body), _length(sealed))
    told = previous + head + (body or b"") + (sealed or b"")
    if boot.id:
        told += _BESIDE(_length(row.save), _length(row.money))
        told += (row.save or b"") + (row.money or b"")
    return hmac.digest(key, told, "sha256")


def event_mac(key: bytes, previous: bytes, row: EventRow) -> bytes:
    """Return the inner chain's next value, over an event's stored bytes."""
    words = f"{row.audience} {row.type}".encode()
    body, sealed = row.body, row.sealed
    sizes = len(words), _length(body), _length(sealed), _length(row.link)
    head = _EVENT(b"e", row.id, row.n, row.t_ms, row.seq, *sizes)
    told = (body or b"") + (sealed or b"") + (row.link or b"")
    return hmac.digest(key, previous + head + words + told, "sha256")


def _length(part: bytes | None) -> int:
    return -1 if part is None else len(part)
