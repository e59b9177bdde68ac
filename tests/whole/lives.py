"""Evenings killed and evenings left alone: their journals, brokers and pages, to be compared."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

from table_controller.commands.players import SimulatedLip
from table_controller.commands.players import seeded as simulated
from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer.state import Table, begin, foremost
from table_controller.engine.chemin_de_fer.step import CASES
from table_controller.engine.messages import Refusal
from table_controller.engine.table import inputs as ti
from table_controller.service.archive import Archive
from table_controller.service.recording import KEYED, Recorder, Recording, header
from table_controller.service.sealing import Keys
from table_controller.service.verify import verify
from table_controller.wiring import config
from tests.brokers import Mosquitto, Observer
from tests.whole import killed

#: What goes wrong in these evenings. Devices come and go by the broker's own lights.
FAULTS = frozenset({"unread", "two_cards", "stray", "duplicate", "refused"})


def record(path: Path, *, seed: int, coups: int, each: int = 9) -> None:
    """Write a seeded evening of `coups` in which a Schlitten is closed after every `each`.

    An early end makes for more of the moments at which recovery begins anew.
    """
    house, key = config.house("zoppot-1934"), bytes([seed]) * 32
    table = begin(house, Keys.derive(key).commit)
    people = simulated(game, seed, faults=FAULTS)
    lip = SimulatedLip(seed, house, faults=FAULTS)
    arriving, closed = list(people.arrive(table)), 0
    head = header(game=game.name, house=house.id, code="1", key=key.hex())
    with Recorder(path, head) as recorder:
        for t_ms in itertools.count(1_700_000_000_000, 700):
            if arriving:
                said = arriving.pop(0)
            elif table.felt.coups >= min(coups, closed + each) and _may_close(table):
                said, closed = ti.SchlittenClosed(), table.felt.coups
            elif closed >= coups:
                return
            else:
                now = people.progress(table)
                said = None if lip.stray(now) else people.say(table)
                said = said or lip.next(now)
            recorder.input(t_ms, said)
            with contextlib.suppress(Refusal):
                table, _ = game.step(table, said)


def _may_close(table: Table) -> bool:
    """Whether the croupier may lay the Schlitten by now: not while stakes lie, say."""
    if (type(foremost(table)), ti.SchlittenClosed) not in CASES:
        return False
    try:
        return bool(game.step(table, ti.SchlittenClosed()))
    except Refusal:
        return False


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
        last = max(event.seq for event in rows if event.audience == "public")
        await ear.until_last(told, last)
        left = Left(
            inputs=[
                (n, row.t_ms, row.outcome, archive.body(row))
                for n, row in enumerate(row for row in archive.inputs() if not archive.boot_of(row))
            ],
            events=[
                (row.id, 0, row.t_ms, row.audience, row.seq, _plain(archive.body(row)))
                for row in rows
            ],
            anchor=archive.head().anchor().count,
            heard=[_without_start(message) for message in ear.events()],
            snapshot={**ear.last("/snapshot"), "chain_head": "", "stream": ""},
            pages=[(folder / f"{name}.html").read_bytes() for name in ("croupier", "public")],
        )
        archive.close()
    verdict = verify(folder / killed.JOURNAL, keys, sums=lambda _: game.sums)
    assert verdict.holds, verdict
    return left, json.loads(out)


def _plain(body: bytes) -> str:
    """An event without what hangs on the start of the program."""
    return json.dumps(_without(json.loads(body)))


def _without(event: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in KEYED}


def _without_start(message: dict[str, Any]) -> dict[str, Any]:
    """A message without the ids of journal and start, and what hangs on them."""
    named = "-".join(message["id"].split("-")[-2:])
    return message | {"id": named, "data": _without(message["data"])}


def play(recording: Path, folder: Path, **deaths: int) -> tuple[Left, dict[str, int]]:
    """Play a recording against a Mosquitto of its own, which lives on."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(recording, folder / killed.RECORDING)
    broker = Mosquitto(folder)
    broker.start()
    try:
        return asyncio.run(evening(folder, broker.port, **deaths))
    finally:
        broker.stop()
