"""The service mode: shows the lip to a technician, without a table or game.

The module is part of the wiring. The page names cards to anybody who looks. So the service mode
locks the journal, and cannot run at the same time as the table. The page is for this machine only.
If anybody has a role, the page is only for the table's technicians and supervisors, and sign-ins
are journaled.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from threading import Lock as Mutex
from typing import Final

from msgspec.structs import replace

from table_controller.adapters.addresses import CannotServe
from table_controller.adapters.web.gate import SignIn
from table_controller.adapters.web.serve import Server
from table_controller.adapters.web.technician import (
    Clear,
    Find,
    LipView,
    MarkCorner,
    Point,
    Pressed,
    RecordFrames,
    app,
)
from table_controller.engine.table.roles import Person
from table_controller.service.errors import ConfigError
from table_controller.service.store import Lock
from table_controller.wiring import people
from table_controller.wiring.config import Config, ShoeSettings, house
from table_controller.wiring.shoe import eyes
from table_controller.wiring.shoe.readings import last_kept
from vision.calibrate import CalibrationError, Measured, by_corners, find_corners
from vision.exposure import held
from vision.frame import Pixels
from vision.inspect import inspect
from vision.recording import FilmError
from vision.tap import Tap
from vision.watching import Watching

#: Pictures after which a camera shows what was set, and the seconds for which they are awaited.
_SETTLED: Final = 8
_SETTLED_S: Final = 10.0


async def serve_lip(settings: Config, say: Callable[[str], None]) -> None:
    """Serve the technician's page until cancelled. Raises ConfigError, JournalError."""
    async with _held(settings) as gate:
        bench = Bench(settings.shoe, settings.journal.path)
        game = house(settings.table.house).game
        page = app(bench, language=settings.page.language, game=game, gate=gate)
        server = Server(page, port=settings.page.port)
        bench.start()
        try:
            await server.start()
        except CannotServe as error:
            raise ConfigError(f"[page]: {error}.") from None
        else:
            say(f"The lip, in service mode: {server.url}/   No game can run; Ctrl-C ends it.")
            await asyncio.Event().wait()
        finally:
            await asyncio.to_thread(bench.stop)
            await server.stop()


@asynccontextmanager
async def _held(settings: Config) -> AsyncIterator[SignIn[Person] | None]:
    """Lock the table's journal in this block.

    Yield the sign-in of the people in the journal; None if nobody has a role.
    """
    if not settings.journal.path.exists():
        lock = Lock(settings.journal.path)
        try:
            yield None
        finally:
            lock.release()
        return
    service = people.opened(settings)
    table = asyncio.create_task(service.table.run())  # it journals sign-ins
    try:
        yield service.accounts.gate()
    finally:
        table.cancel()
        await asyncio.gather(table, return_exceptions=True)
        service.journal.close()


class Bench:
    """The lip as its settings describe it, and the corners marked so far. Raises ConfigError."""

    def __init__(self, settings: ShoeSettings, journal: Path) -> None:
        self._settings, self._journal = settings, journal
        self._watch(settings)
        self._lip, self._sight = eyes.lip(settings), eyes.sight(settings)
        self._corners: list[Point] = list(settings.corners or ())
        self._measured: Measured | None = None
        self._letter: str | None = None
        self._held_us = 0  # the exposure that was found here
        self._wrong = ""
        self._busy = Mutex()

    def _watch(self, settings: ShoeSettings) -> None:
        self._tap = Tap(eyes.frames(settings))
        self._watching = Watching(self._tap)

    def start(self) -> None:
        """Start watching the camera."""
        self._watching.start()

    def stop(self) -> None:
        """Release the camera, and end the storing of frames."""
        self._watching.stop()

    def look(self) -> LipView:
        """Return the present state. The witnesses read a frame only when somebody looks."""
        with self._busy:
            return self._look()

    def _look(self) -> LipView:
        frame = self._watching.newest
        view = LipView(
            width=self._lip.width_px,
            height=self._lip.height_px,
            corners=tuple(self._corners),
            settings=self._lines(),
            advice=self._advice(),
            recording=str(self._tap.path or ""),
            kept=last_kept(self._journal),
        )
        if frame is None or frame.picture is None:
            return replace(view, fault=frame.fault if frame else "no picture has come yet")
        seen = inspect(frame.picture, self._sight)
        high, wide = frame.picture.shape
        light = (_exposure(self._settings), *seen.picture)
        shown = replace(view, jpeg=seen.jpeg, width=wide, height=high, said=seen.said)
        return replace(shown, paper=seen.view.blocked, light=light)

    def _advice(self) -> tuple[str, ...]:
        """Return the reasons why the lip cannot be measured, or points for the builder to check."""
        if self._wrong or self._measured is None:
            return (self._wrong,) if self._wrong else ()
        if self._letter is None:
            return self._measured.advice
        strange = (
            f"The card in the gate bears {self._letter}, which is none of "
            f"{self._settings.letters}: set `letters` in [shoe], or lay another card."
        )
        return (*self._measured.advice, strange)

    def press(self, pressed: Pressed) -> str:
        """Do what the technician pressed. Return a sentence that says why this failed, or ""."""
        with self._busy:
            match pressed:
                case MarkCorner(x=x, y=y):
                    self._corners = marked(self._corners, (round(x, 1), round(y, 1)))
                case Find():
                    return self._find()
                case Clear():
                    self._corners = []
                case RecordFrames(on=on):
                    return self._record(on)
            return self._measure()

    def _find(self) -> str:
        picture = self._picture()
        found = [] if picture is None else find_corners(picture)
        if not found:
            return "No card is found: lay one into the gate, whole and flat, or mark its corners."
        self._corners = found
        return self._measure(found=True)

    def _measure(self, *, found: bool = False) -> str:
        """Measure the lip by the marked corners. The reader uses the result from now on.

        An automatic exposure is replaced first by one that suits a moving card. The corners are
        sharper then, and are found again if they were `found`. Return the reason if nothing can be
        measured now, or "".
        """
        self._measured, self._wrong, self._letter = None, "", None
        picture = self._picture()
        if len(self._corners) < 4 or picture is None:
            return ""
        if self._automatic and self._tap.path:
            return "End the recording first: the camera is opened again to find an exposure."
        try:
            if self._automatic:
                picture = self._hold(picture)
                self._corners = (found and find_corners(picture)) or self._corners
            self._measured = by_corners(picture, self._corners, self._lip)
        except CalibrationError as error:
            self._wrong = str(error)
            return ""
        lip = self._measured.lip
        one, two, three, four = self._corners
        measured = replace(
            self._settings,
            px_per_mm=lip.px_per_mm,
            paper_level=lip.paper_level,
            card_mm=lip.card_mm,
            corners=(one, two, three, four),
        )
        self._sight = eyes.sight(measured)
        self._letter = eyes.strange_letter(measured, picture)
        return ""

    @property
    def _automatic(self) -> bool:
        return self._settings.reader in ("camera", "pi") and not self._settings.exposure_us

    def _hold(self, picture: Pixels) -> Pixels:
        """Hold an exposure from now on, and return a frame. Raises CalibrationError.

        `picture` has a card at the marked corners. If no exposure suits, it stays automatic.
        """
        last = picture
        settings = self._settings

        def under(exposure_us: int) -> Pixels:
            nonlocal last
            last = self._under(replace(settings, exposure_us=exposure_us))
            return last

        try:
            exposure_us = held(under, self._corners)
        except CalibrationError:
            with suppress(CalibrationError):
                self._under(settings)
            raise
        self._settings, self._held_us = replace(settings, exposure_us=exposure_us), exposure_us
        return last

    def _under(self, settings: ShoeSettings) -> Pixels:
        """Open the camera with these settings, and return a frame. Raises CalibrationError."""
        self._watching.stop()
        self._watch(settings)
        self._watching.start()
        frame = self._watching.settled(_SETTLED, _SETTLED_S)
        if frame is None or frame.picture is None:
            why = frame.fault if frame else "it sends no pictures"
            if settings.exposure_us:
                why = (
                    f"{why}. The camera must hold an exposure, since an automatic one smears every "
                    "moving card; if it cannot, take another camera"
                )
            raise CalibrationError(why)
        return frame.picture

    def _lines(self) -> tuple[str, ...]:
        """Return the measured settings, as lines of a settings file."""
        if self._measured is None:
            return ()
        exposure = [f"exposure_us = {self._held_us}"] if self._held_us else []
        return (*exposure, *_lines(self._measured, self._corners))

    def _picture(self) -> Pixels | None:
        frame = self._watching.newest
        return frame.picture if frame else None

    def _record(self, on: bool) -> str:
        if not on:
            self._tap.off()
            return ""
        try:
            self._tap.on(self._journal.with_name(f"lip-{time.strftime('%Y%m%d-%H%M%S')}.film"))
        except FilmError as error:
            return str(error)
        return ""


def _exposure(settings: ShoeSettings) -> str:
    """Return a sentence about the set exposure, and its effect on a moving card."""
    if not settings.exposure_us:
        return "exposure: automatic; each millisecond smears a card at 0.5 m/s by half a millimetre"
    ms = settings.exposure_us / 1000
    return f"exposure: {ms:g} ms; it smears a card at 0.5 m/s by {ms / 2:.2g} mm"


def marked(corners: Sequence[Point], at: Point) -> list[Point]:
    """Return the corners with `at` added.

    If there are four already, the nearest one moves to `at`.
    """
    if len(corners) < 4:
        return [*corners, at]
    nearest = min(corners, key=lambda one: (one[0] - at[0]) ** 2 + (one[1] - at[1]) ** 2)
    return [at if one == nearest else one for one in corners]


def _lines(measured: Measured, corners: Sequence[Point]) -> tuple[str, ...]:
    """Return the measured settings, as lines of a settings file."""
    lip = measured.lip
    return (
        f"px_per_mm = {lip.px_per_mm}",
        f"paper_level = {lip.paper_level}",
        f"card_mm = {list(lip.card_mm)}",
        f"corners = {[list(corner) for corner in corners]}",
    )
