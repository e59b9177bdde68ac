"""Faults by name and time: the kinds of faults, files of faults, and faults chosen by chance.

A fault of a card waits for the next card after its time. Every other fault begins at its time. The
module plays nothing.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn

from table_controller.commands.simulated.lip import Sensors
from table_controller.engine.players import TEMPERS
from table_controller.service.errors import ConfigError
from table_controller.service.scenario import clock
from table_controller.service.scenario_lines import duration, milliseconds
from table_controller.wiring.toml_files import cut, parsed


class Lasting(NamedTuple):
    """A fault's field for a time in milliseconds, with its default and its bounds."""

    usual: int
    least: int
    most: int

    def read(self, value: object) -> int:
        """Read `4 s` or `300 ms`. Raises ValueError."""
        bounds = f"want {duration(self.least)} to {duration(self.most)}"
        if not isinstance(value, str) or not re.fullmatch(r"-?\d+(\.\d+)? m?s", value):
            raise ValueError(f'{bounds}, written as "4 s" or "300 ms"')
        ms = milliseconds(value)
        if not self.least <= ms <= self.most:
            raise ValueError(bounds)
        return ms

    def draw(self, luck: random.Random) -> int:
        """Return a time within the bounds by chance, a short time more often than a long one."""
        return round(min(self.most, max(self.least, self.usual * luck.uniform(0.3, 1.7))))


class Times(NamedTuple):
    """A fault's field for a number of repetitions, with its bounds."""

    usual: int
    least: int
    most: int

    def read(self, value: object) -> int:
        """Read a number. Raises ValueError."""
        if type(value) is not int or not self.least <= value <= self.most:
            raise ValueError(f"want a whole number, {self.least} to {self.most}")
        return value

    def draw(self, luck: random.Random) -> int:
        """Return a number within the bounds by chance."""
        return luck.randint(self.least, self.most)


class OneOf(NamedTuple):
    """A fault's field for one of several words. The first word is the default."""

    words: tuple[str, ...]

    @property
    def usual(self) -> str:
        """The default value."""
        return self.words[0]

    def read(self, value: object) -> str:
        """Read a word. Raises ValueError."""
        if not isinstance(value, str) or value not in self.words:
            raise ValueError(f"want one of: {', '.join(self.words)}")
        return value

    def draw(self, luck: random.Random) -> str:
        """Return one of the words by chance."""
        return luck.choice(self.words)


Field = Lasting | Times | OneOf

#: Every fault, and its fields besides `name` and `at`.
FIELDS: Final[Mapping[str, Mapping[str, Field]]] = {
    "jam": {"for": Lasting(4_000, 500, 120_000)},
    "misread": {"reads": OneOf(("nothing", "foreign"))},
    "double feed": {},
    "missed white card": {},
    "unplugged board": {"for": Lasting(4_000, 100, 600_000)},
    "boot-loader delay": {"for": Lasting(2_000, 100, 60_000)},
    "flapping plug": {"for": Lasting(6_000, 1_000, 60_000), "times": Times(4, 2, 20)},
    "bouncing contact": {"for": Lasting(8, 2, 9)},
    "interrupt storm": {"for": Lasting(200, 10, 2_000)},
    "beam": {"for": Lasting(8_000, 100, 600_000)},
    "lid": {"for": Lasting(3_000, 100, 600_000)},
    "camera lost": {"for": Lasting(4_000, 1_000, 600_000)},
    "camera stalled": {"for": Lasting(3_000, 100, 600_000)},
    "fsync stall": {"for": Lasting(3_000, 10, 120_000)},
    "broker down": {"for": Lasting(10_000, 500, 600_000)},
    "power cut": {"for": Lasting(5_000, 500, 600_000)},
    "clock jump": {"by": Lasting(3_600_000, -86_400_000, 86_400_000)},
}
#: The faults of a card. They wait for the next card.
OF_A_CARD: Final = frozenset({"jam", "misread", "double feed", "missed white card"})

_AT: Final = re.compile(r"(\d{1,3}):([0-5]\d)(?:\.(\d{3}))?")


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: name, beginning, fields, and its line in the file (0 if drawn by chance)."""

    name: str
    at_ms: int
    how: Mapping[str, Any] = field(default_factory=dict)
    line: int = 0

    @property
    def ms(self) -> int:
        """How many milliseconds the fault lasts; 0 if it takes no time."""
        return int(self.how.get("for", 0))

    def __str__(self) -> str:
        times = {
            name: duration(value) if isinstance(FIELDS[self.name][name], Lasting) else value
            for name, value in self.how.items()
        }
        said = "".join(f", {name} {value}" for name, value in times.items())
        return f"{self.name} at {clock(self.at_ms)}{said}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordered:
    """The content of a file of faults: how people play, how cards pass, and the faults."""

    temper: str = "usual"
    sensors: Sensors = field(default_factory=Sensors)
    faults: tuple[Fault, ...] = ()
    file: str = ""


def read(path: Path) -> Ordered:
    """Read a file of faults. Raises ConfigError with line, value and allowed values."""
    text, values = parsed(path)
    file = _File(path, text)
    file.only(values, ("evening", "sensors", "fault"), "", 0)
    evening, sensors = values.get("evening", {}), values.get("sensors", {})
    file.only(evening, ("temper",), "evening", 0)
    temper = evening.get("temper", "usual")
    if temper not in TEMPERS:
        file.wrong("evening", 0, "temper", temper, f"want one of: {', '.join(TEMPERS)}")
    file.only(sensors, ("card", "between", "jitter"), "sensors", 0)
    listed = values.get("fault", [])
    if not isinstance(listed, list):
        raise ConfigError(f"{path}: write each fault below a line [[fault]] of its own.")
    faults = tuple(file.fault(number, one) for number, one in enumerate(listed))
    return Ordered(temper=temper, sensors=file.sensors(sensors), faults=faults, file=str(path))


class _File:
    """A file of faults. Its errors quote the file's lines."""

    def __init__(self, path: Path, text: str) -> None:
        self._path, self._lines = path, text.splitlines()

    def fault(self, number: int, values: dict[str, Any]) -> Fault:
        """Read the fault with index `number` in the file."""
        name, at = values.get("name"), values.get("at")
        if not isinstance(name, str) or name not in FIELDS:
            self.wrong("fault", number, "name", name, f"want one of: {', '.join(FIELDS)}")
        fields = FIELDS[name]
        self.only(values, ("name", "at", *fields), "fault", number)
        found = _AT.fullmatch(at) if isinstance(at, str) else None
        if not found:
            self.wrong("fault", number, "at", at, 'want minutes and seconds, such as "1:30"')
        minutes, seconds, millis = found.groups("0")
        how = {}
        for key, kind in fields.items():
            try:
                how[key] = kind.read(values[key]) if key in values else kind.usual
            except ValueError as error:
                self.wrong("fault", number, key, values[key], str(error))
        at_ms = int(minutes) * 60_000 + int(seconds) * 1000 + int(millis)
        return Fault(name, at_ms, how, self.line("fault", number, "name"))

    def sensors(self, values: dict[str, Any]) -> Sensors:
        """Read the settings for cards that pass the lip."""
        usual, found = Sensors(), {}
        spans = {
            "card": Lasting(usual.card_ms, 100, 3000),
            "between": Lasting(usual.between_ms, 0, 60_000),
        }
        for key, span in spans.items():
            try:
                ms = span.read(values[key]) if key in values else span.usual
            except ValueError as error:
                self.wrong("sensors", 0, key, values[key], str(error))
            found[f"{key}_ms"] = ms
        jitter = values.get("jitter", usual.jitter)
        if (
            isinstance(jitter, bool)
            or not isinstance(jitter, int | float)
            or not 0 <= jitter <= 0.9
        ):
            self.wrong("sensors", 0, "jitter", jitter, "want a number, 0 to 0.9")
        return Sensors(**found, jitter=float(jitter))

    def only(self, values: Any, allowed: tuple[str, ...], table: str, number: int) -> None:
        """Raise ConfigError if `values` has a key that is not allowed."""
        if not isinstance(values, dict):
            raise ConfigError(f"{self._path}: {table} = {cut(values)}: want a table [{table}].")
        for key in values:
            if key not in allowed:
                there = f"there is no {key} here; there are: {', '.join(allowed)}"
                self.wrong(table, number, key, values[key], there)

    def wrong(self, table: str, number: int, key: str, value: object, what: str) -> NoReturn:
        """Raise ConfigError for a key and its value in the file.

        `table` and `number` say where the key is, and `what` says which values are allowed.
        """
        line = self.line(table, number, key)
        at = f"{self._path}, line {line}" if line else str(self._path)
        shown = "missing" if value is None else cut(value)
        raise ConfigError(f"{at}: {key} = {shown}: {what}.")

    def line(self, table: str, number: int, key: str) -> int:
        """Return the line of a key in the file; the line of its table if the key is missing."""
        seen, inside, begun = -1, not table, 0
        for at, text in enumerate(self._lines, 1):
            header = re.match(r"\s*\[+\s*([\w-]+)\s*\]+", text)
            if header and not table and header[1] == key:
                return at
            if header:
                seen += header[1] == table
                inside = header[1] == table and seen == number
                begun = at if inside else begun
            elif inside and re.match(rf"\s*\"?{re.escape(key)}\"?\s*=", text):
                return at
        return begun


#: The least time between two faults drawn by chance, so that their effects can be told apart.
_APART_MS: Final = 75_000


def drawn(
    luck: random.Random, until_ms: int, names: tuple[str, ...] = tuple(FIELDS)
) -> tuple[Fault, ...]:
    """Return faults chosen by chance, from the first seconds of an evening to `until_ms`."""
    found, at_ms = [], luck.randint(8_000, 40_000)
    while at_ms < until_ms:
        name = luck.choice(names)
        fault = Fault(name, at_ms, {key: kind.draw(luck) for key, kind in FIELDS[name].items()})
        found.append(fault)
        at_ms += fault.ms + _APART_MS + luck.randint(0, 30_000)
    return tuple(found)
