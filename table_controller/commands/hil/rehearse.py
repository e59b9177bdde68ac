"""Plays a scenario through a whole table, each line at its time, and compares the effects."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
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
from table_controller.commands.hil import observed
from table_controller.commands.hil.verdicts import Beat, Discrepancy, Verdict
from table_controller.commands.hil.virtual_time import Cable, World
from table_controller.engine.messages import Audience, CardSeen, Input, Refused
from table_controller.service import scenario_lines as lines
from table_controller.service.errors import ConfigError
from table_controller.service.game import Game
from table_controller.service.scenario import Cue, Scenario, ScenarioError, clock, write_said
from table_controller.service.scenario_recordings import timed
from table_controller.service.sealing import Keys
from table_controller.service.table import Told
from table_controller.wiring import config
from table_controller.wiring.app import Service
from table_controller.wiring.config import BrokerSettings
from table_controller.wiring.devices import Wired
from table_controller.wiring.plan import Plan

# ---- Plays a scenario at one table: each line at its time

#: The least time that a line gets for its effect.
EFFECT_S: Final = 0.3
#: How long a board may take to show what it should.
SHOWN_S: Final = 3.0
TICK_S: Final = 0.002
#: A board that answers takes at most this many ticks to show something new.
FOLLOWS: Final = 15
_ACCEPTED: Final = "(nothing is refused: where a refusal is right, write `=> refused`)"
_SENSORS: Final = {"beam": 1, "lid": 2, "white": 3}


def recorded(scenario: Scenario) -> bool:
    """Whether the scenario was recorded.

    Then it has every input, even those of clock and devices.
    """
    return bool(scenario.head.code)


class Stage:
    """A scenario that is being played at one table."""

    def __init__(
        self,
        service: Service,
        scenario: Scenario,
        verdict: Verdict,
        wire: Cable | None,
        world: World,
    ) -> None:
        self._service, self._scenario, self._verdict = service, scenario, verdict
        self._wire, self._world = wire, world
        self._sealed = observed.sealed_types(service)
        self._told: list[Told] = []  # since the line under way; no expectation has taken these yet
        self._events: list[str] = []
        self._public: list[bool] = []
        self._count = 0
        self._said: list[str] = []
        self._begun_us = 0

    def tell(self, told: Any, _state: object, /) -> None:
        """Note the events of an input. The table calls this."""
        self._told += told
        self._count += len(told)
        self._events += [str(event.__struct_config__.tag) for event, _ in told]
        self._public += [event.audience is Audience.PUBLIC for event, _ in told]

    @property
    def coup(self) -> int:
        """The number of the present coup, or of the last."""
        return self._service.hub.snapshot(Audience.CROUPIER).coup

    @property
    def alerts(self) -> list[str]:
        """The ids of the open alerts."""
        state = self._service.table.state
        return [alert.id for alert in self._service.game.alerts(state)]

    async def connected(self) -> None:
        """Wait until the board answers. Raises ScenarioError."""
        board = self._service.board
        assert board
        end = self._world.time() + 6.0
        while not board.status.connected:
            if self._world.time() > end:
                raise ScenarioError(f"No board answers: {board.status.why}.")
            await asyncio.sleep(0.01)

    async def play(self, cue: Cue, at_ms: int, *, compare: bool) -> None:
        """Play a line at its time.

        If `compare` is true, compare the effects with its expectations.
        """
        game, verdict = self._service.game, self._verdict
        await asyncio.sleep(max(0.0, at_ms / 1000 - self._world.time()))
        if cue.said is not None:
            line = write_said(game, cue.said)
            self._said = [*self._said[-2:], f"{clock(at_ms)} {line}"]
            self._told, self._events, self._public, self._count = [], [], [], 0
            self._begun_us = self._wire.rung.us if self._wire else 0
            verdict.inputs += 1
        ended = await self._do(cue.said, at_ms)
        held, failed = 0, False
        for wanted in cue.expects if compare else ():
            seen = await self._seen(wanted)
            if seen is None:
                continue
            if seen != (wanted,):
                verdict.difference, failed = self._difference(cue, at_ms, wanted, seen), True
                break
            held += 1
        if compare and not failed and (refusal := self._unforeseen(cue)):
            verdict.difference, failed = self._difference(cue, at_ms, _ACCEPTED, (refusal,)), True
        verdict.compared += held
        verdict.unread += held if cue.unread else 0
        if _kind(cue.said) != "fault":
            await self._follow()
        self._note(cue, at_ms, held, failed=failed)
        await ended()

    def _unforeseen(self, cue: Cue) -> lines.RefusedBy | None:
        """Return the refusal of a line that somebody wrote and that expects none.

        A recorded line may have been refused when it was recorded. The lines below this one that
        only expect something belong to it.
        """
        if cue.said is None or cue.unread or recorded(self._scenario):
            return None
        rules = [one.event.rule for one in self._told if isinstance(one.event, Refused)]
        return lines.RefusedBy(rules[0]) if rules and not self._foreseen(cue) else None

    def _foreseen(self, cue: Cue) -> bool:
        """Whether the line, or a line below it without an input, expects a refusal."""
        after = (one for one in self._scenario.cues if one.number > cue.number)
        below = itertools.takewhile(lambda one: one.said is None, after)
        return any(_refusal(wanted) for one in (cue, *below) for wanted in one.expects)

    def _difference(self, cue: Cue, at_ms: int, wanted: Any, seen: Any) -> Discrepancy:
        shown = tuple(_show(one) for one in seen)
        return Discrepancy(cue.number, at_ms, self.coup, tuple(self._said), _show(wanted), shown)

    async def _seen(self, wanted: lines.Expectation) -> tuple[lines.Expectation, ...] | None:
        """Return the observations in the form of `wanted`; None if no audience may see them."""
        if isinstance(wanted, observed.OF_A_BOARD):
            return (observed.of_board(wanted, await self._look(wanted)),)
        if isinstance(wanted, lines.Count):
            return (lines.Count(self._count),)
        if isinstance(wanted, lines.Journaled) and wanted.type in self._sealed:
            return None
        keyed = bool(self._scenario.head.key)
        found = tuple(observed.of_table(wanted, self._service, self._told, keyed=keyed))
        if isinstance(wanted, lines.Journaled) and found == (wanted,):
            place = observed.taken(wanted, self._told, keyed=keyed)
            self._told = self._told[(place or 0) + 1 :]
        return found

    async def _look(self, wanted: lines.Expectation) -> observed.Watched:
        """Watch the board for one rhythm of its lamps, once it shows the picture that it should."""
        board, wire = self._service.board, self._wire
        assert board
        assert wire
        safe = isinstance(wanted, lines.Safe)
        for _ in range(0 if safe or board.settled else round(SHOWN_S / TICK_S)):
            await asyncio.sleep(TICK_S)
            if board.settled:
                break
        await asyncio.sleep(TICK_S)  # lamps and digits follow the acknowledgement
        since = wire.rung.us
        if not isinstance(wanted, lines.Digits):
            await asyncio.sleep(observed.RHYTHM_US / 1e6)
            since = wire.rung.us - observed.RHYTHM_US
        return observed.look(wire.rung, since, self._begun_us, board.status.shown)

    async def _follow(self) -> None:
        """Wait a moment until the board shows the last picture, which the report contains."""
        board = self._service.board
        for _ in range(FOLLOWS if board and self._wire else 0):
            if board and board.settled:
                break
            await asyncio.sleep(TICK_S)

    def _note(self, cue: Cue, at_ms: int, held: int, *, failed: bool) -> None:
        board = self._service.board
        shown = board.status.shown if board and self._wire else None
        said = write_said(self._service.game, cue.said) if cue.said is not None else ""
        picture = observed.as_asked(shown) if shown else None
        self._verdict.moments.append(
            Beat(
                number=cue.number,
                at_ms=at_ms,
                said=said,
                kind=_kind(cue.said),
                ask=observed.asked(self._service),
                events=tuple(self._events) if said else (),
                public=tuple(self._public) if said else (),
                lamps=picture.lamps if picture else (),
                digits=(picture.first.strip(), picture.second.strip()) if picture else (),
                tone=picture.tone if picture and picture.tone != "none" else "",
                alerts=tuple(self.alerts),
                expects=tuple(map(lines.EXPECTED.write, cue.expects)),
                held=held,
                failed=failed,
            )
        )

    async def _do(self, said: Any, at_ms: int) -> Callable[[], Any]:
        """Do what the line says. Return a function that ends its effect, for example a press."""
        match said:
            case None:
                return _nothing
            case Input() if recorded(self._scenario):
                self._service.table.take(said, self._scenario.head.begins + at_ms)
                return _nothing
            case Input():
                await self._service.table.ask(said)
                return _nothing
            case lines.Waits(ms=ms):
                await asyncio.sleep(ms / 1000)
                return _nothing
        broken = isinstance(said, lines.FAULTS)
        return await (self._break(said) if broken else self._touch(said))

    async def _touch(self, said: lines.Step) -> Callable[[], Any]:
        """Let a button or a sensor change. Return a function that ends this."""
        wire = self._wire
        assert wire  # `_needs_board` sees to it
        command = wire.rung.command
        match said:
            case lines.Holds(number=number, ms=ms):
                return await self._for(f"button {number - 1} 1", f"button {number - 1} 0", ms)
            case lines.Named(name=name):
                number = self._button(name)
                return await self._for(
                    f"button {number - 1} 1", f"button {number - 1} 0", lines.PRESS_MS
                )
            case lines.Finger(number=number, down=down):
                command(f"button {number - 1} {int(down)}")
            case lines.Pulse(sensor=sensor, ms=ms):
                which = _SENSORS[sensor]
                return await self._for(f"sensor {which} 1", f"sensor {which} 0", ms)
            case lines.Level(sensor=sensor, active=active):
                command(f"sensor {_SENSORS[sensor]} {int(active)}")
        await asyncio.sleep(EFFECT_S)
        return _nothing

    async def _break(self, said: lines.Step) -> Callable[[], Any]:
        """Break or repair a contact, a wire, the line or the board.

        Return a function that ends this.
        """
        wire = self._wire
        assert wire
        command = wire.rung.command
        match said:
            case lines.Bounces(number=number, ms=ms):
                await self._chatter(f"button {number - 1}", ms, last=1)
                await asyncio.sleep(lines.PRESS_MS / 1000)
                await self._chatter(f"button {number - 1}", ms, last=0)
            case lines.Chatter(sensor=sensor, ms=ms):
                await self._chatter(f"sensor {_SENSORS[sensor]}", ms, last=0)
            case lines.Storm(sensor=sensor, khz=khz, ms=ms):
                which = _SENSORS[sensor]
                return await self._lasts(f"storm {which} {khz * 1000}", f"storm {which} 0", ms)
            case lines.Calmed(sensor=sensor):
                command(f"storm {_SENSORS[sensor]} 0")
            case lines.Cut(ms=ms):
                return await self._lasts("cut 1", "cut 0", ms)
            case lines.Noise(lost=lost, flipped=flipped, ms=ms):
                return await self._lasts(f"faults {lost} {flipped}", "faults 0 0", ms)
            case lines.Whole():
                command("cut 0")
                command("faults 0 0")
            case _:
                return await self._break_board(said, wire)
        await asyncio.sleep(EFFECT_S)
        return _nothing

    async def _break_board(self, said: lines.Step, wire: Cable) -> Callable[[], Any]:
        """Take the board's plug out, put it in, reset the board, or make its program hang.

        Return a function that ends this.
        """
        match said:
            case lines.Unplugged(ms=0, times=1):
                wire.plug(into=False)
            case lines.PluggedIn():
                wire.plug(into=True)
            case lines.Unplugged(ms=ms, times=times):
                for left in range(times - 1, -1, -1):
                    wire.plug(into=False)
                    await asyncio.sleep(ms / 1000)
                    if left:
                        wire.plug(into=True)
                        await asyncio.sleep(ms / 1000)
                return self._plugged_in
            case lines.Reset(ms=ms):
                if ms:
                    return await self._starts_slowly(ms)
                wire.rung.command("reset")
            case lines.Hangs():
                wire.rung.command("hang")
        await asyncio.sleep(EFFECT_S)
        return _nothing

    async def _chatter(self, what: str, ms: int, *, last: int) -> None:
        """Let the contact `what` change every millisecond for `ms`, and end with `last`."""
        assert self._wire
        command = self._wire.rung.command
        for number in range(ms):
            command(f"{what} {(number + 1) % 2}")
            await asyncio.sleep(0.001)
        command(f"{what} {last}")

    async def _starts_slowly(self, ms: int) -> Callable[[], Any]:
        """Reset the board, which begins its program only after `ms` milliseconds."""
        assert self._wire
        command = self._wire.rung.command
        command(f"hold 0 {ms * 1000}")
        command("reset")
        await asyncio.sleep(max(TICK_S, ms / 1000 - TICK_S))
        command("hold 0 0")
        return _nothing

    async def _plugged_in(self) -> None:
        assert self._wire
        self._wire.plug(into=True)
        await asyncio.sleep(EFFECT_S)

    async def _for(self, begin: str, end: str, ms: int) -> Callable[[], Any]:
        """Send the command `begin` to the board, and the command `end` after `ms` milliseconds.

        If `ms` is shorter than an effect takes to be seen, `end` is sent here. Otherwise the
        returned function sends `end`.
        """
        assert self._wire
        command = self._wire.rung.command
        command(begin)
        if ms < EFFECT_S * 1000:
            await asyncio.sleep(ms / 1000)
            command(end)
            await asyncio.sleep(EFFECT_S - ms / 1000)
            return _nothing
        await asyncio.sleep(ms / 1000)

        async def ended() -> None:
            command(end)
            await asyncio.sleep(EFFECT_S)

        return ended

    async def _lasts(self, begin: str, end: str, ms: int) -> Callable[[], Any]:
        """Do the same as `_for`.

        If `ms` is 0, the effect lasts until another line of the scenario ends it.
        """
        if ms:
            return await self._for(begin, end, ms)
        assert self._wire
        self._wire.rung.command(begin)
        await asyncio.sleep(EFFECT_S)
        return _nothing

    def _button(self, name: str) -> int:
        for number, offer in self._scenario.head.wires.items():
            if offer == name:
                return number
        raise ScenarioError(
            f"{self._scenario.name}: no button is wired to {name!r}: write `wire 1 {name}` above."
        )


async def _nothing() -> None:
    pass


def _kind(said: Input | lines.Step | None) -> str:
    match said:
        case CardSeen():
            return "card"
        case Input() | None:
            return "word"
    return "fault" if isinstance(said, lines.FAULTS) else "hardware"


def _refusal(wanted: lines.Expectation) -> bool:
    match wanted:
        case lines.RefusedBy() | lines.Journaled(type="refused"):
            return True
    return False


def _show(seen: lines.Expectation | str) -> str:
    """Return an observation as a line of a scenario, if a line can express it."""
    if isinstance(seen, str):
        return seen
    try:
        return lines.EXPECTED.write(seen)
    except ValueError:
        return str(seen)


# ---- Plays a scenario through a whole table, and compares the effects with the expectations

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
        isinstance(cue.said, lines.Step)
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
