"""Rows arrive in order, once each, and chained, whatever happens to the broker or a table."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from table_controller.floor.inbox import Cursor, Inbox, NotAnEvent, StoredRow, told
from tests.floor.telling import SOURCE, Telling


class Kept:
    """A store in memory: applied rows by number; what is void is gone.

    `removed` is the number of the last row that was removed: the rows before it are not told.
    """

    def __init__(self, *, restarts=None) -> None:
        self.rows, self.faults, self.asked = {}, [], []
        self.cursor, self._restarts = Cursor(), restarts
        self.removed = 0
        self.begin()

    def begin(self):
        self.inbox = Inbox(self.cursor, self.at, lambda: self.removed)

    def at(self, seq):
        found = self.rows.get(seq) if seq >= self.removed else None
        return found and StoredRow(found[0].id, found[1])

    def take(self):
        taken = self.inbox.take()
        if taken.void_after is not None:
            self.rows = {seq: row for seq, row in self.rows.items() if seq <= taken.void_after}
            if taken.void_after < self.removed:
                assert taken.void_after == 0
                self.removed = 0
        for row, head in taken.rows:
            assert row.seq not in self.rows
            self.rows[row.seq] = row, head
        self.faults += taken.faults
        self.cursor = self.inbox.cursor
        self.inbox.stored()
        if self._restarts and self._restarts.random() < 0.1:  # what waited is forgotten
            self.begin()

    def settle(self, table):
        """The table is there again: its last number, and pages until nothing is missing."""
        for _ in range(100 + 4 * len(table.rows)):
            self.take()
            self.inbox.anchor(len(table.rows), table.heads[-1].hex(), table.name)
            wanted = self.inbox.wanted()
            if wanted is None:
                self.take()
                return
            self.asked.append(wanted)
            assert 1 <= wanted[0] <= wanted[1] < wanted[0] + 100
            self.inbox.replayed(table.replay(*wanted))
            self.take()
        raise AssertionError(f"never settles: {self.asked[-5:]}")

    @property
    def seqs(self):
        return sorted(self.rows)

    def has(self, table):
        """Exactly the table's rows, under its chain."""
        applied = [self.rows[seq] for seq in self.seqs]
        return (
            [replace(row, after=None) for row, _ in applied] == table.rows
            and [head for _, head in applied] == table.heads[1:]
            and self.cursor.seq == len(table.rows)
        )


def test_what_comes_in_order_is_applied_at_once():
    table, kept = Telling(), Kept()
    for _ in range(3):
        kept.inbox.hear(table.tell())
    kept.take()

    assert kept.seqs == [1, 2, 3]
    assert kept.inbox.wanted() is None
    assert kept.has(table)


def test_behind_a_gap_nothing_is_applied_and_the_gap_is_asked_for():
    table, kept = Telling(), Kept()
    rows = [table.tell() for _ in range(5)]
    for row in (rows[0], rows[3], rows[4], rows[3]):
        kept.inbox.hear(row)
    kept.take()

    assert kept.seqs == [1]
    assert kept.inbox.wanted() == (2, 3)
    for row in (rows[2], rows[1]):
        kept.inbox.hear(row)
    kept.take()
    assert kept.has(table)


def test_a_missing_tail_shows_by_the_number_that_the_table_tells():
    table, kept = Telling("croupier"), Kept()
    kept.inbox.hear(table.tell())
    for _ in range(120):
        table.tell()
    kept.take()
    kept.inbox.end(121, table.name)

    assert kept.inbox.wanted() == (2, 101)


def test_one_changed_byte_is_named():
    table, kept = Telling(), Kept()
    rows = [table.tell() for _ in range(4)]
    rows[2] = replace(rows[2], body=rows[2].body.replace(b"1/3", b"1/4"))
    for row in rows:
        kept.inbox.hear(row)
    kept.inbox.anchor(4, table.heads[4].hex(), table.name)
    kept.take()

    assert kept.faults == ["Up to row 4 the chain is not what the table says."]
    kept.inbox.replayed(table.replay(1, 4))
    kept.take()
    assert kept.faults[1:] == ["Row 3 was told otherwise before."]


def test_two_tables_on_one_journal_are_named():
    table, clone, kept = Telling(), Telling(), Kept()
    kept.inbox.hear(table.tell())
    kept.take()
    row = clone.tell()
    kept.inbox.hear(replace(row, id=row.id.replace("-0000000000000001-", "-00000000000000ff-")))
    kept.take()

    assert kept.faults == ["Row 1 was told under two names: do two tables run on one journal?"]
    assert kept.has(table)


@pytest.mark.parametrize("lost", [0, 1, 150])
def test_rows_beyond_a_copy_that_was_put_back_are_void(lost):
    """Also where the first rows of the new stream were lost: the table shows where it begins."""
    table, kept = Telling(), Kept()
    for _ in range(400):
        kept.inbox.hear(table.tell())
    kept.take()
    table.restore(230)
    rows = [table.tell() for _ in range(lost + 3)]
    for row in rows[lost:]:
        kept.inbox.hear(row)
    kept.take()
    assert len(kept.rows) == 400
    kept.settle(table)

    assert kept.has(table)
    assert kept.faults == []


def test_a_table_that_was_put_back_and_has_told_nothing_since_has_fewer_rows():
    table, kept = Telling(), Kept()
    late = [table.tell() for _ in range(9)]
    for row in late:
        kept.inbox.hear(row)
    kept.take()
    table.restore(4)
    kept.settle(table)
    assert kept.seqs == [1, 2, 3, 4]

    kept.inbox.hear(late[4])  # the broker had it still
    kept.take()

    assert kept.has(table)


def test_rows_that_wait_are_forgotten_when_the_journal_ends_before_them():
    """The table has no row that could close the gap, and is not asked for it for ever."""
    table, kept = Telling(), Kept()
    rows = [table.tell() for _ in range(9)]
    for row in (rows[0], rows[7], rows[8]):
        kept.inbox.hear(row)
    kept.take()
    table.restore(1)
    kept.settle(table)

    assert kept.inbox.wanted() is None
    assert kept.has(table)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["public", "croupier"]))
def test_any_order_with_losses_repeats_restarts_and_copies(seed, audience):
    """In the end the floor has what the table's journal has, and no fault is claimed."""
    luck = random.Random(seed)
    table, kept, under_way = Telling(audience), Kept(restarts=luck), []
    for _ in range(luck.randrange(60)):
        match luck.randrange(13):
            case 0 if table.rows:
                table.restore(luck.randrange(len(table.rows) + 1))
            case 1:
                kept.settle(table)
            case 2:  # the floor removes old rows
                kept.removed = luck.randint(kept.removed, kept.cursor.seq)
            case _:
                rows = [table.tell() for _ in range(luck.randrange(8))]
                under_way += [row for row in rows for _ in range(luck.choice((0, 1, 1, 1, 2)))]
        luck.shuffle(under_way)
        for _ in range(luck.randrange(len(under_way) + 1)):
            kept.inbox.hear(under_way.pop())
        kept.take()
    kept.settle(table)
    for row in under_way:  # what the broker had kept of older streams
        kept.inbox.hear(row)
    kept.take()
    kept.settle(table)

    assert kept.has(table)
    assert kept.faults == []


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"source": "/schlitten/2/casino/two"}, "another table"),
        ({"id": "s-b-public-8"}, "its audience and number"),
        ({"id": "s-b-sealed-7"}, "its audience and number"),
        ({"seq": 0, "id": "s-b-public-0"}, "its audience and number"),
        ({"type": "other.card_drawn"}, "none of a table's"),
        ({"time": "yesterday"}, "no event"),
        ({"time": "2026-11-20T21:14:03.120"}, "no event"),
        ({"specversion": "2.0"}, "no event"),
        ({"seq": "7"}, "no event"),
    ],
)
def test_nonsense_is_refused_with_a_reason(changed, why):
    said = {
        "specversion": "1.0", "id": "s-b-public-7", "source": SOURCE,
        "type": "schlitten.card_drawn", "time": "2026-11-20T21:14:03.120Z", "seq": 7,
        "datacontenttype": "application/json", "data": {"type": "card_drawn"},
    }  # fmt: skip
    assert told(json.dumps(said).encode(), SOURCE).seq == 7

    with pytest.raises(NotAnEvent, match=why):
        told(json.dumps(said | changed).encode(), SOURCE)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_do_more_than_be_refused(payload):
    with pytest.raises(NotAnEvent):
        told(payload, SOURCE)


def test_a_table_that_rests_is_asked_once_whether_it_told_more():
    """Its last rows may be lost, and with them the picture that counts them."""
    table, inbox = Telling(), Inbox(Cursor(), lambda _: None)
    inbox.hear(table.tell())
    inbox.take()
    assert inbox.wanted() is None

    inbox.doubt()
    assert inbox.wanted() == (2, 101)
    inbox.replayed([])
    assert inbox.wanted() is None

    table.tell()
    inbox.doubt()
    inbox.replayed(table.replay(2, 101))
    assert [row.seq for row, _ in inbox.take().rows] == [2]
    assert inbox.wanted() is None


def test_what_was_stored_lately_is_known_without_the_database():
    """A cluster sends again what was not acknowledged within 5 s: that must not cost more time."""
    table, kept, looked = Telling(), Kept(), []
    kept.inbox = Inbox(Cursor(), lambda seq: looked.append(seq) or kept.at(seq))
    rows = [table.tell() for _ in range(100)]
    for row in rows:
        kept.inbox.hear(row)
    kept.take()

    for row in rows[-30:]:
        kept.inbox.hear(row)
    kept.inbox.anchor(100, table.heads[-1].hex(), table.name)
    kept.take()
    assert (looked, kept.faults) == ([], [])

    kept.inbox.hear(replace(rows[80], body=b"{}"))
    kept.inbox.hear(rows[9])
    kept.take()
    assert (looked, kept.faults) == ([10, 9], ["Row 81 was told otherwise before."])


def test_a_row_that_is_told_otherwise_before_it_was_stored_is_noticed():
    """Both came in one batch: the first one counts."""
    table, kept = Telling(), Kept()
    row = table.tell()
    kept.inbox.hear(row)
    kept.inbox.hear(row)
    kept.inbox.hear(replace(row, body=b"{}"))
    kept.take()

    assert kept.faults == ["Row 1 was told otherwise before."]
    assert kept.has(table)


@pytest.mark.parametrize("order", [1, -1], ids=["near rows first", "far rows first"])
def test_large_rows_after_a_gap_have_a_mebibyte_and_the_nearest_stay(order):
    """The table still has the others: they are asked for once the gap is closed."""
    kept, table = Kept(), Telling()
    for _ in range(20):
        table.tell("x" * 100_000)
    for row in table.rows[1:][::order]:
        kept.inbox.hear(row)
    assert len(kept.inbox._waiting) == 10
    kept.inbox.hear(table.rows[0])
    kept.take()

    assert kept.seqs == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    kept.settle(table)
    assert (len(kept.seqs), kept.faults) == (20, [])


def test_a_page_that_was_never_asked_for_waits_in_the_same_room():
    kept, table = Kept(), Telling()
    for _ in range(20):
        table.tell("x" * 100_000)
    kept.inbox.replayed(table.replay(5, 20))

    assert list(kept.inbox._waiting) == [5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
