"""kill -9 at fifty instants of an evening: nothing shows in journal, broker or page afterwards."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from table_controller import config, simulate
from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer.sums import sums
from table_controller.service.archive import Archive
from table_controller.service.recording import Recording
from table_controller.service.sealing import Keys
from table_controller.service.verify import verify
from tests.brokers import Mosquitto, Observer
from tests.whole import killed

#: At each of the four points, and at random instants besides.
EACH, AT_RANDOM = 10, 12
COUPS = 25
FAULTS = "unread,two_cards,stray,duplicate,refused"


class Left(NamedTuple):
    """What an evening left: all of it has to be the same."""

    inputs: list[Any]
    events: list[Any]
    anchor: Any
    heard: list[Any]
    snapshot: Any
    pages: list[bytes]


async def evening(folder: Path, port: int, *, each: int, at_random: int, seed: int):
    """Play the recorded evening with so many deaths; what it left, and how often it died."""
    keys = Keys.derive(bytes.fromhex(Recording(folder / killed.RECORDING, game).header.key))
    async with Observer(port, f"{killed.TABLE.root}/#") as ear:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.whole.killed", str(folder), str(port)),
            *("--each", str(each), "--at-random", str(at_random), "--seed", str(seed)),
            cwd=Path(__file__).parents[2],
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, errors = await process.communicate()
        assert process.returncode == 0, errors.decode()
        archive = Archive.read(folder / killed.JOURNAL, keys)
        rows = [event for _, events in archive.turns() for event in events]
        told = sum(event.audience != "sealed" for event in rows)
        await ear.until(lambda: len(ear.events()) == told)
        left = Left(
            inputs=[(row.n, row.t_ms, row.outcome, archive.body(row)) for row in archive.inputs()],
            events=[
                (row.id, row.n, row.t_ms, row.audience, row.seq, archive.body(row), row.link)
                for row in rows
            ],
            anchor=archive.head().anchor(),
            heard=[_without_journal(message) for message in ear.events()],
            snapshot=ear.last("/snapshot"),
            pages=[(folder / f"{name}.html").read_bytes() for name in ("croupier", "public")],
        )
        archive.close()
    verdict = verify(folder / killed.JOURNAL, keys, sums=sums)
    assert verdict.holds, verdict
    return left, json.loads(out)


def _without_journal(message: dict) -> dict:
    """A message without the journal's random id."""
    return message | {"id": message["id"].partition("-")[2]}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A seeded evening with mistakes in it."""
    path = tmp_path_factory.mktemp("recorded") / killed.RECORDING
    house = config.house("zoppot-1934")
    simulate.record(path, house, seed=4, coups=COUPS, faults=FAULTS)
    return path.read_bytes()


def play(recorded, folder, **deaths):
    """Play it against a Mosquitto of its own, which lives on."""
    (folder / killed.RECORDING).write_bytes(recorded)
    broker = Mosquitto(folder)
    broker.start()
    try:
        return asyncio.run(evening(folder, broker.port, **deaths))
    finally:
        broker.stop()


@pytest.fixture(scope="module")
def undisturbed(recorded, tmp_path_factory):
    left, deaths = play(recorded, tmp_path_factory.mktemp("calm"), each=0, at_random=0, seed=0)
    assert deaths == {}
    return left


def test_an_evening_killed_fifty_times_ends_as_an_undisturbed_one(recorded, undisturbed, tmp_path):
    """Journal, what a subscriber has who inserts or ignores by id, last snapshot, both pages."""
    left, deaths = play(recorded, tmp_path, each=EACH, at_random=AT_RANDOM, seed=1)

    assert all(deaths[point] == EACH for point in killed.POINTS), deaths
    assert sum(deaths.values()) >= 50
    for part, got, wanted in zip(Left._fields, left, undisturbed, strict=True):
        assert got == wanted, part


def test_the_undisturbed_evening_has_all_there_is_to_lose(undisturbed):
    """Refusals, sealed events, alerts; and no gap in what a subscriber heard."""
    for audience in ("public", "croupier"):
        seqs = [told["seq"] for told in undisturbed.heard if told["id"].startswith(audience)]
        assert seqs == list(range(1, len(seqs) + 1)) != []
    audiences = {row[3] for row in undisturbed.events}

    assert audiences == {"public", "croupier", "sealed"}
    assert {0, 1} == {row[2] for row in undisturbed.inputs}
    assert undisturbed.snapshot["seq"] == undisturbed.anchor.count
