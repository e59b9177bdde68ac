"""Measures how fast faces are found and read, on one core and on drawn pictures."""

from __future__ import annotations

import time

import cv2

from tests.vision.faces.drawn import At, corners, picture, whole
from vision.faces.find import find
from vision.faces.passage import sliding
from vision.faces.read import CornerReader
from vision.faces.recognise import recognise
from vision.lip import Lip

LAID = [
    At(code, 180 + 230 * n, 300 + 180 * (n % 2), 190, 17 * n)
    for n, code in enumerate(["5h", "Kc", "9s", "Td", "Ah"])
]


def rows() -> list[tuple[str, float, str, str]]:
    """Measure. Return rows of name, value, unit and budget."""
    cv2.setNumThreads(1)
    reader = CornerReader()
    scene = picture(*LAID)
    one = picture(LAID[0])
    where = whole(LAID[0])
    lip = Lip(px_per_mm=4.0)
    lying = picture(At("Jc", 330, 240, lip.card_px, 3), size=(480, 640), ground=(20, 20, 20))
    grey = cv2.cvtColor(lying, cv2.COLOR_BGR2GRAY)
    eye = sliding(reader, lip, corners(At("Jc", 330, 240, lip.card_px, 3)))
    return [
        (
            "one face read, its corners known",
            _ms(lambda: reader.read(one, where)),
            "ms",
            "< 5",
        ),
        ("a card in the calibrated lip found and read", _ms(lambda: list(eye(grey))), "ms", "< 5"),
        ("cards found by outline, 1280 x 960", _ms(lambda: find(scene)), "ms", ""),
        (
            "five cards found and read, 1280 x 960",
            _ms(lambda: recognise(scene, reader)),
            "ms",
            "< 100",
        ),
        (
            "no card in sight, 1280 x 960",
            _ms(lambda: recognise(picture(), reader), 5),
            "ms",
            "< 100",
        ),
    ]


def _ms(work, times=15) -> float:
    """The median core time (ms) of several runs of `work`; the machine has other work, too."""
    taken = []
    for _ in range(times):
        began = time.process_time()
        work()
        taken.append((time.process_time() - began) * 1000)
    return sorted(taken)[times // 2]
