"""The table board on its port: asyncio around the reconciler.

The module must not know the line's frames, or the meaning of what the board should show; the
protocol is in `reconciler.py`. A board that vanishes is reported as `Lost` and retried with growing
pauses. When the board returns, it gets the picture that it should show at that moment.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NoReturn

from firmware_bridge.messages import Picture, Status
from firmware_bridge.reconciler import Connected, Lost, News, Reconciler
from firmware_bridge.serial_line import BACK_OFF_S, OpenLine, PortError, keep_open
from firmware_bridge.trouble import Trouble

if TYPE_CHECKING:
    from firmware_bridge.twin import Twin

BAUD: Final = 115_200
#: The name that selects a twin in this process instead of a port. It is never a fallback.
TWIN: Final = "twin"

#: A board that has not answered this long after its port was opened is reported as lost. Opening
#: the port resets a Nano (DTR), whose boot loader takes up to two seconds.
PATIENCE_S: Final = 4.0

#: A board that does not answer for this long is reported as lost. At about that time it goes dark
#: by itself. A shorter silence only means a bad line: the link recovers, and needs no alert.
SILENCE_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class BoardStatus:
    """What is known about a board now, for the page and for alerts."""

    port: str
    connected: bool
    why: str  # empty while connected, otherwise the fault and the remedy
    wanted: Picture
    shown: Picture | None  # acknowledged by the board
    board: Status | None  # its latest status


class Board:
    """A table board. `run` serves it until cancelled; `show` may be called at any time.

    `port` is a path, or `twin`. `tell` is called with all news (`Connected`, `Lost`, button and
    sensor reports, `Status`) in order, in the event loop. `tell` must not block. `keep` opens the
    port and serves it, as `keep_open` does.
    """

    def __init__(
        self,
        port: str,
        tell: Callable[[News], None] = lambda _: None,
        *,
        clock: Callable[[], float] = time.monotonic,
        back_off_s: tuple[float, ...] = BACK_OFF_S,
        patience_s: float = PATIENCE_S,
        silence_s: float = SILENCE_S,
        keep: Callable[..., Awaitable[NoReturn]] = keep_open,
    ) -> None:
        self._port, self._tell, self._clock = port, tell, clock
        self._back_off_s, self._patience_s = back_off_s, patience_s
        self._silence_s, self._keep_open = silence_s, keep
        self._reconciler = Reconciler(lambda: secrets.randbelow(2**32 - 1) + 1)
        self._line: OpenLine | None = None
        self._why: str = Trouble("{path} is not open yet", path=port)
        self._told_lost = self._answered = False
        #: The time when the loop last ran, in monotonic seconds; infinity while it waits for the
        #: port.
        self.turned = math.inf
        self._changed = asyncio.Event()  # bytes arrived: `shown` may have changed
        #: Hears the bytes that were read, and (`True`) those that were written. It must not block.
        self.overheard: Callable[[bool, bytes], None] = lambda _out, _data: None
        #: The twin, while `run` serves one.
        self.twin: Twin | None = None

    def show(self, picture: Picture) -> None:
        """Make the board show `picture` from now on, and whenever the board returns. Never blocks.

        The bytes of `picture` are written immediately, before anything else in the loop.
        """
        self._reconciler.show(picture)
        if self._line is not None:
            with contextlib.suppress(PortError):  # the serving task gets it too, and reports it
                self._exchange(self._line)
            self._line.wake.set()

    async def wait_shown(self, picture: Picture) -> None:
        """Wait until the board has acknowledged `picture`, which must first be passed to `show`."""
        while self._reconciler.shown != picture:
            self._changed.clear()
            await self._changed.wait()

    @property
    def settled(self) -> bool:
        """Whether the board has acknowledged what it should show."""
        return self._reconciler.settled

    @property
    def status(self) -> BoardStatus:
        """What is known about the board now."""
        known = self._reconciler
        return BoardStatus(
            self._port,
            known.connected,
            "" if known.connected else known.refused or self._why,
            known.wanted,
            known.shown,
            known.status,
        )

    async def run(self) -> None:
        """Serve the board until cancelled, reopening its port whenever it is lost."""
        if self._port != TWIN:
            await self._keep(self._port)
        from firmware_bridge.twin import Twin  # noqa: PLC0415  a live table never loads it

        with Twin() as self.twin:
            twin = asyncio.create_task(self.twin.run())
            try:
                await self._keep(self.twin.path)
            finally:
                twin.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await twin

    async def _keep(self, path: str) -> NoReturn:
        await self._keep_open(
            path,
            BAUD,
            self._serve,
            self._lose,
            worked=lambda: self._answered,
            back_off_s=self._back_off_s,
        )

    async def _serve(self, line: OpenLine) -> NoReturn:
        self._line, self._answered = line, False
        self._why = Trouble("{path} is open, but no board answers there", path=self._port)
        silent_at = self._clock() + self._patience_s
        try:
            while True:
                self.turned = time.monotonic()
                self._exchange(line)
                now = self._clock()
                if self._reconciler.connected:
                    self._answered, silent_at = True, now + self._silence_s
                elif now >= silent_at:
                    self._lose(self._reconciler.refused or self._why)
                await line.rest(self._reconciler.due - now)
        except PortError as error:
            self._hand_on(self._reconciler.unplug(error.why, self._clock()))
            raise
        finally:
            self._line, self.turned = None, math.inf

    def _exchange(self, line: OpenLine) -> None:
        now = self._clock()
        heard = line.read()
        if heard:
            self.overheard(False, heard)
        self._hand_on(self._reconciler.receive(heard, now))
        out, news = self._reconciler.poll(now)
        self._hand_on(news)
        if out:
            line.write(out)
            self.overheard(True, out)
        self._changed.set()

    def _lose(self, why: str) -> None:
        self._why = why
        if not self._told_lost:
            self._told_lost = True
            self._tell(Lost(why))

    def _hand_on(self, news: list[News]) -> None:
        for one in news:
            if isinstance(one, Lost):
                self._why = one.why  # reported only if it lasts, see SILENCE_S
                continue
            if isinstance(one, Connected):
                self._told_lost = False
            self._tell(one)
