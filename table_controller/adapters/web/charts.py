"""Charts of an evening as coordinates: the place of each bar, in the units of the drawing.

The module knows numbers and the drawing's size. A template draws the chart as SVG and translates
the words.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import NamedTuple

WIDTH, HEIGHT = 640, 200
LEFT, RIGHT, TOP, BOTTOM = 48, 8, 10, 24


class Bar(NamedTuple):
    """A bar: its upper left corner, width and height. `series` is the index of its data series."""

    x: float
    y: float
    width: float
    height: float
    series: int


class Tick(NamedTuple):
    """A mark at an axis: its place, and the number or words next to it."""

    at: float
    text: str


class Chart(NamedTuple):
    """The parts of a chart: bars or a line, and the marks at both axes."""

    bars: tuple[Bar, ...]
    line: str
    ups: tuple[Tick, ...]
    alongs: tuple[Tick, ...]
    zero: float


def bars(columns: Sequence[Sequence[float]], names: Sequence[str]) -> Chart:
    """Return a chart of columns of stacked bars, with as many of their `names` below as fit."""
    most = max((sum(column) for column in columns), default=0)
    scale = _Scale(0, most)
    step = (WIDTH - LEFT - RIGHT) / max(1, len(columns))
    made = []
    for at, column in enumerate(columns):
        under = 0.0
        for series, value in enumerate(column):
            if value > 0:
                top = scale.y(under + value)
                width = min(60.0, max(1.0, step * 0.8))
                high = round(scale.y(under) - top, 1)
                made.append(Bar(round(LEFT + at * step, 1), top, round(width, 1), high, series))
            under += value
    return Chart(tuple(made), "", scale.ticks(), _below(names, step), scale.y(0))


def line(values: Sequence[float], names: Sequence[str]) -> Chart:
    """Return a chart of one line through all values, with as many of `names` below as fit."""
    scale = _Scale(min(0, *values), max(0, *values)) if values else _Scale(0, 0)
    step = (WIDTH - LEFT - RIGHT) / max(1, len(values))
    points = (f"{LEFT + (at + 0.4) * step:.1f},{scale.y(v)}" for at, v in enumerate(values))
    return Chart((), " ".join(points), scale.ticks(), _below(names, step), scale.y(0))


def _below(names: Sequence[str], step: float) -> tuple[Tick, ...]:
    """Return marks for every nth name, with n so large that no two names touch."""
    room = max((len(name) for name in names), default=1) * 8 + 12
    every = max(1, ceil(room / step))
    shown = range(0, len(names), every)
    return tuple(Tick(round(LEFT + (at + 0.4) * step, 1), names[at]) for at in shown)


class _Scale:
    """Converts values to heights, and chooses round numbers for the axis."""

    def __init__(self, least: float, most: float) -> None:
        span = most - least or 1
        power: float = 10.0 ** floor(log10(span / 4))
        self._step = next(power * n for n in (1, 2, 5, 10) if power * n * 4 >= span)
        self._least = floor(least / self._step) * self._step
        self._most = max(ceil(most / self._step) * self._step, self._least + self._step)

    def y(self, value: float) -> float:
        share = (value - self._least) / (self._most - self._least)
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)

    def ticks(self) -> tuple[Tick, ...]:
        many = round((self._most - self._least) / self._step)
        values = (self._least + n * self._step for n in range(many + 1))
        return tuple(Tick(self.y(value), f"{value:g}") for value in values)
