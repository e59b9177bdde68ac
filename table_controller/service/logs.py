"""The service's log: one line of key=value on standard error, which journald keeps.

Loaded only when there is something to log: structlog brings a terminal's colours along, which
would double the time to start. No traceback is ever printed: its locals may hold a closed card.
"""

from __future__ import annotations

import sys
import traceback
from contextlib import suppress
from functools import cache
from typing import Any


@cache
def logger() -> Any:
    """The logger, set up once."""
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
    """Log a fault: `event` in words, and what is known of it. Never a card; never raises.

    Without a free handle not even the logger can be loaded, and what is told must go on then.
    """
    try:
        logger().error(event, **known)
    except Exception as failure:  # noqa: BLE001 - said as plainly as can be
        with suppress(OSError):
            print(f"level=error event={event!r} unlogged={type(failure).__name__}", file=sys.stderr)


def fault(what: str, failure: BaseException, **where: object) -> None:
    """Log a failure by its kind and places only: its text, like its locals, may hold a card."""
    while isinstance(failure, BaseExceptionGroup):
        failure = failure.exceptions[0]
    frames = traceback.extract_tb(failure.__traceback__)
    places = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    error(what, error=type(failure).__name__, places=places, **where)
