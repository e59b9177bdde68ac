"""How many rows a floor lacks: what is not committed is missing."""

from __future__ import annotations

from contextlib import contextmanager

from table_controller.floor.store import End, Ledger, Store
from tests.floor.telling import Telling
from tests.floor.test_store import ONE


def test_a_row_is_missing_until_it_is_committed(url):
    """`rebuild` ends when nothing is missing, and counts what the database has."""
    store, table, seen = Store(url), Telling(), []
    row = table.tell()

    @contextmanager
    def slowly():
        with store.engine.begin() as db:
            yield db
            seen.append(ledger.behind())

    ledger = Ledger(store, lambda: 0, slowly)
    ledger.take([(ONE, End("public", 1, table.name, table.heads[-1].hex())), (ONE, row)])
    store.close()

    assert seen == [{(ONE, "public"): 1}]
    assert ledger.behind() == {}
