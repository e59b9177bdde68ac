"""No table's messages wait behind another one that tells much."""

from __future__ import annotations

from table_controller.adapters.mqtt_names import TableId
from table_controller.floor.turns import TableMessage, Turns, placed

A, B, C = (TableId("casino", name) for name in "abc")


def told(turns, names):
    """Add a message of each of these tables, numbered within its table."""
    for name in names:
        at = TableId("casino", name)
        turns.add(TableMessage(at, f"{name}{turns.of(at) + 1}", b"", 0))
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


def test_what_is_forgotten_does_not_come():
    turns = told(Turns(), "ab")
    turns.clear()

    assert (len(turns), turns.of(A), taken(turns, 5)) == (0, 0, [])


def test_only_a_tables_topic_is_one():
    assert placed("schlitten/2/casino/a/event/card_drawn", b"x", 3) == TableMessage(
        A, "event/card_drawn", b"x", 3
    )
    for topic in ("", "schlitten/1/casino/a/state", "schlitten/2/casino/a", "schlitten/2/x y/a/b"):
        assert placed(topic, b"x", 3) is None
