"""One simulated evening: people, a lip, a board, a broker and a disk around a whole table.

The module is part of the wiring, as app.py is. The service is the product's own, in a world whose
time jumps. Every other part is replaced by a twin that keeps the part's rules. Faults are played at
the part where they occur.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from hardware.rungs import Rung
from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.hil.virtual_time import Cable, World
from table_controller.commands.players import seeded
from table_controller.commands.simulated import acting
from table_controller.commands.simulated.broker import BrokerTwin
from table_controller.commands.simulated.cards import Schlitten, Stream
from table_controller.commands.simulated.dealing import Dealer
from table_controller.commands.simulated.disk import Disk
from table_controller.commands.simulated.faults import Fault
from table_controller.commands.simulated.lip import LipTwin, Sensors
from table_controller.commands.simulated.watch import Watch
from table_controller.engine.alerts import is_open
from table_controller.engine.messages import AlertAcknowledged, Audience, Event, Input
from table_controller.engine.players import TEMPERS, Players
from table_controller.engine.table.devices import LID, LID_STOP, LidRuled
from table_controller.engine.table.events import CardRemoved
from table_controller.engine.table.inputs import StrayRuled, StrayRuling, UnreadRuled
from table_controller.rules.houses import House
from table_controller.service.sealing import Keys
from table_controller.wiring.app import Service
from table_controller.wiring.config import BrokerSettings, ShoeSettings
from table_controller.wiring.games import game
from table_controller.wiring.plan import Plan

TABLE: Final = TableId("simulated", "table-1")
#: The least and most milliseconds between two inputs of people.
PACE_MS: Final = (400, 2500)
#: Seconds between two checks whether people may go on.
_LOOK_S: Final = 0.1
#: Seconds without any input after which an evening has stopped.
STILL_S: Final = 300.0
#: After everything is played, faults end and alerts clear within this many seconds.
_AFTER_S: Final = 90.0
#: Milliseconds since 1970 at which every evening begins.
_BEGINS_MS: Final = 1_790_000_000_000
_LIP: Final = ShoeSettings(reader="camera", camera="twin", beam="board")


@dataclass(frozen=True, kw_only=True)
class EveningPlan:
    """The evening to play: house, seed, cards, faults and people."""

    house: House
    seed: int
    coups: int
    temper: str = "usual"
    sensors: Sensors = field(default_factory=Sensors)
    faults: tuple[Fault, ...] = ()
    stream: Stream | None = None


class StoodStill(Exception):
    """Nothing happened at the table for a long time.

    The text says which input the table waits for.
    """


class SimulatedEvening:
    """An evening that is being played. `play` it once.

    The time from a start of the program to a power cut, or to the evening's end, is called a life.

    Attributes:
        watch: the observations of the evening.
        disk, lip, wire, broker: the twins, for the faults.
        jump_ms: the error of the wall clock, in milliseconds.
        off_s: the seconds for which the power stays away after a cut.
        alive: set while the table runs.
        cut_short: whether the evening ended during a coup, since the file of cards had no more
            cards.
    """

    def __init__(self, asked: EveningPlan, world: World, rung: Rung, folder: Path) -> None:
        self.asked, self.world, self._folder = asked, world, folder
        self.game = game(asked.house.game)
        self.wire = world.wire = Cable(rung)
        self.lip = LipTwin(asked.house, asked.seed, asked.sensors, rung.command)
        self.broker, self.jump_ms, self.off_s = BrokerTwin(), 0, 0.0
        self.cut_short = False
        self.keys = Keys.derive(sha256(f"simulation {asked.seed}".encode()).digest())
        self.watch = Watch(world.time, asked.faults)
        self.dealer = Dealer(
            self.lip, Schlitten(asked.house, asked.seed, asked.stream), self.watch, world.time
        )
        self.alive = asyncio.Event()
        self._luck = random.Random(f"evening {asked.seed}")
        self._people: Players[Any] = seeded(self.game, asked.seed, temper=TEMPERS[asked.temper])
        self._arrived: list[Input] | None = None
        self._lives = 0
        self.disk = self._new_disk()

    # Lives: each lasts from a start of the program to a power cut, or to the end

    @property
    def journal(self) -> Path:
        """The journal of the present life."""
        return self.disk.journal

    def _new_disk(self) -> Disk:
        self._lives += 1
        folder = self._folder / f"life-{self._lives}"
        folder.mkdir()
        return Disk(folder / "table.db", self._luck)

    async def play(self) -> None:
        """Play the evening with its faults. Raises StoodStill."""
        acts = [asyncio.create_task(acting.act(self, fault)) for fault in self.asked.faults]
        try:
            while not await self._life():
                left, self.disk = self.disk, self._new_disk()
                left.put_in(self.disk.journal)
                await asyncio.sleep(self.off_s)
                self.wire.plug(into=True)
                self.broker.up()
        finally:
            for one in acts:
                one.cancel()
            await asyncio.gather(*acts, return_exceptions=True)
        for one in acts:
            if one.done() and not one.cancelled() and one.exception():
                raise one.exception() or RuntimeError

    async def _life(self) -> bool:
        """Run the table until the evening or the power ends. Return whether the evening ended."""
        async with Service(self._plan()) as service:
            self.alive.set()
            service.table.listen(self.watch)
            self.watch.begin(service)
            service.start("reading", service.lip(_LIP, self.lip).run, ends=True)
            playing = asyncio.create_task(self._play(service))
            cut = asyncio.create_task(self.disk.cut.wait())
            await asyncio.wait((playing, cut), return_when=asyncio.FIRST_COMPLETED)
            ended = playing.done()
            if not ended:
                playing.cancel()
                self.alive.clear()
                self.broker.down("the power is gone")
                self.wire.plug(into=False)
                self.disk.die()
            cut.cancel()
            results = await asyncio.gather(playing, cut, return_exceptions=True)
        if ended and isinstance(results[0], BaseException):
            raise results[0]
        return ended

    def _plan(self) -> Plan:
        return Plan(
            table=TABLE,
            house=self.asked.house,
            keys=self.keys,
            journal=self.disk.journal,
            game=self.game,
            durable=False,
            pen=self.disk,
            board="board",
            makes_board=self.wire.board,
            broker=BrokerSettings(kind="mqtt"),
            connects=self.broker.connect,
            clock=lambda: _BEGINS_MS + round(self.world.time() * 1000) + self.jump_ms,
        )

    # People's actions

    async def _play(self, service: Service) -> None:
        if self._arrived is None:
            self._arrived = list(self._people.arrive(service.table.state))
        while self._arrived:
            await self._say(service, self._arrived[0], pace=False)
            self._arrived.pop(0)
        while await self._goes_on(service):
            pass
        await self._calm(service)
        publisher = service.publisher
        if publisher:
            async with asyncio.timeout(_AFTER_S):
                await publisher.told()

    async def _goes_on(self, service: Service) -> bool:
        """Let the next input or card happen. Return False once the evening is over."""
        self._watch_over(service)
        if await self._attends(service):
            return True
        now = self._people.progress(service.table.state)
        if now.loaded:
            self.dealer.load(now.schlitten)
        if now.coups >= self.asked.coups and not now.loaded:
            return False
        said = now.close if now.close and now.coups >= self.asked.coups else None
        if now.again:  # the card is shown again, if there is one
            said = UnreadRuled(actor="croupier") if self.dealer.none_left(service) else None
        else:
            said = said or self._people.say(service.table.state)
        if said is not None:
            await self._say(service, said)
            return True
        if self.dealer.is_out(service):
            self.cut_short = True  # a given stream has ended
            return False
        await asyncio.sleep(self.lip.between_s())
        if not service.table.busy and not await self._attends(service):
            await self.dealer.deal(service, self._people.progress)
        return True

    def _watch_over(self, service: Service) -> None:
        if self.world.time() - self.watch.heard_s > STILL_S:
            asks = service.table.now.snapshot(Audience.CROUPIER).prompt.ask
            raise StoodStill(f"nothing happened for {STILL_S:g} s; the table awaits: {asks}")

    async def _attends(self, service: Service) -> bool:
        """Deal with an open alert or a busy table, if there is one.

        Return whether there was one.
        """
        alerts = service.table.now.alerts
        if is_open(alerts, LID) or service.table.trouble or service.table.busy:
            await asyncio.sleep(_LOOK_S)
            return True
        if is_open(alerts, LID_STOP):
            await self._say(service, LidRuled(actor="supervisor", reason="nobody touched a card"))
            return True
        if any(one.id == "device-frames" and not one.acknowledged for one in alerts):
            # the cards are counted, and any card that the table does not know is shown again
            await self._say(service, AlertAcknowledged(actor="croupier", alert="device-frames"))
            return True
        if is_open(alerts, "device-camera"):
            await asyncio.sleep(_LOOK_S)
            return True
        return False

    async def _say(self, service: Service, said: Input, *, pace: bool = True) -> None:
        if pace:
            asked = self._people.progress(service.table.state).again
            await asyncio.sleep(self._luck.randint(*PACE_MS) / 1000)
            if not asked and self._people.progress(service.table.state).again:
                return  # meanwhile a card is to be shown again: people see that, and do it first
        prompt = service.table.now.prompt if said.prompt is None else said.prompt
        self.watch.say(said)
        told = await service.table.ask(replace(said, prompt=prompt))
        self.watch.answered(told)
        if isinstance(said, StrayRuled) and any(_went_back(event) for event, _ in told):
            self.dealer.put_back(service)

    async def _calm(self, service: Service) -> None:
        """Wait, at the end of the evening, until all faults are over."""
        end = self.world.time() + _AFTER_S
        while (late := self._acting()) or (service.table.now.alerts and self.world.time() < end):
            end = self.world.time() + _AFTER_S if late else end
            await self._attends(service)
            await asyncio.sleep(_LOOK_S)

    def _acting(self) -> bool:
        return any(one.began_s is not None and one.ended_s is None for one in self.watch.faults)


def _went_back(event: Event) -> bool:
    return isinstance(event, CardRemoved) and event.ruling is StrayRuling.BACK


@contextlib.contextmanager
def made(asked: EveningPlan, rung: Rung, folder: Path) -> Iterator[tuple[World, SimulatedEvening]]:
    """Yield a world, and this evening in the world."""
    world = World()
    asyncio.set_event_loop(world)
    try:
        yield world, SimulatedEvening(asked, world, rung, folder)
    finally:
        world.close()
