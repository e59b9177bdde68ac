"""Lid, cut-card sensor, buttons and mains at a live table: reports in, inputs and answers out.

Wiring, like app.py. The board and the Pi's own pins send the same reports and are shown the same
picture; the settings say which of them there are.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, get_args

from firmware_bridge.messages import (
    ButtonReport,
    Buzzer,
    Colour,
    Lamp,
    Mode,
    Picture,
    Sensor,
    SensorReport,
    Status,
)
from firmware_bridge.port import Board
from firmware_bridge.reconciler import Lost, News
from hardware.pins import PinNews, PinsError, PowerFail
from table_controller.engine.alerts import is_open
from table_controller.engine.messages import Audience, Input
from table_controller.engine.table import buttons
from table_controller.engine.table.devices import (
    LID,
    POWER,
    CutCardSensed,
    LidClosed,
    LidOpened,
    PowerBack,
    PowerFailed,
)
from table_controller.service.errors import BadInput
from table_controller.service.game import Game
from table_controller.service.table import Table, refusal
from table_controller.wiring.board_clock import BoardClock
from table_controller.wiring.flaps import Flaps
from table_controller.wiring.into import Voices
from table_controller.wiring.tasks import Tasks

if TYPE_CHECKING:
    from hardware.pi_table import PiTable
    from vision.reader import Reader

#: How long until pins that could not be opened are tried again.
RETRY_S: Final = 5.0
#: After this long a pin that was active from the start has reported so.
SETTLED_S: Final = 0.5
#: How long a lamp and a tone answer a press, and the pause before that tone if one is sounding.
ANSWER_S, GAP_S = 0.6, 0.15
#: How long a button must be held if its offer asks for that, as on the page.
HOLD_S: Final = 0.6
ANSWERED: Final = Lamp(Mode.ON, Colour.WHITE)
#: The pins of each use; the exit beam's is the lip's own.
PINS: Final[Mapping[str, tuple[str, ...]]] = {
    "lid": ("LID",),
    "cut_card": ("CUT_CARD",),
    "power_fail": ("POWER_FAIL",),
    "buttons": tuple(f"BUTTON_{number}" for number in range(4)),
    "lamps": tuple(f"LAMP_{seat}" for seat in range(1, 13)),
}


@dataclass(frozen=True, kw_only=True)
class Wired:
    """What is wired to a table, according to its settings.

    Attributes:
        buttons: what each button presses: the name of an offer, by the button's number from 1.
        pins: the Pi's pins by their driver's name, or "none"; `uses` are keys of `PINS`.
        cut_card_ahead: how many cards are between the cut-card sensor and the lip.
    """

    buttons: Mapping[str, str] = field(default_factory=dict)
    pins: str = "none"
    uses: tuple[str, ...] = ()
    cut_card_ahead: int = 7


class Devices:
    """One table's devices. `pins` are the Pi's, once open, or their twin if the settings name it.

    `beam` hears the board's exit beam, if the settings use it.
    """

    def __init__(
        self,
        wired: Wired,
        game: Game[Any],
        table: Table[Any],
        voices: Voices,
        *,
        board: Board | None,
        tasks: Tasks,
    ) -> None:
        self._wired, self._game, self._table = wired, game, table
        self._voices, self._board, self._tasks = voices, board, tasks
        self._flaps = Flaps()
        self._active: dict[tuple[str, str], bool] = {}  # by what is sensed, and by what senses it
        self._told: dict[str, bool] = {}
        self._picture = Picture()
        self._answer: tuple[frozenset[int], Buzzer] | None = None
        self._hushed: Buzzer | None = None  # a pattern of the picture that an answer cut short
        self._held: dict[tuple[int, str], asyncio.Event] = {}  # buttons, until they are released
        self._steps: list[asyncio.TimerHandle] = []
        self._settling: asyncio.TimerHandle | None = None
        self._pi: PiTable | None = None
        self.pins: Any = None
        self.beam: Callable[[], Reader] | None = None
        self._clock, self._blocked = BoardClock(), False

    def start(self) -> None:
        """Serve the Pi's pins, if any are used; clear what an earlier run reported of them."""
        uses = self._wired.uses if self._wired.pins != "none" else ()
        if uses:
            self._tasks.start("pins", self._serve_pins)
        else:
            self._voices.back("pins")
        if "power_fail" not in uses:
            self._sense("power", "pins", active=False)
        if "lid" not in uses and not self._board:
            self._sense("lid", "pins", active=False)

    def stop(self) -> None:
        """Report nothing more."""
        self._flaps.close()
        for step in (*self._steps, *filter(None, (self._settling,))):
            step.cancel()

    # Out

    def show(self, picture: Picture) -> None:
        """Show the picture of now on the board and on the Pi's lamps."""
        self._picture = picture
        if picture.buzzer is not self._hushed:
            self._hushed = None
        self._show()

    def _show(self) -> None:
        picture = self._picture
        if self._hushed is not None:
            picture = replace(picture, buzzer=Buzzer.OFF)
        if self._answer:
            seats, tone = self._answer
            lamps = enumerate(picture.lamps, 1)
            lit = tuple(ANSWERED if seat in seats else lamp for seat, lamp in lamps)
            picture = replace(picture, lamps=lit, buzzer=tone)
        if self._board:
            self._board.show(picture)
        if self._pi:
            self._pi.show(picture)

    def _reply(self, seats: frozenset[int], tone: Buzzer) -> None:
        """Answer a press with lamps and a tone; a tone that is sounding is cut short first."""
        for step in self._steps:
            step.cancel()
        sounding = self._answer is not None or self._picture.buzzer is not Buzzer.OFF
        if self._picture.buzzer is not Buzzer.OFF:
            self._hushed = self._picture.buzzer
        gap = GAP_S if sounding else 0.0
        self._set((seats, Buzzer.OFF if sounding else tone))
        later = asyncio.get_running_loop().call_later
        self._steps = [later(gap + ANSWER_S, self._set, None)]
        if sounding:
            self._steps.append(later(gap, self._set, (seats, tone)))

    def _set(self, answer: tuple[frozenset[int], Buzzer] | None) -> None:
        self._answer = answer
        self._show()

    # In

    def hear(self, news: News | PinNews, source: str = "board") -> None:
        """Hear a report of the board, or of the pins."""
        if self.beam and source == "board":
            self._hear_beam(self.beam(), news)
        match news:
            case ButtonReport(button=button, pressed=pressed):
                self._button(button + 1, source, pressed=pressed)
            case Lost():  # no release would be heard
                for button in range(1, 9):
                    self._button(button, source, pressed=False)
            case SensorReport(sensor=Sensor.LID, active=active):
                self._sense("lid", source, active=active)
            case SensorReport(sensor=Sensor.CUT_CARD, active=active):
                self._sense("cut card", source, active=active)
            case PowerFail(failing=failing):
                self._sense("power", source, active=failing)
            case Status() as status:  # also changes while nobody was listening
                self._sense("lid", source, active=status.is_active(Sensor.LID))
                self._sense("cut card", source, active=status.is_active(Sensor.CUT_CARD))

    def _hear_beam(self, beam: Reader, news: News | PinNews) -> None:
        """Pass on the board's exit beam; its status tells what was missed."""
        if isinstance(news, Lost):
            self._blocked = False
            beam.beam_away(news.why)
        if not isinstance(news, SensorReport | Status):
            return
        at_ms = self._clock.heard(news.time_us, time.monotonic() * 1000)
        if isinstance(news, Status):
            blocked = news.is_active(Sensor.EXIT_BEAM)
        elif news.sensor is Sensor.EXIT_BEAM:
            blocked = news.active
        else:
            return
        if blocked is not self._blocked:
            self._blocked = blocked
            beam.edge(at_ms, blocked=blocked)

    def _sense(self, what: str, source: str, *, active: bool) -> None:
        """Report a change; a flapping sensor is reported well only once it rests."""
        if self._active.get((what, source)) is active:
            return
        self._active[what, source] = active
        if any(now for (sensed, _), now in self._active.items() if sensed == what):
            self._flaps.amiss(what)
            if not self._told.get(what):
                self._tell(what, active=True)
        elif self._told.get(what, True):
            self._flaps.well(what, lambda: self._tell(what, active=False))

    def _tell(self, what: str, *, active: bool) -> None:
        self._told[what] = active
        said = self._input(what, active=active)
        if said and type(said) in get_args(self._game.inputs):
            self._table.say(said)

    def _input(self, what: str, *, active: bool) -> Input | None:
        match what, active:
            case "lid", True:
                return LidOpened(actor="lid")
            case "lid", False if self._open(LID):
                return LidClosed(actor="lid")
            case "cut card", True:
                return CutCardSensed(actor="cut_card", ahead=self._wired.cut_card_ahead)
            case "power", True:
                return PowerFailed(actor="mains")
            case "power", False if self._open(POWER):
                return PowerBack(actor="mains")
            case _:
                return None

    def _open(self, id_: str) -> bool:
        """Whether the table may know of it, perhaps from an earlier run."""
        state = self._table.state
        told = is_open(self._game.alerts(state), id_)
        return told or self._table.waiting > 0

    def _button(self, number: int, source: str, *, pressed: bool) -> None:
        """Begin a press, or end it."""
        if pressed:
            released = self._held[number, source] = asyncio.Event()
            press = partial(self._press, number, source, released)
            self._tasks.start("button", press, ends=True, again=False)
        elif (number, source) in self._held:
            self._held.pop((number, source)).set()

    async def _press(self, number: int, source: str, released: asyncio.Event) -> None:
        """Press the offer that the button names, as the table makes it at this moment.

        An offer that cannot be taken back needs the button held as long as on a page (R-20).
        """
        picture = self._game.snapshot(self._table.state, Audience.CROUPIER)
        offer = buttons.answering(picture, self._wired.buttons.get(str(number), ""))
        taken = False
        if offer and not (offer.hold and await _let_go(released)):
            said = {**offer.input, "prompt": picture.prompt.id}
            with contextlib.suppress(BadInput):
                told = await self._table.ask(said, actor=f"button:{source}-{number}")
                taken = refusal(told) is None
        if offer and taken:
            self._reply(buttons.lit_by(offer, picture), Buzzer.BEEP)
        else:
            self._reply(frozenset(), Buzzer.TWICE)
        self._voices.back("button")

    # The Pi's pins

    async def _serve_pins(self) -> None:
        from hardware.pi_table import PiTable, pin_factory  # noqa: PLC0415  # few tables have pins

        uses = frozenset(pin for use in self._wired.uses for pin in PINS[use])
        while True:
            try:
                self.pins = pin_factory(self._wired.pins)
                self._pi = PiTable(self.pins, self._pin_news, uses=uses)
                self._show()
                await self._pi.run(ready=self._pins_had)
            except PinsError as error:
                self._voices.lost("pins", str(error))
            finally:
                self._pi = None
            await asyncio.sleep(RETRY_S)

    def _pins_had(self) -> None:
        """Note that pins are open: active ones report at once, so a silent one is inactive."""
        self._voices.back("pins")
        self._settling = asyncio.get_running_loop().call_later(SETTLED_S, self._settled)

    def _settled(self) -> None:
        for use, what in (("lid", "lid"), ("power_fail", "power")):
            if use in self._wired.uses and (what, "pins") not in self._active:
                self._sense(what, "pins", active=False)

    def _pin_news(self, news: PinNews) -> None:
        self.hear(news, "pins")


async def _let_go(released: asyncio.Event) -> bool:
    """Whether a button is released before it was held long enough."""
    try:
        async with asyncio.timeout(HOLD_S):
            await released.wait()
    except TimeoutError:
        return False
    return True
