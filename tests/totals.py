"""Prints one closing line like pytest's for several runs: `python -m tests.totals RESULTS.xml ...`.

The files are pytest's, from `--junitxml`.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree


def closing_line(files: list[Path]) -> str:
    """The line with the totals. Raises FileNotFoundError if a run left no results."""
    found, seconds = Counter[str](), 0.0
    for file in files:
        for suite in ElementTree.parse(file).iter("testsuite"):
            bad = {name: int(suite.get(name, 0)) for name in ("failures", "errors", "skipped")}
            found["failed"] += bad["failures"]
            found["errors"] += bad["errors"]
            found["skipped"] += bad["skipped"]
            found["passed"] += int(suite.get("tests", 0)) - sum(bad.values())
            seconds += float(suite.get("time", 0))
    told = [f"{found[name]} {name}" for name in ("failed", "passed", "skipped", "errors")]
    counts = ", ".join(one for one in told if not one.startswith("0 "))
    took = f"{seconds:.2f}s ({int(seconds // 60)}:{int(seconds % 60):02d})"
    return f" {counts} in {took} ".center(80, "=")


if __name__ == "__main__":
    print(closing_line([Path(name) for name in sys.argv[1:]]))
