"""No table's messages wait behind another one that tells much."""

from __future__ import annotations

from table_controller.adapters.mqtt_names import TableId
from table_controller.floor.fair_queue import (
    MOST_BYTES,
    MOST_BYTES_OF_ONE,
    MOST_OF_ONE,
    OwnNews,
    TableMessage,
    Turns,
    placed,
)
from table_controller.floor.sessions import Receipts
from table_controller.floor.store import Doubt, TableFault

A, B, C = (TableId("casino", name) for name in "abc")
BY = {name: Receipts() for name in "abc"}


def told(turns, names):
    """Add a message of each of these tables, numbered within its table."""
    for name in names:
        at = TableId("casino", name)
        turns.add(TableMessage(at, f"{name}{turns.of(at) + 1}", b"", 0, BY[name]))
    return turns


def taken(turns, most):
    return [heard.topic for heard in turns.take(most)]


def test_each_table_has_its_turn_and_its_own_order():
    turns = told(Turns(), "aaaaaabac")

    assert taken(turns, 4) == ["a1", "b1", "c1", "a2"]
    assert (len(turns), turns.of(A), turns.of(B)) == (5, 5, 0)
    told(turns, "b")
    assert taken(turns, 3) == ["a3", "b1", "a4"]
    assert taken(turns, 9) == ["a5", "a6", "a7"]
    assert not turns


def test_who_had_the_last_turn_does_not_begin_the_next_batch():
    turns = told(Turns(), "abcabc")

    assert taken(turns, 2) == ["a1", "b1"]
    assert taken(turns, 2) == ["c1", "a2"]


def test_a_flood_does_not_fill_a_transaction():
    turns = told(Turns(), "a" * 120 + "bb")

    batches = [len(turns.take(500)) for _ in range(4)]

    assert batches == [52, 50, 20, 0]


def test_what_a_lost_connection_delivered_is_forgotten():
    turns = told(Turns(), "abab")
    turns.forget(BY["a"])

    assert (len(turns), turns.of(A), turns.of(B)) == (2, 0, 2)
    assert taken(turns, 5) == ["b1", "b2"]


def test_only_a_tables_topic_is_one():
    by = Receipts()
    assert placed("schlitten/2/casino/a/event/card_drawn", b"x", 3, by) == TableMessage(
        A, "event/card_drawn", b"x", 3, by
    )
    for topic in ("", "schlitten/1/casino/a/state", "schlitten/2/casino/a", "schlitten/2/x y/a/b"):
        assert placed(topic, b"x", 3, by) is None


def test_a_tables_room_ends_by_messages_or_by_bytes_and_comes_back():
    turns, half = Turns(), MOST_BYTES_OF_ONE // 2
    for _ in range(2):
        turns.add(TableMessage(A, "snapshot", b"x" * half, 0, BY["a"]))
    for _ in range(MOST_OF_ONE):
        turns.add(TableMessage(B, "state", b"", 0, BY["b"]))

    assert turns.full(A, 1)
    assert turns.full(B, 0)
    assert not turns.full(C, half)
    turns.take(2)
    assert not turns.full(A, half)
    assert not turns.full(B, 0)


def test_all_tables_together_have_so_much_room():
    turns, picture = Turns(), b"x" * MOST_BYTES_OF_ONE
    for number in range(MOST_BYTES // MOST_BYTES_OF_ONE):
        turns.add(TableMessage(TableId("hall", str(number)), "snapshot", picture, 0, BY["a"]))

    assert turns.crowded(1)
    assert not turns.crowded(0)
    turns.forget(BY["a"])
    assert not turns.crowded(1)


def test_a_table_has_one_note_of_each_kind_the_latest():
    notes = OwnNews()
    for said in ("late", "later"):
        notes.add(A, Doubt("public"))
        notes.add(A, TableFault(said, "clock"))
    notes.add(A, TableFault("flooded", "flood"))
    notes.add(B, Doubt("public"))

    assert notes.take() == [
        (A, Doubt("public")),
        (A, TableFault("later", "clock")),
        (A, TableFault("flooded", "flood")),
        (B, Doubt("public")),
    ]
    assert not notes
