"""What a table's technician sees: devices, queues and settings, without secrets and cards."""

from __future__ import annotations

import math
import platform
import time
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import version
from typing import Protocol

import msgspec

from firmware_bridge.port import Board
from table_controller.adapters import metrics
from table_controller.adapters.web.machine import BoardView, MachineView
from table_controller.wiring.measured import Measurable, measured


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
        told = {name: _pretty(content) for name, content in files.items()}
        return told | {"meters.txt": metrics.exposition(measured(self._service)).encode()}


def _pretty(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2)
