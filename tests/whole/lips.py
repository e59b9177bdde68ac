"""A whole table with its lip, where the test plays the camera's world, the module and the beam."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import tty
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import numpy as np
from msgspec import json

from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.messages import CardSeen
from table_controller.service.sealing import load_keys, make_key
from table_controller.wiring import config
from table_controller.wiring.app import Plan, Service
from table_controller.wiring.config import ShoeSettings
from table_controller.wiring.shoe import eyes, lip, readings
from tests.limits import PATIENCE_S
from vision import manifest
from vision.cardstock import Stock
from vision.frame import Frame
from vision.generator import film, plan_stocks
from vision.live import monotonic_ms

EMPTY = np.full((192, 640), 28, np.uint8)
SHOE = manifest.make("blue-1", bytes(range(32)))


def lying(stock: Stock, past_ms: int = 31) -> np.ndarray:
    """The picture of a card that lies in the gate, so far past it at a metre a second."""
    frames = film(plan_stocks([stock], 1))
    return min(frames, key=lambda frame: abs(frame.t_ms - 100 - past_ms)).picture


def coming(stock: Stock) -> np.ndarray:
    """The picture of a card that comes out of the lip, and is not in the gate yet."""
    return lying(stock, -20)


def leaving(stock: Stock) -> np.ndarray:
    """The picture of a card of which little is in sight still."""
    return lying(stock, 95)


class Scene:
    """A camera that sees what the test lays before it, at some hundred pictures a second."""

    def __init__(self) -> None:
        self.picture: np.ndarray | None = EMPTY
        self.taken = 0  # pictures
        self._closed, self.stopped = threading.Event(), threading.Event()

    def close(self) -> None:
        self._closed.set()

    def open(self) -> Scene:
        """As a camera that is opened, perhaps once more."""
        self._closed.clear()
        return self

    def __iter__(self) -> Iterator[Frame]:
        while not self._closed.wait(0.008):
            if self.stopped.is_set():
                continue
            fault = "" if self.picture is not None else "the camera is away"
            yield Frame(monotonic_ms(), self.picture, fault)
            self.taken += 1


class Module:
    """A barcode module behind a pty, whose plug can be pulled; `name` is its port."""

    def __init__(self, name: Path) -> None:
        self.name = name
        self._ends: tuple[int, ...] = ()

    def plug_in(self) -> None:
        self._ends = os.openpty()
        tty.setraw(self._ends[1])
        self.name.symlink_to(os.ttyname(self._ends[1]))

    def says(self, data: bytes) -> None:
        os.write(self._ends[0], data)

    def pull(self) -> None:
        self.name.unlink()
        for end in self._ends:
            os.close(end)
        self._ends = ()


class Lipped:
    """The table, its lip and the scene before it."""

    def __init__(self, service: Service, lip: lip.LiveLip, scene: Scene) -> None:
        self.service, self.lip, self.scene = service, lip, scene
        self.heard: list[CardSeen] = []
        self._decoded_ms: list[float] = []
        self.count()

    def count(self) -> None:
        """Count what the lip's reader decodes, the one of now."""
        reader = self.lip.reader
        self._decode, reader.decode = reader.decode, self._counted

    def _counted(self, frame: Frame) -> None:
        self._decode(frame)
        self._decoded_ms.append(frame.t_ms)

    def alerts(self) -> set[str]:
        return {alert.id for alert in self.service.table.state.felt.alerts}

    async def pictures(self, count: int = 20) -> None:
        """Let so many pictures pass."""
        enough = self.scene.taken + count
        await until(lambda: self.scene.taken >= enough)

    async def rest(self) -> None:
        """Let things lie until pictures taken since were decoded, however many wait before them."""
        began_ms, had = monotonic_ms(), len(self._decoded_ms)
        await until(lambda: sum(ms >= began_ms for ms in self._decoded_ms[had:]) >= 4)

    async def card(self, stock: Stock, witness: Callable[[], None] = lambda: None) -> CardSeen:
        """Lay a card into the gate, let a witness speak while it is there; the verdict said."""
        count = len(self.heard)
        await self.lay(stock)
        await until(lambda: self.lip.reader._passages._open is not None)
        witness()
        await self.rest()
        await self.draw(stock)
        await until(lambda: len(self.heard) > count)
        return self.heard[-1]

    async def lay(self, stock: Stock) -> None:
        """Draw a card into the gate: one that nobody saw come may be the last one still."""
        self.scene.picture = coming(stock)
        await self.pictures(2)
        self.scene.picture = lying(stock)

    async def draw(self, stock: Stock) -> None:
        """Draw the card that lies in the gate out of the lip."""
        self.scene.picture = leaving(stock)
        await self.pictures(2)
        self.scene.picture = EMPTY


async def until(holds: Callable[[], bool]) -> None:
    """Wait until it holds."""
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await asyncio.sleep(0.005)


@contextlib.asynccontextmanager
async def table(folder: Path, monkeypatch, **settings: object) -> AsyncIterator[Lipped]:
    """A served table whose camera is a scene; `settings` are further ones of `[shoe]`."""
    scene, path = Scene(), folder / "blue.manifest"
    monkeypatch.setattr(eyes, "frames", lambda _settings: scene.open())
    if not path.exists():  # else it is served once more
        manifest.save(SHOE, path)
        make_key(folder / "table.key")
    plan = Plan(
        table=TableId("whole", "lip"),
        house=config.house("zoppot-1934"),
        keys=load_keys(folder / "table.key", {}),
        journal=folder / "table.db",
    )
    # A busy machine takes pictures anyhow: one in a second is no gap here.
    settings = {"fps": 1.0} | settings
    shoe = ShoeSettings(reader="camera", camera="scene", manifests=(path,), **settings)
    async with Service(plan) as service:
        live = service.lip(shoe)
        lipped = Lipped(service, live, scene)
        say = service.table.say

        def heard(said: object) -> None:
            if isinstance(said, CardSeen):
                lipped.heard.append(said)
            say(said)

        service.table.say = heard
        reading = asyncio.create_task(live.run())
        try:
            yield lipped
        finally:
            reading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reading


def kept(folder: Path) -> list[dict]:
    """The figures of reading that lie beside the journal."""
    file = readings.kept_in(folder / "table.db")
    return [json.decode(line) for line in file.read_bytes().splitlines()] if file.exists() else []
