"""The tables as they are now, from their retained messages. Kept in memory."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta, Raw, Struct, field

from table_controller.adapters.mqtt_messages import Health, Info, State, TableState
from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.messages import Phrase
from table_controller.engine.views import AlertView, PublicView
from table_controller.floor import sanitising
from table_controller.floor.faults import CHANGES, GRAVE, NOTE_S, FaultCode, Odd
from table_controller.floor.inbox import Foreign

#: A killed broker publishes no last will. So a table without `health` for this long is silent.
SILENT_S: Final = 35.0
#: How many alerts of one table are kept, and how long the id of one may be.
MOST_ALERTS: Final = 100
MOST_ID: Final = 64


class Chain(Struct, frozen=True):
    """The last number, the stream and the chain's end that a table sends with a picture.

    They can be read even if the picture cannot.
    """

    seq: Annotated[int, Meta(ge=0, le=2**62)]
    stream: str
    chain_head: str = ""
    snapshot: Raw = Raw(b"null")


class _Said(Struct, frozen=True):
    source: str
    data: Raw
    time: str = ""


_SAID = msgspec.json.Decoder(_Said)


class ShownTable(Struct):
    """One table as it is now. Times are in seconds, by the clock that `LiveTables` was given."""

    at: TableId
    state: TableState = TableState.LOST
    boot: str = ""
    info: Info | None = None
    info_at: float = 0.0
    health: Health | None = None
    heard_at: float = 0.0
    said_time: str = ""
    began_at: float = 0.0
    alerts: dict[str, AlertView] = field(default_factory=dict)
    raised_at: dict[str, float] = field(default_factory=dict)
    fault: str = ""
    fault_at: float = 0.0
    odd: dict[FaultCode, tuple[Phrase, float]] = field(default_factory=dict)
    turn: int = 0
    raw: bytes = b""
    read: tuple[bytes, PublicView | None] = (b"", None)

    def picture(self) -> PublicView | None:
        """The present public picture, made safe to show; None if there is none that can be read."""
        if self.read[0] is not self.raw:
            try:
                seen = sanitising.picture(msgspec.json.decode(self.raw, type=PublicView))
            except (ValueError, RecursionError):
                seen = None
            self.read = self.raw, seen
        return self.read[1]

    def silent(self, now: float) -> bool:
        """Whether the table is connected, but no `health` has come for a while."""
        there = self.state in (TableState.READY, TableState.ALERT)
        return there and now - max(self.heard_at, self.began_at) > SILENT_S


class LiveTables:
    """The retained messages of every table."""

    def __init__(self) -> None:
        self.tables: dict[TableId, ShownTable] = {}
        self.turn = 0
        """The number of changes so far."""

    def stood(self, pause_s: float) -> None:
        """The floor stood still for `pause_s`: nobody is silent because of that."""
        for one in self.tables.values():
            one.heard_at, one.began_at = one.heard_at + pause_s, one.began_at + pause_s

    def game(self, at: TableId) -> str:
        """The name of the game that a table plays; "" if the table has not said it."""
        shown = self.tables.get(at)
        return shown.info.game if shown and shown.info else ""

    def hear(self, at: TableId, topic: str, payload: bytes, now: float) -> Chain | None:
        """Take a retained message. Return the chain's numbers if it has any. Raises ValueError."""
        shown = self.tables.get(at) or self.tables.setdefault(at, ShownTable(at, began_at=now))
        kind, _, id_ = topic.partition("/")
        if topic.startswith(("alert/", "croupier/alert/")):
            self._alert(shown, topic, payload, now)
            return None
        if not payload:
            return None
        said = _SAID.decode(payload)
        if said.source != at.source:
            raise Foreign
        chain = None
        match kind, id_:
            case "state", "":
                told = msgspec.json.decode(said.data, type=State)
                if told.boot != shown.boot or told.state != shown.state:
                    shown.began_at = now
                shown.state, shown.boot = told.state, told.boot
            case "info", "":
                shown.info = sanitising.picture(msgspec.json.decode(said.data, type=Info))
                shown.info_at = now
            case "health", "":
                shown.health = msgspec.json.decode(said.data, type=Health)
                shown.heard_at, shown.said_time = now, said.time
                return None
            case "snapshot", "":
                chain = msgspec.json.decode(said.data, type=Chain)
                shown.raw = bytes(chain.snapshot)
            case "croupier", "picture":
                return msgspec.json.decode(said.data, type=Chain)
        self._changed(shown)
        return chain

    def _alert(self, shown: ShownTable, topic: str, payload: bytes, now: float) -> None:
        id_ = topic.rpartition("/")[2]
        if not payload:
            if shown.alerts.pop(id_, None):
                shown.raised_at.pop(id_, None)
                self._changed(shown)
        elif topic.startswith("croupier/"):  # it has all that the public one has
            if len(id_) > MOST_ID or (id_ not in shown.alerts and len(shown.alerts) >= MOST_ALERTS):
                raise ValueError("It has more alerts, or longer names of them, than can be shown.")
            said = _SAID.decode(payload)
            if said.source != shown.at.source:
                raise Foreign
            told = msgspec.json.decode(said.data, type=AlertView)
            shown.alerts[id_] = msgspec.structs.replace(sanitising.picture(told), id=id_)
            shown.raised_at.setdefault(id_, now)
            self._changed(shown)

    def fault(self, at: TableId, why: str, now: float) -> None:
        """Note that something at a table cannot be trusted. `why` is a sentence about it."""
        shown = self.tables.setdefault(at, ShownTable(at, began_at=now))
        if not shown.fault:
            shown.fault_at = now
        shown.fault = why
        self._changed(shown)

    def forgive(self, at: TableId) -> None:
        """Forget a table's faults, because somebody has seen them."""
        if (shown := self.tables.get(at)) and (shown.fault or shown.odd):
            shown.fault = ""
            shown.odd.clear()
            self._changed(shown)

    def note(self, at: TableId, odd: Odd, now: float) -> bool:
        """Note a fault, or that the fault is over. Return whether the fault is new."""
        shown = self.tables.setdefault(at, ShownTable(at, began_at=now))
        if odd.code in GRAVE and odd.why:
            new = shown.fault != str(odd.why)
            self.fault(at, str(odd.why), now)
            return new
        known = shown.odd.get(odd.code)
        if (known and known[0]) == odd.why:
            return False
        if odd.why:
            shown.odd[odd.code] = odd.why, known[1] if known else now
        else:
            del shown.odd[odd.code]
        self._changed(shown)
        return known is None

    def fade(self, at: TableId, now: float) -> None:
        """Stop showing the faults that only report a change, once the change was some time ago."""
        shown = self.tables[at]
        for code, (_, since) in tuple(shown.odd.items()):
            if code in CHANGES and now - since > NOTE_S:
                del shown.odd[code]
                self._changed(shown)

    def gone(self, at: TableId, now: float) -> None:
        """Note that a table was removed from the floor."""
        if shown := self.tables.get(at):
            shown.state, shown.began_at = TableState.DISCONNECTED, now
            self._changed(shown)

    def there(self) -> frozenset[TableId]:
        """The tables that are connected, so that requests can be sent to them."""
        asks = (TableState.READY, TableState.ALERT)
        return frozenset(at for at, one in self.tables.items() if one.state in asks)

    def _changed(self, shown: ShownTable) -> None:
        self.turn += 1
        shown.turn = self.turn
