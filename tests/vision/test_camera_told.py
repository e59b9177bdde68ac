"""A reader's reports of its camera: gaps, stillness, and pictures that cannot be read."""

import numpy as np
import pytest

from vision.frame import Frame
from vision.reader import Reader, Sight
from vision.timeline import DROPPED, GAP, STILL

PERIOD = 1000 / 120
EMPTY = np.full((192, 640), 28, np.uint8)


def test_a_reader_tells_gaps_stillness_and_a_queue_that_ran_over(shoe):
    """Each by itself; stillness once while it lasts, and that it is over."""
    gaps, camera = [], []
    reader = Reader((), Sight(manifest=shoe), on_gap=gaps.append, on_camera=camera.append)
    for number in range(20):
        reader.watch(Frame(number * PERIOD, EMPTY))
    reader.due(1000.0)
    assert camera == [""]

    reader.due(1300.0)
    reader.due(1400.0)
    reader.watch(Frame(1500.0, EMPTY))
    reader.due(1508.0)
    reader.dropped()
    reader.dropped(overrun=True)

    assert camera == ["", STILL, ""]
    assert gaps == [GAP, DROPPED]


@pytest.mark.parametrize(
    ("bad", "why"), [(None, "lost"), (EMPTY[:, :320], "the frames are 320 pixels wide")]
)
def test_a_camera_is_well_by_a_picture_that_can_be_read_and_by_nothing_else(shoe, bad, why):
    """It hangs; then its driver says so, or its pictures are of another size; then nothing more."""
    camera = []
    reader = Reader((), Sight(manifest=shoe), on_camera=camera.append)
    reader.watch(Frame(0.0, EMPTY))
    reader.due(1000.0)
    reader.watch(Frame(1500.0, bad, why))
    for now_ms in (1500.0, 1600.0, 9000.0):
        reader.due(now_ms)
    assert camera[:2] == ["", STILL]
    assert [why in one for one in camera[2:]] == [True]

    reader.watch(Frame(9001.0, EMPTY))
    reader.due(9002.0)

    assert camera[3:] == [""]
