"""A card's length and width: calibrated, then learnt. Anything larger is two cards."""

import cv2
import numpy as np
import pytest

from table_controller.engine.seen import Unknown
from tests.vision.passing import GONE, code, unknown
from vision.gate import View, look
from vision.lip import SHIPPED, Lip
from vision.outline import OutlineSide
from vision.passage import Passages


def side(*cards):
    told = OutlineSide(504.0, 8.0)
    for card in cards:
        told.learn(card)
    return told


@pytest.mark.parametrize(
    ("cards", "longest"),
    [
        ((), 524.16),  # four hundredths more
        ((511.0,) * 7, 524.16),
        ((511.0,) * 8, 513.0),  # a quarter of a millimetre more than those that were read
        ((490.0,) * 8, 492.0),
        ((511.0,) * 8 + (None,) * 40, 513.0),
        ((511.0,) * 8 + (498.0,) * 64, 500.0),
        ((509.0, 513.0) * 8, 521.0),  # cards of two makers: five times by how much they differ
    ],
)
def test_more_than_one_card_has_is_two(cards, longest):
    """As calibrated until eight were read; then as they were."""
    known = side(*cards)

    assert not known.too_long(longest)
    assert known.too_long(longest + 0.5)
    assert not known.too_long(None)
    assert not known.too_long(524.0, white=True)


def lying(turn_deg=0.0, lean=0.0, soft=0.0, light=1.0, across=(704,)):
    """A picture of a card, or of several, each so many pixels wide: askew, and its rows late."""
    rows, columns = np.mgrid[:768, :640].astype(float)
    x, y = columns - 319.5 - lean * (rows - 383.5), rows - 383.5
    turn = np.radians(turn_deg)
    u, v = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    picture = np.full((768, 640), 25.0)
    for wide, off in ((one, 0) if isinstance(one, int) else one for one in across):
        picture[(abs(u) < 252) & (abs(v - off) < wide / 2)] = 190
    picture = cv2.GaussianBlur(picture, (0, 0), soft) if soft else picture
    return np.clip(picture * light, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"turn_deg": 4},
        {"turn_deg": -4},
        {"lean": 0.2},  # a rolling shutter, at a metre a second
        {"lean": 0.2, "turn_deg": 4},
        {"lean": 0.2, "turn_deg": -4},
        {"soft": 4.0},
        {"light": 0.6},
        {"light": 1.3, "soft": 3.0, "lean": 0.2, "turn_deg": 2},
    ],
)
def test_a_card_is_as_long_and_as_wide_however_it_lies_and_is_lit(how):
    """504 x 704 px to an eighth of a millimetre, where both its long edges are in sight."""
    view = look(lying(**how), Lip(height_px=768))

    assert view.along_px == pytest.approx(504, abs=1)
    assert view.across_px == pytest.approx(704, abs=1)


@pytest.mark.parametrize(("off_mm", "wide"), [(1, 712), (3, 728), (9, float("inf"))])
def test_two_cards_shifted_sideways_are_wider_than_one(off_mm, wide):
    """In a lip that shows both long edges; where one of these is not in sight, without end."""
    picture = lying(across=(704, (704, off_mm * 8)))

    assert look(picture, Lip(height_px=768)).across_px == pytest.approx(wide, abs=1)
    picture[:160] = 25  # print that is dark
    assert look(picture[144:624], SHIPPED).across_px is None


def test_a_lip_shows_both_long_edges_where_there_is_room_beside_them():
    """94 mm at the least; one for faces has a hand in sight as well, which tells nothing."""
    assert not SHIPPED.sides
    assert not Lip(height_px=751).sides
    assert Lip(height_px=752).sides
    assert not Lip(height_px=752, whole=True).sides


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


def test_every_schlitten_is_learnt_anew(shoe):
    """Cards of 63.4 mm after those of 63.0: each was two cards until the table began anew."""
    passages = Passages(shoe.lookup, fps=1)

    def passes(start, along_px):
        passages.view(start, View(True, 68, 580, along_px=along_px))
        passages.read(start, [code(shoe.cards[0])])
        passages.view(start + 8, GONE)
        return unknown(passages)

    for number in range(8):
        assert passes(200 * number, 504.0) == [None]
    assert passes(2000, 507.2) == [Unknown.TWO_CARDS]
    passages.take_quality()  # it is closed

    assert passes(2200, 507.2) == [None]


def test_a_card_in_a_hand_that_is_shown_again_may_have_any_size(shoe, passages):
    """The hand is light too."""
    passages.again = True
    passages.view(0, View(True, 10, 630, along_px=600.0))
    passages.read(0, [code(shoe.cards[0])])
    passages.view(8, GONE)

    assert unknown(passages) == [None]
