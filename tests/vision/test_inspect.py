from dataclasses import replace

import cv2
import numpy as np
import pytest

from table_controller.rules.cards import Card
from vision.cardstock import Stock
from vision.gate import look
from vision.generator import film, plan_stocks
from vision.inspect import inspect
from vision.lip import SHIPPED
from vision.reader import Sight
from vision.sharp import told
from vision.witness import Reading, Witness


def _picture(label):
    frames = film(plan_stocks([Stock(None, label)], 1))
    return min(frames, key=lambda frame: abs(frame.t_ms - 131)).picture


def test_a_technician_sees_what_each_witness_says(shoe, other_shoe):
    """Ours by name; another shoe's and foreign codes for what they are; faces too."""
    ours, theirs = shoe.cards[9], other_shoe.cards[9]
    sight = Sight(manifest=shoe, others=[other_shoe])

    assert inspect(_picture(ours.token), sight).said == (
        f"zxing: {ours.card} copy {ours.copy}",
        f"zbar: {ours.card} copy {ours.copy}",
    )
    assert inspect(_picture(theirs.token), sight).said[0] == "zxing: a card of shoe red-2"
    assert inspect(_picture("HELLO"), sight).said[0] == "zxing: foreign"
    face = Sight(manifest=None, witnesses=[lambda _p: [Reading(Witness.FACE, card=Card("7h"))]])
    assert inspect(_picture(None), face).said == ("face: 7h, by its face",)
    assert inspect(_picture(None), sight).said == ("nothing is legible",)


def test_the_picture_shows_region_and_gate(shoe):
    """In colour, as large as it came."""
    seen = inspect(_picture(shoe.cards[0].token), Sight(manifest=shoe))
    shown = cv2.imdecode(np.frombuffer(seen.jpeg, np.uint8), cv2.IMREAD_COLOR)

    assert seen.view.blocked
    assert shown.shape == (192, 640, 3)
    gate = shown[5, 320].astype(int)
    assert gate[2] > gate[0] + 60  # amber: a card is in it


@pytest.mark.parametrize(
    ("smear_mm", "blurred"), [(0.2, False), (1.0, False), (2.5, True), (10, True)]
)
@pytest.mark.parametrize("ends", [(100, 330), (240, 640)])
def test_a_technician_sees_how_far_a_moving_card_smears(smear_mm, blurred, ends):
    """At 20 ms of exposure a card at half a metre a second has an edge of 10 mm."""
    lip = replace(SHIPPED, px_per_mm=4.0, card_mm=(62.0, 88.0), whole=True)
    picture = np.full((480, 640), 25, np.float32)
    picture[60:420, slice(*ends)] = 190
    picture = cv2.blur(picture, (round(smear_mm * 4) * 2 // 2 or 1, 1)).astype(np.uint8)
    bright, edge, *advice = told(picture, lip, look(picture, lip))

    assert bright == "lightest spot: 190 of 255"
    assert float(edge.split()[-3]) == pytest.approx(smear_mm, abs=0.6)
    assert bool(advice) is blurred
    assert all("exposure_us" in line for line in advice)


def test_of_an_empty_lip_only_the_light_is_told():
    """There is no edge to look at."""
    empty = np.full((480, 640), 25, np.uint8)

    assert told(empty, SHIPPED, look(empty, SHIPPED)) == ("lightest spot: 25 of 255",)
