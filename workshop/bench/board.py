"""Measures the table board: line and firmware in virtual time, the host's share in real time."""

from __future__ import annotations

import statistics
import time

from firmware_bridge.messages import Colour, Lamp, Mode, Picture
from firmware_bridge.reconciler import Reconciler
from firmware_bridge.twin import BoardTwin
from hardware.emulator import elf
from tests.hil.desk import Desk
from tests.hil.lockstep import Lockstep, firmware_size

BYTE_US = 10 / 115_200 * 1e6


#: APA102 have another budget. The chip has no line left for them, so the firmware makes their clock
#: bit by bit, at 1 MHz. So 57 bytes take 0.6 ms, a quarter of the frame. The displays' bytes go out
#: meanwhile. p99 includes a frame of the lamps' rhythm that was being sent already.
BUDGETS = {"hc595": "< 1.3", "apa102": "< 1.6"}


def rows() -> list[tuple[str, float, str, str]]:
    """Measure. Return rows of name, value, unit, and the budget or a peer's value."""
    return [
        *_of_build("hc595"),
        *_of_build("apa102"),
        ("host CPU for 1,000 pictures, acknowledgements heard", _host_ms(), "ms", ""),
    ]


def _of_build(build: str) -> list[tuple[str, float, str, str]]:
    flash, ram = firmware_size(elf(build))
    with Lockstep(build) as board:
        lamps, digits, wire_us = _latency(board, 300)
        throughput = _throughput(board, 500)
        speed = _speed(board)
    shown = [
        (f"picture to {what}, share of the frame's wire time, p{p}", _p(took, p))
        for what, took in (("lamps", lamps), ("digits", digits))
        for p in (50, 99)
    ]
    found: list[tuple[str, float, str, str]] = [
        *((what, share, "x", BUDGETS[build]) for what, share in shown),
        ("a picture's frame on the wire", wire_us / 1000, "ms", "115200 baud"),
        ("wire time of frame and acknowledgement, share of back to back", throughput, "x", "> 0.9"),
        ("firmware, flash", flash, "bytes", "of 32768"),
        ("firmware, RAM without stack", ram, "bytes", "of 2048"),
        ("emulator, idle board", speed, "x real time", "a throwaway one: 6.3"),
    ]
    return [(f"{build}: {what}", value, unit, budget) for what, value, unit, budget in found]


def _p(values: list[float], percent: int) -> float:
    return statistics.quantiles(values, n=100)[percent - 1]


def _picture(number: int) -> Picture:
    """Make a `Picture` without a blinking lamp. The lamps and numbers differ for each `number`."""
    colour = Colour(1 + number % 7)
    return Picture(
        (Lamp(Mode.ON, colour),) * 12, display_1=number * 7919 % 10**8, display_2=-number
    )


def _latency(board: Lockstep, count: int) -> tuple[list[float], list[float], float]:
    """Measure from the first bit of a `Picture`'s frame until lamps and digits show it.

    Return these times as shares of the frame's time on the line.
    """
    desk = Desk(board)
    desk.run(0.5)
    lamps, digits, wire_us = [], [], 0.0
    for number in range(count):
        while not desk.host.connected or desk.host.due - desk.now < 0.1:
            desk.run(0.02)  # a heartbeat in flight would be measured too
        desk.show(_picture(number))
        known, begun = len(board.history), board.us
        out, _ = desk.host.poll(desk.now)
        wire_us = len(out) * BYTE_US
        desk.host.receive(board.run(20_000, out), desk.now)
        desk.run(0.003)
        seen = board.history[known:]
        before = board.history[known - 1]
        changed = next(one.us for one in seen if one.lamps != before.lamps)
        settled = next(
            one.us for one in seen if one.display_1 and one.display_1 != before.display_1
        )
        lamps.append((changed - begun) / wire_us)
        digits.append((settled - begun) / wire_us)
    return lamps, digits, wire_us


def _throughput(board: Lockstep, count: int) -> float:
    """Send `Picture`s as fast as acknowledgements allow.

    Return the share of the whole time in which the line carried frames or acknowledgements.
    """
    desk = Desk(board, session=2)
    desk.run(0.5)
    begun, wire = board.us, 0
    for number in range(count):
        desk.show(_picture(number))
        while desk.host.shown != _picture(number):
            out, _ = desk.host.poll(desk.now)
            heard = board.run(10_000, out)
            wire += len(out) + len(heard)
            desk.host.receive(heard, desk.now)
    return wire * BYTE_US / (board.us - begun)


def _speed(board: Lockstep) -> float:
    desk = Desk(board, session=3)
    begun = time.perf_counter()
    desk.run(20)
    return 20 / (time.perf_counter() - begun)


def _host_ms() -> float:
    """The CPU time (ms) that the host's end needs to send 1,000 `Picture`s and read the answers."""
    host, board, spent_ns = Reconciler(lambda: 1), BoardTwin(1), 0
    now = 0.0
    for number in range(1_001):
        now += 0.005
        begun = time.thread_time_ns()
        host.show(_picture(number))
        out, _ = host.poll(now)
        spent_ns += time.thread_time_ns() - begun
        board.receive(out, round(now * 1000))
        heard = board.poll(round(now * 1000))
        begun = time.thread_time_ns()
        host.receive(heard, now)
        spent_ns += time.thread_time_ns() - begun
    assert host.shown == _picture(1_000)
    return spent_ns / 1e6
