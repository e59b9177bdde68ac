"""Measures the speed of replays: coups at a whole table, and the film of a Schlitten."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2

from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.simulate import evening
from table_controller.service.sealing import make_key
from table_controller.wiring import config
from table_controller.wiring.app import Service
from table_controller.wiring.config import BrokerSettings, PageSettings
from table_controller.wiring.plan import Plan
from tests.brokers import Mosquitto
from tests.vision.faces.drawn import At, corners
from vision import manifest
from vision.faces.passage import sliding
from vision.faces.read import CornerReader
from vision.generator import film, mixed, plan
from vision.lip import SHIPPED
from vision.reader import Reader, Sight, barcodes

COUPS, CARDS, FPS = 1000, 60, 60.0
HOUSE = config.house("zoppot-1934")


def rows() -> list[tuple[str, float, str, str]]:
    """Measure. Return rows of name, value, unit and budget."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        broker = Mosquitto(folder)
        broker.start()
        try:
            coups = asyncio.run(_coups(folder, broker.port))
        finally:
            broker.stop()
    labels, faces = _film()
    return [
        ("coups at a table with journal, Mosquitto and page", coups, "coups/min", "> 5,000"),
        (f"a film of labels, 640x480, {FPS:g} pictures/s, one core", labels, "x real time", "> 10"),
        ("the same, its faces looked for too", faces, "x real time", ""),
    ]


async def _coups(folder: Path, port: int) -> float:
    """The coups a minute in a replay: nothing is written to disk, and nobody waits."""
    keys = make_key(folder / "table.key")
    said = [one.input for one in evening(HOUSE, keys.commit, seed=1, coups=COUPS)]
    made = Plan(
        table=TableId("bench", "replay"),
        house=HOUSE,
        keys=keys,
        journal=folder / "table.db",
        durable=False,
        broker=BrokerSettings(kind="mqtt", port=port),
        address=BrokerAddress(port=port),
        page=PageSettings(port=0),
    )
    async with Service(made) as service:
        began = time.perf_counter()
        for one in said:
            await service.table.ask(one)
        assert service.publisher
        await service.publisher.told()
        return COUPS * 60 / (time.perf_counter() - began)


def _film() -> tuple[float, float]:
    """How many times faster a film is read than it was filmed, with labels only and with faces.

    Each is the best of three.
    """
    cv2.setNumThreads(1)
    shoe = manifest.make("bench", bytes(32))
    frames = list(film(plan(mixed(shoe, 1)[:CARDS], 1), fps=FPS, rows=480))
    eye = sliding(CornerReader(), SHIPPED, corners(At("Jc", 330, 240, SHIPPED.card_px, 3)))
    sights = (
        Sight(manifest=shoe, fps=FPS),
        Sight(manifest=shoe, fps=FPS, witnesses=(eye, barcodes(SHIPPED))),
    )
    filmed_s = len(frames) / FPS
    labels, faces = (
        max(filmed_s / _seconds(Reader(frames, sight)) for _ in range(3)) for sight in sights
    )
    return labels, faces


def _seconds(reader: Reader) -> float:
    began = time.perf_counter()
    for _verdict in reader.passages():
        pass
    return time.perf_counter() - began
