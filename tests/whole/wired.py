"""A whole table and the hardware on it: the board's twin, the real firmware, the Pi's pins."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firmware_bridge.messages import Sensor
from firmware_bridge.port import TWIN
from hardware import emulator
from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.messages import Audience
from table_controller.engine.table.devices import SENSORS
from table_controller.service.sealing import load_keys, make_key
from table_controller.wiring import config
from table_controller.wiring.app import Plan, Service
from table_controller.wiring.devices import Wired
from tests.engine import script
from tests.whole.lips import until

LID, CUT_CARD = 2, 3
BUTTONS = {"1": "carte", "2": "reste", "3": "all paid", "4": "bank opened"}
#: Two players, a bank, a pointeur: the first card is due.
DEALING = (
    "seat 1 sits 100 Anna", "seat 2 sits 100 Berta", "schlitten blue",
    "seat 1 banks 10", "seat 2 banco solo",
)  # fmt: skip
FOUR = ("card 9h", "card 2d", "card Kc", "card 4s")


class Twin:
    """The board's twin, in the service's own process."""

    port = TWIN

    def __init__(self, service: Service) -> None:
        self._service = service

    async def there(self) -> None:
        await until(lambda: self._service.board.status.connected)

    def sense(self, sensor: int, *, active: bool) -> None:
        self._service.board.twin.set_sensor(sensor, active=active)

    def press(self, number: int) -> None:
        self._service.board.twin.press(number - 1)

    def hold(self, number: int) -> None:
        """Press it, and do not let go."""
        self._service.board.twin.hold(number - 1)

    def seen(self) -> tuple[bool, bool]:
        """Whether seat 2's lamp is white, and whether a tone is asked for."""
        shown = self._service.board.twin.shown()
        return shown.lamps[1] == "on white", bool(shown.buzzer)


class Emulated:
    """The real firmware in simavr."""

    def __init__(self, paced: emulator.Paced, service: Service) -> None:
        self._paced, self._service = paced, service

    async def there(self) -> None:
        await until(lambda: self._service.board.status.connected)

    def sense(self, sensor: int, *, active: bool) -> None:
        self._paced.command(f"sensor {sensor} {int(active)}")

    def hold(self, number: int) -> None:
        """Press it, and do not let go."""
        self._paced.command(f"button {number - 1} 1")

    def press(self, number: int) -> None:
        self.hold(number)
        up = f"button {number - 1} 0"
        asyncio.get_running_loop().call_later(0.1, self._paced.command, up)

    def seen(self) -> tuple[bool, bool]:
        """Whether seat 2's lamp is white, and whether the buzzer sounds."""
        seen = self._paced.shown()
        return seen.lamps[1] == "7", seen.buzzer


class Pi:
    """The Pi's pins: gpiozero's mock factory."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def there(self) -> None:
        await until(lambda: bool(self._service.devices.pins and self._service.devices.pins.pins))

    def sense(self, sensor: int, *, active: bool) -> None:
        self._service.devices.pins.drive(Sensor(sensor).name, active=active)

    def wire(self, name: str, *, active: bool) -> None:
        """Move any wire of the pin table."""
        self._service.devices.pins.drive(name, active=active)

    def press(self, number: int) -> None:
        self._service.devices.pins.press(number - 1)

    def hold(self, number: int) -> None:
        """Press it, and do not let go."""
        self._service.devices.pins.drive(f"BUTTON_{number - 1}", active=True)

    def seen(self) -> tuple[bool, bool]:
        """Whether seat 2's lamp is lit; there is no buzzer."""
        return self._service.devices.pins.lit()[1], False


@dataclass
class Table:
    """A served table, and how its wires are moved."""

    service: Service
    wires: Any
    events: list[Any] = field(default_factory=list)
    taken: list[tuple[type, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        say = self.service.table.say

        def heard(said: Any) -> None:
            self.taken.append((type(said), said.actor))
            say(said)

        self.service.table.say = heard

    def tell(self, told: Any, _state: Any) -> None:
        self.events += [event for event, _ in told]

    async def play(self, *lines: str) -> None:
        """Say these lines; each is taken."""
        for line in lines:
            told = await self.service.table.ask(script.parse(line))
            assert "Refused" not in {type(event).__name__ for event, _ in told}, line

    def alerts(self) -> set[str]:
        return {alert.id for alert in self.service.game.alerts(self.service.table.state)}

    def asks(self) -> str:
        picture = self.service.game.snapshot(self.service.table.state, Audience.CROUPIER)
        return str(picture.prompt.ask)

    def phase(self) -> str:
        return type(self.service.table.state.phase).__name__

    async def heard(self, name: str, count: int = 1) -> list[Any]:
        """Wait for so many events of that name; all of them."""
        found = lambda: [one for one in self.events if type(one).__name__ == name]  # noqa: E731
        await until(lambda: len(found()) >= count)
        return found()


@contextlib.contextmanager
def _board(by: str) -> Iterator[emulator.Paced | None]:
    if by != "emulated":
        yield None
        return
    with emulator.Paced() as paced:
        yield paced


@contextlib.asynccontextmanager
async def table(
    folder: Path, by: str, uses: tuple[str, ...] = (*SENSORS, "buttons")
) -> AsyncIterator[Table]:
    """A table wired by `twin`, `emulated` or `pins`."""
    if not (folder / "table.key").exists():
        make_key(folder / "table.key")
    with _board(by) as paced:
        plan = Plan(
            table=TableId("whole", "wired"),
            house=config.house("zoppot-1934"),
            keys=load_keys(folder / "table.key", {}),
            journal=folder / "table.db",
            board=paced.path if paced else TWIN if by == "twin" else "",
            wired=Wired(
                buttons=BUTTONS, pins="mock" if by == "pins" else "none",
                uses=uses if by == "pins" else (), cut_card_ahead=0,
            ),
        )  # fmt: skip
        async with Service(plan) as service:
            wires: Any = (
                Emulated(paced, service) if paced else {"twin": Twin, "pins": Pi}[by](service)
            )
            served = Table(service, wires)
            service.table.listen(served)
            await wires.there()
            yield served
