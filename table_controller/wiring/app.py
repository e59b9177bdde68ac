"""The wiring: everything one table needs, started and stopped as one. Reads top to bottom.

The only module of the program that knows every driver. It decides nothing: it connects.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Self, get_args

from msgspec.structs import replace

from firmware_bridge.messages import Lamp
from firmware_bridge.port import Board
from firmware_bridge.reconciler import Connected, Lost, News
from table_controller.adapters import board as board_picture
from table_controller.adapters.broker import BrokerFailed, EmbeddedBroker
from table_controller.adapters.broker_rules import Account, Role, User
from table_controller.adapters.meters import health
from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.adapters.mqtt_messages import Info, Picture, TableState
from table_controller.adapters.mqtt_names import TableId
from table_controller.adapters.mqtt_publisher import Now, Publisher
from table_controller.adapters.mqtt_requests import Desk
from table_controller.adapters.web.app import app as web_app
from table_controller.adapters.web.hub import Answer, Hub, Said
from table_controller.adapters.web.serve import CannotServe, Server, serve
from table_controller.engine.commitments import Secret
from table_controller.engine.messages import (
    Audience,
    CardSeen,
    DeviceBack,
    DeviceLost,
    Refusal,
    Refused,
    phrase,
)
from table_controller.engine.seen import Seen
from table_controller.engine.views import Snapshot
from table_controller.rules.houses import House
from table_controller.rules.rulebook import rule
from table_controller.service.errors import BadInput, ServiceError
from table_controller.service.game import Game
from table_controller.service.journal import Journal
from table_controller.service.outbox import Outbox
from table_controller.service.recovery import recover
from table_controller.service.sealing import Keys
from table_controller.service.table import Table, Told
from table_controller.wiring import games, shown
from table_controller.wiring.config import BrokerSettings, PageSettings, lamp_language
from table_controller.wiring.tasks import Tasks

#: A part that could not start tries again after so long.
RETRY_S = 5.0
HEALTH_S = 10.0
#: What is said of a part that ended.
MISSED: Final = "It stopped by a fault of the program: start the table again, report the log."


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What one served table is made of.

    Attributes:
        game: that is played; None: that of the house.
        durable: whether the journal is flushed; False only where it is no truth (a replay).
        lamps: what the board's lamps say; None: what its house says.
        accounts: of the broker; the staff among them may say inputs.
        address: of the broker with our user and password, where it is not `broker`'s alone.
        reads: whether a reader of cards is set up; else people type them, unseen.
        clock: milliseconds since 1970.
        promises: the key of the cards' promises; None: one of the journal's own.
        warn: told sentences about devices, for the terminal.
    """

    table: TableId
    house: House
    keys: Keys
    journal: Path
    game: Game[Any] | None = None
    board: str = ""
    lamps: Mapping[str, Lamp] | None = None
    broker: BrokerSettings | None = None
    accounts: tuple[Account, ...] = ()
    address: BrokerAddress | None = None
    page: PageSettings | None = None
    reads: bool = True
    durable: bool = True
    promises: Secret | None = None
    clock: Callable[[], int] = now_ms
    warn: Callable[[str], None] = field(default=lambda _: None)


class Service:
    """One table, served. `async with Service(plan) as service:` starts and stops everything."""

    def __init__(self, plan: Plan) -> None:
        """Open the journal and recover the table. Raises JournalError, RecoveryError."""
        self.plan, self.game = plan, plan.game or games.game(plan.house.game)
        self.journal = Journal.open(
            plan.journal,
            plan.keys,
            game=self.game.name,
            house=plan.house.id,
            code=version("schlitten"),
            t_ms=plan.clock(),
            durable=plan.durable,
        )
        try:
            state = recover(self.journal.archive, self.game, self._begin).state
        except ServiceError:
            self.journal.close()
            raise
        self.outbox = Outbox(self.journal)
        self.table: Table[Any] = Table(
            self.game, state, self.journal, plan.clock, alarm=self._journal_trouble
        )
        self.hub: Hub[Any] = Hub(state, self._project, self._say, rule_text)
        self.board = Board(plan.board, self._board_news) if plan.board else None
        self._lamps = plan.lamps or lamp_language(plan.house)
        self.publisher: Publisher | None = None
        self.broker: EmbeddedBroker | None = None
        self.url = ""
        self._info = self._introduced()
        self._server: Server | None = None
        self._tasks = Tasks(self._missed)
        self._served: asyncio.Task[Any] | None = None
        self._lost: dict[str, str] = {}
        self._alarm: asyncio.TimerHandle | None = None
        self._clocked = 0
        self._due: asyncio.Handle | None = None

    def _begin(self) -> Any:
        # A key of its own for every journal: a nonce that was revealed once never comes again.
        salt = self.journal.header.journal.encode()
        own = Secret(hmac.digest(self.plan.keys.commit.value, salt, "sha256"))
        return self.game.begin(self.plan.house, self.plan.promises or own)

    async def __aenter__(self) -> Self:
        """Start the table, then what stands round it; what cannot start tries again."""
        self.table.listen(self)  # the board first: who plays looks at it
        self.table.listen(self.outbox)
        self._served = self.start("table", self.table.run())
        if self.board:
            self.start("board", self.board.run())
        broker = self.plan.broker
        if broker and broker.kind == "embedded":
            await self._try("broker", lambda: self._embedded(broker))
        elif broker and broker.kind == "mqtt":
            self._publish(broker)
        page = self.plan.page
        if page:
            await self._try("page", lambda: self._serve(page))
        self.tell((), self.table.state)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop it again, the outermost first; the journal last."""
        self.hub.close()
        if self._alarm:
            self._alarm.cancel()
        if self._server:
            await self._server.stop()
        await self._tasks.stop()
        if self.broker:
            await self.broker.stop()
        self.journal.close()

    def start(
        self, part: str, work: Coroutine[Any, Any, Any], *, ends: bool = False
    ) -> asyncio.Task[Any]:
        """Start a part that goes on until the service stops, or `ends` when it is done."""
        return self._tasks.start(part, work, ends=ends)

    def _missed(self, part: str) -> None:
        self.lost(part, MISSED)

    async def served(self) -> None:
        """Wait for the end of the table's own task, which only a fault brings about.

        Raises ServiceError: without it nothing is taken any more.
        """
        if self._served:
            await asyncio.wait([self._served])
        raise ServiceError("The table stopped by a fault of the program: see the line in the log.")

    async def _try(self, device: str, start: Callable[[], Awaitable[None]]) -> None:
        """Start a part now; where it cannot, say so and keep trying while the rest goes on."""
        try:
            await start()
        except (BrokerFailed, CannotServe) as error:
            self.lost(device, str(error))
            self.start(device, self._try_again(device, start), ends=True)

    async def _try_again(self, device: str, start: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(RETRY_S)
            try:
                await start()
            except (BrokerFailed, CannotServe) as error:
                self.lost(device, str(error))
            else:
                self.back(device)
                self.tell((), self.table.state)
                return

    # Out: pictures of now, each to its own queue.

    def tell(self, _told: Sequence[Told], state: Any) -> None:
        """Show the table's state everywhere; called by the table.

        The board's bytes are written here; page and broker only learn that there is news.
        """
        self._set_clock(state)
        self.hub.tell(state)
        if self.board:
            public = self.hub.snapshot(Audience.PUBLIC)
            self.board.show(board_picture.picture(public, self._lamps))
        if self.publisher and not self._due:
            self._due = asyncio.get_running_loop().call_soon(self._tell_broker, self.publisher)

    def _tell_broker(self, publisher: Publisher) -> None:
        """Give the broker the picture of now, once for all news of a moment."""
        self._due = None
        anchor, public = self.journal.anchor(), self.hub.snapshot(Audience.PUBLIC)
        alerts = self.hub.snapshot(Audience.CROUPIER).alerts if public.alerts else ()
        publisher.show(
            Now(
                state=TableState.ALERT if alerts else TableState.READY,
                info=self._info,
                picture=Picture(
                    seq=anchor.count, chain_head=anchor.head, count=anchor.count, snapshot=public
                ),
                alerts=alerts,
            )
        )

    def _set_clock(self, state: Any) -> None:
        """Let the clock say its word when the prompt of now has stood for long (Z-16)."""
        prompt = self.game.prompt(state)
        if prompt == self._clocked:
            return
        self._clocked = prompt
        if self._alarm:
            self._alarm.cancel()
        due = self.game.deadline(state)
        if due:
            seconds, said = due
            self._alarm = asyncio.get_running_loop().call_later(seconds, self.table.say, said)

    def _introduced(self) -> Info:
        """Who we are: read and reckoned once, since no input changes it."""
        return Info(
            version=version("schlitten"),
            house=self.plan.house.id,
            game=self.game.name,
            capabilities=("replay", "verify"),
            configuration=sha256(repr(self.plan.house).encode()).hexdigest()[:16],
            boot=self.journal.boot,
        )

    def _project(self, state: Any, audience: Audience) -> Snapshot:
        """The game's picture, and what pages show and take beside it."""
        staff, picture = audience is not Audience.PUBLIC, self.game.snapshot(state, audience)
        if staff:
            picture = shown.with_entries(self.game, picture, state, reads=self.plan.reads)
        if self.table.trouble:
            picture = shown.with_trouble(picture, self.table.trouble, staff=staff)
        return picture

    # In: people, devices, the broker.

    async def _say(self, said: Said, actor: str) -> Answer:
        """An input from a page; refusals are answers."""
        said, actor = shown.entered(said, actor)
        before = self.table.state
        try:
            told = await self.table.ask(said, actor=actor)
        except BadInput as error:
            return Answer(ok=False, why=phrase("{why}", why=str(error)))
        for event, _ in told:
            if isinstance(event, Refused):
                return Answer(ok=False, why=event.why, remedy=event.remedy, rule=event.rule)
        heard = [event for event, _ in told]
        return Answer(changed=self.game.changed(before, self.table.state, heard))

    async def _say_by_broker(self, said: dict[str, Any], actor: str) -> dict[str, Any]:
        """An input from the broker. Raises Refusal, or ValueError for what is no input."""
        try:
            told = await self.table.ask(said, actor=actor)
        except BadInput as error:
            raise ValueError(str(error)) from None
        for event, _ in told:
            if isinstance(event, Refused):
                raise Refusal(event.why, event.remedy, event.rule)
        return {"events": [row.type for _, row in told]}

    def lost(self, device: str, why: str) -> None:
        """A device does not answer; `why` is a sentence with the remedy."""
        if self._lost.get(device) != why:
            self._lost[device] = why
            self.plan.warn(f"{device}: {why}")
            self.table.say(DeviceLost(actor="watch", device=device, why=why))

    def back(self, device: str) -> None:
        """A device answers (again, perhaps after a restart of the service)."""
        self._lost.pop(device, None)
        alerts = self.game.alerts(self.table.state)
        if any(alert.id == f"device-{device}" for alert in alerts):
            self.table.say(DeviceBack(actor="watch", device=device))

    def _board_news(self, news: News) -> None:
        match news:
            case Lost(why=why):
                self.lost("board", why)
            case Connected():
                self.back("board")

    def _broker_news(self, why: str | None) -> None:
        if why is None:
            self.back("broker")
        else:
            self.lost("broker", why)

    def _journal_trouble(self, trouble: str) -> None:
        if trouble:
            self.plan.warn(f"journal: {trouble}")
        self.tell((), self.table.state)

    # The parts that listen on ports.

    async def _embedded(self, settings: BrokerSettings) -> None:
        broker = EmbeddedBroker(self.plan.accounts, host=settings.host, port=settings.port)
        await broker.start()
        self.broker = broker
        self._publish(settings)  # not before: whoever else has the port is not to be told

    def _publish(self, settings: BrokerSettings) -> None:
        plan, boot = self.plan, self.journal.boot
        desk = Desk(
            plan.table,
            self.outbox,
            boot=boot,
            staff={
                account.user.name: account.user.name
                for account in plan.accounts
                if account.user.role is Role.STAFF
            },
            commands=by_broker(self.game),
            say=self._say_by_broker,
            seen_before=self.journal.heard_before,
        )
        address = plan.address or BrokerAddress(host=settings.host, port=settings.port)
        if self.broker:
            address = replace(address, port=self.broker.port)  # it may have been asked for any
        self.publisher = Publisher(
            plan.table, address, self.outbox, boot=boot, desk=desk, trouble=self._broker_news
        )
        self.start("broker", self.publisher.run())
        self.start("health", self._tell_health(self.publisher))

    async def _tell_health(self, publisher: Publisher) -> None:
        while True:
            await asyncio.sleep(HEALTH_S)
            publisher.health(health(self.plan.journal.parent, inbox=self.table.waiting))

    async def _serve(self, settings: PageSettings) -> None:
        plan = self.plan
        absent = shown.not_set_up(reads=plan.reads, board=plan.board, broker=plan.broker)
        server = serve(
            web_app(self.hub, language=settings.language, absent=absent),
            settings.host,
            settings.port,
            certificate=settings.certificate,
            key=settings.key,
        )
        await server.start()
        self._server, self.url = server, server.url


def evening_accounts(table: TableId) -> tuple[Account, ...]:
    """Users of an embedded broker for one evening: the table first, staff, guests."""
    names = (("table", Role.TABLE), ("staff", Role.STAFF), ("guest", Role.GUEST))
    return tuple(Account(User(name, role, table), secrets.token_urlsafe(9)) for name, role in names)


def own_address(accounts: Sequence[Account]) -> BrokerAddress:
    """How the table itself signs in at the embedded broker."""
    return BrokerAddress(username=accounts[0].user.name, password=accounts[0].secret)


def by_broker(game: Game[Any]) -> frozenset[str]:
    """What staff may say over it: never a device's word, nor what may name a closed card."""
    return frozenset(
        str(kind.__struct_config__.tag)
        for kind in get_args(game.inputs)
        if not kind.SEALED and kind not in (DeviceLost, DeviceBack)
    )


def card_input(seen: Seen) -> CardSeen:
    """A reader's verdict as the table's input."""
    return CardSeen(
        actor="lip", card=seen.card, copy=seen.copy, unknown=seen.unknown, white=seen.white
    )


def rule_text(id_: str) -> str | None:
    """The rule in our words, or None where there is none of that id."""
    try:
        return rule(id_).text
    except LookupError:
        return None
