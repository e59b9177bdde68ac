"""Runs a command that serves something, and stops it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Coroutine
from typing import Any

from table_controller.service import logs


def until_stopped(work: Coroutine[Any, Any, None]) -> None:
    """Run `work` until it is done, or until Ctrl-C or SIGTERM; then end it cleanly."""

    async def guarded() -> None:
        loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work)
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, task.cancel)
        with contextlib.suppress(asyncio.CancelledError):
            await task

    logs.hear_libraries()
    asyncio.run(guarded())
