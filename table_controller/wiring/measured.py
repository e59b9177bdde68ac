"""The measurements that a running table makes of itself, for `/metrics`.

They are about queues, the machine, open connections and failures. None depends on a closed card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

from table_controller.adapters import metrics
from table_controller.adapters.meters import health
from table_controller.adapters.metrics import Labels, Meter
from table_controller.adapters.web.hub import Hub
from table_controller.engine.messages import Audience
from table_controller.service.outbox import Outbox
from table_controller.service.table import Table
from table_controller.wiring.plan import Plan


class Measurable(Protocol):
    """The parts of a running table that are measured."""

    plan: Plan
    table: Table[Any]
    outbox: Outbox
    hub: Hub[Any]

    @property
    def page_connections(self) -> int | None:
        """The number of connected browsers; None if the page is not served."""

    @property
    def ended(self) -> Mapping[str, int]:
        """How often each part failed."""


_HANDLES = Path("/proc/self/fd")


async def serve(service: Measurable, port: int) -> None:
    """Serve the table's measurements on loopback, until cancelled. Raises CannotServe."""
    async with await metrics.serve(partial(measured, service), port) as server:
        await server.serve_forever()


def measured(service: Measurable) -> Iterator[Meter]:
    """Yield the table's present measurements."""
    plan, now = service.plan, health(service.plan.journal.parent, inbox=service.table.waiting)
    info = (("version", version("schlitten")), ("house", plan.house.id), ("game", plan.house.game))
    yield Meter("schlitten_info", "The program, the house, the game.", {info: 1})
    yield _plain("inbox_inputs", "Inputs that wait for the table.", now.inbox_inputs)
    yield _plain("outbox_rows", "Events that no broker has yet.", service.outbox.waiting())
    yield _plain("page_connections", "Browsers connected to the page.", service.page_connections)
    yield _plain(
        "handles", "Open files and sockets of the program.", sum(1 for _ in _HANDLES.iterdir())
    )
    yield _plain("memory_bytes", "Resident memory of the program.", _bytes(now.memory_mib))
    yield _plain("disk_free_bytes", "Free space of the journal's disk.", _bytes(now.disk_free_mib))
    yield _plain("cpu_celsius", "The processor's temperature.", now.cpu_celsius)
    throttled = None if now.throttled is None else int(now.throttled)
    yield _plain("throttled", "Whether the firmware has throttled since the start.", throttled)
    stopped = int(bool(service.table.trouble))
    yield _plain("journal_stopped", "Whether the journal cannot be written.", stopped)
    alerts = service.hub.snapshot(Audience.CROUPIER).alerts
    counted = Counter[Labels](
        (("code", alert.code), ("severity", str(alert.severity))) for alert in alerts
    )
    yield Meter("schlitten_alerts", "Open alerts.", {**counted} or {(): 0})
    ended: dict[Labels, float | None] = {
        (("part", part),): count for part, count in service.ended.items()
    }
    yield Meter("schlitten_parts_ended_total", "Parts that ended by a fault.", ended, counts=True)


def _plain(name: str, text: str, value: float | None) -> Meter:
    return Meter(f"schlitten_{name}", text, {(): value})


def _bytes(mebibytes: int | None) -> int | None:
    return None if mebibytes is None else mebibytes << 20
