"""Exports the printed Schlitten: STEP and STL of every part, drawings, the pictures of BUILD.md.

`scripts/cad` calls it. Needs the extra `cad` (build123d).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

from build123d import Compound, ExportSVG, Pos, Rot, export_step, export_stl

from hardware.schlitten import model, plan

ROOT: Final = Path(__file__).parents[1]
PICTURES: Final = ROOT / "hardware" / "schlitten" / "pictures"
#: What each step of BUILD.md shows: the parts, and those that are drawn apart above them.
STEPS: Final = {
    "step-1-box": (["box", "mirror"], []),
    "step-2-deck": (["box", "mirror", "deck", "sill", "eye"], ["window"]),
    "step-3-roof": (["box", "deck", "sill", "rail", "other rail"], ["roof", "gauge"]),
    "step-4-bed": (
        ["box", "deck", "sill", "rail", "other rail", "roof", "gauge", "bend", "bed", "plate"],
        ["hood"],
    ),
}
#: The directions from which a part is drawn; straight down would have no "up".
EYES: Final = {"top": (-40, -0.01, 1000), "side": (-40, -1000, 0), "front": (1000, 0, 0)}


def solids() -> dict[str, Any]:
    """Every printed part in its place, and the mirror and the window."""
    made: dict[str, Any] = {name: make() for name, (make, _) in model.PARTS.items()}
    made["other rail"] = Rot(0, 0, 180) * made["rail"]
    made["mirror"], made["window"] = model.mirror(), model.window()
    made["wedge"] = Pos(-200, 0, plan.bend_high() + 20) * made["wedge"]
    return made


def drawn(parts: list[Any], file: Path, eye: tuple[float, float, float]) -> None:
    """A line drawing of what is seen from `eye`."""
    shown = Compound(children=parts)
    visible, _ = shown.project_to_viewport(eye, viewport_up=(0, 0, 1), look_at=(-40, 0, 0))
    visible = [edge for edge in visible if edge.length > 0.2]  # leaves out arcs without a length
    size = Compound(children=visible).bounding_box().size
    svg = ExportSVG(scale=160 / max(size.X, size.Y), precision=2)
    svg.add_layer("seen", line_weight=0.25)
    svg.add_shape(visible, layer="seen")
    svg.write(str(file))


def main() -> int:
    """Write build/cad, and with `--pictures` the pictures of BUILD.md too."""
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
        for name, (there, above) in STEPS.items():
            parts = [made[part] for part in there] + [Pos(0, 0, 45) * made[part] for part in above]
            drawn(parts, PICTURES / f"{name}.svg", (600, -900, 700))
    print(f"{len(model.PARTS)} parts in {folder.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
