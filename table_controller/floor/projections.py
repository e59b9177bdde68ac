"""Makes records from a table's events: coups, phases, misreads, rulings, alerts. Pure.

The module knows no single game. It knows an event by the event's name, and all games use one name
for the same thing. Public and staff events are numbered separately, so each audience has its own
progress. The same rows always make the same records, whenever and in whatever batches they are
read.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct, field

from table_controller.engine.table.evening import RULINGS
from table_controller.floor.inbox import ToldRow
from table_controller.service.passages import COUNTED, CardsOut, Passed

#: The events that decide a coup or a deal; the fields with its number and with the winner.
SETTLES: Final = {"coup_settled": ("coup", "winner"), "deal_ended": ("deal", "winner")}
#: The events that annul a coup or a deal, and the field with its number.
ANNULS: Final = {"coup_annulled": "coup", "deal_annulled": "deal"}


class DecidedCoup(Struct, frozen=True, kw_only=True):
    """A decided coup, or a deal. Times are by the table's clock, in milliseconds since 1970.

    Attributes:
        seq: the number of the event that decided the coup.
        number: the coup's number in the evening.
        shoe: the Schlitten from which the coup was dealt.
        began_ms: when the coup before was over.
        dealt_ms: when the coup's first card was dealt.
        cards: the cards that left the Schlitten since the coup before, dealt or not.
        winner: the winner in the game's own word; "" for nobody.
        staked, taken: the sum at stake and the house's share, in smallest chips.
    """

    seq: int
    number: int
    shoe: str
    began_ms: int
    dealt_ms: int
    settled_ms: int
    cards: int
    winner: str
    staked: int
    taken: int
    annulled: bool


class PaidRecord(Struct, frozen=True):
    """The coup that the event `seq` decided has been collected and paid."""

    seq: int
    paid_ms: int


class Misread(Struct, frozen=True):
    """A passage whose reading was not sure."""

    seq: int
    t_ms: int
    reason: str


class RulingRecord(Struct, frozen=True):
    """A decision of a person outside the ordinary course. `reason` may be empty."""

    seq: int
    t_ms: int
    kind: str
    reason: str


class RefusedRecord(Struct, frozen=True):
    """An input that the table refused: `said` is its type, `rule` the rule's id or ""."""

    seq: int
    t_ms: int
    said: str
    rule: str


class Raised(Struct, frozen=True):
    """An alert was raised."""

    seq: int
    t_ms: int
    alert: str
    code: str
    severity: str


class AlertEnd(Struct, frozen=True):
    """The open alert with this id is over if `cleared` is true, and otherwise was acknowledged."""

    seq: int
    t_ms: int
    alert: str
    cleared: bool


class Staffed(Struct, frozen=True):
    """The croupier `name` leads the table from `t_ms` on."""

    seq: int
    t_ms: int
    name: str


class Read(Struct, frozen=True):
    """How well a closed Schlitten was read, from the event `reading_noted`."""

    seq: int
    t_ms: int
    shoe: str
    passages: int
    cards: int
    retries: int
    agreed: int
    rejected: int
    gaps: int


Record = (
    DecidedCoup
    | PaidRecord
    | Misread
    | RulingRecord
    | RefusedRecord
    | Raised
    | AlertEnd
    | Staffed
    | Read
)


class ReadSoFar(Struct, frozen=True, gc=False):
    """The progress in reading one audience's events. It is stored with the cursor."""

    shoe: str = ""
    since_ms: int = 0
    dealt_ms: int = 0
    cards: int = 0
    unpaid: int = 0
    passages: CardsOut = field(default_factory=CardsOut)


def project(progress: ReadSoFar, rows: list[ToldRow]) -> tuple[ReadSoFar, list[Record]]:
    """Read rows in order. Return the records made from them, and the new progress."""
    found: list[Record] = []
    for row in rows:
        try:
            fields = msgspec.json.decode(row.body, type=dict[str, Any])
        except (ValueError, RecursionError):
            continue  # every row is stored, but nothing can be read from this one
        records, progress = _read(progress, row, fields)
        found += records
    return progress, found


def _read(now: ReadSoFar, row: ToldRow, said: dict[str, Any]) -> tuple[list[Record], ReadSoFar]:
    found = _noted(row, said)
    kind = row.kind
    if kind in COUNTED:
        now = _passed(now, row, said)
    if kind == "schlitten_ready":
        now = ReadSoFar(_text(said, "shoe"), since_ms=row.t_ms)
    elif kind in SETTLES or kind in ANNULS:
        found.append(_coup(now, row, said))
        unpaid = row.seq if kind in SETTLES else 0
        now = ReadSoFar(now.shoe, since_ms=row.t_ms, unpaid=unpaid, passages=now.passages)
    elif kind == "coup_paid" and now.unpaid:
        found.append(PaidRecord(now.unpaid, row.t_ms))
        now = msgspec.structs.replace(now, since_ms=row.t_ms, unpaid=0)
    return found, now


def _passed(now: ReadSoFar, row: ToldRow, said: dict[str, Any]) -> ReadSoFar:
    passages = msgspec.structs.replace(now.passages)
    about = Passed(_count(said, "ordinal"), _text(said, "reason"), _text(said, "ruling"))
    change, drawn = passages.read(row.kind, about)
    dealt = now.dealt_ms or (row.t_ms if drawn else 0)
    return msgspec.structs.replace(now, dealt_ms=dealt, cards=now.cards + change, passages=passages)


def _coup(now: ReadSoFar, row: ToldRow, said: dict[str, Any]) -> DecidedCoup:
    number, winner = SETTLES.get(row.kind, (ANNULS.get(row.kind, ""), ""))
    return DecidedCoup(
        seq=row.seq,
        number=_count(said, number),
        shoe=now.shoe,
        began_ms=now.since_ms or row.t_ms,
        dealt_ms=now.dealt_ms or row.t_ms,
        settled_ms=row.t_ms,
        cards=now.cards,
        winner=_text(said, winner)[:40] or str(_count(said, winner) or ""),
        staked=_count(said, "staked"),
        taken=_count(said, "cagnotte") + _count(said, "commission"),
        annulled=row.kind in ANNULS,
    )


def _noted(row: ToldRow, said: dict[str, Any]) -> list[Record]:
    seq, t_ms = row.seq, row.t_ms
    if row.kind in RULINGS:
        return [RulingRecord(seq, t_ms, row.kind, _text(said, RULINGS[row.kind].why))]
    match row.kind:
        case "card_unread":
            return [Misread(seq, t_ms, _text(said, "reason"))]
        case "refused":
            return [
                RefusedRecord(seq, t_ms, _text(said, "said").partition(" ")[0], _text(said, "rule"))
            ]
        case "alert_raised":
            code, severity = _text(said, "code"), _text(said, "severity")
            return [Raised(seq, t_ms, _text(said, "id"), code, severity)]
        case "alert_seen" | "alert_cleared":
            return [AlertEnd(seq, t_ms, _text(said, "id"), row.kind == "alert_cleared")]
        case "staff_changed":
            return [Staffed(seq, t_ms, _text(said, "name"))]
        case "reading_noted":
            counts = {name: _count(said, name) for name in Read.__struct_fields__[3:]}
            return [Read(seq, t_ms, _text(said, "shoe"), **counts)]
    return []


def _text(said: dict[str, Any], name: str) -> str:
    value = said.get(name)
    return value[:200].replace("\0", "") if isinstance(value, str) else ""


def _count(said: dict[str, Any], name: str) -> int:
    value = said.get(name)
    return value if type(value) is int and abs(value) < 2**53 else 0
