import itertools

import pytest

from table_controller.engine.messages import CardSeen
from table_controller.rules.cards import Card
from table_controller.service.table import Table
from tests.service import counting, evenings
from tests.service.counting import Add, Close, Show

EVENING = [
    Add(chips=3),
    CardSeen(card=Card("7h")),
    CardSeen(card=Card("Kd")),
    Add(chips=500),
    Show(),
    Add(chips=4),
    Close(),
    CardSeen(card=Card("2c")),
]


@pytest.fixture
def keys():
    return evenings.KEYS


@pytest.fixture
def open_journal(tmp_path):
    """Open (and at the end close) journals in the test's folder."""
    opened = []

    def open_(name="table.db", **settings):
        journal = evenings.open_journal(tmp_path / name, **settings)
        opened.append(journal)
        return journal

    yield open_
    for journal in opened:
        journal.close()


@pytest.fixture
def open_table(open_journal):
    """Make a table over a new journal, with a clock that ticks one millisecond per look."""

    def open_(journal=None, **settings):
        ticks = itertools.count(1)
        return Table(
            counting,
            counting.begin(),
            journal or open_journal(),
            clock=lambda: next(ticks),
            **settings,
        )

    return open_


@pytest.fixture
def played(open_journal):
    """A journal of an evening, with a copy of its chain's end after each input."""
    journal = open_journal()
    table = evenings.serve(journal)
    anchors = []
    for t_ms, said in enumerate(EVENING):
        table.take(said, 1_700_000_000_123 + t_ms)
        anchors.append(journal.anchor())
    return journal, anchors
