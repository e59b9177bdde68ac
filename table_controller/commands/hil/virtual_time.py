"""A world with its own clock, in which a whole table and its board run.

The event loop's clock stops as long as there is work. Then it jumps to the next due time, and the
board runs through the time between. So an evening takes seconds, and a repetition gives exactly the
same result. With a `speed`, the loop's clock follows the wall clock instead. Then page, broker and
people can take part. With a board on a port it is the wall clock. The module knows asyncio and a
rung, but no table.
"""

from __future__ import annotations

import asyncio
import math
import selectors
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, NoReturn

from firmware_bridge.port import Board
from firmware_bridge.reconciler import News
from firmware_bridge.serial_line import BACK_OFF_S, PortError
from firmware_bridge.trouble import Trouble
from hardware.rungs import PortRung, Rung, TakesAHand

#: With a speed, the board is advanced at least once in this many seconds.
_PIECE_S: Final = 0.005
#: How far time jumps if nothing is due.
_IDLE_S: Final = 1.0


class Cable:
    """The cable between a table and a board, with its plug. `Board` uses it as its port.

    The board is a *rung*: the twin, the emulated firmware, or a real board (`hardware.rungs`).
    """

    def __init__(self, rung: Rung) -> None:
        self.rung = rung
        self.wake = asyncio.Event()
        self._in = self._out = b""
        self._plugged = True

    def read(self) -> bytes:
        """Return the bytes that have arrived. Raises PortError if the plug is out."""
        if not self._plugged:
            raise PortError(Trouble("the board is gone: plug the device in again"))
        heard, self._in = self._in, b""
        return heard

    def write(self, data: bytes) -> None:
        """Send bytes. They leave as time passes."""
        self._out += data

    async def rest(self, seconds: float) -> None:
        """Wait until `wake` is set, or until `seconds` have passed."""
        try:
            async with asyncio.timeout(max(0.0, seconds)):
                await self.wake.wait()
        except TimeoutError:
            pass
        self.wake.clear()

    def plug(self, *, into: bool) -> None:
        """Put the plug in, or take it out. The board gets its power through the plug."""
        if isinstance(self.rung, PortRung):
            raise TakesAHand("a program cannot pull a plug: play this with `--board emulated`")
        self._plugged, self._in, self._out = into, b"", b""
        if into:
            self.rung.command("reset")
        self.wake.set()

    def pass_us(self, us: int) -> None:
        """Let the board run for `us` microseconds, or until it sends something."""
        out, self._out = self._out, b""
        heard = self.rung.run(us, out if self._plugged else b"")
        if heard and self._plugged:
            self._in += heard
            self.wake.set()

    async def keep(
        self,
        path: str,
        _baud: int,
        serve: Callable[[Any], Awaitable[NoReturn]],
        lose: Callable[[str], None],
        *,
        worked: Callable[[], bool],
        back_off_s: tuple[float, ...] = BACK_OFF_S,
    ) -> NoReturn:
        """Do as `keep_open`, with this cable in place of a port."""
        attempt = 0
        while True:
            try:
                if not self._plugged:
                    raise PortError(
                        Trouble("the board ({path}) is not there: plug the device in", path=path)
                    )
                await serve(self)
            except PortError as error:
                lose(error.why)
            attempt = 0 if worked() else min(attempt + 1, len(back_off_s))
            await asyncio.sleep(back_off_s[max(attempt - 1, 0)])

    def board(self, port: str, tell: Callable[[News], None]) -> Board:
        """Return the board's driver at the table's end of this cable."""
        loop = asyncio.get_running_loop()
        return Board(f"({port})", tell, clock=loop.time, keep=self.keep)


class World(asyncio.SelectorEventLoop):
    """The event loop of a world.

    With `speed` 0 time jumps; otherwise time runs `speed` times as fast as the wall clock. `real`
    is for a board on a port, which has a clock of its own.
    """

    def __init__(self, *, speed: float = 0.0, real: bool = False) -> None:
        self.wire: Cable | None = None
        self._now, self._speed, self._began = 0.0, speed, time.monotonic()
        self._real = real
        super().__init__(_Selector(self))

    def time(self) -> float:
        """Seconds since the world began."""
        return self._elapsed() if self._real else self._now

    def _elapsed(self) -> float:
        return (time.monotonic() - self._began) * self._speed

    def idle(self, timeout: float | None, ready: Callable[[float], list[Any]]) -> list[Any]:
        """Let time pass, since there is no work for `timeout` seconds. Return what is ready.

        `ready` waits for a number of real seconds, and returns what is ready then.
        """
        found = ready(0)
        if found:
            return found
        wait = _IDLE_S if timeout is None else timeout
        if self._speed:
            wait = min(wait, _PIECE_S * self._speed) if self.wire else wait
            found = ready(wait / self._speed)
            wait = self._elapsed() - self._now
            if self._real:  # what was missed while the loop was busy is not waited for again
                wait = min(wait, _PIECE_S)
        self.let_pass(wait)
        return found

    def let_pass(self, seconds: float) -> None:
        """Let `seconds` pass, in which only the board runs."""
        if self.wire is None:
            self._now += max(seconds, 1e-6)
            return
        self.wire.pass_us(max(1, math.ceil(seconds * 1e6)))
        self._now = max(self._now, self._elapsed() if self._real else self.wire.rung.us / 1e6)


class _Selector(selectors.DefaultSelector):
    """A selector that waits in the world's time."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self._world = world

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is not None and timeout <= 0:
            return super().select(0)
        return self._world.idle(timeout, super().select)
