"""Reads a journal, for recovery, for exports, and for `recall` and `verify`. It writes nothing.

The module knows the stored rows and how to open sealed rows. It knows no game.
"""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import msgspec

from table_controller.engine.messages import Audience, Booted
from table_controller.service import store
from table_controller.service.errors import (
    UNREADABLE,
    JournalDamaged,
    JournalError,
    WrongKey,
)
from table_controller.service.rows import (
    FIRST_LINK,
    FORMAT,
    Anchor,
    Boot,
    EventRow,
    Header,
    InputRow,
    Outcome,
    event_mac,
    first_mac,
    input_mac,
    link,
)
from table_controller.service.sealing import Keys, Sealer

_INPUTS = (
    "SELECT n, t_ms, outcome, upto, body, sealed, mac, "
    "(SELECT sealed FROM saves WHERE saves.n = inputs.n), "
    "(SELECT body FROM money WHERE money.n = inputs.n) FROM inputs "
)
_OF_BOOTS = "WHERE n IN (SELECT after + 1 FROM boots) ORDER BY n"
_EVENTS = "SELECT id, n, t_ms, audience, seq, type, body, sealed, link, mac FROM events "


#: The numbers of the last event for each audience, in an empty journal.
_NONE_TOLD: Final = {audience.value: 0 for audience in Audience}


class Head:
    """The end of a journal: the numbers of the last rows, and the last values of both chains."""

    __slots__ = ("boot", "id", "link", "mac", "n", "seqs")

    def __init__(self, mac: bytes, boot: Boot, seqs: Mapping[str, int] = _NONE_TOLD) -> None:
        self.n, self.id, self.mac, self.link, self.boot = 0, 0, mac, FIRST_LINK, boot
        self.seqs = dict(seqs)

    def anchor(self) -> Anchor:
        """Return the end of the public chain."""
        return Anchor(count=self.seqs["public"], head=self.link.hex(), stream=self.boot.stream)


class Archive:
    """One journal, read through one connection. Without keys, sealed rows cannot be read."""

    def __init__(self, db: sqlite3.Connection, path: Path, keys: Keys | None) -> None:
        self._db, self.path, self._keys = db, path, keys
        with store.explained(path):
            found = db.execute("SELECT value FROM meta WHERE key = 'header'").fetchone()
        if not found:
            raise store.damaged(path, "it has no header")
        self._stored_header: bytes = found[0]
        try:
            self.header = msgspec.json.decode(self._stored_header, type=Header)
        except UNREADABLE:
            raise store.damaged(path, "its header is torn") from None
        if self.header.format != FORMAT:
            raise JournalError(
                f"{path} has the journal format {self.header.format}; this program reads "
                f"{FORMAT}. Use the version that wrote it ({self.header.code})."
            )
        if keys and keys.check != self.header.key:
            raise WrongKey(
                f"{path} was sealed with the key {self.header.key}, but this key is "
                f"{keys.check}. Name the key file of this table."
            )
        self._sealer = Sealer(keys, self.header.journal) if keys else None

    @classmethod
    def read(cls, path: Path, keys: Keys | None = None) -> Archive:
        """Open `path` read only. Raises JournalError."""
        db = store.connect_read_only(path)
        try:
            return cls(db, path, keys)
        except JournalError:
            db.close()
            raise

    def close(self) -> None:
        """Close the journal's file."""
        self._db.close()

    def damaged(self, what: str) -> JournalDamaged:
        """Return the error that says that this journal is damaged, and how (`what`)."""
        return store.damaged(self.path, what)

    def code_of(self, row: InputRow) -> str:
        """Return the version of the program that wrote an input."""
        query = "SELECT code FROM boots WHERE after < ? ORDER BY n DESC LIMIT 1"
        found = next(self._rows(query, row.n), None)
        return str(found[0]) if found else self.header.code

    def inputs(self, after: int = 0, until: int | None = None) -> Iterator[InputRow]:
        """Yield the stored inputs in order, after number `after` and up to number `until`."""
        last = _LAST if until is None else until
        yield from map(_input, self._rows(_INPUTS + "WHERE n > ? AND n <= ?", after, last))

    def events(self, after: int = 0, until: int | None = None) -> Iterator[EventRow]:
        """Yield the stored events of the inputs after `after` and up to `until`, in order."""
        last = _LAST if until is None else until
        query = "SELECT coalesce(max(upto), 0) FROM inputs WHERE n = ?"
        (before,) = next(self._rows(query, after))
        query = _EVENTS + "WHERE id > ? AND n <= ? ORDER BY id"
        yield from map(_event, self._rows(query, before, last))

    def turns(
        self, after: int = 0, until: int | None = None
    ) -> Iterator[tuple[InputRow, list[EventRow]]]:
        """Yield each input with its events.

        Inputs that are journaled during the reading are left out.
        """
        if until is None:
            until = self.last()
        events = self.events(after, until)
        event = next(events, None)
        for row in self.inputs(after, until):
            mine = []
            while event and event.n <= row.n:
                mine.append(event)
                event = next(events, None)
            yield row, mine

    def typed(self, most: int) -> Iterator[bytes]:
        """Yield, as JSON, the inputs that contain a name or a reason.

        Only the last `most` inputs are searched. Inputs that were not accepted are left out.
        """
        query = (
            "SELECT body FROM inputs WHERE n > ? AND outcome = ? "
            "AND (instr(body, ?) OR instr(body, ?)) ORDER BY n"
        )
        after, fields = self.last() - most, (b'"name":"', b'"reason":"')
        yield from (body for (body,) in self._rows(query, after, Outcome.TAKEN, *fields))

    def public_of(
        self, kinds: Collection[str], after: int = 0
    ) -> Iterator[tuple[int, int, int, str, bytes]]:
        """Yield the public events of these types after event `after`, in order.

        Each has its id, its input, its time in ms since 1970, its type and its JSON.
        """
        query = (
            "SELECT id, n, t_ms, type, body FROM events WHERE id > ? AND audience = 'public' "
            "AND type IN (SELECT value FROM json_each(?)) ORDER BY id"
        )
        yield from self._rows(query, after, msgspec.json.encode([*kinds]).decode())

    def longest_break(self, first: int, last: int) -> int:
        """Return the number of the input that ends the longest pause.

        Only the pauses between inputs from `first` to `last` count.
        """
        query = "SELECT n, t_ms FROM inputs WHERE n BETWEEN ? AND ? ORDER BY n"
        rows = list(self._rows(query, first, last))
        breaks = [(later[1] - earlier[1], later[0]) for earlier, later in pairwise(rows)]
        return max(breaks, key=lambda one: one[0])[1] if breaks else last

    def save_before(self, n: int) -> tuple[int, bytes] | None:
        """Return the last state that was saved before input `n`, and the number of its input.

        A state is saved after each input that closes a Schlitten. Return None if there is none
        before `n`.
        """
        query = "SELECT n, sealed FROM saves WHERE n < ? ORDER BY n DESC LIMIT 1"
        return self._saved(query, n)

    def public(self) -> Iterator[EventRow]:
        """Yield the public events in order of `seq`, their number within the audience."""
        query = _EVENTS + "WHERE audience = 'public' ORDER BY id"
        yield from map(_event, self._rows(query))

    def body(self, row: InputRow | EventRow) -> bytes:
        """Return a row's JSON, decrypted if the row is sealed. Raises JournalDamaged, WrongKey."""
        if row.body is not None:
            return row.body
        if self._sealer is None:
            raise WrongKey(f"{self.path} has sealed rows: name the table's key file.")
        kind, number = (b"input", row.n) if isinstance(row, InputRow) else (b"event", row.id)
        return self._sealer.open(kind, number, row.sealed or b"")

    def last_save(self) -> tuple[int, bytes] | None:
        """Return the number of the input that closed the last Schlitten, and the state saved then.

        Return None if no Schlitten was closed yet.
        """
        return self._saved("SELECT n, sealed FROM saves ORDER BY n DESC LIMIT 1")

    def _saved(self, query: str, *values: object) -> tuple[int, bytes] | None:
        for n, sealed in self._rows(query, *values):
            if self._sealer is None:
                raise WrongKey(f"{self.path} has sealed rows: name the table's key file.")
            return n, self._sealer.open(b"save", n, sealed)
        return None

    def last(self) -> int:
        """Return the number of the last input; 0 in an empty journal. This needs no key."""
        found: int = next(self._rows("SELECT coalesce(max(n), 0) FROM inputs"))[0]
        return found

    def last_closed(self) -> int:
        """Return the number of the input that closed the last Schlitten, or 0. Needs no key."""
        found: int = next(self._rows("SELECT coalesce(max(n), 0) FROM saves"))[0]
        return found

    def money(self, after: int = 0) -> Iterator[tuple[int, dict[str, int]]]:
        """Yield each input after `after` that moved money, and the money at each place then."""
        query = "SELECT n, body FROM money WHERE n > ? ORDER BY n"
        for n, body in self._rows(query, after):
            try:
                yield n, msgspec.json.decode(body, type=dict[str, int])
            except (TypeError, *UNREADABLE):  # a lost cell reads as none
                raise self.damaged(f"what it says of the money after input {n} is torn") from None

    def unsound(self) -> str:
        """Return the first fault of the file, of a saved state, or of a stored start; or "".

        The inputs and events themselves are checked by `advance`.
        """
        (found,) = next(self._rows("PRAGMA integrity_check(1)"))
        if found != "ok":
            return f"the file is damaged: {found}"
        if self._sealer:
            for n, sealed in self._rows("SELECT n, sealed FROM saves"):
                self._sealer.open(b"save", n, sealed)
        for table in ("saves", "money"):
            for (n,) in self._rows(_WITHOUT_INPUT[table]):
                return f"{table} has a row of input {n}, which is not there"
        return self._starts()

    def _starts(self) -> str:
        """Return the first stored start that does not agree with its input, as a fault, or ""."""
        kept = dict[int, tuple[Any, ...]]()
        for id_, t_ms, code, after in self._rows("SELECT id, t_ms, code, after FROM boots"):
            if after + 1 in kept:
                return f"the start after input {after} is there twice"
            kept[after + 1] = (id_, t_ms, code)
        first = 0
        for row in map(_input, self._rows(_INPUTS + _BOOTED_INPUTS)):
            said = msgspec.json.decode(row.body or b"{}", type=Booted)
            first = first or row.n
            if kept.pop(row.n, None) != (said.boot, row.t_ms, said.code):
                return f"the start of input {row.n} is not as that input says it"
        left = [n for n in kept if n > first > 0]
        return f"no input tells of the start before input {left[0]}" if left else ""

    def unbound(self) -> int:
        """Return the number of rows that neither chain covers."""
        (count,) = next(self._rows(_UNBOUND))
        first = next((boot.after for boot in self.boots()[1:]), _LAST)
        for table, by in (("saves", "n"), ("money", "n"), ("boots", "after + 1")):
            (older,) = next(self._rows(_OLDER[table, by], first))
            count += older
        found: int = count
        return found

    def root(self) -> Head:
        """Return the head of a journal without inputs, where both chains begin."""
        mac = first_mac(self._keys.chain.value, self._stored_header) if self._keys else b""
        return Head(mac, Boot(0, self.header.journal))

    def boots(self) -> list[Boot]:
        """Return the starts of the service, which the journal records.

        The ids of published events contain the id of their start.
        """
        rows = map(_input, self._rows(_INPUTS + _OF_BOOTS))
        return [Boot(0, self.header.journal), *filter(None, map(self.boot_of, rows))]

    def boot_of(self, row: InputRow) -> Boot | None:
        """Return the start of the service that this input records; None for any other input."""
        body = row.body or b""
        if not body.startswith(_BOOTED):
            return None
        try:
            said = msgspec.json.decode(body, type=Booted)
        except UNREADABLE:
            raise self.damaged(f"input {row.n} is torn") from None
        return Boot(row.n, said.stream or self.header.journal, said.boot, said.source)

    def head(self, n: int | None = None) -> Head:
        """Return the journal's end as it was after input `n` (None: after the last input)."""
        head = self.root()
        last = _LAST if n is None else n
        for row in map(_input, self._rows(_INPUTS + "WHERE n <= ? ORDER BY n DESC LIMIT 1", last)):
            head.n, head.id, head.mac = row.n, row.upto, row.mac
            for event in map(_event, self._rows(_EVENTS + "WHERE id = ?", row.upto)):
                head.mac = event.mac if event.n == row.n else row.mac
        query = (
            "SELECT seq, link FROM events WHERE audience = ? AND id <= ? ORDER BY seq DESC LIMIT 1"
        )
        for audience in Audience:
            for seq, ended in self._rows(query, audience.value, head.id):
                head.seqs[audience.value] = seq
                head.link = ended or head.link
        head.boot = [boot for boot in self.boots() if boot.after <= head.n][-1]
        return head

    def advance(self, head: Head, row: InputRow, events: list[EventRow]) -> str:
        """Move `head` past an input and its events.

        Return the first fault, which names the row; "" if there is none.
        """
        try:
            return self._advance(head, row, events)
        except (TypeError, ValueError, LookupError, OverflowError, struct.error):
            return f"input {row.n} or one of its events holds something unreadable"

    def _advance(self, head: Head, row: InputRow, events: list[EventRow]) -> str:
        if row.n != head.n + 1:
            return f"input {head.n + 1} is missing (the next one is {row.n})"
        if row.upto != head.id + len(events):
            return f"input {row.n} had {row.upto - head.id} events, but {len(events)} are there"
        key = self._keys.chain.value if self._keys else None
        boot = self.boot_of(row) or head.boot
        if key and row.mac != input_mac(key, head.mac, row, boot):
            return f"input {row.n} was altered: its chain value does not fit"
        head.n, head.mac, head.boot = row.n, row.mac, boot
        for event in events:
            if event.id != head.id + 1:
                return f"event {head.id + 1} is missing (the next one is {event.id})"
            if key and event.mac != event_mac(key, head.mac, event):
                return f"event {event.id} was altered: its chain value does not fit"
            wanted = head.seqs[event.audience] + 1
            if event.seq != wanted:
                return f"event {event.id} has {event.audience} seq {event.seq}, not {wanted}"
            if event.audience == "public":
                envelope = head.boot.envelope("public", event.seq, event.type)
                head.link = link(head.link, event.seq, event.t_ms, event.body or b"", envelope)
                if event.link != head.link:
                    return f"event {event.id} (public {event.seq}) breaks the public chain"
            head.id, head.mac, head.seqs[event.audience] = event.id, event.mac, wanted
        return ""

    def _rows(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        with store.explained(self.path):
            yield from self._db.execute(query, values)


_LAST = (1 << 63) - 1
_BOOTED_INPUTS = """WHERE substr(body, 1, 17) = CAST('{"type":"booted",' AS BLOB) ORDER BY n"""
_WITHOUT_INPUT = {
    "saves": "SELECT n FROM saves WHERE n NOT IN (SELECT n FROM inputs) LIMIT 1",
    "money": "SELECT n FROM money WHERE n NOT IN (SELECT n FROM inputs) LIMIT 1",
}
_UNBOUND = "SELECT (SELECT count(*) FROM outbox) + (SELECT count(*) FROM transactions)"
_OLDER = {
    ("saves", "n"): "SELECT count(*) FROM saves WHERE n < ?",
    ("money", "n"): "SELECT count(*) FROM money WHERE n < ?",
    ("boots", "after + 1"): "SELECT count(*) FROM boots WHERE after + 1 < ?",
}
#: The beginning of a start's stored input.
_BOOTED = b'{"type":"booted",'


def _input(row: tuple[Any, ...]) -> InputRow:
    return InputRow(*row)


def _event(row: tuple[Any, ...]) -> EventRow:
    return EventRow(*row)
