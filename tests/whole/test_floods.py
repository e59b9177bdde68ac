"""Guests and strangers flood a table: seconds here, ten minutes in `scripts/soak`."""

import pytest

from tests.limits import LONG_S
from tests.programs.soak import floods

pytestmark = pytest.mark.timeout(LONG_S)


def test_who_floods_a_table_ends_nothing_and_loses_nobody_an_event():
    """All events are told, in order; memory and log are bounded.

    How late they are is measured where nothing else runs.
    """
    found = dict(floods.run(0.02, late_ms=10_000))

    assert {what.partition(":")[0] for what in found} >= set(floods.ATTACKS)
