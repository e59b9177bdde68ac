"""Plays a scenario at one table: each line at its time. Compares the effects.

The module knows a table, a board's cable and a world's time, but not how these are set up.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from typing import Any, Final

from table_controller.commands import observed
from table_controller.commands.verdicts import Beat, Discrepancy, Verdict
from table_controller.commands.world import Cable, World
from table_controller.engine.messages import Audience, CardSeen, Input, Refused
from table_controller.service import scenario_expectations as expected
from table_controller.service import scenario_forms as forms
from table_controller.service import scenario_steps as steps
from table_controller.service.scenario import Cue, Scenario, ScenarioError, clock, write_said
from table_controller.service.table import Told
from table_controller.wiring.app import Service

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

    def _unforeseen(self, cue: Cue) -> expected.RefusedBy | None:
        """Return the refusal of a line that somebody wrote and that expects none.

        A recorded line may have been refused when it was recorded. The lines below this one that
        only expect something belong to it.
        """
        if cue.said is None or cue.unread or recorded(self._scenario):
            return None
        rules = [one.event.rule for one in self._told if isinstance(one.event, Refused)]
        return expected.RefusedBy(rules[0]) if rules and not self._foreseen(cue) else None

    def _foreseen(self, cue: Cue) -> bool:
        """Whether the line, or a line below it without an input, expects a refusal."""
        after = (one for one in self._scenario.cues if one.number > cue.number)
        below = itertools.takewhile(lambda one: one.said is None, after)
        return any(_refusal(wanted) for one in (cue, *below) for wanted in one.expects)

    def _difference(self, cue: Cue, at_ms: int, wanted: Any, seen: Any) -> Discrepancy:
        shown = tuple(_show(one) for one in seen)
        return Discrepancy(cue.number, at_ms, self.coup, tuple(self._said), _show(wanted), shown)

    async def _seen(self, wanted: expected.Expectation) -> tuple[expected.Expectation, ...] | None:
        """Return the observations in the form of `wanted`; None if no audience may see them."""
        if isinstance(wanted, observed.OF_A_BOARD):
            return (observed.of_board(wanted, await self._look(wanted)),)
        if isinstance(wanted, expected.Count):
            return (expected.Count(self._count),)
        if isinstance(wanted, expected.Journaled) and wanted.type in self._sealed:
            return None
        keyed = bool(self._scenario.head.key)
        found = tuple(observed.of_table(wanted, self._service, self._told, keyed=keyed))
        if isinstance(wanted, expected.Journaled) and found == (wanted,):
            place = observed.taken(wanted, self._told, keyed=keyed)
            self._told = self._told[(place or 0) + 1 :]
        return found

    async def _look(self, wanted: expected.Expectation) -> observed.Watched:
        """Watch the board for one rhythm of its lamps, once it shows the picture that it should."""
        board, wire = self._service.board, self._wire
        assert board
        assert wire
        safe = isinstance(wanted, expected.Safe)
        for _ in range(0 if safe or board.settled else round(SHOWN_S / TICK_S)):
            await asyncio.sleep(TICK_S)
            if board.settled:
                break
        await asyncio.sleep(TICK_S)  # lamps and digits follow the acknowledgement
        since = wire.rung.us
        if not isinstance(wanted, expected.Digits):
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
                expects=tuple(map(forms.EXPECTED.write, cue.expects)),
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
            case steps.Waits(ms=ms):
                await asyncio.sleep(ms / 1000)
                return _nothing
        broken = isinstance(said, steps.FAULTS)
        return await (self._break(said) if broken else self._touch(said))

    async def _touch(self, said: steps.Step) -> Callable[[], Any]:
        """Let a button or a sensor change. Return a function that ends this."""
        wire = self._wire
        assert wire  # `_needs_board` sees to it
        command = wire.rung.command
        match said:
            case steps.Holds(number=number, ms=ms):
                return await self._for(f"button {number - 1} 1", f"button {number - 1} 0", ms)
            case steps.Named(name=name):
                number = self._button(name)
                return await self._for(
                    f"button {number - 1} 1", f"button {number - 1} 0", steps.PRESS_MS
                )
            case steps.Finger(number=number, down=down):
                command(f"button {number - 1} {int(down)}")
            case steps.Pulse(sensor=sensor, ms=ms):
                which = _SENSORS[sensor]
                return await self._for(f"sensor {which} 1", f"sensor {which} 0", ms)
            case steps.Level(sensor=sensor, active=active):
                command(f"sensor {_SENSORS[sensor]} {int(active)}")
        await asyncio.sleep(EFFECT_S)
        return _nothing

    async def _break(self, said: steps.Step) -> Callable[[], Any]:
        """Break or repair a contact, a wire, the line or the board.

        Return a function that ends this.
        """
        wire = self._wire
        assert wire
        command = wire.rung.command
        match said:
            case steps.Bounces(number=number, ms=ms):
                await self._chatter(f"button {number - 1}", ms, last=1)
                await asyncio.sleep(steps.PRESS_MS / 1000)
                await self._chatter(f"button {number - 1}", ms, last=0)
            case steps.Chatter(sensor=sensor, ms=ms):
                await self._chatter(f"sensor {_SENSORS[sensor]}", ms, last=0)
            case steps.Storm(sensor=sensor, khz=khz, ms=ms):
                which = _SENSORS[sensor]
                return await self._lasts(f"storm {which} {khz * 1000}", f"storm {which} 0", ms)
            case steps.Calmed(sensor=sensor):
                command(f"storm {_SENSORS[sensor]} 0")
            case steps.Cut(ms=ms):
                return await self._lasts("cut 1", "cut 0", ms)
            case steps.Noise(lost=lost, flipped=flipped, ms=ms):
                return await self._lasts(f"faults {lost} {flipped}", "faults 0 0", ms)
            case steps.Whole():
                command("cut 0")
                command("faults 0 0")
            case _:
                return await self._break_board(said, wire)
        await asyncio.sleep(EFFECT_S)
        return _nothing

    async def _break_board(self, said: steps.Step, wire: Cable) -> Callable[[], Any]:
        """Take the board's plug out, put it in, reset the board, or make its program hang.

        Return a function that ends this.
        """
        match said:
            case steps.Unplugged(ms=0, times=1):
                wire.plug(into=False)
            case steps.PluggedIn():
                wire.plug(into=True)
            case steps.Unplugged(ms=ms, times=times):
                for left in range(times - 1, -1, -1):
                    wire.plug(into=False)
                    await asyncio.sleep(ms / 1000)
                    if left:
                        wire.plug(into=True)
                        await asyncio.sleep(ms / 1000)
                return self._plugged_in
            case steps.Reset(ms=ms):
                if ms:
                    return await self._starts_slowly(ms)
                wire.rung.command("reset")
            case steps.Hangs():
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


def _kind(said: Input | steps.Step | None) -> str:
    match said:
        case CardSeen():
            return "card"
        case Input() | None:
            return "word"
    return "fault" if isinstance(said, steps.FAULTS) else "hardware"


def _refusal(wanted: expected.Expectation) -> bool:
    match wanted:
        case expected.RefusedBy() | expected.Journaled(type="refused"):
            return True
    return False


def _show(seen: expected.Expectation | str) -> str:
    """Return an observation as a line of a scenario, if a line can express it."""
    if isinstance(seen, str):
        return seen
    try:
        return forms.EXPECTED.write(seen)
    except ValueError:
        return str(seen)
