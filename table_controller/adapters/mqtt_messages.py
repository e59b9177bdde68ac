"""The published messages: rows of the outbox and current pictures, as MQTT messages.

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
    """One MQTT publish. An empty payload clears a retained message."""

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
    """Content of `state`. `boot` tells one start of the program from the next."""

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
        seq: the number of the last public event in it.
        chain_head: the hash of that row, hexadecimal; `count`: the number of rows in the chain.
        stream: the stream of these events. There is a new one once a copy was restored.
    """

    seq: int
    chain_head: str
    count: int
    stream: str = ""
    snapshot: PublicView


class StaffPicture(Struct, frozen=True, kw_only=True):
    """Content of `croupier/picture`: the staff's additions to `snapshot`.

    Attributes:
        seq: the number of the last event for the staff. A client that has fewer asks `replay`.
        stream: as in `snapshot`.
    """

    seq: int
    stream: str


class PublicAlert(Struct, frozen=True):
    """Content of `alert/<id>`: an open alert. Only the staff is told the remedy."""

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

    It is never about a single card, since the difficulty of reading a card would be a hint.

    Attributes:
        shoe: the Schlitten's id, as in its events.
        deck: the deck whose manifest was used. It is empty if only faces were read.
        passages: all passages at the lip; `cards` and `white`: those that were read.
        retries: passages of cards that were shown again because the table asked for it.
        agreed: passages on which two or more witnesses agreed.
        rejects: passages without a card, by reason; `reads`: frames read, by witness.
        margins: passages by the number of their frames that were read.
        late, stray: readings after their passage's verdict, and outside any passage.
        unreadable, dropped: frames that were damaged, and frames skipped for lack of time.
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
    """The time as CloudEvents write it, in UTC to the millisecond."""
    moment = datetime.fromtimestamp(t_ms / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def event(row: Row, table: TableId) -> CloudEvent:
    """The envelope of one row. It always has the same bytes, whenever and however it is sent."""
    return CloudEvent(
        id=row.event_id,
        source=row.source or table.source,
        type=told_as(row.type),
        time=rfc3339(row.t_ms),
        seq=row.seq,
        data=Raw(row.body),
    )


def event_message(row: Row, table: TableId) -> Message | None:
    """The MQTT message of an event, or None if nobody may know the event yet.

    It is never retained, as an event is news, not a state. `seq` counts from 1 per audience. So a
    subscriber can see a gap, but cannot see that something sealed happened.
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
    """A retained state. `croupier_alert` is published at `croupier/alert`, at the levels `below`.

    Its id is a digest of the content, so equal contents are one message. Raises ValueError if a
    level cannot be part of a topic.
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
    """The message of `state`. Given `TableState.LOST`, it is also the last will."""
    return current("state", State(state, boot), table)


def snapshot_message(now: ChainedSnapshot, table: TableId) -> Message:
    """The message of `snapshot`, without the parts that only pages and board show."""
    return current("snapshot", replace(now, snapshot=public(now.snapshot)), table)


def health_message(health: Health, table: TableId, t_ms: int | None = None) -> Message:
    """`health`: QoS 0 and not retained, since the next one follows soon.

    `t_ms` is the table's time: so whoever hears it knows whether the table's clock is right.
    """
    return current("health", health, table, qos=0, retain=False, t_ms=t_ms)


def alert_messages(alert: AlertView, table: TableId) -> Iterator[Message]:
    """The two messages of an open alert. `alert` is as the staff sees it.

    The public message contains only code and severity. The staff's message also names the fault and
    the remedy. Raises ValueError if the alert's id cannot be part of a topic.
    """
    told = PublicAlert(alert.id, alert.code, alert.severity, alert.acknowledged)
    yield current("alert", told, table, alert.id)
    yield current("croupier_alert", alert, table, alert.id)


def cleared(topic: str) -> Message:
    """The message that clears a retained message."""
    return Message(topic, b"", retain=True)


def answer_message(
    user: str, command: str, answer: dict[str, Any], boot: str, table: TableId
) -> Message:
    """The answer to a request. `answer` contains its `transaction` (empty if it had none)."""
    return current("response", {"boot": boot, **answer}, table, user, command, retain=False)
