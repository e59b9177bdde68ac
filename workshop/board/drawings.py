"""Draws the wiring and the building plan, and fills tables in hardware/WIRING.md and BUILD.md.

Everything comes from `hardware/board.toml` and `vision/lip.py`: the numbers that the firmware, the
drivers, the labels and the calibration use. `scripts/generate` writes the files that are out of
date. As long as one is out of date, a test fails.
"""

from __future__ import annotations

from html import escape
from itertools import pairwise
from pathlib import Path

from hardware.netlist import BUILDS, chain, lamp_net, nano_pins
from hardware.pins import pi_pins
from vision.lip import SHIPPED, Lip
from workshop.board import wiring
from workshop.board.plan_numbers import numbers_table
from workshop.schlitten import plan

HARDWARE = Path(__file__).parents[2] / "hardware"

#: A Nano seen from above, USB at the top: the pins down each side, as printed on the board.
NANO = """
D13 D12
3V3 D11
REF D10
A0  D9
A1  D8
A2  D7
A3  D6
A4  D5
A5  D4
A6  D3
A7  D2
5V  GND
RST RST
GND D0
VIN D1
"""

#: The supplies of the Pi's header, besides the pins that the table uses.
PI_SUPPLY = {1: "3.3 V", 2: "5 V", 4: "5 V", 17: "3.3 V"} | dict.fromkeys(
    (6, 9, 14, 20, 25, 30, 34, 39), "GND"
)

_INK = {"in": "#1f5fa8", "out": "#b4451f", "": "#999"}


class Drawing:
    """Shapes on a page, in millimetres. `svg` returns the picture."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self._parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"',
            '  font-family="DejaVu Sans, sans-serif" font-size="3" role="img">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>',
        ]

    def box(self, x: float, y: float, w: float, h: float, fill: str = "#f4f4f0") -> None:
        """Add a rectangle with its upper left corner at x, y."""
        self._parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" fill="{fill}" stroke="#333" '
            'stroke-width="0.3"/>'
        )

    def line(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        ink: str = "#333",
        *,
        dash: str = "",
        wide: float = 0.4,
    ) -> None:
        """Add a straight line."""
        style = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(
            f'<line x1="{x0:g}" y1="{y0:g}" x2="{x1:g}" y2="{y1:g}" stroke="{ink}" '
            f'stroke-width="{wide:g}"{style}/>'
        )

    def text(self, x: float, y: float, words: str, *, at: str = "start", ink: str = "#222") -> None:
        """Add words. `at` says which part of the words is at x: start, middle or end."""
        self._parts.append(
            f'<text x="{x:g}" y="{y:g}" text-anchor="{at}" fill="{ink}">{escape(words)}</text>'
        )

    def dot(self, x: float, y: float, radius: float, ink: str = "#333") -> None:
        """Add a filled circle."""
        self._parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{ink}"/>')

    def holes(self, x: float, y: float, columns: int, rows: int, step: float) -> None:
        """Add a board's holes, with the upper left corner of their grid at x, y."""
        self._parts.append(
            f'<defs><pattern id="hole" x="{x:g}" y="{y:g}" width="{step:g}" height="{step:g}" '
            f'patternUnits="userSpaceOnUse"><circle cx="{step / 2:g}" cy="{step / 2:g}" r="0.45" '
            f'fill="#c9c2ae"/></pattern></defs><rect x="{x:g}" y="{y:g}" '
            f'width="{columns * step:g}" height="{rows * step:g}" fill="url(#hole)"/>'
        )

    def upright(self, x: float, y: float, words: str, ink: str = "#222") -> None:
        """Add words that run upwards, with their middle at x, y."""
        self._parts.append(
            f'<text transform="translate({x:g} {y:g}) rotate(-90)" text-anchor="middle" '
            f'fill="{ink}">{escape(words)}</text>'
        )

    def measure(self, x0: float, x1: float, y: float, words: str) -> None:
        """Add a horizontal dimension line from `x0` to `x1`, with words."""
        self.line(x0, y, x1, y, "#777")
        for x in (x0, x1):
            self.line(x, y - 1.5, x, y + 1.5, "#777")
        self.text((x0 + x1) / 2, y - 1, words, at="middle", ink="#555")

    @property
    def svg(self) -> str:
        """The whole picture as SVG."""
        return "\n".join([*self._parts, "</svg>", ""])


def nano_svg() -> str:
    """Draw the Nano with every wire that leaves it."""
    drawing = Drawing(400, 112, "Wires of the table board")
    pins = {pin.pin: pin for pin in nano_pins()}
    drawing.box(182, 6, 40, 100, "#e8eef5")
    drawing.box(194, 2, 16, 8, "#ccc")
    drawing.text(202, 7, "USB", at="middle")
    drawing.text(202, 58, "Arduino Nano", at="middle")
    drawing.text(202, 63, "from above", at="middle")
    for row, both in enumerate(NANO.split("\n")[1:-1]):
        y = 16 + row * 6
        for printed, (edge, towards, at) in zip(
            both.split(), ((182.0, -1, "end"), (222.0, 1, "start")), strict=True
        ):
            pin = pins.get(printed)
            ink = _INK[pin.way if pin else ""]
            inner = "end" if towards > 0 else "start"
            drawing.text(edge - towards * 2, y + 1, printed, at=inner, ink=ink)
            if pin or printed in {"5V", "GND"}:
                drawing.line(edge, y, edge + towards * 8, y, ink)
                words = f"{pin.name}: {wiring.goes_to(pin)}" if pin else _supply(printed)
                drawing.text(edge + towards * 10, y + 1, words.replace("`", ""), at=at, ink=ink)
    return drawing.svg


def _supply(printed: str) -> str:
    return "from D1, and to the inputs' pull-ups only" if printed == "5V" else "GND of everything"


def pi_svg() -> str:
    """Draw the Pi's header with every wire that leaves it."""
    drawing = Drawing(320, 134, "Wires of the Pi's own pins")
    pins = {pin.header: pin for pin in pi_pins()}
    drawing.box(138, 6, 24, 124, "#e9f3e6")
    drawing.text(150, 4.5, "pin 1 is next to the SD card's end of the board", at="middle")
    for number in range(1, 41):
        left = number % 2 == 1
        y, edge, towards = 11 + (number - 1) // 2 * 6, 138.0 if left else 162.0, -1 if left else 1
        pin = pins.get(number)
        ink = _INK[pin.way if pin else ""]
        drawing.text(edge - towards * 2, y + 1, str(number), at="start" if left else "end", ink=ink)
        words = f"GPIO{pin.gpio} {pin.name}: {pin.to}" if pin else PI_SUPPLY.get(number, "")
        if words:
            drawing.line(edge, y, edge + towards * 6, y, ink)
            drawing.text(edge + towards * 8, y + 1, words, at="end" if left else "start", ink=ink)
    return drawing.svg


def chain_svg() -> str:
    """Draw the way of the clocked line through the chips of lamps and digits."""
    drawing = Drawing(252, 124, "The chain of lamp drivers and displays")
    names = {pin.name: pin.pin for pin in nano_pins()}
    drawing.box(4, 10, 30, 106, "#e8eef5")
    drawing.text(19, 7, "Nano", at="middle")
    drawing.text(50, 7, "Lamps of build board:")
    for y, name in (
        (20, "MOSI"),
        (28, "SCK"),
        (36, "LAMP_LATCH"),
        (44, "LAMP_ENABLE"),
        (74, "DIGITS_LOAD"),
        (102, "LAMP_LATCH"),
        (110, "LAMP_ENABLE"),
    ):
        drawing.text(32, y + 1, f"{name} {names[name]}", at="end", ink=_INK["out"])
    for chip, ref in enumerate(chain("hc595").refs):
        x = 50 + chip * 40
        drawing.box(x, 14, 31, 34)
        drawing.text(x + 15.5, 12, f"74HC595 {ref}", at="middle")
        for place in range(8):
            lamp = lamp_net(chip * 8 + place).replace("LAMP_", "seat ").replace("_", " ")
            words = f"Q{'ABCDEFGH'[place]} {lamp.lower() or 'free'}"
            drawing.text(x + 2, 18 + place * 3.9, words)
        drawing.line(x - 9 if chip else 34, 20, x, 20, _INK["out"])
        drawing.text(x - 5, 19, "SER" if not chip else "QH'", at="middle", ink=_INK["out"])
    for number, name in enumerate(chain("max7219").refs):
        x = 50 + number * 60
        drawing.box(x, 62, 46, 22)
        drawing.text(x + 23, 60, f"MAX7219 {name}: display {number + 1}", at="middle")
        drawing.text(x + 23, 72, "8 digits, no decoding", at="middle")
        drawing.text(x + 23, 78, "right digit is DIG0", at="middle")
        drawing.line(x - (16 if not number else 14), 68, x, 68, _INK["out"])
        drawing.text(x - 7, 67, "DOUT" if number else "DIN", at="middle", ink=_INK["out"])
    drawing.text(41, 71.5, "MOSI", at="middle", ink=_INK["out"])
    for line, words in enumerate(
        (
            "SRCLK and CLK: SCK, all chips",
            "RCLK, OE: all 74HC595",
            "SRCLR (pin 10): 5 V, all 74HC595",
            "LOAD: both MAX7219",
            "330 Ω at the Nano in every line",
            "10 kΩ: OE, LOAD to 5 V; the others to GND",
        )
    ):
        drawing.text(172, 62 + 6 * line, words)
    _strip(drawing)
    return drawing.svg


def _strip(drawing: Drawing) -> None:
    """Draw the lamps of build `modules`, which pass data and clock from one to the next."""
    drawing.text(50, 95, "Lamps of build modules (the displays are as above):")
    for number, seat in enumerate(("1", "2", "12")):
        x = 50 + number * 60
        drawing.box(x, 98, 40, 16)
        drawing.text(x + 20, 107, f"APA102, seat {seat}", at="middle")
        for y, inward, outward in ((102, "DI", "DO"), (110, "CI", "CO")):
            drawing.line(x - 16 if not number else x - 20, y, x, y, _INK["out"])
            drawing.text(x + 2, y + 1, inward)
            drawing.text(x + 38, y + 1, outward, at="end")
    drawing.text(160, 107, "and so on", at="middle")


def lip_svg() -> str:
    """Draw the printed Schlitten's lip, cut along the motion, to scale.

    The drawing shows the card's way, the mirror, the camera and the light.
    """
    drawing = Drawing(250, 150, "The lip from the side")
    folded, end = plan.fold(), plan.window_end()

    def at(x: float, z: float) -> tuple[float, float]:
        return 150 + x, 60 - z

    def path(points: list[tuple[float, float]], ink: str = "#333", dash: str = "") -> None:
        for one, two in pairwise(points):
            drawing.line(*at(*one), *at(*two), ink, dash=dash)

    path([(x, plan.floor_at(x)) for x in range(-95, -44)] + [(-end, 0.0), (end, 0.0)])
    path([(end, 0.0), (plan.mouth(), plan.floor_at(plan.mouth()))])
    gap = plan.ROOF, plan.gap_at(plan.mouth())
    path([(-end, gap[0]), (end, gap[0])], "#a07030")
    path([(end, gap[1]), (plan.mouth(), plan.floor_at(plan.mouth()) + gap[1])], "#a07030")
    low = -folded.height
    path([(-118, plan.deck_low()), (-118, low), (plan.mouth(), low), (plan.mouth(), -5)])
    path([*folded.ends], "#1f5fa8")
    lens = (folded.lens[0], folded.lens[2])
    for x in (-folded.half[0], 0.0, folded.half[0]):
        hit = plan.mirror_meets(folded, (x, 0.0, 0.0))
        path([(x, 0.0), (hit[0], hit[2]), lens], "#1f5fa8", "2 2")
    drawing.box(*at(lens[0] - 12, lens[1] + 8), 12, 16, "#444")
    drawing.text(*at(lens[0] - 40, lens[1] - 14), "camera, lens 2.8 mm")
    drawing.text(*at(-4, -50), f"mirror {folded.length:.0f} x {2 * folded.half_width:.0f} mm")
    drawing.text(*at(30, 5), "roof")
    drawing.text(*at(plan.mouth() + 2, -2), f"slit, {plan.DROP:g}° down")
    drawing.text(*at(-92, 40), "front plate")
    for _, z in plan.lamp_edges():
        drawing.line(*at(-40, z), *at(40, z), "#c90", dash="1 2")
    drawing.text(*at(-38, plan.LAMP[1] - 1), "strips, 72 mm to either side", ink="#a07030")
    x0, y = at(-end + plan.FRAME, 0)
    drawing.measure(x0, at(end - plan.FRAME, 0)[0], y - 12, f"seen {2 * folded.half[0]:g} mm")
    drawing.measure(at(-118, 0)[0], at(plan.mouth(), 0)[0], 134, f"{plan.mouth() + 118:.0f} mm")
    drawing.text(*at(plan.mouth() + 2, low / 2), f"{folded.height:.0f} mm")
    drawing.text(*at(-2, plan.ROOF + 3), "gate and beam", ink="#c00")
    path([(0, 6), (0, -10)], "#c00", "1 1")
    return drawing.svg


def label_svg(lip: Lip = SHIPPED) -> str:
    """Draw a card's face with its label, as the camera sees it from below, to scale."""
    along, across = lip.card_mm
    drawing = Drawing(150, 116, "The label on the card's face")
    x, y = 40.0, 14.0
    drawing.box(x, y, along, across, "#fff")
    middle_x, middle_y, side = x + along / 2, y + across / 2, lip.label_mm
    reach, off = lip.reach_px / lip.px_per_mm, lip.across_px / lip.px_per_mm
    drawing.box(middle_x - side / 2, middle_y - side / 2, side, side, "#ddd")
    drawing.text(middle_x, middle_y + 1, "QR", at="middle")
    drawing.measure(
        middle_x - side / 2, middle_x + side / 2, middle_y + side / 2 + 6, f"{side:g} mm"
    )
    drawing.line(x - 10, middle_y - off, x + along + 10, middle_y - off, "#1f5fa8", dash="2 2")
    drawing.line(x - 10, middle_y + off, x + along + 10, middle_y + off, "#1f5fa8", dash="2 2")
    drawing.text(x + along + 2, middle_y + 9, f"centre within ±{off:g} mm", ink="#1f5fa8")
    drawing.text(x + along + 2, middle_y + 13, "of the middle row", ink="#1f5fa8")
    drawing.measure(x, x + along, y - 4, f"{along:g} mm along the motion")
    drawing.text(
        x + 2, y + across + 5, f"{across:g} mm across; read within ±{reach:g} mm of the gate"
    )
    return drawing.svg


def box_svg() -> str:
    """Draw the box for a webcam (docs/WEBCAM.md): from the side, and its top from above.

    One millimetre of the drawing is two of the box.
    """
    drawing = Drawing(250, 128, "The box for a webcam, from the side and from above")
    _box_side(drawing)
    _box_top(drawing)
    return drawing.svg


def _box_side(drawing: Drawing) -> None:
    left, right, top, floor = 14.0, 112.0, 46.0, 118.0
    begin, end = 23.0, 103.0  # of the window
    drawing.box(begin, 8, end - begin, top - 8, "#222")
    drawing.text((begin + end) / 2, 22, "roof of black paper,", at="middle", ink="#fff")
    drawing.text((begin + end) / 2, 27, "open at both sides", at="middle", ink="#fff")
    for one, two in ((left, begin), (end, right)):
        drawing.line(one, top, two, top, wide=1.2)
    drawing.line(begin, top, end, top, "#1f5fa8", wide=0.8)
    drawing.line(46, top - 1.2, 77.5, top - 1.2, "#b4451f", wide=1.2)
    drawing.text(62, top - 4, "card, face down", at="middle", ink="#fff")
    for x0, x1 in ((2.0, 12.0), (114.0, 124.0)):
        drawing.line(x0, top - 1.2, x1, top - 1.2, "#b4451f")
        drawing.line(x1 - 2, top - 2.4, x1, top - 1.2, "#b4451f")
        drawing.line(x1 - 2, top, x1, top - 1.2, "#b4451f")
    drawing.line(left, top, left, floor, wide=1.2)
    drawing.line(right, top, right, floor, wide=1.2)
    drawing.line(left, floor, right, floor, wide=1.2)
    drawing.box(57, 106, 12, 12, "#444")
    for x in (begin, end):
        drawing.line(63, 106, x, top, "#1f5fa8", dash="2 2")
    drawing.text(72, 112, "webcam")
    drawing.text(72, 116, "(looks up)")
    drawing.box(20, 98, 12, 20, "#f6d98a")
    drawing.line(33, 96, 33, 118, "#999", dash="1 1", wide=0.8)
    drawing.text(36, 101, "lamp behind")
    drawing.text(36, 105, "tissue paper")
    drawing.text(63, top + 6, "window with a clear lid", at="middle", ink="#1f5fa8")


def _box_top(drawing: Drawing) -> None:
    drawing.box(134, 22, 104, 92, "#222")
    drawing.box(147, 38, 80, 60, "#fff")
    drawing.box(171.25, 46, 31.5, 44, "#f7e9e2")
    drawing.text(187, 66, "card", at="middle")
    drawing.text(187, 70, "6.3 x 8.8", at="middle")
    drawing.text(187, 34, "rim: black", at="middle", ink="#fff")
    drawing.line(150, 68, 166, 68, "#b4451f")
    drawing.line(163.5, 66.5, 166, 68, "#b4451f")
    drawing.line(163.5, 69.5, 166, 68, "#b4451f")
    drawing.measure(147, 227, 120, "16 cm; for a picture of 16:9, 21 cm")
    drawing.line(241, 38, 241, 98, "#777")
    for y in (38.0, 98.0):
        drawing.line(239.5, y, 242.5, y, "#777")
    drawing.upright(247, 68, "12 cm", ink="#555")
    drawing.text(185, 18, "the box's top, from above", at="middle")


def filled(path: Path, parts: dict[str, str]) -> str:
    """The page at `path`, with the text between `<!-- NAME -->` and `<!-- /NAME -->` replaced.

    `parts` gives the new text for each NAME.
    """
    text = path.read_text("utf-8")
    for name, part in parts.items():
        begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
        head, _, rest = text.partition(begin)
        _, found, tail = rest.partition(end)
        if not found:
            raise ValueError(f"{path} has no {begin} … {end}")
        text = f"{head}{begin}\n{part}\n{end}{tail}"
    return text


def made() -> dict[Path, str]:
    """Every file that is drawn or filled here, with its proper content."""
    wires, building = HARDWARE / "WIRING.md", HARDWARE / "BUILD.md"
    return {
        HARDWARE.parent / "docs/webcam-box.svg": box_svg(),
        HARDWARE / "wiring-nano.svg": nano_svg(),
        HARDWARE / "wiring-pi.svg": pi_svg(),
        HARDWARE / "wiring-chain.svg": chain_svg(),
        HARDWARE / "build-lip.svg": lip_svg(),
        HARDWARE / "build-label.svg": label_svg(),
        wires: filled(
            wires,
            {
                "nano": wiring.nano_table(),
                "guards": wiring.guard_table(),
                "hc595": wiring.chip_table("hc595"),
                "max7219": wiring.chip_table("max7219"),
                "plugs": wiring.plugs_table(),
                "takes": wiring.takes_table(),
                "schlitten": wiring.schlitten_table(),
                "figures": wiring.figures_table(),
                "sheets": wiring.sheets_table(),
                "pi": wiring.pi_table(),
                **{f"nets-{build}": wiring.nets_table(build) for build in BUILDS},
            },
        ),
        building: filled(
            building,
            {
                "numbers": numbers_table(plan.LIP),
                "costs": wiring.costs_table(),
                **{f"parts-{name}": wiring.parts_table(name) for name in BUILDS},
            },
        ),
    }
