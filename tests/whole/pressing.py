"""Presses at a table that is killed between press and answer. The next life gets them again.

`python -m tests.whole.pressing FOLDER PRESSES SEED` is the parent of all these lives. Each press is
a tip with its own sum and its own name. It is sent until it is answered, by whichever life. The
product has no hook for this: whatever dies here is wrapped here.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from table_controller.adapters.mqtt_names import TableId
from table_controller.adapters.web.hub import Press
from table_controller.engine.messages import Audience
from table_controller.service.archive import Archive
from table_controller.service.sealing import Keys
from table_controller.wiring import config
from table_controller.wiring.app import Service
from table_controller.wiring.plan import Plan
from tests import killer
from tests.killer import Life, Passing

HEARD, COMMITTED, TOLD = POINTS = (
    "before the commit",
    "between commit and answer",
    "between the answer and whoever waits for it",
)
KEYS = Keys.derive(bytes(range(32)))
CHIPS = 1_000_000
PRESSES_OF_A_LIFE = 6


class Pressed(NamedTuple):
    """How the presses ended: deaths by their point, and how often each tip lies in the journal."""

    deaths: Counter[str]
    booked: Counter[int]
    answers: dict[int, set[bool]]


def plan(folder: Path) -> Plan:
    """A table without anything around it."""
    return Plan(
        table=TableId("whole", "pressed"),
        house=config.house("zoppot-1934"),
        keys=KEYS,
        journal=folder / "table.db",
    )


def play(folder: Path, presses: int, seed: int) -> Pressed:
    """Say so many presses, each until it is answered, while every life but the last is killed."""
    luck, deaths = random.Random(seed), Counter[str]()
    answered = folder / "answered"
    answered.touch()
    while len({line.split()[0] for line in _lines(answered)}) < presses:
        point = luck.choice(POINTS)
        life = Life(point, luck.randint(1, PRESSES_OF_A_LIFE))
        if not killer.live(lambda passing: asyncio.run(_serve(folder, presses, passing)), life):
            deaths[point] += 1
    answers: dict[int, set[bool]] = {}
    for line in _lines(answered):
        press, ok = line.split()
        answers.setdefault(int(press), set()).add(ok == "True")
    return Pressed(deaths, _booked(folder), answers)


def _lines(path: Path) -> list[str]:
    """Whole lines: of the last one a kill may have left a part."""
    return path.read_text("ascii").split("\n")[:-1]


async def _serve(folder: Path, presses: int, passing: Passing) -> None:
    """One life: whoever is not answered yet says his press again, under the same name."""
    async with Service(plan(folder)) as service:
        if not any(service.game.money(service.table.state).values()):
            await service.table.ask(service.game.read(f"seat 1 sits {CHIPS} Anna"))
        _die(service, passing)
        done = {int(line.split()[0]) for line in _lines(folder / "answered")}
        with (folder / "answered").open("a", encoding="ascii") as answered:
            for press in range(presses):
                if press in done:
                    continue
                answer = await _press(service, press)
                passing(TOLD)
                answered.write(f"{press} {answer.ok}\n")
                answered.flush()


async def _press(service: Service, press: int) -> Any:
    prompt = service.hub.snapshot(Audience.CROUPIER).prompt.id
    said = {"type": "tips", "seat": 1, "chips": press + 1, "prompt": prompt}
    return await service.hub.say(said, "croupier", Press(f"press-{press}", service.hub.turn))


def _die(service: Service, passing: Passing) -> None:
    journal = service.journal
    write, settle = journal._write, journal._settle

    def written(batch: Any) -> None:
        passing(HEARD)
        write(batch)

    def settled(batch: Any, writing: Any) -> Any:
        rows = settle(batch, writing)
        passing(COMMITTED)
        return rows

    vars(journal).update(_write=written, _settle=settled)


def _booked(folder: Path) -> Counter[int]:
    """How often each tip was taken, by its sum."""
    archive = Archive.read(folder / "table.db", KEYS)
    try:
        said = [(row.outcome, msgspec.json.decode(archive.body(row))) for row in archive.inputs()]
    finally:
        archive.close()
    tips = [one["chips"] for outcome, one in said if one["type"] == "tips" and outcome == 0]
    return Counter(tips)


def main() -> None:
    """Say what became of so many presses."""
    folder, presses, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    left = play(folder, presses, seed)
    wanted = Counter(range(1, presses + 1))
    twice, lost = (left.booked - wanted).total(), (wanted - left.booked).total()
    told = {"presses": presses, "kills": left.deaths.total(), "twice": twice, "lost": lost}
    print(json.dumps({**told, "at": left.deaths}))
    sys.exit(bool(twice or lost))


if __name__ == "__main__":
    main()
