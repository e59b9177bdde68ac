"""Card artwork from Debian packages, for training only. It is read where apt installed it.

gnome-cards-data (GPL-3+ and others, see its copyright file) contains sheets of thirteen columns,
ace to king, and five rows: clubs, diamonds, hearts, spades, then jokers and a back.
kdegames-card-data-kf5 (GPL-2+) contains `standard`, whose columns are ace, then king down to two.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from table_controller.rules.cards import RANKS, SUITS
from tests.vision.decks.deck import HEIGHT, PX, WIDTH
from vision.faces.letters import USUAL, Alphabet, parse

Image = NDArray[Any]
GNOME = Path("/usr/share/aisleriot/cards")
KDE = Path("/usr/share/carddecks/svg-standard/standard.svgz")
#: A sheet with German suits, held out of training entirely. Its acorns are drawn too small to be
#: cut out.
GERMAN = Path("/usr/share/carddecks/svg-xskat-german/german.svgz")
#: Sheets that are held out of training, to measure with.
HELD_OUT = ("anglo_poker", "plastic", "tigullio", "simplistic", "standard")
#: Also held out since training uses other letters too. Before that it saw 2 to 10 of the first
#: three.
HELD_OUT_SINCE = ("ancient_french", "bellot", "berlin", "slavic_costumes")
#: The letters of ace, king, queen and jack on sheets that do not have A K Q J.
LETTERS = {
    "ancient_french": "1 R D V",
    "atlasnye_skat": "A K D B",
    "berlin": "A K D B",
    "lattmann": "A K D B",
    "rheinland": "A K D B",
    "slavic_costumes": "Т К Д В",
    "tarocco": "A R D F",
    "Атласные": "Т К Д В",
}
#: Sheets with other suits, places or letters. Nothing on them is an index of ours.
NOT_OURS = ("swiss-xvii",)
UNFIT = ("tango_nuevo",)


@dataclass(frozen=True, slots=True)
class Sheet:
    """One deck of artwork: the faces by code, cards without an index of ours, and the letters."""

    name: str
    faces: dict[str, Image]
    others: list[Image]
    letters: Alphabet = USUAL

    def bears(self, rank: str) -> str:
        """The letter on the indices of this rank; "" if the net has no class for it."""
        return self.letters.glyph(rank) or ""


def sheets(*, held_out: bool = False) -> list[Sheet]:
    """The decks of artwork for training, or those held out of training.

    Raises FileNotFoundError.
    """
    if not GNOME.is_dir() or not KDE.is_file():
        raise FileNotFoundError(
            f"no card artwork in {GNOME} and {KDE}: apt install gnome-cards-data"
            " kdegames-card-data-kf5 librsvg2-bin"
        )
    paths = [KDE, *sorted(GNOME.glob("*.svgz"))]
    names = [path.stem for path in paths if path.stem not in UNFIT]
    kept = (*HELD_OUT, *HELD_OUT_SINCE)
    wanted = [name for name in names if (name in kept) is held_out]
    return [_sheet(path) for path in paths if path.stem in wanted]


def _sheet(path: Path) -> Sheet:
    name = path.stem
    if path == KDE:
        cells = _cells(path, "shcd", "AKQJT98765432", rows=4)
        cells.pop("As")  # this card is clipped
        return Sheet(name, cells, [])
    cells = _cells(path, SUITS, RANKS, rows=5)
    others = [cells.pop(code) for code in list(cells) if code[1] not in SUITS]
    if name in NOT_OURS:
        return Sheet(name, {}, [*others, *cells.values()])
    letters = parse(LETTERS.get(name, str(USUAL)))
    unknown = [code for code in cells if letters.glyph(code[0]) is None]
    others += [cells.pop(code) for code in unknown]
    return Sheet(name, cells, [other for other in others if other.std() > 4], letters)


def strangers() -> list[Image]:
    """Return cards of German packs: of the suits leaves and bells, and Unter and Ober of hearts."""
    ranks = ("7", "8", "9", "10", "jack", "queen", "king", "1")
    names = [f"{rank}_{suit}" for suit in ("spade", "diamond") for rank in ranks]
    wide = str(2 * WIDTH * PX)
    return [
        drawn_alone(["-i", f"#{name}", "-w", wide, str(GERMAN)])
        for name in (*names, "jack_heart", "queen_heart")
    ]


def drawn_alone(asked: list[str]) -> Image:
    """Draw a single card with rsvg-convert and these arguments, and cut it to its edges."""
    flat, seen = _rendered(asked)
    ys, xs = np.nonzero(seen > 0.5)
    inner = flat[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    return cv2.resize(inner, (WIDTH * PX, HEIGHT * PX), interpolation=cv2.INTER_AREA)


def _rendered(asked: list[str]) -> tuple[Image, Image]:
    """Draw with rsvg-convert on white. Return the drawing and a mask of the drawn places."""
    done = subprocess.run(
        ["rsvg-convert", *asked],
        capture_output=True,
        check=True,
    )
    sheet = cv2.imdecode(np.frombuffer(done.stdout, np.uint8), cv2.IMREAD_UNCHANGED)
    assert sheet is not None, f"rsvg-convert made no picture of {asked}"
    seen = sheet[..., 3].astype(np.float32) / 255
    flat = sheet[..., :3] * seen[..., None] + 255 * (1 - seen[..., None])
    return flat.astype(np.uint8), seen


def _cells(path: Path, suits: str, ranks: str, *, rows: int) -> dict[str, Image]:
    flat, _ = _rendered(["-w", str(13 * WIDTH * PX), str(path)])
    cells = {}
    for row, column, cell in parted(flat, rows):
        suit = suits[row] if row < 4 else "?"
        cells[ranks[column] + suit] = _trim(cell)
    return cells


def parted(sheet: Image, rows: int) -> Iterator[tuple[int, int, Image]]:
    """Yield a sheet's cards with row and column: thirteen of each suit, and three others below."""
    high, wide = sheet.shape[0] / rows, sheet.shape[1] / 13
    for row in range(rows):
        for column in range(13 if row < 4 else 3):
            yield (
                row,
                column,
                sheet[
                    round(row * high) : round((row + 1) * high),
                    round(column * wide) : round((column + 1) * wide),
                ],
            )


def _trim(cell: Image) -> Image:
    """Cut off the gap that some sheets leave around the card, and scale it to the usual size."""
    edge = 3
    inner = cell[edge:-edge, edge:-edge]
    return cv2.resize(inner, (WIDTH * PX, HEIGHT * PX), interpolation=cv2.INTER_AREA)
