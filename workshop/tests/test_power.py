"""Kills and power cuts on a disk that fails: a few here, thousands in `scripts/soak`."""

import shutil

import pytest

from tests.limits import LONG_S
from workshop.soak import lives

pytestmark = pytest.mark.timeout(LONG_S)


@pytest.mark.skipif(not shutil.which("gcc"), reason="the failing disk is written in C")
def test_what_is_told_hangs_on_no_death():
    """State, stream and ledger as those of an evening that was left alone."""
    found = dict(lives.run(0.004))

    assert int(found["kills"]) >= 8
    assert int(found["cuts"]) >= 8
    assert found["evenings that differ"] == "0"
