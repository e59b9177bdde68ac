import numpy as np
import pytest

from vision.gate import look
from vision.lip import SHIPPED, Lip


def _picture(*papers, noise=0):
    """Black with paper in these columns."""
    picture = np.full((192, 640), 28.0)
    for start, end in papers:
        picture[:, start:end] = 190
    if noise:
        picture += np.random.default_rng(1).normal(0, noise, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


def test_an_empty_lip_is_clear():
    """Nothing on either side."""
    view = look(_picture(noise=12), SHIPPED)

    assert not view.blocked
    assert (view.ahead_px, view.behind_px) == (float("inf"), float("inf"))


def test_paper_in_the_gate_is_measured():
    """Both ends to a cell of 8 px."""
    view = look(_picture((80, 584), noise=12), SHIPPED)

    assert view.blocked
    assert view.tail_px == pytest.approx(80, abs=8)
    assert view.lead_px == pytest.approx(584, abs=8)
    assert not view.tail_cut
    assert not view.lead_cut


def test_an_end_outside_the_picture_is_cut():
    """It may be anywhere out there."""
    view = look(_picture((0, 400)), SHIPPED)

    assert (view.tail_cut, view.lead_cut) == (True, False)
    assert look(_picture((300, 640)), SHIPPED).lead_cut


def test_the_nearest_paper_on_each_side_of_a_clear_gate():
    """Which tells a card that left from one pushed back."""
    view = look(_picture((0, 200), (400, 640)), SHIPPED)

    assert not view.blocked
    assert view.ahead_px == pytest.approx(80, abs=8)
    assert view.behind_px == pytest.approx(128, abs=8)


def test_a_rule_of_ink_is_no_gap_but_a_gap_of_three_millimetres_is():
    """Court cards have frames; cards have edges."""
    ruled = _picture((80, 584))
    ruled[:, 320:328] = 40
    parted = _picture((80, 308), (332, 584))

    assert look(ruled, SHIPPED).length_px == pytest.approx(504, abs=16)
    assert not look(parted, SHIPPED).blocked


def test_weak_and_strong_light_change_nothing():
    """Plus and minus 40 %."""
    for light in (0.6, 1.4):
        picture = np.clip(_picture((80, 584)) * light, 0, 255).astype(np.uint8)
        assert look(picture, SHIPPED).length_px == pytest.approx(504, abs=16)


def test_a_court_card_that_is_dark_in_its_middle_is_one_piece_of_paper_where_all_of_it_is_seen():
    """Without a label its robes are as dark as the lip; its borders are not."""
    lip = Lip(px_per_mm=4.0, whole=True)
    picture = np.full((480, 640), 25, np.uint8)
    picture[64:416, 194:446] = 190
    picture[120:360, 250:390] = 40

    assert look(picture, lip).length_px == pytest.approx(252, abs=16)
    assert not look(picture, Lip(px_per_mm=4.0)).blocked
