"""What the technician and `/metrics` see: devices, queues, settings; no secrets and no cards."""

from __future__ import annotations

import math
import platform
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

from firmware_bridge.port import Board
from table_controller.adapters import metrics
from table_controller.adapters.meters import health
from table_controller.adapters.metrics import Labels, Meter
from table_controller.adapters.web.hub import Hub
from table_controller.adapters.web.machine import BoardView, MachineView, pretty
from table_controller.engine.messages import Audience
from table_controller.service.outbox import Outbox
from table_controller.service.table import Table
from table_controller.wiring.plan import Plan

# ---- The measurements that a running table makes of itself, for `/metrics`


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


# ---- What a table's technician sees: devices, queues and settings, without secrets and cards


class Served(Measurable, Protocol):
    """The parts of a running table that its technician may look at."""

    board: Board | None

    def turned(self) -> Iterator[tuple[str, float]]:
        """Yield when each main part's loop last completed a round; infinity while it waits."""


class LiveMachine:
    """The machine on which a table runs."""

    def __init__(self, service: Served) -> None:
        self._service = service

    def look(self) -> MachineView:
        """Return the machine's present state."""
        service, now = self._service, time.monotonic()
        return MachineView(
            board=self._board(),
            meters=tuple(measured(service)),
            loops=tuple(
                (part, -1.0 if turned == math.inf else max(0.0, now - turned))
                for part, turned in service.turned()
            ),
        )

    def _board(self) -> BoardView | None:
        if self._service.board is None:
            return None
        known = self._service.board.status
        return BoardView(
            port=known.port,
            connected=known.connected,
            why=str(known.why),
            wanted=known.wanted,
            shown=known.shown,
            status=known.board,
        )

    def bundle(self) -> dict[str, bytes]:
        """Return files, by name, for somebody who helps: program, settings, board and meters."""
        plan, board = self._service.plan, self._service.board
        broker, page = plan.broker, plan.page
        about = {
            "version": version("schlitten"),
            "python": platform.python_version(),
            "machine": platform.machine(),
            "system": platform.platform(),
            "house": plan.house.id,
            "game": plan.house.game,
            "table": plan.table.source,
        }
        # They are named one by one. Settings that are not named here, such as an account or a path
        # of a key, stay out.
        settings = {
            "board": plan.board,
            "reads": plan.reads,
            "pins": {"driver": plan.wired.pins, "uses": plan.wired.uses},
            "buttons": dict(plan.wired.buttons),
            "broker": {"kind": broker.kind, "host": broker.host, "port": broker.port}
            if broker
            else None,
            "page": {"host": page.host, "port": page.port, "language": page.language.value}
            if page
            else None,
            "voice": plan.voice.engine,
        }
        files: dict[str, object] = {"about.json": about, "settings.json": settings}
        if board:
            files["board.json"] = asdict(board.status)
        told = {name: pretty(content) for name, content in files.items()}
        return told | {"meters.txt": metrics.exposition(measured(self._service)).encode()}
