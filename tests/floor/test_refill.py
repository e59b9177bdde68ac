"""When a table is asked for missing rows, by the test's own clock."""

from __future__ import annotations

import itertools

from table_controller.adapters.mqtt_names import TableId
from table_controller.floor.listen import Refill

TABLES = [TableId("hall", f"t-{number}") for number in range(100)]
ALL = frozenset(TABLES)
ONE = TABLES[0], "public"


def test_a_gap_may_close_by_itself_first():
    refill = Refill()
    refill.update(ONE, (5, 9), 100.0)

    assert refill.due(101.9, ALL) == []
    assert refill.due(102.0, ALL) == [(ONE, (5, 9))]

    refill.update((TABLES[1], "public"), (1, 2), 103.0)
    refill.update((TABLES[1], "public"), None, 104.0)
    assert refill.due(105.5, ALL) == []


def test_who_does_not_answer_is_asked_again_after_five_seconds():
    refill = Refill()
    refill.update(ONE, (5, 9), 100.0)
    refill.due(102.0, ALL)

    assert refill.due(106.9, ALL) == []
    assert refill.due(107.0, ALL) == [(ONE, (5, 9))]


def test_a_table_gets_five_pages_a_second_at_most_for_both_audiences():
    refill, asked, now = Refill(), [], 100.0
    keys = [(TABLES[0], "public"), (TABLES[0], "croupier")]
    for key in keys:
        refill.update(key, (1, 100), 90.0)
    while now < 102:
        for key, _ in refill.due(now, ALL):
            asked.append(now)
            refill.answered(key, now)
        now += 0.01

    assert len(asked) == 10
    assert min(b - a for a, b in itertools.pairwise(asked)) >= 0.199


def test_a_table_that_is_not_there_is_not_asked():
    refill = Refill()
    refill.update(ONE, (5, 9), 100.0)

    assert refill.due(102.0, ALL - {TABLES[0]}) == []


def test_not_all_tables_are_asked_at_once():
    refill = Refill()
    for at in TABLES:
        refill.update((at, "public"), (1, 100), 100.0)

    first = refill.due(102.0, ALL)
    assert len(first) == 32
    for key, _ in first:
        refill.answered(key, 102.1)
        refill.update(key, None, 102.1)
    second = refill.due(102.1, ALL)
    assert len(second) == 32
    assert not {key for key, _ in first} & {key for key, _ in second}
