"""Reads card faces as a witness of a passage. Each frame is read; the passage counts the votes.

The module knows a frame and the places of cards in it, but no time and no table. A face that is
read below the threshold counts as not read, so that nothing unsure can vote.

Calibration gives the four corners of a card in the gate. A card slides along the rows of the frame.
So from frame to frame its corners move as far as its leading or trailing edge. Reading only at
these corners takes a few milliseconds. If nothing is read there, because the card is askew, the
whole frame is searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import cv2
import numpy as np

from vision.faces.quads import Points, Quad
from vision.faces.read import CornerReader
from vision.faces.recognise import cards
from vision.frame import Pixels
from vision.gate import View, look
from vision.lip import Lip
from vision.reader import EyeOnFrame
from vision.witness import Reading, Witness


def faces(reader: CornerReader, places: Iterable[Points] | None = None) -> EyeOnFrame:
    """Return the witness that reads faces.

    Each of `places` is the four corners of a card as calibrated, in pixels, clockwise. Reading at
    one place takes a few milliseconds. Without `places` the whole frame is searched, as for a
    webcam over a plain table. The witness reports no foreign letters: a card with such a letter
    counts as unread.
    """
    known = None if places is None else [np.asarray(place, np.float32) for place in places]

    def read(picture: Pixels) -> Iterator[Reading]:
        colours = np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR))
        if known is None:
            found = [(one.quad.corners, one.reading) for one in cards(colours, reader)]
        else:
            found = [(place, reader.read(colours, Quad(place, 1.0))) for place in known]
        for corners, reading in found:
            if reading.card is not None:
                yield Reading(Witness.FACE, card=reading.card, at_px=float(corners[:, 0].mean()))

    return read


def sliding(
    reader: CornerReader,
    lip: Lip,
    corners: Sequence[tuple[float, float]] | None = None,
) -> EyeOnFrame:
    """Return the witness that reads the faces of sliding cards.

    `corners` are those of a card in the gate as calibrated. Without `corners` the witness always
    searches the whole frame.
    """
    anywhere = faces(reader)
    if corners is None:
        return anywhere
    known = np.asarray(corners, np.float32)

    def read(picture: Pixels) -> Iterable[Reading]:
        place = moved(known, look(picture, lip))
        found = [] if place is None else list(faces(reader, [place])(picture))
        return found or anywhere(picture)

    return read


def moved(corners: Points, view: View) -> Points | None:
    """Return the corners of the card in the gate; None if neither end of the card is in sight.

    `corners` are the calibrated ones, from which the card has moved.
    """
    if not view.blocked or (view.lead_cut and view.tail_cut):
        return None
    along = corners[:, 0]
    by = view.tail_px - along.min() if view.lead_cut else view.lead_px - along.max()
    return corners + np.array([by, 0], np.float32)
