"""Makes copies of a journal while the table is served, and restores them.

The module knows files, but no game. A copy is complete or does not exist. A copy is prepared under
another name before it replaces the journal. The replaced journal is kept in the same folder.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from table_controller.service import output, store
from table_controller.service.archive import Archive
from table_controller.service.errors import JournalError
from table_controller.service.rows import Anchor
from table_controller.service.sealing import Keys

_PART, _LOG = ".part", ("-wal", "-shm")


def back_up(journal: Path, copy: Path) -> Anchor:
    """Copy a journal, even while a service writes the journal. Return the end of its public chain.

    `copy` gets mode 0600. The chain's end is also written next to the copy, as `<copy>.anchor`, for
    `verify`. Raises JournalError.
    """
    with closing(store.connect_read_only(journal)) as source:
        target = _earlier(copy)
        part = _beside(target, _PART)
        _copied(source, journal, part)
    anchor = _sound(part, None)
    try:
        output.write(_beside(copy, ".anchor"), msgspec.json.encode(anchor) + b"\n")
        part.replace(target)
        store.flush(target.parent)
    except OSError as error:
        raise JournalError(f"Cannot finish the copy {copy}: {error.strerror}.") from None
    return anchor


def put_back(copy: Path, journal: Path, keys: Keys, ready: Callable[[Path], None]) -> Path | None:
    """Replace a journal with a copy. Return where the replaced journal is kept, if there was one.

    Before the replacement, `ready` prepares the copy, under another name, for the service. If
    anything fails, the journal is unchanged. Raises JournalError; JournalBusy if a service writes
    the journal.
    """
    if copy.exists() and journal.exists() and copy.samefile(journal):
        raise JournalError(f"{copy} is the table's journal itself. Name a copy of it.")
    lock, part = store.Lock(journal), _beside(journal, _PART)
    try:
        _forget(part)
        with closing(store.connect_read_only(copy)) as source:
            _copied(source, copy, part)
        _sound(part, keys)
        ready(part)
        kept = _kept(journal)
        store.flush(journal.parent)
        try:
            _forget_log(journal)  # this log belongs to the old journal
            part.replace(journal)
        except OSError:
            if kept:
                _laid_back(kept, journal)
            raise
        store.flush(journal.parent)
    except OSError as error:
        raise JournalError(f"Cannot put back the journal {journal}: {error.strerror}.") from None
    finally:
        with suppress(OSError):
            _forget(part)
            _beside(part, ".lock").unlink(missing_ok=True)
        lock.release()
    return kept


def _earlier(copy: Path) -> Path:
    """Where a new copy goes: nowhere, or in the place of an earlier copy. A link stays.

    A journal has a write-ahead log; a copy has none. Raises JournalError.
    """
    target = Path(os.path.realpath(copy))
    if not os.path.lexists(target):
        output.spare(target)
        return target
    if not output.is_plain(copy) or not _is_copy(target):
        raise JournalError(
            f"{copy} is there already, and is no earlier copy of a journal. A copy replaces only "
            "an earlier copy: name another file."
        )
    held = output.holders(target)
    if held:
        raise JournalError(
            f"The earlier copy {copy} is in use ({'; '.join(held)}). Close it there, or name "
            "another file."
        )
    return target


def _is_copy(path: Path) -> bool:
    """Whether the file is one of our journals, at rest: no table writes such a file."""
    with path.open("rb") as file:
        head = file.read(72)
    ours = head[68:72] == store.APPLICATION.to_bytes(4, "big")
    at_rest = head[18:20] == b"\x01\x01"  # 2 means a write-ahead log
    locked = _beside(path, ".lock").exists() or any(_beside(path, end).exists() for end in _LOG)
    return ours and at_rest and not locked


def _beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def _forget(path: Path) -> None:
    path.unlink(missing_ok=True)
    _forget_log(path)


def _forget_log(path: Path) -> None:
    for end in _LOG:
        _beside(path, end).unlink(missing_ok=True)


def _copied(source: sqlite3.Connection, named: Path, part: Path) -> None:
    """Copy all pages of `source` as they are at one moment into `part`, and flush `part`.

    `named` is the file that an error names.
    """
    _forget(part)
    try:
        os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise JournalError(
            f"Cannot write the copy {part}: {error.strerror}. Its folder must exist and be "
            "writable."
        ) from None
    with store.explained(named), closing(sqlite3.connect(part, isolation_level=None)) as db:
        source.backup(db)  # in one step, as with a write-ahead log a reader blocks nobody
        db.execute("PRAGMA journal_mode = DELETE")
    store.flush(part)


def _sound(path: Path, keys: Keys | None) -> Anchor:
    """Read a copy once and check it. Return the end of its public chain. Raises JournalError."""
    archive = Archive.read(path, keys)
    try:
        wrong = archive.unsound()
        if wrong:
            raise archive.damaged(wrong)
        head = archive.head()
        return replace(head.anchor(), n=head.n, mac=head.mac.hex())
    finally:
        archive.close()


def _kept(journal: Path) -> Path | None:
    """Give the journal a second name, and return that name; None if there is no journal.

    Before that, the write-ahead log is moved into the journal's file. The journal keeps its first
    name too, so that a journal exists under that name at every moment.
    """
    if not journal.exists():
        return None
    with suppress(JournalError):
        store.empty_log(journal)
    number = 1
    while (kept := _beside(journal, f".before-{number}")).exists():
        number += 1
    for end in ("", *_LOG):  # a log that could not be emptied goes with its file
        with suppress(FileNotFoundError):
            _beside(kept, end).hardlink_to(_beside(journal, end))
    return kept


def _laid_back(kept: Path, journal: Path) -> None:
    """Undo `_kept`: remove the hard link that `_kept` made."""
    for end in ("", *_LOG):
        with suppress(FileNotFoundError):
            _beside(kept, end).replace(_beside(journal, end))
            _beside(kept, end).unlink()  # renaming between two names of one file does nothing
