"""The floor's figures for Prometheus, in the same text format as a table's own metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from table_controller.adapters.metrics import Labels, Meter
from table_controller.adapters.mqtt_messages import TableState
from table_controller.adapters.mqtt_names import TableId
from table_controller.floor.live import LiveTables
from table_controller.floor.watch import Lookout

if TYPE_CHECKING:
    from table_controller.floor.listen import FloorListener

NAME = "schlitten_floor"
#: Why messages are dropped: `full`: the database takes nothing, and too many wait.
DROPPED = ("flood", "full", "nonsense", "strange")


def measured(
    live: LiveTables,
    watch: Lookout,
    listener: FloorListener,
    behind: dict[tuple[TableId, Any], int],
    now: float,
) -> Iterator[Meter]:
    """Yield all figures as they are now.

    `behind` is the number of missing rows for each table and audience.
    """
    tables = list(live.tables.items())
    there = (TableState.READY, TableState.ALERT)
    up = {_of(at): float(one.state in there and not one.silent(now)) for at, one in tables}
    health = [(at, one.health) for at, one in tables if one.health]
    yield Meter(f"{NAME}_table_up", "Whether the table is there and is heard.", up)
    yield Meter(
        f"{NAME}_table_off", "Whether the table was switched off on purpose.",
        {_of(at): float(one.state is TableState.DISCONNECTED) for at, one in tables},
    )  # fmt: skip
    yield Meter(
        f"{NAME}_table_celsius", "The temperature that the table tells.",
        {_of(at): one.cpu_celsius for at, one in health},
    )  # fmt: skip
    yield Meter(
        f"{NAME}_table_disk_free_mib", "Free space on the table's disk, in MiB.",
        {_of(at): one.disk_free_mib for at, one in health},
    )  # fmt: skip
    yield from _alerts(watch)
    yield from _lately(watch)
    missing = Counter[Labels]()
    for (at, _), rows in behind.items():
        missing[_of(at)] += rows
    yield Meter(f"{NAME}_rows_missing", "Rows that the table has told and the floor lacks.",
                {_of(at): float(missing[_of(at)]) for at, _ in tables})  # fmt: skip
    yield Meter(f"{NAME}_broker_up", "Whether the broker is there.",
                {(): float(listener.connected)})  # fmt: skip
    yield Meter(f"{NAME}_pages_asked_total", "Pages of missing rows that were asked for.",
                {(): float(listener.refill.pages)}, counts=True)  # fmt: skip
    yield Meter(
        f"{NAME}_dropped_total", "Messages that were dropped, by why.",
        {(("why", why),): float(listener.counts[why]) for why in DROPPED},
        counts=True,
    )  # fmt: skip


def _alerts(watch: Lookout) -> Iterator[Meter]:
    found = list(watch.open.values())
    count = Counter[Labels](
        (*_of(one.at), ("code", one.code), ("severity", one.severity)) for one in found
    )
    unseen = Counter[Labels]((("severity", one.severity),) for one in found if one.seen_ms is None)
    severities = ("stop", "warning", "notice")
    yield Meter(f"{NAME}_alerts", "Open alerts of a table, the floor's own too.", dict(count))
    yield Meter(
        f"{NAME}_alerts_unseen", "Open alerts that nobody has acknowledged.",
        {(("severity", one),): float(unseen[(("severity", one),)]) for one in severities},
    )  # fmt: skip
    yield Meter(
        f"{NAME}_messages_total", "Messages to people, by whether they left.",
        {(("outcome", name),): float(many) for name, many in watch.counts.items()}, counts=True,
    )  # fmt: skip


def _lately(watch: Lookout) -> Iterator[Meter]:
    lately = watch.lately
    yield Meter(f"{NAME}_coups_an_hour", "Coups of the last hour.",
                {_of(at): float(one.coups) for at, one in lately.items()})  # fmt: skip
    yield Meter(
        f"{NAME}_misreads_of_10_000", "Misreads per 10,000 cards of the last four hours.",
        {
            _of(at): round(10_000 * one.misreads / one.cards, 1) if one.cards else None
            for at, one in lately.items()
        },
    )  # fmt: skip


def _of(at: TableId) -> Labels:
    return ("site", at.site), ("table", at.table)
