"""What commands never write over, and how a file comes complete (links, devices, pipes)."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from contextlib import closing, suppress

import pytest

from table_controller.service import output
from table_controller.service.output import OutputError
from tests.service.holding import held


def journal(path):
    """A database that somebody holds open, with its log."""
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("CREATE TABLE t (n)")
    db.execute("INSERT INTO t VALUES (1)")
    db.commit()
    return db


def named(folder, how):
    """A path that names `table.db`: itself, by a link, by a second name, or what lies beside it."""
    path = folder / "table.db"
    match how:
        case "symlink":
            (folder / "link").symlink_to(path)
            return folder / "link"
        case "hardlink":
            (folder / "second").hardlink_to(path)
            return folder / "second"
        case "log":
            return folder / "table.db-wal"
        case "index":
            return folder / "table.db-shm"
        case "lock":
            return folder / "table.db.lock"
    return path


@pytest.mark.parametrize("how", ["itself", "symlink", "hardlink", "log", "index", "lock"])
def test_no_database_is_written_over_however_it_is_named(tmp_path, how):
    with closing(journal(tmp_path / "table.db")):
        before = (tmp_path / "table.db").stat().st_ino

        with pytest.raises(OutputError, match="database"):
            output.write(named(tmp_path, how), b"new")

        assert (tmp_path / "table.db").stat().st_ino == before


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"ab" * 32 + b"\n", "a key"),
        (b"-----BEGIN PRIVATE KEY-----\n", "a key"),
        (b"schlitten tape\n\0\0", "a tape"),
    ],
)
def test_no_key_and_no_tape_is_written_over(tmp_path, content, what):
    path = tmp_path / "kept"
    path.write_bytes(content)

    with pytest.raises(OutputError, match=what):
        output.write(path, b"new")

    assert path.read_bytes() == content


def test_what_was_there_stays_until_the_file_is_complete(tmp_path):
    path = tmp_path / "report.csv"
    path.write_bytes(b"old")

    with suppress(ZeroDivisionError), output.Output(path) as made:
        made.file.write(b"half")
        made.file.flush()
        raise ZeroDivisionError

    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == {"report.csv": b"old"}


def test_a_file_is_private_and_a_link_to_it_stays(tmp_path):
    path, link = tmp_path / "report.csv", tmp_path / "link"
    link.symlink_to(path)

    output.write(link, b"new")

    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_pipe_is_written_through(tmp_path):
    """As a program reads it that somebody named by its pipe."""
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()

    output.write(pipe, b"new")
    reader.join()

    assert got == [b"new"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_standard_output_by_its_name_is_written_through(tmp_path):
    read, write = os.pipe()
    link = tmp_path / "out"
    link.symlink_to(f"/proc/self/fd/{write}")

    output.write(link, b"new")
    os.close(write)

    with os.fdopen(read, "rb") as came:
        assert came.read() == b"new"
    assert link.is_symlink()


def test_a_full_device_is_an_error_and_stays(tmp_path):
    full = tmp_path / "full"
    full.symlink_to("/dev/full")

    with pytest.raises(OutputError, match="No space left on device"):
        output.write(full, b"new" * 10_000)

    assert full.is_symlink()
    assert stat.S_ISCHR(full.stat().st_mode)


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(OutputError, match=r"cannot write .*nowhere/x: No such file"):
        output.write(tmp_path / "nowhere" / "x", b"new")


def test_who_holds_a_file_open_is_named(tmp_path):
    path = tmp_path / "table.db"
    journal(path).close()
    assert output.holders(path) == []

    with held(path) as other:
        (name,) = output.holders(path)

    assert name.endswith(f"process {other.pid}")
