"""The journal's disk.

A warning comes long before it is full; then no coup begins, and one goes on (R-53).
"""

import asyncio
import sqlite3
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from table_controller.commands.output import warn
from table_controller.engine.messages import AgainstRules, DeviceBack, DeviceLost, OutOfTurn
from table_controller.service import store
from table_controller.service import table as table_module
from table_controller.service.errors import JournalFull
from table_controller.wiring import disk
from table_controller.wiring.app import Service
from table_controller.wiring.disk import MIB, Room
from tests.engine.playing import play, table
from tests.engine.script import parse
from tests.limits import PATIENCE_S
from tests.service import evenings
from tests.service.counting import Add
from tests.service.holding import READER, held
from tests.whole.plans import paged

GIB = 1024 * MIB


@pytest.mark.parametrize(
    ("room", "said"),
    [
        (Room(GIB, 0), set()),
        (Room(GIB - 1, 0), {"disk"}),
        (Room(64 * MIB, 0), {"disk"}),
        (Room(64 * MIB - 1, 0), {"disk", "disk-full"}),
        (Room(9 * GIB, 64 * MIB), set()),
        (Room(9 * GIB, 64 * MIB + 1, "sqlite3, process 7"), {"journal-log"}),
        (Room(9 * GIB, 512 * MIB + 1), {"journal-log", "disk-full"}),
    ],
)
def test_what_is_said_of_a_disk(room, said):
    """A GiB is weeks of evenings; 64 MiB are still hundreds of coups."""
    told = disk.amiss(room)

    assert {part for part, why in told.items() if why} == said
    assert room.other in told["journal-log"] or not room.other


def test_a_log_that_lets_no_coup_begin_has_room_for_the_one_under_way():
    """R-53: with 512 MiB none begins, with 576 MiB nothing is written any more."""
    assert (disk.LONGEST_BYTES, store.MOST_LOG_BYTES) == (512 * MIB, 576 * MIB)


def test_no_coup_begins_on_a_full_disk_and_one_that_did_is_played_on():
    """R-53: between coups it halts, and with room again it goes on by itself."""
    full = DeviceLost(device="disk-full", why=disk.FULL, actor="watch")
    waiting = play(table(), "seat 1 banks 10")
    begun = play(waiting, "seat 2 banco solo", "card 9d")
    from table_controller.engine.chemin_de_fer.step import step

    halted, _ = step(waiting, full)
    with pytest.raises(OutOfTurn, match="The disk of the journal is full") as refused:
        step(halted, parse("seat 2 banco solo"))
    again, _ = step(halted, DeviceBack(device="disk-full", actor="watch"))
    played, _ = step(begun, full)
    for line in ("card 6c", "card Kh", "card Th", "seat 2 opens"):
        played, _ = step(played, parse(line))

    assert refused.value.rule == "R-53"
    assert step(again, parse("seat 2 banco solo"))
    assert not isinstance(refused.value, AgainstRules)


def test_who_reads_a_journal_without_end_is_named(tmp_path):
    """Finding 7: his process, so that somebody can end it; the log is emptied after that."""
    journal = evenings.open_journal(tmp_path / "table.db")
    served = evenings.start(journal)
    with held(tmp_path / "table.db", READER) as other:
        served.take(Add(chips=1), 1)
        named = store.holder(tmp_path / "table.db")
    journal.close()

    assert named.endswith(f", process {other.pid}")
    assert store.log_bytes(tmp_path / "table.db") == 0


def test_a_new_journal_has_small_pages_and_an_older_one_gets_them(tmp_path):
    """Finding 8: every page that a commit touches is written twice; the rows are as they were."""
    path = tmp_path / "table.db"
    journal = evenings.open_journal(path)
    evenings.serve(journal).take(Add(chips=1), 1)
    journal.close()
    db = sqlite3.connect(path, isolation_level=None)
    (small,) = db.execute("PRAGMA page_size").fetchone()
    db.executescript("PRAGMA journal_mode = DELETE; PRAGMA page_size = 4096; VACUUM;")
    assert db.execute("PRAGMA page_size").fetchone() == (4096,)
    db.close()
    before = evenings.content(path)

    evenings.open_journal(path).close()

    db = sqlite3.connect(path)
    assert (small, *db.execute("PRAGMA page_size").fetchone()) == (1024, 1024)
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    db.close()
    assert evenings.content(path) == before


def test_a_standard_error_on_the_full_disk_silences_no_alert(tmp_path, monkeypatch):
    """Whose sentences cannot be printed: the page says them, and the table takes what was said."""
    monkeypatch.setattr(table_module, "RETRY_S", 0)
    plan = replace(paged(tmp_path), page=None, warn=warn)

    async def evening():
        async with asyncio.timeout(PATIENCE_S), Service(plan) as service:
            seen, write = [], service.journal._write

            def full(batch):
                monkeypatch.setattr(service.journal, "_write", write)
                raise JournalFull("The disk is full.")

            service.show = lambda: seen.append(service.table.trouble)
            service.journal._write = full
            await service.table.ask(service.game.read("seat 1 sits 100 Anna"))
            service.lost("board", "It is away.")
            await service.table.ask(service.game.read("seat 2 sits 100 Bert"))
            return seen, {alert.id for alert in service.table.state.felt.alerts}

    with Path("/dev/full").open("w") as nowhere:
        monkeypatch.setattr(sys, "stderr", nowhere)
        seen, alerts = asyncio.run(evening())
        monkeypatch.undo()
        with suppress(OSError):
            nowhere.close()

    assert seen == ["The disk is full.", ""]
    assert "device-board" in alerts
