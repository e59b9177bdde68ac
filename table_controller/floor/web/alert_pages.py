"""The page of all alerts, the oldest first, and the button for the person who deals with one."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from msgspec import Struct
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from table_controller.adapters.mqtt_names import TableId
from table_controller.adapters.web.guard import NotSaid, check_origin, read_as
from table_controller.adapters.web.screens import Renderer
from table_controller.engine.messages import Severity
from table_controller.floor import sanitising
from table_controller.floor.floor_alert import FloorAlert, alike
from table_controller.floor.live import LiveTables
from table_controller.floor.requests import Asking, TableAnswer
from table_controller.floor.roles import Right
from table_controller.floor.watch import Lookout
from table_controller.floor.web.sheets import Drawn, Sheets
from table_controller.service import logs

#: The most alerts on one page. If there are more, they have one cause, and the first ones show it.
MOST_SHOWN: Final = 200
#: The input by which a table notes that somebody has seen its alert.
SEEN: Final = "alert_acknowledged"
#: How many lines of a table come before the further lines of any table.
MOST_FIRST: Final = 3
_ORDER: Final = {Severity.STOP.value: 0, Severity.WARNING.value: 1, Severity.NOTICE.value: 2}


class SeenPress(Struct, frozen=True, forbid_unknown_fields=True):
    """The press by which a person says that he has seen an alert, and those like it `up_to` one."""

    site: str
    table: str
    alert: str
    up_to: int = 0


class AlertLine(Struct, frozen=True, kw_only=True):
    """An alert as the page shows it.

    `game` is the table's game, in whose words the alert is shown. `minutes` is the alert's age.
    `told` are the people who were told. The line stands for `more` further alerts like this one,
    with numbers up to `up_to`.
    """

    key: str
    game: str
    notice: FloorAlert
    name: str
    minutes: int
    told: str
    more: int
    up_to: int


class AlertPages:
    """The page of alerts and its button. `clock_ms` returns ms since 1970."""

    def __init__(
        self,
        sheets: Sheets,
        watch: Lookout,
        asking: Asking,
        live: LiveTables,
        clock_ms: Callable[[], int],
    ) -> None:
        self._sheets, self._watch, self._asking = sheets, watch, asking
        self._live, self._clock = live, clock_ms

    def routes(self) -> list[Route]:
        """Return the routes of these pages."""
        behind = self._sheets.door.behind
        return [
            Route("/alerts", behind(Right.LOOK, self._page)),
            Route("/alerts/live", behind(Right.LOOK, self._stream)),
            Route("/alerts/seen", behind(Right.ANSWER, self._seen), methods=["POST"]),
        ]

    async def _page(self, request: Request) -> Response:
        return await self._sheets.live(request, "floor_alerts.html", self._for(request))

    async def _stream(self, request: Request) -> Response:
        return self._sheets.stream(request, self._for(request))

    def _for(self, request: Request) -> Drawn:
        return partial(self._drawn, self._sheets.door.may(request, Right.ANSWER))

    async def _drawn(self, answers: bool, renderer: Renderer) -> dict[str, str]:
        lines = alert_lines(list(self._watch.open.values()), self._live.game, self._clock())
        more = max(0, len(lines) - MOST_SHOWN)
        rules = self._watch.settings.rules
        html = renderer.render(
            "parts/_notices.html", lines=lines[:MOST_SHOWN], more=more, rules=rules, answers=answers
        )
        return {"notices": html}

    async def _seen(self, request: Request) -> Response:
        try:
            check_origin(request)
            pressed: SeenPress | None = await read_as(request, SeenPress)
            if pressed is None:
                raise NotSaid(400, "This is no press of this page. Reload it.")
            at = TableId(pressed.site, pressed.table)
        except NotSaid as not_said:
            return JSONResponse({"ok": False, "why": str(not_said)}, not_said.status)
        except ValueError:
            return JSONResponse({"ok": False, "why": "There is no such table."}, 404)
        answer = await self._say(at, pressed, self._sheets.door.name(request))
        return JSONResponse({"ok": answer.ok, "why": f"{answer.why} {answer.remedy}".strip()})

    async def _say(self, at: TableId, pressed: SeenPress, person: str) -> TableAnswer:
        """Send the press to the table, whose journal records it.

        Afterwards note the press on the floor.
        """
        alert = pressed.alert
        kept = self._watch.open.get((at, alert))
        if kept is None:
            return TableAnswer(False, "This alert is over.", "Nothing is to be done.")
        shown = self._live.tables.get(at)
        if not kept.own:
            boot = shown.boot if shown else ""
            answer = await self._asking.ask(at, boot, SEEN, {"alert": alert}, person)
            if not answer.ok:
                return answer
        try:
            await asyncio.to_thread(self._watch.seen, at, alert, person, pressed.up_to)
        except SQLAlchemyError as error:
            logs.error("who saw an alert is not kept", why=error.__class__.__name__)
            return TableAnswer(False, "The floor's database takes nothing.", "Press again.")
        return TableAnswer(True)


def alert_lines(
    notices: Sequence[FloorAlert], game: Callable[[TableId], str], now_ms: int
) -> list[AlertLine]:
    """Sort the alerts: first those that nobody has seen, then the worst, then the oldest.

    Alerts that are alike are one line. A table's later lines come after those of all tables, so
    that no table takes the others' place. `game` returns a table's game.
    """
    ordered = sorted(
        notices,
        key=lambda one: (one.seen_ms is not None, _ORDER.get(one.severity, 3), one.began_ms),
    )
    groups = defaultdict[tuple[bool, tuple[TableId, str]], list[FloorAlert]](list)
    for one in ordered:
        groups[one.seen_ms is not None, alike(one)].append(one)
    first, later, of = list[list[FloorAlert]](), list[list[FloorAlert]](), Counter[TableId]()
    for several in groups.values():
        at = several[0].at
        (first if of[at] < MOST_FIRST else later).append(several)
        of[at] += 1
    return [_line(several, game, now_ms) for several in (*first, *later)]


def _line(several: list[FloorAlert], game: Callable[[TableId], str], now_ms: int) -> AlertLine:
    """The line of some alerts that are alike, which shows the first of them."""
    one = several[0]
    return AlertLine(
        key=f"notice-{one.id}",
        game=game(one.at),
        notice=one,
        name=f"{one.at.site} / {one.at.table}",
        minutes=max(0, (now_ms - one.began_ms) // 60_000),
        told=sanitising.shown(", ".join(sorted({person for person, _ in one.told}))),
        more=len(several) - 1,
        up_to=max(other.id for other in several),
    )
