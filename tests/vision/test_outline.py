"""How long and how wide a card is: calibrated, then learnt; what is more is two cards."""

import numpy as np
import pytest

from table_controller.engine.seen import Unknown
from tests.vision.passing import GONE, code, unknown
from vision.gate import View, look
from vision.lip import SHIPPED, Lip
from vision.outline import Side
from vision.passage import Passages


def side(*cards):
    told = Side(504.0, 8.0)
    for card in cards:
        told.learn(card)
    return told


@pytest.mark.parametrize(
    ("cards", "longest"),
    [
        ((), 524.16),  # four hundredths more
        ((511.0,) * 7, 524.16),
        ((511.0,) * 8, 519.0),  # a millimetre more than those that were read
        ((490.0,) * 8, 498.0),
        ((511.0,) * 8 + (None,) * 40, 519.0),
        ((511.0,) * 8 + (498.0,) * 32, 506.0),
    ],
)
def test_more_than_one_card_has_is_two(cards, longest):
    """As calibrated until eight were read; then as they were."""
    known = side(*cards)

    assert not known.too_long(longest)
    assert known.too_long(longest + 0.5)
    assert not known.too_long(None)
    assert not known.too_long(524.0, white=True)


def test_the_sides_are_measured_to_a_pixel_whatever_is_printed():
    """A slanted card with dark artwork amid light borders: the middle of its rows."""
    picture = np.full((720, 640), 25, np.uint8)
    rows, columns = np.mgrid[:720, :640]
    across = np.abs(rows - 360) < 352
    picture[across & (np.abs(columns - 320 - (rows - 360) * 0.05) < 252)] = 190
    picture[200:500, 130:500] = 30
    view = look(picture, Lip(height_px=720, whole=True))

    assert view.along_px == pytest.approx(504, abs=2)
    assert view.across_px == pytest.approx(703, abs=2)
    assert look(picture[264:456], SHIPPED).across_px is None


@pytest.mark.parametrize("over", [{"along_px": 526.0}, {"across_px": 734.0}])
def test_a_card_that_sticks_out_from_under_another_is_told(shoe, over):
    """In front or beside, and only where both edges are in sight."""
    passages = Passages(shoe.lookup, fps=1)
    for start, sides in ((0, {"along_px": 504.0, "across_px": 704.0}), (200, over)):
        for number in range(3):
            passages.view(start + 8 * number, View(True, 68, 580, **sides))
            passages.read(start + 8 * number, [code(shoe.cards[0])])
        passages.view(start + 24, GONE)

    assert unknown(passages) == [None, Unknown.TWO_CARDS]


def test_a_card_in_a_hand_that_is_shown_again_may_have_any_size(shoe, passages):
    """The hand is light too."""
    passages.again = True
    passages.view(0, View(True, 10, 630, along_px=600.0))
    passages.read(0, [code(shoe.cards[0])])
    passages.view(8, GONE)

    assert unknown(passages) == [None]
