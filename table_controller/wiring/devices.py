"""Connects the table board and the Pi's own pins with a table: reports come in, pictures go out.

The module is part of the wiring, as app.py is. Board and pins send the same reports and show the
same things. The settings say which of them exist.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from firmware_bridge.beam import BeamListener, BoardBeam
from firmware_bridge.messages import ButtonReport, Picture, Sensor, SensorReport, Status
from firmware_bridge.port import Board
from firmware_bridge.reconciler import Lost, News
from hardware.pins import PinNews, PinsError, WireReport
from table_controller.adapters.answering import Answering
from table_controller.engine.table.devices import SENSORS
from table_controller.service.buttons_and_sensors import Buttons, Sensing
from table_controller.service.table import Table
from table_controller.wiring.inputs import Voices
from table_controller.wiring.tasks import Tasks

if TYPE_CHECKING:
    from hardware.pi_table import PiTable

#: Seconds until pins that could not be opened are tried again.
RETRY_S: Final = 5.0
#: A pin that is active from the start reports within this many seconds.
SETTLED_S: Final = 0.5
#: The pins of each use. The exit beam's pin belongs to the lip.
PINS: Final[Mapping[str, tuple[str, ...]]] = {
    **{name: (name.upper(),) for name in SENSORS},
    "buttons": tuple(f"BUTTON_{number}" for number in range(4)),
    "lamps": tuple(f"LAMP_{seat}" for seat in range(1, 13)),
}


@dataclass(frozen=True, kw_only=True)
class Wired:
    """The parts that are wired to a table, according to its settings.

    Attributes:
        buttons: the name of the offer that each button presses, by the button's number from 1.
        pins: the name of the driver for the Pi's pins, or "none"; `uses` are keys of `PINS`.
        cut_card_ahead: how many cards are between the cut-card sensor and the lip.
    """

    buttons: Mapping[str, str] = field(default_factory=dict)
    pins: str = "none"
    uses: tuple[str, ...] = ()
    cut_card_ahead: int = 7


class Devices:
    """One table's devices. `pins` are the Pi's pins, once open, or a twin of them.

    `beam` returns the reader that gets the reports of the board's exit beam, if the settings use
    it.
    """

    def __init__(
        self,
        wired: Wired,
        table: Table[Any],
        voices: Voices,
        *,
        board: Board | None,
        tasks: Tasks,
    ) -> None:
        self._wired, self._voices, self._board, self._tasks = wired, voices, board, tasks
        self._sensing = Sensing(table, wired.cut_card_ahead)
        self._buttons = Buttons(table, wired.buttons)
        self._answering = Answering(self._show)
        self._settling: asyncio.TimerHandle | None = None
        self._pi: PiTable | None = None
        self.pins: Any = None
        self.beam: Callable[[], BeamListener] | None = None
        self._beam = BoardBeam()
        #: Makes the board and the Pi's lamps show a `Picture`.
        self.show = self._answering.show

    def start(self) -> None:
        """Open the Pi's pins, if any are used. Clear an earlier run's alerts about unused pins."""
        uses = self._wired.uses if self._wired.pins != "none" else ()
        if uses:
            self._tasks.start("pins", self._serve_pins)
        else:
            self._voices.back("pins")
        for name in SENSORS:
            at_the_board = self._board and name.upper() in Sensor.__members__
            if name not in uses and not at_the_board:
                self._sensing.unheard(name, "pins")

    def stop(self) -> None:
        """Report no more changes."""
        self._sensing.close()
        self._answering.close()
        if self._settling:
            self._settling.cancel()

    def _show(self, picture: Picture) -> None:
        if self._board:
            self._board.show(picture)
        if self._pi:
            self._pi.show(picture)

    def hear(self, news: News | PinNews, source: str = "board") -> None:
        """Take a report from the board or from the pins."""
        if self.beam and source == "board" and not isinstance(news, WireReport):
            now_ms = asyncio.get_running_loop().time() * 1000
            self._beam.hear(news, now_ms, self.beam())
        match news:
            case ButtonReport(button=button, pressed=True):
                released = self._buttons.begin(button + 1, source)
                press = partial(self._press, button + 1, source, released)
                self._tasks.start("button", press, ends=True, again=False)
            case ButtonReport(button=button):
                self._buttons.end(button + 1, source)
            case Lost():
                self._buttons.away(source)
            case SensorReport(sensor=sensor, active=active):
                self._sense(sensor.name, source, active=active)
            case WireReport(wire=wire, active=active):
                self._sense(wire, source, active=active)
            case Status() as status:  # also tells of changes while nobody was listening
                for sensor in Sensor:
                    self._sense(sensor.name, source, active=status.is_active(sensor))

    def _sense(self, wire: str, source: str, *, active: bool) -> None:
        if wire.lower() in SENSORS:  # the exit beam is a sensor of the lip, not of the table
            self._sensing.hear(wire.lower(), source, active=active)

    async def _press(self, number: int, source: str, released: asyncio.Event) -> None:
        self._answering.answer(await self._buttons.answer(number, source, released))
        self._voices.back("button")

    # The Pi's pins

    async def _serve_pins(self) -> None:
        from hardware.pi_table import PiTable, pin_factory  # noqa: PLC0415  # few tables have pins

        uses = frozenset(pin for use in self._wired.uses for pin in PINS[use])
        while True:
            try:
                self.pins = pin_factory(self._wired.pins)
                self._pi = PiTable(self.pins, partial(self.hear, source="pins"), uses=uses)
                self._answering.again()
                await self._pi.run(ready=self._pins_had)
            except PinsError as error:
                self._voices.lost("pins", error.why)
            finally:
                self._pi = None
            await asyncio.sleep(RETRY_S)

    def _pins_had(self) -> None:
        """Note that the Pi's pins are open.

        A pin that is active reports immediately, so a silent pin is inactive.
        """
        self._voices.back("pins")
        self._settling = asyncio.get_running_loop().call_later(SETTLED_S, self._settled)

    def _settled(self) -> None:
        for name in SENSORS:
            if name in self._wired.uses:
                self._sensing.unheard(name, "pins")
