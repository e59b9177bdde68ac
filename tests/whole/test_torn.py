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

FATES, SEED = (
    (
        ("", torn.LAYS),
        ("killed amid", torn.LAYS),
        ("", torn.BOTH),
        ("killed after", torn.BACK),
        ("cut after", torn.FORWARD),
        ("cut amid the press", torn.LAYS),
        ("cut amid the answer", torn.LAYS),
        ("offline", torn.LAYS),
        ("offline", torn.LINK),
        ("", torn.RELOADS),
    ),
    6,
)


@pytest.mark.timeout(LONG_S)
def test_what_was_acknowledged_lies_there_once(tmp_path):
    """A process that is killed, a line that is cut, a browser that is offline; a page left."""
    if not CHROMIUM.exists():
        pytest.skip(f"no Chromium at {CHROMIUM}: apt install chromium-headless-shell")
    found, taken, once = asyncio.run(torn.play(tmp_path, FATES, SEED))

    assert once
    torn_so = Counter(fate for fate, _ in FATES)
    assert {fate: found[fate] for fate in torn_so} == torn_so
    assert taken["bets"] >= len(FATES) / 2
