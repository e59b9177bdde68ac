"""Guests and strangers flood a table: seconds here, ten minutes each in `scripts/soak`."""

import pytest

from tests.limits import LONG_S
from workshop.soak import floods

pytestmark = pytest.mark.timeout(LONG_S)


def test_who_floods_a_table_ends_nothing_and_loses_nobody_an_event():
    """All events are told, in order; memory and log are bounded.

    How late they are, and how long a sign-in takes, is measured where nothing else runs.
    """
    found = dict(floods.run(0.004, late_ms=10_000, sign_in_ms=60_000))

    assert {what.partition(":")[0] for what in found} >= set(floods.ATTACKS)
