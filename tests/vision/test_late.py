"""Cameras that do not say when a picture was taken: late pictures are not lost."""

import numpy as np
import pytest

from table_controller.engine.seen import Unknown
from tests.vision.passing import CLEAR, IN_GATE, code, unknown
from vision.camera import Camera, Settings
from vision.frame import Frame
from vision.gate import View
from vision.passage import Passages
from vision.reader import Reader, Sight
from vision.timeline import GAP

PERIOD = 1000 / 120


def told(steps, *, arrived=True, beam=False, shoe=None):
    """Why cards may have left unseen, by pictures so many periods one after the other."""
    passages, t_ms = Passages(shoe.lookup if shoe else None, beam=beam), 0.0
    gaps = []
    for step in [*[1] * 12, *steps]:
        t_ms += step * PERIOD
        passages.view(t_ms, CLEAR, arrived=arrived)
        gaps.append(passages.take_unseen())
    return [number - 12 for number, gap in enumerate(gaps) if gap == GAP]


@pytest.mark.parametrize(
    ("steps", "gaps"),
    [
        ([3, 0.1, 0.1, 0.8, 1, 1], []),  # two waited in the kernel's buffers
        ([4, 0.1, 0.1, 0.1, 0.7, 1], []),
        ([2.95, 0.05, 1, 1], []),  # one waited; what is not made up is less than a gap
        ([1.4, 0.6, 1.8, 0.2, 1], []),  # a busy machine
        ([3, 1, 1], [1]),  # nothing waited: they were not taken
        ([4, 0.1, 1, 1], [2]),  # one waited, two are lost
        ([3, 0.1, 3, 1], [3]),
        ([6, 0.1, 0.1, 0.1, 0.1, 1], [0]),  # more than the buffers hold
        ([120, 1], [0]),
    ],
)
def test_pictures_that_were_late_are_no_gap_and_pictures_that_were_lost_are(steps, gaps):
    """By their own times the late ones are a gap too, and the first picture after it says so."""
    assert told(steps) == gaps
    assert (0 in told(steps, arrived=False)) == (steps[0] >= 2.9)


def test_pictures_that_are_always_late_are_lost(shoe):
    """Eight a second of a camera that was set to 120: every time a card may have passed."""
    passages = Passages(shoe.lookup, fps=120)
    gaps = 0
    for number in range(40):
        passages.view(number * 125.0, CLEAR, arrived=True)
        gaps += passages.take_unseen() == GAP

    assert gaps == 39


def test_a_card_that_was_in_the_gate_when_pictures_were_lost_is_unsure(shoe):
    """Although it had left before that was certain; the card after it is sure."""
    passages, t_ms = Passages(shoe.lookup), 0.0
    past = View(False, 320, 320, ahead_px=240)
    for step, view in [
        *[(1, CLEAR)] * 12,
        *[(1, IN_GATE)] * 4,
        (4, past),
        (1, CLEAR),
        *[(1, CLEAR)] * 3,
        *[(1, IN_GATE)] * 4,
        (1, past),
    ]:
        t_ms += step * PERIOD
        passages.view(t_ms, view, arrived=True)
        passages.read(t_ms, [code(shoe.cards[t_ms > 200])] if view.blocked else [])

    assert unknown(passages) == [Unknown.UNSURE, None]


def test_a_beam_that_was_clear_before_the_late_picture_proves_that_nothing_left():
    """From the last punctual picture on; not if a card was in it meanwhile."""
    passages = Passages(None, beam=True)
    for number in range(12):
        passages.view(number * PERIOD, CLEAR, arrived=True)
    passages.edge(105, blocked=True)
    passages.edge(115, blocked=False)
    passages.view(11 * PERIOD + 4 * PERIOD, CLEAR, arrived=True)
    passages.view(11 * PERIOD + 5 * PERIOD, CLEAR, arrived=True)

    assert passages.take_unseen() == GAP


@pytest.mark.parametrize(("taken", "arrived"), [(None, True), (5e9, True), (999.0, False)])
def test_a_camera_says_whether_it_told_the_time_or_the_picture_just_came(taken, arrived):
    """None, or of another clock: then it is the time of its coming."""

    class Twin:
        def grab(self):
            return taken, np.zeros((48, 64), np.uint8)

        def release(self):
            pass

    settings = Settings(width=64, height=48)
    camera = Camera("twin", Twin, settings, clock_ms=lambda: 1000.0, wait=lambda _s: True)

    assert next(iter(camera)).arrived is arrived


def test_a_reader_hears_of_it(shoe):
    """From each frame."""
    gaps = []
    reader = Reader((), Sight(manifest=shoe), on_gap=gaps.append)
    t_ms = 0.0
    for step in [*[1] * 12, 3, 0.1, 0.1, 1]:
        t_ms += step * PERIOD
        reader.watch(Frame(t_ms, np.full((192, 640), 28, np.uint8), arrived=True))

    assert gaps == []
