"""Prints the labels of a Schlitten's cards, as a PDF. It knows a manifest and the lip's sizes.

There is one label per card. The label is for the middle of the card's FACE, never for its back,
where a fixed code would make the card a marked card. The card's name is outside the cutting marks,
for the person who sticks the label on. The module knows no camera.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np
from fpdf import FPDF

from vision import codes
from vision.lip import QUIET, SHIPPED, Lip
from vision.manifest import LabelledCard, Manifest

_PAGE_MM = (210.0, 297.0)  # A4
_MARGIN_MM = 12.0  # most printers leave 5 mm or more unprinted
_HEAD_MM = 22.0
_NAME_MM = 13.0  # next to each label
_GAP_MM = 5.0  # between labels, for marks and scissors
_MARK_MM = 1.8
_CODE128_MODULE_MM = 0.25
_CODE128_QUIET = 10  # modules, as its standard requires
_CODE128_BAR_MM = 8.0


class Symbology(StrEnum):
    """The kind of device that reads the label."""

    QR = "qr"
    """Read by the lip's camera, or by a module that reads QR."""
    CODE128 = "code128"
    """Read by a serial barcode module. It counts only with a second witness."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """A label's size, and the number of labels that fit on a sheet."""

    width_mm: float
    height_mm: float

    @property
    def cell_mm(self) -> tuple[float, float]:
        return self.width_mm + _NAME_MM + _GAP_MM, self.height_mm + _GAP_MM

    @property
    def columns(self) -> int:
        return int((_PAGE_MM[0] - 2 * _MARGIN_MM) / self.cell_mm[0])

    @property
    def rows(self) -> int:
        return int((_PAGE_MM[1] - 2 * _MARGIN_MM - _HEAD_MM) / self.cell_mm[1])

    @property
    def per_sheet(self) -> int:
        return self.columns * self.rows

    def corner(self, place: int) -> tuple[float, float]:
        """The upper left corner of the label number `place` of a sheet, in mm."""
        row, column = divmod(place, self.columns)
        return (
            _MARGIN_MM + _MARK_MM + column * self.cell_mm[0],
            _MARGIN_MM + _HEAD_MM + row * self.cell_mm[1],
        )


def write_sheets(
    manifest: Manifest,
    path: Path,
    *,
    kind: Symbology = Symbology.QR,
    deck: str = "",
    lip: Lip = SHIPPED,
) -> int:
    """Write the labels of every card and the white cut card. Return the number of sheets.

    `deck` is a name for the sheets' heading. The file shows which card each token means. So the
    file is made with mode 0600, and should be kept like the manifest. Raises OSError.
    """
    sheets = _Sheets(kind, lip)
    named = f"Schlitten {manifest.shoe}" + (f", deck {deck}" if deck else "")
    count = -(-len(manifest.entries) // sheets.shape.per_sheet)
    for index, entry in enumerate(manifest.entries):
        sheet, place = divmod(index, sheets.shape.per_sheet)
        if place == 0:
            sheets.begin(f"{named} - sheet {sheet + 1} of {count}")
        sheets.label(entry, place)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):  # not the mode of a device
            os.fchmod(file.fileno(), 0o600)
            file.truncate()
        file.write(bytes(sheets.pdf.output()))
    return count


class _Sheets:
    """The PDF of the label sheets, while it is being made."""

    def __init__(self, kind: Symbology, lip: Lip) -> None:
        self.pdf = FPDF(format="A4")
        self.pdf.set_auto_page_break(False)
        self.pdf.set_title("Labels for card faces")
        self._kind, self._lip = kind, lip
        if kind is Symbology.QR:
            self.shape = _Shape(lip.label_mm, lip.label_mm)
        else:
            width = (79 + 2 * _CODE128_QUIET) * _CODE128_MODULE_MM
            self.shape = _Shape(width, _CODE128_BAR_MM)

    def begin(self, title: str) -> None:
        """Begin a new sheet, with its heading."""
        self.pdf.add_page()
        self._text(_MARGIN_MM, _MARGIN_MM + 4, title, 12, "B")
        where = "For the middle of the card's FACE. Never on a back: that would be a marked card."
        self._text(_MARGIN_MM, _MARGIN_MM + 9.5, where, 10, "B")
        turned = " Stick it with the bars pointing the way the card slides."
        size = f"{self.shape.width_mm:g} x {self.shape.height_mm:g} mm"
        first = (
            f"Print at 100 % (no fitting to the page) on matt sticker paper: each label is {size} "
        )
        first += "between its marks, the line on top is 50 mm long."
        second = "Cut along the marks; the name beside each label stays on the sheet. Lock unused "
        second += "labels away." + turned * (self._kind is Symbology.CODE128)
        self._text(_MARGIN_MM, _MARGIN_MM + 13.5, first, 8)
        self._text(_MARGIN_MM, _MARGIN_MM + 17.2, second, 8)
        self.pdf.set_line_width(0.2)
        end = _PAGE_MM[0] - _MARGIN_MM
        self.pdf.line(end - 50, _MARGIN_MM + 3, end, _MARGIN_MM + 3)

    def label(self, entry: LabelledCard, place: int) -> None:
        """Draw the label number `place` of a sheet, its cutting marks and its name outside them."""
        x, y = self.shape.corner(place)
        if self._kind is Symbology.QR:
            side = self._lip.module_mm
            quiet = QUIET * side
            self._modules(codes.qr(entry.token), (x + quiet, y + quiet), (side, side))
        else:
            quiet = _CODE128_QUIET * _CODE128_MODULE_MM
            cell = (_CODE128_MODULE_MM, _CODE128_BAR_MM)
            self._modules(codes.code128(entry.digits), (x + quiet, y), cell)
        self._cutting_marks(x, y)
        name, below = (entry.card, f"pack {entry.copy}") if entry.card else ("WHITE", "cut card")
        left, middle = x + self.shape.width_mm + _MARK_MM + 0.5, y + self.shape.height_mm / 2
        self._text(left, middle, name, 9, "B")
        self._text(left, middle + 3, below, 6.5)

    def _text(self, x: float, y: float, text: str, size: float, style: str = "") -> None:
        self.pdf.set_font("Helvetica", style, size)
        self.pdf.text(x, y, text)

    def _modules(
        self, modules: codes.Modules, corner: tuple[float, float], cell: tuple[float, float]
    ) -> None:
        """Draw black modules (cells of a code), one rectangle per run, so that no hairline shows.

        `corner` is the upper left corner of the code and `cell` the size of a module, in mm.
        """
        wide, high = cell
        self.pdf.set_fill_color(0)
        for row, line in enumerate(modules):
            ends = np.flatnonzero(np.diff(np.pad(line, 1).astype(np.int8)))
            for start, end in ends.reshape(-1, 2):
                left, top = corner[0] + start * wide, corner[1] + row * high
                self.pdf.rect(left, top, (end - start) * wide, high, style="F")

    def _cutting_marks(self, x: float, y: float) -> None:
        """Draw two short lines at each corner of the label at `x`, `y` (mm), outside the label."""
        self.pdf.set_line_width(0.1)
        right, bottom = x + self.shape.width_mm, y + self.shape.height_mm
        for edge, sideways in ((x, -_MARK_MM), (right, _MARK_MM)):
            for level, upwards in ((y, -_MARK_MM), (bottom, _MARK_MM)):
                self.pdf.line(edge, level, edge + sideways, level)
                self.pdf.line(edge, level, edge, level + upwards)
