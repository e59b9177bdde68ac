"""What the broker is told: rows of the outbox and pictures of now, as MQTT messages. Pure.

Knows no client and no game. A sealed row has no message at all, so that nobody can see that
something sealed happened: not its content, its size, its moment or a gap in the numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Literal, Protocol

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.messages import Audience, Severity
from table_controller.engine.views import AlertView, PublicView, public


class Row(Protocol):
    """One event as the journal's outbox keeps it.

    Attributes:
        id: order of all rows; `seq` counts from 1 per audience.
        type: the event's name; `body`: the event as JSON.
        t_ms: when it was committed, milliseconds since 1970.
        event_id: the same after every repetition, so that a consumer can insert or ignore.
    """

    @property
    def id(self) -> int: ...
    @property
    def audience(self) -> Audience: ...
    @property
    def seq(self) -> int: ...
    @property
    def type(self) -> str: ...
    @property
    def body(self) -> bytes: ...
    @property
    def t_ms(self) -> int: ...
    @property
    def event_id(self) -> str: ...


class Message(Struct, frozen=True):
    """One MQTT publish. An empty payload clears what was retained."""

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
    """What `state` says of the table. `lost` is the last will: the broker says it for us."""

    INIT = "init"
    READY = "ready"
    ALERT = "alert"
    DISCONNECTED = "disconnected"
    LOST = "lost"


class State(Struct, frozen=True):
    """Content of `state`. `boot` tells one start of the program from the next."""

    state: TableState
    boot: str


class Info(Struct, frozen=True, kw_only=True):
    """Content of `info`: what stands at this table."""

    version: str
    house: str
    game: str
    capabilities: tuple[str, ...]
    configuration: str  # digest of the configuration
    boot: str


class Picture(Struct, frozen=True, kw_only=True):
    """Content of `snapshot`: the public picture of now, and where the public chain stands.

    Attributes:
        seq: number of the last public event that it includes.
        chain_head: hash of that row, hexadecimal; `count` is how many rows the chain has.
    """

    seq: int
    chain_head: str
    count: int
    snapshot: PublicView


class PublicAlert(Struct, frozen=True):
    """Content of `alert/<id>`: that there is one. What to do is for the staff."""

    id: str
    code: str
    severity: Severity
    acknowledged: bool


class Health(Struct, frozen=True, kw_only=True):
    """Content of `health`. None where the machine has no such meter."""

    cpu_celsius: float | None = None
    throttled: bool | None = None
    disk_free_mib: int | None = None
    memory_mib: int | None = None
    outbox_rows: int | None = None
    inbox_inputs: int | None = None


class ReadingQuality(Struct, frozen=True, kw_only=True):
    """Content of `croupier/reading`: how well the cards of the last closed Schlitten were read.

    Never of one card: the effort of a reading would be a hint.

    Attributes:
        shoe: the Schlitten's id, as in its events.
        deck: whose manifest it was read by; empty where faces were read alone.
        passages: at the lip; of these `cards` and the `white` one were read.
        retries: passages of cards that were shown again because the table asked.
        agreed: passages in which two or more witnesses said the same.
        rejects: passages without a card, by reason; `reads`: frames read, by witness.
        margins: passages by how many of their frames were read.
        late, stray: readings after their passage's verdict, and outside any passage.
        unreadable, dropped: frames that were damaged, and that nobody had time for.
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


def rfc3339(t_ms: int) -> str:
    """The moment as CloudEvents write it, in UTC to the millisecond."""
    moment = datetime.fromtimestamp(t_ms / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def event(row: Row, table: TableId) -> CloudEvent:
    """The envelope of one row; the same bytes whenever and however it is sent."""
    return CloudEvent(
        id=row.event_id,
        source=table.source,
        type=f"schlitten.{row.type}",
        time=rfc3339(row.t_ms),
        seq=row.seq,
        data=Raw(row.body),
    )


def event_message(row: Row, table: TableId) -> Message | None:
    """MQTT form of an event, or None where nobody may know it yet.

    Never retained: an event is news, not a state. `seq` counts from 1 per audience, so that
    a subscriber can see a gap, and cannot see that something sealed happened.
    """
    match row.audience:
        case Audience.PUBLIC:
            topic = table.topic("event", row.type)
        case Audience.CROUPIER:
            topic = table.topic("croupier", "event", row.type)
        case _:
            return None
    return Message(topic, msgspec.json.encode(event(row, table)))


def picture(kind: str, data: object, table: TableId) -> bytes:
    """Payload of a picture of now.

    Its id is a digest of the content: equal pictures are one message.
    """
    body = msgspec.json.encode(data)
    digest = hashlib.sha256(kind.encode() + b"\0" + body).hexdigest()[:32]
    return msgspec.json.encode(
        CloudEvent(id=digest, source=table.source, type=f"schlitten.{kind}", data=Raw(body))
    )


def state_message(state: TableState, boot: str, table: TableId) -> Message:
    """Retained `state`; also the last will, given `TableState.LOST`."""
    return Message(table.topic("state"), picture("state", State(state, boot), table), retain=True)


def info_message(info: Info, table: TableId) -> Message:
    """Retained `info`."""
    return Message(table.topic("info"), picture("info", info, table), retain=True)


def snapshot_message(now: Picture, table: TableId) -> Message:
    """Retained `snapshot`, without what only pages and board show of it."""
    now = replace(now, snapshot=public(now.snapshot))
    return Message(table.topic("snapshot"), picture("snapshot", now, table), retain=True)


def health_message(health: Health, table: TableId) -> Message:
    """`health`: QoS 0, since the next one is soon due."""
    return Message(table.topic("health"), picture("health", health, table), qos=0)


def reading_message(reading: ReadingQuality, table: TableId) -> Message:
    """Retained `croupier/reading`, for the staff."""
    topic = table.topic("croupier", "reading")
    return Message(topic, picture("croupier_reading", reading, table), retain=True)


def alert_messages(alerts: Iterable[AlertView], table: TableId) -> list[Message]:
    """Two retained messages for each open alert, as the staff sees it.

    The public one holds code and severity only; the other has what and what to do.
    Raises ValueError if an alert's id cannot stand in a topic.
    """
    told = []
    for alert in alerts:
        public = PublicAlert(alert.id, alert.code, alert.severity, alert.acknowledged)
        told += [
            Message(table.topic("alert", alert.id), picture("alert", public, table), retain=True),
            Message(
                table.topic("croupier", "alert", alert.id),
                picture("croupier_alert", alert, table),
                retain=True,
            ),
        ]
    return told


def cleared(topic: str) -> Message:
    """What takes a retained message away."""
    return Message(topic, b"", retain=True)


def answer_message(
    user: str, command: str, answer: dict[str, Any], boot: str, table: TableId
) -> Message:
    """The answer to a request. `answer` holds its `transaction` (empty if it had none)."""
    content = {"boot": boot, **answer}
    return Message(table.topic("response", user, command), picture("response", content, table))
