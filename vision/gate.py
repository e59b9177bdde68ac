"""Finds the paper in one frame of the lip, in the gate and near it.

The module knows no code, no card's face and no time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.lip import Lip

_CELL_MM = 1.0  # noise of 12 on one pixel is 1.5 on a cell of 8 px
_LEAST_CELL = 4  # px
_ENOUGH = 0.2  # of a column's cells suffice, as a printed face darkens the others
_KNOWN = 16  # frames of the empty lip until it is known
_SLOWLY = 0.03  # weight of each further frame
_BETWEEN = 0.5  # of the way from the empty lip to paper; anything above is not the lip
_SIGMAS = 5.0  # above the empty lip, in units of its own noise
_ASKEW = 1.1  # of a card: the reach of a card 15 degrees askew, distorted by the lens
PART = 0.9  # of a card; a shorter piece is part of one
_LIT = 0.5  # of the empty lip's level; less is darkness
_FADED = 0.4  # of its first level; less is darkness, however slowly it came
_SETTLED = 1000  # frames of the empty lip within which a camera finds its exposure
_CUT = float("inf")  # the length of a side that goes on outside the frame
_BANDS = 8  # of the frame's rows
_FEWEST = 3  # rows of cells in a band
_LONG = 0.75  # quantile of a band's rows, as a card's corners are round
_OUT = 0.06  # of its distance from the middle; an edge is followed as far out as this
BLACK = 12.0  # grey levels; a darker empty lip looks the same without light


@dataclass(frozen=True, slots=True)
class View:
    """The paper in the gate, if any, and the paper nearest to the gate on both sides.

    Attributes:
        blocked: whether paper is in the gate.
        tail_px, lead_px: the columns of the rear and the front end of the paper in the gate. If an
            end is outside the frame, the frame's border counts instead. If the gate is clear, both
            are the gate's column.
        tail_cut, lead_cut: whether that end is outside the frame.
        ahead_px, behind_px: if the gate is clear, the distance to the nearest paper that is already
            past the gate, and to the nearest paper before the gate; infinite without such paper.
        dark: whether the frame is too dark to show even the empty lip.
        along_px, across_px: the paper's length along the motion and its width across it, as
            medians, to a fraction of a pixel. Both are None if an end is outside the frame.
            `across_px` is infinite if the paper goes on above or below a frame that can show both
            long edges of a card.
        bands_px: the paper's length along the motion in bands of rows above and below the middle.
            Only bands in which both ends are in sight are included. The bands are numbered from the
            frame's top.
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
    bands_px: Mapping[int, float] = field(default_factory=dict)

    @property
    def length_px(self) -> float:
        """The length of the paper in the gate, as far as the frame shows the paper."""
        return self.lead_px - self.tail_px

    @property
    def empty(self) -> bool:
        """Whether no paper is in sight."""
        return not self.blocked and self.ahead_px == self.behind_px == float("inf")


class Gate:
    """Looks at frames in order, and learns from them how the empty lip looks, column by column.

    Anything as light as `paper_level` is paper. Next to such paper, a level half way from the empty
    lip's to `paper_level` is enough. A piece that has both ends in sight and is shorter than a card
    is part of a card. Such a piece is joined with its neighbour, up to a card's length, whatever is
    printed between them. But paper that was past a clear gate in the last frame is never joined to
    paper that comes to the gate in this frame.
    """

    def __init__(self, lip: Lip) -> None:
        self._lip = lip
        self._cell = max(_LEAST_CELL, round(lip.px_per_mm * _CELL_MM))
        self._seen = 0  # frames of the empty lip
        self._first = 0.0  # the empty lip's level at first
        self._empty: NDArray[Any] = np.zeros(0)  # level of each column of cells
        self._noise: NDArray[Any] = np.zeros(0)
        self._past = float("inf")  # paper from this cell on has passed a clear gate

    def look(self, picture: Pixels) -> View:
        """Find the paper in a grey frame, which must be as wide as the lip."""
        region = picture[self._lip.paper_rows(picture.shape[0])]
        high, wide = (max(1, side // self._cell) for side in region.shape)
        cells = np.asarray(cv2.resize(region, (wide, high), interpolation=cv2.INTER_AREA), float)
        paper = np.mean(cells > self._lip.paper_level, axis=0) >= _ENOUGH
        if not paper.any():
            if self._is_dark(cells):
                self._past = float("inf")
                return View(False, self._lip.gate_px, self._lip.gate_px, dark=True)
            self._learn(cells)
        paper[1:-1] |= paper[:-2] & paper[2:]  # a line of ink one cell wide is no gap
        view = self._view(self._joined(self._with_print(paper, cells)))
        ahead_px = float("inf") if view.blocked else view.ahead_px
        self._past = self._lip.gate_px // self._cell + ahead_px / self._cell
        if not view.blocked or view.tail_cut or view.lead_cut:
            return view
        return self._measured(picture, view)

    def _measured(self, picture: Pixels, view: View) -> View:
        """Return the view with the paper's length and width added, if both ends are in sight."""
        lip, reach = self._lip, 2 * self._cell
        region = picture[lip.paper_rows(picture.shape[0])]
        near = slice(max(0, int(view.tail_px) - reach), int(view.lead_px) + reach)
        middle = slice(*(int(view.tail_px + view.length_px * part) for part in (0.25, 0.75)))
        along, lean = self._side(region[:, near])
        if not 0 < along < _CUT:
            return view
        # Not if a hand is in sight, since a hand sticks out too.
        bands = {} if lip.whole else self._bands(picture, view, lean)
        view = replace(view, along_px=along, bands_px=bands)
        if not (lip.sides or lip.whole):
            return view  # the apparent edge is print
        across, slope = self._side(picture[:, middle].T)
        if not 0 < across < _CUT:
            cut = across == _CUT and lip.sides  # no hand is in sight there
            return replace(view, across_px=across if cut else None)
        # The rows are exposed one after the other while the card moves. So its ends lean, and a
        # card that is askew seems narrower.
        askew = slope * (1 + (lean + slope) * slope)
        level = float(np.cos(np.arctan(askew)))
        wide = across * (1 + (lean + askew) * askew) * level
        bands = {band: length * level for band, length in bands.items()}
        return replace(view, along_px=along * level, across_px=wide, bands_px=bands)

    def _bands(self, picture: Pixels, view: View, lean: float) -> dict[int, float]:
        """Measure the paper's length in each band of rows above and below the middle.

        If two cards are turned against each other, corners stick out far from the middle. The lens
        distorts each band in the same way in every frame, so each band is compared with itself.
        `lean` is the slant of the paper's ends.
        """
        rows, at = self._rows(picture)
        wide, off = picture.shape[1], at - at[-1] / 2
        reach = 2 * self._cell + _OUT * off[-1]
        start = np.round(view.tail_px - reach + lean * off).astype(int)
        span = np.arange(int(view.length_px + 2 * reach))
        columns = start[:, None] + span
        seen = np.take_along_axis(rows, np.clip(columns, 0, wide - 1), axis=1)
        seen[(columns < 0) | (columns >= wide)] = 0.0
        first = self._begins(seen)
        last = span[-1] - self._begins(seen[:, ::-1])
        whole = (seen > self._lip.paper_level).any(axis=1)
        whole &= (start + first > 1) & (start + last < wide - 2)
        middle = self._lip.paper_rows(picture.shape[0])
        whole &= (at + self._cell <= middle.start) | (at >= middle.stop)
        band = np.arange(len(rows)) * _BANDS // len(rows)
        lengths = {one: (last - first)[whole & (band == one)] for one in range(_BANDS)}
        return {
            one: float(np.quantile(some, _LONG))
            for one, some in lengths.items()
            if len(some) >= _FEWEST
        }

    def _rows(self, strips: Pixels) -> tuple[NDArray[Any], NDArray[Any]]:
        """The averages of groups of rows, each as high as a cell, and the place of each group."""
        high, wide = max(1, strips.shape[0] // self._cell), strips.shape[1]
        cut = np.ascontiguousarray(strips[: strips.shape[0] // high * high])
        rows = np.asarray(cv2.resize(cut, (wide, high), interpolation=cv2.INTER_AREA), float)
        return rows, np.arange(high) * (cut.shape[0] / high)

    def _side(self, strips: Pixels) -> tuple[float, float]:
        """Measure how long the paper is along the rows of `strips`, and how far its ends slant.

        The length is the median over the groups of rows. It is infinite if in most rows the paper
        goes on beyond the frame. The slant is the shift in columns from row to row. An end is the
        place where the grey is half way from the lip's to the paper's, so that neither light nor
        blur makes a card longer.
        """
        wide = strips.shape[1]
        rows, at = self._rows(strips)
        lit = (rows > self._lip.paper_level).any(axis=1)
        rows, at = rows[lit], at[lit]
        if not len(rows):
            return 0.0, 0.0
        first, last = self._begins(rows), wide - 1 - self._begins(rows[:, ::-1])
        if np.median(first) <= 1 or np.median(last) >= wide - 2:
            return _CUT, 0.0
        slope = np.polyfit(at, (first + last) / 2, 1)[0] if len(rows) > 1 else 0.0
        return float(np.median(last - first)), float(slope)

    def _begins(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Return where the paper begins in each row, to a fraction of a pixel."""
        reach, wide = 2 * self._cell, rows.shape[1]
        at = (rows > self._lip.paper_level).argmax(axis=1)[:, None]
        numbers = np.arange(len(rows))[:, None]
        near = rows[numbers, np.clip(at + np.arange(-reach, reach + 1), 0, wide - 1)]
        half = (near[:, :reach].min(axis=1) + near[:, reach:].max(axis=1))[:, None] / 2
        over = (near >= half).argmax(axis=1)[:, None]
        lines = numbers[:, 0]
        here = near[lines, over[:, 0]]
        before = near[lines, np.maximum(over[:, 0] - 1, 0)]
        part = np.where(here > before, (here - half[:, 0]) / np.maximum(here - before, 1e-6), 0.0)
        begins: NDArray[Any] = at[:, 0] + over[:, 0] - reach - part
        return begins

    def _is_dark(self, cells: NDArray[Any]) -> bool:
        if self._seen < _KNOWN:
            return False
        level = float(self._empty.mean())
        least = max(level * _LIT, self._first * _FADED)
        return max(level, self._first) > BLACK and float(cells.mean()) < least

    def _learn(self, cells: NDArray[Any]) -> None:
        """Learn the empty lip from the grey levels of these cells."""
        if not self._seen:
            self._empty = cells.mean(axis=0)
            self._noise = np.zeros_like(self._empty)
        share = max(_SLOWLY, 1 / (self._seen + 1))
        self._seen += 1
        if self._seen <= _SETTLED:
            self._first += (float(cells.mean()) - self._first) / self._seen
        off = np.sqrt(np.mean((cells - self._empty) ** 2, axis=0))
        self._empty += share * (cells.mean(axis=0) - self._empty)
        self._noise += share * (off - self._noise)

    def _with_print(self, paper: NDArray[Any], cells: NDArray[Any]) -> NDArray[Any]:
        """Add to the paper the columns that adjoin it and are clearly lighter than the empty lip.

        `paper` says for each column of `cells` whether it is paper.
        """
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
        """Join the parts of each card, the nearest parts first, and return all the paper."""
        card = self._lip.card_px / self._cell
        most = card * _ASKEW + 1  # plus half a cell at either end
        gate = self._lip.gate_px // self._cell
        while fit := [
            (lead - tail, tail, lead)
            for (start, tail), (lead, end) in pairwise(_pieces(paper))
            if end - start <= most
            and not tail <= gate < self._past <= lead
            and any(
                first and last < paper.size and last - first < PART * card
                for first, last in ((start, tail), (lead, end))
            )
        ]:
            _, tail, lead = min(fit)
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
    """Return, for each piece of paper, its first column and the first column after it."""
    edges = np.flatnonzero(np.diff(covered.astype(np.int8), prepend=0, append=0))
    return [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]


def look(picture: Pixels, lip: Lip) -> View:
    """Find the paper in a single grey frame. The empty lip was not learnt from earlier frames."""
    return Gate(lip).look(picture)
