"""Measures the service: the cost of a commit next to a bare commit, recovery, replay, verify."""

from __future__ import annotations

import os
import sqlite3
import statistics
import tempfile
import time
from collections import deque
from pathlib import Path

from table_controller.commands import simulate
from table_controller.engine.chemin_de_fer import game as chemin_de_fer
from table_controller.engine.chemin_de_fer.state import begin
from table_controller.service.outbox import Outbox
from table_controller.service.recovery import play, recover
from table_controller.service.table import Table
from table_controller.service.verify import verify
from table_controller.wiring import config
from tests.service import evenings

COMMITS = 2000
COUPS = 10_000
HOUSE, KEY = config.house("zoppot-1934"), evenings.KEYS.commit


def rows():
    """Return (what, figure, unit) for each figure. All figures are from one run on this machine."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("SCHLITTEN_BENCH_DISK")) as folder:
        return [*_commits(Path(folder)), *_large(Path(folder))]


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
    inputs = [moment.input for moment in simulate.evening(HOUSE, KEY, seed=1, coups=COUPS)]
    journal = _open(path, durable=False)
    table = Table(chemin_de_fer, _begin(), journal, clock=lambda: 0)
    committed = _timed(lambda: [table.take(said, 1) for said in inputs])
    journal.close()

    def start():
        journal = _open(path)
        recover(journal.archive, chemin_de_fer, _begin)
        journal.close()

    name = f"of a journal of {COUPS:,} coups"
    replayed = _timed(lambda: deque(play(chemin_de_fer, _begin(), inputs), maxlen=0))
    return [
        (f"start to state {name}", _timed(start) * 1e3, "ms"),
        (f"size {name}", path.stat().st_size / 2**20, "MiB"),
        (f"verify {name}, with the key", _timed(lambda: verify(path, evenings.KEYS)), "s"),
        ("inputs journaled without flushing", len(inputs) / committed, "inputs/s", "> 10,000"),
        ("inputs replayed through engine and events", len(inputs) / replayed, "inputs/s"),
    ]


def _begin():
    return begin(HOUSE, KEY)


def _open(path, **settings):
    return evenings.open_journal(path, game=chemin_de_fer.name, house=HOUSE.id, **settings)


def _timed(what):
    began = time.perf_counter()
    what()
    return time.perf_counter() - began


def _percentiles(what, seconds):
    cuts = statistics.quantiles(seconds, n=100)
    return [(f"{what}, p50", cuts[49] * 1e3, "ms"), (f"{what}, p99", cuts[98] * 1e3, "ms")]


if __name__ == "__main__":
    for what, figure, unit, *_ in rows():
        print(f"{what:60} {figure:12,.3f} {unit}")
