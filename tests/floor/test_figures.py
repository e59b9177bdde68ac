"""What reports add up follows the records, in whatever order and by whomever they were changed."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import pytest
import sqlalchemy as sa
from alembic import command

from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.floor.page import reader
from table_controller.engine.messages import phrase
from table_controller.engine.table.evening import Expected
from table_controller.floor import figures, reports
from table_controller.floor import projections as p
from table_controller.floor.figures import HOUR_MS, count
from table_controller.floor.past import FloorPast, Reads, Wanted
from table_controller.floor.reports import Period, report
from table_controller.floor.schema import PROJECTED, houses, outcomes, to_count
from table_controller.floor.store import Ledger, Store
from tests.floor.telling import Telling
from tests.floor.test_store import ONE, TWO, page, say

#: The time of the first row that `Telling` tells, and its hour.
BEGAN = 1_700_000_000_000
HOUR = BEGAN // HOUR_MS


@pytest.fixture
def store(url):
    made = Store(url)
    yield made
    made.close()


def dealt(store, *, coups=2, at=ONE):
    """A table with some decided coups of two cards and a stake of 10, and its ledger."""
    table, ledger = Telling(), Ledger(store, lambda: 0)
    for number in range(coups):
        a_coup(table, number + 1)
    ledger.take([(at, page(table))])
    return table, ledger


def a_coup(table, number, winner="bank"):
    for _ in range(2):
        say(table, type="card_drawn", ordinal=len(table.rows) + 1)
    say(table, type="coup_settled", coup=number, winner=winner, staked=10)


def led(table, name):
    say(table, type="staff_changed", name=name)
    return page(table)


def lines(store, by="table", period=None):
    count(store)
    return [
        (one.of, one.coups, one.staked, one.cards) for one in report(store, by, period or Period())
    ]


def test_a_report_has_what_came_since_it_was_counted(store):
    table, ledger = dealt(store)
    before = lines(store)
    a_coup(table, 3)
    ledger.take([(ONE, page(table))])

    assert before == [("casino/one", 2, 20, 4)]
    assert lines(store) == [("casino/one", 3, 30, 6)]


def test_who_led_may_be_told_after_the_coups_were_counted(store):
    """Staff rows are numbered by themselves, and may be hours late."""
    _, ledger = dealt(store)
    nobody = lines(store, "croupier")
    ledger.take([(ONE, led(Telling("croupier"), "Anna"))])

    assert nobody == [("", 2, 20, 4)]
    assert lines(store, "croupier") == [("Anna", 2, 20, 4)]


def test_rows_that_become_void_are_counted_no_longer(store):
    table, ledger = dealt(store, coups=3)
    lines(store)
    table.restore(3)  # a copy that ends with the first coup
    say(table, type="card_drawn", ordinal=9)
    ledger.take([(ONE, page(table))])

    assert lines(store) == [("casino/one", 1, 10, 2)]


def test_two_parts_of_an_hour_are_the_hour(store):
    """Midnight is not everywhere on the hour. The first coup is decided 3 ms after it began."""
    dealt(store)
    split = BEGAN + 4

    assert lines(store, period=Period(until_ms=split)) == [("casino/one", 1, 10, 2)]
    assert lines(store, period=Period(since_ms=split)) == [("casino/one", 1, 10, 2)]
    within = Period(since_ms=BEGAN + 3, until_ms=split)
    assert lines(store, "hour", within) == [("22:00", 1, 10, 2)]


def test_what_changes_while_it_is_counted_is_counted_again(store, monkeypatch):
    table, ledger = dealt(store)
    counted = figures._counted

    def slow(db, wanted):
        found = counted(db, wanted)
        if len(table.rows) == 6:
            a_coup(table, 3)
            ledger.take([(ONE, page(table))])
        return found

    monkeypatch.setattr(figures, "_counted", slow)
    left = count(store, 1)

    assert left == 1
    assert lines(store) == [("casino/one", 3, 30, 6)]


def test_only_some_hours_are_counted_at_once_and_the_newest_first(store):
    dealt(store)
    coups = PROJECTED[p.DecidedCoup]
    with store.engine.begin() as db:
        old = coups.update().where(coups.c.seq == 3).values(settled_ms=BEGAN - 5 * HOUR_MS)
        db.execute(old)

    assert count(store, 1) == 1
    with store.read() as db:
        assert db.scalars(sa.select(to_count.c.hour)).all() == [HOUR - 5]


def test_times_are_kept_to_the_hundredth_of_a_second():
    for name, most in (("stakes", 655.35), ("answered", 42_949_672.95)):
        kept = figures.written(name, [0, 4, 6, 1_230, -5, 2**60])

        assert [one / 100 for one in figures.read(name, kept)] == [0, 0, 0.01, 1.23, 0, most]


def test_a_search_for_a_person_finds_what_he_led(store):
    _, ledger = dealt(store)
    dealt(store, coups=1, at=TWO)
    ledger.take([(ONE, led(Telling("croupier"), "Anna"))])
    past = FloorPast(store, reader)

    def found(**wanted):
        return [(one.at, one.what, one.croupier) for one in past.search(Wanted(**wanted))]

    assert found(person="ann") == [(ONE, "2", "Anna"), (ONE, "1", "Anna")]
    assert found(person="ann", until_ms=BEGAN + 4) == [(ONE, "1", "Anna")]
    assert found(person="ann", table="two") == found(person="béla") == []
    assert len(found(winner="BANK")) == 3
    assert found(winner="ban") == []


def test_a_search_finds_the_newest_among_many_tables(store, monkeypatch):
    """Among few tables it asks for each, among many for all in time: the finds are the same."""
    for name in "abc":
        dealt(store, at=TableId("casino", name))
    past = FloorPast(store, reader)

    def found():
        return sorted((one.at.table, one.what, one.t_ms) for one in past.search(Wanted(game="")))

    few = found()
    monkeypatch.setattr("table_controller.floor.past._FEW_TABLES", 2)
    assert found() == few
    assert len(few) == 6


def test_records_of_an_earlier_version_are_counted(url, monkeypatch):
    """The schema before had no figures: what it holds is noted when it is brought up to date."""
    upgrade = command.upgrade
    monkeypatch.setattr(command, "upgrade", lambda to, _: upgrade(to, "0003"))
    old = Store(url)
    with old.engine.begin() as db:
        db.exec_driver_sql("INSERT INTO tables (id, site, name) VALUES (1, 'casino', 'one')")
        db.exec_driver_sql(
            "INSERT INTO coups (table_id, seq, number, shoe, began_ms, dealt_ms, settled_ms, cards,"
            f" winner, staked, taken, annulled) VALUES (1, 3, 1, '', 0, 0, {BEGAN}, 2, 'bank', 10,"
            " 0, false)"
        )
    old.close()
    monkeypatch.setattr(command, "upgrade", upgrade)
    new = Store(url)

    assert lines(new) == [("casino/one", 1, 10, 2)]
    new.close()


def shoe(table, name, *, coups=3, winner="bank", over=True):
    say(table, type="schlitten_ready", shoe=name, number=1, cards=312)
    for number in range(coups):
        a_coup(table, number + 1, winner)
    if over:
        say(table, type="schlitten_counted", shoe=name, coups=coups, remaining={})


def saw(heard):
    return [
        SimpleNamespace(saw={"bank": (int(one["winner"] == "bank"), 1)})
        for one in heard
        if one["type"] == "coup_settled"
    ]


#: How a made-up game reads its events: each coup is a trial of `bank`.
READS = Reads("a house", saw, (Expected("bank", phrase("the bank"), Fraction(1, 2)),))


def outcome(store):
    reports.compare(store, FloorPast(store, lambda *_: READS))
    said = sa.select(outcomes.c.shoe, outcomes.c.came, outcomes.c.among)
    with store.read() as db:
        return list(map(tuple, db.execute(said.order_by(outcomes.c.seq))))


def test_a_schlitten_is_compared_once_it_has_ended_and_again_if_it_changed(store):
    table, ledger = Telling(), Ledger(store, lambda: 0)
    shoe(table, "first", over=False)
    ledger.take([(ONE, page(table))])
    unknown = outcome(store)
    with store.engine.begin() as db:
        db.execute(houses.insert().values(table_id=1, house="a", game="b"))
    in_play = outcome(store)
    shoe(table, "second", winner="none")
    ledger.take([(ONE, page(table))])
    ended = outcome(store)
    table.restore(8)  # in the first, behind its second coup
    shoe(table, "third")
    ledger.take([(ONE, page(table))])

    assert unknown == in_play == []
    assert ended == [("first", 3, 3), ("second", 0, 3)]
    assert outcome(store) == [("first", 2, 2), ("third", 3, 3)]
