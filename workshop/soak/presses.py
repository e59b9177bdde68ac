"""A thousand presses at the page of a real process, which is killed or cut off in between.

It does the same as tests/whole/test_torn.py, which does a sample. The chips on the felt after each
press must be those that were acknowledged. Any difference is an immediate AssertionError.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.whole import torn
from tests.whole.torn_line import CUTS, KILLS

PRESSES, SEED = 1000, 27


def run(share: float) -> list[tuple[str, str]]:
    """Report what happened, and how many presses were acknowledged.

    A share of 1.0 is the whole: a thousand presses.
    """
    presses = max(10, round(PRESSES * share))
    with TemporaryDirectory(prefix="soak-presses-") as folder:
        found, taken, once = asyncio.run(torn.play(Path(folder), torn.fates(presses, SEED), SEED))
    assert once, f"acknowledged were {dict(taken)}, and others lie in the journal"
    kills, cuts = (sum(found[fate] for fate in fates) for fates in (KILLS, CUTS))
    how = ", ".join(f"{found[fate]} {fate}" for fate in (*KILLS, *CUTS))
    also = ("on two screens", "taken back", *torn.AWAY, "refused")
    return [
        ("presses", f"{presses:,}; none twice, none that was acknowledged lost"),
        ("the process was killed, the line cut", f"{kills:,}, {cuts:,}: {how}"),
        ("among them", ", ".join(f"{found[what]} {what}" for what in also)),
        ("chips acknowledged, taken back", f"{taken['bets']:,}, {taken['takes_back']:,}"),
    ]
