"""The face as a witness of a passage: what is read in each frame. The passage counts the votes.

Knows a frame and where cards lie in it; no time and no table. A face below its threshold is no
reading, so that nothing unsure can vote.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from vision.faces.quads import Points, Quad
from vision.faces.read import CornerReader
from vision.faces.recognise import cards
from vision.frame import Picture
from vision.lip import SHIPPED, Lip
from vision.passage import Reading, Witness
from vision.reader import EyeOnFrame

#: A card's sides in the picture may differ by this share from what the lip's scale says.
SLACK = 0.06


def faces(reader: CornerReader, lip: Lip = SHIPPED) -> EyeOnFrame:
    """The witness that reads faces.

    A card that lies whole in the lip as calibrated is read where it lies, in a few milliseconds.
    Where none does, the whole picture is searched, as for a webcam over a plain table.
    """

    def read(picture: Picture) -> Iterator[Reading]:
        colours = np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR))
        corners = place(picture, lip)
        if corners is None:
            found = [(one.quad.corners, one.reading) for one in cards(colours, reader)]
        else:
            found = [(corners, reader.read(colours, Quad(corners, 1.0)))]
        for at, reading in found:
            if reading.card is not None:
                yield Reading(Witness.FACE, card=reading.card, at_px=float(at[:, 0].mean()))

    return read


def place(picture: Picture, lip: Lip) -> Points | None:
    """The corners, clockwise, of the card that lies whole across the gate; None where none does.

    Found by paper being lighter than the empty lip, and by the lip's scale.
    """
    paper = cv2.threshold(cv2.blur(picture, (3, 3)), lip.paper_level, 255, cv2.THRESH_BINARY)[1]
    size = np.sort(lip.card_mm) * lip.px_per_mm
    for outline in cv2.findContours(paper, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
        around = cv2.minAreaRect(outline)
        if np.abs(np.sort(around[1]) / size - 1).max() < SLACK:
            corners = cv2.boxPoints(around)
            if corners[:, 0].min() < lip.gate_px < corners[:, 0].max():
                clockwise = cv2.contourArea(corners, True) > 0
                return np.asarray(corners if clockwise else corners[::-1], np.float32)
    return None
