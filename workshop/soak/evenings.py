"""Whole evenings: filmed Schlitten at a whole table, and evenings killed again and again.

They use the same code as tests/whole, with more seeds. A wrong finding is an AssertionError.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from table_controller.engine.chemin_de_fer import game
from table_controller.service.verify import verify
from tests import oracle
from tests.brokers import Mosquitto
from tests.whole import filmed, killed, lives, simulated
from tests.whole.evening import reads, result

#: The numbers of the whole run.
SCHLITTEN, KILLED, LOOKED_AT = 20, 20, 100
EACH, AT_RANDOM = 10, 12


def run(share: float) -> list[tuple[str, str]]:
    """Return rows of name and finding. A share of 1.0 is the whole."""
    with TemporaryDirectory(prefix="schlitten-soak-") as name:
        folder = Path(name)
        broker = Mosquitto(folder)
        broker.start()
        try:
            return [
                *_filmed(folder, broker.port, _count(share, SCHLITTEN)),
                *_killed(folder, _count(share, KILLED)),
                *_looked_at(folder, broker.port, _count(share, LOOKED_AT)),
            ]
        finally:
            broker.stop()


def _count(share: float, whole: int) -> int:
    return max(1, round(share * whole))


def _filmed(folder: Path, port: int, count: int) -> list[tuple[str, str]]:
    found, seconds = Counter[str](), time.monotonic()
    for seed in range(count):
        played = asyncio.run(
            filmed.play(folder / f"film-{seed}", port, seed, name=f"film-{seed}", every=20)
        )
        read = [seen.card.value if seen.card else "" for seen in played.read if not seen.white]
        found["cards"] += len(played.order)
        found["wrong"] += sum(
            bool(got) and got != true for got, true in zip(read, played.order, strict=False)
        )
        found["unread or doubled"] += read.count("") + abs(len(read) - len(played.order))
        events = played.kept.public()
        told = oracle.told(events)
        right = oracle.evening(filmed.cards(played), oracle.words_told(events))
        found["coups"] += len(told)
        found["coups unlike the second reading"] += told != right
        found["settlements that the board told otherwise"] += sum(
            reads(one.board) != result(one.event) for one in played.kept.settlements
        )
        found["journals that do not hold"] += not verify(
            played.kept.journal, played.kept.keys, sums=lambda _: game.sums
        ).holds
        played.kept.look_for_leaks()
    seconds = time.monotonic() - seconds
    return [
        ("filmed Schlitten dealt at a whole table", f"{count} in {seconds / 60:.1f} min"),
        *((f"… {name}", str(value)) for name, value in found.items()),
    ]


def _killed(folder: Path, count: int) -> list[tuple[str, str]]:
    deaths, different = Counter[str](), 0
    for seed in range(count):
        path = folder / "recorded.jsonl"
        lives.record(path, seed=seed, coups=30)
        calm, _ = lives.play(path, folder / f"calm-{seed}", each=0, at_random=0, seed=0)
        left, died = lives.play(
            path, folder / f"killed-{seed}", each=EACH, at_random=AT_RANDOM, seed=seed
        )
        deaths.update(died)
        different += left != calm
    return [
        ("evenings killed again and again", str(count)),
        *((f"… kill -9 {point}", str(deaths[point])) for point in (*killed.POINTS, killed.RANDOM)),
        ("… that ended otherwise than the undisturbed one", str(different)),
    ]


def _looked_at(folder: Path, port: int, count: int) -> list[tuple[str, str]]:
    looked = Counter[str]()
    for seed in range(count):
        kept = asyncio.run(
            simulated.play(folder / f"look-{seed}", port, name=f"look-{seed}", seed=seed, coups=12)
        )
        looked.update(kept.look_for_leaks())
    return [
        ("evenings looked at for closed cards", str(count)),
        ("… messages, pages and their parts, log lines, board pictures", f"{looked.total():,}"),
        ("… closed cards found", "0"),
    ]
