"""Presses at a page of a killed process, on a cut line: none counts twice, none is lost.

The whole run, a thousand presses, is `scripts/soak --only presses`.
"""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from tests.adapters.web.served import CHROMIUM
from tests.limits import LONG_S
from tests.whole import torn

FATES, SEED = ("", "killed amid", "", "killed after", "cut after", ""), 6


@pytest.mark.timeout(LONG_S)
def test_what_was_acknowledged_lies_there_once(tmp_path):
    """A process that is killed before, amid and after; a line that is cut; two screens."""
    if not CHROMIUM.exists():
        pytest.skip(f"no Chromium at {CHROMIUM}: apt install chromium")
    found, taken, once = asyncio.run(torn.play(tmp_path, FATES, SEED))

    assert once
    assert {fate: found[fate] for fate in FATES} == Counter(FATES)
    assert taken["bets"] >= len(FATES) / 2
