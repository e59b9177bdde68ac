"""The rows of one commit: how they are encoded, sealed, numbered, chained and inserted.

The module knows rows, keys and the tables' columns. It knows no file and no thread, and decides
nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import astuple

from table_controller.engine.messages import Audience, Booted, Event, Input
from table_controller.service.archive import Archive, Head
from table_controller.service.rows import (
    EventRow,
    InputRow,
    Outcome,
    Pressed,
    Row,
    event_mac,
    input_mac,
    link,
)
from table_controller.service.sealing import Keys, Sealer


class Batch(NamedTuple):
    """Everything that one commit writes, in its stored form, and the journal's new end."""

    input: tuple[object, ...]
    events: list[tuple[object, ...]]
    save: bytes | None
    money: bytes | None
    boot: tuple[object, ...] | None
    press: tuple[int, str, bool] | None
    told: list[Row]
    head: Head


class Binder:
    """Makes the rows of one journal's commits."""

    def __init__(self, archive: Archive, keys: Keys) -> None:
        self._archive, self._key = archive, keys.chain.value
        self._sealer = Sealer(keys, archive.header.journal)
        self._encode = msgspec.json.Encoder().encode
        self._kinds: dict[type[Event], tuple[Audience, str, str]] = {}

    def bind(
        self,
        old: Head,
        t_ms: int,
        said: Input,
        events: Sequence[Event],
        outcome: Outcome,
        *,
        saved: bytes | None,
        money: dict[str, int] | None,
        pressed: Pressed | None = None,
    ) -> Batch:
        """Make the rows of one input, which follow the journal's present end `old`."""
        head = Head(b"", old.boot, old.seqs)
        head.n, head.id, head.link = old.n + 1, old.id + len(events), old.link
        plain: bytes | None = self._encode(said)
        sealed = None
        if said.SEALED:
            plain, sealed = None, self._sealer.seal(b"input", head.n, plain or b"")
        save = None if saved is None else self._sealer.seal(b"save", head.n, saved)
        moved = None if money is None else self._encode(money)
        asked = InputRow(head.n, t_ms, outcome, head.id, plain, sealed, save=save, money=moved)
        head.boot = self._archive.boot_of(asked) or old.boot
        head.mac = input_mac(self._key, old.mac, asked, head.boot)
        batch = Batch(
            input=(*astuple(asked)[:6], head.mac),
            events=[],
            save=save,
            money=moved,
            boot=(said.boot, t_ms, said.code, old.n) if isinstance(said, Booted) else None,
            press=(head.n, pressed.id, pressed.changed) if pressed else None,
            told=[],
            head=head,
        )
        for number, event in enumerate(events, old.id + 1):
            self._add(batch, number, t_ms, event)
        return batch

    def _add(self, batch: Batch, number: int, t_ms: int, event: Event) -> None:
        kind, head = type(event), batch.head
        if kind not in self._kinds:
            self._kinds[kind] = kind.audience, kind.audience.value, str(kind.__struct_config__.tag)
        audience, who, tag = self._kinds[kind]
        head.seqs[who] = seq = head.seqs[who] + 1
        plain: bytes | None = self._encode(event)
        sealed = end = None
        if audience is Audience.SEALED:
            plain, sealed = None, self._sealer.seal(b"event", number, plain or b"")
        elif audience is Audience.PUBLIC:
            envelope = head.boot.envelope(who, seq, tag)
            end = head.link = link(head.link, seq, t_ms, plain or b"", envelope)
        row = EventRow(number, head.n, t_ms, who, seq, tag, plain, sealed, end)
        if sealed is None:
            batch.told.append(head.boot.told(row))
        head.mac = event_mac(self._key, head.mac, row)
        batch.events.append((*astuple(row)[:-1], head.mac))


def put(db: sqlite3.Connection, batch: Batch) -> None:
    """Insert the rows into the tables. Rows that may be published go into the outbox too."""
    db.execute("INSERT INTO inputs VALUES (?, ?, ?, ?, ?, ?, ?)", batch.input)
    db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", batch.events)
    db.executemany("INSERT INTO outbox VALUES (?)", [(row.id,) for row in batch.told])
    if batch.save is not None:
        db.execute("INSERT INTO saves VALUES (?, ?)", (batch.head.n, batch.save))
    if batch.money is not None:
        db.execute("INSERT INTO money VALUES (?, ?)", (batch.head.n, batch.money))
    if batch.press is not None:
        db.execute("INSERT INTO presses VALUES (?, ?, ?)", batch.press)
    if batch.boot is not None:
        db.execute("INSERT INTO boots (id, t_ms, code, after) VALUES (?, ?, ?, ?)", batch.boot)


def drop(db: sqlite3.Connection, ids: Iterable[int]) -> None:
    """Remove the rows with these ids from the outbox."""
    db.executemany("DELETE FROM outbox WHERE id = ?", [(id_,) for id_ in ids])
