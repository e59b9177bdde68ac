"""The face as a witness of a passage: what is read in each frame. The passage counts the votes.

Knows a frame and where cards lie in it; no time and no table. A face below its threshold is no
reading, so that nothing unsure can vote.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import cv2
import numpy as np

from vision.faces.quads import Points, Quad
from vision.faces.read import CornerReader
from vision.faces.recognise import cards
from vision.frame import Picture
from vision.reader import EyeOnFrame
from vision.witness import Reading, Witness


def faces(reader: CornerReader, places: Iterable[Points] | None = None) -> EyeOnFrame:
    """The witness that reads faces.

    `places` are cards' four corners as calibrated, in pixels, clockwise: a few milliseconds each.
    Without them the whole picture is searched, as for a webcam over a plain table.
    """
    known = None if places is None else [np.asarray(place, np.float32) for place in places]

    def read(picture: Picture) -> Iterator[Reading]:
        colours = np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR))
        if known is None:
            found = [(one.quad.corners, one.reading) for one in cards(colours, reader)]
        else:
            found = [(place, reader.read(colours, Quad(place, 1.0))) for place in known]
        for corners, reading in found:
            if reading.card is not None:
                yield Reading(Witness.FACE, card=reading.card, at_px=float(corners[:, 0].mean()))

    return read
