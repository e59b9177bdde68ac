"""A world with a time of its own, in which a whole table and its board are played.

The event loop's clock stands still while anything is to be done; then it jumps to what is due
next, and the board lives through that time. So an evening takes seconds, and repeats to the bit.
At a speed it goes by the wall's clock instead: then page, broker and people can take part.
Knows asyncio and a board's rung; knows no table.
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
from hardware.rungs import PortRung, Rung, TakesAHand

#: At a speed, the board lives on in pieces of at most so many seconds.
_PIECE_S: Final = 0.005
#: How far time jumps if nothing at all is due.
_IDLE_S: Final = 1.0


class Cable:
    """The line between a table and a rung, as `Board` serves it, and its plug."""

    def __init__(self, rung: Rung) -> None:
        self.rung = rung
        self.wake = asyncio.Event()
        self._in = self._out = b""
        self._plugged = True

    def read(self) -> bytes:
        """The bytes that have arrived. Raises PortError if the plug is out."""
        if not self._plugged:
            raise PortError("the board is gone: plug the device in again")
        heard, self._in = self._in, b""
        return heard

    def write(self, data: bytes) -> None:
        """Write; the bytes go out as time goes on."""
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
        """Put the plug in, or take it out: the board has its supply by the same line."""
        if isinstance(self.rung, PortRung):
            raise TakesAHand("no program pulls a plug: play this with `--board emulated`")
        self._plugged, self._in, self._out = into, b"", b""
        if into:
            self.rung.command("reset")
        self.wake.set()

    def pass_us(self, us: int) -> None:
        """Let the board live on for `us`, or until it says something."""
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
        """As `keep_open`, with this line in place of a port."""
        attempt = 0
        while True:
            try:
                if not self._plugged:
                    raise PortError(f"the board ({path}) is not there: plug the device in")
                await serve(self)
            except PortError as error:
                lose(str(error))
            attempt = 0 if worked() else min(attempt + 1, len(back_off_s))
            await asyncio.sleep(back_off_s[max(attempt - 1, 0)])

    def board(self, port: str, tell: Callable[[News], None]) -> Board:
        """The table's end of this line."""
        loop = asyncio.get_running_loop()
        return Board(f"({port})", tell, clock=loop.time, keep=self.keep)


class World(asyncio.SelectorEventLoop):
    """The loop. `speed` 0: time jumps; else so many times as fast as the wall's clock."""

    def __init__(self, *, speed: float = 0.0) -> None:
        self.wire: Cable | None = None
        self._now, self._speed, self._began = 0.0, speed, time.monotonic()
        super().__init__(_Selector(self))

    def time(self) -> float:
        """Seconds since the world began."""
        return self._now

    def idle(self, timeout: float | None, ready: Callable[[float], list[Any]]) -> list[Any]:
        """Nothing is to be done for `timeout` seconds: let time pass, and return what is ready."""
        found = ready(0)
        if found:
            return found
        wait = _IDLE_S if timeout is None else timeout
        if self._speed:
            wait = min(wait, _PIECE_S * self._speed) if self.wire else wait
            found = ready(wait / self._speed)
            wait = (time.monotonic() - self._began) * self._speed - self._now
        self.let_pass(wait)
        return found

    def let_pass(self, seconds: float) -> None:
        """Let so much time pass, in which nothing but the board does anything."""
        if self.wire is None:
            self._now += max(seconds, 1e-6)
            return
        self.wire.pass_us(max(1, math.ceil(seconds * 1e6)))
        self._now = max(self._now, self.wire.rung.us / 1e6)


class _Selector(selectors.DefaultSelector):
    """Waits as the world says."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self._world = world

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is not None and timeout <= 0:
            return super().select(0)
        return self._world.idle(timeout, super().select)
