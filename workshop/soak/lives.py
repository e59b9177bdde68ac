"""Kills and power cuts during an evening, on a disk that fails.

The evening must not change by them. A worker is started with `power.c` loaded before SQLite. Each
life is a fork of the worker, which serves the table until it dies at some operation on the
journal's files. The events do not depend on the lives. State, stream and ledger must equal an
undisturbed evening's, apart from starts, ids, nonces and promises.
"""

from __future__ import annotations

import ctypes
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from table_controller.engine.messages import Audience
from table_controller.service import store
from table_controller.service.errors import JournalError, ServiceError
from table_controller.service.game import flushes
from table_controller.service.outbox import Outbox
from table_controller.service.verify import verify
from tests.service import evenings, kills

KILLS, CUTS = 2000, 2000
ROOT = Path(__file__).parents[2]
SHIM = Path(__file__).with_name("power.c")
#: A life dies within this many operations: during its start, during a coup, or much later.
REACH = (100, 500, 5000)
#: How many deaths of each kind the run needs.
Wanted = dict[str, int]
#: Faults by their numbers in the shim. The last two need no shim.
FAULTS = {
    "EIO on read": 1, "EIO on write": 2, "EIO on fsync": 3, "EMFILE": 4, "the disk full": 5,
    "the lock held": 0, "an endless reader": 0,
}  # fmt: skip
KEYED = ("commitment", "nonce")


class Death(NamedTuple):
    """How a life must end: by `kill` or `cut` at an operation, and what fails meanwhile."""

    how: str = ""
    at: int = -1
    seed: int = 0
    fault: str = ""


def run(share: float) -> list[tuple[str, str]]:
    """Play two evenings with many deaths. Return the findings as rows of the report."""
    with tempfile.TemporaryDirectory(prefix="soak-lives-") as name:
        shim = Path(name) / "power.so"
        build = ("gcc", "-shared", "-fPIC", "-O1", "-o", shim, SHIM, "-ldl")
        subprocess.run(build, check=True)
        call = (sys.executable, "-m", "workshop.soak.lives", name, str(share))
        done = subprocess.run(
            call,
            env={**os.environ, "LD_PRELOAD": str(shim)},
            cwd=ROOT,
            stdout=subprocess.PIPE,
            check=True,
        )
    found: dict[str, Any] = json.loads(done.stdout)
    return [(name, str(value)) for name, value in found.items()]


def main(folder: Path, share: float) -> None:
    """In the worker: play evenings until there were enough deaths. Print the findings."""
    found: Counter[str] = Counter()
    wanted = {"kill": max(1, round(KILLS * share)), "cut": max(1, round(CUTS * share))}
    luck = random.Random(14)
    calm = []
    for name in ("counting", "chemin-de-fer"):
        scene = kills.scene(name, 150 if name == "counting" else 60)
        place = folder / f"calm-{name}"
        place.mkdir()
        assert life(place, scene, Death()) == 0, "the evening left alone did not end"
        calm.append((scene, told(place, scene)))
    while any(found[f"{how}s"] < number for how, number in wanted.items()):
        for scene, left in calm:
            place = folder / f"evening-{found['evenings']}"
            place.mkdir()
            due = {how: number - found[f"{how}s"] for how, number in wanted.items()}
            found += _evening(place, scene, luck, due)
            found["evenings"] += 1
            same = told(place, scene) == left
            found["evenings that differ"] += not same
            shutil.rmtree(place)
    print(json.dumps({**found, "evenings that differ": found["evenings that differ"]}))


def _evening(place: Path, scene: kills.Scene, luck: random.Random, wanted: Wanted) -> Counter[str]:
    """Run one life after the other until an evening is played to its end. Count what happened."""
    found: Counter[str] = Counter()
    while True:
        due = [how for how, number in wanted.items() if found[f"{how}s"] < number]
        how = luck.choice(due) if due else ""
        fault = luck.choice(("", "", *FAULTS)) if how else ""
        death = Death(
            how, luck.randint(1, luck.choice(REACH)) if how else -1, luck.getrandbits(31), fault
        )
        ended = life(place, scene, death)
        if fault:
            found[f"lives with {fault}"] += 1
        if ended == 0:
            return found
        found[f"{how}s"] += ended == -signal.SIGKILL
        found["lives that ended by the fault itself"] += ended == 3
        assert ended in (-signal.SIGKILL, 3), f"a life ended with {ended}"


def life(place: Path, scene: kills.Scene, death: Death) -> int:
    """Run one life in a separate process. Return its exit code: 0 if the evening ended."""
    child = os.fork()
    if not child:
        status = 4
        try:
            _arm(place, death)
            _serve(place, scene, death.fault)
            status = 0
        except ServiceError:
            status = 3  # it says so and does not start: systemd starts it again
        except BaseException:  # noqa: BLE001 - the child must never go on as the parent
            import traceback

            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        if death.how == "cut":
            (place / "table.db-shm").unlink(missing_ok=True)  # it was memory
        return -os.WTERMSIG(status)
    return os.waitstatus_to_exitcode(status)


def _arm(place: Path, death: Death) -> None:
    shim = ctypes.CDLL(os.environ["LD_PRELOAD"])
    cut = int(death.how == "cut")
    shim.power_arm(str(place).encode(), ctypes.c_long(death.at), cut, death.seed)
    if FAULTS.get(death.fault):
        begin = death.seed % 150 + 1
        end = begin + 1 + death.seed % 5
        shim.power_fault(FAULTS[death.fault], ctypes.c_long(begin), ctypes.c_long(end))


def _serve(place: Path, scene: kills.Scene, fault: str) -> None:
    """Continue where the journal ends, and publish to the subscriber, until the evening's end."""
    journal, table = scene.open(place)
    table.take(evenings.booted(journal), 0)
    held = _other(place, fault)
    outbox, after = Outbox(journal), sum(1 for _ in _said(journal))
    ear = os.open(place / "heard", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for n, said in enumerate(scene.inputs[after - 1 :], after):
        while True:
            try:
                events = table.take(said, n)
                break
            except JournalError:
                if held and fault == "the lock held":
                    held.execute("ROLLBACK")
                    held = None
        with suppress(OSError, ServiceError):
            _publish(outbox, ear)
        if flushes(event for event, _ in events):
            with suppress(JournalError):
                store.checkpoint(journal.path)
    while outbox.pending(1):
        _publish(outbox, ear)
    if held:
        held.close()
    journal.close()


def _said(journal: Any) -> Iterator[object]:
    """Yield None, which stands for the next input; then the journal's inputs without the starts."""
    yield None
    starts = {boot.after for boot in journal.archive.boots()[1:]}
    yield from (row for row in journal.archive.inputs() if row.n not in starts)


def _other(place: Path, fault: str) -> sqlite3.Connection | None:
    """Open the journal as another program would, if this fault is caused by another program."""
    if fault not in ("the lock held", "an endless reader"):
        return None
    other = sqlite3.connect(place / "table.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE" if fault == "the lock held" else "BEGIN")
    other.execute("SELECT count(*) FROM inputs").fetchone()
    return other


def _publish(outbox: Outbox, ear: int) -> None:
    for row in outbox.pending(100):
        os.write(ear, b"%s %s\n" % (row.event_id.encode(), row.body))
        outbox.delivered(row.id)


def told(place: Path, scene: kills.Scene) -> tuple[object, ...]:
    """The results of an evening: rows, a subscriber's events, money and pictures."""
    path = place / "table.db"
    verdict = verify(path, evenings.KEYS)
    assert verdict.holds, str(verdict)
    journal, table = scene.open(place)
    archive = journal.archive
    rows = [
        (row.outcome, archive.body(row), [_plain(archive.body(event)) for event in events])
        for row, events in archive.turns()
        if not archive.boot_of(row)
    ]
    pictures = [
        scene.game.snapshot(table.state, who) for who in (Audience.PUBLIC, Audience.CROUPIER)
    ]
    unsent = [row.seq for row in journal.unsent(10)]
    money = scene.game.money(table.state)
    journal.close()
    return rows, pictures, money, unsent, _heard(place)


def _heard(place: Path) -> list[tuple[str, dict[str, Any]]]:
    """The events of a subscriber that inserts or ignores by id.

    No number may have come under two ids.
    """
    ids, bodies = dict[str, str](), dict[str, dict[str, Any]]()
    for line in (place / "heard").read_bytes().splitlines():
        name, body = line.split(b" ", 1)
        id_, number = name.decode(), "-".join(name.decode().split("-")[-2:])
        assert ids.setdefault(number, id_) == id_, f"{number} was told as {ids[number]} and {id_}"
        assert bodies.setdefault(number, _plain(body)) == _plain(body)
    return list(bodies.items())


def _plain(body: bytes) -> dict[str, Any]:
    """An event without the fields that depend on the start."""
    fields: dict[str, Any] = json.loads(body)
    return {name: value for name, value in fields.items() if name not in KEYED}


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]))
