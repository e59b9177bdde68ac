"""Exports the printed Schlitten: STEP and STL of every part, drawings, the pictures of BUILD.md.

`scripts/cad` calls this program, which needs the extra `cad` (build123d).
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any, Final

from build123d import Compound, ExportSVG, Pos, Rot, export_step, export_stl

from workshop.schlitten import box, model, plan

ROOT: Final = Path(__file__).parents[2]
PICTURES: Final = ROOT / "hardware" / "schlitten" / "pictures"
#: The parts in each picture of BUILD.md, by the step there; then those drawn apart above them.
STEPS: Final = {
    "step-2-box": (["box", "mirror", "camera"], []),
    "step-3-deck": (["box", "mirror", "camera", "deck", "sill", "eye"], ["window"]),
    "step-4-roof": (["box", "deck", "sill", "rail", "other rail"], ["roof", "gauge"]),
    "step-5-bed": (
        ["box", "deck", "sill", "rail", "other rail", "roof", "gauge", "bend", "bed", "plate"],
        ["hood"],
    ),
    "step-5-lid": (
        [
            "box",
            "deck",
            "sill",
            "rail",
            "other rail",
            "roof",
            "gauge",
            "bend",
            "bed",
            "plate",
            "hood",
            "wedge",
        ],
        ["lid"],
    ),
}
#: Words in a picture besides the names of its new parts, or a better place for such a name.
WORDS: Final[dict[str, dict[str, plan.Point]]] = {
    "step-2-box": {
        "post": (-110.0, 71.0, -34.0),
        "ledge": (0.0, 73.0, -26.0),
        "camera's wall": (-98.0, 0.0, -4.0),
        "hole for wires": (-75.0, 76.0, -10.0),
    },
    "step-4-roof": {
        "rail": (32.0, 60.0, 1.0),
        "roof": (-20.0, -52.0, 55.0),
        "finger's slot": (-10.0, 0.0, 48.0),
        "bore for D5": (-2.0, 38.0, 57.0),
    },
}
#: The viewpoint of the pictures of the steps.
CORNER: Final = (600, -900, 700)
LOOK: Final = (-40, 0, 0)
#: The viewpoint of the drawings of a part. A view straight down would have no upright.
EYES: Final = {"top": (-40, -0.01, 1000), "side": (-40, -1000, 0), "front": (1000, 0, 0)}


def solids() -> dict[str, Any]:
    """Every printed part in its place, with mirror, window and camera. The pack is half dealt."""
    made: dict[str, Any] = {name: make() for name, (make, _) in model.PARTS.items()}
    made["other rail"] = Rot(0, 0, 180) * made["rail"]
    made["mirror"], made["window"], made["camera"] = box.mirror(), model.window(), box.camera()
    rise, behind = math.tan(math.radians(plan.BED_RISE)), -200.0
    start, high = -plan.window_end() - plan.BEND * math.sin(math.radians(plan.PLATE)), 3.0
    made["wedge"] = Pos(behind, 0, plan.bend_high() + (start - behind) * rise + high) * (
        Rot(0, plan.BED_RISE, 0) * made["wedge"]
    )
    length, slope = plan.lid_mm()
    front = (start - plan.side_tall() / math.tan(math.radians(plan.PLATE)), plan.side_tall())
    down = Pos(-length / 2 - 0.3, 0, plan.WALL) * Rot(180, 0, 0) * made["lid"]
    made["lid"] = Pos(front[0], 0, plan.bend_high() + front[1]) * Rot(0, slope, 0) * down
    return made


def middle(name: str, part: Any) -> plan.Point:
    """Return where to write a part's name: at its middle, but on the near wall of the box."""
    found = part.bounding_box()
    center = found.center()
    return (center.X, found.min.Y if name == "box" else center.Y, center.Z)


def named(file: Path, words: dict[str, plan.Point]) -> None:
    """Write each word at its place into the picture in `file`, which is seen from CORNER."""
    ahead = [b - a for a, b in zip(CORNER, LOOK, strict=True)]
    flat, whole = math.hypot(*ahead[:2]), math.hypot(*ahead)
    right = (ahead[1] / flat, -ahead[0] / flat, 0.0)
    up = (-right[1] * -ahead[2] / whole, right[0] * -ahead[2] / whole, flat / whole)
    style = 'font-family="sans-serif" font-size="7" text-anchor="middle" fill="#b4451f"'
    halo = 'stroke="#fff" stroke-width="2" paint-order="stroke"'
    written = ""
    for word, spot in words.items():
        away = [a - b for a, b in zip(spot, LOOK, strict=True)]
        x = sum(a * b for a, b in zip(away, right, strict=True))
        y = sum(a * b for a, b in zip(away, up, strict=True))
        written += f'  <text x="{x:.1f}" y="{-y:.1f}" {style} {halo}>{word}</text>\n'
    svg = file.read_text("utf-8")
    file.write_text(svg.replace("</svg>", written + "</svg>"), "utf-8")


def drawn(parts: list[Any], file: Path, eye: tuple[float, float, float]) -> None:
    """Write a line drawing of the view from `eye` to `file`."""
    shown = Compound(children=parts)
    visible, _ = shown.project_to_viewport(eye, viewport_up=(0, 0, 1), look_at=LOOK)
    visible = [edge for edge in visible if edge.length > 0.2]  # no arc without a length is written
    size = Compound(children=visible).bounding_box().size
    svg = ExportSVG(scale=160 / max(size.X, size.Y), precision=2)
    svg.add_layer("seen", line_weight=0.25)
    svg.add_shape(visible, layer="seen")
    svg.write(str(file))


def main() -> int:
    """Write build/cad. With `--pictures`, also write the pictures of BUILD.md."""
    folder = ROOT / "build" / "cad"
    folder.mkdir(parents=True, exist_ok=True)
    made = solids()
    for name, (make, turn) in model.PARTS.items():
        part = make()
        turned = Rot(*turn) * part
        size = turned.bounding_box().size
        export_step(part, str(folder / f"{name}.step"))
        export_stl(turned, str(folder / f"{name}.stl"))
        for view, eye in EYES.items():
            drawn([part], folder / f"{name}-{view}.svg", eye)
        print(
            f"{name}: {part.volume / 1000:.0f} cm3, "
            f"{size.X:.0f} x {size.Y:.0f} x {size.Z:.0f} mm on the plate"
        )
    if "--pictures" in sys.argv[1:]:
        PICTURES.mkdir(exist_ok=True)
        known: set[str] = set()
        for name, (there, above) in STEPS.items():
            shown = {part: made[part] for part in there}
            shown |= {part: Pos(0, 0, 45) * made[part] for part in above}
            drawn([*shown.values()], PICTURES / f"{name}.svg", CORNER)
            words = {part: middle(part, shown[part]) for part in shown if part not in known}
            named(PICTURES / f"{name}.svg", words | WORDS.get(name, {}))
            known |= shown.keys()
    print(f"{len(model.PARTS)} parts in {folder.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
