"""Evenings by touch alone at the page of a real process: its ledger is the engine's own.

The whole run, 45 coups of each house and every size, is `scripts/soak --only touches`.
"""

from __future__ import annotations

import asyncio

import pytest

from tests.adapters.web.served import CHROMIUM
from tests.limits import LONG_S
from tests.whole import touched

pytestmark = [
    pytest.mark.timeout(LONG_S),
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no Chromium at {CHROMIUM}"),
]


def test_a_coup_is_led_by_touch_alone(tmp_path):
    """Names, sums and reasons too: there is no keyboard but the page's; cards by hand."""
    ruled = {"type": "ruled", "reason": "late"}
    played = asyncio.run(
        touched.play(tmp_path, "punto-banco", coups=1, seed=2, guests=2, extra=(ruled,))
    )

    assert played.money == played.ledger
    assert played.coups == 1
    assert played.said["sits"] == 2
    assert played.said["ruled"] == 1
    assert played.said["card_seen"] >= 6
    assert played.touches > played.said.total()
