from dataclasses import replace

import numpy as np
import pytest

from vision.gate import Gate, look
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
    parted = _picture((0, 308), (332, 640))

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


def test_dark_artwork_closes_no_gate():
    """Between two light borders in a card's length lies that card, however broad the dark is."""
    view = look(_picture((80, 112), (552, 584), noise=12), SHIPPED)

    assert (view.blocked, view.tail_px, view.lead_px) == (True, 80, 584)


@pytest.mark.parametrize(("lead_px", "blocked"), [(568, True), (576, False)])
def test_parts_are_of_one_card_as_far_as_one_that_lies_askew_may_reach(lead_px, blocked):
    """70 cells, for a card's 63, and no more, which is less than what counts as two cards."""
    view = look(_picture((8, 312), (464, lead_px)), SHIPPED)

    assert view.blocked is blocked
    assert not blocked or (view.tail_px, view.lead_px) == (8, lead_px)


def test_a_dark_court_that_lies_askew_is_one_piece():
    """Fifteen degrees, the ends in columns 0 and 544 as filmed: the gate lies in its dark robe."""
    picture = _picture((0, 304), (328, 544))
    picture[:, 60:250], picture[:, 380:500] = 40, 40

    assert look(picture, SHIPPED).blocked


def test_what_has_passed_the_gate_is_no_part_of_what_comes():
    """A tail whose card is dark beyond it, and the next card's edge, 65 cells from end to end.

    A border that just leapt over the gate, between two pictures, is a part of its own card.
    """
    gate = Gate(SHIPPED)
    for papers, blocked in (
        (((400, 448),), False),
        (((0, 8), (472, 520)), False),
        (((0, 80), (544, 592)), False),
        (((0, 300), (340, 372), (616, 640)), True),
    ):
        assert gate.look(_picture(*papers)).blocked is blocked


def test_two_cards_are_two_pieces_where_each_goes_on_outside_the_picture():
    """One that left half out, and the next behind it."""
    view = look(_picture((0, 250), (330, 640)), SHIPPED)

    assert not view.blocked
    assert (view.ahead_px, view.behind_px) == (8, 72)


def test_beside_paper_half_of_the_way_from_the_empty_lip_is_enough():
    """Once the empty lip is known: it is 28 here, paper 60 or more, so 44 is enough."""
    gate = Gate(SHIPPED)
    grey = _picture((80, 200))
    grey[:, 200:584] = 50

    assert not gate.look(grey).blocked
    for _ in range(20):
        gate.look(_picture(noise=6))
    assert gate.look(grey).length_px == 504
    grey[:, 200:584] = 40
    assert not gate.look(grey).blocked


def test_a_picture_much_darker_than_the_empty_lip_shows_nothing():
    """A strobe that missed: known once the lip is; a lip that is black anyway looks the same."""
    for level, dark in ((28, True), (10, False)):
        gate = Gate(SHIPPED)
        for _ in range(20):
            assert not gate.look(np.full((192, 640), level, np.uint8)).dark

        assert gate.look(np.full((192, 640), 4, np.uint8)).dark is dark


@pytest.mark.parametrize(("fps", "tau_s"), [(120, 0.8), (120, 0.3), (30, 0.8), (30, 60.0)])
def test_a_lamp_that_fades_out_ends_in_darkness(fps, tau_s):
    """It is not learnt as a darker lip; nor is anything that stays dark for long."""
    gate = Gate(SHIPPED)
    for _ in range(1000):
        gate.look(np.full((192, 640), 28, np.uint8))
    dark = [
        gate.look(np.full((192, 640), round(28 * np.exp(-n / fps / tau_s)), np.uint8)).dark
        for n in range(int(2 * tau_s + 5) * fps)
    ]

    assert dark[-1]
    assert dark.index(True) < 1.15 * tau_s * fps  # before paper of 190 falls below 60
    assert all(dark[dark.index(True) :])


@pytest.mark.parametrize(("before", "tau_s"), [(100, 0.3), (56, 20.0)])
def test_a_light_that_settles_or_goes_with_the_evening_is_learnt(before, tau_s):
    """An automatic exposure at its start; daylight that halves within half a minute."""
    gate = Gate(replace(SHIPPED, paper_level=120))

    assert not any(
        gate.look(
            np.full((192, 640), round(28 + (before - 28) * np.exp(-n / 30 / tau_s)), np.uint8)
        ).dark
        for n in range(30 * 40)
    )


def test_the_light_border_of_a_card_that_left_is_not_the_next_cards():
    """Its print is dark behind the border, which belongs to what lies nearest to it."""
    view = look(_picture((0, 130), (420, 440), (500, 640)), SHIPPED)

    assert not view.blocked
    assert (view.ahead_px, view.behind_px) == (96, 192)
