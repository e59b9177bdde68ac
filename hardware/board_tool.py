"""What `schlitten board` does with a board: show it, test it, time it, flash it.

These are plain functions; the command line calls them. The module must not know any card game.
`port` is a path, `twin`, or `emulated` for the real firmware in an emulator.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import statistics
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware_bridge.messages import (
    OFF,
    SEATS,
    ButtonReport,
    Buzzer,
    Colour,
    Lamp,
    Mode,
    Picture,
    SensorReport,
)
from firmware_bridge.port import Board, BoardStatus
from firmware_bridge.reconciler import Connected, News
from hardware import measure
from hardware.emulator import BUILDS, EmulatorError, Paced
from hardware.netlist import LAMPS
from hardware.shipped import hexfile

EMULATED: Final = "emulated"
_BY_PATH: Final = Path("/dev/serial/by-path")

Say = Callable[[str], None]
Ask = Callable[[str], None]


class BoardToolError(Exception):
    """The board does not answer, or a tool is missing. The text names the remedy."""


class BoardSilent(BoardToolError):
    """The board does not answer, or has stopped answering."""


@dataclass(frozen=True, slots=True)
class Look:
    """A board's report about itself."""

    met: Connected
    status: BoardStatus


@dataclass(frozen=True, slots=True)
class Timing:
    """The milliseconds that pictures took from `show` to the board's acknowledgement."""

    count: int
    p50_ms: float
    p99_ms: float


def find() -> list[str]:
    """The ports that a board might be on, each listed once, by the path of its USB socket.

    Two boards of one kind have the same name in `/dev/serial/by-id/`, so that folder lists only one
    of them.
    """
    names = sorted(_BY_PATH.glob("*"), reverse=True)
    return sorted(str(name) for name in {name.resolve(): name for name in names}.values())


@contextlib.contextmanager
def port_named(port: str, lamps: str = "hc595") -> Iterator[str]:
    """Yield the path to open for `port`. The emulator is started if it is asked for by name.

    `lamps` is the emulator's firmware. Raises EmulatorError.
    """
    if port != EMULATED:
        yield port
        return
    with Paced(lamps) as emulator:
        yield emulator.path


def show(port: str, *, patience_s: float = 6.0) -> Look:
    """Connect to the board and get its report about itself. Raises BoardToolError.

    `patience_s` is how long to wait for the board, in seconds.
    """

    async def look() -> Look:
        async with _met(port, patience_s) as (board, met, news):
            while board.status.board is None:
                await _next(news, board, patience_s)
            return Look(met, board.status)

    return asyncio.run(look())


def trial_pictures() -> Iterator[tuple[str, Picture]]:
    """Yield what the board is to show, each with its name.

    The pictures show every lamp in every colour, every rhythm, every digit, and every buzzer
    pattern. The last picture is dark.
    """
    for seat in range(SEATS):
        for colour in Colour:
            lamps = [OFF] * SEATS
            lamps[seat] = Lamp(Mode.ON, colour)
            yield f"seat {seat + 1} {colour.name.lower()}", Picture(tuple(lamps))
    for mode in (Mode.ON, Mode.BLINK, Mode.PULSE):
        yield f"all lamps {mode.name.lower()}", Picture((Lamp(mode),) * SEATS)
    for digit in range(1, 10):
        same = int(str(digit) * 8)
        yield f"all digits {digit}", Picture(display_1=same, display_2=same)
    yield "a zero at the right of each display", Picture(display_1=0, display_2=0)
    yield "first display -1234567, second dark", Picture(display_1=-1_234_567)
    yield "first display dashes, second 12345678", Picture(display_1=10**9, display_2=12_345_678)
    for buzzer in (Buzzer.BEEP, Buzzer.TWICE, Buzzer.ALARM):
        yield f"buzzer {buzzer.name.lower()}", Picture(buzzer=buzzer)
    yield "all dark", Picture()


def _asked_of(text: str) -> str:
    """Return what to ask about after a trial picture: the picture, or one seat in all its colours.

    `text` is the picture's name.
    """
    return f"{text.rpartition(' ')[0]} in its colours" if text.startswith("seat ") else text


def try_out(
    port: str,
    say: Say,
    *,
    ask: Ask | None = None,
    build: str = "",
    pause_s: float = 0.5,
    patience_s: float = 6.0,
) -> int:
    """Show and announce every trial picture. Report every button and sensor that changes meanwhile.

    `ask` is called in a separate thread. It asks the person at the board about each picture, but
    only once about a seat in all its colours. If `build` is given, the function also says which
    part to measure, and where, for every input that did not change. The port `emulated` then means
    the firmware of that build. Return how many pictures the board acknowledged. Raises
    BoardToolError, EmulatorError.
    """
    if build and build not in LAMPS:
        raise BoardToolError(f"no build is called {build!r}: it is {' or '.join(LAMPS)}")

    async def walk() -> int:
        lamps = LAMPS.get(build, "hc595")
        async with _met(port, patience_s, lamps) as (board, met, news):
            if build and (wrong := measure.wrong_lamps(build, met.lamps)):
                raise BoardToolError(f"{port} {wrong}")
            count, heard = 0, set[str]()
            pictures = list(trial_pictures())
            questions = [_asked_of(text) for text, _ in pictures]
            for place, (text, picture) in enumerate(pictures):
                await _shown(board, picture, patience_s)
                say(text)
                count += 1
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(pause_s):
                        while True:
                            heard.add(_say_input(await news.get(), say))
                if ask and questions[place] not in questions[place + 1 :]:
                    await asyncio.to_thread(ask, questions[place])
            for sentence in measure.missing(build, heard) if build else ():
                say(f"not heard: {sentence}")
            return count

    try:
        return asyncio.run(walk())
    except BoardSilent as error:
        raise BoardSilent(f"{error}. {measure.silent(build)}" if build else str(error)) from None


def _say_input(news: News, say: Say) -> str:
    """Report an input's change, and return the name of its wire; "" for any other news."""
    match news:
        case ButtonReport():
            say(f"button {news.button + 1} {'pressed' if news.pressed else 'released'}")
            return f"BUTTON_{news.button}"
        case SensorReport():
            name = measure.name_of(news.sensor.name)
            say(f"{name} {'active' if news.active else 'inactive'} at {news.time_us} us")
            return news.sensor.name
        case _:
            return ""


def time_board(port: str, *, count: int = 200, patience_s: float = 6.0) -> Timing:
    """Show `count` pictures in turn, and time each of them. Raises BoardToolError."""

    async def measure() -> list[float]:
        async with _met(port, patience_s) as (board, _, _):
            took = []
            for number in range(count):
                begun = time.perf_counter()
                await _shown(board, Picture(display_1=number), patience_s)
                took.append((time.perf_counter() - begun) * 1000)
            return took

    took = asyncio.run(measure())
    percents = statistics.quantiles(took, n=100)
    return Timing(count, percents[49], percents[98])


def flash(port: str, *, lamps: str = "hc595", baud: int = 115_200) -> str:
    """Write the shipped firmware to a board through its boot loader. Return avrdude's output.

    If the firmware's sources were changed, it is built from them first. `baud` is 57600 for Nanos
    with the old boot loader. Raises BoardToolError.
    """
    if lamps not in BUILDS:
        raise BoardToolError(f"no lamp build is called {lamps!r}: it is {' or '.join(BUILDS)}")
    if not shutil.which("avrdude"):
        raise BoardToolError("no avrdude here: install the package avrdude")
    done = subprocess.run(  # noqa: S603  a program found by its name, and our own hex file
        _avrdude(port, lamps, baud), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BoardToolError(
            f"{port} was not flashed: {done.stderr.strip() or 'avrdude gave no reason'}\n"
            "Stop what else uses the port; a Nano with the old boot loader needs 57600 baud."
        )
    return done.stderr


def _avrdude(port: str, lamps: str, baud: int) -> list[str]:
    try:
        file = hexfile(lamps)
    except EmulatorError as error:
        raise BoardToolError(str(error)) from None
    chip = ["-p", "atmega328p", "-c", "arduino", "-P", port, "-b", str(baud)]
    return ["avrdude", *chip, "-D", "-U", f"flash:w:{file}:i"]


@contextlib.asynccontextmanager
async def _met(
    port: str, patience_s: float, lamps: str = "hc595"
) -> AsyncIterator[tuple[Board, Connected, asyncio.Queue[News]]]:
    """Yield a board that answers, its first message, and the queue of its further news.

    `patience_s` is how long to wait for the board, in seconds.
    """
    news: asyncio.Queue[News] = asyncio.Queue()
    with port_named(port, lamps) as path:
        board = Board(path, news.put_nowait)
        serving = asyncio.create_task(board.run())
        try:
            while not isinstance(met := await _next(news, board, patience_s), Connected):
                pass
            yield board, met, news
        finally:
            serving.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await serving


async def _next(news: asyncio.Queue[News], board: Board, patience_s: float) -> News:
    try:
        async with asyncio.timeout(patience_s):
            return await news.get()
    except TimeoutError:
        raise BoardSilent(board.status.why or "the board says nothing any more") from None


async def _shown(board: Board, picture: Picture, patience_s: float) -> None:
    """Show a picture and wait until the board has acknowledged it. Raises BoardToolError."""
    board.show(picture)
    try:
        async with asyncio.timeout(patience_s):
            await board.wait_shown(picture)
    except TimeoutError:
        raise BoardSilent(board.status.why or "the board acknowledges nothing") from None
