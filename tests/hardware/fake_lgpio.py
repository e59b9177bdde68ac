"""A Pi's pins without a Pi: the names of the module `lgpio` that gpiozero calls.

They behave as in its source (0.2.2) where that matters here: a pipe in a folder that it changes
into, one thread that calls back and dies from a fault, pins that are busy, an error that is a plain
Exception. The module knows no code of ours.
"""

from __future__ import annotations

import os
from pathlib import Path

SET_PULL_NONE = SET_BIAS_DISABLE = 128
SET_PULL_UP = SET_BIAS_PULL_UP = 32
SET_PULL_DOWN = SET_BIAS_PULL_DOWN = 64
RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3


class error(Exception):  # noqa: N801  its name there
    """As in lgpio."""


class Pi:
    """What the module holds for the whole process."""

    def __init__(self) -> None:
        self.folder = os.environ.get("LG_WD") or str(Path.cwd())
        os.chdir(self.folder)
        os.mkfifo(".lgd-nfy0")
        self.callbacks: list[Callback] = []
        self.alive = True  # the thread that calls back
        self.busy: set[int] = set()
        self.levels: dict[int, int] = {}
        self.alerting: set[int] = set()
        self.opened = 0

    def edge(self, gpio: int, level: int) -> None:
        """The world moves a pin."""
        self.levels[gpio] = level
        if not self.alive or gpio not in self.alerting:
            return
        try:
            for one in list(self.callbacks):
                if one.gpio == gpio:
                    one.call(0, gpio, level, 0)
        except Exception:  # noqa: BLE001  a thread dies of it, silently
            self.alive = False


class Callback:
    """One listener of the thread."""

    def __init__(self, pi: Pi, gpio: int, call) -> None:
        self.pi, self.gpio, self.call = pi, gpio, call
        pi.callbacks.append(self)

    def cancel(self) -> None:
        self.pi.callbacks.remove(self)


pi = Pi()


def gpiochip_open(_chip: int) -> int:
    pi.opened += 1
    return pi.opened


def gpiochip_close(handle: int) -> None:
    _ = handle & 0xFFFF
    pi.alerting.clear()


def _claim(handle: int, gpio: int) -> None:
    _ = handle & 0xFFFF  # None: a factory that was closed
    if gpio in pi.busy:
        raise error("GPIO busy")
    pi.alerting.discard(gpio)


def gpio_claim_input(handle: int, gpio: int, flags: int = 0) -> None:
    _claim(handle, gpio)
    pi.levels.setdefault(gpio, 1)


def gpio_claim_output(handle: int, gpio: int, level: int = 0, flags: int = 0) -> None:
    _claim(handle, gpio)
    pi.levels[gpio] = level


def gpio_claim_alert(handle: int, gpio: int, edges: int, flags: int = 0) -> None:
    _claim(handle, gpio)
    pi.alerting.add(gpio)


def gpio_free(handle: int, gpio: int) -> None:
    _ = handle & 0xFFFF


def gpio_get_mode(handle: int, gpio: int) -> int:
    _ = handle & 0xFFFF
    return 32  # pulled up, an input


def gpio_read(handle: int, gpio: int) -> int:
    return pi.levels.get(gpio, 1)


def gpio_write(handle: int, gpio: int, level: int) -> None:
    pi.levels[gpio] = level


def gpio_set_debounce_micros(handle: int, gpio: int, micros: int) -> None:
    _ = handle & 0xFFFF


def callback(handle: int, gpio: int, edges: int, call) -> Callback:
    _ = handle & 0xFFFF
    return Callback(pi, gpio, call)
