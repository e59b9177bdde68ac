"""An evening at a whole table, and everything that anybody outside could see of it.

Service, page and board twin are the product's own. Broker, subscriber and browser are real. People
and observers take turns: after every input everything is looked at before the next input.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import logging
from collections.abc import Awaitable, Callable
from itertools import cycle
from pathlib import Path
from typing import Any

import httpx
import msgspec
from msgspec.structs import replace

from firmware_bridge.messages import SEATS, Picture, pack
from firmware_bridge.twin import Shown, Twin
from table_controller.adapters import board as board_picture
from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.players import seeded as simulated
from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.messages import Audience, CardSeen, Input
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.felt import next_seat
from table_controller.engine.views import Snapshot
from table_controller.service.sealing import make_key
from table_controller.wiring import config
from table_controller.wiring.app import Plan, Service
from table_controller.wiring.config import BrokerSettings, PageSettings
from tests.brokers import Observer
from tests.limits import PATIENCE_S
from tests.whole.kept import Kept, Settlement
from tests.whole.leaks import Detector

Cards = Callable[[s.Table], Awaitable[Input | None]]
Words = Callable[[s.Table], Input | None]
Until = Callable[[Service, "Watch"], bool]

#: What the second reading of the rules does not know: other games, the bank's sale, declarations.
UNKNOWN = (
    i.Passes, i.Suite, i.OpenGame, i.Stakes, i.BancoWithTable, i.BancoWithPartner, i.OpensBank,
    i.Declares, i.Raises, i.DrawsIn, i.Joins, i.Halves, ti.Swaps, ti.Tips, ti.TakesBack,
)  # fmt: skip


def steady(said: Input | None, table: s.Table) -> Input | None:
    """Banco solo only, nobody sells or passes: the second reading of the rules knows no more."""
    phase = s.foremost(table)
    claims = isinstance(phase, s.Dealing) and isinstance(said, i.Banco)
    if not claims and not isinstance(said, UNKNOWN):
        return said
    match phase:
        case s.BankDue():
            return i.Banks(seat=table.place, chips=table.house.least_pot)
        case s.StakesDue():
            pot, other = table.bank.pot, next_seat(table.felt, table.bank.seat)
            if table.felt.seats[other - 1].balance < pot:
                return ti.BuysIn(seat=other, chips=pot)
            return i.Banco(seat=other)
        case s.Settled():
            return ti.Paid()
        case _:
            return None  # a card is due


class Watch:
    """A listener at the table: what lies open now, and what the public picture is."""

    def __init__(self, kept: Kept) -> None:
        self.detector, self._kept = kept.detector, kept
        self._language = config.lamp_language(config.house("zoppot-1934"))
        self.settled: dict[str, Any] | None = None
        self.counted = False
        self._see(Picture())

    def tell(self, told, now) -> None:
        """Note what came of an input, before anybody else hears of it."""
        for event, row in told:
            if row.audience is Audience.PUBLIC:
                said = msgspec.to_builtins(event)
                self.detector.hear(said)
                self.counted |= said["type"] == "schlitten_counted"
                self.settled = said if said["type"] == "coup_settled" else self.settled
        self.begin(now.state)

    def begin(self, state: s.Table) -> None:
        """Note the public picture, as it travels."""
        sent = msgspec.json.encode(game.snapshot(state, Audience.PUBLIC))
        now = msgspec.json.decode(sent, type=Snapshot)
        self._see(board_picture.picture(now, self._language))

    def _see(self, picture: Picture) -> None:
        self._kept.pictures.append(pack(picture)[1])


class Played:
    """One evening being played and looked at. Use `play`."""

    def __init__(self, folder: Path, port: int, cards: Cards, people: Words, until: Until):
        folder.mkdir(parents=True, exist_ok=True)
        self.kept = Kept(folder, make_key(folder / "table.key"))
        self._port, self._words = port, io.StringIO()
        self._cards, self._people, self._until = cards, people, until
        self._pages = cycle(("/", "/public"))

    async def play(self, name: str, chromium: Any, every: int, pages_from: int) -> Kept:
        """Serve a table until `until` holds or no card comes; look at all of it."""
        self._chromium, self._every, self._pages_from = chromium, every, pages_from
        with Twin() as twin:
            serving = asyncio.create_task(twin.run())
            receive = twin.board.receive

            def listen(data: bytes, now_ms: int) -> None:
                self.kept.board.extend(data)
                receive(data, now_ms)

            twin.board.receive = listen
            table = TableId("whole", name)
            plan = Plan(
                table=table,
                house=config.house("zoppot-1934"),
                keys=self.kept.keys,
                journal=self.kept.journal,
                board=twin.path,
                broker=BrokerSettings(kind="mqtt", port=self._port),
                address=BrokerAddress(port=self._port),
                page=PageSettings(port=0),
                warn=print,
            )
            watch = Watch(self.kept)
            with self._logged(watch.detector):
                service = Service(plan)
                watch.begin(service.table.state)
                service.table.listen(watch)
                async with Observer(self._port, f"{table.root}/#") as ear, service:
                    await self._evening(service, twin, watch)
                    await service.publisher.told()
                    await self.kept.all_heard(ear)
                    self.kept.heard = list(ear.heard)
            serving.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await serving
        self.kept.log = self._words.getvalue()
        return self.kept

    @contextlib.contextmanager
    def _logged(self, detector: Detector):
        """Everything that is printed or logged, at every level, is looked at as it comes."""
        words = self._words

        class Pages(io.TextIOBase):
            def write(self, text: str) -> int:
                detector.look("the log", text)
                return words.write(text)

        handler = logging.StreamHandler(Pages())
        root = logging.getLogger()
        level = root.level
        root.addHandler(handler)
        root.setLevel(logging.DEBUG)
        for own in ("httpx", "httpcore", "asyncio", "sse_starlette"):  # they repeat the pages
            logging.getLogger(own).setLevel(logging.WARNING)
        try:
            with contextlib.redirect_stdout(Pages()), contextlib.redirect_stderr(Pages()):
                yield
        finally:
            root.removeHandler(handler)
            root.setLevel(level)

    async def _evening(self, service: Service, twin: Twin, watch: Watch) -> None:
        async with (
            httpx.AsyncClient(base_url=service.url, timeout=PATIENCE_S) as client,
            _stream(client, "/live", watch),
            _stream(client, "/public/live", watch),
        ):
            for said in simulated(game, 1).arrive(service.table.state):
                await service.table.ask(said)
            while not self._until(service, watch):
                now = service.table.state
                said = self._people(now) or await self._cards(now)
                if said is None:
                    return
                said = (
                    said
                    if isinstance(said, CardSeen)
                    else replace(said, prompt=service.table.state.prompt)
                )
                await service.table.ask(said)
                await self._look(client, watch)
                if watch.settled:
                    await self._settle(service, twin, watch)

    async def _look(self, client: httpx.AsyncClient, watch: Watch) -> None:
        """One page, whole, as it is now; the next time the other. Their streams tell all parts."""
        path = next(self._pages)
        page = await client.get(path)
        assert page.status_code == 200, page.text
        watch.detector.look_at_page(f"the page {path}", page.text)

    async def _settle(self, service: Service, twin: Twin, watch: Watch) -> None:
        """Once board and browser have the picture, read both."""
        event, watch.settled = watch.settled, None
        left = service.table.state.felt.shoe.left
        with contextlib.suppress(TimeoutError):  # what the board shows instead, a test says
            await holds(lambda: reads(twin.shown()) == result(event))
        settlement = Settlement(event, left, twin.shown())
        if self._chromium and event["coup"] >= self._pages_from:
            await self._on_pages(service.url, settlement)
        self.kept.settlements.append(settlement)

    async def _on_pages(self, url: str, settlement: Settlement) -> None:
        """Read it on the browser's pages, which follow the table from the first such one on."""
        coup = settlement.event["coup"]
        first = not self._chromium.opened
        if first:
            await self._chromium.open(url)
        if first or coup % self._every == 0:
            settlement.page = await self._chromium.read(coup)
        if coup == self._pages_from + self._every:
            await self._chromium.picture("schlitten")


#: How a board tells who won, and a tie, in our lamp language: the banker's lamp, the pointeur's.
RESULT = {
    "bank": ("on cyan", "pulse red"),
    "pointeur": ("pulse red", "on cyan"),
    None: ("on yellow", "on blue"),
}


def reads(shown: Shown) -> tuple[str, str, set[tuple[int, str]]]:
    """Both displays, and the lamps that say a result or a role, with their seats."""
    words = {lamp for pair in RESULT.values() for lamp in pair}
    lamps = {(seat, lamp) for seat, lamp in enumerate(shown.lamps, 1) if lamp in words}
    return shown.display_1, shown.display_2, lamps


def result(event: dict[str, Any]) -> tuple[str, str, set[tuple[int, str]]]:
    """What a person must read on the board once a coup is settled. Who stands has no lamp."""
    seats = (event["banker_seat"], event["pointeur_seat"])
    lamps = {
        (seat, lamp)
        for seat, lamp in zip(seats, RESULT[event["winner"]], strict=True)
        if seat <= SEATS
    }
    return f"{event['pot_after']:>8}", f"{event['staked']:>8}", lamps


async def holds(condition: Callable[[], bool]) -> None:
    """Let everything else go on until `condition()`."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.001)


@contextlib.asynccontextmanager
async def _stream(client: httpx.AsyncClient, path: str, watch: Watch):
    """Follow a page's stream of events, and look at every part that comes."""
    begun = asyncio.Event()

    async def follow() -> None:
        async with client.stream("GET", path) as answer:
            begun.set()
            async for line in answer.aiter_lines():
                if line.startswith("data: {"):
                    for name, part in json.loads(line.removeprefix("data: ")).items():
                        where = f"the part {name} of {path}"
                        watch.detector.look_at_page(where, part, late=True)

    following = asyncio.create_task(follow())
    async with asyncio.timeout(PATIENCE_S):
        await begun.wait()
    try:
        yield
    finally:
        following.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await following


def counted(_service: Service, watch: Watch) -> bool:
    """Until the Schlitten is closed and counted."""
    return watch.counted


async def play(
    folder: Path,
    port: int,
    cards: Cards,
    words: Words,
    *,
    until: Until = counted,
    name: str = "one",
    chromium: Any = None,
    every: int = 5,
    pages_from: int = 1,
) -> Kept:
    """Play an evening at a table of its own; what `look_for_leaks` then says was seen of it.

    A Chromium is asked what it shows at every `every`-th coup, from coup `pages_from` on.
    """
    played = Played(folder, port, cards, words, until)
    return await played.play(name, chromium, every, pages_from)
