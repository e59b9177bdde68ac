"""Draws the perfboards and fills the tables of `hardware/PERFBOARD.md`, from `perfboard.py`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hardware.netlist import BUILDS, GND, NANO_5V, RAIL, Component, netlist, parts
from workshop.board import perfboard
from workshop.board.drawings import HARDWARE, Drawing, filled
from workshop.board.perfboard import COLUMNS, ROWS, Hole, Placed, Sheet, Wire
from workshop.board.wiring import table

STEP: Final = 5.0  # of the drawing from hole to hole
EDGE: Final = 17.0
INKS: Final = {GND: "#222", RAIL: "#c22", NANO_5V: "#d80", "LIGHT": "#a3a", "V_IN": "#c22"}
LINE: Final = "#1f5fa8"
#: The feature that tells two legs apart. Other parts may be put in either way around.
SIDED: Final = ("surge", "schottky", "diode", "electrolytic", "pmos", "npn", "buzzer", "hc595")


def name(hole: Hole) -> str:
    """A hole in the page's notation."""
    return f"{hole[0]}/{hole[1]}"


# --- drawings -------------------------------------------------------------------------------------


def _spot(hole: tuple[float, float], *, below: bool) -> tuple[float, float]:
    column = COLUMNS + 1 - hole[0] if below else hole[0]
    return EDGE + column * STEP, EDGE + (ROWS - hole[1]) * STEP


def _empty(sheet: Sheet, *, below: bool) -> Drawing:
    words = f"{sheet.title}, seen from {'below' if below else 'the parts'}"
    drawing = Drawing(2 * EDGE + (COLUMNS + 1) * STEP, 2 * EDGE + ROWS * STEP, words)
    left, low = EDGE + STEP / 2, EDGE - STEP / 2
    drawing.box(left, low, COLUMNS * STEP, ROWS * STEP, "#f6f3ea")
    drawing.holes(left, low, COLUMNS, ROWS, STEP)
    for column in (1, *range(5, COLUMNS + 1, 5)):
        for row, up in ((ROWS, -6.0), (1, 9.0)):
            x, y = _spot((column, row), below=below)
            drawing.text(x, y + up, str(column), at="middle", ink="#666")
    for row in (1, *range(5, ROWS + 1, 5)):
        for x in (EDGE - 3, EDGE + (COLUMNS + 1) * STEP + 3):
            y = _spot((1, row), below=False)[1]
            drawing.text(x, y + 1, str(row), at="middle", ink="#666")
    for screw in sheet.screws:
        drawing.dot(*_spot(screw, below=below), 3.1, "#999")
        drawing.dot(*_spot(screw, below=below), 2.6, "#fff")
    drawing.text(left, 6, words)
    return drawing


def parts_svg(sheet: Sheet, known: dict[str, Component]) -> str:
    """Draw the parts' side: every part's place, and where the wires to Nano and plugs begin."""
    drawing = _empty(sheet, below=False)
    for one in sheet.parts:
        if one.kind == "pads":
            continue
        if one.kind == "top":
            _box(drawing, one)
        for pin, hole in one.holes.items():
            x, y = _spot(hole, below=False)
            drawing.dot(x, y, 0.9)
            if one.ref in ("U1", "W1") or one.ref.startswith("J"):
                ink = "#b4451f" if one.kind == "end" else "#222"
                drawing.text(x, y + (3.7 if hole[1] < 3 else -1.6), pin, at="middle", ink=ink)
            elif known[one.ref].part in SIDED and len(one.holes) < 4:
                drawing.text(x, y - 1.3, pin, at="middle", ink="#777")
        _label(drawing, one, known)
    return drawing.svg


def _box(drawing: Drawing, one: Placed) -> None:
    left, low, right, high = one.covers
    x0, y0 = _spot((left, high), below=False)
    x1, y1 = _spot((right, low), below=False)
    drawing.box(x0, y0, x1 - x0, y1 - y0, "#e6edf5")


def _label(drawing: Drawing, one: Placed, known: dict[str, Component]) -> None:
    """Write a part's name where no leg is: within, next to or below the part."""
    if one.ref == "U1":
        return
    left, low, right, high = one.covers
    x, y = _spot(((left + right) / 2, (low + high) / 2), below=False)
    kind = known[one.ref].part if one.ref in known else ""
    value = known[one.ref].value.replace(" ", "") if kind in ("resistor", "fuse") else ""
    if one.ref[0] == "J" or (one.ref == "W1" and low == 0):
        drawing.text(x, y + (-4.5 if low < 3 else 5.5), one.ref, at="middle")
    elif kind == "ceramic":
        drawing.upright(x + STEP + 1, y + (-3 if low < ROWS / 2 else 3), one.ref)
    elif kind in ("pmos", "npn", "buzzer", "electrolytic"):
        drawing.text(x, y + 4.2, one.ref, at="middle")
    elif high - low > right - left:
        drawing.upright(x + (4 if one.kind == "end" else 1), y, f"{one.ref} {value}".strip())
    else:
        drawing.text(x, y + 1, f"{one.ref} {value}".strip(), at="middle")
    if kind == "hc595":
        at_x, at_y = _spot(one.holes["QB"], below=False)
        drawing.text(at_x, at_y - 1.5, "1", at="middle", ink="#777")
        drawing.dot(at_x - 2.2, y, 1.2, "#f6f3ea")


def wires_svg(sheet: Sheet) -> str:
    """Draw the view from below: pads, TVS diodes, bare wires (broad), insulated wires (thin)."""
    drawing = _empty(sheet, below=True)
    for wire in sorted(sheet.wires, key=lambda one: not one.bare):
        a, b = _spot(wire.a, below=True), _spot(wire.b, below=True)
        wide = 1.3 if wire.bare else 0.9 if wire.net in perfboard.THICK else 0.45
        drawing.line(*a, *b, INKS.get(wire.net, LINE), wide=wide)
        if not wire.bare:
            for x, y in (a, b):
                drawing.dot(x, y, 0.8, INKS.get(wire.net, LINE))
    for one in sheet.parts:
        for hole in one.holes.values():
            drawing.dot(*_spot(hole, below=True), 0.7, "#555")
        if one.kind == "pads":
            (x0, y0), (_, y1) = (_spot(hole, below=True) for hole in one.holes.values())
            drawing.box(x0 - 1.2, min(y0, y1) + 0.6, 2.4, abs(y1 - y0) - 1.2, "#7a9")
    return drawing.svg


# --- tables ---------------------------------------------------------------------------------------


def screws_line(sheet: Sheet) -> str:
    """A line that names the holes of the board's four screws."""
    *others, last = map(name, sheet.screws)
    return f"The four screws are at {', '.join(others)} and {last}."


def parts_table(sheet: Sheet, known: dict[str, Component]) -> str:
    """A table of every part of the board, with the holes of its legs."""

    def row(one: Placed) -> tuple[str, ...]:
        part = known[one.ref]
        number = parts()[part.part]["number"]
        legs = ", ".join(f"{pin} {name(hole)}" for pin, hole in one.holes.items())
        below = "below" if one.kind == "pads" else ""
        return one.ref, part.value or number, legs, below

    standing = sorted(
        (one for one in sheet.parts if one.kind != "end"),
        key=lambda one: (one.ref.rstrip("0123456789"), int(one.ref.lstrip("BCDFJQRUZ"))),
    )
    return table("part | what | legs in the holes | side", map(row, standing))


def ends_table(sheet: Sheet) -> str:
    """A table of where the wires begin that leave the board without a terminal."""
    said = {"U1": "the Nano's carrier", "J3": "the socket J3, pole", "W1": "the other board, W1"}
    rows = (
        (f"{said[one.ref]} {pin}", name(hole))
        for one in sorted(sheet.parts, key=lambda one: one.ref)
        if one.kind == "end"
        for pin, hole in one.holes.items()
    )
    return table("to | from hole", rows)


def bare_table(sheet: Sheet) -> str:
    """A table of every bare wire. Wires in one line are shown as one."""
    runs: list[list[Hole]] = []
    nets: list[str] = []
    for wire in sheet.wires:
        if wire.bare and runs and nets[-1] == wire.net and runs[-1][-1] == wire.a:
            runs[-1].append(wire.b)
        elif wire.bare:
            runs.append([wire.a, wire.b])
            nets.append(wire.net)
    rows = (
        (f"`{net}`", " to ".join(name(hole) for hole in run))
        for net, run in zip(nets, runs, strict=True)
    )
    return table("net | from hole to hole, bare", rows)


def wires_table(sheet: Sheet) -> str:
    """A table of every insulated wire with the length to cut: its way, and 15 mm for both ends."""

    def row(wire: Wire) -> tuple[str, ...]:
        gauge = "0.75" if wire.net in perfboard.THICK else "0.14"
        return f"`{wire.net}`", name(wire.a), name(wire.b), f"{wire.mm + 15:.0f}", gauge, "☐"

    loose = (wire for wire in sheet.wires if not wire.bare)
    return table("net | from | to | cut, mm | mm² | done", map(row, loose))


def _pages() -> Iterator[tuple[Sheet, dict[str, Component]]]:
    for build in BUILDS:
        known = {one.ref: one for one in netlist(build)}
        yield from ((sheet, known) for sheet in perfboard.sheets(build))


def made() -> dict[Path, str]:
    """The page and its drawings, each with its proper content."""
    files, words = {}, dict[str, str]()
    for sheet, known in _pages():
        for view, drawn in (("parts", parts_svg(sheet, known)), ("wires", wires_svg(sheet))):
            files[HARDWARE / f"perfboard-{sheet.name}-{view}.svg"] = drawn
        words[sheet.name] = "\n\n".join(
            (
                screws_line(sheet),
                parts_table(sheet, known),
                ends_table(sheet),
                bare_table(sheet),
                wires_table(sheet),
            )
        )
    page = HARDWARE / "PERFBOARD.md"
    return {page: filled(page, words), **files}
