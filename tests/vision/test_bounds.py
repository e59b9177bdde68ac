"""A passage to the millisecond and the pixel: each limit, met exactly and missed by a little."""

from __future__ import annotations

import pytest

from table_controller.engine.seen import Seen, Unknown
from table_controller.rules.cards import Card
from tests.vision.passing import GONE, IN_GATE, code, pass_by, unknown, verdicts
from vision.gate import View
from vision.passage import Passages
from vision.witness import Reading, Witness


def test_a_verdict_is_due_80_ms_after_the_close(passages):
    """As shipped, whoever closed it."""
    pass_by(passages, 0)

    assert passages.next_due_ms == 88
    assert passages.due(87.9) == []
    assert [one.due_ms for one in passages.due(88)] == [88]
    assert passages.next_due_ms is None


@pytest.mark.parametrize(
    ("t_ms", "belongs"), [(89.9, False), (90, True), (169.9, True), (170, False), (170.5, False)]
)
def test_a_frame_within_10_ms_of_a_passage_belongs_to_it(shoe, beamed, t_ms, belongs):
    """Blocked from 100 to 160 by the beam's clock; at its end the time is up."""
    beamed.edge(100, blocked=True)
    beamed.edge(160, blocked=False)
    assert beamed.wanted(t_ms) is belongs
    beamed.read(t_ms, [code(shoe.cards[0])])

    assert [seen.card for seen in verdicts(beamed)] == [shoe.cards[0].card if belongs else None]
    assert (beamed.quality.stray, beamed.quality.late) == (0 if belongs else 1, 0)


def test_a_passage_may_close_at_the_very_begin_of_time(beamed):
    """A recording's first moment is like any other."""
    beamed.edge(-5, blocked=True)
    beamed.edge(0, blocked=False)

    assert beamed.next_due_ms == 80
    assert [one.due_ms for one in beamed.due(80)] == [80]


def test_a_frame_that_two_passages_could_claim_is_the_first_ones_by_time(shoe, beamed):
    """The second opens when the first closes: that moment belongs to the second."""
    for edge, blocked in ((100, True), (160, False), (160, True), (220, False)):
        beamed.edge(edge, blocked=blocked)
    beamed.read(160, [code(shoe.cards[1])])

    assert [seen.card for seen in verdicts(beamed)] == [None, shoe.cards[1].card]


@pytest.mark.parametrize(("lead_px", "seen"), [(564.48, None), (565, Unknown.TWO_CARDS)])
def test_paper_may_be_twelve_hundredths_longer_than_a_card(shoe, passages, lead_px, seen):
    """504 px and what the cells of 8 px add."""
    passages.view(0, View(True, 0, lead_px))
    passages.read(0, [code(shoe.cards[0])])
    passages.view(8, GONE)

    assert unknown(passages) == [seen]


@pytest.mark.parametrize(
    ("leads", "seen"),
    [
        ((412, 420, 340), None),
        ((412, 420, 339), Unknown.TWO_CARDS),
        ((420, 339, 403), Unknown.TWO_CARDS),
        ((420, 339, 404), None),
    ],
)
def test_a_leading_edge_may_seem_80_px_further_back(shoe, passages, leads, seen):
    """2 mm plus one frame's way at a metre a second; a shadow that goes away was no second edge."""
    passages.view(-8, View(True, 20, leads[0]))
    for number, lead_px in enumerate(leads):
        passages.view(8.0 * number, View(True, 0, lead_px, tail_cut=True))
        passages.read(8.0 * number, [code(shoe.cards[0])])
    passages.view(80, GONE)

    assert unknown(passages) == [seen]


@pytest.mark.parametrize(("lead_px", "seen"), [(473, None), (474, Unknown.TWO_CARDS)])
def test_an_edge_that_leaps_is_another_cards_where_that_is_whole(shoe, passages, lead_px, seen):
    """Nine tenths of a card from its tail, in sight at 20 px; anything shorter is dark print.

    A queen of Bellot's pattern was once taken for two cards: 488, 400, 464 px, then the border.
    """
    for number, view in enumerate((View(True, 0, 564, tail_cut=True), View(True, 20, lead_px))):
        passages.view(8.0 * number, view)
        passages.read(8.0 * number, [code(shoe.cards[0])])
    passages.view(16, GONE)

    assert unknown(passages) == [seen]


def test_an_edge_that_leaps_after_a_clear_gate_is_the_next_cards(shoe, passages):
    """Only edges of one passage are compared, and only of pictures that follow each other."""
    for start, lead_px in ((0, 500), (100, 330)):
        for at in range(start, start + 24, 8):
            passages.view(at, View(True, 0, lead_px, tail_cut=True))
            passages.read(at, [code(shoe.cards[0])])
        passages.view(start + 24, View(True, 80, 584))
        passages.view(start + 32, GONE)

    assert unknown(passages) == [None, None]


@pytest.mark.parametrize(
    ("view", "seen"),
    [
        (View(True, 100, 402.4), None),
        (View(True, 100, 402), Unknown.PARTIAL),
        (View(True, 0, 302, tail_cut=True), Unknown.UNSURE),
        (View(True, 338, 640, lead_cut=True), Unknown.UNSURE),
    ],
)
def test_six_tenths_of_a_card_are_a_card(shoe, passages, view, seen):
    """302.4 of 504 px, where both ends are in sight; where one is not, nothing is sure."""
    for t_ms in (0, 8, 16):
        passages.view(t_ms, view)
        passages.read(t_ms, [code(shoe.cards[0])])
    passages.view(24, GONE)

    assert unknown(passages) == [seen]


def test_the_most_paper_that_was_measured_counts(shoe, passages):
    """A card comes out bit by bit, and a view that cuts it measures nothing."""
    for number, view in enumerate([View(True, 100, 500), View(True, 200, 450)]):
        passages.view(8.0 * number, view)
        passages.read(8.0 * number, [code(shoe.cards[0])])
    passages.view(16, GONE)

    assert unknown(passages) == [None]


@pytest.mark.parametrize(("at_px", "seen"), [(258.0, None), (258.5, Unknown.DUPLICATE)])
def test_half_a_label_apart_are_two_labels(shoe, passages, at_px, seen):
    """58 of 116 px: one decoder cannot find one code in two such places."""
    entry = shoe.cards[0]
    pass_by(passages, 0, code(entry, at_px=200), code(entry, at_px=at_px))

    assert unknown(passages) == [seen]


def test_a_face_at_two_places_is_no_doubled_label(shoe):
    """Both indices of one card; and three codes of which the last two are apart."""
    faces = [Reading(Witness.FACE, card=Card("7h"), at_px=at_px) for at_px in (200.0, 400.0)]
    passages = Passages(None)
    pass_by(passages, 0, *faces)
    assert verdicts(passages) == [Seen(card=Card("7h"))]

    entry, other = shoe.cards[:2]
    labelled = Passages(shoe.lookup)
    pass_by(labelled, 0, code(entry), code(other, at_px=0.0), code(entry, at_px=400.0))
    pass_by(labelled, 100, code(entry), code(entry, at_px=322.0), code(entry, at_px=400.0))
    assert unknown(labelled) == [Unknown.TWO_CARDS, Unknown.DUPLICATE]


def test_sixteen_frames_are_read_and_then_one_each_50_ms(shoe, passages):
    """Of a card that rests in the gate."""
    for t_ms in range(0, 160, 10):
        passages.view(t_ms, IN_GATE)
        assert passages.wanted(t_ms)
        passages.read(t_ms, [code(shoe.cards[0])])

    assert not passages.wanted(199.9)
    assert passages.wanted(200)
    passages.read(200, [code(shoe.cards[0])])
    assert not passages.wanted(249.9)
    assert passages.wanted(250)


def test_nothing_is_wanted_of_an_empty_gate(passages):
    """Nor is a frame in which nothing was read one that was read."""
    assert not passages.wanted(0)
    passages.view(0, IN_GATE)
    passages.read(0, [])
    passages.view(8, GONE)
    verdicts(passages)

    assert passages.quality.frames_read == {0: 1}
    assert (passages.quality.stray, passages.quality.late) == (0, 0)


def test_late_readings_are_known_for_four_passages(shoe, passages):
    """An older one is nobody's."""
    for start in range(0, 500, 100):
        pass_by(passages, start)
    verdicts(passages)
    for t_ms in (0, 100, 400):
        passages.read(t_ms, [code(shoe.cards[0])])

    assert (passages.quality.stray, passages.quality.late) == (1, 2)
