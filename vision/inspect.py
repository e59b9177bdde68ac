"""Shows a technician one frame: the region, the gate, and the readings of each witness.

It names cards, so it is for a service mode in which no game can run. The caller ensures that.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Pixels
from vision.gate import View, look
from vision.lip import Lip
from vision.manifest import LabelVerdict
from vision.reader import Sight
from vision.sharp import told
from vision.witness import Reading

_GREEN, _AMBER = (80, 200, 80), (0, 170, 255)  # blue, green, red


@dataclass(frozen=True, slots=True)
class Inspection:
    """What was found in one frame.

    Attributes:
        jpeg: the frame with the region (green) and the gate's line (amber where paper covers it).
        view: the paper in the gate and near it.
        said: one line per witness and reading, e.g. `zxing: 7h copy 3`.
        picture: one sentence about the frame's brightness and one about its sharpness.
    """

    jpeg: bytes
    view: View
    said: tuple[str, ...]
    picture: tuple[str, ...]


def inspect(picture: Pixels, sight: Sight) -> Inspection:
    """Inspect one grey frame of the lip."""
    readings = [reading for eye in sight.eyes() for reading in eye(picture)]
    view = look(picture, sight.lip)
    done, jpeg = cv2.imencode(".jpg", _drawn(picture, sight.lip, view))
    if not done:
        raise ValueError(f"a picture of shape {picture.shape} cannot be shown")
    said = tuple(f"{reading.witness}: {_name(reading, sight)}" for reading in readings)
    sharp = told(picture, sight.lip, view)
    return Inspection(jpeg.tobytes(), view, said or ("nothing is legible",), sharp)


def _name(reading: Reading, sight: Sight) -> str:
    if reading.card:
        return f"{reading.card}, by its face"
    lookup = sight.lookup()
    if lookup is None:
        return "a code, but there is no manifest"
    found = lookup(reading.text)
    if found.entry:
        return found.entry.name
    return f"a card of shoe {found.shoe}" if found.verdict is LabelVerdict.OTHER_SHOE else "foreign"


def _drawn(picture: Pixels, lip: Lip, view: View) -> Pixels:
    shown = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    rows = lip.paper_rows(picture.shape[0])
    columns = slice(0, picture.shape[1]) if lip.whole else lip.columns()
    corner = (columns.stop - 1, rows.stop - 1)
    cv2.rectangle(shown, (columns.start, rows.start), corner, _GREEN, 1)
    colour = _AMBER if view.blocked else _GREEN
    cv2.line(shown, (lip.gate_px, 0), (lip.gate_px, picture.shape[0]), colour, 2)
    return np.asarray(shown, dtype=np.uint8)
