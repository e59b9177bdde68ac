import dataclasses
import itertools

import numpy as np
import pytest

from table_controller.rules.cards import PACK_32
from tests.vision.odd import Odd, glaring
from vision import manifest
from vision.generator import (
    AS_BUILT,
    Conditions,
    film,
    mixed,
    plan,
    plan_stocks,
    schlitten,
    straight,
)
from vision.lip import SHIPPED


def _some(shoe, seed, count=40, **settings):
    return list(itertools.islice(schlitten(shoe, seed, **settings), count))


def test_the_same_seed_makes_the_same_pictures_and_another_seed_others(shoe):
    """A recording is its seed."""
    first, again, other = _some(shoe, 1), _some(shoe, 1), _some(shoe, 2)

    assert all(np.array_equal(a.picture, b.picture) for a, b in zip(first, again, strict=True))
    assert not all(np.array_equal(a.picture, b.picture) for a, b in zip(first, other, strict=True))


def test_a_schlitten_has_every_card_once_and_the_white_card_seven_from_the_end(shoe):
    """312 cards mixed, then the cut card put in (ZP-4)."""
    order = mixed(shoe, 3)

    assert sorted(entry.token for entry in order) == sorted(entry.token for entry in shoe.entries)
    assert order[-8] == shoe.white
    assert mixed(shoe, 4) != order


def test_a_pack_of_32_is_mixed_with_its_white_card_too():
    """32 cards and the cut card before the last seven, none of them a two to six."""
    box = manifest.make("blue-1", bytes(32), packs=1, pack=32)
    order = mixed(box, 3)

    assert sorted(one.card for one in order if one.card) == sorted(PACK_32)
    assert order.index(box.white) == 32 - 7


def test_cards_come_at_a_metre_a_second_with_gaps_from_25_ms(shoe):
    """From one trailing edge to the next leading edge, at the gate."""
    slides = plan(mixed(shoe, 1), 1)
    gaps = [
        _when(after, 0.0) - _when(before, SHIPPED.card_mm[0])
        for before, after in itertools.pairwise(slides)
    ]
    times = [_when(slide, SHIPPED.card_mm[0]) - _when(slide, 0.0) for slide in slides]

    assert 25 <= min(gaps) < 30
    assert max(gaps) <= AS_BUILT.gap_ms[1] + 1e-6
    assert times == pytest.approx([63.0] * 313)


def _when(slide, lead_mm):
    times, places = zip(*slide.way, strict=True)
    return float(np.interp(lead_mm, places, times))


def test_the_draws_stay_in_their_ranges_and_use_them(shoe):
    """Blur, noise, light and tilt are spread over what the conditions allow."""
    slides = plan(mixed(shoe, 1), 1)
    draws = {
        "blur_px": (0, 4),
        "noise": (6, 12),
        "light": (0.7, 1.3),
        "tilt_deg": (-5, 5),
    }

    for name, (low, high) in draws.items():
        values = [getattr(slide, name) for slide in slides]
        assert low <= min(values) < low + 0.05 * (high - low)
        assert high - 0.05 * (high - low) < max(values) <= high


def test_frames_come_at_the_rate_asked_for_in_the_size_asked_for(shoe):
    """120 a second of 192 rows unless asked otherwise."""
    frames = _some(shoe, 1, 13)
    whole = _some(shoe, 1, 13, rows=480, conditions=Conditions(fps=60))

    assert frames[12].t_ms == pytest.approx(100)
    assert frames[0].picture.shape == (192, 640)
    assert whole[12].t_ms == pytest.approx(200)
    assert whole[0].picture.shape == (480, 640)


def _one(shoe, **conditions):
    """One card in the gate, in still, even, noiseless light unless asked otherwise."""
    calm = {"blur_px": (0, 0), "noise": (0, 0), "light": 0.0, "uneven": 0.0, "tilt_deg": 0.0}
    calm |= {"across_mm": 0.0}
    slides = plan(shoe.cards[:1], 1, Conditions(**(calm | conditions)))
    frames = list(film(slides))
    middle = 100 + SHIPPED.card_mm[0] / 2
    return min(frames, key=lambda frame: abs(frame.t_ms - middle)).picture


def test_paper_and_ink_have_a_contrast_of_150(shoe):
    """In nominal light, before noise."""
    picture = _one(shoe)

    assert picture.max() == 190
    assert np.isin(40, picture)


def test_noise_and_blur_are_what_was_asked_for(shoe):
    """Measured on the pictures."""
    plain = _one(shoe).astype(int)
    noisy = _one(shoe, noise=(10, 10)).astype(int)
    blurred = _one(shoe, blur_px=(4, 4)).astype(int)

    assert np.std(noisy - plain) == pytest.approx(10, rel=0.05)
    steps = np.abs(np.diff(plain[:, 150:500], axis=1)).max()
    smeared = np.abs(np.diff(blurred[:, 150:500], axis=1)).max()
    assert smeared == pytest.approx(steps / 4, rel=0.35)
    assert np.abs(np.diff(blurred, axis=0)).max() > 100  # only along the motion


def test_a_back_shows_no_label_and_glare_hides_one(shoe):
    """What cannot be seen is not in the picture."""
    token = shoe.cards[0].token
    for stock, lamp in ((Odd(shoe.cards[0].card, token, back=True), 0), (Odd(None, token), 1.4)):
        slides = plan_stocks([stock], 1, Conditions(noise=(0, 0), light=0))
        frames = list(glaring(film(slides), slides[0], lamp) if lamp else film(slides))
        at_gate = min(frames, key=lambda frame: abs(frame.t_ms - 131)).picture
        label = at_gate[66:126, 290:350]

        assert not (label < 60).any()


def test_two_cards_can_be_in_one_picture(shoe):
    """25 ms apart at a metre a second is 25 mm: less than the window."""
    slides = plan(shoe.cards[:2], 1, Conditions(gap_ms=(25, 25), noise=(0, 0)))
    at_gap = min(film(slides), key=lambda frame: abs(frame.t_ms - 175)).picture

    row = at_gap[96] > 60
    assert row[:100].any()
    assert row[-100:].any()
    assert not row[310:330].any()


def test_a_way_may_stop_and_turn_back(shoe):
    """Whatever hands do with a card."""
    slide = plan(shoe.cards[:1], 1)[0]
    way = (*straight(100, 1.0, SHIPPED)[:1], (200, 40.0), (300, 40.0), (400, -60.0))
    moved = type(slide)(slide.stock, way)

    assert moved.lead_mm(250) == 40.0
    assert moved.lead_mm(350) == pytest.approx(-10)
    assert moved.lead_mm(401) is None
    assert moved.later(50).lead_mm(300) == 40.0


def test_light_scales_the_picture_and_slopes_across_it(shoe):
    """Paper of 190 in a light of 0.7 is 133; uneven light changes from edge to edge."""
    slide = plan(shoe.cards[:1], 1)[0]
    calm = {"blur_px": 0.0, "noise": 0.0, "tilt_deg": 0.0, "across_mm": 0.0}
    dim = dataclasses.replace(slide, light=0.7, slope=(0.0, 0.0), **calm)
    uneven = dataclasses.replace(slide, light=0.7, slope=(0.2, 0.0), **calm)

    level, sloped = (
        min(film([each]), key=lambda frame: abs(frame.t_ms - 131)).picture[10]
        for each in (dim, uneven)
    )
    assert level.max() == pytest.approx(133, abs=1)
    assert sloped.max() > 145


def test_tilt_turns_the_card(shoe):
    """Five degrees over 170 rows move its edge by 15 columns."""
    slide = dataclasses.replace(plan(shoe.cards[:1], 1)[0], tilt_deg=5.0, noise=0.0, light=1.0)
    picture = min(film([slide]), key=lambda frame: abs(frame.t_ms - 131)).picture

    top, bottom = (int(np.flatnonzero(picture[row] > 90)[0]) for row in (10, 180))
    assert abs(top - bottom) == pytest.approx(15, abs=3)
