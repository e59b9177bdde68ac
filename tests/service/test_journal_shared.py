"""A journal beside others: who reads while it is written, who holds it while it should be."""

import subprocess
import sys
from contextlib import contextmanager

import pytest

from table_controller.service.archive import Archive
from table_controller.service.errors import JournalBusy
from table_controller.service.verify import verify
from tests.service import evenings
from tests.service.counting import Add, Show


def test_what_comes_while_an_archive_is_read_is_left_out_whole(open_journal):
    """No input without its events: the next one comes between the two questions to the file."""
    journal = open_journal()
    table = evenings.serve(journal)
    table.take(Show(), 1)  # which tells nothing, so that no question keeps the file as it was

    class Slow(Archive):
        def inputs(self, after=0, until=None):
            table.take(Add(chips=4), 2)
            return super().inputs(after, until)

    archive = Slow.read(journal.path)
    turns = list(archive.turns())
    archive.close()

    assert [(row.n, events) for row, events in turns] == [(1, [])]
    assert journal.last == 2


#: Another program, such as a database browser, that writes and does not end; until it may.
HOLDER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
db.execute("ROLLBACK")
"""


@contextmanager
def held(path):
    """Let another process hold the journal's write lock meanwhile."""
    call = [sys.executable, "-c", HOLDER, path]
    with subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "held\n"
        yield
        other.stdin.close()
        other.wait(60)


def test_a_journal_that_another_program_holds_is_waited_for(open_journal):
    """The commit says who is in the way and changes nothing; the same one is taken afterwards."""
    journal = open_journal()
    table = evenings.serve(journal)
    table.take(Add(chips=1), 1)
    before = table.state, journal.anchor()
    journal._db.execute("PRAGMA busy_timeout = 0")
    with held(journal.path):
        with pytest.raises(
            JournalBusy,
            match=r"Another program \(python.*, process \d+\) holds the journal .*Close it",
        ) as busy:
            table.take(Add(chips=2), 2)
        after = table.state, journal.anchor()

    table.take(Add(chips=2), 2)

    assert "SQLITE_BUSY" in str(busy.value)
    assert after == before
    assert table.state.total == 3
    assert verify(journal.path, evenings.KEYS).holds


def test_a_start_while_another_program_holds_the_journal_is_no_start(open_journal, tmp_path):
    """It says so, leaves no lock behind, and the next try opens it."""
    open_journal().close()
    with held(tmp_path / "table.db"):
        journal = open_journal()
        journal._db.execute("PRAGMA busy_timeout = 0")
        with pytest.raises(JournalBusy, match=r"Another program .* holds"):
            evenings.start(journal)
    journal.close()

    assert open_journal().last == 0
