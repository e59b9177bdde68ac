"""Plays a scenario through a whole table, and compares the effects with the expectations.

The module is part of the wiring, as app.py is, and prints nothing. The table is the same program as
at a live table. The board is a twin, the firmware in an emulator, or a real board. All of it runs
in a world with its own clock (`world.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from firmware_bridge.port import Board
from hardware.rungs import EMULATED, LAB, PortRung, Rung, TwinRung, emulated
from table_controller.adapters.mqtt_link import Connects
from table_controller.adapters.mqtt_names import TableId
from table_controller.adapters.mqtt_publisher import Publisher
from table_controller.commands import observed
from table_controller.commands.stage import Stage, recorded
from table_controller.commands.verdicts import Beat, Verdict
from table_controller.commands.world import Cable, World
from table_controller.service import scenario_steps as steps
from table_controller.service.errors import ConfigError
from table_controller.service.game import Game
from table_controller.service.scenario import Scenario, ScenarioError, clock
from table_controller.service.scenario_recordings import timed
from table_controller.service.sealing import Keys
from table_controller.wiring import config
from table_controller.wiring.app import Service
from table_controller.wiring.config import BrokerSettings
from table_controller.wiring.devices import Wired
from table_controller.wiring.plan import Plan

#: A broker that answers has heard everything this many seconds after the last line.
_TOLD_S: Final = 5.0


@dataclass(frozen=True, kw_only=True)
class Playing:
    """How to play a scenario.

    Attributes:
        board: "", `twin`, `emulated`, `emulated-apa102`, `lab`, or a port; "" is a twin if the
            scenario needs a board.
        speed: a multiple of the wall clock's speed; 0: as fast as possible.
        since, until: numbers of coups. Coups before `since` are played, but not compared; coups
            after `until` are not played. 0: all.
        break_on_alert: end at the first alert.
        heard: is called with the number of lines played, and the number of all lines.
        stepped: is called with each line that was played; if it returns False, the play ends.
        connects: opens the connection to a broker that gets the messages; None: no broker.
    """

    board: str = ""
    speed: float = 0.0
    since: int = 0
    until: int = 0
    break_on_alert: bool = False
    heard: Callable[[int, int], None] = lambda _done, _all: None
    stepped: Callable[[Beat], bool] = lambda _beat: True
    connects: Connects | None = None


def play(game: Game[Any], scenario: Scenario, how: Playing) -> Verdict:
    """Play a scenario from its first line to its last, or to the first difference.

    Raises ScenarioError, ConfigError, EmulatorError, PortError, TakesAHand.
    """
    name = how.board or ("twin" if _needs_board(scenario) else "")
    verdict = Verdict(scenario.name, name or "none")
    real = name not in ("", "twin", *EMULATED)
    if real and how.speed not in (0, 1):
        raise ScenarioError("A real board needs real time: leave --speed out, or use 1.")
    with rung_of(name) as there, TemporaryDirectory(prefix="schlitten-scenario-") as folder:
        world = World(speed=1.0 if real else how.speed, real=real)
        try:
            world.run_until_complete(_play(game, scenario, how, verdict, (there, Path(folder))))
        finally:
            world.close()
    return verdict


def _needs_board(scenario: Scenario) -> bool:
    return any(
        isinstance(cue.said, steps.Step)
        or any(isinstance(one, observed.OF_A_BOARD) for one in cue.expects)
        for cue in scenario.cues
    )


@contextlib.contextmanager
def rung_of(name: str) -> Iterator[Rung | None]:
    """Yield the board of that name, or on that port; None for "".

    Raises EmulatorError, PortError.
    """
    match name:
        case "":
            yield None
        case "twin":
            yield TwinRung()
        case _ if name in EMULATED:
            with emulated(name) as board:
                yield board
        case _ if name == LAB:
            from hardware.lab import lab  # noqa: PLC0415  one machine only has what it is made of

            with lab() as on_usb:
                yield on_usb
        case port:
            real = PortRung(port)
            try:
                yield real
            finally:
                real.close()


async def _play(
    game: Game[Any],
    scenario: Scenario,
    how: Playing,
    verdict: Verdict,
    played: tuple[Rung | None, Path],
) -> None:
    there, folder = played
    world = asyncio.get_running_loop()
    assert isinstance(world, World)
    wire = world.wire = Cable(there) if there else None
    plan = _plan(game, scenario, wire, folder, world)
    if how.connects:
        plan = replace(plan, broker=BrokerSettings(kind="mqtt"), connects=how.connects)
    async with Service(plan) as service:
        stage = Stage(service, scenario, verdict, wire, world)
        service.table.listen(stage)
        if wire:
            await stage.connected()
        cues = timed(scenario)
        for done, (cue, at_ms) in enumerate(cues, 1):
            coup = stage.coup
            if how.until and coup > how.until:
                verdict.stopped = f"Stopped after coup {how.until}, as asked."
                break
            await stage.play(cue, at_ms, compare=coup >= how.since)
            how.heard(done, len(cues))
            if not how.stepped(verdict.moments[-1]):
                verdict.stopped = f"Stopped at line {cue.number}, as asked."
                break
            if verdict.difference:
                break
            if how.break_on_alert and stage.alerts:
                verdict.stopped = (
                    f"Stopped at line {cue.number}, coup {stage.coup}, {clock(at_ms)}: alert "
                    f"{', '.join(stage.alerts)}."
                )
                break
        if not verdict.stopped and not verdict.difference and stage.coup < how.until:
            verdict.stopped = f"Coup {how.until} never came: the last one is coup {stage.coup}."
        if service.publisher:
            await _told(service.publisher)


async def _told(publisher: Publisher) -> None:
    """Wait until the broker has acknowledged everything, unless the broker is down."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_TOLD_S):
            await publisher.told()


def _beside(scenario: Scenario, name: str) -> str:
    """Return the full path of a file next to the scenario. Any other name is returned unchanged."""
    path = Path(scenario.folder) / name
    return str(path) if scenario.folder and path.is_file() else name


def _plan(
    game: Game[Any], scenario: Scenario, wire: Cable | None, folder: Path, world: World
) -> Plan:
    head = scenario.head
    try:
        house = config.house(_beside(scenario, head.house), game.name)
        lamps = config.lamp_language(
            house, Path(_beside(scenario, head.lamps)) if head.lamps else None
        )
    except ConfigError as error:
        raise ScenarioError(f"{scenario.name}: {error}") from None
    for offer in head.wires.values():
        if offer not in game.buttons:
            names = ", ".join(game.buttons)
            raise ScenarioError(f"{scenario.name}: no button says {offer!r}: want one of {names}.")
    key = bytes.fromhex(head.key) if head.key else sha256(b"a scenario").digest()
    keys = Keys.derive(key)
    wires = {str(number): offer for number, offer in head.wires.items()}
    return Plan(
        table=TableId("scenario", "table-1"),
        house=house,
        keys=keys,
        journal=folder / "scenario.db",
        game=game,
        durable=False,
        starts=not recorded(scenario),
        promises=keys.commit,
        state=head.state.encode(),
        board="board" if wire else "",
        makes_board=wire.board if wire else Board,
        lamps=lamps,
        wired=Wired(buttons=wires),
        clock=lambda: head.begins + round(world.time() * 1000),
    )
