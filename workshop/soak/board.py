"""The table board's long runs: the real firmware in virtual time, and fuzzing. All are seeded.

A failure stops the soak with a sentence.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware_bridge.messages import Picture
from hardware.emulator import BUILDS
from tests.hil import fuzzing, scenarios
from tests.hil.desk import Desk, Lost, random_evening
from tests.hil.evenings import dealt
from tests.hil.lockstep import Lockstep

Row = tuple[str, str]


def run(share: float) -> list[Row]:
    """Run a share of the whole. 1.0 takes about a quarter of an hour on one core."""
    return [
        *(_dealt(build, _some(250, share, at_least=3)) for build in BUILDS),
        _random(_some(600, share)),
        _the_same_each_time(_some(20, share, at_least=2)),
        _host_killed(_some(100, share)),
        _restarts("reset button", scenarios.board_reset, _some(100, share)),
        _restarts("hung firmware", scenarios.firmware_hangs, _some(100, share)),
        _line_cut(_some(100, share)),
        *(
            _bad_line(lost, flipped, _some(40, share))
            for lost, flipped in ((100, 0), (0, 100), (100, 100))
        ),
        _garbage(_some(20, share)),
        _heartbeats(max(0.5, 30 * share)),
        *_fuzzed(_some(10_000_000, share, at_least=50_000)),
    ]


def _some(whole: int, share: float, *, at_least: int = 1) -> int:
    return max(at_least, round(whole * share))


def _pictures(seed: int, count: int) -> list[Picture]:
    return [picture for _, picture in random_evening(seed, count)]


def _dealt(build: str, coups: int) -> Row:
    with Lockstep(build) as board:
        desk = Desk(board)
        evening = list(dealt(10, coups))
        seen = scenarios.evening(desk, evening, dwell_s=0.2)
        states = len(board.history)
    settled = sum("settlement" in label for label, _ in evening)
    return (
        f"an evening of the engine, {build} lamps",
        f"{seen} pictures, {settled} of them settlements, all shown; {states} states, none unasked",
    )


def _random(count: int) -> Row:
    with Lockstep() as board:
        desk = Desk(board)
        seen = scenarios.evening(desk, random_evening(11, count))
        states = len(board.history)
    return "random pictures", f"{seen} of {count} shown; {states} states, none unasked"


def _the_same_each_time(times: int) -> Row:
    def play() -> str:
        with Lockstep() as board:
            desk = Desk(board)
            one, other = _pictures(12, 2)
            scenarios.evening(desk, random_evening(13, 20))
            scenarios.bad_line(desk, random_evening(14, 10), lost=100, flipped=100, seed=15)
            scenarios.garbage(desk, one, count=10_000, seed=16)
            scenarios.board_reset(desk, one)
            scenarios.firmware_hangs(desk, other)
            scenarios.line_cut(desk, one, other, seconds=3.0)
            scenarios.host_killed(desk, one)
            scenarios.inputs(desk)
            return hashlib.sha256(repr((board.us, board.history, desk.news)).encode()).hexdigest()

    outcomes = {play() for _ in range(times)}
    assert len(outcomes) == 1, f"{len(outcomes)} different outcomes of {times} runs"
    return "all scenarios in a row, with faults", f"{times} of {times} runs alike to the bit"


def _host_killed(times: int) -> Row:
    luck = random.Random(17)
    with Lockstep() as board:
        desk = Desk(board)
        stood = []
        for picture in _pictures(18, times):
            desk.run(luck.random())  # at any moment of the heartbeat
            stood.append(scenarios.host_killed(desk, picture))
    return "host killed, board dark", f"{times} of {times}, after {max(stood):.3f} s at most"


def _restarts(name: str, scenario: Callable[[Desk, Picture], float], times: int) -> Row:
    luck = random.Random(19)
    with Lockstep() as board:
        desk = Desk(board)
        took = []
        for picture in _pictures(20, times):
            desk.run(luck.random())
            took.append(scenario(desk, picture))
    return f"{name}, picture of now", f"{times} of {times}, back after {max(took):.3f} s at most"


def _line_cut(times: int) -> Row:
    luck = random.Random(21)
    with Lockstep() as board:
        desk = Desk(board)
        took = [
            scenarios.line_cut(desk, *_pictures(22 + n, 2), seconds=_cut_s(luck))
            for n in range(times)
        ]
    return (
        "line cut for 10 ms to 5 s, picture of now",
        f"{times} of {times}, shown {max(took):.3f} s after it was whole at most",
    )


def _cut_s(luck: random.Random) -> float:
    """A random length, in seconds, of a cut in the line.

    No length is between 0.6 and 1.3 s, because after such a cut the board may rightly show either
    the old picture or the safe one.
    """
    return luck.choice((luck.uniform(0.01, 0.6), luck.uniform(1.3, 5.0)))


def _bad_line(lost: int, flipped: int, times: int) -> Row:
    states, resets = 0, 0
    took = []
    for seed in range(times):
        with Lockstep() as board:
            desk = Desk(board)
            took.append(
                scenarios.bad_line(
                    desk, random_evening(seed, 50), lost=lost, flipped=flipped, seed=seed
                )
            )
            states += len(board.history)
            resets += len(desk.told(Lost))
    seen = f"{times * 50} pictures, {states} states, none unasked; {resets} resets"
    after = f"right {max(took):.3f} s after the faults at most"
    return f"{lost / 100:g} % of bytes lost, {flipped / 100:g} % flipped", f"{seen}; {after}"


def _garbage(times: int) -> Row:
    with Lockstep() as board:
        desk = Desk(board)
        took = [
            scenarios.garbage(desk, picture, count=10_000, seed=seed)
            for seed, picture in enumerate(_pictures(23, times))
        ]
    return (
        "garbage of 10,000 bytes",
        f"{times} of {times}, nothing unasked shown; right after {max(took):.3f} s at most",
    )


def _heartbeats(minutes: float) -> Row:
    with Lockstep() as board:
        words = scenarios.heartbeats(
            Desk(board), Picture(display_1=1, display_2=2), minutes=minutes
        )
    return (
        f"{minutes:g} minutes of heartbeats",
        f"{words} words of the board, no loss, no damaged frame, no overrun",
    )


def _fuzzed(count: int) -> list[Row]:
    rows = []
    with TemporaryDirectory() as scratch:
        for target in fuzzing.TARGETS:
            done = fuzzing.fuzz_c(target, bytes_wanted=count, seed=1, scratch=Path(scratch))
            rows.append((f"fuzzed, C {target} (sanitizers)", f"{done:,} bytes, no crash, no hang"))
    done, whole = fuzzing.fuzz_host(bytes_wanted=count, seed=2)
    rows.append(
        ("fuzzed, host's frames, link, messages", f"{done:,} bytes, {whole:,} frames, all whole")
    )
    done, codes = fuzzing.fuzz_barcodes(bytes_wanted=count, seed=3)
    rows.append(("fuzzed, barcode lines", f"{done:,} bytes, {codes:,} possible codes"))
    return rows
