"""Where paper is in one picture of the lip. Knows no code, no card's face and no time."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Picture
from vision.lip import Lip

_CELL = 8  # px; noise of 12 on one pixel is 1.5 on a cell
_ENOUGH = 0.2  # of a column's cells: a printed face darkens the others


@dataclass(frozen=True, slots=True)
class View:
    """The paper in the gate, if any, and the paper nearest to it on both sides.

    Attributes:
        blocked: paper is in the gate.
        tail_px, lead_px: both ends of the paper in the gate; an end that lies outside the
            picture is at its border. Both are the gate's column where it is clear.
        tail_cut, lead_cut: that end lies outside the picture.
        ahead_px, behind_px: from the clear gate to the nearest paper past it and before it,
            infinite where there is none.
    """

    blocked: bool
    tail_px: float = 0.0
    lead_px: float = 0.0
    tail_cut: bool = False
    lead_cut: bool = False
    ahead_px: float = float("inf")
    behind_px: float = float("inf")

    @property
    def length_px(self) -> float:
        """How much paper in one piece is in the gate, as far as the picture shows it."""
        return self.lead_px - self.tail_px


def look(picture: Picture, lip: Lip) -> View:
    """Find the paper in a grey picture of the lip's width."""
    region = picture[lip.paper_rows(picture.shape[0])]
    columns = region.shape[1] // _CELL
    cells = cv2.resize(
        region, (columns, max(1, region.shape[0] // _CELL)), interpolation=cv2.INTER_AREA
    )
    paper = np.mean(np.asarray(cells) > lip.paper_level, axis=0) >= _ENOUGH
    paper[1:-1] |= paper[:-2] & paper[2:]  # a rule of ink, one cell wide, is no gap
    gate = lip.gate_px // _CELL
    bare = np.flatnonzero(~paper)
    if not paper[gate]:
        covered = np.flatnonzero(paper)
        after, before = covered[covered > gate], covered[covered < gate]
        return View(
            False,
            lip.gate_px,
            lip.gate_px,
            ahead_px=float(after[0] - gate) * _CELL if after.size else float("inf"),
            behind_px=float(gate - before[-1]) * _CELL if before.size else float("inf"),
        )
    after, before = bare[bare > gate], bare[bare < gate]
    tail = int(before[-1]) + 1 if before.size else 0
    lead = int(after[0]) if after.size else columns
    return View(True, tail * _CELL, lead * _CELL, tail == 0, lead == columns)
