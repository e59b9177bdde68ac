"""All cards in a whole image, and the lines that `schlitten recognise --json` prints.

The module knows images and files, but no table and no secrets. It reads cards that are open in
front of a camera.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np

from table_controller.rules.cards import Card
from vision.faces.find import find
from vision.faces.quads import Image, Quad, same
from vision.faces.read import CornerReader, FaceReading

Box = list[float]
SUFFIXES = frozenset({".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"})
#: An outline without a name is reported if its fit is above this, or if an index was half legible.
CARD_LIKE, HALF_LEGIBLE = 0.93, 0.3


class Recognised(NamedTuple):
    """One card in an image: its name, or None with the reason; its confidence; its box in pixels.

    If the reason is a letter that this deck does not have, `letter` names it.
    """

    card: Card | None
    reason: str | None
    confidence: float
    box: Box
    letter: str | None = None


class BadPicture(ValueError):
    """A file that is not a complete image. The text names the file and the remedy."""


class FoundCard(NamedTuple):
    """An outline that is probably a card, and the reading of that card."""

    quad: Quad
    reading: FaceReading

    @property
    def whole(self) -> bool:
        """Whether the whole outline was in sight and two crops named the card."""
        return self.quad.spot is None and self.reading.votes > 1

    def box(self, shape: tuple[int, ...]) -> Box:
        """The upright box around the outline, within an image of `shape`."""
        x0, y0, x1, y1 = self.quad.box
        sides = [max(x0, 0.0), max(y0, 0.0), min(x1, float(shape[1])), min(y1, float(shape[0]))]
        return [round(side, 1) for side in sides]


def recognise(picture: Image, reader: CornerReader) -> list[Recognised]:
    """Every card in a BGR image, the surest first. A card that cannot be read has no name."""
    return [_seen(found, picture.shape) for found in cards(picture, reader)]


def cards(picture: Image, reader: CornerReader) -> list[FoundCard]:
    """Find every likely card, with its outline and its reading, the surest first.

    Whole outlines are read first, then cards with one side in sight. Outlines within a card that
    two crops named are skipped, because they are only its pips or its frame.
    """
    named: list[FoundCard] = []
    unnamed: list[FoundCard] = []
    for quad in find(picture):
        if not any(same(quad, found.quad) for found in named if found.whole):
            reading = reader.read(picture, quad)
            (unnamed if reading.card is None else named).append(FoundCard(quad, reading))
    return _settled(named + [found for found in unnamed if _worth_telling(*found)])


def _settled(read: list[FoundCard]) -> list[FoundCard]:
    """Return the cards, the surest first, without any that overlaps a surer card."""
    kept: list[FoundCard] = []
    for found in sorted(read, key=lambda found: _rank(*found)):
        if not any(same(found.quad, other.quad) for other in kept):
            kept.append(found)
    return kept


def _rank(quad: Quad, reading: FaceReading) -> tuple[bool, bool, int, float]:
    unread, dumb = reading.card is None, reading.letter is None
    return unread, unread and dumb, -reading.votes, -reading.confidence * quad.fit


def _worth_telling(quad: Quad, reading: FaceReading) -> bool:
    legible = reading.letter is not None or reading.confidence > HALF_LEGIBLE
    return quad.spot is None and (legible or quad.fit > CARD_LIKE)


def _seen(found: FoundCard, shape: tuple[int, ...]) -> Recognised:
    reading = found.reading
    reason = None if reading.reason is None else str(reading.reason)
    sure = round(reading.confidence, 4)
    return Recognised(reading.card, reason, sure, found.box(shape), reading.letter)


def load(path: Path) -> Image:
    """Load an image from a file, as BGR, turned as its EXIF data say. Raises BadPicture."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadPicture(f"{path}: cannot be read ({error.strerror}). Check the path.") from None
    if not data:
        raise BadPicture(f"{path}: the file is empty. Take the picture again.")
    if _cut_short(data):
        raise BadPicture(f"{path}: the picture is cut short. Copy the file again.")
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        picture = None
    if picture is None:
        kinds = " ".join(sorted(suffix[1:] for suffix in SUFFIXES))
        raise BadPicture(f"{path}: not a picture this program reads (it reads {kinds}).")
    return np.asarray(picture, np.uint8)


def _cut_short(data: bytes) -> bool:
    """Whether `data` are a JPEG or PNG that ends before its end mark.

    The decoder would fill the missing part with grey.
    """
    if data.startswith(b"\xff\xd8"):
        return not _jpeg_ends(data)
    return data.startswith(_PNG) and not _png_ends(data)


_PNG: Final = b"\x89PNG\r\n\x1a\n"
_RESTARTS: Final = range(0xD0, 0xD8)


def _jpeg_ends(data: bytes) -> bool:
    """Whether the picture has its end mark. A phone may put a film behind it."""
    at = 2
    while (at := data.find(b"\xff", at)) >= 0 and at + 4 <= len(data) + 2:
        mark = data[at + 1] if at + 1 < len(data) else 0
        if mark == 0xD9:
            return True
        if mark == 0xFF:
            at += 1  # a filling byte
        elif mark in (0x00, 0x01) or mark in _RESTARTS:
            at += 2  # within the picture's data
        else:  # a segment, which may contain a small picture with an end mark of its own
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return False


def _png_ends(data: bytes) -> bool:
    """Whether the picture has its last chunk. Other bytes may follow."""
    at = len(_PNG)
    while at + 12 <= len(data):
        size, name = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        at += 12 + size
        if name == b"IEND":
            return at <= len(data)
    return False


def pictures(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the image files. A folder means the images in it, in the order of their names."""
    for path in paths:
        if path.is_dir():
            yield from sorted(file for file in path.iterdir() if file.suffix.lower() in SUFFIXES)
        else:
            yield path


def lines(paths: Iterable[Path], reader: CornerReader) -> Iterator[dict[str, object]]:
    """Yield one line per image: its file, the time taken in ms, and its cards.

    For a bad image, the line has the file and the error.
    """
    for path in pictures(paths):
        try:
            picture = load(path)
        except BadPicture as error:
            yield {"file": str(path), "error": str(error)}
            continue
        start = time.perf_counter()
        seen = [one._asdict() for one in recognise(picture, reader)]
        yield {
            "file": str(path),
            "ms": round((time.perf_counter() - start) * 1000, 1),
            "cards": seen,
        }


def exit_code(told: Iterable[dict[str, object]]) -> int:
    """Return the exit code: 0 if every line's file could be read as an image, else 1."""
    return int(any("error" in line for line in told))
