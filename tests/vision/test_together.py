"""Two cards together: a corner that sticks out is measured, and told."""

import numpy as np
import pytest

from table_controller.engine.seen import Unknown
from tests.vision.passing import GONE, code, unknown
from vision.gate import View, look
from vision.lip import Lip
from vision.passage import Passages


def turned(by_deg, high):
    """A picture of two cards, one turned against the other about their middle."""
    rows, columns = np.mgrid[:high, :640].astype(float)
    x, y, light = columns - 319.5, rows - (high - 1) / 2, np.zeros((high, 640))
    for deg in (-by_deg / 2, by_deg / 2):
        c, s = np.cos(np.radians(deg)), np.sin(np.radians(deg))
        along, across = 252.5 - abs(x * c + y * s), 352.5 - abs(y * c - x * s)
        light = np.maximum(light, np.clip(along, 0, 1) * np.clip(across, 0, 1))
    return (25 + 165 * light).astype(np.uint8)


@pytest.mark.parametrize(
    ("high", "by_deg", "more_mm"),
    [(480, 0.5, 0.24), (480, 2.2, 1.07), (768, 0.5, 0.34), (768, 2.2, 1.51)],
)
def test_a_corner_that_sticks_out_is_measured_far_from_the_middle(high, by_deg, more_mm):
    """By the turn times its distance from the middle: 28 mm in a picture of 60, 39 in one of 96."""
    one, two = (look(turned(deg, high), Lip(height_px=high)) for deg in (0.0, by_deg))
    more = {band: (two.bands_px[band] - px) / 8 for band, px in one.bands_px.items()}

    assert max(more.values()) == pytest.approx(more_mm, abs=0.1)
    assert min(more, key=more.get) not in (0, 7)
    assert (two.along_px - one.along_px) / 8 < 0.3 * more_mm


@pytest.mark.parametrize(("over_px", "told"), [(3.9, None), (4.1, Unknown.TWO_CARDS)])
def test_a_corner_is_held_to_what_the_cards_before_had_there(shoe, over_px, told):
    """Band by band, as a lens distorts each alike for every card: half a millimetre more is two."""
    passages = Passages(shoe.lookup, fps=1)
    for number in range(9):
        last = number == 8
        bands = {0: 490.0, 7: 515.0 + (over_px if last else 0.0)}
        passages.view(200 * number, View(True, 68, 580, along_px=504.0, bands_px=bands))
        passages.read(200 * number, [code(shoe.cards[0])])
        passages.view(200 * number + 8, GONE)
        seen = unknown(passages)

    assert seen == [told]
