"""Makes a thousand changes to a journal, each before an anchor: to rows, saves or starts.

`schlitten verify` must name each change.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.service import tampering

CHANGES = 1000
#: What no chain and no anchor covers, for the report.
UNPROVABLE = (
    "the outbox and the requests heard (a withheld message is seen by its missing number); rows "
    "after the last anchor; starts, saves and money of journals of before November 2026"
)


def run(share: float) -> list[tuple[str, str]]:
    """Verify with the table's key and an anchor.

    Return the changes that `verify` did not name, as rows of the report.
    """
    changes, missed = max(1, round(CHANGES * share)), list[str]()
    with tempfile.TemporaryDirectory(prefix="soak-tampered-") as name:
        missed = tampering.unnamed(Path(name), changes=changes, seed=14)
    return [
        ("changes of rows, saves, money, starts and header", str(changes)),
        ("not named", f"{len(missed)} {'; '.join(missed[:5])}".strip()),
        ("what remains unprovable", UNPROVABLE),
    ]
