"""An evening served by a process that is killed again and again, and started again each time.

`python -m tests.whole.killed FOLDER PORT …` is the parent of all these lives. Each life is a
separate process that opens the journal, serves table and page, and publishes to the Mosquitto at
PORT. It goes on with the recording's inputs where the journal ends. The product has no hook for
this: whatever dies here is wrapped here.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import urllib.request
from collections import Counter
from pathlib import Path

from table_controller.adapters.mqtt_link import BrokerAddress, Link
from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.chemin_de_fer import game
from table_controller.service.journal import Journal
from table_controller.service.outbox import Outbox
from table_controller.service.recording import Heard, Recording
from table_controller.service.sealing import Keys
from table_controller.wiring import config
from table_controller.wiring.app import Plan, Service
from table_controller.wiring.config import BrokerSettings, PageSettings
from tests import killer
from tests.killer import Life, Passing
from tests.limits import PATIENCE_S

BEFORE, COMMITTED, PUBLISHED, MARKED = POINTS = (
    "before the commit",
    "between commit and publish",
    "between publish and acknowledgement",
    "between acknowledgement and its mark",
)
RANDOM = "at a random instant"
TABLE = TableId("whole", "killed")
RECORDING, JOURNAL = "evening.jsonl", "table.db"


def rig(passing: Passing) -> None:
    """Put the points where a process may die round the product's own methods."""
    write, publish, delivered = Journal._write, Link.publish, Outbox.delivered

    def dangerous_write(journal, batch):
        passing(BEFORE)
        write(journal, batch)
        passing(COMMITTED)

    def dangerous_publish(link, message):
        number = publish(link, message)
        if "/event/" in message.topic:
            passing(PUBLISHED)
        return number

    def dangerous_mark(outbox, row):
        passing(MARKED)
        delivered(outbox, row)

    Journal._write, Link.publish = dangerous_write, dangerous_publish
    Outbox.delivered = dangerous_mark


class Quiet(Service):
    """The service; but whether the broker is there is no input: the recording has them all."""

    def lost(self, device: str, why: str) -> None:
        print(f"{device}: {why}", file=sys.stderr)

    def back(self, device: str) -> None:
        """Nothing was said, so nothing is taken back."""


async def serve(folder: Path, port: int, life: Life) -> None:
    """Serve the rest of the evening; at its end keep both pages."""
    recording = Recording(folder / RECORDING, game)
    said = [line for line in recording if isinstance(line, Heard)]
    keys = Keys.derive(bytes.fromhex(recording.header.key or ""))
    now = [0]
    plan = Plan(
        table=TABLE,
        house=config.house(recording.header.house),
        keys=keys,
        journal=folder / JOURNAL,
        broker=BrokerSettings(kind="mqtt", port=port),
        address=BrokerAddress(port=port),
        page=PageSettings(port=0),
        promises=keys.commit,
        clock=lambda: now[0],
    )
    async with Quiet(plan) as service:
        begin = service.journal.last - len(service.journal.archive.boots()[1:])
        end = begin + life.count if life.instant_s is not None else len(said)
        for line in said[begin:end]:
            now[0] = line.t_ms
            await service.table.ask(line.input)
        if end < len(said):
            await asyncio.Event().wait()
        await service.publisher.told()
        for name, path in (("croupier", "/"), ("public", "/public")):
            page = await asyncio.to_thread(_fetch, service.url + path)
            (folder / f"{name}.html").write_bytes(page)


def _fetch(url: str) -> bytes:
    """A page as it is, but for which picture of this very life it shows."""
    with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:
        return re.sub(rb' data-seen="[0-9]+"', b"", answer.read())


def live(folder: Path, port: int, life: Life) -> bool:
    """One life of the served table; whether it lived to the evening's end."""

    def whole(passing: Passing) -> None:
        rig(passing)
        asyncio.run(serve(folder, port, life))

    return killer.live(whole, life)


def main() -> None:
    """Play the evening; print how often it was killed at which point."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("port", type=int)
    options.add_argument("--each", type=int, default=0)
    options.add_argument("--at-random", type=int, default=0)
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()
    killed = Counter[str]()
    for life in killer.lives(
        POINTS,
        each=asked.each,
        at_random=asked.at_random,
        seed=asked.seed,
        passes=6,
        within_s=(0.02, 0.6),
    ):
        killed[life.point or RANDOM] += not live(asked.folder, asked.port, life)
    if not live(asked.folder, asked.port, Life()):
        raise SystemExit("the last life was killed, and not by us")
    print(json.dumps(killed))


if __name__ == "__main__":
    main()
