"""The wiring: starts everything that one table needs, and stops all of it together.

Read the module from top to bottom. The module decides nothing; it only connects. `outputs.py`
contains the table's outputs, `inputs.py` its inputs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final, Self

from msgspec.structs import replace

from firmware_bridge.trouble import Trouble
from table_controller.adapters.addresses import CannotServe, is_loopback
from table_controller.adapters.broker import EmbeddedBroker
from table_controller.adapters.home_assistant import announcement
from table_controller.adapters.meters import health
from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.adapters.mqtt_publisher import Publisher
from table_controller.adapters.mqtt_requests import Desk
from table_controller.adapters.voice import CannotSpeak
from table_controller.adapters.web.app import app as web_app
from table_controller.adapters.web.serve import Server
from table_controller.engine.messages import Audience
from table_controller.service import logs
from table_controller.service.errors import ConfigError, JournalError, ServiceError
from table_controller.service.outbox import Outbox
from table_controller.service.recovery import recover
from table_controller.service.rows import Anchor
from table_controller.service.table import Table
from table_controller.wiring import disk, games, page_parts
from table_controller.wiring.accounts import Accounts
from table_controller.wiring.calls_aloud import CallsAloud
from table_controller.wiring.config import (
    BrokerSettings,
    PageSettings,
    ShoeSettings,
    house_look,
)
from table_controller.wiring.devices import Devices
from table_controller.wiring.inputs import Clock, Voices, by_broker
from table_controller.wiring.machine import LiveMachine
from table_controller.wiring.opening import begun, check_own, note_start, opened
from table_controller.wiring.outputs import Outputs
from table_controller.wiring.past import JournalChronicle
from table_controller.wiring.plan import Plan
from table_controller.wiring.shoe.taping import Tapes
from table_controller.wiring.tasks import Tasks, Work

if TYPE_CHECKING:
    from table_controller.wiring.shoe.lip import CameraTwin, LiveLip

__all__ = ["Plan", "Service"]

HEALTH_S = 10.0
#: The message if the broker knows more than the journal.
BEHIND: Final = Trouble(
    "The broker was told more than the journal holds: it was put back from a copy. Stop the "
    "table, and put it back by `schlitten restore`, which withdraws the Schlitten."
)
#: Names used in reports: the parts of a reader of cards, and the parts of the program that are not
#: devices.
OF_A_READER: Final = ("camera", "module", "beam", "recording", "reading")
OURS: Final = ("disk-watch", "health", "watchdog", "metrics", "button", "tape")
#: The message about a part that failed.
MISSED: Final = Trouble("It stopped by a fault of the program: report the line in the log.")


class Service:
    """One table with all its parts, which `async with Service(plan)` starts and stops."""

    def __init__(self, plan: Plan) -> None:
        """Open the journal and recover the table. Raises JournalError, RecoveryError."""
        self.plan, self.game = plan, plan.game or games.game(plan.house.game)
        self.journal = opened(plan, self.game)
        try:
            check_own(plan, self.journal)
            begin = partial(begun, plan, self.game, self.journal)
            state = recover(self.journal.archive, self.game, begin).state
        except ServiceError:
            self.journal.close()
            raise
        self.outbox = Outbox(self.journal)
        self.table: Table[Any] = Table(
            self.game, state, self.journal, plan.clock, alarm=self._journal_trouble
        )
        self.accounts = Accounts(self.table, plan.keys, plan.journal)
        if plan.starts:
            note_start(plan, self.table, self.journal)
        self.voices = Voices(self.table, self.journal, plan.warn)
        self.out = Outputs(plan, self.table, self.journal, self.voices)
        self.hub, self.board = self.out.hub, self.out.board
        self.lost, self.back = self.voices.lost, self.voices.back
        self._tasks = Tasks(self._missed, self.back, (CannotServe, CannotSpeak))
        self.devices = Devices(
            plan.wired, self.table, self.voices, board=self.board, tasks=self._tasks
        )
        self.out.lamps, self.voices.reports = self.devices.show, self.devices.hear
        self._clock = Clock(self.table)
        self._loop: asyncio.AbstractEventLoop | None = None
        self.tapes = self._taping()
        self.broker: EmbeddedBroker | None = None
        self.url = ""
        self._page: asyncio.Task[Any] | None = None
        self._page_server: Server | None = None
        self._tried = {part: asyncio.Event() for part in ("broker", "page")}
        self._served: asyncio.Task[Any] | None = None

    def _taping(self) -> Tapes | None:
        """Return the writer of the table's tapes; None if the plan has no tapes.

        If a tape cannot be written, an alert says so.
        """
        plan = self.plan
        if plan.tape is None:
            return None

        def told(trouble: str) -> None:
            if self._loop:
                self._loop.call_soon_threadsafe(self.voices.news, "tape", trouble)

        tapes = Tapes(plan.tape, plan.journal, plan.keys, plan.clock, told)
        if self.board:
            self.board.overheard = tapes.overheard
        self.out.tapes = tapes
        return tapes

    async def __aenter__(self) -> Self:
        """Start the table, then the parts around it. A part that cannot start is tried again."""
        # The board first: the players look at it.
        for listener in (self.out, self._clock, self.outbox):
            if self.plan.starts or listener is not self._clock:  # a recording holds the clock's
                self.table.listen(listener)
        self._served = self._tasks.start("table", self.table.run, again=False)
        if self.board:
            self.start("board", self.board.run)
        self.devices.start()
        if self.plan.voice.engine != "none":
            public = partial(self.hub.snapshot, Audience.PUBLIC)
            aloud = CallsAloud(public, self.plan.voice)
            self.table.listen(aloud)
            self.start("voice", aloud.run)
        if self.tapes:
            self._loop = asyncio.get_running_loop()
            self.tapes.start()
        self._forget()
        self.start("disk-watch", self._watch_disk)
        broker = self.plan.broker
        if broker and broker.kind == "embedded":
            self.start("broker", partial(self._embedded, broker))
            await self._tried["broker"].wait()
        elif broker and broker.kind == "mqtt":
            self._publish(broker)
        page = self.plan.page
        if page:
            self._page = self.start("page", partial(self._serve, page))
            await self._tried["page"].wait()
        if self.plan.starts:
            self._clock.tell((), self.table.now)
        self.show()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop everything: the page first, the journal last."""
        self.hub.close()
        self._clock.stop()
        self.devices.stop()
        self.voices.stop()
        if self._page:  # first, while the table can still answer presses
            self._page.cancel()
            await asyncio.gather(self._page, return_exceptions=True)
        await self._tasks.stop()
        if self.tapes:
            await asyncio.to_thread(self.tapes.stop)
        if self.broker:
            await self.broker.stop()
        self.journal.close()

    def _forget(self) -> None:
        """Clear an earlier run's alerts about parts that start again now or no longer exist."""
        plan = self.plan
        speaks = plan.voice.engine != "none"
        there = {"board": self.board, "broker": plan.broker, "page": plan.page, "voice": speaks}
        gone = [part for part, has in there.items() if not has]
        for part in (*OURS, *gone, *(() if plan.reads else OF_A_READER)):
            self.back(part)

    def show(self) -> None:
        """Show the table's present state everywhere, even if no input changed it."""
        self.out.tell((), self.table.now)

    def start(
        self, part: str, work: Work, *, ends: bool = False, again: bool = True
    ) -> asyncio.Task[Any]:
        """Start a part that runs until the service stops; if `ends`, it may end when it is done.

        A failure raises an alert. The part is then restarted unless `again` is false.
        """
        return self._tasks.start(part, work, ends=ends, again=again)

    def lip(self, settings: ShoeSettings, twin: CameraTwin | None = None) -> LiveLip:
        """Return the reader of cards at the lip. A `twin` replaces the camera and its cards.

        Loads OpenCV. Raises ConfigError.
        """
        from table_controller.wiring.shoe.lip import LiveLip  # noqa: PLC0415 - few tables have cameras

        return LiveLip(
            settings,
            self.plan,
            self.table,
            self.voices,
            devices=self.devices,
            tasks=self._tasks,
            publish=self.out.publish,
            twin=twin,
            tapes=self.tapes,
        )

    def turned(self) -> Iterator[tuple[str, float]]:
        """Yield when the loop of each main part last completed a round, in monotonic seconds.

        The time is infinity while the loop waits for something that may take long: a device, a
        broker, the disk.
        """
        yield "table", self.table.turned
        if self.publisher:
            yield "broker", self.publisher.turned
        if self._page_server:
            yield "page", self._page_server.turned
        if self.board:
            yield "board", self.board.turned

    @property
    def publisher(self) -> Publisher | None:
        """The publisher to the broker; None until there is a broker."""
        return self.out.publisher

    @property
    def ended(self) -> Mapping[str, int]:
        """How often each part failed."""
        return self._tasks.ended

    @property
    def page_connections(self) -> int | None:
        """The number of connected browsers; None if the page is not served."""
        return self._page_server.connections if self._page_server else None

    def _missed(self, part: str, why: str) -> None:
        self.lost(part, why or MISSED)
        if part in self._tried:
            self._tried[part].set()

    async def served(self) -> None:
        """Wait until the table's own task ends, which only a fault causes; then raise ServiceError.

        Without that task the table accepts no input.
        """
        if self._served:
            await asyncio.wait([self._served])
        raise ServiceError(
            "The table stopped because of a fault in the program: see the line in the log."
        )

    def _journal_trouble(self, trouble: str) -> None:
        self.show()
        if trouble:
            self.voices.warn(f"journal: {trouble}")

    # The parts that listen on ports.

    async def _embedded(self, settings: BrokerSettings) -> None:
        if self.broker is None:
            accounts = (*self.accounts.accounts(self.plan.table), *self.plan.accounts)
            self.broker = EmbeddedBroker(accounts, host=settings.host, port=settings.port)
        await self.broker.start()
        if self.publisher is None:
            self._publish(settings)
        self._tried["broker"].set()
        self.show()
        await self.broker.ended()

    def _publish(self, settings: BrokerSettings) -> None:
        plan, boot = self.plan, self.journal.boot
        desk = Desk(
            plan.table,
            self.outbox,
            boot=boot,
            staff=partial(self.accounts.at_broker, plan.accounts),
            commands=by_broker(self.game),
            game=self.game.name,
            say=self.voices.broker,
            seen_before=self.journal.heard_before,
            stopped=lambda: bool(self.table.trouble),
        )
        address = plan.address or BrokerAddress(
            host=settings.host, hosts=settings.hosts, port=settings.port
        )
        if self.broker:  # its port may have been chosen by the system
            address = replace(address, port=self.broker.port, socket=self.broker.socket)
        publisher = self.out.publisher = Publisher(
            plan.table,
            address,
            self.outbox,
            boot=boot,
            desk=desk,
            trouble=partial(self.voices.news, "broker"),
            found=self._found,
            announced=announcement(plan.table, version("schlitten"))
            if settings.home_assistant
            else None,
            connects=plan.connects,
        )
        self.start("broker", publisher.run)
        self.start("health", partial(self._tell_health, publisher))

    def _found(self, anchor: Anchor) -> None:
        """Raise an alert if the broker has events that the journal lacks (R-54)."""
        try:
            behind = self.journal.behind(anchor)
        except JournalError as error:  # the connection goes on all the same
            logs.error("what the broker was told could not be compared", why=str(error))
            return
        if behind:
            self.lost("journal", BEHIND)

    async def _watch_disk(self) -> None:
        while True:
            for part, why in disk.amiss(disk.look(self.plan.journal)).items():
                if why:
                    self.lost(part, why)
                else:
                    self.back(part)
            await asyncio.sleep(HEALTH_S)

    async def _tell_health(self, publisher: Publisher) -> None:
        while True:
            await asyncio.sleep(HEALTH_S)
            publisher.health(health(self.plan.journal.parent, inbox=self.table.waiting))

    async def _serve(self, settings: PageSettings) -> None:
        plan = self.plan
        absent = page_parts.not_set_up(reads=plan.reads, board=plan.board, broker=plan.broker)
        if not self.accounts and not is_loopback(settings.host):
            raise CannotServe(
                Trouble(
                    "nobody could sign in at {host}: make the first supervisor "
                    "(`schlitten people add NAME --role supervisor`), or serve it on 127.0.0.1",
                    host=settings.host,
                )
            )
        try:
            look = await asyncio.to_thread(house_look, settings)
        except ConfigError as error:
            raise CannotServe(Trouble("{text}", text=str(error))) from None
        server = Server(
            web_app(
                self.hub,
                gate=self.accounts.gate(),
                names=frozenset(name.lower() for name in settings.names),
                language=settings.language,
                overlay_delay_s=settings.overlay_delay_s,
                look=look,
                colours=settings.theme,
                labels=plan.labels,
                absent=absent,
                failing=lambda fails: self.voices.news("page", MISSED if fails else None),
                past=JournalChronicle(plan.journal, plan.keys, self.game, plan.house),
                tapes=self.tapes,
                machine=LiveMachine(self),
            ),
            settings.host,
            settings.port,
            certificate=settings.certificate,
            key=settings.key,
            proxies=settings.proxies,
        )
        await server.start()
        self.url, self._page_server = server.url, server
        self.back("page")  # it may have failed in an earlier run
        self._tried["page"].set()
        try:
            await server.ended()
        finally:
            self._page_server = None
            await server.stop()
