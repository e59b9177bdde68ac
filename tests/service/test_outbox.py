from functools import partial

import pytest

from table_controller.engine.messages import Audience, CardSeen
from table_controller.rules.cards import Card
from table_controller.service.outbox import Outbox
from tests.limits import PATIENCE_S
from tests.service.counting import Add, Show


@pytest.fixture
def served(open_table, open_journal):
    journal = open_journal()
    outbox = Outbox(journal)
    return open_table(journal, listeners=[outbox]), outbox, journal


def rest(journal):
    """Wait until all is marked, as with the next commit."""
    journal._pen.start(partial(journal._mark, journal._sent)).result(PATIENCE_S)


def test_what_was_told_waits_in_order_until_it_is_delivered(served):
    """Rows leave the outbox one by one, as they are acknowledged."""
    table, outbox, _ = served
    table.take(Add(chips=1), 1)
    table.take(Add(chips=2), 2)
    first, second, *_ = outbox.pending(10)

    outbox.delivered(second.id)
    outbox.delivered(first.id)

    assert [row.body for row in outbox.pending(10)] == [
        b'{"type":"counted","total":3}',
        b'{"type":"noted","actor":"croupier","chips":2}',
    ]


def test_pending_is_limited_and_goes_on(served):
    """A publisher fetches as many as it can send."""
    table, outbox, _ = served
    table.take(Add(chips=1), 1)

    (first,) = outbox.pending(1)
    (second,) = outbox.pending(1, after=first.id)

    assert [first.type, second.type] == ["counted", "noted"]


def test_nothing_sealed_is_ever_in_the_outbox(served):
    """Nor does the name of the event that follows show that there was something."""
    table, outbox, _ = served
    table.take(CardSeen(card=Card("7h")), 1)
    table.take(Show(), 2)

    rows = outbox.pending(10)

    assert [row.type for row in rows] == ["card_drawn", "card_opened"]
    assert [row.event_id.split("-")[1:] for row in rows] == [["public", "1"], ["public", "2"]]


def test_marks_survive_a_restart_and_the_rest_still_waits(served, open_journal):
    """Ids and bodies are the same as before."""
    table, outbox, journal = served
    table.take(Add(chips=1), 1)
    first, second = outbox.pending(10)
    outbox.delivered(first.id)
    journal.close()

    again = Outbox(open_journal())

    assert again.pending(10) == [second]
    assert again.wakeup.is_set()


def test_a_mark_that_cannot_be_written_is_kept(served):
    """A full disk disturbs no publisher: the mark waits for the next one."""
    table, outbox, journal = served
    table.take(Add(chips=1), 1)
    first, second = outbox.pending(10)
    journal._db.execute("PRAGMA query_only = ON")
    outbox.delivered(first.id)
    rest(journal)
    while_full = outbox.pending(10), journal.unsent(10)
    journal._db.execute("PRAGMA query_only = OFF")

    table.take(Add(chips=1), 2)
    outbox.delivered(second.id)
    rest(journal)

    assert while_full == ([second], [first, second])
    assert [row.id for row in journal.unsent(10)] == [3, 4]


def test_a_mark_goes_with_the_next_commit_and_many_at_once(served):
    """Finding 8: a page of its own for every mark would be an SD card's life."""
    table, outbox, journal = served
    table.take(Add(chips=1), 1)
    outbox.delivered(1)
    before = [row.id for row in journal.unsent(10)]
    table.take(Add(chips=1), 1)
    after = [row.id for row in journal.unsent(10)]
    for n in range(40):
        table.take(Add(chips=1), n)
    for row in outbox.pending(70):
        outbox.delivered(row.id)
    journal._pen.start(lambda: None).result(PATIENCE_S)

    assert (before, after) == ([1, 2], [2, 3, 4])
    assert len(journal.unsent(100)) < 84 - 64


def test_a_mark_is_written_once(served):
    """An evening's marks do not pile up."""
    table, outbox, journal = served
    table.take(Add(chips=1), 1)
    statements = []
    journal._db.set_trace_callback(statements.append)

    for row_id in (1, 2):
        outbox.delivered(row_id)
    rest(journal)

    assert len([said for said in statements if said.startswith("DELETE")]) == 2


def test_commits_are_flushed_also_after_a_mark(served):
    """The mark alone does without."""
    table, outbox, journal = served
    table.take(Add(chips=1), 1)
    outbox.delivered(1)
    rest(journal)

    assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)


def test_gaps_are_filled_by_number(served):
    """Both ends included, delivered or not."""
    table, outbox, _ = served
    for chips in range(5):
        table.take(Add(chips=chips), 1)
    outbox.delivered(3)

    rows = outbox.replay(Audience.PUBLIC, 2, 4)

    assert [row.seq for row in rows] == [2, 3, 4]
    assert {row.audience for row in rows} == {Audience.PUBLIC}


def test_one_replay_fetches_a_thousand_rows_at_most(open_table, open_journal):
    """Who asks for all of a long evening asks again from where it ended."""
    journal = open_journal(durable=False)
    table, outbox = open_table(journal), Outbox(journal)
    for _ in range(1003):
        table.take(Add(chips=0), 1)

    rows = outbox.replay(Audience.PUBLIC, 2, 9999)

    assert [row.seq for row in rows] == list(range(2, 1002))
    assert [row.seq for row in outbox.replay(Audience.PUBLIC, 1002, 9999)] == [1002, 1003]


def test_sealed_rows_are_replayed_to_nobody(served):
    """Whoever asks."""
    with pytest.raises(ValueError, match="nobody"):
        served[1].replay(Audience.SEALED, 1, 9)


def test_news_wake_the_publisher(served):
    """Only if there is something to tell."""
    table, outbox, _ = served
    outbox.wakeup.clear()
    table.take(Show(), 1)
    quiet = outbox.wakeup.is_set()
    table.take(Add(chips=1), 1)

    assert (quiet, outbox.wakeup.is_set()) == (False, True)


def test_what_cannot_be_read_is_an_error_of_the_disk(served):
    """Publishers know no journal: they hear that the disk does not answer, and try again."""
    table, outbox, journal = served
    table.take(Add(chips=1), 1)
    journal._db.execute("ALTER TABLE events RENAME TO lost")

    with pytest.raises(OSError, match="no such table: events"):
        outbox.pending(10)
    with pytest.raises(OSError, match="no such table: events"):
        outbox.replay(Audience.PUBLIC, 1, 9)

    journal._db.execute("ALTER TABLE lost RENAME TO events")
    assert len(outbox.pending(10)) == 2
