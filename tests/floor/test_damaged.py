"""A floor's database with a lost page, and who may read the file."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner

from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.commands.cli import app
from table_controller.floor.database import StoreError
from table_controller.floor.floor import Floor, database
from table_controller.floor.rebuild import put_aside
from table_controller.floor.store import Ledger, Store
from tests.floor.telling import Telling
from tests.floor.test_store import ONE

PAGE_BYTES = 4096


def damaged(folder, lost="events"):
    """A floor's database in which the first page of a database table is zeroed."""
    store, told = Store(database(folder)), Telling()
    Ledger(store, lambda: 0).take([(ONE, told.tell("x" * 50)) for _ in range(200)])
    store.close()
    file = folder / "floor.db"
    with sqlite3.connect(file) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        said = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        (page,) = db.execute(said, (lost,)).fetchone()
    db.close()
    with file.open("r+b") as raw:
        raw.seek((page - 1) * PAGE_BYTES)
        raw.write(bytes(PAGE_BYTES))
    return file


def test_a_floor_does_not_serve_a_damaged_database_and_says_what_to_do(tmp_path):
    file = damaged(tmp_path)

    with pytest.raises(StoreError, match=r"is damaged .* `schlitten floor rebuild`"):
        asyncio.run(Floor(tmp_path, cluster=BrokerAddress()).__aenter__())

    before = file.read_bytes()
    told = CliRunner().invoke(app, ["floor", "verify", "--folder", str(tmp_path)])

    assert told.exit_code == 2
    assert "is damaged" in told.output
    assert file.read_bytes() == before


@pytest.mark.parametrize("mode", [None, 0o644])
def test_only_the_floor_reads_its_database(tmp_path, mode):
    """Also one that an older version made for everybody to read."""
    if mode:
        (tmp_path / "floor.db").touch(mode)
        (tmp_path / "floor.db").chmod(mode)
    store = Store(database(tmp_path))

    modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in tmp_path.iterdir()}
    store.close()

    assert modes == dict.fromkeys(modes, 0o600)
    assert "floor.db" in modes


@pytest.mark.parametrize(("lost", "way"), [("events", ""), ("people", "add people and tables")])
def test_rebuild_begins_again_unless_the_floors_own_data_are_lost(tmp_path, lost, way):
    file = damaged(tmp_path, lost)

    if way:
        with pytest.raises(StoreError, match=way):
            put_aside(database(tmp_path))
    else:
        kept = put_aside(database(tmp_path))
        assert Path(kept).stat().st_size
        Store(database(tmp_path)).refuse_damaged()
    assert file.exists()
