"""The time for which tests wait, by the clock. Tests use only these limits to wait for something.

No test is meant to take that long, but two busy cores may. A limit that is itself the subject of a
test, such as a table's pace, is in its test. The limit of a whole test grows with the machine's
load.
"""

from __future__ import annotations

from typing import Final

#: For one thing to happen: an answer, a message, an element on a page, the end of a process.
PATIENCE_S: Final = 60.0
PATIENCE_MS: Final = PATIENCE_S * 1000  # as browsers count

#: For a whole test with what it needs, unless it is marked with `pytest.mark.timeout`: the same
#: figure as `timeout` in pyproject.toml. It fails then, with the stack of every thread.
TEST_S: Final = 100
#: On a busy machine it has more, as far as this.
MOST_S: Final = 600

#: For one that even then does not end, since no Python code runs any more: its process is killed,
#: with the stack of every thread. Together under two minutes.
GRACE_S: Final = 15.0

#: For tests that play whole evenings, start programs again and again, or film a Schlitten.
LONG_S: Final = 600
#: For one thing in such a test to happen.
LONG_PATIENCE_S: Final = 240.0


def limit_s(load: float, cores: int) -> float:
    """Return the limit of a test when `load` processes want to run on so many cores."""
    return min(MOST_S, TEST_S * max(1.0, load / cores))
