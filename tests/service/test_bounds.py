"""Journals, keys, recordings and inputs at their limits, and every sentence of a disk that fails.

Files of years ago must still be readable, so the stored bytes are written here one by one.
"""

from __future__ import annotations

import hashlib
import hmac
import sqlite3
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from table_controller.engine.messages import Audience
from table_controller.service import store
from table_controller.service.errors import (
    BadInput,
    JournalBusy,
    JournalDamaged,
    JournalError,
    JournalFull,
    KeyFileError,
)
from table_controller.service.reading import MOST_BYTES, InputReader
from table_controller.service.rows import Boot, Outcome, link
from table_controller.service.sealing import BLOCK, Keys, Sealer, load_keys
from tests.service import counting, evenings
from tests.service.counting import Add, Close

MASTER = bytes(range(32))
KEYS = Keys.derive(MASTER)


# -- the disk

FULL = "is full ({}). Free some space; nothing is lost and the table goes on by itself."
READ_ONLY = (
    "cannot be written ({}). The file and its folder must be writable by the service's user, on a"
    " disk that is not read-only."
)
TORN = (
    "is no whole journal of a Schlitten table: ({}). Move it aside and restore its copy, or begin a"
    " new journal; `schlitten verify` names the first bad row."
)
HELD = "({}). Close it (a database browser, a copy under way); the table goes on by itself."
BROKEN = (
    "reports an error ({}). If it is full, free some space; else copy the journal and change the"
    " disk."
)


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("SQLITE_FULL", JournalFull, f"The disk of the journal j.db {FULL}"),
        ("SQLITE_READONLY", JournalError, f"The journal j.db {READ_ONLY}"),
        ("SQLITE_READONLY_DBMOVED", JournalError, f"The journal j.db {READ_ONLY}"),
        ("SQLITE_CANTOPEN", JournalError, f"The journal j.db {READ_ONLY}"),
        ("SQLITE_PERM", JournalError, f"The journal j.db {READ_ONLY}"),
        ("SQLITE_AUTH", JournalError, f"The journal j.db {READ_ONLY}"),
        ("SQLITE_CORRUPT", JournalDamaged, f"j.db {TORN}"),
        ("SQLITE_NOTADB", JournalDamaged, f"j.db {TORN}"),
        ("SQLITE_BUSY", JournalBusy, f"Another program holds the journal j.db {HELD}"),
        ("SQLITE_LOCKED", JournalBusy, f"Another program holds the journal j.db {HELD}"),
        ("SQLITE_IOERR_WRITE", JournalError, f"The disk of the journal j.db {BROKEN}"),
    ],
)
def test_every_error_of_the_disk_says_what_to_do(tmp_path, monkeypatch, name, kind, said):
    """And only what passes by itself is tried again as it is."""
    monkeypatch.chdir(tmp_path)
    error = sqlite3.OperationalError("it broke")
    error.sqlite_errorname = name
    with pytest.raises(JournalError) as caught, store.explained(Path("j.db")):
        raise error

    assert type(caught.value) is kind
    assert str(caught.value) == said.format(name)


def test_an_error_that_nobody_knows_is_shown_as_it_is():
    """By its kind where SQLite gives no name."""
    sentence = r": \(OperationalError\) it broke\. Move it aside"
    with (
        pytest.raises(JournalDamaged, match=sentence),
        store.explained(Path("j.db")),
    ):
        raise sqlite3.OperationalError("it broke")
    with pytest.raises(sqlite3.ProgrammingError), store.explained(Path("j.db")):
        raise sqlite3.ProgrammingError("ours")


def test_a_journal_is_kept_so_that_a_power_cut_loses_nothing(open_journal, tmp_path):
    """A log ahead, each commit flushed; and few pages in memory on a small machine."""
    db = open_journal()._db
    asked = ["journal_mode", "synchronous", "wal_autocheckpoint", "journal_size_limit", "page_size"]
    found = [db.execute(f"PRAGMA {name}").fetchone()[0] for name in asked]
    assert found == ["wal", 2, 16_384, 4 * 1024 * 1024, 1024]
    assert db.execute("PRAGMA cache_size").fetchone()[0] == -2048
    assert db.execute("PRAGMA temp_store").fetchone()[0] == 2
    assert db.execute("PRAGMA trusted_schema").fetchone()[0] == 0
    assert db.execute("PRAGMA application_id").fetchone()[0] == 0x5343484C
    assert (tmp_path / "table.db").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "table.db.lock").stat().st_mode & 0o777 == 0o600
    hasty = open_journal("other.db", durable=False)
    assert hasty._db.execute("PRAGMA synchronous").fetchone()[0] == 0


@pytest.mark.parametrize("mode", [0o601, 0o610, 0o604, 0o620])
def test_a_journal_with_any_bit_for_others_is_refused(open_journal, tmp_path, mode):
    """Its mode is named, and how to mend it."""
    open_journal().close()
    path = tmp_path / "table.db"
    path.chmod(mode)

    with pytest.raises(JournalError, match=rf"has mode {mode:04o}: .* Run: chmod 600 {path}"):
        open_journal()


# -- the key


@pytest.mark.parametrize("mode", [0o601, 0o610, 0o604, 0o620])
def test_a_key_with_any_bit_for_others_is_refused(tmp_path, mode):
    path = tmp_path / "key"
    path.write_text("ab" * 32)
    path.chmod(mode)

    with pytest.raises(KeyFileError, match=f"has mode {mode:04o}"):
        load_keys(path, {})


@pytest.mark.parametrize("text", ["ab" * 31 + "a", "ab" * 32 + "a", "", "g" + "a" * 63])
def test_a_key_has_64_hex_digits(tmp_path, text):
    """One less or one more is another key."""
    path = tmp_path / "key"
    path.touch(0o600)
    path.write_text(text)

    with pytest.raises(KeyFileError, match=f"holds {len(text)} characters that are not 64"):
        load_keys(path, {})


def test_the_three_keys_come_of_one_as_they_always_did():
    """Worked out here by itself: journals and promises of years ago hang on it."""
    for purpose, length, key in (
        ("seal", 64, KEYS.seal),
        ("chain", 32, KEYS.chain),
        ("commit", 32, KEYS.commit),
    ):
        info = f"schlitten/1 {purpose}".encode()
        assert key.value == HKDF(SHA256(), length, salt=None, info=info).derive(MASTER)
    check = hmac.new(KEYS.chain.value, b"which key", "sha256").hexdigest()
    assert KEYS.check == check[:16]


@pytest.mark.parametrize(
    ("length", "blocks"), [(0, 1), (BLOCK - 1, 1), (BLOCK, 2), (2 * BLOCK - 1, 2), (2 * BLOCK, 3)]
)
def test_a_sealed_text_is_as_it_always_was(length, blocks):
    """Padded with 80 and zeros, bound to journal, kind and row; blocks of 256 bytes."""
    sealed = Sealer(KEYS, "j").seal(b"input", 7, b"x" * length)
    plain = AESSIV(KEYS.seal.value).decrypt(sealed, [b"j", b"input", (7).to_bytes(8, "big")])

    assert plain == (b"x" * length + b"\x80").ljust(256 * blocks, b"\0")


# -- rows


def test_an_events_name_and_link_are_as_published():
    """Consumers know events by them."""
    old, now = Boot(0, "ab12"), Boot(3, "ab12", "0123456789abcdef" * 2, "/house/table")
    assert old.event_id("public", 7) == "ab12-public-7"
    assert now.event_id("public", 7) == "ab12-0123456789abcdef-public-7"
    assert old.envelope("public", 7, "spoke") == b""
    envelope = now.envelope("public", 7, "spoke")
    assert envelope == b"ab12-0123456789abcdef-public-7 /house/table schlitten.spoke"
    head = bytes(32) + (1).to_bytes(8, "big") + (2).to_bytes(8, "big")
    assert link(bytes(32), 1, 2, b"{}") == hashlib.sha256(head + b"{}").digest()
    bound = head + len(envelope).to_bytes(4, "big") + envelope + b"{}"
    assert link(bytes(32), 1, 2, b"{}", envelope) == hashlib.sha256(bound).digest()
    assert [(one.name, one.value) for one in Outcome] == [
        ("TAKEN", 0), ("REFUSED", 1), ("FAILED", 2)
    ]  # fmt: skip


def test_a_journals_rows_are_read_between_two_numbers(open_journal):
    """The first left out, the last included."""
    journal = open_journal()
    table = evenings.serve(journal)
    for chips in (1, 2, 300, 4):
        table.take(Add(chips=chips), chips)
    table.take(Close(), 9)
    archive = journal.archive

    assert [row.n for row in archive.inputs()] == [1, 2, 3, 4, 5]
    assert [row.n for row in archive.inputs(2)] == [3, 4, 5]
    assert [row.n for row in archive.inputs(1, 3)] == [2, 3]
    assert {row.n for row in archive.events(1, 3)} == {2, 3}
    assert min(row.n for row in archive.events(2)) == 3
    assert [row.n for row, _ in archive.turns(3)] == [4, 5]
    assert [{one.n for one in told} for _, told in archive.turns(1, 3)] == [{2}, {3}]
    assert (archive.last(), archive.last_closed()) == (5, 5)
    assert [(row.t_ms, row.outcome) for row in archive.inputs()] == [
        (1, 0), (2, 0), (300, 1), (4, 0), (9, 0)
    ]  # fmt: skip
    before = archive.head(2)
    assert (before.n, archive.head().n, archive.root().n) == (2, 5, 0)
    assert journal.anchor().count == archive.head().seqs["public"]


def test_who_wrote_a_row_is_known_by_the_starts(open_journal):
    """The program of the last start before it."""
    for code, chips in (("1", 1), ("2", 2), ("3", 3)):
        journal = open_journal(code=code)
        evenings.start(journal, code=code).take(Add(chips=chips), 1)
        rows = list(journal.archive.inputs())
        assert journal.archive.code_of(rows[-1]) == code
        assert journal.archive.code_of(rows[0]) == "1"
        journal.close()


@pytest.mark.parametrize(
    ("first", "last", "seqs"), [(1, 3, [1, 2, 3]), (2, 2, [2]), (3, 9, [3, 4]), (0, 1, [1])]
)
def test_rows_are_told_again_between_two_numbers(open_journal, first, last, seqs):
    """Both included."""
    journal = open_journal()
    table = evenings.serve(journal)
    for chips in (1, 2, 3, 4):
        table.take(Add(chips=chips), 1)

    assert [row.seq for row in journal.told(Audience.PUBLIC, first, last)] == seqs
    assert [row.id for row in journal.unsent(2, after=1)] == [2, 3]


# -- what others send


@pytest.fixture
def reader():
    return InputReader(counting.inputs)


def test_an_input_has_4096_bytes_at_most(reader):
    """As JSON or as a mapping; one more is refused by its size."""
    empty = len(msgspec.json.encode({"type": "add", "chips": 1, "actor": ""}))
    actor = "x" * (4096 - empty)
    longest = {"type": "add", "chips": 1, "actor": actor}
    assert MOST_BYTES == 4096
    assert reader.read(longest, None).chips == 1
    assert reader.read(msgspec.json.encode(longest), None).chips == 1
    longer = longest | {"actor": actor + "x"}
    for said in (longer, msgspec.json.encode(longer)):
        with pytest.raises(BadInput, match=r"^The input has 4097 bytes; 4096 are allowed\.$"):
            reader.read(said, None)


@pytest.mark.parametrize(("length", "shown"), [(38, '"{}"'), (39, '"{}…')])
def test_a_value_is_shown_up_to_40_signs(reader, length, shown):
    """With its quotes; what is longer is cut there."""
    with pytest.raises(BadInput) as caught:
        reader.read({"type": "x" * length}, None)

    assert str(caught.value).startswith(f"No input has the type {shown.format('x' * length)}: ")


def test_who_says_it_may_be_said_for_him(reader):
    """Else it is as he says."""
    assert reader.read(Add(chips=1, actor="anna"), None).actor == "anna"
    assert reader.read(Add(chips=1, actor="anna"), "berta").actor == "berta"
    assert reader.read({"type": "add", "chips": 1, "actor": "anna"}, "").actor == ""
