"""The service's log: lines of key=value on standard error, which journald stores.

structlog is loaded only when there is something to log, since its support for terminal colours
would double the start time. No traceback is ever printed, since its local variables may contain a
closed card.
"""

from __future__ import annotations

import logging
import sys
import time
import traceback
from contextlib import suppress
from functools import cache
from typing import Any, Final

#: At most this many lines a minute are logged. Further lines are counted, and the next line gives
#: their number. So even ten minutes of constant faults write less than a MB.
LINES_A_MINUTE: Final = 60


class Quota:
    """Counts the lines of a minute, and allows at most `most` of them."""

    def __init__(self, most: int) -> None:
        self._most = self._left = most
        self._since, self._missed = float("-inf"), 0

    def admit(self, now: float) -> int | None:
        """Ask to log a line. Return how many lines were dropped since the last logged line.

        Return None if this line must be dropped too. `now` is in seconds.
        """
        if now - self._since >= 60:
            self._since, self._left = now, self._most
        if not self._left:
            self._missed += 1
            return None
        self._left -= 1
        missed, self._missed = self._missed, 0
        return missed


_quota = Quota(LINES_A_MINUTE)


@cache
def logger() -> Any:
    """Return the logger, which the first call sets up."""
    import structlog  # noqa: PLC0415 - see above

    structlog.configure(
        processors=[
            structlog.stdlib.add_log_level,
            structlog.processors.LogfmtRenderer(key_order=["level", "event"]),
        ],
        logger_factory=lambda *_args: structlog.PrintLogger(sys.stderr),
    )
    return structlog.get_logger()


def error(event: str, **known: object) -> None:
    """Log a fault: `event` in words, and the `known` facts. Never log a card. Never raises.

    If the process has no free file handle, the logger itself cannot be loaded. The caller must go
    on even then.
    """
    missed = _quota.admit(time.monotonic())
    if missed is None:
        return
    if missed:
        known["unlogged_before"] = missed
    try:
        logger().error(event, **known)
    except Exception as failure:  # noqa: BLE001 - said as plainly as can be
        with suppress(OSError):
            print(f"level=error event={event!r} unlogged={type(failure).__name__}", file=sys.stderr)


def fault(what: str, failure: BaseException, **where: object) -> None:
    """Log that `what` failed, and where. Of the failure, log only its type and its lines of code.

    The failure's text and its local variables may contain a card.
    """
    while isinstance(failure, BaseExceptionGroup):
        failure = failure.exceptions[0]
    frames = traceback.extract_tb(failure.__traceback__)
    places = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    error(what, error=type(failure).__name__, places=places, **where)


class _Foreign(logging.Handler):
    """Logs a library's messages like our own faults: within the quota and without a traceback."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log a message's first line. Of a failure log only the type and the lines of code.

        A failed callback of asyncio gets a fixed message, since asyncio's text names the arguments.
        """
        failure = record.exc_info and record.exc_info[1]
        said = record.getMessage().strip().partition("\n")[0]
        if failure:
            fault("a callback failed" if record.name == "asyncio" else said, failure)
        else:
            error(said)


_FOREIGN: Final = _Foreign(logging.WARNING)


def hear_libraries() -> None:
    """Send the libraries' log messages through this log, which has a quota."""
    root = logging.getLogger()
    if _FOREIGN not in root.handlers:
        root.addHandler(_FOREIGN)
