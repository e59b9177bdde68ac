"""The technician's page while the table runs: devices, the board, queues, alerts, a bundle.

The page names no card, so all staff may see it while the table runs. The service mode
(`technician.py`) shows the lip's frame. The module knows the `Machine` protocol and HTTP, but no
device.
"""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from firmware_bridge.messages import SEATS, Lamp, Mode, Picture, Sensor, Status, digits
from table_controller.adapters.metrics import Meter
from table_controller.adapters.web.entrance import theme
from table_controller.adapters.web.guard import locale, remember_language
from table_controller.adapters.web.screens import Renderer
from table_controller.engine.views import Snapshot

Answering = Callable[[Request], Awaitable[Response]]
#: Gives the answer to a request that may not see the staff's pages, else None.
Closed = Callable[[Request], Response | None]


class BoardView(Struct, frozen=True, kw_only=True):
    """The present state of the board.

    `shown` is the picture that the board has acknowledged; None if it is not known.
    """

    port: str
    connected: bool
    why: str
    wanted: Picture
    shown: Picture | None
    status: Status | None


class MachineView(Struct, frozen=True, kw_only=True):
    """The present state of a table's machine.

    Attributes:
        board: None if the settings name no board.
        meters: queues, memory, disk, temperature, open alerts, parts that ended.
        loops: each main part, and how many seconds ago its loop completed a round. The number is
            below 0 if the loop waits.
    """

    board: BoardView | None
    meters: tuple[Meter, ...]
    loops: tuple[tuple[str, float], ...]


class Machine(Protocol):
    """The machine on which a table runs."""

    def look(self) -> MachineView:
        """Return the machine's present state."""

    def bundle(self) -> dict[str, bytes]:
        """Return files, by name, for somebody who helps from afar.

        They contain no secret and no card.
        """


class MachinePages:
    """The technician's page of one table. `closed` returns the sign-in page for strangers."""

    def __init__(
        self,
        machine: Machine,
        staff: Callable[[], Snapshot],
        renderers: Mapping[str, Renderer],
        language: str,
        closed: Closed,
    ) -> None:
        self._machine, self._staff, self._closed = machine, staff, closed
        self._renderers, self._language = renderers, language

    def routes(self) -> list[Route]:
        """Return the routes of this page."""
        pages: dict[str, Answering] = {
            "/technician": self._whole,
            "/technician/look": self._look,
            "/technician/bundle.zip": self._bundle,
        }
        return [Route(path, self._kept(page)) for path, page in pages.items()]

    def _kept(self, answer: Answering) -> Answering:
        async def answered(request: Request) -> Response:
            return self._closed(request) or await answer(request)

        return answered

    async def _whole(self, request: Request) -> Response:
        answer = HTMLResponse(self._render(request, "machine.html"))
        remember_language(answer, request, self._language)
        return answer

    async def _look(self, request: Request) -> Response:
        return HTMLResponse(self._render(request, "parts/machine.html"))

    def _render(self, request: Request, template: str) -> str:
        view, snap = self._machine.look(), self._staff()
        return self._renderers[locale(request, self._language)].render(
            template,
            view=view,
            snap=snap,
            board=_rows(view.board) if view.board else (),
            sensors=_active(view.board.status) if view.board and view.board.status else (),
            theme=theme(request),
        )

    async def _bundle(self, _request: Request) -> Response:
        files = self._machine.bundle() | {"alerts.json": pretty(self._staff().alerts)}
        packed = await asyncio.to_thread(_zipped, files)
        headers = {"Content-Disposition": 'attachment; filename="schlitten-bundle.zip"'}
        return Response(packed, headers=headers, media_type="application/zip")


def _rows(board: BoardView) -> list[tuple[str, str, str]]:
    """Return name, wanted state and shown state of each lamp, each display, and the buzzer.

    A shown state is "?" if it is not known.
    """
    names = [f"lamp {n}" for n in range(1, SEATS + 1)] + ["display 1", "display 2", "buzzer"]
    shown = _told(board.shown) if board.shown else ["?"] * len(names)
    return list(zip(names, _told(board.wanted), shown, strict=True))


def _told(picture: Picture) -> list[str]:
    shown = [digits(one).strip() or "dark" for one in (picture.display_1, picture.display_2)]
    return [*map(_lamp, picture.lamps), *shown, picture.buzzer.name.lower()]


def _lamp(lamp: Lamp) -> str:
    if lamp.mode is Mode.OFF:
        return "off"
    return f"{lamp.mode.name} {lamp.colour.name}".lower()


def _active(status: Status) -> list[tuple[str, bool]]:
    """Return each of the board's sensors, and whether it is active."""
    return [(one.name.lower().replace("_", " "), status.is_active(one)) for one in Sensor]


def pretty(value: object) -> bytes:
    """A value as JSON that people read."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2)


def _zipped(files: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            archive.writestr(name, content)
    return packed.getvalue()
