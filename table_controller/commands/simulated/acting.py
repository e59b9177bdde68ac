"""Plays each fault at the part where it occurs: the board's line, the lip, the disk, the broker.

A fault of a card waits for the next card. The module knows the twins, but no table.
"""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

from table_controller.commands.hil.virtual_time import Cable, World
from table_controller.commands.simulated.broker import BrokerTwin
from table_controller.commands.simulated.dealing import Dealer
from table_controller.commands.simulated.disk import Disk
from table_controller.commands.simulated.faults import OF_A_CARD, Fault
from table_controller.commands.simulated.lip import BEAM, LipTwin
from table_controller.commands.simulated.watch import Watch

_LID: Final = 2
#: Seconds between two changes of a line that storms: 30,000 a second.
_STORM_S: Final = 33e-6
_BOUNCE_S: Final = 0.001


class Parts(Protocol):
    """The parts of an evening on which faults act. `SimulatedEvening` explains them."""

    world: World
    wire: Cable
    lip: LipTwin
    dealer: Dealer
    broker: BrokerTwin
    disk: Disk
    watch: Watch
    alive: asyncio.Event
    jump_ms: int
    off_s: float


async def act(evening: Parts, fault: Fault) -> None:
    """Wait until the fault's time and play the fault. Returns once the fault is over."""
    await asyncio.sleep(fault.at_ms / 1000)
    if fault.name in OF_A_CARD:
        evening.dealer.befall(fault)
        return
    evening.watch.begins(fault)
    await _play(evening, fault, fault.ms / 1000)
    evening.watch.ends(fault)


async def _play(evening: Parts, fault: Fault, seconds: float) -> None:
    wire, lip = evening.wire, evening.lip
    match fault.name:
        case "unplugged board":
            wire.plug(into=False)
            await asyncio.sleep(seconds)
            wire.plug(into=True)
        case "flapping plug":
            for _ in range(fault.how["times"]):
                for into in (False, True):
                    wire.plug(into=into)
                    await asyncio.sleep(seconds / fault.how["times"] / 2)
        case "boot-loader delay":
            wire.rung.command("cut 1")
            await asyncio.sleep(seconds)
            wire.rung.command("reset")
            wire.rung.command("cut 0")
        case "camera lost":
            lip.fault = "The camera is not there: plug it in."
            await asyncio.sleep(seconds)
            lip.fault = ""
        case "camera stalled":
            lip.still = True
            await asyncio.sleep(seconds)
            lip.still = False
        case "beam":
            lip.dark = True
            lip.beam(blocked=True)
            await asyncio.sleep(seconds)
            lip.dark = None
            lip.beam(blocked=False)
        case "lid":
            wire.rung.command(f"sensor {_LID} 1")
            await asyncio.sleep(seconds)
            wire.rung.command(f"sensor {_LID} 0")
        case _:
            await _elsewhere(evening, fault, seconds)


async def _elsewhere(evening: Parts, fault: Fault, seconds: float) -> None:
    match fault.name:
        case "bouncing contact":
            await _bounce(evening, seconds)
        case "interrupt storm":
            await _storm(evening, seconds)
        case "fsync stall":
            await evening.disk.stall(seconds)
        case "broker down":
            evening.broker.down()
            await asyncio.sleep(seconds)
            evening.broker.up()
        case "power cut":
            disk, evening.off_s = evening.disk, seconds
            disk.cut_power()
            await disk.cut.wait()
            await evening.alive.wait()
        case "clock jump":
            evening.jump_ms += fault.how["by"]
        case other:
            raise ValueError(f"nobody plays {other!r}")


async def _bounce(evening: Parts, seconds: float) -> None:
    """Let the lid's contact open and close every millisecond, and end closed."""
    for turn in range(round(seconds / _BOUNCE_S)):
        evening.wire.rung.command(f"sensor {_LID} {1 - turn % 2}")
        await asyncio.sleep(_BOUNCE_S)
    evening.wire.rung.command(f"sensor {_LID} 0")


async def _storm(evening: Parts, seconds: float) -> None:
    """Let the exit beam's line change as fast as a board can report, and end free."""
    for turn in range(round(seconds / _STORM_S)):
        evening.wire.rung.command(f"sensor {BEAM} {1 - turn % 2}")
        evening.world.let_pass(_STORM_S)
        if turn % 30 == 0:
            await asyncio.sleep(0)
    evening.wire.rung.command(f"sensor {BEAM} 0")
