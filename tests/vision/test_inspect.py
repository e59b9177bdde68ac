import cv2
import numpy as np

from table_controller.rules.cards import Card
from vision.cardstock import Stock
from vision.generator import film, plan_stocks
from vision.inspect import inspect
from vision.reader import Sight
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
