"""Card artwork from Debian's packages, for training only. Read from where apt put it; never kept.

gnome-cards-data (GPL-3+ and others, see its copyright file) holds sheets of thirteen columns, ace
to king, and five rows: clubs, diamonds, hearts, spades, then jokers and a back.
kdegames-card-data-kf5 (GPL-2+) holds `standard`, whose columns run ace, king down to two.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from table_controller.rules.cards import RANKS, SUITS
from vision.training.deck import HEIGHT, PX, WIDTH

Image = NDArray[Any]
GNOME = Path("/usr/share/aisleriot/cards")
KDE = Path("/usr/share/carddecks/svg-standard/standard.svgz")
#: Sheets kept from training, to measure with.
HELD_OUT = ("anglo_poker", "plastic", "tigullio", "simplistic", "standard")
#: Their letters for jack, queen, king (and ace) are not J Q K A: only 2 to 10 are used.
FOREIGN_COURTS = (
    "ancient_french",
    "atlasnye",
    "atlasnye_skat",
    "bellot",
    "berlin",
    "lattmann",
    "paris",
    "rheinland",
    "tarocco",
)
#: Other suits, other places or other letters: nothing on them is an index of ours.
NOT_OURS = ("swiss-xvii",)
UNFIT = ("slavic_costumes", "Атласные", "tango_nuevo")


@dataclass(frozen=True, slots=True)
class Sheet:
    """One deck of artwork: faces by code, and pictures that hold no index of ours."""

    name: str
    faces: dict[str, Image]
    others: list[Image]


def sheets(*, held_out: bool = False) -> list[Sheet]:
    """All decks of artwork, or those kept to measure with. Raises FileNotFoundError."""
    if not GNOME.is_dir() or not KDE.is_file():
        raise FileNotFoundError(
            f"no card artwork in {GNOME} and {KDE}: apt install gnome-cards-data"
            " kdegames-card-data-kf5 librsvg2-bin"
        )
    paths = [KDE, *sorted(GNOME.glob("*.svgz"))]
    names = [path.stem for path in paths if path.stem not in UNFIT]
    wanted = [name for name in names if (name in HELD_OUT) is held_out]
    return [_sheet(path) for path in paths if path.stem in wanted]


def _sheet(path: Path) -> Sheet:
    name = path.stem
    if path == KDE:
        cells = _cells(path, "shcd", "AKQJT98765432", rows=4)
        cells.pop("As")  # it is clipped
        return Sheet(name, cells, [])
    cells = _cells(path, SUITS, RANKS, rows=5)
    others = [cells.pop(code) for code in list(cells) if code[1] not in SUITS]
    if name in NOT_OURS:
        return Sheet(name, {}, [*others, *cells.values()])
    if name in FOREIGN_COURTS:
        cells = {code: cell for code, cell in cells.items() if code[0] not in "AJQK"}
    return Sheet(name, cells, [other for other in others if other.std() > 4])


def _cells(path: Path, suits: str, ranks: str, *, rows: int) -> dict[str, Image]:
    done = subprocess.run(  # noqa: S603 - our own arguments
        ["rsvg-convert", "-w", str(13 * WIDTH * PX), str(path)],  # noqa: S607 - found as apt installed it
        capture_output=True,
        check=True,
    )
    sheet = cv2.imdecode(np.frombuffer(done.stdout, np.uint8), cv2.IMREAD_UNCHANGED)
    assert sheet is not None, f"rsvg-convert made no picture of {path}"
    seen = sheet[..., 3:].astype(np.float32) / 255
    flat = (sheet[..., :3] * seen + 255 * (1 - seen)).astype(np.uint8)
    high, wide = flat.shape[0] / rows, flat.shape[1] / 13
    cells = {}
    for row in range(rows):
        for column in range(13 if row < 4 else 3):
            suit = suits[row] if row < 4 else "?"
            cell = flat[
                round(row * high) : round((row + 1) * high),
                round(column * wide) : round((column + 1) * wide),
            ]
            cells[ranks[column] + suit] = _trim(cell)
    return cells


def _trim(cell: Image) -> Image:
    """Cut the gap around the card that some sheets leave, then the card's usual size."""
    edge = 3
    inner = cell[edge:-edge, edge:-edge]
    return cv2.resize(inner, (WIDTH * PX, HEIGHT * PX), interpolation=cv2.INTER_AREA)
