"""The messages of a table at the broker, made from rows of the outbox and from current pictures.

The module is pure, and knows no client and no game. A sealed row has no message at all. So nobody
can see that something sealed happened: not its content, its size, its time or a gap in the numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.messages import Audience, Severity
from table_controller.engine.views import AlertView, PublicView, public
from table_controller.service.rows import Row, told_as


class Message(Struct, frozen=True):
    """A message to publish. An empty payload deletes a retained message."""

    topic: str
    payload: bytes
    qos: int = 1
    retain: bool = False


class CloudEvent(Struct, frozen=True, kw_only=True):
    """The envelope of every payload: CloudEvents 1.0, structured JSON.

    `seq` is our extension: the event's number within its audience.
    """

    specversion: Literal["1.0"] = "1.0"
    id: str
    source: str
    type: str
    time: str | UnsetType = UNSET
    seq: int | UnsetType = UNSET
    datacontenttype: Literal["application/json"] = "application/json"
    data: Raw


class TableState(StrEnum):
    """The value of `state`. `lost` is the last will, which the broker publishes for us."""

    READY = "ready"
    ALERT = "alert"
    DISCONNECTED = "disconnected"
    LOST = "lost"


class State(Struct, frozen=True):
    """Content of `state`. `boot` names this start of the program, to tell starts apart."""

    state: TableState
    boot: str


class Info(Struct, frozen=True, kw_only=True):
    """Content of `info`: the game, house and program at this table."""

    version: str
    house: str
    game: str
    capabilities: tuple[str, ...]
    configuration: str  # digest of the configuration
    boot: str
    limits: dict[str, int] = {}  # of stakes and bank, by their settings; no entry means no limit


class ChainedSnapshot(Struct, frozen=True, kw_only=True):
    """Content of `snapshot`: the current public picture, and the end of the public chain.

    Attributes:
        seq: the number of the last public event that the picture includes.
        chain_head: the hash of that event's row, hexadecimal; `count`: the rows in the chain.
        stream: the stream of these events. There is a new one once a copy was restored.
    """

    seq: int
    chain_head: str
    count: int
    stream: str = ""
    snapshot: PublicView


class StaffPicture(Struct, frozen=True, kw_only=True):
    """Content of `croupier/picture`: the parts of the picture that only the staff may see.

    Attributes:
        seq: the number of the last event for the staff. A client that has not got this event asks
            for `replay`.
        stream: as in `snapshot`.
    """

    seq: int
    stream: str


class PublicAlert(Struct, frozen=True):
    """Content of `alert/<id>`: an open alert. Only the staff's message also names the remedy."""

    id: str
    code: str
    severity: Severity
    acknowledged: bool


class Health(Struct, frozen=True, kw_only=True):
    """Content of `health`. A field is None if the machine has no such meter."""

    cpu_celsius: float | None = None
    throttled: bool | None = None
    disk_free_mib: int | None = None
    memory_mib: int | None = None
    inbox_inputs: int | None = None


class ReadingQuality(Struct, frozen=True, kw_only=True):
    """Content of `croupier/reading`: how well the cards of the last closed Schlitten were read.

    It never describes a single card, since the difficulty of reading a card would be a hint.

    Attributes:
        shoe: the Schlitten's id, as in its events.
        deck: the deck whose manifest was used; "" if only faces were read.
        passages: all passages at the lip; `cards` and `white`: the passages that were read as a
            card, and as the white card.
        retries: passages of cards that were shown again because the table asked for it.
        agreed: passages on which two or more witnesses agreed.
        rejects: passages without a card, by reason; `reads`: frames read, by witness.
        margins: how many passages had 0, 1, 2 … frames that a witness read, by that number of
            frames.
        late: readings that came after their passage's verdict; `stray`: readings outside any
            passage.
        unreadable: frames that were damaged; `dropped`: frames that were skipped for lack of time.
        gaps: how often the lip was unobserved for a moment, so that a card may have left unseen.
    """

    shoe: str
    camera: str
    deck: str
    passages: int
    cards: int
    white: int
    retries: int
    agreed: int
    rejects: dict[str, int]
    reads: dict[str, int]
    margins: dict[int, int]
    late: int
    stray: int
    unreadable: int
    dropped: int
    gaps: int = 0


def rfc3339(t_ms: int) -> str:
    """Return a time as CloudEvents write it: RFC 3339, UTC, with milliseconds."""
    moment = datetime.fromtimestamp(t_ms / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def event(row: Row, table: TableId) -> CloudEvent:
    """Return the CloudEvent of one row. It has the same bytes whenever and however it is sent."""
    return CloudEvent(
        id=row.event_id,
        source=row.source or table.source,
        type=told_as(row.type),
        time=rfc3339(row.t_ms),
        seq=row.seq,
        data=Raw(row.body),
    )


def event_message(row: Row, table: TableId) -> Message | None:
    """Return the MQTT message of an event; None for a sealed event.

    The message is never retained, as an event is news, not a state. `seq` counts from 1 for each
    audience. So a subscriber notices a lost message, but cannot notice a sealed event.
    """
    match row.audience:
        case Audience.PUBLIC:
            topic = table.topic("event", row.type)
        case Audience.CROUPIER:
            topic = table.topic("croupier", "event", row.type)
        case _:
            return None
    return Message(topic, msgspec.json.encode(event(row, table)))


def current(
    kind: str,
    data: object,
    table: TableId,
    *below: str,
    qos: int = 1,
    retain: bool = True,
    t_ms: int | None = None,
) -> Message:
    """Return the message of a state, by default retained.

    Its topic is `kind` and the levels `below`. In `kind` an underscore separates levels:
    `croupier_alert` is published at `croupier/alert`. The message's id is a digest of the content,
    so equal contents are one message. Raises ValueError if a level cannot be part of a topic.
    """
    body = msgspec.json.encode(data)
    digest = hashlib.sha256(kind.encode() + b"\0" + body).hexdigest()[:32]
    time = UNSET if t_ms is None else rfc3339(t_ms)
    told = CloudEvent(
        id=digest, source=table.source, type=f"schlitten.{kind}", time=time, data=Raw(body)
    )
    topic = table.topic(*kind.split("_"), *below)
    return Message(topic, msgspec.json.encode(told), qos, retain)


def state_message(state: TableState, boot: str, table: TableId) -> Message:
    """Return the message of `state`. With `TableState.LOST` it is the table's last will."""
    return current("state", State(state, boot), table)


def snapshot_message(now: ChainedSnapshot, table: TableId) -> Message:
    """Return the message of `snapshot`, without the parts that only pages and board show."""
    return current("snapshot", replace(now, snapshot=public(now.snapshot)), table)


def health_message(health: Health, table: TableId, t_ms: int | None = None) -> Message:
    """Return the message of `health`, with QoS 0 and not retained: the next one follows soon.

    `t_ms` is the table's time, from which a reader can tell whether the table's clock is right.
    """
    return current("health", health, table, qos=0, retain=False, t_ms=t_ms)


def alert_messages(alert: AlertView, table: TableId) -> Iterator[Message]:
    """Yield the two messages of an open alert. `alert` is the staff's view of the alert.

    The public message contains only code and severity. The staff's message also names the fault and
    the remedy. Raises ValueError if the alert's id cannot be part of a topic.
    """
    told = PublicAlert(alert.id, alert.code, alert.severity, alert.acknowledged)
    yield current("alert", told, table, alert.id)
    yield current("croupier_alert", alert, table, alert.id)


def cleared(topic: str) -> Message:
    """Return the message that deletes the retained message at a topic."""
    return Message(topic, b"", retain=True)


def answer_message(
    user: str, command: str, answer: dict[str, Any], boot: str, table: TableId
) -> Message:
    """Return the answer to a request. `answer` contains the request's `transaction` id, or ""."""
    return current("response", {"boot": boot, **answer}, table, user, command, retain=False)
