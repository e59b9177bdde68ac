"""Draws the schematic of each build for KiCad 9, from the netlist: `hardware/kicad`.

There is one symbol for every kind of part, and one place on the sheet for every part. At each pin a
global label names the pin's net, so no wires are drawn and none cross. `scripts/board` lets KiCad
check the schematic (ERC). `--same BUILD FILE` says whether the netlist that KiCad reads from the
schematic equals ours.
"""

from __future__ import annotations

import json
import re
import sys
import uuid
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from hardware.netlist import (
    BUILDS,
    GND,
    NANO_5V,
    RAIL,
    Component,
    chain,
    netlist,
    nets,
    parts,
    pin_type,
    tables,
)

FOLDER: Final = Path(__file__).parents[2] / "hardware" / "kicad"
LIBRARY: Final = "schlitten"
GRID: Final = 2.54
SHEET: Final = (841.0, 594.0)  # A1
COLUMN: Final = 99.06
#: Nets that supply chips. KiCad needs to know what feeds them.
FED: Final = (RAIL, NANO_5V, GND)
_HEADINGS: Final = {"box": "In the box", "table": "At the table", "schlitten": "In the Schlitten"}
_SPACE: Final = uuid.UUID("5c1f6a53-9f0e-5d3a-8f62-6f0f4c2a7d11")
_FONT: Final = "(effects (font (size 1.27 1.27)){})"


def number(part: str, pin: str) -> str:
    """A pin's number as printed for the chip; the pin's name if the part's pins have no numbers."""
    if part in tables()["chain"]:
        return next(str(one.number) for one in chain(part).pins if one.name == pin)
    return pin


def _uuid(*names: str) -> str:
    return str(uuid.uuid5(_SPACE, "/".join(names)))


def _text(words: str) -> str:
    return json.dumps(words, ensure_ascii=False)


class Symbol:
    """A box with pins on both sides, as KiCad describes it. Millimetres, y upwards."""

    def __init__(self, name: str, pins: Iterable[str], kind: str, types: Mapping[str, str]) -> None:
        self.name, self.kind, self._types = name, kind, types
        names = list(pins)
        right = [pin for pin in names if types[pin] in ("output", "power_out")]
        left = [pin for pin in names if pin not in right]
        while len(left) > len(right) + 1:
            right.append(left.pop())
        self.rows = max(len(left), len(right), 1)
        words = max(map(len, left), default=0) + max(map(len, right), default=0)
        self.half = GRID * max(2, words // 3 + 1)
        self.places = {
            pin: (side * (self.half + GRID), -GRID * at, side)
            for side, column in ((-1, left), (1, right))
            for at, pin in enumerate(column)
        }

    def drawn(self, library: str = "") -> str:
        """The symbol's definition. `library` is a prefix of the symbol's name."""
        box = (
            f"(rectangle (start {-self.half:g} {GRID:g}) (end {self.half:g} {-GRID * self.rows:g})"
        )
        style = "(stroke (width 0.254) (type default)) (fill (type background)))"
        pins = "\n".join(
            f"      (pin {self._types[pin]} line (at {x:g} {y:g} {0 if side < 0 else 180}) "
            f"(length {GRID:g}) (name {_text(pin)} {_FONT.format('')}) "
            f"(number {_text(number(self.name, pin))} {_FONT.format('')}))"
            for pin, (x, y, side) in self.places.items()
        )
        shown, hidden = _FONT.format(""), _FONT.format(" (hide yes)")
        return (
            f"  (symbol {_text(library + self.name)} (pin_numbers (hide yes))\n"
            "    (exclude_from_sim no) (in_bom yes) (on_board yes)\n"
            f'    (property "Reference" {_text(self.kind)} (at 0 {2 * GRID:g} 0) {shown})\n'
            f'    (property "Value" {_text(self.name)} (at 0 {-GRID * (self.rows + 1):g} 0) '
            f"{_FONT.format('')})\n"
            f'    (property "Footprint" "" (at 0 0 0) {hidden})\n'
            f'    (property "Datasheet" "" (at 0 0 0) {hidden})\n'
            f"    (symbol {_text(self.name + '_1_1')}\n      {box} {style}\n{pins}\n    )\n  )"
        )


def symbols() -> dict[str, Symbol]:
    """A symbol for every kind of part. Terminals are sorted by the number of their poles."""
    found: dict[str, Symbol] = {}
    for build in BUILDS:
        for one in netlist(build):
            name = symbol_of(one)
            if name not in found and one.pins:
                types = {pin: pin_type(one.part, pin) for pin in one.pins}
                found[name] = Symbol(name, one.pins, parts()[one.part]["kind"], types)
    found["PWR_FLAG"] = Symbol("PWR_FLAG", ["1"], "#FLG", {"1": "power_out"})
    return found


def symbol_of(one: Component) -> str:
    """The name of a part's symbol."""
    return f"{one.part}_{len(one.pins)}" if parts()[one.part]["kind"] == "J" else one.part


def library() -> str:
    """The library of all symbols, in KiCad's form."""
    drawn = "\n".join(one.drawn() for one in symbols().values())
    return f'(kicad_symbol_lib (version 20241209) (generator "schlitten")\n{drawn}\n)\n'


def schematic(build: str) -> str:
    """The schematic of a build, in KiCad's form."""
    used = {symbol_of(one) for one in netlist(build)} | {"PWR_FLAG"}
    drawn = "\n".join(one.drawn(f"{LIBRARY}:") for name, one in symbols().items() if name in used)
    title = f"Table board, build {build}"
    return (
        '(kicad_sch (version 20250114) (generator "schlitten") (generator_version "9.0")\n'
        f'  (uuid "{_uuid(build)}")\n  (paper "A1")\n'
        f"  (title_block (title {_text(title)}) (comment 1 "
        '"Made by scripts/generate from hardware/board.toml"))\n'
        f"  (lib_symbols\n{drawn}\n  )\n"
        + "\n".join(_placed(build))
        + '\n  (sheet_instances (path "/" (page "1")))\n)\n'
    )


def _placed(build: str) -> Iterator[str]:
    """Yield every part, in columns, sorted by where the part is."""
    known, x, y = symbols(), COLUMN / 2, 14 * GRID
    components = sorted(netlist(build), key=_together)
    for where, heading in _HEADINGS.items():
        yield _words(heading, x, y)
        y += 4 * GRID
        for one in components:
            if one.where != where or not one.pins:
                continue
            height = (known[symbol_of(one)].rows + 4) * GRID
            if y + height > SHEET[1] - 20 * GRID:
                x, y = x + COLUMN, 14 * GRID
            value = one.value or parts()[one.part]["number"]
            yield from _part(build, known[symbol_of(one)], (one.ref, value, one.pins), (x, y))
            y += height
    for at, net in enumerate(FED, 1):
        flag = (f"#FLG{at}", "PWR_FLAG", {"1": net})
        yield from _part(build, known["PWR_FLAG"], flag, (x, y))
        y += 5 * GRID


def _together(one: Component) -> tuple[bool, str]:
    """The key for sorting: chips and plugs first, then the parts around each wire, side by side."""
    wires = {net.removesuffix("_X").removesuffix("_N") for net in one.pins.values()}
    return len(one.pins) < 3, min(wires - {*FED}, default="")


def _words(words: str, x: float, y: float) -> str:
    size = "(effects (font (size 3 3)) (justify left))"
    return f'  (text {_text(words)} (at {x - COLUMN / 3:g} {y:g} 0) {size} (uuid "{_uuid(words)}"))'


def _part(
    build: str, symbol: Symbol, one: tuple[str, str, Mapping[str, str]], at: tuple[float, float]
) -> Iterator[str]:
    """Yield one part with the labels of its pins."""
    ref, value, pins = one
    x, y = (round(place / GRID) * GRID for place in at)
    above, low = y - 2 * GRID, y + GRID * (symbol.rows + 1)
    flag = "no" if ref.startswith("#") else "yes"
    yield (
        f'  (symbol (lib_id "{LIBRARY}:{symbol.name}") (at {x:g} {y:g} 0) (unit 1)\n'
        f"    (exclude_from_sim no) (in_bom {flag}) (on_board {flag}) (dnp no)\n"
        f'    (uuid "{_uuid(build, ref)}")\n'
        f'    (property "Reference" {_text(ref)} (at {x:g} {above:g} 0) {_FONT.format("")})\n'
        f'    (property "Value" {_text(value)} (at {x:g} {low:g} 0) {_FONT.format("")})\n'
        + "".join(
            f'    (pin {_text(number(symbol.name, pin))} (uuid "{_uuid(build, ref, pin)}"))\n'
            for pin in pins
        )
        + f'    (instances (project "{build}" (path "/{_uuid(build)}" '
        f"(reference {_text(ref)}) (unit 1))))\n  )"
    )
    for pin, net in pins.items():
        dx, dy, side = symbol.places[pin]
        yield _end(net, x + dx, y - dy, side, _uuid(build, ref, pin, "end"))


def _end(net: str, x: float, y: float, side: int, name: str) -> str:
    """The label of a pin's net, or the cross of an unconnected pin."""
    if not net:
        return f'  (no_connect (at {x:g} {y:g}) (uuid "{name}"))'
    angle, justify = (180, "right") if side < 0 else (0, "left")
    return (
        f"  (global_label {_text(net)} (shape passive) (at {x:g} {y:g} {angle}) "
        f'(effects (font (size 1.27 1.27)) (justify {justify})) (uuid "{name}"))'
    )


def made() -> dict[Path, str]:
    """The files of KiCad's projects, each with its proper content."""
    table = (
        "(sym_lib_table\n  (version 7)\n"
        f'  (lib (name "{LIBRARY}")(type "KiCad")(uri "${{KIPRJMOD}}/{LIBRARY}.kicad_sym")'
        '(options "")(descr "made from hardware/board.toml"))\n)\n'
    )
    files = {FOLDER / f"{LIBRARY}.kicad_sym": library(), FOLDER / "sym-lib-table": table}
    for build in BUILDS:
        project = {"meta": {"filename": f"{build}.kicad_pro", "version": 3}}
        files[FOLDER / f"{build}.kicad_pro"] = json.dumps(project, indent=2) + "\n"
        files[FOLDER / f"{build}.kicad_sch"] = schematic(build)
    return files


def read(exported: str) -> dict[str, set[tuple[str, str]]]:
    """The nets of a netlist that KiCad exported, as (reference, pin's number)."""
    found = {}
    for block in re.split(r"\(net\s*\(code", exported)[1:]:
        (name,) = re.findall(r'\(name "((?:[^"\\]|\\.)*)"\)', block)[:1]
        nodes = re.findall(r'\(node\s*\(ref "([^"]*)"\)\s*\(pin "([^"]*)"\)', block)
        found[name] = {(ref, pin) for ref, pin in nodes if not ref.startswith("#")}
    return found


def differences(build: str, exported: str) -> list[str]:
    """The differences between KiCad's netlist and ours, as sentences.

    An unconnected pin has no net.
    """
    ours = {
        net: {(one.ref, number(one.part, pin)) for one, pin in found}
        for net, found in nets(build).items()
    }
    theirs = {net: pins for net, pins in read(exported).items() if len(pins) > 1}
    return [
        f"{net}: {sorted(ours.get(net, set()) ^ theirs.get(net, set()))}"
        for net in sorted(ours.keys() | theirs.keys())
        if ours.get(net) != theirs.get(net)
    ]


def main(arguments: list[str]) -> int:
    """With `--same BUILD FILE`, return 1 if the netlists differ."""
    if len(arguments) != 3 or arguments[0] != "--same":
        print("usage: python -m workshop.board.schematic --same BUILD FILE")
        return 2
    build, file = arguments[1:]
    found = differences(build, Path(file).read_text("utf-8"))
    print("\n".join(found) or f"{build}: KiCad's {len(nets(build))} nets are those of the netlist")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
