import asyncio
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from table_controller.engine.messages import CardSeen
from table_controller.rules.cards import PACK
from table_controller.service.archive import Archive
from table_controller.service.errors import (
    JournalBusy,
    JournalDamaged,
    JournalError,
    JournalFull,
    ServiceError,
    WrongKey,
)
from table_controller.service.recovery import recover
from table_controller.service.sealing import Keys
from table_controller.service.verify import verify
from tests.service import counting, evenings
from tests.service.counting import Add, Boom

ROOT = Path(__file__).parents[2]


def copy(source, target):
    """Take what lies on the disk now, as a power cut would leave it."""
    target.mkdir()
    for file in source.parent.iterdir():
        if file.name.startswith(source.name) and not file.name.endswith(("-shm", ".lock")):
            shutil.copy2(file, target / file.name)
    return target / source.name


def test_two_services_cannot_write_one_journal(open_journal, tmp_path):
    """The second is told who holds it, and what to do."""
    open_journal()

    with pytest.raises(
        JournalBusy, match=rf"process {os.getpid()}\). The table is probably running"
    ):
        open_journal()


def test_a_journal_is_free_once_its_service_is_gone(open_journal):
    """Also after it failed to open, which must not keep the lock."""
    open_journal().close()
    with pytest.raises(WrongKey) as kept:
        open_journal(keys=Keys.derive(b"x" * 32))

    assert open_journal().last == 0, kept


def test_another_key_is_refused(open_journal):
    """Before anything is written; the text names both keys by their checks."""
    open_journal().close()
    other = Keys.derive(b"x" * 32)

    with pytest.raises(WrongKey, match=f"sealed with the key {evenings.KEYS.check}.*{other.check}"):
        open_journal(keys=other)


@pytest.mark.parametrize("what", [{"game": "ecarte"}, {"house": "there"}])
def test_the_journal_of_another_table_is_refused(open_journal, what):
    """Game and house are the journal's own."""
    open_journal().close()

    with pytest.raises(JournalError, match="belongs to counting at here; this table plays"):
        open_journal(**what)


def test_a_foreign_database_is_refused_and_untouched(open_journal, tmp_path):
    """Somebody named the wrong file."""
    path = tmp_path / "table.db"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE songs (name TEXT)")
    db.close()
    path.chmod(0o600)

    with pytest.raises(JournalDamaged, match="application id is 0x0"):
        open_journal()

    db = sqlite3.connect(path)
    assert db.execute("SELECT name FROM sqlite_schema").fetchall() == [("songs",)]
    db.close()


def test_a_file_that_is_no_database_is_refused(open_journal, tmp_path):
    """The text says what to do."""
    (tmp_path / "table.db").write_bytes(b"a letter to the croupier " * 100)
    (tmp_path / "table.db").chmod(0o600)

    with pytest.raises(JournalDamaged, match=r"no whole journal.*restore its copy"):
        open_journal()


def test_a_journal_that_others_may_read_is_refused(open_journal, tmp_path):
    """With the command that mends it."""
    open_journal().close()
    (tmp_path / "table.db").chmod(0o640)

    with pytest.raises(JournalError, match=r"mode 0640: others may read it. Run: chmod 600"):
        open_journal()


def test_a_missing_folder_is_named(open_journal):
    """Before anything else is tried."""
    with pytest.raises(JournalError, match="nowhere"):
        open_journal("nowhere/table.db")


def test_a_first_start_that_was_cut_short_is_no_hindrance(open_journal, tmp_path):
    """An empty file is a new journal."""
    (tmp_path / "table.db").touch(0o600)

    assert open_journal().last == 0


def test_sealed_rows_have_one_size(open_journal):
    """Whatever the card, and whether or not it was read."""
    journal = open_journal()
    table = evenings.serve(journal)
    for card in [*PACK, None]:
        table.take(CardSeen(card=card, copy=3), 1)

    sizes = {len(row.sealed) for row, _ in journal.archive.turns()}
    events = {len(e.sealed) for _, told in journal.archive.turns() for e in told if e.sealed}

    assert len(sizes) == len(events) == 1


def test_what_a_commit_tells_is_what_the_journal_reads_back(open_journal):
    """Field by field: whoever hears of an event later hears the same."""
    journal = open_journal()
    table = evenings.serve(journal)

    told = [one.row for n in range(1, 4) for one in table.take(Add(chips=n), 1000 + n)]

    assert told
    assert told == journal.unsent(100)
    assert [row.t_ms for row in told] == sorted(row.t_ms for row in told)
    assert {row.t_ms for row in told} == {1001, 1002, 1003}


def test_a_failed_commit_leaves_everything_and_can_be_tried_again(open_journal):
    """A full database: the state and the chains stay, the next try is the same row."""
    journal = open_journal()
    table = evenings.serve(journal)
    table.take(Add(chips=1), 1)
    (pages,) = journal._db.execute("PRAGMA page_count").fetchone()
    journal._db.execute(f"PRAGMA max_page_count = {pages}")
    full = ""
    while not full:
        before, anchor = table.state, journal.anchor()
        try:
            table.take(Add(chips=1, actor="x" * 2000), 2)
        except JournalFull as error:
            full = str(error)
    after = table.state, journal.anchor()
    journal._db.execute("PRAGMA max_page_count = 100000")

    told = table.take(Add(chips=5), 3)

    assert "is full (SQLITE_FULL). Free some space" in full
    assert after == (before, anchor)
    assert told[0].row.seq == anchor.count + 1
    assert verify(journal.path, evenings.KEYS).holds


def test_a_commit_that_breaks_off_takes_itself_back(open_journal):
    """One statement of it fails: nothing of it stays, and the next try is as the first."""
    journal = open_journal()
    table = evenings.serve(journal)
    trigger = "CREATE TEMP TRIGGER t BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'x'); END"
    journal._db.execute(trigger)
    with pytest.raises(JournalError):
        table.take(Add(chips=1), 1)
    journal._db.execute("DROP TRIGGER t")

    (told, _) = table.take(Add(chips=1), 1)

    assert told.row.id == 1
    assert [row.n for row in journal.archive.inputs()] == [1]


def test_a_folder_is_no_journal(open_journal, tmp_path):
    """Somebody named the folder instead of the file."""
    (tmp_path / "table.db").mkdir()

    with pytest.raises(JournalError, match="is no file"):
        open_journal()


def test_a_journal_that_cannot_be_written_says_so(open_journal):
    """Read-only, as after a disk error."""
    journal = open_journal()
    journal._db.execute("PRAGMA query_only = ON")

    with pytest.raises(JournalError, match="cannot be written"):
        evenings.serve(journal).take(Add(chips=1), 1)


def test_a_full_disk_stops_nothing_for_good(tmp_path):
    """A real one of 1 MiB: refused with a sentence, whole, and on it goes once there is room."""
    if subprocess.run(["unshare", "-rm", "true"], check=False, capture_output=True).returncode:
        pytest.skip("this machine lets nobody mount a small disk (unshare -rm)")
    mount = 'mount -t tmpfs -o size=1m none "$1" && exec "$2" -m tests.service.full_disk "$1"'

    run = subprocess.run(
        ["unshare", "-rm", "sh", "-c", mount, "sh", tmp_path, sys.executable],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.stdout.splitlines() == ["JournalFull", "state kept", "went on", "holds"], run.stderr


def test_a_torn_log_loses_at_most_its_end(open_journal, tmp_path):
    """Cut or filled with rubbish anywhere: what is left is a whole beginning of the evening."""
    luck = random.Random(1)
    journal = open_journal()
    table = evenings.serve(journal)
    states = [table.state]
    for said in evenings.evening(1, 60):
        table.take(said, 1)
        states.append(table.state)
    for n in range(30):
        path = copy(journal.path, tmp_path / str(n))
        log = path.with_name("table.db-wal")
        at = luck.randrange(log.stat().st_size)
        rest = luck.choice([b"", b"\0" * 5000, luck.randbytes(5000)])
        log.write_bytes(log.read_bytes()[:at] + rest)
        try:
            again = evenings.open_journal(path)
        except JournalDamaged:  # the log was cut in its first page: nothing was there yet
            assert at < 4096 * 12
            continue
        recovered = recover(again.archive, counting, counting.begin)
        last = again.last
        again.close()

        assert recovered.state == states[last]
        assert verify(path, evenings.KEYS).holds


def test_a_journal_with_a_lost_page_is_not_opened(open_journal):
    """Of 120 such journals 97 were served, each with a few rows fewer."""
    journal = open_journal()
    table = evenings.serve(journal)
    for said in evenings.evening(2, 200):
        table.take(said, 1)
    journal.close()
    whole = journal.path.read_bytes()
    pages = len(whole) // 4096
    for page in range(1, pages, pages // 30):
        journal.path.write_bytes(whole[: page * 4096] + bytes(4096) + whole[(page + 1) * 4096 :])
        with pytest.raises(JournalDamaged, match=r"is no whole journal .* restore its copy"):
            open_journal()


def test_a_cut_file_is_never_taken_for_a_whole_one(open_journal, tmp_path):
    """Cut anywhere: an error with a remedy, or verify finds it."""
    luck = random.Random(2)
    journal = open_journal()
    table = evenings.serve(journal)
    for said in evenings.evening(2, 200):
        table.take(said, 1)
    journal.close()
    whole = journal.path.read_bytes()
    anchor = journal.anchor()
    for n in range(40):
        path = tmp_path / f"cut{n}.db"
        path.touch(0o600)
        path.write_bytes(whole[: luck.randrange(1, len(whole))])

        try:
            verdict = verify(path, evenings.KEYS, anchors=[anchor])
            held, text = verdict.holds, str(verdict)
        except ServiceError as error:
            held, text = False, str(error)

        assert not held
        assert "does not hold" in text or str(path) in text


def test_an_altered_bit_is_found_or_changed_nothing(open_journal, tmp_path):
    """Flipped anywhere in the file: verify finds it, or every row reads as before."""
    luck = random.Random(3)
    journal = open_journal()
    table = evenings.serve(journal)
    for said in evenings.evening(3, 60):
        table.take(said, 1)
    journal.close()
    whole, before = journal.path.read_bytes(), evenings.content(journal.path)
    found = 0
    for n in range(150):
        path = tmp_path / f"flip{n}.db"
        path.touch(0o600)
        flipped = bytearray(whole)
        flipped[luck.randrange(len(whole))] ^= 1 << luck.randrange(8)
        path.write_bytes(flipped)

        try:
            held = verify(path, evenings.KEYS).holds
        except ServiceError:
            held = False
        found += not held

        assert not held or evenings.content(path) == before, n
    assert found > 50


def test_a_transaction_is_known_for_good(open_journal):
    """Also after a restart: a request that was recorded is not done again."""
    journal = open_journal()
    first = heard_before(journal, "anna/1"), heard_before(journal, "anna/2")
    journal.close()
    journal = open_journal()

    assert first == (False, False)
    assert (heard_before(journal, "anna/1"), heard_before(journal, "bert/1")) == (True, False)


def test_a_request_that_cannot_be_noted_is_none(open_journal):
    """A disk that takes no note takes no input either: it is not done later, unasked."""
    journal = open_journal()
    journal._db.execute("PRAGMA query_only = ON")
    with pytest.raises(JournalError, match="cannot be written"):
        heard_before(journal, "anna/1")
    journal._db.execute("PRAGMA query_only = OFF")

    assert not heard_before(journal, "anna/1")


def heard_before(journal, transaction):
    return asyncio.run(journal.heard_before(transaction))


def test_an_archive_reads_while_the_table_is_served(open_journal):
    """`recall` and `verify` need no break of play."""
    journal = open_journal()
    table = evenings.serve(journal)
    table.take(Add(chips=1), 1)
    archive = Archive.read(journal.path)
    table.take(Add(chips=2), 2)

    rows = [row.n for row in archive.inputs()]
    archive.close()

    assert rows == [1, 2]


def test_what_became_of_an_input_is_stored_as_the_format_says(open_journal, tmp_path):
    """0 taken, 1 refused, 2 the program failed on it: journals of other versions are read so."""
    journal = open_journal()
    table = evenings.serve(journal)
    for said in [Add(chips=1), Add(chips=101), Boom(), Add(chips=2)]:
        table.take(said, 1)
    journal.close()

    stored = evenings.content(tmp_path / "table.db")["inputs"]

    assert [(row[0], row[2]) for row in stored] == [(1, 0), (2, 1), (3, 2), (4, 0)]


def test_an_archive_without_a_key_shows_nothing_sealed(open_journal):
    """It reads the rest."""
    journal = open_journal()
    evenings.serve(journal).take(CardSeen(card=PACK[0]), 1)
    archive = Archive.read(journal.path)
    (row,) = archive.inputs()

    with pytest.raises(WrongKey, match="name the table's key file"):
        archive.body(row)
    archive.close()


def test_an_archive_of_nothing_is_refused(tmp_path):
    """Reading makes no file."""
    with pytest.raises(JournalError, match="There is no journal"):
        Archive.read(tmp_path / "none.db")

    assert not list(tmp_path.iterdir())
