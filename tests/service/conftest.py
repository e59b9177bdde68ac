import itertools

import pytest

from table_controller.service.table import Table
from tests.service import counting, evenings


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
