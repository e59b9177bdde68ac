"""The readings of a passage's other witnesses, besides the labels that a camera reads."""

import pytest

from table_controller.engine.seen import Seen, Unknown
from table_controller.rules.cards import Card
from tests.vision.passing import GONE, IN_GATE, label, slide, verdicts
from vision.passage import Passages
from vision.witness import Reading, Witness

# -- the serial module


def test_the_modules_digits_alone_are_no_card(shoe, passages):
    """A Code 128 read with a valid checksum was seen to be wrong: a second witness is wanted."""
    slide(passages, 0)
    passages.line(100, shoe.cards[0].digits)

    assert [seen.unknown for seen in verdicts(passages)] == [Unknown.UNSURE]


def test_the_modules_digits_count_beside_a_second_witness(shoe):
    """A face that names the same card."""
    entry = shoe.cards[0]
    passages = Passages(shoe.lookup)
    slide(passages, 0, Reading(Witness.FACE, card=entry.card))
    passages.line(100, entry.digits)

    assert verdicts(passages) == [Seen(card=entry.card, copy=entry.copy)]


def test_a_module_that_contradicts_stops_the_coup(shoe, passages):
    """Two witnesses, two cards: no guess."""
    slide(passages, 0, label(shoe.cards[0].token))
    passages.line(100, shoe.cards[1].digits)

    assert [seen.unknown for seen in verdicts(passages)] == [Unknown.DISAGREE]


def test_a_module_that_reads_qr_needs_no_second_witness(shoe, passages):
    """A token is a token, whoever reads it."""
    slide(passages, 0)
    passages.line(100, shoe.cards[0].token)

    assert [seen.card for seen in verdicts(passages)] == [shoe.cards[0].card]


def test_a_line_that_comes_during_the_next_card_finds_its_own(shoe, passages):
    """The module is slow; the camera's token tells whose line it is. Doubled lines are one."""
    first, second = shoe.cards[:2]
    slide(passages, 0, label(first.token))
    passages.line(95, first.digits)
    passages.line(96, first.digits)
    slide(passages, 90, label(second.token))
    passages.line(170, second.digits)

    assert [seen.card for seen in verdicts(passages)] == [first.card, second.card]
    assert passages.quality.agreed == 2


@pytest.mark.parametrize("noise", ["", "1234", "123456789", "VTV3ESBZ6YGN\x00A", "é" * 14])
def test_noise_on_the_modules_line_is_nothing(shoe, passages, noise):
    """Split and garbled lines are not foreign cards."""
    slide(passages, 0, label(shoe.cards[0].token))
    passages.line(70, noise)

    assert [seen.card for seen in verdicts(passages)] == [shoe.cards[0].card]


def test_whole_digits_that_nobody_knows_are_foreign(shoe, passages):
    """A label of somebody else."""
    digits = next(f"{n:08d}" for n in range(9) if shoe.lookup(f"{n:08d}").entry is None)
    slide(passages, 0)
    passages.line(70, digits)

    assert [seen.unknown for seen in verdicts(passages)] == [Unknown.FOREIGN]


def test_a_line_that_comes_after_its_cards_verdict_is_not_the_next_cards(shoe, passages):
    """The module was slow: counted as late, and the next card is read as if it had not come."""
    first, second = shoe.cards[:2]
    slide(passages, 0, label(first.token))
    passages.due(200)
    passages.line(250, first.token)
    slide(passages, 400, label(second.token))

    assert verdicts(passages) == [Seen(card=second.card, copy=second.copy)]
    assert passages.quality.late == 1


# -- faces


def _faces(*cards, lookup=None):
    passages = Passages(lookup)
    for number, card in enumerate(cards):
        passages.view(8 * number, IN_GATE)
        passages.read(8 * number, [Reading(Witness.FACE, card=Card(card))])
    passages.view(8 * len(cards), GONE)
    return [one.seen for one in passages.end()]


def test_faces_stand_alone_only_where_cards_have_no_labels(shoe):
    """On a labelled table a face without its label is somebody's own card."""
    assert _faces("7h", "7h") == [Seen(card=Card("7h"))]
    assert _faces("7h", "7h", lookup=shoe.lookup) == [Seen(unknown=Unknown.UNSURE)]


def test_a_face_needs_two_votes_and_no_other(shoe):
    """One frame is a glimpse; two opinions are none."""
    assert _faces("7h") == [Seen(unknown=Unknown.UNSURE)]
    assert _faces("7h", "7h", "9h") == [Seen(unknown=Unknown.UNSURE)]
    assert _faces("7h", "7h", "9h", "9h") == [Seen(unknown=Unknown.DISAGREE)]


def test_a_face_that_contradicts_the_label_stops_the_coup(shoe):
    """A label moved to another card; or the cut card's on a king."""
    seven = next(entry for entry in shoe.cards if entry.card == "7h")
    for entry, verdict in ((seven, Unknown.DISAGREE), (shoe.white, Unknown.DISAGREE)):
        passages = Passages(shoe.lookup)
        slide(passages, 0, label(entry.token), Reading(Witness.FACE, card=Card("Ks")))
        assert [seen.unknown for seen in verdicts(passages)] == [verdict]
