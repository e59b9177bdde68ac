"""The journal's file: its tables, settings and lock, and SQLite's errors in words for people.

The module knows SQLite, but no game, no key and no chain.
"""

from __future__ import annotations

import fcntl
import glob
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from table_controller.service.errors import (
    JournalBusy,
    JournalDamaged,
    JournalError,
    JournalFull,
)
from table_controller.service.output import named_process

#: "SCHL" in SQLite's application id distinguishes our files from others.
APPLICATION = 0x5343484C

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
CREATE TABLE boots (n INTEGER PRIMARY KEY, id TEXT NOT NULL, t_ms INTEGER NOT NULL,
    code TEXT NOT NULL, after INTEGER NOT NULL) STRICT;
CREATE TABLE inputs (n INTEGER PRIMARY KEY, t_ms INTEGER NOT NULL, outcome INTEGER NOT NULL,
    upto INTEGER NOT NULL, body BLOB, sealed BLOB, mac BLOB NOT NULL) STRICT;
CREATE TABLE events (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, t_ms INTEGER NOT NULL,
    audience TEXT NOT NULL, seq INTEGER NOT NULL, type TEXT NOT NULL, body BLOB, sealed BLOB,
    link BLOB, mac BLOB NOT NULL) STRICT;
CREATE UNIQUE INDEX events_by_seq ON events (audience, seq);
CREATE TABLE outbox (id INTEGER PRIMARY KEY) STRICT;
CREATE TABLE transactions (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE saves (n INTEGER PRIMARY KEY, sealed BLOB NOT NULL) STRICT;
"""

#: Where the money was after an input that moved some of it. Older journals lack this table.
MONEY = """
CREATE TABLE IF NOT EXISTS money (n INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT
"""

#: The input that a press sent, and whether it changed anything. A repeat gets the same answer.
PRESSES = """
CREATE TABLE IF NOT EXISTS presses (n INTEGER PRIMARY KEY, id TEXT NOT NULL,
    changed INTEGER NOT NULL) STRICT
"""

#: A commit writes every page that it touches twice, into the log and into the file. Small pages
#: write a quarter of the bytes to an SD card.
PAGE_BYTES = 1024
#: A file with another page size is rewritten at startup, if it is no larger than this.
_REWRITTEN_BYTES = 16 << 20

#: The write-ahead log is moved into the file when a Schlitten is closed (`tidy`), while the table
#: is idle. During a coup, only a log of more than this many pages (16 MiB) is moved.
_WAL_PAGES = 16_384
#: The limit for a log that cannot be emptied because another program reads it. No coup begins above
#: 512 MiB (`wiring/disk.py`). The rest is for the coup under way, hundreds of times what it needs.
MOST_LOG_BYTES = 576 << 20
#: A commit does not wait for another writer's lock. It is retried.
BUSY_S = 0.1

_SETTINGS = f"""
PRAGMA synchronous = FULL;
PRAGMA wal_autocheckpoint = {_WAL_PAGES};
PRAGMA journal_size_limit = 4194304;
PRAGMA cache_size = -2048;
PRAGMA temp_store = MEMORY;
PRAGMA trusted_schema = OFF;
"""


class Lock:
    """The lock that makes one service the only writer of a journal.

    The lock is released whenever its process ends.
    """

    def __init__(self, journal: Path) -> None:
        path = journal.with_name(journal.name + ".lock")
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise JournalError(
                f"Cannot lock the journal {journal}: {error.strerror} ({path}). "
                "The service's user must be able to write in this folder."
            ) from None
        self._file = os.fdopen(handle, "r+b", buffering=0)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            process = self._file.read(20).decode("ascii", "replace").strip() or "unknown"
            self._file.close()
            raise JournalBusy(
                f"The journal {journal} is being written by another service (process {process}). "
                "The table is probably running already: stop that service first. "
                "If this is a second table, set another journal for it (`path` in [journal]).",
                process,
            ) from None
        with suppress(OSError):  # the process number is only for people; the lock needs none
            self._file.truncate(0)
            self._file.write(str(os.getpid()).encode())

    def release(self) -> None:
        """Release the lock. Then another service can write the journal."""
        self._file.close()


@contextmanager
def explained(path: Path, then: str = "the table goes on by itself") -> Iterator[None]:
    """Turn an SQLite error within this block into a JournalError that names the remedy.

    `then` is the end of the error's text. It says what the table does once the fault is over.
    """
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # a bug of ours, not a fault of the disk
    except sqlite3.Error as error:
        raise _explanation(path, error, then) from None
    except UnicodeDecodeError:  # SQLite quotes a torn schema
        raise damaged(path, "its schema is torn") from None


def _explanation(path: Path, error: sqlite3.Error, then: str) -> JournalError:
    name = getattr(error, "sqlite_errorname", "") or type(error).__name__
    said = f"({name})"
    match name.removeprefix("SQLITE_").split("_")[0]:
        case "FULL":
            return JournalFull(
                f"The disk of the journal {path} is full {said}. Free some space; nothing is "
                f"lost and {then}."
            )
        case "READONLY" | "CANTOPEN" | "PERM" | "AUTH":
            return JournalError(
                f"The journal {path} cannot be written {said}. The file and its folder must be "
                "writable by the service's user, on a disk that is not read-only."
            )
        case "CORRUPT" | "NOTADB" | "FORMAT":
            return damaged(path, said)
        case "BUSY" | "LOCKED":
            other = holder(path)
            named = f" ({other})" if other else ""
            return JournalBusy(
                f"Another program{named} holds the journal {path} {said}. Close it (a database "
                f"browser, a copy under way); {then}."
            )
        case "IOERR":
            return JournalError(
                f"The disk of the journal {path} reports an error {said}. If it is full, free "
                "some space; else copy the journal and change the disk."
            )
        case _:
            return damaged(path, f"{said} {error}")


def damaged(path: Path, what: str) -> JournalDamaged:
    """Return the error that says that a file is torn, or no journal of a Schlitten table."""
    return JournalDamaged(
        f"{path} is no whole journal of a Schlitten table: {what}. Move it aside and restore "
        "its copy, or begin a new journal; `schlitten verify` names the first bad row."
    )


def connect(path: Path) -> sqlite3.Connection:
    """Open `path` for writing, with the journal's settings.

    If the file does not exist, create it with mode 0600.
    """
    _make(path)
    with explained(path):
        # Only the journal's pen uses it, so never two threads at a time.
        db = sqlite3.connect(path, isolation_level=None, timeout=BUSY_S, check_same_thread=False)
        try:
            _in_small_pages(db, path)
            mode = db.execute("PRAGMA journal_mode = WAL").fetchone()[0]
            db.executescript(_SETTINGS)
        except sqlite3.Error:
            db.close()
            raise
    if mode != "wal":
        db.close()
        raise JournalError(
            f"The disk of the journal {path} does not keep a write-ahead log (mode {mode}). "
            "Put the journal on a local disk."
        )
    return db


def _in_small_pages(db: sqlite3.Connection, path: Path) -> None:
    """Give an older journal pages of PAGE_BYTES bytes, if its file is small and nobody reads it.

    An empty file gets the same page size.
    """
    if is_empty(db):
        db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        return
    (size,) = db.execute("PRAGMA page_size").fetchone()
    if size == PAGE_BYTES or path.stat().st_size > _REWRITTEN_BYTES:
        return
    check(db, path)
    with suppress(sqlite3.OperationalError):  # it is being read, or locked, so try at a later start
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        db.execute("VACUUM")


def log_bytes(path: Path) -> int:
    """Return the size of a journal's write-ahead log, in bytes."""
    try:
        return os.stat(f"{path}-wal").st_size  # noqa: PTH116  before every commit: half the time
    except FileNotFoundError:
        return 0


def bound_log(path: Path) -> None:
    """Empty the write-ahead log once it is longer than MOST_LOG_BYTES.

    Raises JournalError if that fails, because another program still reads an older state of the
    journal.
    """
    if log_bytes(path) < MOST_LOG_BYTES:
        return
    if not empty_log(path):
        other = holder(path)
        named = f" ({other})" if other else ""
        raise JournalError(
            f"Another program{named} reads the journal {path} without end, so that its log cannot "
            f"be emptied; with {MOST_LOG_BYTES >> 20} MiB it grows no further. End that program; "
            "nothing is lost and the table goes on by itself."
        )


def empty_log(path: Path) -> bool:
    """Move the whole write-ahead log into the file. Return whether that succeeded."""
    with explained(path), closing(_checkpointing(path)) as db:
        (held, *_) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not held


def holder(path: Path) -> str:
    """Return the process that locks a journal, as `sqlite3, process 1234`; "" if unknown."""
    files = set()
    for end in ("", "-shm"):
        with suppress(OSError):
            files.add(str(path.with_name(path.name + end).stat().st_ino))
    try:
        lines = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except OSError:
        return ""
    held = (line.split() for line in lines)
    pids = {word[4] for word in held if len(word) > 5 and word[5].rpartition(":")[2] in files}
    others = sorted(pids - {str(os.getpid()), "-1", "0"})
    return named_process(int(others[0])) if others else ""


def checkpoint(path: Path) -> None:
    """Move as much of a journal's write-ahead log into its file as other readers allow.

    A separate connection does this.
    """
    with explained(path), closing(_checkpointing(path)) as db:
        db.execute("PRAGMA wal_checkpoint(PASSIVE)")


def _checkpointing(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, timeout=BUSY_S)


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Open an existing journal for reading, even while a service writes it."""
    if not path.is_file():
        raise JournalError(f"There is no journal {path}. Name an existing one.")
    with explained(path):
        db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=2.0)
        try:
            check(db, path)
        except (sqlite3.Error, JournalError):
            db.close()
            raise
    return db


def is_empty(db: sqlite3.Connection) -> bool:
    """Whether the file has no table yet, because it is new or its first start was cut short."""
    return not db.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()


def check(db: sqlite3.Connection, path: Path) -> None:
    """Raise JournalDamaged unless the file is one of our journals."""
    found = db.execute("PRAGMA application_id").fetchone()[0]
    if found != APPLICATION:
        raise damaged(path, f"its application id is {found:#x}, not {APPLICATION:#x}")


def refuse_damaged(db: sqlite3.Connection, path: Path) -> None:
    """Look whether the file has all its pages. Raises JournalDamaged if it has not."""
    found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise damaged(path, one_line(found))


def one_line(finding: str) -> str:
    """A finding of SQLite's own checks as one line."""
    return " ".join(finding.replace("***", "").split())


def _make(path: Path) -> None:
    _refuse_beside_another(path)
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        flush(path.parent)
    except FileExistsError:
        pass
    except OSError as error:
        raise JournalError(
            f"Cannot make the journal {path}: {error.strerror}. Its folder must exist and be "
            "writable by the service's user."
        ) from None
    if not path.is_file():
        raise JournalError(f"{path} is no file, so no journal. Name a file in that folder.")
    mode = path.stat().st_mode & 0o777
    if mode & 0o077:
        raise JournalError(
            f"The journal {path} has mode {mode:04o}: others may read it. Run: chmod 600 {path}"
        )


def _refuse_beside_another(path: Path) -> None:
    """Refuse to begin a journal at `path` if `restore` left files of an earlier journal there.

    Raises JournalError.
    """
    if path.exists():
        return
    names = (f"{glob.escape(path.name)}{end}" for end in (".part", ".before-*[0-9]"))
    for left in sorted(left for name in names for left in path.parent.glob(name)):
        raise JournalError(
            f"There is no journal {path}, but {left} lies there, which `schlitten restore` left: "
            "the table had another one. Restore a copy, or move it away to begin a new journal."
        )


def flush(path: Path) -> None:
    """Make sure that a file's content, or a new name in a folder, survives a power cut."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
