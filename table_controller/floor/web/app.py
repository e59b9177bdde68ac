"""The floor's main pages: all tables live, and each table's own picture. It knows no broker."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from msgspec.structs import asdict
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from table_controller.adapters.mqtt_names import TableId
from table_controller.adapters.web import assets
from table_controller.adapters.web.entrance import theme
from table_controller.adapters.web.error_pages import ErrorPages
from table_controller.adapters.web.guard import Guard, address_of, locale, remember_language
from table_controller.adapters.web.hub import Answer, Hub, Said
from table_controller.adapters.web.screens import Renderer, Screens
from table_controller.adapters.web.streams import feeds
from table_controller.engine.messages import Audience, phrase
from table_controller.engine.views import Snapshot
from table_controller.floor.live import LiveTables, ShownTable
from table_controller.floor.roles import Right
from table_controller.floor.web.sheets import Sheets
from table_controller.floor.web.view import Known, Tile, glance, size

#: How often the database is asked for the data on the tiles.
KNOWN_S: Final = 5.0
#: How often a table's own page looks whether its picture has changed.
LOOK_S: Final = 0.1
#: The age of the oldest waiting message at which the floor is no longer healthy.
LATE_S: Final = 5.0

NO_TABLE: Final = phrase("No table of this name has told the floor anything.")
#: The empty picture of a house: what is the same in all its pictures, such as the hands' places.
Frames = Callable[[str], Snapshot | None]


class FloorPages:
    """The page of all tables, and a page for each table.

    `known` asks the database for the facts that the tables' pictures do not have. It is called in a
    thread.
    """

    def __init__(
        self,
        live: LiveTables,
        known: Callable[[], dict[str, Known]],
        frames: Frames,
        *,
        sheets: Sheets | None = None,
        now: Callable[[], float] = time.monotonic,
        names: frozenset[str] = frozenset(),
        late_s: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """Prepare the pages.

        `names` are further host names under which the page is served. `late_s` says for how long
        the oldest message waits to be stored.
        """
        self._live, self._ask, self._frames, self._now = live, known, frames, now
        self._sheets, self._names, self._late = sheets or Sheets(), names, late_s
        self._known: dict[str, Known] = {}
        self._known_at = -KNOWN_S
        self._made: dict[tuple[str, str], tuple[Tile, str, str]] = {}
        self._watched: dict[TableId, tuple[Hub[ShownTable], Screens]] = {}

    def app(self, *more: Route) -> Starlette:
        """The web application.

        `more` are routes of further pages, which check the rights themselves.
        """
        seen = partial(self._sheets.door.behind, Right.LOOK)
        made = Starlette(
            routes=[
                Route("/", seen(self.all)),
                Route("/wall", seen(self.wall)),
                Route("/live", seen(self.live_all)),
                Route("/feeds", feeds),
                Route("/table/{site}/{table}", seen(self.one)),
                Route("/table/{site}/{table}/live", seen(self.live_one)),
                Route("/healthz", self.healthz),
                *self._sheets.door.routes(),
                *more,
                Route(assets.OFFLINE, self.offline),
                *assets.routes(),
            ],
            middleware=[
                Middleware(
                    ErrorPages,
                    renderers=self._sheets.renderers,
                    language=self._sheets.language,
                    ways=(("/", phrase("all tables")),),
                    closed=(("/sign-in", phrase("sign in as another person")),),
                ),
                Middleware(Guard, names=self._names),
                Middleware(GZipMiddleware, compresslevel=6),
            ],
        )
        prepare = self._sheets.renderers[self._sheets.language].prepare
        made.state.prepare, made.state.close = prepare, self.close
        return made

    def close(self) -> None:
        """End every stream of changes, since the server waits for them."""
        self._sheets.close()
        for hub, screens in self._watched.values():
            hub.close()
            screens.close()

    async def watch(self) -> None:
        """Send new pictures to everybody who looks at a table, until cancelled."""
        seen: dict[TableId, int] = {}
        while True:
            await asyncio.sleep(LOOK_S)
            for at, (hub, _) in self._watched.items():
                shown = self._live.tables[at]
                if seen.get(at) != shown.turn:
                    seen[at] = shown.turn
                    hub.tell(shown)

    # All tables

    async def all(self, request: Request) -> Response:
        return await self._sheets.live(request, "floor.html", self._parts)

    async def wall(self, request: Request) -> Response:
        """The page of all tables for a screen on the wall, which nobody touches."""
        return await self._sheets.live(request, "floor_wall.html", self._parts)

    async def live_all(self, request: Request) -> Response:
        return self._sheets.stream(request, self._parts)

    async def _refresh(self) -> None:
        if self._now() - self._known_at >= KNOWN_S:
            self._known_at = self._now()
            self._known = await asyncio.to_thread(self._ask)

    async def _parts(self, renderer: Renderer) -> dict[str, str]:
        await self._refresh()
        tiles = glance(self._live.tables.values(), self._known, self._now())
        wanting = [tile for tile in tiles if tile.wants]
        way = size(tiles)
        return {
            "floor": renderer.render("parts/floor_sums.html", tiles=tiles, wanting=len(wanting)),
            "wanting": self._group(renderer, "wanting", wanting, size(wanting)),
            "well": self._group(renderer, "well", [t for t in tiles if not t.wants], way),
        }

    def _group(self, renderer: Renderer, name: str, tiles: list[Tile], way: str) -> str:
        made = "".join(self._tile(renderer, tile, way) for tile in tiles)
        return f'<ul id="{name}" class="tiles {way}">{made}</ul>'

    def _tile(self, renderer: Renderer, tile: Tile, way: str) -> str:
        """Draw a tile, or return its last drawing if nothing on it has changed.

        `way` is the size in which the tiles are shown.
        """
        key = renderer.locale, tile.key
        known = self._made.get(key)
        if known and known[:2] == (tile, way):
            return known[2]
        html = renderer.render("parts/_tile.html", tile=tile, way=way)
        self._made[key] = tile, way, html
        return html

    # One table

    async def one(self, request: Request) -> Response:
        at = self._table(request)
        if at is None:
            return self._sheets.refused(request, NO_TABLE, 404)
        snapshot = self._project(self._live.tables[at], Audience.PUBLIC)
        here = request.url.path
        page = self._sheets.renderer(request, snapshot.game).page(
            snapshot, Audience.PUBLIC, theme(request), live_at=f"{here}/live", home="/",
            past=self._sheets.door.may(request, Right.READ), past_at=f"{here}/evenings",
        )  # fmt: skip
        answer = HTMLResponse(page)
        remember_language(answer, request, self._sheets.language)
        return answer

    async def live_one(self, request: Request) -> Response:
        at = self._table(request)
        if at is None:
            return PlainTextResponse("", 404)
        if at not in self._watched:
            hub = Hub(self._live.tables[at], self._project, _nothing_said, lambda _: None)
            game, shared = hub.snapshot(Audience.PUBLIC).game, self._sheets.places
            self._watched[at] = hub, Screens(hub, self._sheets.renderers_of(game), places=shared)
        _, screens = self._watched[at]
        language = locale(request, self._sheets.language)
        parts = screens.watch(Audience.PUBLIC, language, address_of(request))
        return self._sheets.streamed(request, parts)

    def _table(self, request: Request) -> TableId | None:
        try:
            at = TableId(request.path_params["site"], request.path_params["table"])
        except ValueError:
            return None
        shown = self._live.tables.get(at)
        return at if shown and self._framed(shown) else None

    def _project(self, shown: ShownTable, _audience: Audience) -> Snapshot:
        framed = self._framed(shown)
        assert framed is not None
        return framed

    def _framed(self, shown: ShownTable) -> Snapshot | None:
        """Return the public picture, joined with the parts that all pictures of its house share.

        None if there is no picture.
        """
        seen = shown.picture()
        frame = self._frames(seen.house) if seen else None
        if seen is None:
            return None
        around = asdict(frame) if frame else {}
        return Snapshot(**around | asdict(seen))

    async def offline(self, request: Request) -> Response:
        """The page that a browser shows when the floor does not answer."""
        return await self._sheets.page(request, "offline.html")

    async def healthz(self, _request: Request) -> Response:
        """Answer 200 while the tables' messages are stored in time, otherwise 503."""
        late = self._late()
        if late <= LATE_S:
            return PlainTextResponse("ok")
        return PlainTextResponse(f"the tables' messages wait for {late:.0f} s", 503)


async def _nothing_said(_said: Said, _actor: str, _press: str) -> Answer:
    return Answer(ok=False)  # guests' pages have no buttons
