"""The limits that a lip can compute from its numbers."""

import itertools

import pytest

from vision.limits import fastest_mps, pairs_mps, reading_ms, sightings, sure_mps
from vision.lip import SHIPPED, Lip


@pytest.mark.parametrize(
    ("lit_us", "module_mm", "mps"), [(500, 0.5, 1.0), (250, 0.5, 2.0), (500, 0.4, 0.8)]
)
def test_a_card_goes_one_module_on_while_it_is_lit(lit_us, module_mm, mps):
    """Half a millimetre in half a millisecond is a metre a second."""
    assert fastest_mps(Lip(module_mm=module_mm), lit_us) == pytest.approx(mps)


@pytest.mark.parametrize(("fps", "mps", "pictures"), [(120, 1.0, 6), (60, 1.0, 3), (120, 2.0, 3)])
def test_a_label_is_in_reach_for_so_many_pictures(fps, mps, pictures):
    """50 mm of its way: as hardware/BUILD.md says."""
    assert sightings(SHIPPED, fps, mps) == pytest.approx(pictures)


@pytest.mark.parametrize(
    ("wide_px", "fps", "pairs", "sure"),
    [
        (640, 60, 0.56, 0.78),
        (640, 90, 0.84, 1.17),
        (640, 120, 1.12, 1.56),
        (832, 60, 2.0, 2.22),
        (520, 120, 0.0, 0.0),
    ],
)
def test_both_ends_are_in_sight_up_to_a_speed(wide_px, fps, pairs, sure):
    """80 mm of window less 63 of card, 2 for a lean of 5 degrees and 2 of cells leave 13 mm."""
    lip = Lip(width_px=wide_px)

    assert sure_mps(lip, fps) == pytest.approx(sure, abs=0.01)
    assert pairs_mps(lip, fps) == pytest.approx(pairs, abs=0.01)


def test_a_machine_is_as_quick_as_its_middle_picture():
    """Five pictures of the lip's size, each asked of every witness; one may be slow."""
    sizes = []
    times = itertools.accumulate([0, 0.9, 0, 0.02, 0, 0.03, 0, 0.01, 0, 0.04])

    eyes = (lambda seen: sizes.append(seen.shape) or (),) * 2
    took = reading_ms(SHIPPED, eyes, clock_s=times.__next__)

    assert took == pytest.approx(30)
    assert sizes == [(480, 640)] * 10
