"""Figures of the service: what a commit costs beside a bare one, recovery, replay, verify."""

from __future__ import annotations

import os
import sqlite3
import statistics
import tempfile
import time
from pathlib import Path

from table_controller.service.outbox import Outbox
from table_controller.service.recovery import play, recover
from table_controller.service.verify import verify
from tests.service import counting, evenings

COMMITS = 2000
#: As many rows as 10,000 coups leave: some 12 inputs each, a Schlitten closed every 60 coups.
COUPS, INPUTS_PER_COUP, COUPS_PER_SCHLITTEN = 10_000, 12, 60


def rows():
    """Return (what, figure, unit) for each figure, all of one run on this machine."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("SCHLITTEN_BENCH_DISK")) as folder:
        return [*_commits(Path(folder)), *_large(Path(folder)), *_replay()]


def _commits(folder):
    bare, ours, marks = [], [], []
    db = sqlite3.connect(folder / "bare.db", isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE rows (n INTEGER PRIMARY KEY, body BLOB)")
    journal = evenings.open_journal(folder / "ours.db")
    table, outbox = evenings.serve(journal), Outbox(journal)
    for said in evenings.evening(1, COMMITS):
        bare.append(_timed(lambda: db.execute("INSERT INTO rows (body) VALUES (?)", (b"x" * 100,))))
        ours.append(_timed(lambda said=said: table.take(said, 1)))
        marks += [_timed(lambda row=row: outbox.delivered(row.id)) for row in outbox.pending(100)]
    journal.close()
    db.close()
    return [
        *_percentiles("bare commit", bare),
        *_percentiles("input taken, committed and told", ours),
        *_percentiles("mark of an acknowledged row", marks),
    ]


def _large(folder):
    path = folder / "large.db"
    journal = evenings.open_journal(path, durable=False)
    table = evenings.serve(journal)
    for said in _long_evening():
        table.take(said, 1)
    journal.close()

    def start():
        with_state = evenings.open_journal(path)
        recover(with_state.archive, counting, counting.begin)
        with_state.close()

    name = f"of a journal of {COUPS:,} coups"
    return [
        (f"start to state {name}", _timed(start) * 1e3, "ms"),
        (f"size {name}", path.stat().st_size / 2**20, "MiB"),
        (f"verify {name}", _timed(lambda: verify(path, evenings.KEYS)), "s"),
    ]


def _replay():
    said = list(_long_evening())
    turns = 0

    def run():
        nonlocal turns
        for _ in play(counting, counting.begin(), said):
            turns += 1

    took = _timed(run)
    return [("replay without journal (counting game)", turns / took, "inputs/s")]


def _long_evening():
    for coup in range(COUPS):
        yield from evenings.coup(coup, INPUTS_PER_COUP)
        if coup % COUPS_PER_SCHLITTEN == COUPS_PER_SCHLITTEN - 1:
            yield counting.Close()


def _timed(what):
    began = time.perf_counter()
    what()
    return time.perf_counter() - began


def _percentiles(what, seconds):
    cuts = statistics.quantiles(seconds, n=100)
    return [(f"{what}, p50", cuts[49] * 1e3, "ms"), (f"{what}, p99", cuts[98] * 1e3, "ms")]


if __name__ == "__main__":
    for what, figure, unit in rows():
        print(f"{what:60} {figure:12,.3f} {unit}")
