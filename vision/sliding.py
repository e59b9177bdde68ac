"""Faces of cards that slide through a calibrated lip: each is sought where its edges say it is.

Calibration gives the four corners of a card that lies in the gate. A card slides along the rows of
the picture, so its corners are these, moved as far as its leading or trailing edge has moved:
reading it takes a few milliseconds. What is not read there (a card askew) is sought everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from vision.faces.passage import faces
from vision.faces.quads import Points
from vision.faces.read import CornerReader
from vision.frame import Picture
from vision.gate import View, look
from vision.lip import Lip
from vision.reader import EyeOnFrame
from vision.witness import Reading


def sliding(
    reader: CornerReader, lip: Lip, corners: Sequence[tuple[float, float]] | None = None
) -> EyeOnFrame:
    """The witness that reads faces; without `corners` it always seeks in the whole picture."""
    anywhere = faces(reader)
    if corners is None:
        return anywhere
    known = np.asarray(corners, np.float32)

    def read(picture: Picture) -> Iterable[Reading]:
        place = moved(known, look(picture, lip))
        found = [] if place is None else list(faces(reader, [place])(picture))
        return found or anywhere(picture)

    return read


def moved(corners: Points, view: View) -> Points | None:
    """Where the corners of the card in the gate are; None where neither end of it is in sight."""
    if not view.blocked or (view.lead_cut and view.tail_cut):
        return None
    along = corners[:, 0]
    by = view.tail_px - along.min() if view.lead_cut else view.lead_px - along.max()
    return corners + np.array([by, 0], np.float32)
