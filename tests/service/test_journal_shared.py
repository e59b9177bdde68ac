"""A journal used by others: readers while it is written, and a holder when it should be written."""

import asyncio

import pytest

from table_controller.service import store
from table_controller.service.archive import Archive
from table_controller.service.errors import JournalBusy, JournalError
from table_controller.service.verify import verify
from tests.service import evenings
from tests.service.counting import Add, Show
from tests.service.holding import READER, held


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


KIB = 1024
IN_THE_WAY = r"Another program \(python.*, process \d+\) reads the journal .* without end"


def test_a_log_that_nobody_can_empty_grows_no_further_than_its_bound(open_journal, monkeypatch):
    """Finding 8: what comes then waits, is told who is in the way, and is taken when he is gone."""
    monkeypatch.setattr(store, "MOST_LOG_BYTES", 100 * KIB)
    journal = open_journal()
    table = evenings.serve(journal)
    taken = 0
    with held(journal.path, READER):
        while store.log_bytes(journal.path) < 100 * KIB:
            table.take(Add(chips=1), taken)
            taken += 1
        length = store.log_bytes(journal.path)
        for _ in range(5):
            with pytest.raises(JournalError, match=IN_THE_WAY):
                table.take(Add(chips=1), taken)
            journal.sent({1})
            with pytest.raises(JournalError, match=IN_THE_WAY):
                asyncio.run(journal.heard_before("transaction"))
        assert store.log_bytes(journal.path) == length < 116 * KIB
        assert (table.state.total, journal.last) == (taken, taken)

    table.take(Add(chips=1), taken)

    assert (table.state.total, journal.last) == (taken + 1, taken + 1)
    assert store.log_bytes(journal.path) < 16 * KIB
    assert verify(journal.path, evenings.KEYS).holds


def test_a_long_log_that_nobody_reads_is_emptied_and_stops_nobody(open_journal, monkeypatch):
    """Whoever kept it from going over into the file may be gone since."""
    monkeypatch.setattr(store, "MOST_LOG_BYTES", 100 * KIB)
    journal = open_journal()
    table = evenings.serve(journal)
    for t_ms in range(200):
        table.take(Add(chips=1), t_ms)
        assert store.log_bytes(journal.path) < 116 * KIB

    assert table.state.total == 200
