"""Journals restored from copies made during a Schlitten.

Nobody may be able to name a closed card, and no event may be sent twice.
"""

from __future__ import annotations

import hashlib
import itertools
import random
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.players import SimulatedLip
from table_controller.commands.players import seeded as simulated
from table_controller.engine.messages import Audience, Restored
from table_controller.rules.cards import PACK
from table_controller.service import copies
from table_controller.service.rows import Row
from table_controller.service.sealing import Keys
from table_controller.service.verify import verify
from table_controller.wiring import config
from table_controller.wiring.app import Plan, Service

TIMES = 100
HOUSES = ("zoppot-1934", "punto-banco", "nemzeti-1907", "ecarte-nemzeti-1907", "modern")


def run(share: float) -> list[tuple[str, str]]:
    """Restore many journals.

    Return, as rows of the report, how many cards could be named and how many events came twice.
    """
    times = max(1, round(TIMES * share))
    promised = named = twice = ids = plain = 0
    for n in range(times):
        with tempfile.TemporaryDirectory(prefix="soak-restored-") as folder:
            plain += n % 4 == 3
            rows = evening(Path(folder), HOUSES[n % len(HOUSES)], n, plain=n % 4 == 3)
        one, closed = nameable(rows)
        named, promised = named + one, promised + closed
        twice, ids = twice + again(rows), ids + len({row.event_id for row in rows})
    return [
        ("restored amid a Schlitten", f"{times}, of them {plain} by a plain copy of the file"),
        ("cards that stayed closed", str(promised)),
        ("of them nameable from public messages", str(named)),
        ("events told", str(ids)),
        ("ids told twice with other content", str(twice)),
    ]


def evening(folder: Path, house: str, seed: int, *, plain: bool) -> list[Row]:
    """Return the public rows of an evening that is lost, and of its continuation from a copy.

    If `plain` is true, the copy simply replaces the journal. Otherwise it is put back as by
    `restore`.
    """
    plan = Plan(
        table=TableId("soak", "restored"),
        house=config.house(house),
        keys=Keys.derive(bytes([seed % 256]) * 32),
        journal=folder / "table.db",
        durable=False,
    )
    luck, copy = random.Random(seed), folder / "copy.db"
    service = Service(plan)
    people = play(service, seed)
    rows = [*itertools.chain(*itertools.islice(people, luck.randint(40, 160)))]
    while _shoe(service) is None or not rows or rows[-1].type != "card_drawn":
        rows += next(people)
    copies.back_up(plan.journal, copy)
    rows += itertools.chain(*itertools.islice(people, 60))
    service.journal.close()
    if plain:
        for end in ("-wal", "-shm"):
            (folder / f"table.db{end}").unlink(missing_ok=True)
        copy.replace(plan.journal)
        service = Service(plan)
    else:

        def ready(part: Path) -> None:
            fresh = Service(replace(plan, journal=part, stream=f"{seed:016x}"))
            fresh.table.take(Restored(actor="service"), plan.clock())
            fresh.journal.close()

        copies.put_back(copy, plan.journal, plan.keys, ready)
        service = Service(plan)
        assert _shoe(service) is None
    rows += itertools.chain(*itertools.islice(play(service, seed + 1000), 120))
    service.journal.close()
    verdict = verify(plan.journal, plan.keys)
    assert verdict.holds, str(verdict)
    return rows


def play(service: Service, seed: int) -> Iterator[list[Row]]:
    """Let simulated people play. Yield the public's new rows after each input."""
    played, house = service.game, service.plan.house
    people = simulated(played, seed, faults=frozenset())
    lip = SimulatedLip(seed, house, faults=frozenset())
    arriving = [] if service.journal.last > 2 else list(people.arrive(service.table.state))
    while True:
        state = service.table.state
        now = people.progress(state)
        said = arriving.pop(0) if arriving else people.say(state) or lip.next(now)
        told = service.table.take(said, service.plan.clock())
        yield [row for _, row in told if row.audience is Audience.PUBLIC]


def _shoe(service: Service) -> Any:
    return service.game.snapshot(service.table.state, Audience.PUBLIC).shoe


def nameable(rows: list[Row]) -> tuple[int, int]:
    """How many unopened cards can be named from the rows, and how many unopened cards there are."""
    told = [msgspec.json.decode(row.body) for row in rows]
    opened = [one for one in told if one["type"] == "card_opened"]
    nonces = {bytes.fromhex(one["nonce"]) for one in opened}
    proven = {
        hashlib.sha256(bytes.fromhex(one["nonce"]) + one["card"].encode()).hexdigest()
        for one in opened
    }
    closed = {one["commitment"] for one in told if one["type"] == "card_drawn"} - proven
    guesses = {
        hashlib.sha256(nonce + card.encode()).hexdigest() for nonce in nonces for card in PACK
    }
    return len(closed & guesses), len(closed)


def again(rows: list[Row]) -> int:
    """How many ids came with two different contents."""
    bodies: dict[str, bytes] = {}
    return sum(bodies.setdefault(row.event_id, row.body) != row.body for row in rows)
