"""The lip at a live table: turns camera, barcode module and exit beam into inputs.

The module is part of the wiring and loads OpenCV, so it is loaded only if a table has a reader.
Each of the three devices may fail and recover by itself. Each failure and recovery is reported, and
the other devices go on.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from functools import partial
from typing import Any, Protocol

from firmware_bridge.barcode_module import (
    BarcodeModule,
    BarcodeRead,
    ModuleConnected,
    ModuleLost,
    ModuleNews,
)
from firmware_bridge.messages import Sensor, SensorReport
from firmware_bridge.trouble import Trouble
from hardware.pi_table import PiTable, pin_factory
from hardware.pins import PinNews, PinsError
from table_controller.adapters.mqtt_messages import Message, ReadingQuality, current
from table_controller.engine.messages import AlertSeen, Audience
from table_controller.engine.seen import Seen
from table_controller.engine.table.events import SchlittenCounted
from table_controller.engine.table.inputs import ReadingCounted
from table_controller.service import logs
from table_controller.service.game import Position
from table_controller.service.table import Table, Told
from table_controller.wiring.config import ShoeSettings
from table_controller.wiring.devices import RETRY_S, Devices
from table_controller.wiring.inputs import Voices, card_input
from table_controller.wiring.plan import Plan
from table_controller.wiring.shoe import eyes, readings
from table_controller.wiring.shoe.pacing import FilmPace
from table_controller.wiring.shoe.taped_reader import TapedReader
from table_controller.wiring.shoe.taping import Tapes
from table_controller.wiring.tasks import Tasks
from vision.camera import Playback
from vision.frame import Frame
from vision.live import follow
from vision.reader import Reader, Sight
from vision.timeline import GAP as UNSEEN
from vision.witness import Quality

#: Names for reports that are about no device: a recording in the camera's place, and the reading.
RECORDING, READING = "recording", "reading"
#: Reported lost if frames are missing. Somebody must count the cards, then acknowledge the alert.
GAP = "frames"
ANOTHER = Trouble("Name another one in the settings ([shoe] camera), and start the table again.")
FAULT = Trouble("reading failed by a fault of the program: its places are in the log.")


class CameraTwin(Protocol):
    """Replaces a camera and its cards: gives a reader the views that a frame would show."""

    @property
    def sight(self) -> Sight:
        """The geometry and the witnesses for the reader."""

    def follow(self, reader: Reader) -> AsyncIterator[tuple[int, Seen]]:
        """Yield each passage's verdict when it is due, as `vision.live.follow` does."""


class LiveLip:
    """One table's lip. It sends every passage to the table, which goes on if the lip fails or ends.

    Attributes:
        reader: turns the witnesses' reports into verdicts.
        pins: the Pi's pins, once they are open, or their twin if the settings name it.
    """

    def __init__(
        self,
        settings: ShoeSettings,
        plan: Plan,
        table: Table[Any],
        voices: Voices,
        *,
        devices: Devices,
        tasks: Tasks,
        publish: Callable[[Message], None],
        twin: CameraTwin | None = None,
        tapes: Tapes | None = None,
    ) -> None:
        """Prepare the lip according to the settings. A `twin` replaces the camera.

        Raises ConfigError.
        """
        self._settings, self._plan, self._table = settings, plan, table
        self._voices, self._news = voices, voices.news
        self._devices, self._tasks, self._publish = devices, tasks, publish
        self._twin = twin
        self._makes = partial(TapedReader, tapes=tapes) if tapes else Reader
        self._sight = twin.sight if twin else eyes.sight(settings, plan.house)
        self._over = _at_its_end(settings)
        self._pace = FilmPace()
        self.reader = self._begin()
        self.pins: Any = None

    def _begin(self) -> Reader:
        """Return a reader of the frames that the settings name.

        If a recording cannot be read, the reader gets no frames.
        """
        frames: Iterable[Frame] = ()
        try:
            frames = () if self._twin else eyes.frames(self._settings)
        except eyes.NoFilm as error:
            self._over = (
                RECORDING,
                Trouble(
                    "{place}: {fault}. {remedy}",
                    place="[shoe]",
                    fault=error.why,
                    remedy=ANOTHER,
                ),
            )
        reader = self._makes(
            frames,
            self._sight,
            on_beam=self._safely(partial(self._news, "beam")),
            on_gap=self._safely(partial(self._voices.lost, GAP)),
            on_camera=self._safely(self._camera_news),
            on_eye=self._eye_news(self._safely(partial(self._news, READING))),
        )
        if isinstance(frames, Playback):
            frames.held = self._pace.held
            self._pace.begin(reader, self._table.now)
        return reader

    async def run(self) -> None:
        """Run the lip until the frames end, or cannot be read. Either raises an alert."""
        self._table.listen(self)
        alerts = self._table.now.alerts
        if any(alert.id == f"device-{GAP}" and alert.acknowledged for alert in alerts):
            self._voices.settled(GAP)  # acknowledged in an earlier run
        devices = [
            self._tasks.start("module", self._hear_module, ends=True),
            self._tasks.start("beam", self._hear_beam, ends=True),
        ]
        try:
            while await self._read():
                await asyncio.sleep(RETRY_S)
                self.reader = self._begin()
        finally:
            for device in devices:
                device.cancel()
            await asyncio.gather(*devices, return_exceptions=True)

    async def _read(self) -> bool:
        """Send the verdict of every passage until the frames end. Return whether to restart.

        A recording is not restarted, as it would deal its cards a second time. If a Schlitten is
        loaded at the start, nobody saw which cards have left it. `Reader.unseen` tells the reader
        this.
        """
        if self._table.now.snapshot(Audience.PUBLIC).shoe:
            self.reader.unseen(UNSEEN)
        try:
            watch = self._twin.follow if self._twin else follow
            async for _, seen in watch(self.reader):
                self._table.say(card_input(seen))
        except Exception as error:  # noqa: BLE001 - the task's edge: the table goes on
            logs.fault("reading cards failed", error)
            if self._settings.reader == "recording":
                camera = self._settings.camera
                why = Trouble("{film}: {fault} {remedy}", film=camera, fault=FAULT, remedy=ANOTHER)
                self._voices.lost(RECORDING, why)
                return False
            self._voices.lost(READING, FAULT)
            return True
        self._voices.lost(*self._over)
        return False

    def tell(self, told: Sequence[Told], now: Position[Any]) -> None:
        """Tell the reader whether the table asks for a card again.

        Publish how well a Schlitten was read, if the table has just closed it.
        """
        self.reader.ask_again(now.asks_again)
        self._pace.tell(now)
        for event, _ in told:
            match event:
                case AlertSeen(id=id_) if id_ == f"device-{GAP}":
                    self._voices.settled(GAP)
                case SchlittenCounted(shoe=shoe):
                    self._tell_quality(shoe, self.reader.take_quality())

    def _tell_quality(self, shoe: str, quality: Quality) -> None:
        """Publish how well a whole Schlitten was read.

        Figures of one card would be a hint at that card.
        """
        deck = self._sight.manifest.shoe if self._sight.manifest else ""
        told = reading_quality(shoe, self._settings, deck, quality)
        self._publish(current("croupier_reading", told, self._plan.table))
        self._table.say(
            ReadingCounted(
                actor="lip",
                shoe=shoe,
                passages=told.passages,
                cards=told.cards,
                retries=told.retries,
                agreed=told.agreed,
                rejected=sum(told.rejects.values()),
                gaps=told.gaps,
            )
        )
        try:
            readings.keep(self._plan.journal, told)
        except OSError as error:
            self._voices.warn(f"the figures of reading are not kept: {error}")

    # The devices

    def _safely(self, hear: Callable[[str], None]) -> Callable[[str], None]:
        """Return a function that any thread may call. It calls `hear` in the event loop."""
        loop = asyncio.get_running_loop()

        def told(fault: str) -> None:
            loop.call_soon_threadsafe(hear, fault)

        return told

    def _camera_news(self, fault: str) -> None:
        self._news("camera", fault)
        if not fault:
            self._voices.back(RECORDING)
            self._voices.back(READING)

    def _eye_news(self, tell: Callable[[str], None]) -> Callable[[Exception | None], None]:
        """Return a function that logs an error of a witness, and reports the error by `tell`.

        That function reports "" once the witness works. So the alert is open as long as the witness
        fails.
        """

        def told(error: Exception | None) -> None:
            if error:
                logs.fault("reading cards failed", error)
            tell(FAULT if error else "")

        return told

    async def _hear_module(self) -> None:
        """Take the barcode module's readings until cancelled, if there is a module."""
        if not self._settings.module:
            self._voices.back("module")  # clears an alert that an earlier run left
            return
        await BarcodeModule(self._settings.module, self._module_news).run()

    def _module_news(self, news: ModuleNews) -> None:
        match news:
            case BarcodeRead(text=text, at_s=at_s):
                self.reader.line(at_s * 1000, text)
            case ModuleConnected():
                self._voices.back("module")
            case ModuleLost(why=why):
                self._voices.lost("module", why)

    async def _hear_beam(self) -> None:
        """Take the reports of the Pi's exit beam until cancelled, if there is one.

        If the board has the exit beam, `Devices` takes its reports.
        """
        if self._settings.beam == "none":
            self._voices.back("beam")
            return
        if self._settings.beam == "board":
            self._devices.beam = lambda: self.reader
            self._voices.back("beam")
            return
        while True:
            why: str = FAULT
            try:
                self.pins = pin_factory(self._settings.beam)
                beam = PiTable(self.pins, self._pin_news, uses={Sensor.EXIT_BEAM.name})
                await beam.run(ready=self._beam_back)
            except PinsError as error:
                why = error.why
                self._news("beam", why)
            finally:
                self.reader.beam_away(why)  # whatever ended it, the frames must do without it
            await asyncio.sleep(RETRY_S)

    def _beam_back(self) -> None:
        self.reader.beam_back()  # first, or a frame taken late reports the old fault again
        self._voices.back("beam")

    def _pin_news(self, news: PinNews) -> None:
        match news:
            case SensorReport(sensor=Sensor.EXIT_BEAM, time_us=at_us, active=active):
                self.reader.edge(at_us / 1000, blocked=active)


def _at_its_end(settings: ShoeSettings) -> tuple[str, str]:
    """Return the device to report as lost when no more frames arrive, and the remedy."""
    if settings.reader == "recording":
        film = settings.camera
        return RECORDING, Trouble(
            "The recording {film} is at its end. {remedy}", film=film, remedy=ANOTHER
        )
    return "camera", Trouble("The camera gives no more pictures: start the table again.")


def reading_quality(
    shoe: str, settings: ShoeSettings, deck: str, quality: Quality
) -> ReadingQuality:
    """Return the figures of a closed Schlitten in the form in which they are published."""
    return ReadingQuality(
        shoe=shoe,
        camera=settings.camera or settings.reader,
        deck=deck,
        passages=quality.passages,
        cards=quality.cards,
        white=quality.white,
        retries=quality.retries,
        agreed=quality.agreed,
        rejects=dict(sorted(quality.unknown.items())),
        reads=dict(sorted((str(who), count) for who, count in quality.reads.items())),
        margins=dict(sorted(quality.frames_read.items())),
        late=quality.late,
        stray=quality.stray,
        unreadable=quality.unreadable,
        dropped=quality.dropped,
        gaps=quality.gaps,
    )
