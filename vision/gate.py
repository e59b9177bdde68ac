"""Where paper is in one picture of the lip. Knows no code, no card's face and no time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.lip import Lip

_CELL_MM = 1.0  # noise of 12 on one pixel is 1.5 on a cell of 8 px
_LEAST_CELL = 4  # px
_ENOUGH = 0.2  # of a column's cells: a printed face darkens the others
_KNOWN = 16  # pictures of the empty lip, until it is known
_SLOWLY = 0.03  # of each further one
_BETWEEN = 0.5  # of the way from the empty lip to paper: no more the lip
_SIGMAS = 5.0  # above the empty lip, in its own noise
_PART = 0.9  # of a card: less in one piece is a part of one
_LIT = 0.5  # of the empty lip's own level: less is darkness
_BLACK = 12.0  # levels: an empty lip below that looks alike in darkness


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
        dark: the lip itself is not to be seen.
        along_px, across_px: the paper's sides in the middle of its rows and columns, to a pixel;
            None where an end lies outside the picture.
    """

    blocked: bool
    tail_px: float = 0.0
    lead_px: float = 0.0
    tail_cut: bool = False
    lead_cut: bool = False
    ahead_px: float = float("inf")
    behind_px: float = float("inf")
    dark: bool = False
    along_px: float | None = None
    across_px: float | None = None

    @property
    def length_px(self) -> float:
        """How much paper in one piece is in the gate, as far as the picture shows it."""
        return self.lead_px - self.tail_px

    @property
    def empty(self) -> bool:
        """Whether no paper is in sight."""
        return not self.blocked and self.ahead_px == self.behind_px == float("inf")


class Gate:
    """Looks at pictures in their order, and learns the empty lip from them, column by column.

    What is as light as `paper_level` is paper; beside such paper less is enough, half of the way
    from the empty lip. What lies in sight with both ends and is shorter than a card is a part of
    one: with its neighbour, as far as a card reaches, it is one piece, whatever is printed between.
    """

    def __init__(self, lip: Lip) -> None:
        self._lip = lip
        self._cell = max(_LEAST_CELL, round(lip.px_per_mm * _CELL_MM))
        self._seen = 0  # pictures of the empty lip
        self._empty: NDArray[Any] = np.zeros(0)  # by columns of cells
        self._noise: NDArray[Any] = np.zeros(0)

    def look(self, picture: Pixels) -> View:
        """Find the paper in a grey picture of the lip's width."""
        region = picture[self._lip.paper_rows(picture.shape[0])]
        high, wide = (max(1, side // self._cell) for side in region.shape)
        cells = np.asarray(cv2.resize(region, (wide, high), interpolation=cv2.INTER_AREA), float)
        paper = np.mean(cells > self._lip.paper_level, axis=0) >= _ENOUGH
        if not paper.any():
            if self._is_dark(cells):
                return View(False, self._lip.gate_px, self._lip.gate_px, dark=True)
            self._learn(cells)
        paper[1:-1] |= paper[:-2] & paper[2:]  # a rule of ink, one cell wide, is no gap
        view = self._view(self._joined(self._with_print(paper, cells)))
        if not view.blocked or view.tail_cut or view.lead_cut:
            return view
        near = slice(max(0, int(view.tail_px) - self._cell), int(view.lead_px) + self._cell)
        middle = slice(*(int(view.tail_px + view.length_px * part) for part in (0.25, 0.75)))
        return replace(
            view,
            along_px=self._side(region[:, near]),
            across_px=self._side(picture[:, middle].T),
        )

    def _side(self, strips: Pixels) -> float | None:
        """The middle one of the lengths of paper in the rows; None where most go to an end."""
        high, wide = max(1, strips.shape[0] // self._cell), strips.shape[1]
        rows = cv2.resize(np.ascontiguousarray(strips), (wide, high), interpolation=cv2.INTER_AREA)
        paper = np.asarray(rows) > self._lip.paper_level
        first, last = paper.argmax(axis=1), wide - 1 - paper[:, ::-1].argmax(axis=1)
        if np.median(first) <= 1 or np.median(last) >= wide - 2:
            return None
        return float(np.median((last - first + 1)[paper.any(axis=1)]))

    def _is_dark(self, cells: NDArray[Any]) -> bool:
        level = float(self._empty.mean()) if self._seen >= _KNOWN else 0.0
        return level > _BLACK and float(cells.mean()) < level * _LIT

    def _learn(self, cells: NDArray[Any]) -> None:
        """Nothing is in sight: the lip looks like this."""
        if not self._seen:
            self._empty = cells.mean(axis=0)
            self._noise = np.zeros_like(self._empty)
        share = max(_SLOWLY, 1 / (self._seen + 1))
        self._seen += 1
        off = np.sqrt(np.mean((cells - self._empty) ** 2, axis=0))
        self._empty += share * (cells.mean(axis=0) - self._empty)
        self._noise += share * (off - self._noise)

    def _with_print(self, paper: NDArray[Any], cells: NDArray[Any]) -> NDArray[Any]:
        """The paper, and what stands out from the empty lip in one piece with it."""
        if self._seen < _KNOWN or not paper.any():
            return paper
        level = self._lip.paper_level
        above = np.maximum(_BETWEEN * (level - self._empty), _SIGMAS * self._noise)
        low = np.minimum(self._empty + above, level)
        more = (np.mean(cells > low, axis=0) >= _ENOUGH) | paper
        for start, end in _pieces(more):
            paper[start:end] |= paper[start:end].any()
        return paper

    def _joined(self, paper: NDArray[Any]) -> NDArray[Any]:
        """The paper with what is between the parts of one card."""
        card = self._lip.card_px / self._cell
        pieces = _pieces(paper)
        for (start, tail), (lead, end) in pairwise(pieces):
            parts = [
                first and last < paper.size and last - first < _PART * card
                for first, last in ((start, tail), (lead, end))
            ]
            if any(parts) and end - start <= card + 1:
                paper[tail:lead] = True
        return paper

    def _view(self, paper: NDArray[Any]) -> View:
        lip, cell = self._lip, self._cell
        gate = min(lip.gate_px // cell, paper.size - 1)
        bare = np.flatnonzero(~paper)
        if not paper[gate]:
            covered = np.flatnonzero(paper)
            after, before = covered[covered > gate], covered[covered < gate]
            return View(
                False,
                lip.gate_px,
                lip.gate_px,
                ahead_px=float(after[0] - gate) * cell if after.size else float("inf"),
                behind_px=float(gate - before[-1]) * cell if before.size else float("inf"),
            )
        after, before = bare[bare > gate], bare[bare < gate]
        tail = int(before[-1]) + 1 if before.size else 0
        lead = int(after[0]) if after.size else paper.size
        return View(True, tail * cell, lead * cell, tail == 0, lead == paper.size)


def _pieces(covered: NDArray[Any]) -> list[tuple[int, int]]:
    """Where each piece begins and ends."""
    edges = np.flatnonzero(np.diff(np.pad(covered, 1).astype(np.int8)))
    return [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]


def look(picture: Pixels, lip: Lip) -> View:
    """Find the paper in a grey picture by itself, the empty lip not being known."""
    return Gate(lip).look(picture)
