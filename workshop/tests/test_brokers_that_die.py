"""Brokers that die while a table plays: a few times here, a hundred times in `scripts/soak`."""

import pytest

from tests.limits import LONG_S
from workshop.soak import brokers

pytestmark = pytest.mark.timeout(LONG_S)


def test_who_follows_a_table_has_all_of_it_whatever_becomes_of_the_broker():
    """Whole, in order, nothing twice under a new id; and the table goes on."""
    found = dict(brokers.run(0.04))

    assert found["Mosquitto: it died, killed by kill -9"] == "4"
    died = [int(count) for what, count in found.items() if what.startswith("embedded: it died")]
    assert sum(died) == 4
