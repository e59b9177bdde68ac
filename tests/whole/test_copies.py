"""Copies and restores that are broken off. The files that were there are still there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from table_controller.commands import live
from table_controller.service.copies import back_up
from table_controller.service.errors import JournalError
from table_controller.service.output import OutputError
from tests.limits import PATIENCE_S
from tests.service.holding import READER, held
from tests.whole.test_restored import play, serve, settled

ANNA, BERT = "seat 2 sits 500 Anna", "seat 3 sits 500 Bert"
#: Puts a copy back, and dies where the journal's place would be taken.
DIES = """
import os, sys
from pathlib import Path
from table_controller.commands import live
from table_controller.wiring import config
Path.replace = lambda *_: os._exit(9)
live.put_back(Path(sys.argv[1]), config.load(Path(sys.argv[2])))
"""


@pytest.fixture
def settings(tmp_path):
    return settled(tmp_path)


def copied(settings, copy):
    """A journal of which Anna's coming is in `copy`, and Bert's is not."""
    service = serve(settings)
    play(service, ANNA)
    back_up(settings.journal.path, copy)
    play(service, BERT)
    service.journal.close()


def seated(settings):
    """Who sits at the table, as it is opened now."""
    service = serve(settings)
    names = [seat.name for seat in service.table.state.felt.seats if seat]
    service.journal.close()
    return names


def lying(folder):
    """Every file and what is in it, but for the lock's number of a process."""
    files = (file for file in folder.iterdir() if file.suffix != ".lock")
    return {file.name: file.read_bytes() for file in files}


def failing(journal):
    """A disk on which the journal's place cannot be taken by a copy."""
    works = Path.replace

    def replaced(part, to):
        if to == journal and part.suffix == ".part":
            raise OSError(5, "Input/output error")
        return works(part, to)

    return replaced


def test_a_restore_that_fails_leaves_everything_as_it_was(settings, tmp_path, monkeypatch):
    """Where the place cannot be taken, no start finds it empty and begins anew without a word."""
    copied(settings, tmp_path / "copy.db")
    before = lying(tmp_path)

    monkeypatch.setattr(Path, "replace", failing(settings.journal.path))
    with pytest.raises(JournalError, match="Cannot put back the journal"):
        live.put_back(tmp_path / "copy.db", settings)
    monkeypatch.undo()

    assert lying(tmp_path) == before
    assert seated(settings) == ["Anna", "Bert"]


def test_a_restore_that_is_killed_leaves_the_journal_and_the_next_one_ends(settings, tmp_path):
    copied(settings, tmp_path / "copy.db")
    call = [sys.executable, "-c", DIES, tmp_path / "copy.db", tmp_path / "table.toml"]
    assert subprocess.run(call, timeout=PATIENCE_S, check=False).returncode == 9

    assert seated(settings) == ["Anna", "Bert"]
    live.put_back(tmp_path / "copy.db", settings)
    assert seated(settings) == ["Anna"]


def test_a_log_that_somebody_reads_goes_with_its_journal_alone(settings, tmp_path, monkeypatch):
    """Also where it has to come back: the new journal is never read with the old one's log."""
    copy, path = tmp_path / "copy.db", settings.journal.path
    service = serve(settings)
    play(service, ANNA)
    back_up(path, copy)
    with held(path, READER):
        play(service, BERT)
        service.journal.close()
        log = lying(tmp_path)["table.db-wal"]

        with monkeypatch.context() as broken:
            broken.setattr(Path, "replace", failing(path))
            with pytest.raises(JournalError):
                live.put_back(copy, settings)
        again = lying(tmp_path)
        kept = Path(live.put_back(copy, settings)["kept"])

    assert log
    assert again["table.db-wal"] == lying(tmp_path)[f"{kept.name}-wal"] == log
    assert not any(".before" in name for name in again)
    assert seated(settings) == ["Anna"]
    assert seated(replace(settings, journal=replace(settings.journal, path=kept))) == [
        "Anna",
        "Bert",
    ]


@pytest.mark.parametrize("left", ["table.db.part", "table.db.before-1", "table.db.before-12"])
def test_no_journal_begins_beside_what_a_restore_left(settings, tmp_path, left):
    """Whoever starts the table is told what lies there and what to do."""
    (tmp_path / left).write_bytes(b"")

    with pytest.raises(JournalError, match=f"{left}.*Restore a copy, or move it away"):
        serve(settings)
    assert not settings.journal.path.exists()

    (tmp_path / left).unlink()
    assert seated(settings) == []


def test_a_copy_and_its_anchor_outlast_a_power_cut(settings, tmp_path, monkeypatch):
    """Both are flushed, and last the folder that names them."""
    flushed, fsync = [], os.fsync

    def noted(handle):
        flushed.append(Path(f"/proc/self/fd/{handle}").readlink())
        fsync(handle)

    copied(settings, tmp_path / "first.db")
    monkeypatch.setattr(os, "fsync", noted)
    back_up(settings.journal.path, tmp_path / "copy.db")

    assert flushed == [
        tmp_path / "copy.db.part",
        tmp_path / "copy.db.anchor.part",
        tmp_path,
    ]


def named(journal, how):
    """A name for the running table's journal, or for a file that belongs to it."""
    path = journal.with_name("other")
    match how:
        case "symlink":
            path.symlink_to(journal)
        case "hardlink":
            path.hardlink_to(journal)
        case "itself":
            return journal
        case _:
            return journal.with_name(journal.name + how)
    return path


@pytest.mark.parametrize("how", ["itself", "symlink", "hardlink", "-wal", "-shm", ".lock"])
def test_no_copy_replaces_the_journal_that_a_table_writes(settings, how):
    """By any of its names, nor what lies beside it: the table goes on in the same file."""
    journal = settings.journal.path
    service = serve(settings)
    play(service, ANNA)
    before = journal.stat().st_ino

    with pytest.raises((JournalError, OutputError)):
        back_up(journal, named(journal, how))

    play(service, BERT)
    service.journal.close()
    assert journal.stat().st_ino == before
    assert [name for name in seated(settings) if name] == ["Anna", "Bert"]


def test_a_copy_replaces_an_earlier_copy_and_nothing_else(settings, tmp_path):
    """A text, another table's journal, a folder, a copy that somebody reads: all stay."""
    copy = tmp_path / "copy.db"
    copied(settings, copy)
    back_up(settings.journal.path, copy)
    link = tmp_path / "link.db"
    link.symlink_to(copy)
    back_up(settings.journal.path, link)
    assert link.is_symlink()

    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "folder").mkdir()
    for taken in ("notes.txt", "folder"):
        with pytest.raises(JournalError, match="A copy replaces only an earlier copy"):
            back_up(settings.journal.path, tmp_path / taken)
    with held(copy, READER), pytest.raises(JournalError, match=r"in use \(python.*, process \d+\)"):
        back_up(settings.journal.path, copy)
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_journal_is_not_put_back_onto_itself(settings):
    copied(settings, settings.journal.path.with_name("copy.db"))

    with pytest.raises(JournalError, match="is the table's journal itself"):
        live.put_back(settings.journal.path, settings)


def test_every_journal_that_a_restore_moved_aside_is_kept(settings, tmp_path):
    """Three times put back: what lay there each time has a name of its own."""
    copied(settings, tmp_path / "copy.db")
    lay = []
    for _ in range(3):
        lay.append(settings.journal.path.read_bytes())
        live.put_back(tmp_path / "copy.db", settings)

    kept = [settings.journal.path.with_name(f"table.db.before-{n}") for n in (1, 2, 3)]
    assert [file.read_bytes() for file in kept] == lay
    assert seated(settings) == ["Anna"]
