"""A forger: one change to a journal, anywhere before an anchor."""

import random
import sqlite3
from pathlib import Path

import msgspec

from table_controller.service.rows import Anchor
from table_controller.service.verify import verify
from tests.service import evenings

#: What may be changed in each table; `n` or `id` names the row.
COLUMNS = {
    "inputs": ("n", "t_ms", "outcome", "upto", "body", "sealed", "mac"),
    "events": ("id", "n", "t_ms", "audience", "seq", "type", "body", "sealed", "link", "mac"),
    "saves": ("n", "sealed"),
    "money": ("n", "body"),
    "boots": ("id", "t_ms", "code", "after"),
    "meta": ("value",),
}


def written(folder: Path, seed: int) -> tuple[Path, Anchor]:
    """A journal of several starts and closed Schlitten, and where its chains end."""
    path = folder / "table.db"
    said = evenings.evening(seed, 160)
    for part in range(4):
        journal = evenings.open_journal(path)
        table = evenings.start(journal)
        for n, one in enumerate(said[40 * part : 40 * part + 40]):
            table.take(one, 1000 * part + n)
        end = journal.archive.head()
        anchor = msgspec.structs.replace(end.anchor(), n=end.n, mac=end.mac.hex())
        journal.close()
    return path, anchor


def tampered(path: Path, luck: random.Random) -> str:
    """Change one thing, as SQLite would have it stored; say what, or "" where nothing changed."""
    db = sqlite3.connect(path, isolation_level=None)
    table = luck.choice(list(COLUMNS))
    rows = [row[0] for row in db.execute(f"SELECT rowid FROM {table}")]
    row, column = luck.choice(rows), luck.choice(COLUMNS[table])
    how = luck.choice(("delete", "copy", "change", "change", "change"))
    (old,) = db.execute(f"SELECT {column} FROM {table} WHERE rowid = ?", (row,)).fetchone()
    try:
        if how == "delete":
            db.execute(f"DELETE FROM {table} WHERE rowid = ?", (row,))
        elif how == "copy":
            other = luck.choice(rows)
            (new,) = db.execute(
                f"SELECT {column} FROM {table} WHERE rowid = ?", (other,)
            ).fetchone()
            if new == old:
                return ""
            db.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (new, row))
        else:
            db.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (_other(old, luck), row))
    except sqlite3.Error:
        return ""  # a number that is there, a field that may not be empty
    finally:
        db.close()
    return f"{how} {table}.{column} of row {row}"


def _other(old: object, luck: random.Random) -> object:
    """Something that is nearly the same."""
    match old:
        case int():
            return old + luck.choice((-1, 1, 1000))
        case str():
            return old[:-1] + chr(ord(old[-1]) ^ 1)
        case bytes():
            at = luck.randrange(len(old))
            return old[:at] + bytes([old[at] ^ 1 << luck.randrange(8)]) + old[at + 1 :]
    return b"{}"


def unnamed(folder: Path, *, changes: int, seed: int) -> list[str]:
    """So many changes, each to a copy of its own; those that `verify` does not name."""
    path, anchor = written(folder, seed)
    assert verify(path, evenings.KEYS, anchors=[anchor]).holds
    whole, luck, missed, done = path.read_bytes(), random.Random(seed), [], 0
    while done < changes:
        copy = folder / f"copy{luck.getrandbits(64):x}.db"
        copy.write_bytes(whole)
        copy.chmod(0o600)
        what = tampered(copy, luck)
        if not what:
            copy.unlink()
            continue
        done += 1
        try:
            holds = verify(copy, evenings.KEYS, anchors=[anchor]).holds
        except Exception as error:  # noqa: BLE001 - what is refused is named
            holds = not str(error)
        if holds:
            missed.append(what)
        for end in ("", "-wal", "-shm"):
            Path(f"{copy}{end}").unlink(missing_ok=True)
    return missed
